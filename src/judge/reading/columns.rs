//! Names of columns and keys, and what is found under them.

use crate::judge::Answer;
use crate::puzzle::Board;

use super::{ClaimError, Reader, fields};

/// What a column or key holds, by any of the names that people give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The board to be solved.
    Board,
    /// The goal.
    Goal,
    /// The length of the solution.
    Length,
    /// The path.
    Path,
    /// The path, or its length where a number alone stands there.
    Moves,
    /// The numbers of the tiles or the boards on the way, which may stand beside moves.
    Trace,
    /// Whether there is a solution.
    Solvable,
    // From the length on, all are claims.
}

const ROLES: usize = Role::ALL.len();

impl Role {
    /// All of them, in their order.
    pub(super) const ALL: [Role; 7] = [
        Role::Board,
        Role::Goal,
        Role::Length,
        Role::Path,
        Role::Moves,
        Role::Trace,
        Role::Solvable,
    ];
}

/// Roles by name: small letters and digits only. Of two columns in one role, the name that
/// stands first here counts.
const NAMES: [(Role, &[&str]); ROLES] = [
    (
        Role::Board,
        &[
            "board",
            "initial",
            "initialstate",
            "initialboard",
            "init",
            "initstate",
            "initboard",
            "start",
            "startstate",
            "startboard",
            "startingstate",
            "startingboard",
            "state",
            "puzzle",
            "input",
            "problem",
            "instance",
            "configuration",
        ],
    ),
    (
        Role::Goal,
        &[
            "goal",
            "goalstate",
            "goalboard",
            "target",
            "targetstate",
            "finalstate",
        ],
    ),
    (
        Role::Length,
        &[
            "pathlength",
            "solutionlength",
            "costofpath",
            "pathcost",
            "solutioncost",
            "solutiondepth",
            "movecount",
            "movescount",
            "nummoves",
            "numberofmoves",
            "nmoves",
            "totalmoves",
            "length",
            "len",
            "cost",
            "distance",
            "stepcount",
            "numsteps",
            "numberofsteps",
            "totalsteps",
            "optimallength",
            "depth",
            "searchdepth",
        ],
    ),
    (
        Role::Path,
        &[
            "path",
            "pathtogoal",
            "solutionpath",
            "solutionmoves",
            "movelist",
            "movesequence",
            "actions",
            "actionlist",
            "plan",
            "directions",
            "sequence",
            "optimalpath",
            "solution",
            "answer",
            "result",
        ],
    ),
    (Role::Moves, &["moves", "steps"]),
    (Role::Trace, &["states", "boards", "tiles", "trace"]),
    (Role::Solvable, &["solvable", "issolvable", "solved"]),
];

/// A name that is longer has no role.
const LONGEST_NAME: usize = 24;

/// The role of a name, and its place among the names of that role.
pub(super) fn role(name: &str) -> Option<(Role, usize)> {
    let mut known = [0; LONGEST_NAME];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        *known.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    let known = &known[..length];
    NAMES.iter().find_map(|(role, names)| {
        let place = names.iter().position(|name| name.as_bytes() == known)?;
        Some((*role, place))
    })
}

/// Which columns of a table hold what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
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
        [b',', b'\t', b';', b'|'].into_iter().find_map(|separator| {
            let columns = Columns::new(line.split(char::from(separator)))?;
            (columns.count >= 2).then_some((columns, separator))
        })
    }

    /// How many of the columns have a role.
    pub(super) fn known(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// The column that holds this.
    pub(super) fn place(&self, role: Role) -> Option<usize> {
        self.places[role as usize]
    }

    /// The length and the path in a row: `field` gives the text of a role, empty if it has none.
    ///
    /// `moves` is the path, or its length where a path stands elsewhere.
    pub(super) fn said<'a>(&self, field: impl Fn(Role) -> &'a [u8]) -> Said<'a> {
        let (length, moves) = (field(Role::Length), field(Role::Moves));
        let solvable = field(Role::Solvable);
        if ["false", "no", "0"]
            .iter()
            .any(|no| solvable.eq_ignore_ascii_case(no.as_bytes()))
        {
            return Said::new(b"unsolvable", b"");
        }
        let (path, trace) = (field(Role::Path), field(Role::Trace));
        let is_count = fields::length(moves).is_some();
        let path_is_count = fields::length(path).is_some();
        if path_is_count && length.is_empty() && !is_count && !moves.is_empty() {
            return Said::new(path, moves); // {"solution": 2, "moves": "RD"}
        }
        let (length, path) = match (path.is_empty(), trace.is_empty()) {
            (false, _) if is_count && length.is_empty() => (moves, path),
            (false, _) => (length, path),
            (true, false) if is_count && length.is_empty() => (moves, trace),
            (true, false) if is_count || moves.is_empty() => (length, trace),
            (true, _) => {
                return Said::new(length, moves).or_no_moves(self);
            }
        };
        Said {
            names_path: true,
            ..Said::new(length, path).or_no_moves(self)
        }
    }
}

/// What a row says of its board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// The text of the length, empty if there is none.
    pub length: &'a [u8],
    /// The text of the path, empty if there is none.
    pub path: &'a [u8],
    /// Does it stand under a name that only a path has, so that a number alone can be a tile?
    pub names_path: bool,
}

impl<'a> Said<'a> {
    fn new(length: &'a [u8], path: &'a [u8]) -> Said<'a> {
        Said {
            length,
            path,
            names_path: false,
        }
    }

    /// A path column that is empty, without any other, says that no move is needed.
    fn or_no_moves(self, columns: &Columns) -> Said<'a> {
        let others = [Role::Length, Role::Solvable];
        let alone = others.iter().all(|&role| columns.place(role).is_none());
        match self.path.is_empty() && self.length.is_empty() && alone {
            true => Said {
                path: b"[]",
                ..self
            },
            false => self,
        }
    }

    /// The answer in it.
    ///
    /// # Errors
    /// As [`fields::answer`](super::fields::answer).
    pub(super) fn answer(self, board: &Board, reader: &Reader) -> Result<Answer, ClaimError> {
        let read = match self.names_path {
            true => fields::answer_of_path,
            false => fields::answer,
        };
        read(self.length, self.path, board, reader.numbering, reader.only)
    }
}
