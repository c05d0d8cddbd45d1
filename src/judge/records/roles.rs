//! What columns and keys hold, by the names that people give them.

/// What a column or key holds, by any of the names that people give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::judge) enum Role {
    /// The board to be solved.
    Board,
    /// The goal.
    Goal,
    /// Rows x columns of the board.
    Shape,
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

/// Roles in their order, by name: small letters and digits only. Of two columns in one role, the name that
/// stands first here counts.
#[rustfmt::skip]
pub(super) const ROLE_NAMES: [(Role, &[&str]); 8] = [
    (
        Role::Board,
        &[
            "board", "initial", "initialstate", "initialboard", "initialconfig",
            "initialconfiguration", "init", "initstate", "initboard", "start", "startstate",
            "startboard", "startingstate", "startingboard", "startconfig", "startconfiguration",
            "state", "puzzle", "input", "problem", "instance", "configuration",
        ],
    ),
    (
        Role::Goal,
        &["goal", "goalstate", "goalboard", "target", "targetstate", "finalstate"],
    ),
    (Role::Shape, &["shape", "dimensions"]),
    (
        Role::Length,
        &[
            "pathlength", "solutionlength", "costofpath", "pathcost", "solutioncost",
            "solutiondepth", "movecount", "movescount", "nummoves", "numberofmoves", "nmoves",
            "totalmoves", "length", "len", "cost", "distance", "stepcount", "numsteps",
            "numberofsteps", "totalsteps", "optimallength", "depth", "searchdepth",
        ],
    ),
    (
        Role::Path,
        &[
            "path", "pathtogoal", "solutionpath", "solutionmoves", "movelist", "movesequence",
            "actions", "actionlist", "plan", "directions", "sequence", "optimalpath", "solution",
            "answer", "result",
        ],
    ),
    (Role::Moves, &["moves", "steps"]),
    (Role::Trace, &["states", "boards", "tiles", "trace"]),
    (Role::Solvable, &["solvable", "issolvable", "solved", "success", "found", "status"]),
];

/// The role of a name, and its place among the names of that role.
pub(in crate::judge) fn role(name: &str) -> Option<(Role, usize)> {
    let mut known = name.to_ascii_lowercase();
    known.retain(|c| c.is_ascii_alphanumeric());
    ROLE_NAMES.iter().find_map(|(role, names)| {
        let place = names.iter().position(|name| *name == known)?;
        Some((*role, place))
    })
}
