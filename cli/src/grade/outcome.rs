//! The outcome of running a program on a board.

use std::fmt;
use std::time::Duration;

use super::grader::OUTPUT_FILE;
use super::mistake::Evidence;
use super::supervise::Limit;
use crate::text::time_text;
use puzzledb::internals::size_text;
use puzzledb::judge::{Judgement, Reading, Verdict};
use puzzledb::oracle::{Optimum, Oracle, QueryError};
use puzzledb::puzzle::{Board, Move, letters};

/// Outcome of running a program on one board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The program gave an answer, which was judged.
    Judged(Judgement),
    /// The program was killed because it exceeded a limit, or it had exceeded one when it ended.
    Exceeded(Limit),
    /// The program ended by a signal, or with an exit code other than 0 and without an answer: which one.
    Crash(String),
    /// The output contains no answer.
    NoAnswer,
    /// The answer was read as a wrong one, and was meant otherwise, as the outputs on all boards show.
    NotUnderstood,
    /// The submission could not be started.
    NotStarted,
    /// The program killed the process that ran it.
    KilledGrader,
}

impl Outcome {
    /// The judgement, if there is an answer.
    pub(super) fn judged(&self) -> Option<&Judgement> {
        match self {
            Outcome::Judged(judged) => Some(judged),
            _ => None,
        }
    }

    /// Returns whether the answer is a shortest solution, or rightly `unsolvable`; where the optimum is unknown,
    /// whether it is any solution.
    pub fn is_right(&self) -> bool {
        let verdict = self.judged().map(|judged| judged.verdict);
        verdict.is_some_and(|it| it.is_right() || matches!(it, Verdict::Solves { .. }))
    }

    /// Returns whether the program crashed or exceeded a limit, so that there is no answer to judge.
    pub fn is_error(&self) -> bool {
        !matches!(
            self,
            Outcome::Judged(_) | Outcome::NoAnswer | Outcome::NotUnderstood
        )
    }

    /// The outcome in words without numbers, for summaries.
    pub fn label(&self) -> &'static str {
        match self {
            Outcome::Judged(judged) => judged.verdict.label(),
            Outcome::Exceeded(limit) => limit.label(),
            Outcome::Crash(_) => "crash",
            Outcome::NoAnswer => "no answer found",
            Outcome::NotUnderstood => "form not understood",
            Outcome::NotStarted => "cannot be started",
            Outcome::KilledGrader => "killed the grader",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Judged(judged) => judged.verdict.fmt(f),
            Outcome::Crash(crash) => write!(f, "crash ({crash})"),
            other => f.write_str(other.label()),
        }
    }
}

/// A board, the outcome of running a program on it, and the right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grade {
    /// The board.
    pub board: Board,
    /// The board's distance, if it can be solved and that is known.
    pub optimum: Optimum,
    /// The outcome.
    pub outcome: Outcome,
    /// Wall-clock time from the program's start to its end.
    pub time: Duration,
    /// CPU time of the program and all that it started, as far as it was seen; `None` if it is not known.
    pub cpu: Option<Duration>,
    /// Bytes: the peak memory of the program and all that it started together, as far as it was seen;
    /// for one that was too short for that, the system's figure of its largest process, which on Linux is read
    /// on the command line only. `None` if it is not known.
    pub memory: Option<u64>,
    /// The beginning of the program's standard output, in one line without control characters.
    pub output: String,
    /// The end of its standard error, likewise.
    pub errors: String,
    /// What the output shows where the answer is wrong, or was not found.
    pub evidence: Evidence,
    /// A shortest solution, if there is one and it is known.
    pub solution: Option<Vec<Move>>,
    /// Whether the program gave no answer but wrote `output.txt` in the working directory, which was not read.
    pub wrote_file: bool,
    /// Whether the program gave no answer and seems to have asked for more input than it got.
    pub asks_for_input: bool,
    /// The number of processes of the program that could not be killed.
    pub survivors: usize,
}

impl Grade {
    /// A board that no program was run on.
    pub(crate) fn without_run(
        oracle: &Oracle,
        board: &Board,
        outcome: Outcome,
    ) -> Result<Grade, QueryError> {
        let (optimum, solution) = match oracle.solve(board) {
            Ok(moves) => (Optimum::Known(moves.len() as u8), Some(moves)),
            Err(error) => (Optimum::of(Err(error))?, None),
        };
        Ok(Grade {
            board: *board,
            optimum,
            outcome,
            time: Duration::ZERO,
            cpu: None,
            memory: None,
            output: String::new(),
            errors: String::new(),
            evidence: Evidence::default(),
            solution,
            wrote_file: false,
            asks_for_input: false,
            survivors: 0,
        })
    }

