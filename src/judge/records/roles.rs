//! What columns and keys hold, by the names that people give them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::basics::names;

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

names!(Role, "a role", [Board: "board", Goal: "goal", Shape: "shape", Length: "length", Path: "path", Moves: "moves", Trace: "trace", Solvable: "solvable"]);

/// Names by role, a line each: small letters and digits only. Of two columns in one role, the name that stands first
/// here counts.
const NAMES: &str = include_str!("roles.txt");

/// Roles by name, each with the place of the name among all.
static KNOWN: LazyLock<FxHashMap<&str, (Role, usize)>> = LazyLock::new(|| {
    let lines = Role::ALL.into_iter().zip(NAMES.lines());
    let named = lines.flat_map(|(role, line)| line.split(' ').skip(1).map(move |it| (it, role)));
    let placed = named.zip(0..);
    let known = placed.map(|((name, role), place)| (name, (role, place)));
    known.collect()
});

/// The role of a name, and its place, which is smaller for a name that counts before another in that role.
pub(in crate::judge) fn role(name: &str) -> Option<(Role, usize)> {
    let mut known = name.to_ascii_lowercase();
    known.retain(|c| c.is_ascii_alphanumeric());
    KNOWN.get(known.as_str()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_begins_with_the_name_of_its_role() {
        let labels = NAMES.lines().map(|line| line.split(':').next().unwrap());
        assert!(labels.eq(Role::ALL.map(Role::name)));
    }
}
