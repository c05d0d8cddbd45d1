//! Judging somebody's answer for a board.

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::space::SpaceError;

use super::verdict::{Answer, Judgement, Reading, Verdict, Way};

impl<B: AsRef<[u8]>> Oracle<B> {
    /// Judges an answer.
    ///
    /// Directions are replayed as the blank's and, if those do not reach the goal, as the
    /// tile's, unless `only` says which is meant. Among the ways that the text can mean, the
    /// first that reaches the goal counts, otherwise the first that is legal to its end,
    /// otherwise the one that is legal for the most moves. If none is written as `only` says, the
    /// first move is illegal; [`Answer::written_as`] tells that beforehand.
    ///
    /// ```
    /// use puzzledb::judge::{Answer, Reading, Verdict, Way};
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move;
    ///
    /// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
    /// let answer = |moves: &[Move]| Answer {
    ///     ways: vec![Way::Directions(moves.to_vec())],
    ///     ..Answer::default()
    /// };
    /// let board = "123456708".parse()?;
    /// let only = Some(Reading::Blank);
    /// let judge = |moves: &[Move]| oracle.judge(&board, &answer(moves), only).map(|j| j.verdict);
    /// assert_eq!(judge(&[Move::Right])?, Verdict::Optimal);
    /// assert_eq!(
    ///     judge(&[Move::Left, Move::Right, Move::Right])?,
    ///     Verdict::Suboptimal { excess: 2, first_loss: Some(1) }
    /// );
    /// assert_eq!(judge(&[Move::Down])?, Verdict::IllegalMove { at: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the board has another shape than the goal, or the table is wrong.
    pub fn judge(
        &self,
        board: &Board,
        answer: &Answer,
        only: Option<Reading>,
    ) -> Result<Judgement, QueryError> {
        let distance = match self.distance(board) {
            Ok(distance) => Some(distance),
            Err(QueryError::Space(SpaceError::Unsolvable { .. })) => None,
            Err(error) => return Err(error),
        };
        let judged = |verdict| Judgement {
            verdict,
            distance,
            reading: None,
            moves: None,
        };
        if answer.unsolvable {
            return Ok(judged(match distance {
                None => Verdict::RightlyUnsolvable,
                Some(_) => Verdict::WronglyUnsolvable,
            }));
        }
        let run = self.best_run(board, &answer.ways, only);
        let is_length = |run: &Run| answer.either && !self.reaches_goal(run);
        if let Some((reading, run)) = run.filter(|(_, run)| !is_length(run)) {
            let length = answer.length.filter(|_| !answer.either);
            return Ok(Judgement {
                verdict: self.judge_run(board, &run, distance, length)?,
                distance,
                reading: Some(reading),
                moves: Some(run.moves),
            });
        }
        if !answer.ways.is_empty() && !answer.either {
            return Ok(judged(Verdict::IllegalMove { at: 1 }));
        }
        // An answer without anything in it is an answer of no moves.
        let claimed = answer.length.unwrap_or(0);
        Ok(judged(match distance {
            None => Verdict::SolvesUnsolvable,
            Some(distance) => judge_length(claimed, u64::from(distance)),
        }))
    }

    /// Replays all readings and keeps the best.
    fn best_run(
        &self,
        board: &Board,
        ways: &[Way],
        only: Option<Reading>,
    ) -> Option<(Reading, Run)> {
        let mut best: Option<(Reading, Run)> = None;
        for way in ways {
            for &reading in way.readings() {
                let other =
                    only.is_some_and(|only| way.readings().contains(&only) && only != reading);
                if other || !way.can_be(only) {
                    continue;
                }
                let run = way.replay(board, reading);
                if self.reaches_goal(&run) {
                    return Some((reading, run));
                }
                if best.as_ref().is_none_or(|(_, b)| b.worth() < run.worth()) {
                    best = Some((reading, run));
                }
            }
        }
        best
    }

    fn reaches_goal(&self, run: &Run) -> bool {
        run.legal && run.end == *self.goal()
    }

