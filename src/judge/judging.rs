//! Judges answers about boards.

use crate::oracle::{Optimum, Oracle, QueryError};
use crate::puzzle::{Board, Move};

use super::answer::{Answer, Path, Reading};
use super::replay::Replay;
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
        let mut judgement = judge(board, self.goal(), optimum, answer, only);
        if let (Verdict::Suboptimal { first_loss, .. }, Some(moves), Some(distance)) =
            (&mut judgement.verdict, &judgement.moves, optimum.known())
        {
            let boards = boards_along(board, moves);
            *first_loss = match good_moves(self, &boards, distance) {
                Ok(good) => Some(good + 1),
                Err(QueryError::GaveUp { .. } | QueryError::Unknown { .. }) => None,
                Err(error) => return Err(error),
            };
        }
        Ok(judgement)
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
        let boards = boards_along(board, moves);
        let good = good_moves(self, &boards, self.distance(board)?)?;
        let rest = self.solve(&boards[good])?;
        Ok([&moves[..good], &rest].concat())
    }
}

/// Returns a board and the boards after each of some moves, up to the first that is illegal.
fn boards_along(board: &Board, moves: &[Move]) -> Vec<Board> {
    let mut moves = moves.iter();
    let next = |board: &Board| board.slide(*moves.next()?);
    std::iter::successors(Some(*board), next).collect()
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

/// Judges an answer, without searching for the first move that loses ground.
fn judge(
    board: &Board,
    goal: &Board,
    optimum: Optimum,
    answer: &Answer,
    only: Option<Reading>,
) -> Judgement {
    let judged = |verdict, path: Option<(Reading, Replay)>| {
        let (reading, moves) = path
            .map(|(reading, replay)| (reading, replay.moves))
            .unzip();
        Judgement {
            verdict,
            distance: optimum.known(),
            reading,
            moves,
        }
    };
    if answer.unsolvable {
        let verdict = match optimum {
            Optimum::Unsolvable => Verdict::RightlyUnsolvable,
            Optimum::Known(_) | Optimum::Unknown => Verdict::WronglyUnsolvable,
        };
        return judged(verdict, None);
    }
    let best = best_replay(board, goal, &answer.candidates, only);
    let is_length = |replay: &Replay| answer.length_or_tile && !replay.reaches(goal);
    if let Some(path) = best.filter(|(_, replay)| !is_length(replay)) {
        let length = answer.length.filter(|_| !answer.length_or_tile);
        return judged(judge_replay(goal, &path.1, optimum, length), Some(path));
    }
    if !answer.candidates.is_empty() && !answer.length_or_tile {
        return judged(Verdict::IllegalMove { at: 1 }, None);
    }
    // An empty answer is an answer of no moves.
    let claimed = answer.length.unwrap_or(0);
    let cols = board.shape().cols();
    let place = |board: &Board| board.blank() / cols + board.blank() % cols;
    let odd = (place(board) + place(goal)) % 2 == 1;
    let verdict = match optimum {
        Optimum::Unsolvable => Verdict::SolvesUnsolvable,
        Optimum::Known(distance) => judge_length(claimed, u64::from(distance)),
        Optimum::Unknown if (claimed % 2 == 1) != odd => Verdict::WrongParity { claimed },
        Optimum::Unknown => Verdict::Unchecked { claimed },
    };
    judged(verdict, None)
}

/// Replays all readings and keeps the best.
fn best_replay(
    board: &Board,
    goal: &Board,
    candidates: &[Path],
    only: Option<Reading>,
) -> Option<(Reading, Replay)> {
    let mut best: Option<(Reading, Replay)> = None;
    for path in candidates {
        for reading in path.readings_as(only) {
            let replay = path.replay(board, reading);
            if replay.reaches(goal) {
                return Some((reading, replay));
            }
            let is_better = |(_, other): &(Reading, Replay)| other.worth() < replay.worth();
            if best.as_ref().is_none_or(is_better) {
                best = Some((reading, replay));
            }
        }
    }
    best
}

fn judge_replay(goal: &Board, replay: &Replay, optimum: Optimum, told: Option<u64>) -> Verdict {
    let moves = replay.moves.len() as u64;
    if !replay.legal {
        let at = replay.moves.len() + 1;
        return Verdict::IllegalMove { at };
    }
    if !replay.reaches(goal) {
        return Verdict::MissesGoal;
    }
    if let Some(claimed) = told.filter(|&told| told != moves) {
        return Verdict::WrongLength {
            claimed,
            path: moves,
        };
    }
    match optimum {
        Optimum::Known(distance) => match moves.saturating_sub(u64::from(distance)) {
            0 => Verdict::Optimal,
            excess => Verdict::Suboptimal {
                excess,
                first_loss: None,
            },
        },
        Optimum::Unsolvable | Optimum::Unknown => Verdict::Solves { moves },
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
