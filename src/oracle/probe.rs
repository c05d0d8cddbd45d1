//! A board and all its moves, with the distances they lead to.

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move};

/// A board with its distance to a goal, its number of optimal solutions and all its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Probe {
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Length of a shortest solution.
    pub distance: u8,
    /// Number of shortest solutions; 1, the empty one, at the goal. `None` if they were not counted, which would
    /// have taken too long.
    pub solution_count: Option<u64>,
    /// Every legal move, best first, in move order where equally good.
    pub steps: Vec<ProbeMove>,
}

/// A move and the board it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ProbeMove {
    /// The direction in which the blank travels.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub mv: Move,
    /// The tile that slides.
    pub tile: u8,
    /// The board after the move.
    pub board: Board,
    /// That board's distance.
    pub distance: u8,
}

impl Probe {
    /// Returns the probe of a board, given the moves that lead closer to the goal.
    pub(super) fn new(
        (board, goal): (&Board, &Board),
        distance: u8,
        solution_count: Option<u64>,
        closer: &[Move],
    ) -> Probe {
        let legal = (Move::ALL.into_iter()).filter_map(|mv| Some((mv, board.slide(mv)?)));
        let probed = legal.map(|(mv, next)| ProbeMove {
            mv,
            tile: next.tiles()[board.blank()],
            board: next,
            distance: match closer.contains(&mv) {
                true => distance.saturating_sub(1),
                false => distance.saturating_add(1),
            },
        });
        let mut steps: Vec<_> = probed.collect();
        steps.sort_by_key(|probed| probed.distance);
        Probe {
            board: *board,
            goal: *goal,
            distance,
            solution_count,
            steps,
        }
    }
}
