//! Judging the records of a piece of the input.

use crate::form::Form;

use puzzledb::ask::{Claims, Judge, Run};
use puzzledb::judge::reading::{Claim, ClaimError, Format, Reader};
use puzzledb::judge::{ClaimRecord, Judgement, OtherReading, Tally, Verdict};
use puzzledb::oracle::{Bounds, Optimum};
use puzzledb::puzzle::Board;

use super::super::anytime::Budget;
use super::super::database::Databases;
use super::super::error::CliError;
use super::super::input::{CHUNK, Chunk, Piece};
use super::super::interrupt;
use super::record::push;

/// Settings and sources by which every thread judges a piece of the input.
pub(super) struct Verifier<'a> {
    pub output: Form,
    pub fix: bool,
    /// Budget for shortening paths whose optimum is not known; `None` to leave them.
    pub improve: Option<Budget>,
    pub format: &'a Format,
    pub reader: &'a Reader,
    pub board: Option<&'a Board>,
    pub databases: &'a Databases,
}

impl Verifier<'_> {
    pub(super) fn judge(&self, chunk: &Chunk<'_>) -> Piece<Tally> {
        let mut piece = Piece::new(chunk.bytes.len(), Tally::default());
        if chunk.bytes.len() == CHUNK && self.format.records().is_some() {
            let (line, most) = (chunk.first_line, CHUNK >> 20);
            let why = format!("line {line}: longer than {most} MiB: no claim is that long");
            piece.errors.push(why);
            return piece;
        }
        let usual_goal = |shape| self.databases.goal(shape);
        let run = Run {
            cancel: interrupt::flag().clone(),
            ..Run::default()
        };
        let mut judge = Judge::new(self.reader, &usual_goal, self.fix, self.databases, &run);
        let claims = Claims {
            format: self.format,
            text: chunk.bytes,
            first_line: chunk.first_line,
            board: self.board,
        };
        let answer =
            |line, claim: &Claim, judge: &mut Judge<'_, _>| self.answer(line, claim, judge);
        let ended = judge.each(&claims, answer, |line, judged, _| {
            match judged {
                Ok((judgement, record)) => {
                    piece.sum.add(&judgement);
                    push(&record, self.output, self.fix, &mut piece.text);
                }
                Err(error) => {
                    let (_, why) = error.of_one_board()?;
                    piece.errors.push(format!("line {line}: {why}"));
                }
            }
            Ok(())
        });
        piece.end = ended.err();
        piece
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
pub(in super::super) fn advised(error: &ClaimError, readings: &[OtherReading]) -> String {
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
