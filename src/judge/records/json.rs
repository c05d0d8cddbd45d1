//! Claims in JSON objects.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::judge::answer::Answer;
use crate::puzzle::Board;

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{Fields, by_role, is_none};
use super::records::Records;
use super::roles::{Role, role};
use crate::judge::reading::{Sense, sense_of};

impl Reader {
    /// Reads a claim in a JSON object, by the names of its keys.
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn object(&self, json: &[u8]) -> Result<Claim, ClaimError> {
        read(json, self)
    }
}

fn read(json: &[u8], reader: &Reader) -> Result<Claim, ClaimError> {
    let object = parse(json)?;
    let fields = fields(&object);
    if fields.text(Role::Board).is_empty() {
        return Err(ClaimError::NoBoard);
    }
    let (board, goal) = fields.board_and_goal(reader)?;
    let answer = answer(&object, &board, reader).unwrap_or(Err(ClaimError::Nothing))?;
    Ok(Claim {
        board,
        goal,
        answer,
    })
}

fn parse(json: &[u8]) -> Result<Map<String, Value>, ClaimError> {
    serde_json::from_slice(json).map_err(|error| ClaimError::Json(error.to_string()))
}

/// The answer in an object, or in the first object within it that has one; `None` if no key is
/// about one.
fn answer(
    object: &Map<String, Value>,
    board: &Board,
    reader: &Reader,
) -> Option<Result<Answer, ClaimError>> {
    if let Some(Value::String(error)) = object.get("error")
        && !error.is_empty()
    {
        let none = is_none(error.as_bytes());
        return none.then(|| Ok(Answer::none()));
    }
    let own = own(object, board, reader);
    own.or_else(|| {
        let mut within = object.values().filter_map(Value::as_object);
        within.find_map(|object| answer(object, board, reader))
    })
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
    let bytes = |value| match text(value) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    Fields(by_role(named).map(|value| value.map(bytes)))
}

/// The answer of an object's own keys; `None` if none of them is about one.
fn own(
    object: &Map<String, Value>,
    board: &Board,
    reader: &Reader,
) -> Option<Result<Answer, ClaimError>> {
    let fields = fields(object);
    let claims = Role::CLAIMS
        .iter()
        .any(|&role| fields.0[role as usize].is_some());
    claims.then(|| fields.answer(board, reader))
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
    board: &Board,
    reader: &Reader,
) -> Option<(&'t str, Vec<Result<Answer, ClaimError>>)> {
    let starts = text.starts_with('{');
    let (end, _) = starts
        .then(|| Records::Objects.first_end(text.as_bytes(), 0))
        .flatten()?;
    let object = parse(&text.as_bytes()[..end]).ok()?;
    let other = reader
        .numbering
        .of(board.shape())
        .board(fields(&object).text(Role::Board));
    if other.is_ok_and(|other| other != *board) {
        return Some((&text[..end], Vec::new()));
    }
    let own = own(&object, board, reader).is_some() || object.contains_key("error");
    let within = object.values().filter_map(Value::as_object);
    let within: Vec<_> = within
        .filter_map(|object| answer(object, board, reader))
        .collect();
    let alone = own || within.is_empty();
    let answers = if alone {
        answer(&object, board, reader).into_iter().collect()
    } else {
        within
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
            // One that has none makes the list unreadable, rather than shorter.
            let steps = items.iter().filter_map(Value::as_object);
            let steps = steps.map(|object| step(object).unwrap_or(Cow::Borrowed("?")));
            Cow::Owned(steps.collect::<Vec<_>>().join(", "))
        }
        // The blank of boards may be null or empty.
        other => Cow::Owned(other.to_string().replace("null", "0").replace("\"\"", "0")),
    }
}

/// The move, tile or board in one step of a list.
fn step(object: &Map<String, Value>) -> Option<Cow<'_, str>> {
    let names = [
        "move",
        "action",
        "direction",
        "dir",
        "tile",
        "board",
        "state",
    ];
    names.iter().find_map(|name| object.get(*name)).map(text)
}
