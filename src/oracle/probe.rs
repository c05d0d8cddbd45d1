//! A board and all its moves, with the distances they lead to.

use serde::{Deserialize, Serialize};

use crate::puzzle::{Board, Move};

use super::error::QueryError;

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
    pub solutions: Option<u64>,
    /// Every legal move, best first, in move order where equally good.
    pub moves: Vec<ProbeMove>,
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
    /// Returns the probe of a board, given the distance of each board one move away.
    pub(super) fn new(
        (board, goal): (&Board, &Board),
        distance: u8,
        solutions: Option<u64>,
        after: impl Fn(Move, &Board) -> Result<u8, QueryError>,
    ) -> Result<Probe, QueryError> {
        let legal = (Move::ALL.into_iter()).filter_map(|mv| Some((mv, board.slide(mv)?)));
        let probed = legal.map(|(mv, next)| {
            Ok(ProbeMove {
                mv,
                tile: next.tiles()[board.blank()],
                board: next,
                distance: after(mv, &next)?,
            })
        });
        let mut moves = probed.collect::<Result<Vec<_>, QueryError>>()?;
        moves.sort_by_key(|probed| probed.distance);
        Ok(Probe {
            board: *board,
            goal: *goal,
            distance,
            solutions,
            moves,
        })
    }
}
