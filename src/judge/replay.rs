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

impl Path {
    /// Makes the moves from `start` on, as far as they are legal.
    pub(super) fn replay(&self, start: &Board, reading: Reading) -> Replay {
        match self {
            Path::Directions(moves) if reading == Reading::Tile => {
                Replay::new(start, moves.iter().map(|mv| Some(mv.opposite())))
            }
            Path::Directions(moves) => Replay::new(start, moves.iter().map(|&mv| Some(mv))),
            Path::Tiles(tiles) => Replay::choose(start, tiles.iter(), |next, now, &&tile| {
                tile != 0 && next.tiles()[now.blank()] == tile
            }),
            Path::Boards(boards) => {
                let skipped = usize::from(boards.first() == Some(start));
                let rest = boards[skipped..].iter();
                Replay::choose(start, rest, |next, _, &board| next == board)
            }
        }
    }
}

impl Replay {
    /// Returns whether all moves are legal and end at the goal.
    pub(super) fn reaches(&self, goal: &Board) -> bool {
        self.legal && self.end == *goal
    }

    /// Returns the rank of a replay that misses the goal. One that is legal to its end ranks above one that is not, and
    /// of two that are not the one that is legal for longer ranks higher.
    pub(super) fn worth(&self) -> (bool, usize) {
        (self.legal, if self.legal { 0 } else { self.moves.len() })
    }

    fn new(start: &Board, moves: impl Iterator<Item = Option<Move>>) -> Replay {
        let mut run = Replay {
            moves: Vec::new(),
            end: *start,
            legal: true,
        };
        for mv in moves {
            match mv.and_then(|mv| Some((mv, run.end.slide(mv)?))) {
                Some((mv, next)) => {
                    run.moves.push(mv);
                    run.end = next;
                }
                None => {
                    run.legal = false;
                    return run;
                }
            }
        }
        run
    }

    /// Replays steps. `meant(next, now, step)` is true for the board that the step leads to.
    fn choose<T>(
        start: &Board,
        steps: impl Iterator<Item = T>,
        meant: impl Fn(&Board, &Board, &T) -> bool,
    ) -> Replay {
        let mut now = *start;
        Replay::new(
            start,
            steps.map(|step| {
                let (mv, next) = Move::ALL
                    .into_iter()
                    .filter_map(|mv| Some((mv, now.slide(mv)?)))
                    .find(|(_, next)| meant(next, &now, &step))?;
                now = next;
                Some(mv)
            }),
        )
    }
}
