//! Judging somebody's answer for a board.

use crate::oracle::{AnyOracle, Distances, Oracle, QueryError};
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
        judge_by(self, board, answer, only)
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
        mend_with(self, board, moves)
    }
}

impl AnyOracle {
    /// Judges an answer as [`Oracle::judge`] does.
    ///
    /// # Errors
    /// As [`Oracle::judge`].
    pub fn judge(
        &self,
        board: &Board,
        answer: &Answer,
        only: Option<Reading>,
    ) -> Result<Judgement, QueryError> {
        judge_by(self, board, answer, only)
    }
}

/// Judges an answer as [`Oracle::judge`] does, by whatever knows the optimum.
///
/// # Errors
/// As [`Oracle::judge`].
pub fn judge_by(
    oracle: &impl Distances,
    board: &Board,
    answer: &Answer,
    only: Option<Reading>,
) -> Result<Judgement, QueryError> {
    let optimum = match oracle.distance(board) {
        Ok(distance) => Optimum::Known(distance),
        Err(QueryError::Space(SpaceError::Unsolvable { .. })) => Optimum::Unsolvable,
        Err(error) => return Err(error),
    };
    let mut judgement = judge(board, oracle.goal(), optimum, answer, only);
    if let (Verdict::Suboptimal { first_loss, .. }, Some(moves)) =
        (&mut judgement.verdict, &judgement.moves)
    {
        *first_loss = Some(first_losing(oracle, board, moves)?);
    }
    Ok(judgement)
}

/// See [`Oracle::mend`].
pub(super) fn mend_with(
    oracle: &impl Distances,
    board: &Board,
    moves: &[Move],
) -> Result<Vec<Move>, QueryError> {
    let mut now = *board;
    let mut distance = oracle.distance(&now)?;
    let mut mended = Vec::with_capacity(usize::from(distance));
    for &mv in moves {
        let Some(next) = now.slide(mv) else { break };
        let closer = oracle.distance(&next)?;
        if closer > distance {
            break;
        }
        (now, distance) = (next, closer);
        mended.push(mv);
    }
    mended.extend(oracle.solve(&now)?);
    Ok(mended)
}

/// The first of some legal moves after which the goal is farther, counted from 1.
fn first_losing(
    oracle: &impl Distances,
    board: &Board,
    moves: &[Move],
) -> Result<usize, QueryError> {
    let mut now = *board;
    let mut distance = oracle.distance(&now)?;
    for (i, &mv) in moves.iter().enumerate() {
        now = now.slide(mv).expect("the moves were replayed");
        let next = oracle.distance(&now)?;
        if next > distance {
            return Ok(i + 1);
        }
        distance = next;
    }
    Ok(moves.len())
}

/// What is known of a board's optimum.
#[derive(Clone, Copy)]
enum Optimum {
    Known(u8),
    Unsolvable,
    /// It can be solved, and nothing tells in how many moves at the fewest.
    Unknown,
}

/// Judges an answer where no database knows the optimum: is it legal, does it reach the goal, has its
/// length the right parity, is the board solvable at all?
///
/// ```
/// use puzzledb::judge::{Answer, Verdict, judge_without_optimum};
/// use puzzledb::puzzle::Move::{Right, Up};
///
/// let goal = "123456789abcdef0".parse()?;
/// let board = "123456789abcde0f".parse()?;
/// let judge = |moves: &[_]| judge_without_optimum(&board, &goal, &Answer::of_moves(moves), None);
/// assert_eq!(judge(&[Right]).verdict, Verdict::Solves { moves: 1 });
/// assert_eq!(judge(&[Up]).verdict, Verdict::MissesGoal);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
pub fn judge_without_optimum(
    board: &Board,
    goal: &Board,
    answer: &Answer,
    only: Option<Reading>,
) -> Judgement {
    let optimum = match board.is_solvable_to(goal) {
        true => Optimum::Unknown,
        false => Optimum::Unsolvable,
    };
    judge(board, goal, optimum, answer, only)
}

/// Judges an answer, but for the first move that loses ground.
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
            distance: match optimum {
                Optimum::Known(distance) => Some(distance),
                Optimum::Unsolvable | Optimum::Unknown => None,
            },
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
    // An answer without anything in it is an answer of no moves.
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
