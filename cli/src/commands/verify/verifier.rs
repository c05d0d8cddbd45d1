//! Judging the records of a piece of the input.

use crate::form::Form;
use crate::grade::AnswerPattern;

use puzzledb::ask::{Judge, Run};
use puzzledb::judge::reading::{Claim, ClaimError, Format, Reader};
use puzzledb::judge::{ClaimRecord, Judgement, OtherReading, Tally, Verdict};
use puzzledb::oracle::{Bounds, Optimum};
use puzzledb::puzzle::Board;

use super::super::anytime::Budget;
use super::super::database::Databases;
use super::super::error::CliError;
use super::super::input::{CHUNK, Chunk};
use super::super::interrupt;
use super::record::RecordWriter;

/// Settings and sources by which every thread judges a piece of the input.
pub(super) struct Verifier<'a> {
    pub output: Form,
    pub fix: bool,
    /// Budget for shortening paths whose optimum is not known; `None` to leave them.
    pub improve: Option<Budget>,
    pub format: &'a Format,
    pub reader: &'a Reader,
    pub board: Option<&'a Board>,
    pub answer: Option<&'a AnswerPattern>,
    pub databases: &'a Databases,
}

/// The judgements of a piece of the input.
pub(super) struct JudgedPiece {
    pub records: RecordWriter,
    pub tally: Tally,
    /// Lines that could not be read, with their errors.
    pub errors: Vec<(u64, String)>,
    /// The error that ends the command, after the records before it.
    pub end: Option<CliError>,
}

impl Verifier<'_> {
    pub(super) fn judge(&self, chunk: &Chunk<'_>) -> JudgedPiece {
        let mut judged = JudgedPiece {
            records: RecordWriter::new(self.output, self.fix, chunk.bytes.len()),
            tally: Tally::default(),
            errors: Vec::new(),
            end: None,
        };
        if chunk.bytes.len() == CHUNK && self.format.records().is_some() {
            let why = format!("longer than {} MiB: no claim is that long", CHUNK >> 20);
            judged.errors.push((chunk.first_line, why));
            return judged;
        }
        let usual_goal = |shape| self.databases.goal(shape);
        let run = Run {
            cancel: interrupt::flag().clone(),
            ..Run::default()
        };
        let mut judge = Judge::new(self.reader, &usual_goal, self.fix, self.databases, &run);
        self.format
            .read(chunk.bytes, self.reader, self.board, |line, claim| {
                if judged.end.is_some() {
                    return;
                }
                let line = chunk.first_line + line;
                let claim = claim.map_err(|error| {
                    let first = judged.errors.is_empty();
                    let readings = first.then(|| judge.readings(&error).unwrap_or_default());
                    CliError::Usage(advised(&error, &readings.unwrap_or_default()))
                });
                match claim.and_then(|claim| self.answer(line, &claim, &mut judge)) {
                    Ok((judgement, record)) => {
                        judged.tally.add(&judgement);
                        judged.records.push(&record);
                    }
                    Err(error) => match error.of_one_board() {
                        Ok((_, why)) => judged.errors.push((line, why)),
                        Err(error) => judged.end = Some(error),
                    },
                }
            });
        judged
    }

    /// Judges a claim, after a search for a better solution where the optimum is not known.
    fn answer(
        &self,
        line: u64,
        claim: &Claim,
        judge: &mut Judge<'_, Databases>,
    ) -> Result<(Judgement, ClaimRecord), CliError> {
        let (mut judgement, record) = judge.judge(line, claim)?;
        let (board, goal, only) = (&claim.board, record.goal, self.reader.only);
        let better = match self.improve {
            Some(budget) => self.improved(&budget, &goal, board, &judgement)?,
            None => None,
        };
        let Some(better) = better else {
            return Ok((judgement, record));
        };
        let (oracle, given) = (
            judge.oracle(&goal)?,
            judgement.moves.as_ref().map_or(0, Vec::len),
        );
        if let Some(Ok(distance)) = better.distance.map(u8::try_from) {
            let optimum = Optimum::Known(distance);
            judgement = oracle.judge_with_optimum(board, optimum, &claim.answer, only)?;
        } else if better.moves.len() < given {
            let by = (given - better.moves.len()) as u64;
            judgement.verdict = Verdict::Beaten { by };
        }
        let mut record = ClaimRecord::new(line, claim, &judgement, oracle, false)?;
        record = record.with_at_least(better.at_least as u64);
        if better.moves.len() < given {
            record = record.with_fix(&judgement, &better.moves);
        }
        Ok((judgement, record))
    }

    /// The best solution that is found from a path to the goal whose optimum is not known.
    fn improved(
        &self,
        budget: &Budget,
        goal: &Board,
        board: &Board,
        judgement: &Judgement,
    ) -> Result<Option<Bounds>, CliError> {
        let (Verdict::Solves { .. }, Some(moves)) = (judgement.verdict, &judgement.moves) else {
            return Ok(None);
        };
        let oracle = self.databases.oracle_of_any_shape(goal)?;
        Ok(budget.solve(board, &oracle, false, Some(moves)).ok())
    }
}

/// Describes the error in a claim, and the options that help.
fn advised(error: &ClaimError, readings: &[OtherReading]) -> String {
    match error {
        ClaimError::Notation { text, only } => {
            format!("{text:?} is not written as --moves {only} asks")
        }
        ClaimError::NoBoardInText => format!("{error}: name it with --board"),
        ClaimError::NoAnswer { .. } if !readings.is_empty() => {
            let readings = readings.iter().map(|reading| format!("\n  {reading}"));
            format!(
                "{error}. An option decides how it is read:{}",
                readings.collect::<String>()
            )
        }
        ClaimError::NoAnswer { .. } => format!(
            "{error}. --preset, --blank and --moves name its form, and --answer REGEX what to look for"
        ),
        other => other.to_string(),
    }
}
