//! Judging the records of a piece of the input.

use crate::grade::AnswerPattern;

use puzzledb::judge::reading::{Claim, ClaimError, Format, Reader};
use puzzledb::judge::{ClaimRecord, Judgement, Tally, Verdict};
use puzzledb::oracle::{Bounds, Limits, Optimum, Oracle};
use puzzledb::puzzle::Board;

use super::super::anytime::Budget;
use super::super::database::{Databases, VISITED_BOUNDED};
use super::super::error::CliError;
use super::super::input::{CHUNK, Chunk};
use super::super::output::Form;
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
        let mut last = None;
        self.format
            .read(chunk.bytes, self.reader, self.board, |line, claim| {
                let line = chunk.first_line + line;
                let answered = match claim {
                    Ok(claim) => self.answer(line, &claim, &mut last, &mut judged),
                    Err(error) => Ok(Err(advised(&error))),
                };
                match answered {
                    Ok(Ok(())) => {}
                    Ok(Err(why)) => judged.errors.push((line, why)),
                    Err(error) => judged.end = judged.end.take().or(Some(error)),
                }
            });
        judged
    }

    /// Judges one claim. The outer error ends the command; the inner one is this claim's alone.
    fn answer(
        &self,
        line: u64,
        claim: &Claim,
        last: &mut Option<Oracle>,
        judged: &mut JudgedPiece,
    ) -> Result<Result<(), String>, CliError> {
        if judged.end.is_some() {
            return Ok(Ok(()));
        }
        let goal = match claim
            .goal
            .map_or_else(|| self.databases.goal(claim.board.shape()), Ok)
        {
            Ok(goal) => goal,
            Err(CliError::Usage(why) | CliError::No(why)) => return Ok(Err(why)),
            Err(error) => return Err(error),
        };
        let (board, only) = (&claim.board, self.reader.only);
        if last.as_ref().is_none_or(|last| *last.goal() != goal) {
            let oracle = self.databases.oracle_or_rules(&goal)?;
            *last = Some(oracle.with_limits(Limits::visiting(VISITED_BOUNDED)));
        }
        let oracle = last.as_ref().expect("it was just set");
        let mut judgement = oracle.judge(board, &claim.answer, only)?;
        let given = judgement.moves.as_ref().map_or(0, Vec::len);
        let better = match self.improve {
            Some(budget) => self.improved(&budget, oracle.goal(), board, &judgement)?,
            None => None,
        };
        if let Some(better) = &better {
            if let Some(Ok(distance)) = better.distance.map(u8::try_from) {
                let optimum = Optimum::Known(distance);
                judgement = oracle.judge_with_optimum(board, optimum, &claim.answer, only)?;
            } else if better.moves.len() < given {
                let by = (given - better.moves.len()) as u64;
                judgement.verdict = Verdict::Beaten { by };
            }
        }
        let fix = self.fix && better.is_none();
        let mut record = ClaimRecord::new(line, claim, &judgement, oracle, fix)?;
        if let Some(better) = better {
            record = record.with_lower_bound(better.at_least as u64);
            if better.moves.len() < given {
                record = record.with_fix(&judgement, &better.moves);
            }
        }
        judged.tally.add(&judgement);
        judged.records.push(&record);
        Ok(Ok(()))
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

/// Describes the error in a claim, and the option that helps.
fn advised(error: &ClaimError) -> String {
    match error {
        ClaimError::Notation { text, only } => {
            format!("{text:?} is not written as --moves {only} asks")
        }
        ClaimError::NoBoardInText => format!("{error}: name it with --board"),
        ClaimError::NoAnswer {
            pattern: Some(pattern),
            ..
        } => format!("{error}. To take what stands behind a label: --answer '{pattern}'"),
        ClaimError::NoAnswer { .. } => format!(
            "{error}. --preset, --blank and --moves name its form, and --answer REGEX what to look for"
        ),
        other => other.to_string(),
    }
}
