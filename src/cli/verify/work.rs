//! Judging some records of the input.

use crate::judge::reading::{Claim, Format, Reader};
use crate::judge::{ClaimRecord, Tally};
use crate::puzzle::Board;

use super::super::error::CliError;
use super::super::input::{CHUNK, Chunk};
use super::advice::advised;
use super::judges::{Judge, Judges};
use super::record::{Form, write};

/// What every thread needs to judge a piece of the input.
pub(super) struct Work<'a> {
    pub form: Form,
    pub fix: bool,
    pub format: &'a Format,
    pub reader: &'a Reader,
    pub board: Option<&'a Board>,
    pub judges: &'a Judges<'a>,
}

/// What came of some records.
#[derive(Default)]
pub(super) struct Judged {
    pub text: String,
    pub tally: Tally,
    pub errors: Vec<(u64, String)>,
    /// Records that could not be read.
    pub bad: u64,
    /// What ends everything, after the records before it.
    pub end: Option<CliError>,
}

impl Work<'_> {
    pub(super) fn judge(&self, chunk: &Chunk<'_>) -> Judged {
        let mut judged = Judged::default();
        if chunk.bytes.len() == CHUNK && self.format.records().is_some() {
            let why = format!("longer than {} MiB: no claim is that long", CHUNK >> 20);
            judged.errors.push((chunk.first_line, why));
            return judged;
        }
        judged.text.reserve(chunk.bytes.len());
        let mut judge = Judge::new(self.judges);
        self.format
            .read(chunk.bytes, self.reader, self.board, |line, claim| {
                let line = chunk.first_line + line;
                let answered = match claim {
                    Ok(claim) => self.answer(line, &claim, &mut judge, &mut judged),
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

    /// Judges one claim. The outer error ends everything; the inner one is this claim's alone.
    fn answer(
        &self,
        line: u64,
        claim: &Claim,
        judge: &mut Judge<'_>,
        judged: &mut Judged,
    ) -> Result<Result<(), String>, CliError> {
        if judged.end.is_some() {
            return Ok(Ok(()));
        }
        let (judgement, oracle) = match judge.judge(claim)? {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        judged.tally.add(&judgement);
        let record = ClaimRecord::new(line, claim, &judgement, oracle, self.fix)?;
        write(&record, self.form, self.fix, &mut judged.text);
        Ok(Ok(()))
    }
}
