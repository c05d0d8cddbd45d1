//! Claims in JSON objects.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::judge::answer::Answer;
use crate::puzzle::Board;

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{Fields, by_role, is_none};
use super::format::Format;
use super::roles::{Role, role};
use crate::judge::reading::{Sense, sense_of};

impl Reader {
    /// Reads a claim in a JSON object, by the names of its keys.
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn object(&self, json: &[u8]) -> Result<Claim, ClaimError> {
        let object = parse(json)?;
        let fields = fields(&object);
        if fields.text(Role::Board).is_empty() {
            return Err(ClaimError::NoBoard);
        }
        fields.claim(self, |ends| {
            let mut answers = answers(&object, ends, self).into_iter();
            answers.next().unwrap_or(Err(ClaimError::Nothing))
        })
    }
}

fn parse(json: &[u8]) -> Result<Map<String, Value>, ClaimError> {
    serde_json::from_slice(json).map_err(|error| ClaimError::Json(error.to_string()))
}

/// The answer in an object, or those in the objects within it.
fn answers(
    object: &Map<String, Value>,
    ends: [&Board; 2],
    reader: &Reader,
) -> Vec<Result<Answer, ClaimError>> {
    if let Some(Value::String(error)) = object.get("error")
        && !error.is_empty()
    {
        let none = is_none(error.as_bytes()).then(|| Ok(Answer::none()));
        return none.into_iter().collect();
    }
    let fields = fields(object);
    if fields.has_claim() {
        return vec![fields.answer(ends, reader)];
    }
    let within = object.values().filter_map(Value::as_object);
    within
        .flat_map(|object| answers(object, ends, reader))
        .collect()
}

/// The texts of an object by the roles of its keys.
fn fields(object: &Map<String, Value>) -> Fields<'_> {
    let named = object.iter().map(|(key, value)| {
        let role = match value {
            Value::Object(_) => None,
            Value::String(_) | Value::Array(_) => role(key).or_else(|| other_path(key)),
            _ => role(key),
        };
        (role, value)
    });
    Fields(by_role(named).map(|value| {
        Some(match text(value?) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }))
}

/// The role of a key such as `best_path`, which has a path in it though it is in no list.
fn other_path(key: &str) -> Option<(Role, usize)> {
    let said = sense_of(key);
    let is_path = said.has(Sense::ANSWER | Sense::MOVES)
        && !said.has(Sense::OTHER | Sense::COUNT | Sense::TRACE | Sense::LENGTH);
    is_path.then_some((Role::Path, usize::MAX))
}

/// The object that a text begins with, and the answers about a board in it, or in the objects within it; `None` if it
/// begins with none.
pub(in crate::judge) fn in_text<'t>(
    text: &'t str,
    [board, goal]: &[Board; 2],
    reader: &Reader,
) -> Option<(&'t str, Vec<Result<Answer, ClaimError>>)> {
    let bytes = text.as_bytes();
    let is_object = text.starts_with('{');
    let (end, _) = is_object.then(|| Format::Objects.end_after(bytes, 0))??;
    let object = parse(&bytes[..end]).ok()?;
    let numbering = reader.numbering.of(board.shape());
    let about = numbering.board(fields(&object).text(Role::Board));
    let is_other = about.is_ok_and(|about| about != *board);
    let answers = if is_other {
        Vec::new()
    } else {
        answers(&object, [board, goal], reader)
    };
    Some((&text[..end], answers))
}

/// A value as text: lists as they stand, `null` as the word that Python has for it. In a list of
/// objects each stands for the move or the board in it.
fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed("None"),
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
            Cow::Owned(items.iter().map(step).collect::<Vec<_>>().join(", "))
        }
        // The blank of boards may be null or empty.
        other => Cow::Owned(other.to_string().replace("null", "0").replace("\"\"", "0")),
    }
}

/// The move, tile or board in one step of a list. One that has none makes the list unreadable, rather than shorter.
fn step(step: &Value) -> Cow<'_, str> {
    const NAMES: [&str; 7] = [
        "move",
        "action",
        "direction",
        "dir",
        "tile",
        "board",
        "state",
    ];
    let named = NAMES.iter().find_map(|name| step.get(name));
    named.map_or(Cow::Borrowed("?"), text)
}
