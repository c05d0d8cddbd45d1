//! One judged claim as text.

use std::fmt::Write;

use serde::Serialize;

use crate::oracle::claims::Claim;
use crate::oracle::{Judgement, Oracle, QueryError, Reading, Verdict};
use crate::puzzle::{Board, Notation};

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Terminal,
    Tsv,
    Csv,
    Json,
}

/// Names of the CSV columns, but for `fix`.
pub(super) const COLUMNS: &str = "line,board,goal,verdict,optimal,claimed,reading,move";

/// What is written of a claim.
#[derive(Serialize)]
pub(super) struct Record {
    line: u64,
    board: String,
    goal: String,
    right: bool,
    verdict: String,
    optimal: Option<u8>,
    /// The length that was claimed, or else that of a path all of whose moves are legal.
    claimed: Option<u64>,
    claims_unsolvable: bool,
    reading: Option<Reading>,
    /// The move that is illegal or the first to lose ground.
    #[serde(rename = "move")]
    at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Record {
    pub(super) fn new<B: AsRef<[u8]>>(
        line: u64,
        claim: &Claim,
        judgement: &Judgement,
        oracle: &Oracle<B>,
        fix: bool,
    ) -> Result<Record, QueryError> {
        let verdict = judgement.verdict;
        let moves = judgement.moves.as_deref();
        let at = match verdict {
            Verdict::Suboptimal { first_loss, .. } => first_loss,
            Verdict::IllegalMove { at } => Some(at),
            _ => None,
        };
        let legal = !matches!(verdict, Verdict::IllegalMove { .. });
        let given = moves.filter(|_| legal).map(|moves| moves.len() as u64);
        let fix = match fix && !verdict.is_right() && judgement.distance.is_some() {
            true => Some(mended(&claim.board, judgement, oracle)?),
            false => None,
        };
        Ok(Record {
            line,
            board: claim.board.to_string(),
            goal: oracle.goal().to_string(),
            right: verdict.is_right(),
            verdict: verdict.to_string(),
            optimal: judgement.distance,
            claimed: claim.answer.length.or(given),
            claims_unsolvable: claim.answer.unsolvable,
            reading: judgement.reading,
            at,
            fix,
        })
    }

    /// Appends the record to `out`.
    pub(super) fn write(&self, form: Form, fix: bool, out: &mut String) {
        match form {
            Form::Json => {
                out.push_str(&serde_json::to_string(self).expect("strings and numbers"));
            }
            Form::Terminal => self.show(out),
            Form::Tsv => self.columns('\t', fix, out),
            Form::Csv => {
                let _ = write!(out, "{},", self.line);
                self.columns(',', fix, out);
            }
        }
        out.push('\n');
    }

    fn columns(&self, separator: char, fix: bool, out: &mut String) {
        let s = separator;
        let csv = s == ',';
        let _ = write!(out, "{}{s}", self.board);
        if csv {
            let _ = write!(out, "{}{s}", self.goal);
        }
        // One verdict has a comma in it; no field has quotes.
        let quote = if csv && self.verdict.contains(',') {
            "\""
        } else {
            ""
        };
        let _ = write!(out, "{quote}{}{quote}{s}", self.verdict);
        match self.optimal {
            Some(optimal) => drop(write!(out, "{optimal}{s}")),
            None => drop(write!(out, "unsolvable{s}")),
        }
        match self.claimed {
            _ if self.claims_unsolvable => out.push_str("unsolvable"),
            Some(claimed) => drop(write!(out, "{claimed}")),
            None => {}
        }
        out.push(s);
        if let Some(reading) = self.reading {
            let _ = write!(out, "{reading}");
        }
        out.push(s);
        if let Some(at) = self.at {
            let _ = write!(out, "{at}");
        }
        if fix {
            out.push(s);
            out.push_str(self.fix.as_deref().unwrap_or(""));
        }
    }

    /// A line for people.
    fn show(&self, out: &mut String) {
        let color = match self.right {
            true => anstyle::AnsiColor::Green.on_default(),
            false => anstyle::AnsiColor::Red.on_default(),
        };
        let _ = write!(
            out,
            "{:>6}  {}  {color}{}{color:#}",
            self.line, self.board, self.verdict
        );
        if let (Some(at), true) = (self.at, self.verdict.starts_with("suboptimal")) {
            let _ = write!(out, ": move {at} loses ground");
        }
        if let Some(optimal) = self.optimal.filter(|_| !self.right) {
            let _ = write!(out, ", optimal is {optimal}");
        }
        if let Some(reading) = self.reading {
            let _ = write!(out, "  ({reading})");
        }
        if let Some(fix) = &self.fix {
            let _ = write!(out, "\n        {fix}");
        }
    }
}

/// An optimal solution that keeps the good moves, in the notation of the claim.
fn mended<B: AsRef<[u8]>>(
    board: &Board,
    judgement: &Judgement,
    oracle: &Oracle<B>,
) -> Result<String, QueryError> {
    let moves = oracle.mend(board, judgement.moves.as_deref().unwrap_or(&[]))?;
    let notation = match judgement.reading {
        Some(Reading::Tile) => Notation::Tile,
        Some(Reading::Numbers) => Notation::Numbers,
        Some(Reading::Blank | Reading::Boards) | None => Notation::Blank,
    };
    let mut text = String::new();
    notation
        .write(board, &moves, &mut text)
        .expect("a String takes everything");
    Ok(text)
}
