//! Judges answers about boards.

use crate::oracle::{Optimum, Oracle, QueryError};
use crate::puzzle::{Board, Move};

use super::answer::{Answer, Reading};
use super::replay::{Replay, best};
use super::verdict::{Judgement, Verdict};

impl Oracle {
    /// Judges a path of the blank: whether it is legal, reaches the goal and is a shortest one.
    ///
    /// ```
    /// use puzzledb::judge::Verdict;
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move::{Down, Left, Right};
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
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
    /// Directions are replayed as the blank's and, if those do not reach the goal, as the tile's, unless `only` names
    /// one of them. Among the candidates, the first that reaches the goal counts, otherwise the first that is legal to
    /// its end, otherwise the one that is legal for the most moves. If none is written in the notation `only`, the
    /// first move is illegal; [`Answer::written_as`] checks that beforehand.
    ///
    /// ```
    /// use puzzledb::judge::{Answer, Verdict};
    /// use puzzledb::oracle::Oracle;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let board = "704851632".parse()?;
    /// let judged = oracle.judge(&board, &Answer::of_length(21), None)?;
    /// assert_eq!(judged.verdict, Verdict::Suboptimal { excess: 2, first_loss: None });
    /// let judged = oracle.judge(&board, &Answer::none(), None)?;
    /// assert_eq!(judged.verdict, Verdict::WronglyUnsolvable);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// If the optimum is not known, the verdict covers whether a path is legal and reaches the goal, whether a length has
    /// the right parity, and whether the board can be solved at all.
    ///
    /// ```
    /// use puzzledb::judge::{Answer, Verdict};
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move::{Right, Up};
    ///
    /// let rules = Oracle::of_rules(&"123456789abcdef0".parse()?);
    /// let board = "123456789abcde0f".parse()?;
    /// assert_eq!(rules.judge_moves(&board, &[Right])?.verdict, Verdict::Solves { moves: 1 });
    /// assert_eq!(rules.judge_moves(&board, &[Up])?.verdict, Verdict::MissesGoal);
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
        self.judge_with_optimum(board, self.optimum(board)?, answer, only)
    }

    /// Judges an answer as [`Oracle::judge`] does, with an optimum that was looked up before.
    ///
    /// # Errors
    /// As [`Oracle::judge`].
    pub fn judge_with_optimum(
        &self,
        board: &Board,
        optimum: Optimum,
        answer: &Answer,
        only: Option<Reading>,
    ) -> Result<Judgement, QueryError> {
        let goal = self.goal();
        let best = best(&answer.candidates, board, Some(goal), only);
        let mut verdict = match &best {
            _ if answer.unsolvable && optimum == Optimum::Unsolvable => Verdict::RightlyUnsolvable,
            _ if answer.unsolvable => Verdict::WronglyUnsolvable,
            Some((_, _, replay)) => judge_replay(goal, replay, optimum, answer.length),
            None if !answer.candidates.is_empty() => Verdict::IllegalMove { at: 1 },
            // An empty answer is an answer of no moves.
            None => judge_length(board, goal, optimum, answer.length.unwrap_or(0)),
        };
        let read = best.map(|(_, reading, replay)| (reading, replay.moves));
        let ((reading, moves), distance) = (read.unzip(), optimum.known());
        if let (Verdict::Suboptimal { first_loss, .. }, Some(moves), Some(distance)) =
            (&mut verdict, &moves, distance)
        {
            let boards: Vec<Board> = board.along(moves).collect();
            *first_loss = match good_moves(self, &boards, distance) {
                Ok(good) => Some(good + 1),
                Err(QueryError::GaveUp { .. } | QueryError::Unknown { .. }) => None,
                Err(error) => return Err(error),
            };
        }
        Ok(Judgement {
            verdict,
            distance,
            reading,
            moves,
        })
    }

    /// Returns an optimal solution that begins with the moves of a path up to the first that loses ground.
    ///
    /// ```
    /// use puzzledb::oracle::Oracle;
    /// use puzzledb::puzzle::Move;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let board = "123405786".parse()?;
    /// let (right, down, left) = (Move::Right, Move::Down, Move::Left);
    /// assert_eq!(oracle.mend(&board, &[right, left, right, down])?, [right, down]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Oracle::distance`].
    pub fn mend(&self, board: &Board, moves: &[Move]) -> Result<Vec<Move>, QueryError> {
        let boards: Vec<Board> = board.along(moves).collect();
        let good = good_moves(self, &boards, self.distance(board)?)?;
        let rest = self.solve(&boards[good])?;
        Ok([&moves[..good], &rest].concat())
    }
}

/// Returns the number of moves along these boards before the first that leads away from the goal. The first board has
/// the distance `distance`.
///
/// Moves made and distance left add up to a sum that never falls, so bisection finds its first rise.
fn good_moves(oracle: &Oracle, boards: &[Board], distance: u8) -> Result<usize, QueryError> {
    let (mut good, mut end) = (0, boards.len());
    while end - good > 1 {
        let middle = usize::midpoint(good, end);
        if middle + usize::from(oracle.distance(&boards[middle])?) == usize::from(distance) {
            good = middle
        } else {
            end = middle
        }
    }
    Ok(good)
}

fn judge_replay(goal: &Board, replay: &Replay, optimum: Optimum, told: Option<u64>) -> Verdict {
    let path = replay.moves.len() as u64;
    match (optimum, told) {
        _ if !replay.legal => Verdict::IllegalMove {
            at: replay.moves.len() + 1,
        },
        _ if replay.end != *goal => Verdict::MissesGoal,
        (_, Some(claimed)) if claimed != path => Verdict::WrongLength { claimed, path },
        (Optimum::Known(distance), _) => solution(path.saturating_sub(u64::from(distance))),
        _ => Verdict::Solves { moves: path },
    }
}

fn judge_length(board: &Board, goal: &Board, optimum: Optimum, claimed: u64) -> Verdict {
    let cols = board.shape().cols();
    let place = |board: &Board| board.blank() / cols + board.blank() % cols;
    let is_odd = (place(board) + place(goal) + claimed as usize) % 2 == 1;
    match optimum {
        Optimum::Unsolvable => Verdict::SolvesUnsolvable,
        Optimum::Known(distance) if claimed < u64::from(distance) => Verdict::TooShort { claimed },
        _ if is_odd => Verdict::WrongParity { claimed },
        Optimum::Known(distance) => solution(claimed - u64::from(distance)),
        Optimum::Unknown => Verdict::Unchecked { claimed },
    }
}

/// Returns the verdict on a solution with some moves above the optimum.
fn solution(excess: u64) -> Verdict {
    let first_loss = None;
    match excess {
        0 => Verdict::Optimal,
        _ => Verdict::Suboptimal { excess, first_loss },
    }
}

#[cfg(test)]
mod tests;
