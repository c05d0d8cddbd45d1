//! Lines without any label that is known.

use crate::judge::Way;
use crate::judge::reading::fields;
use crate::judge::reading::phrases::{Label, is_none, length_told, says_none};

use super::looks::{self, Look};
use super::{Finder, pairs};

impl Finder<'_> {
    /// A line without any label that is known; was there anything in it?
    pub(super) fn sentence(&mut self, line: &str) -> bool {
        if is_none(line.as_bytes()) || says_none(line) {
            self.says_none = true;
            return true;
        }
        if let Some(length) = fields::length(line.as_bytes()) {
            match line.len() > 6 {
                true => self.trace.spoil(), // a board of which a cell is missing
                false => self.length.offer(9, length),
            }
            return true;
        }
        let (rest, length) = pairs::without_length(line);
        let length = length.or_else(|| length_told(line));
        let text = if length.is_some() { &rest } else { line };
        let ways = self.ways(text).filter(|_| !text.is_empty());
        if ways.is_some_and(|ways| self.unlabelled(text, ways)) {
            length
                .into_iter()
                .for_each(|length| self.length.offer(1, length));
            return true;
        }
        let look = self.last_word(text).unwrap_or_else(|| looks::of_line(text));
        if self.look(3, look) && text.contains(char::is_alphabetic) {
            self.steps.spoil();
        }
        if let Some(length) = length {
            self.length.offer(2, length);
        }
        length.is_some() || look != Look::Other
    }

    /// Takes a run of moves at the end of a sentence, as in `The moves are RD`, and tells how it
    /// looks if it is none.
    fn last_word(&mut self, line: &str) -> Option<Look> {
        let (before, last) = line.rsplit_once(' ')?;
        let last = last.trim_end_matches(['.', '!']);
        if last.len() < 2
            || !Label::of(before).path
            || !last.bytes().all(|b| b.is_ascii_uppercase())
        {
            return None;
        }
        match self.ways(last) {
            Some(ways) => self.path.offer(2, Some(ways)),
            None => return Some(looks::of_line(last)),
        }
        Some(Look::Other)
    }

    /// Takes moves that fill a line; were there any?
    fn unlabelled(&mut self, line: &str, ways: Vec<Way>) -> bool {
        match &ways[..] {
            [Way::Tiles(_), ..] if line.contains(char::is_alphabetic) => return false, // "Step 1"
            [Way::Directions(moves)] if moves.is_empty() => return false,
            [Way::Boards(boards)] if boards.len() == 1 => self.trace.see(boards[0]),
            _ => self.path.offer(3, Some(ways)),
        }
        true
    }
}
