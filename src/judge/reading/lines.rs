//! Lines of a text, where a list or an object that goes over several lines counts as one.

use std::borrow::Cow;
use std::ops::ControlFlow;

/// The most lines over which a list in brackets may go.
const LONGEST_LIST: usize = 1 << 20;

/// Gives each line to `take`, without colours and without spaces at its end, until it breaks off.
pub(super) fn each(text: &str, mut take: impl FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
    // A line may end with \r\n; a bar of progress goes back to the line's beginning with \r.
    let lines: Vec<&str> = text
        .split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
        .collect();
    let mut at = 0;
    let mut open_lists = true;
    while at < lines.len() {
        let line = plain(lines[at]);
        at += 1;
        let open = if open_lists { unfinished(&line) } else { 0 };
        let list = if open > 0 {
            whole_list(&line, &lines[at..], open)
        } else {
            None
        };
        if let Some((joined, lines)) = list {
            at += lines;
            take(&joined)?;
        } else {
            // Brackets that never end are looked through once.
            open_lists &= open == 0;
            take(line.trim_end())?;
        }
    }
    ControlFlow::Continue(())
}

/// A line without the codes that colour it on a terminal.
fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut parts = line.split("\u{1b}[");
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(0, |i| i + 1);
        text.push_str(&part[end..]);
    }
    Cow::Owned(text)
}

/// How many brackets a line leaves open.
fn unfinished(line: &str) -> usize {
    still_open(0, line)
}

/// How many brackets are open after a line, if so many were before it.
fn still_open(before: usize, line: &str) -> usize {
    line.bytes().fold(before, |open, byte| match byte {
        b'[' | b'{' => open + 1,
        b']' | b'}' => open.saturating_sub(1),
        _ => open,
    })
}

/// A line with those after it that end its list, and how many those are.
fn whole_list(first: &str, rest: &[&str], open: usize) -> Option<(String, usize)> {
    let mut joined = first.to_owned();
    let mut open = open;
    for (i, line) in rest.iter().take(LONGEST_LIST).enumerate() {
        joined.push(' ');
        joined.push_str(line);
        open = still_open(open, line);
        if open == 0 {
            return Some((joined, i + 1));
        }
    }
    None
}
