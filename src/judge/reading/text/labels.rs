//! What stands behind a label: `Path: RD`.

use crate::judge::Way;
use crate::judge::reading::columns::{Role, role};
use crate::judge::reading::fields;
use crate::judge::reading::phrases::{Label, is_none, length_told, says_none};

use super::looks::{self, Look};
use super::{Finder, pairs};

impl Finder<'_> {
    /// What stands behind a label; was it anything?
    pub(super) fn pair(&mut self, label: &str, value: &str) -> bool {
        if value.is_empty() || label.len() > 200 {
            return false;
        }
        let kind = Label::of(label);
        let role = role(label).map(|(role, _)| role);
        let rank = kind.length.or((role == Some(Role::Length)).then_some(0));
        let is_path = kind.path || role == Some(Role::Path);
        let beside = length_told(label).filter(|_| is_path);
        if let Some(length) = leading_length(value).filter(|_| beside.is_none()) {
            // Behind `moves` it is their number; behind `solution` it can be a tile.
            let can_be_tile =
                is_path && rank != Some(0) && fields::length(value.as_bytes()).is_some();
            if rank.is_some() || is_path {
                self.lone = can_be_tile.then_some(length);
                self.length.offer(rank.unwrap_or(3), length);
            }
            return rank.is_some() || is_path;
        }
        if (is_path || rank.is_some()) && (is_none(value.as_bytes()) || says_none(value)) {
            self.says_none = true;
            return true;
        }
        match self.value(value) {
            Some((ways, length)) => {
                let directions =
                    matches!(&ways[..], [Way::Directions(moves), ..] if !moves.is_empty());
                let is_board = matches!(role, Some(Role::Board | Role::Goal));
                if is_path || directions && !kind.other {
                    self.path.offer(if is_path { 1 } else { 2 }, Some(ways));
                    length
                        .or(beside)
                        .into_iter()
                        .for_each(|length| self.length.offer(1, length));
                    return true;
                }
                is_board
            }
            None if is_path => self.look(1, looks::of_value(value)),
            None if kind.other => false,
            None => {
                // `Depth 2: solution R X`
                let look = match Label::of(value).path && looks::has_moves(value) {
                    true => looks::of_value(value),
                    false => looks::of_line(value),
                };
                let sure = look == Look::Moves || Label::of(value).path;
                sure && self.look(2, look)
            }
        }
    }

    /// The ways in a value, and the length that is told beside them: `RD (2 moves)`, `2: RD`.
    fn value(&self, value: &str) -> Option<(Vec<Way>, Option<u64>)> {
        if let Some(ways) = self.ways(value) {
            return Some((ways, None));
        }
        let (rest, length) = pairs::without_length(value);
        if length.is_some() && !rest.is_empty() {
            return Some((self.ways(&rest)?, length));
        }
        let (number, rest) = value.split_once(|c: char| !c.is_ascii_digit())?;
        let length = fields::length(number.as_bytes())?;
        let ways = self
            .ways(rest)
            .filter(|ways| matches!(ways[..], [Way::Directions(_), ..]));
        Some((ways?, Some(length)))
    }

    /// Notes what looks like a path and cannot be read; does it?
    pub(super) fn look(&mut self, rank: u8, look: Look) -> bool {
        match look {
            Look::Moves => self.path.offer(rank, None),
            Look::Doubtful => self.unread = true,
            Look::Other => {}
        }
        look != Look::Other
    }
}

/// The number of a value such as `26` or `26 moves`.
pub(super) fn leading_length(value: &str) -> Option<u64> {
    let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
    let unit = ["", "move", "moves", "step", "steps"].contains(&rest.trim());
    fields::length(number.as_bytes()).filter(|_| unit)
}
