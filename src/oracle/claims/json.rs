//! Claims in JSON objects.

use serde_json::{Map, Value};

use super::columns::{Columns, Role, role};
use super::{Claim, ClaimError, Reader, fields};

pub(super) fn read(json: &[u8], reader: &Reader) -> Result<Claim, ClaimError> {
    let object = parse(json)?;
    let text = |role| text_of(&object, role);
    let board = text(Role::Board);
    if board.is_empty() {
        return Err(ClaimError::NoBoard);
    }
    let board = reader.numbering.board(board.as_bytes())?;
    let goal = text(Role::Goal);
    let goal = match goal.as_str() {
        "" | "None" => None,
        goal => Some(reader.numbering.of(board.shape()).board(goal.as_bytes())?),
    };
    let (length, path) = length_and_path(&object).ok_or(ClaimError::Nothing)?;
    let (length, path) = (length.as_bytes(), path.as_bytes());
    Ok(Claim {
        board,
        goal,
        answer: fields::answer(length, path, &board, reader.numbering, reader.only)?,
    })
}

pub(super) fn parse(json: &[u8]) -> Result<Map<String, Value>, ClaimError> {
    serde_json::from_slice(json).map_err(|error| ClaimError::Json(error.to_string()))
}

/// The length and the path of an object, if it has any key for them.
pub(super) fn length_and_path(object: &Map<String, Value>) -> Option<(String, String)> {
    let columns = Columns::new(object.keys().map(String::as_str))?;
    let texts = Role::ALL.map(|role| text_of(object, role));
    let (length, path) = columns.length_and_path(|role| texts[role as usize].as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((text(length), text(path)))
}

/// The text of the best key of a role, empty if there is none.
fn text_of(object: &Map<String, Value>, wanted: Role) -> String {
    let keys = object.iter().filter_map(|(key, value)| match role(key) {
        Some((role, place)) if role == wanted => Some((place, value)),
        _ => None,
    });
    keys.min_by_key(|&(place, _)| place)
        .map_or_else(String::new, |(_, value)| text(value))
}

/// A value as text: lists as they stand, `null` as the word that Python has for it. In a list of
/// objects each stands for the move or the board in it.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
            let steps = items.iter().filter_map(Value::as_object).filter_map(step);
            steps.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// The move, tile or board in one step of a list.
fn step(object: &Map<String, Value>) -> Option<String> {
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
