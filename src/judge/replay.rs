//! Makes the moves of a path on a board.

use crate::puzzle::{Board, Move};

use super::answer::{Path, Reading};

/// Result of replaying a path.
pub(super) struct Replay {
    /// The blank's moves, up to the first illegal one.
    pub moves: Vec<Move>,
    /// Board at the end of these moves.
    pub end: Board,
    /// Whether all moves were legal.
    pub legal: bool,
}

impl Replay {
    /// Returns whether all moves are legal and end at the goal.
    pub(super) fn reaches(&self, goal: &Board) -> bool {
        self.legal && self.end == *goal
    }
}

impl Path {
    /// Makes one step on a board; `None` if it is impossible. Inlined, so that a replay chooses the kind of path once: it
    /// takes twice as long otherwise.
    #[inline(always)]
    fn make(&self, at: usize, board: &mut Board, reading: Reading) -> Option<Move> {
        // The cell that the blank goes to.
        let to = match self {
            Path::Directions(moves) => {
                let (mv, is_tile) = (moves[at], reading == Reading::Tile);
                let mv = if is_tile { mv.opposite() } else { mv };
                return board.go(mv).map(|_| mv);
            }
            Path::Tiles(tiles) => board.tiles().iter().position(|tile| *tile == tiles[at])?,
            Path::Boards(boards) => boards[at].blank(),
        };
        let leads = |mv: &Move| board.shape().step(board.blank(), *mv) == Some(to);
        let mv = Move::ALL.into_iter().find(leads)?;
        let is_other = matches!(self, Path::Boards(boards) if board.slide(mv) != Some(boards[at]));
        let mv = (!is_other).then_some(mv)?;
        board.go(mv).map(|_| mv)
    }

    /// Makes the moves from `start` on, as far as they are legal, or without the illegal ones if the board `stays`.
    pub(super) fn replay(&self, start: &Board, reading: Reading, stays: bool) -> Replay {
        let (mut moves, mut end) = (Vec::with_capacity(self.steps()), *start);
        let skipped = matches!(self, Path::Boards(boards) if boards.first() == Some(start));
        let mut steps = usize::from(skipped)..self.steps();
        let legal = steps.all(|at| match self.make(at, &mut end, reading) {
            Some(mv) => {
                moves.push(mv);
                true
            }
            None => stays,
        });
        Replay { moves, end, legal }
    }
}

/// Returns the best of several paths: the first that reaches the goal, otherwise the first that is legal to its end,
/// otherwise the one that is legal for the most moves. Without a goal only the first notation of each counts.
pub(super) fn best<'p>(
    paths: &'p [Path],
    start: &Board,
    goal: Option<&Board>,
    only: Option<Reading>,
) -> Option<(&'p Path, Reading, Replay)> {
    let worth = |replay: &Replay| match replay.legal {
        true if goal == Some(&replay.end) => (2, 0),
        true => (1, 0),
        false => (0, replay.moves.len()),
    };
    let mut best: Option<(&Path, Reading, Replay)> = None;
    for path in paths {
        for reading in path.readings_as(only).take(1 + usize::from(goal.is_some())) {
            let replay = path.replay(start, reading, false);
            let is_better = |best: &(_, _, Replay)| worth(&best.2) < worth(&replay);
            if best.as_ref().is_none_or(is_better) {
                best = Some((path, reading, replay));
            }
        }
    }
    best
}
