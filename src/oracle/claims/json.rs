//! Claims in JSON objects.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::columns::{Columns, Role, role};
use super::{Claim, ClaimError, Reader, fields};

pub(super) fn read(json: &[u8], reader: &Reader) -> Result<Claim, ClaimError> {
    let object = parse(json)?;
    let fields = Fields::of(&object);
    let board = fields.text(Role::Board);
    if board.is_empty() {
        return Err(ClaimError::NoBoard);
    }
    let board = reader.numbering.board(board.as_bytes())?;
    let goal = fields.text(Role::Goal);
    let goal = match &*goal {
        "" | "None" => None,
        goal => Some(reader.numbering.of(board.shape()).board(goal.as_bytes())?),
    };
    let (length, path) = fields.length_and_path().ok_or(ClaimError::Nothing)?;
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
    Fields::of(object).length_and_path()
}

/// The values of an object by their roles.
struct Fields<'a>([Option<&'a Value>; Role::ALL.len()]);

impl<'a> Fields<'a> {
    fn of(object: &'a Map<String, Value>) -> Fields<'a> {
        let mut best: [Option<(usize, &Value)>; Role::ALL.len()] = Default::default();
        for (key, value) in object {
            if let Some((role, place)) = role(key) {
                let best = &mut best[role as usize];
                if best.is_none_or(|(other, _)| place < other) {
                    *best = Some((place, value));
                }
            }
        }
        Fields(best.map(|best| Some(best?.1)))
    }

    /// The text of a role, empty if there is none.
    fn text(&self, role: Role) -> Cow<'a, str> {
        self.0[role as usize].map_or(Cow::Borrowed(""), text)
    }

    fn length_and_path(&self) -> Option<(String, String)> {
        let columns = Columns::of_places(self.0.map(|value| value.map(|_| 0)))?;
        let texts = Role::ALL.map(|role| self.text(role));
        let (length, path) = columns.length_and_path(|role| texts[role as usize].as_bytes());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some((text(length), text(path)))
    }
}

/// A value as text: lists as they stand, `null` as the word that Python has for it. In a list of
/// objects each stands for the move or the board in it.
fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed("None"),
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
            let steps = items.iter().filter_map(Value::as_object).filter_map(step);
            Cow::Owned(steps.collect::<Vec<_>>().join(", "))
        }
        other => Cow::Owned(other.to_string()),
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
