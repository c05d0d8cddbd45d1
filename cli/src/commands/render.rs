//! Drawing in text, shared by several commands.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use puzzledb::puzzle::{Board, Move};

use crate::text::plural;

/// Two blocks of lines beside each other, indented. The right one begins at the second line if the
/// left one has more lines.
pub(super) fn side_by_side(left: &str, right: &str) -> String {
    let width = left.lines().map(str::len).max().unwrap_or(0);
    let [on_left, on_right] = [left, right].map(|block| block.lines().count());
    let skip = usize::from(on_left > on_right);
    let empty = std::iter::repeat("");
    let left = left.lines().chain(empty.clone());
    let right = empty.clone().take(skip).chain(right.lines()).chain(empty);
    let lines = left.zip(right).take(on_left.max(on_right + skip));
    let lines = lines.map(|(left, right)| format!("  {left:<width$}   {right}"));
    let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A board beside some lines, and an empty line.
pub(super) fn beside(board: &Board, lines: &str) -> String {
    side_by_side(&board.grid(), lines) + "\n\n"
}

/// Number of shortest solutions, as text.
pub(super) fn solutions_text(solutions: Option<u64>) -> String {
    match solutions {
        Some(count) => plural(count, "optimal solution"),
        None => "optimal solutions not counted: that takes too long".to_owned(),
    }
}

/// Draws `board` and those that `moves` lead to, one below the other, each with the move that led to
/// it.
pub(super) fn steps(board: &Board, moves: &[Move], out: &mut String) {
    let heading = plural(moves.len() as u64, "move");
    let _ = writeln!(out, "{board}: {heading}\n\n{}", board.grid());
    let slid = (1..).zip(moves).zip(board.tiles_slid(moves));
    for (((i, mv), tile), now) in slid.zip(board.along(moves).skip(1)) {
        let _ = writeln!(out, "\n{i}: blank {mv}, tile {tile}\n{}", now.grid());
    }
    out.push('\n');
}

/// A bar of at most `width` cells for `part` of `whole`, in eighths of a cell; at least one eighth
/// for a part above 0.
pub(super) fn bar(part: u64, whole: u64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (u128::from(part) * width as u128 * 8 / u128::from(whole.max(1))) as usize;
    let eighths = eighths.max(usize::from(part > 0));
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A progress bar on standard error, hidden where that is not a terminal.
pub(super) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is constant"));
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100)); // starts a thread; panics where there is no memory for one
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion_and_never_vanish() {
        assert_eq!(bar(8, 8, 3), "███");
        assert_eq!(bar(4, 8, 3), "█▌");
        assert_eq!(bar(1, 1_000_000, 3), "▏");
        assert_eq!(bar(0, 8, 3), "");
    }

    #[test]
    fn blocks_stand_beside_each_other() {
        assert_eq!(side_by_side("ab\ncd\nef", "x"), "  ab\n  cd   x\n  ef");
        assert_eq!(side_by_side("ab", "x\ny"), "  ab   x\n       y");
    }
}
