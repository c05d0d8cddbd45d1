//! Columns of a table and keys of an object, and what is found under them.

use crate::judge::answer::Answer;
use crate::puzzle::{Board, Shape, parse_goal};

use super::claim::{ClaimError, Reader};
use super::fields::{self, is_none};
use super::length::whole_number;
use super::roles::{Role, role};

const ROLES: usize = Role::ALL.len();

/// Which columns of a table hold what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::judge) struct Columns {
    /// How many there are.
    pub count: usize,
    /// By role.
    places: [Option<usize>; ROLES],
}

impl Columns {
    /// The columns that a header names; `None` if it names no claim.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Option<Columns> {
        let mut best: [Option<(usize, usize)>; ROLES] = [None; ROLES];
        let mut count = 0;
        for name in names {
            if let Some((role, place)) = role(name) {
                let best = &mut best[role as usize];
                if best.is_none_or(|(other, _)| place < other) {
                    *best = Some((place, count));
                }
            }
            count += 1;
        }
        let columns = Columns::of_places(best.map(|best| Some(best?.1)))?;
        Some(Columns { count, ..columns })
    }

    /// Columns whose places by role are known; `None` if there is none for a claim.
    pub(super) fn of_places(places: [Option<usize>; ROLES]) -> Option<Columns> {
        let count = places.iter().flatten().count();
        let columns = Columns { count, places };
        let claims = &Role::ALL[Role::Length as usize..];
        let any = claims.iter().any(|&role| columns.place(role).is_some());
        any.then_some(columns)
    }

    /// The columns of a header line, and what separates them.
    pub(super) fn of_header(line: &str) -> Option<(Columns, u8)> {
        let line = line.trim_start_matches(['\u{feff}', '#']).trim();
        let separates = |separator: &u8| line.as_bytes().contains(separator);
        let mut separators = [b',', b'\t', b';', b'|'].into_iter().filter(separates);
        separators.find_map(|separator| {
            let columns = Columns::new(line.split(char::from(separator)))?;
            Some((columns, separator))
        })
    }

    /// The column that holds this.
    pub(super) fn place(&self, role: Role) -> Option<usize> {
        self.places[role as usize]
    }

    /// The length and the path in a row: `field` gives the text of a role, empty if it has none.
    ///
    /// `moves` is the path, or its length where a path stands elsewhere.
    pub(super) fn claimed<'a>(&self, field: impl Fn(Role) -> &'a [u8]) -> Fields<'a> {
        let (length, moves) = (field(Role::Length), field(Role::Moves));
        let solvable = field(Role::Solvable);
        if is_none(solvable)
            || ["no", "0"]
                .iter()
                .any(|no| solvable.eq_ignore_ascii_case(no.as_bytes()))
        {
            return Fields::new(b"unsolvable", b"");
        }
        let (path, trace) = (field(Role::Path), field(Role::Trace));
        let is_count = whole_number(moves).is_some();
        let path_is_count = whole_number(path).is_some();
        if path_is_count && length.is_empty() && !is_count && !moves.is_empty() {
            return Fields::new(path, moves); // {"solution": 2, "moves": "RD"}
        }
        let (length, path) = match (path.is_empty(), trace.is_empty()) {
            (false, _) if is_count && length.is_empty() => (moves, path),
            (false, _) => (length, path),
            (true, false) if is_count && length.is_empty() => (moves, trace),
            (true, false) if is_count || moves.is_empty() => (length, trace),
            (true, _) => {
                return Fields::new(length, moves).or_no_moves(self);
            }
        };
        Fields {
            names_path: true,
            ..Fields::new(length, path).or_no_moves(self)
        }
    }
}

/// What a row claims of its board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    /// The text of the length, empty if there is none.
    pub length: &'a [u8],
    /// The text of the path, empty if there is none.
    pub path: &'a [u8],
    /// Whether its name is that of a path only, so that a number alone can be a tile.
    pub names_path: bool,
}

impl<'a> Fields<'a> {
    fn new(length: &'a [u8], path: &'a [u8]) -> Fields<'a> {
        Fields {
            length,
            path,
            names_path: false,
        }
    }

    /// A path column that is empty, without any other, says that no move is needed.
    fn or_no_moves(self, columns: &Columns) -> Fields<'a> {
        let others = [Role::Length, Role::Solvable];
        let alone = others.iter().all(|&role| columns.place(role).is_none());
        if self.path.is_empty() && self.length.is_empty() && alone {
            Fields {
                path: b"[]",
                ..self
            }
        } else {
            self
        }
    }

    /// The answer in it.
    ///
    /// # Errors
    /// As [`fields::answer`](super::fields::answer).
    pub(super) fn answer(self, board: &Board, reader: &Reader) -> Result<Answer, ClaimError> {
        let read = if self.names_path {
            fields::answer_of_path
        } else {
            fields::answer
        };
        read(self.length, self.path, board, reader.numbering, reader.only)
    }
}

/// The board and the goal of a record, by the texts of its roles; a shape may stand beside them.
///
/// # Errors
/// [`ClaimError::Board`] if one of them cannot be read.
pub(super) fn board_and_goal(
    field: impl Fn(Role) -> Vec<u8>,
    reader: &Reader,
) -> Result<(Board, Option<Board>), ClaimError> {
    let shape = String::from_utf8_lossy(&field(Role::Shape)).trim().parse();
    let numbering = match shape {
        Ok(shape) => reader.numbering.of(shape),
        Err(_) => reader.numbering,
    };
    let board = numbering.board(&field(Role::Board))?;
    let goal = goal(&field(Role::Goal), board.shape(), reader)?;
    Ok((board, goal))
}

/// A goal as it stands in a record: a board, the name of a usual goal, or nothing.
fn goal(text: &[u8], shape: Shape, reader: &Reader) -> Result<Option<Board>, ClaimError> {
    let text = text.trim_ascii();
    if text.is_empty() || text == b"None" {
        return Ok(None);
    }
    let named = std::str::from_utf8(text)
        .ok()
        .filter(|text| text.len() < 10);
    if let Some(Ok(goal)) = named.map(|text| parse_goal(text, shape)) {
        return Ok(Some(goal));
    }
    Ok(Some(reader.numbering.of(shape).board(text)?))
}