    /// The number of moves that the program gave, and their excess over the optimum; `None` if they do not lead to the
    /// goal.
    pub fn solved(&self) -> Option<(u64, u64)> {
        let judged = self.outcome.judged()?;
        let distance = u64::from(self.optimum.known()?);
        match judged.verdict {
            Verdict::Optimal => Some((distance, 0)),
            Verdict::Suboptimal { excess, .. } => Some((distance + excess, excess)),
            _ => None,
        }
    }

    /// The moves that the program gave as letters of the blank's directions, and their reading.
    pub fn path(&self) -> Option<(String, Reading)> {
        let judged = self.outcome.judged()?;
        let (moves, reading) = (judged.moves.as_ref()?, judged.reading?);
        Some((letters(moves), reading))
    }

    /// The shortest solution as letters of the blank's directions.
    pub fn solution_text(&self) -> Option<String> {
        self.solution.as_deref().map(letters)
    }

    /// Explanation of a wrong answer, in a sentence; empty if the answer is right.
    pub fn explanation(&self) -> String {
        let why = match &self.outcome {
            Outcome::Judged(judged) => self.why_wrong(judged),
            Outcome::Exceeded(Limit::Time) => format!("ended after {}", time_text(self.time)),
            Outcome::Exceeded(Limit::CpuTime) => {
                let time = time_text(self.cpu.unwrap_or_default());
                format!("ended after {time} of CPU time")
            }
            Outcome::Exceeded(Limit::Memory) => {
                format!("ended when it used {}", size_text(self.memory.unwrap_or(0)))
            }
            Outcome::Exceeded(Limit::Output) => "ended when it had printed more than it may".into(),
            Outcome::Exceeded(Limit::Processes) => {
                "ended when it had more processes than it may".to_owned()
            }
            Outcome::KilledGrader => "it killed the process that ran it".to_owned(),
            Outcome::NoAnswer if self.output.is_empty() => "it printed nothing".to_owned(),
            Outcome::NoAnswer => "nothing that it printed reads as a solution".to_owned(),
            Outcome::NotUnderstood => match self.evidence.witness() {
                Some(seen) => format!("its form was not understood; there is {seen}"),
                None => "its form was not understood".to_owned(),
            },
            Outcome::Crash(_) | Outcome::NotStarted => String::new(),
        };
        let wrote = || format!("it wrote {OUTPUT_FILE}, which was not read");
        let asks = || "it seems to ask for input".to_owned();
        let hints = [self.wrote_file.then(wrote), self.asks_for_input.then(asks)];
        let sentences = [Some(why)].into_iter().chain(hints).flatten();
        let told: Vec<String> = sentences.filter(|text| !text.is_empty()).collect();
        told.join("; ")
    }

    /// Explanation of a verdict.
    fn why_wrong(&self, judged: &Judgement) -> String {
        let fewest = self.optimum.known().unwrap_or(0);
        let moves = judged.moves.as_deref().unwrap_or_default();
        match judged.verdict {
            Verdict::Optimal | Verdict::RightlyUnsolvable | Verdict::Solves { .. } => String::new(),
            Verdict::Suboptimal { excess, first_loss } => {
                let found = u64::from(fewest) + excess;
                let loss = first_loss.and_then(|at| Some((at, moves.get(at - 1)?)));
                let loss = loss.map_or(String::new(), |(at, mv)| {
                    format!("; move {at}, {mv}, is the first that leads away from the goal")
                });
                format!("{found} moves where {fewest} do{loss}")
            }
            Verdict::IllegalMove { at } => {
                format!("move {at} cannot be made on the board that is there then")
            }
            Verdict::MissesGoal => {
                let end = self.board.along(moves).last().unwrap_or(self.board);
                format!("after {} moves the board is {end}", moves.len())
            }
            Verdict::TooShort { claimed } => {
                format!("it claims {claimed} moves, and no solution has fewer than {fewest}")
            }
            Verdict::WrongParity { claimed } => {
                let parity = ["even", "odd"][usize::from(fewest % 2)];
                format!("it claims {claimed} moves, and the length of every solution is {parity}")
            }
            Verdict::Beaten { by } => format!("another solution is {by} moves shorter"),
            Verdict::Unchecked { .. } => {
                "nothing tells the optimum of so large a board: only moves can be judged".to_owned()
            }
            Verdict::SolvesUnsolvable => "the board cannot be solved".to_owned(),
            Verdict::WronglyUnsolvable => format!("a solution has {fewest} moves"),
            Verdict::WrongLength { claimed, path } => {
                format!("it claims {claimed} moves and gives {path}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_an_error_and_names_the_signal() {
        let outcome = Outcome::Crash("signal 6, SIGABRT".to_owned());
        assert_eq!(outcome.to_string(), "crash (signal 6, SIGABRT)");
        assert!(outcome.is_error() && !outcome.is_right());
    }
}
