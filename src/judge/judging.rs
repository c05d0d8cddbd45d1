//! Judging somebody's answer for a board.

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::space::SpaceError;

use super::answer::{Answer, Path, Reading};
use super::replay::Replay;
use super::verdict::{Judgement, Verdict};

impl<B: AsRef<[u8]>> Oracle<B> {
    /// Judges a path of the blank: is it legal, does it reach the goal, is it a shortest one?
    ///
    /// ```
    /// use puzzledb::judge::Verdict;
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move::{Down, Left, Right};
    ///
    /// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
    /// let board = "123456708".parse()?;
    /// assert_eq!(oracle.judge_moves(&board, &[Right])?.verdict, Verdict::Optimal);
    /// let detour = oracle.judge_moves(&board, &[Left, Right, Right])?;
    /// assert_eq!(detour.verdict, Verdict::Suboptimal { excess: 2, first_loss: Some(1) });
    /// assert_eq!(oracle.judge_moves(&board, &[Down])?.verdict, Verdict::IllegalMove { at: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Oracle::judge`].
    pub fn judge_moves(&self, board: &Board, moves: &[Move]) -> Result<Judgement, QueryError> {
        self.judge(board, &Answer::of_moves(moves), Some(Reading::Blank))
    }

    /// Judges an answer.
    ///
    /// Directions are replayed as the blank's and, if those do not reach the goal, as the
    /// tile's, unless `only` says which is meant. Among the candidates, the first that reaches the
    /// goal counts, otherwise the first that is legal to its end, otherwise the one that is legal
    /// for the most moves. If none is written as `only` says, the first move is illegal;
    /// [`Answer::written_as`] tells that beforehand.
    ///
    /// ```
    /// use puzzledb::judge::{Answer, Verdict};
    /// use puzzledb::oracle::Oracle;
    ///
    /// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
    /// let board = "704851632".parse()?;
    /// let judged = oracle.judge(&board, &Answer::of_length(21), None)?;
    /// assert_eq!(judged.verdict, Verdict::Suboptimal { excess: 2, first_loss: None });
    /// let judged = oracle.judge(&board, &Answer::none(), None)?;
    /// assert_eq!(judged.verdict, Verdict::WronglyUnsolvable);
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
        let run = self.best_run(board, &answer.candidates, only);
        let is_length = |run: &Replay| answer.length_or_tile && !self.reaches_goal(run);
        if let Some((reading, run)) = run.filter(|(_, run)| !is_length(run)) {
            let length = answer.length.filter(|_| !answer.length_or_tile);
            return Ok(Judgement {
                verdict: self.judge_run(board, &run, distance, length)?,
                distance,
                reading: Some(reading),
                moves: Some(run.moves),
            });
        }
        if !answer.candidates.is_empty() && !answer.length_or_tile {
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
        candidates: &[Path],
        only: Option<Reading>,
    ) -> Option<(Reading, Replay)> {
        let mut best: Option<(Reading, Replay)> = None;
        for path in candidates {
            for reading in path.readings_as(only) {
                let replay = path.replay(board, reading);
                if self.reaches_goal(&replay) {
                    return Some((reading, replay));
                }
                if best
                    .as_ref()
                    .is_none_or(|(_, b)| b.worth() < replay.worth())
                {
                    best = Some((reading, replay));
                }
            }
        }
        best
    }

    fn reaches_goal(&self, run: &Replay) -> bool {
        run.legal && run.end == *self.goal()
    }

    fn judge_run(
        &self,
        board: &Board,
        run: &Replay,
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

#[cfg(test)]
mod tests;
