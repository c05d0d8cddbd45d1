//! Names of columns and keys, and what is found under them.

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
    /// Whether there is a solution.
    Solvable,
}

/// Roles by name: small letters and digits only. Of two columns in one role, the name that
/// stands first here counts.
const NAMES: [(Role, &[&str]); 6] = [
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
            "states",
            "boards",
            "tiles",
        ],
    ),
    (
        Role::Moves,
        &["moves", "solution", "steps", "answer", "result"],
    ),
    (Role::Solvable, &["solvable", "issolvable", "solved"]),
];

/// The role of a name, and its place among the names of that role.
pub(super) fn role(name: &str) -> Option<(Role, usize)> {
    let known: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    NAMES.iter().find_map(|(role, names)| {
        let place = names.iter().position(|name| *name == known)?;
        Some((*role, place))
    })
}

/// Which columns of a table hold what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// How many there are.
    pub count: usize,
    /// The board's.
    pub board: Option<usize>,
    /// The goal's.
    pub goal: Option<usize>,
    /// The length's.
    pub length: Option<usize>,
    /// The path's.
    pub path: Option<usize>,
    /// Whether there is a solution.
    pub solvable: Option<usize>,
}

impl Columns {
    /// The columns that a header names; `None` if it names no claim.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Option<Columns> {
        let mut best: [Option<(usize, usize)>; 6] = [None; 6];
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
        let column = |role: Role| best[role as usize].map(|(_, column)| column);
        let (mut length, mut path) = (column(Role::Length), column(Role::Path));
        // "moves" is the length beside a path, and otherwise the path.
        match column(Role::Moves) {
            Some(moves) if path.is_none() => path = Some(moves),
            Some(moves) if length.is_none() => length = Some(moves),
            _ => {}
        }
        let solvable = column(Role::Solvable);
        (length.is_some() || path.is_some() || solvable.is_some()).then_some(Columns {
            count,
            board: column(Role::Board),
            goal: column(Role::Goal),
            length,
            path,
            solvable,
        })
    }

    /// The columns of a header line, and what separates them.
    pub(super) fn of_header(line: &str) -> Option<(Columns, u8)> {
        let line = line.trim_start_matches(['\u{feff}', '#']).trim();
        let least = |count: usize| count >= 2;
        [b',', b'\t', b';', b'|'].into_iter().find_map(|separator| {
            let names = line.split(char::from(separator));
            let columns = Columns::new(names)?;
            least(columns.count).then_some((columns, separator))
        })
    }
}

/// The fields of one row. Where the last column is the path, it takes what is left over: lists
/// such as `['Up', 'Left']` are often written without quotes.
pub(super) fn split_row(line: &str, separator: u8, columns: &Columns) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(separator)
        .from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    if !reader.read_record(&mut record).is_ok_and(|there| there) {
        return Vec::new();
    }
    let mut fields: Vec<String> = record.iter().map(str::to_owned).collect();
    if fields.len() > columns.count && columns.path == columns.count.checked_sub(1) {
        let rest = fields.split_off(columns.count - 1);
        fields.push(rest.join(","));
    }
    fields
}