    fn judge_run(
        &self,
        board: &Board,
        run: &Run,
        distance: Option<u8>,
        claimed: Option<u64>,
    ) -> Result<Verdict, QueryError> {
        let path = run.moves.len() as u64;
        if !run.legal {
            return Ok(Verdict::IllegalMove {
                at: run.moves.len() + 1,
            });
        }
        let Some(distance) = distance.filter(|_| run.end == *self.goal()) else {
            return Ok(Verdict::MissesGoal);
        };
        if let Some(claimed) = claimed.filter(|&claimed| claimed != path) {
            return Ok(Verdict::WrongLength { claimed, path });
        }
        let excess = path.saturating_sub(u64::from(distance));
        if excess == 0 {
            return Ok(Verdict::Optimal);
        }
        let first_loss = Some(self.first_loss(board, &run.moves)?);
        Ok(Verdict::Suboptimal { excess, first_loss })
    }

    /// An optimal solution that begins with the moves of a path up to the first that loses ground.
    ///
    /// ```
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move;
    ///
    /// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
    /// let board = "123405786".parse()?;
    /// let (right, down, left) = (Move::Right, Move::Down, Move::Left);
    /// assert_eq!(oracle.mend(&board, &[right, left, right, down])?, [right, down]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn mend(&self, board: &Board, moves: &[Move]) -> Result<Vec<Move>, QueryError> {
        let mut now = *board;
        let mut distance = self.distance(&now)?;
        let mut mended = Vec::with_capacity(usize::from(distance));
        for &mv in moves {
            let Some(next) = now.slide(mv) else { break };
            let closer = self.distance(&next)?;
            if closer > distance {
                break;
            }
            (now, distance) = (next, closer);
            mended.push(mv);
        }
        mended.extend(self.solve(&now)?);
        Ok(mended)
    }

    /// The first of some legal moves after which the goal is farther, counted from 1.
    fn first_loss(&self, board: &Board, moves: &[Move]) -> Result<usize, QueryError> {
        let mut now = *board;
        let mut distance = self.distance(&now)?;
        for (i, &mv) in moves.iter().enumerate() {
            now = now.slide(mv).expect("the moves were replayed");
            let next = self.distance(&now)?;
            if next > distance {
                return Ok(i + 1);
            }
            distance = next;
        }
        Ok(moves.len())
    }
}

fn judge_length(claimed: u64, distance: u64) -> Verdict {
    match claimed.checked_sub(distance) {
        None => Verdict::TooShort { claimed },
        Some(0) => Verdict::Optimal,
        Some(excess) if excess % 2 == 1 => Verdict::WrongParity { claimed },
        Some(excess) => Verdict::Suboptimal {
            excess,
            first_loss: None,
        },
    }
}

/// What came of replaying a path.
struct Run {
    /// The blank's way, up to the first illegal move.
    moves: Vec<Move>,
    /// Where they end.
    end: Board,
    /// Were all moves legal?
    legal: bool,
}

impl Way {
    fn replay(&self, start: &Board, reading: Reading) -> Run {
        match self {
            Way::Directions(moves) if reading == Reading::Tile => {
                Run::new(start, moves.iter().map(|mv| Some(mv.opposite())))
            }
            Way::Directions(moves) => Run::new(start, moves.iter().map(|&mv| Some(mv))),
            Way::Tiles(tiles) => Run::choose(start, tiles.iter(), |next, now, &&tile| {
                tile != 0 && next.tiles()[now.blank()] == tile
            }),
            Way::Boards(boards) => {
                let skipped = usize::from(boards.first() == Some(start));
                let rest = boards[skipped..].iter();
                Run::choose(start, rest, |next, _, &board| next == board)
            }
        }
    }
}

impl Run {
    /// How far a path that misses the goal is legal: the farther, the likelier it was meant so.
    fn worth(&self) -> (bool, usize) {
        (self.legal, if self.legal { 0 } else { self.moves.len() })
    }

    fn new(start: &Board, moves: impl Iterator<Item = Option<Move>>) -> Run {
        let mut run = Run {
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

    /// Replays steps, each of which says which of the next boards is meant.
    fn choose<T>(
        start: &Board,
        steps: impl Iterator<Item = T>,
        meant: impl Fn(&Board, &Board, &T) -> bool,
    ) -> Run {
        let mut now = *start;
        Run::new(
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

#[cfg(test)]
mod tests;
