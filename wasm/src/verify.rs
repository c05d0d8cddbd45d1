//! Claims in a text, judged as `puzzledb verify` does.

use serde::Serialize;

use puzzledb::Cancel;
use puzzledb::judge::reading::{Claim, Format, Reader};
use puzzledb::judge::{ClaimRecord, Reading, Tally, TallyRecord};
use puzzledb::puzzle::{Numbering, UsualGoal, letters};

use super::answers::{oracle, written};
use super::questions::{Question, Refusal};

/// The claims of a text.
#[derive(Serialize)]
struct Verified {
    records: Vec<Judged>,
    errors: Vec<Unreadable>,
    summary: TallyRecord,
}

/// A claim, and its moves as far as they are legal, in the blank's directions.
#[derive(Serialize)]
struct Judged {
    #[serde(flatten)]
    record: ClaimRecord,
    moves: Option<String>,
}

/// A record that cannot be read, and the line on which it begins, from 1.
#[derive(Serialize)]
struct Unreadable {
    line: u64,
    error: String,
}

/// Judges the claims in the body: about the parameter `board`, or else about the boards that they name.
pub(crate) fn verify(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_and_goal()?;
    let moves = question.text("moves")?.filter(|moves| moves != "auto");
    let only = moves.map(|moves| serde_json::from_value::<Reading>(moves.into()));
    let only = only.transpose()?;
    let fix = question.take("fix", str::parse)?.unwrap_or(false);
    let text = std::mem::take(&mut question.body).into_bytes();
    question.end()?;
    let reader = Reader {
        numbering: Numbering {
            shape: Some(goal.shape()),
            blank: 0,
        },
        only,
        goal: Some(goal),
        cancel: Cancel::new(),
    };
    let (format, begin) = match board {
        Some(_) => (Format::Text, 0),
        None => Format::of_text(&text, &reader),
    };
    let header = text[..begin].iter().filter(|&&byte| byte == b'\n').count() as u64;
    let (mut records, mut errors, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    format.read(&text[begin..], &reader, board.as_ref(), |line, claim| {
        let line = header + line + 1;
        let judged = claim.map_err(Refusal::from);
        match judged.and_then(|claim| judge(line, &claim, &reader, fix, &mut tally)) {
            Ok(record) => records.push(record),
            Err(error) => errors.push(Unreadable {
                line,
                error: error.to_string(),
            }),
        }
    });
    if records.is_empty() && errors.is_empty() {
        return Err("there is no claim in this input".into());
    }
    let summary = TallyRecord::new(&tally, errors.len() as u64);
    written(&Verified {
        records,
        errors,
        summary,
    })
}

/// Judges a claim and adds it to the tally.
fn judge(
    line: u64,
    claim: &Claim,
    reader: &Reader,
    fix: bool,
    tally: &mut Tally,
) -> Result<Judged, Refusal> {
    let shape = claim.board.shape();
    let usual = reader.goal.filter(|goal| goal.shape() == shape);
    let goal = claim.goal.or(usual);
    let oracle = oracle(&goal.unwrap_or_else(|| UsualGoal::Last.board(shape)))?;
    let judgement = oracle.judge(&claim.board, &claim.answer, reader.only);
    let judgement = judgement?;
    tally.add(&judgement);
    let record = ClaimRecord::new(line, claim, &judgement, &oracle, fix)?;
    let moves = judgement.moves.as_deref().map(letters);
    Ok(Judged { record, moves })
}
