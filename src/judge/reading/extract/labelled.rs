//! What stands behind a label: `Path: RD`.

use crate::judge::answer::Path;
use crate::judge::reading::claim::shorten;
use crate::judge::reading::length::whole_number;
use crate::judge::reading::near::{self, Nearness};
use crate::judge::reading::vocabulary::{
    Label, Role, algorithm, is_none, is_unit, length_told, role, says_none, words,
};
use crate::judge::reading::{moves, pairs};

use super::boards::only_board;
use super::found::{DEPTH, Finder, LABELLED, SENTENCE, Strength};

impl Finder<'_> {
    /// What stands behind a label; was it anything?
    pub(super) fn pair(&mut self, label: &str, value: &str) -> bool {
        if value.is_empty() {
            return false;
        }
        if let Some(name) = algorithm(label) {
            self.section = Some(name);
        }
        let numbering = self.reader.numbering.of(self.board.shape());
        if value.len() == self.board.shape().cells()
            && let Ok(board) = numbering.board(value.as_bytes())
        {
            self.see_labelled(label, board);
            return true;
        }
        let kind = Label::of(label);
        if kind.quoted {
            return true;
        }
        let role = role(label).map(|(role, _)| role);
        let is_path = kind.path || role == Some(Role::Path);
        let beside = length_told(label).filter(|_| is_path);
        if let Some((length, with_unit)) = number(value).filter(|_| beside.is_none()) {
            let known = role.is_some() || kind.length.is_some() || words(label).nth(1).is_none();
            return self.labelled_number(kind, is_path && known, length, with_unit);
        }
        let claims = (is_path || kind.length.is_some()) && is_none(value.as_bytes());
        let fails = role == Some(Role::Solvable) && is_none(value.as_bytes());
        if claims || fails || says_none(value) || says_none(label) && !kind.other {
            self.none.push(self.section);
            return true;
        }
        let sure = is_path || algorithm(label).is_some();
        match self.value(value) {
            Some((paths, length)) => {
                if let Some(board) = only_board(&paths) {
                    self.see_labelled(label, board);
                    return true;
                }
                let directions =
                    matches!(&paths[..], [Path::Directions(moves), ..] if !moves.is_empty());
                if is_path || directions {
                    let strength = match kind.other {
                        false if sure => Strength::Labelled,
                        true if !Label::of(value).path => Strength::Unlabelled,
                        _ => Strength::Line,
                    };
                    self.propose(strength, paths);
                    let lengths = length.or(beside);
                    lengths
                        .into_iter()
                        .for_each(|length| self.tell(LABELLED, length));
                }
                is_path || directions
            }
            None => self.unread_value(value, kind, is_path),
        }
    }

    /// A number behind a label. Behind `moves` it is how many; behind `solution` it can be a tile.
    pub(super) fn labelled_number(
        &mut self,
        kind: Label,
        is_path: bool,
        length: u64,
        unit: bool,
    ) -> bool {
        if kind.other && kind.length.is_none() {
            return false;
        }
        if is_path && !matches!(kind.length, Some(0 | 1)) && !unit {
            let tile = u32::try_from(length).ok();
            let shape = self.board.shape();
            let tile = tile.and_then(|n| self.reader.numbering.of(shape).tile(shape, n));
            if let Some(tile) = tile.filter(|&tile| tile != 0) {
                self.propose(Strength::Labelled, vec![Path::Tiles(vec![tile])]);
                self.candidates.last_mut().expect("just proposed").lone = Some(length);
                return true;
            }
        }
        match kind.length {
            Some(0 | 1) => self.tell(LABELLED, length),
            Some(_) => self.tell(DEPTH, length),
            None => return false,
        }
        true
    }

    /// A value that is no path: does it look like one?
    pub(super) fn unread_value(&mut self, value: &str, kind: Label, is_path: bool) -> bool {
        if kind.other && !Label::of(value).path {
            return false;
        }
        let length = length_told(value).filter(|_| !kind.other);
        length
            .into_iter()
            .for_each(|length| self.tell(SENTENCE, length));
        let (rest, _) = pairs::without_length(value);
        let speaks_of_path = is_path || Label::of(value).path;
        let prefers = is_path || speaks_of_path && near::has_moves(value);
        let nearness = match prefers {
            _ if rest.is_empty() => Nearness::Other,
            true => near::of_value(&rest),
            false => near::of_line(&rest),
        };
        match nearness {
            Nearness::Moves if is_path => {
                self.unreadable = Some((self.line, shorten(value.as_bytes())));
            }
            Nearness::Moves => self.doubt(value),
            Nearness::Doubtful if speaks_of_path => self.doubt(value),
            Nearness::Doubtful | Nearness::Other => {
                self.stray(value);
                return length.is_some();
            }
        }
        true
    }

    /// The paths in a value, and the length that is told beside them: `RD (2 moves)`, `2: RD`.
    pub(super) fn value(&self, value: &str) -> Option<(Vec<Path>, Option<u64>)> {
        if let Some(paths) = self.paths(value) {
            return Some((paths, None));
        }
        let (rest, length) = pairs::without_length(value);
        if length.is_some() && !rest.is_empty() {
            return Some((self.paths(&rest)?, length));
        }
        // Letters that could be other words are moves only where they lead to the goal.
        let solves = |path: &Path| path.solves(&self.board, &self.goal, self.reader.only);
        if let Some(path) = moves::in_other_letters(&rest).find(solves) {
            return Some((vec![path], length));
        }
        let (moves, length) = moves::beside_number(value)?;
        Some((vec![Path::Directions(moves)], Some(length)))
    }
}

/// The number of a value such as `26` or `26 moves`, and whether it has its unit.
pub(in crate::judge::reading) fn number(value: &str) -> Option<(u64, bool)> {
    let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
    let unit = rest.trim();
    let length = whole_number(number.as_bytes())?;
    (unit.is_empty() || is_unit(unit)).then_some((length, !unit.is_empty()))
}
