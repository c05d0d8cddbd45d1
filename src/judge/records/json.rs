//! Claims in JSON objects.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::judge::answer::Answer;
use crate::puzzle::Board;

use super::claim::{Claim, ClaimError, Reader};
use super::fields::{Fields, by_role, is_none};
use super::roles::{Role, role};
use crate::judge::reading::{Sense, meaning, sense_of};

/// No key has the board.
const NO_BOARD: &str =
    "there is no board: name it board, initial, init_state, start, state or puzzle";

impl Reader {
    /// Reads a claim in a JSON object, by the names of its keys. If a board and its goal are given, an object without a
    /// board is about them, and the claim is not read from the objects within it.
    ///
    /// # Errors
    /// [`ClaimError`] says what cannot be read.
    pub fn object(&self, json: &[u8], about: Option<[Board; 2]>) -> Result<Claim, ClaimError> {
        let wrong = |error| ClaimError::Malformed(format!("this is no JSON object: {error}"));
        let object = serde_json::from_slice(json).map_err(wrong)?;
        let fields = fields(&object);
        if about.is_some() && !fields.has_claim() {
            return Err(ClaimError::Nothing); // Several may be within.
        }
        let has_board = !fields.text(Role::Board).is_empty();
        let (board, goal) = match about {
            _ if has_board => fields.ends(self.numbering)?,
            Some([board, goal]) => (board, Some(goal)),
            None => return Err(ClaimError::Malformed(NO_BOARD.to_owned())),
        };
        let answer = answer(&object, &fields, self.ends(board, goal), self)?;
        Ok(Claim::new(board, goal, answer))
    }
}

/// The answer in an object with these fields, or in the first object within it that has one.
fn answer(
    object: &Map<String, Value>,
    named: &Fields<'_>,
    ends: [Board; 2],
    reader: &Reader,
) -> Result<Answer, ClaimError> {
    let error = object.get("error").and_then(Value::as_str).unwrap_or("");
    if !error.is_empty() {
        let none = is_none(error).then(Answer::none);
        return none.ok_or(ClaimError::Nothing);
    }
    if named.has_claim() {
        return named.answer(ends, reader);
    }
    let within = object.values().filter_map(Value::as_object);
    let mut answers = within.map(|object| answer(object, &fields(object), ends, reader));
    let first = answers.find(|answer| *answer != Err(ClaimError::Nothing));
    first.unwrap_or(Err(ClaimError::Nothing))
}

/// The texts of an object by the roles of its keys.
fn fields(object: &Map<String, Value>) -> Fields<'_> {
    let named = object.iter().filter_map(|(key, value)| {
        let role = match value {
            Value::Object(_) => None,
            Value::Array(items) if items.len() > 1 && items.iter().all(is_solution) => role(key),
            Value::String(_) | Value::Array(_) => role(key).or_else(|| other_path(key)),
            _ => role(key),
        };
        Some((role?, value))
    });
    Fields(by_role(named).map(|value| value.map(text)))
}

/// Returns whether an item of a list is a solution of several moves, as in a list of several solutions.
fn is_solution(item: &Value) -> bool {
    let is_path = |moves: &str| moves.len() > 1 && moves.bytes().all(|mv| b"UDLR".contains(&mv));
    let is_move = |item: &Value| item.as_str().is_some_and(|word| meaning(word).1.is_some());
    let is_list = |items: &Vec<Value>| items.len() > 1 && items.iter().all(is_move);
    item.as_str().is_some_and(is_path) || item.as_array().is_some_and(is_list)
}

/// The role of a key such as `best_path`, which has a path in it though it is in no list.
fn other_path(key: &str) -> Option<(Role, usize)> {
    let said = sense_of(key);
    let is_path = said.has(Sense::ANSWER | Sense::MOVES)
        && !said.has(Sense::OTHER | Sense::COUNT | Sense::TRACE | Sense::LENGTH);
    is_path.then_some((Role::Path, usize::MAX))
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
    let mut names = "move action direction dir tile board state".split(' ');
    let named = names.find_map(|name| step.get(name));
    named.map_or(Cow::Borrowed("?"), text)
}
