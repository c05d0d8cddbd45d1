//! Where one record of a file ends and the next begins.

use super::format::Format;

/// The end of a record: where it ends, and where what follows begins.
type End = (usize, usize);

/// A text for people has no end but its own.
impl Format {
    /// The end of the last record that ends in `text`, which begins with a record.
    pub fn last_end(&self, text: &[u8]) -> Option<End> {
        if *self == Format::Lines {
            let newline = text.iter().rposition(|&byte| byte == b'\n')?;
            return Some((newline, newline + 1));
        }
        self.ends(text).last()
    }

    /// The end of the first record that ends at `from` or later in `text`, which begins with one.
    pub fn end_after(&self, text: &[u8], from: usize) -> Option<End> {
        self.ends(text).find(|end| end.0 >= from)
    }

    /// The ends of the records of a text. Rows end outside of quotes. Objects end with their closing brace; one that is
    /// not closed ends before the next line that begins with a brace.
    fn ends(&self, text: &[u8]) -> impl Iterator<Item = End> {
        let is_table = matches!(self, Format::Table(_));
        let is_row = *self != Format::Objects;
        let (mut depth, mut quoted, mut escaped, mut before) = (0usize, false, false, b'\n');
        let text = if *self == Format::Text { b"" } else { text };
        text.iter().enumerate().filter_map(move |(i, &byte)| {
            let last = std::mem::replace(&mut before, byte);
            let was_escaped = std::mem::take(&mut escaped);
            match byte {
                b'\n' if is_row => return (!quoted).then_some((i, i + 1)),
                // A quote opens a field at its beginning, or goes on after a doubled one.
                b'"' if is_table => quoted = !quoted && b"\n,\t;|\" ".contains(&last),
                _ if is_row => {}
                b'\n' => {
                    quoted = false; // no JSON string goes over lines
                    if depth > 0 && text.get(i + 1) == Some(&b'{') {
                        depth = 0;
                        return Some((i, i + 1));
                    }
                }
                _ if was_escaped => {}
                b'\\' => escaped = quoted,
                b'"' => quoted = !quoted,
                b'{' if !quoted => depth += 1,
                b'}' if !quoted && depth > 0 => {
                    depth -= 1;
                    return (depth == 0).then_some((i + 1, i + 1));
                }
                _ => {}
            }
            None
        })
    }
}

/// Cuts a text at the ends of JSON objects: `each` gets the number of the line, from 0, and the
/// object, or whatever else stands where one should.
pub(super) fn objects(text: &[u8], mut each: impl FnMut(u64, &[u8])) {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text); // a byte order mark
    let (mut rest, mut line) = (text, 0);
    let begins = |byte: &u8| !byte.is_ascii_whitespace() && !b",[]".contains(byte);
    while let Some(begin) = rest.iter().position(begins) {
        let (between, record) = rest.split_at(begin);
        let format = match record[0] {
            b'{' => Format::Objects,
            _ => Format::Lines,
        };
        let end = format.end_after(record, 0);
        let (end, next) = end.unwrap_or((record.len(), record.len()));
        line += newlines(between);
        each(line, &record[..end]);
        line += newlines(&record[..next]);
        rest = &record[next..];
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::records::Table;

    fn cut<'t>(format: &Format, text: &'t str) -> Vec<&'t str> {
        let (mut rest, mut all) = (text, Vec::new());
        while let Some((end, next)) = format.end_after(rest.as_bytes(), 0) {
            all.push(&rest[..end]);
            rest = &rest[next..];
        }
        if !rest.is_empty() {
            all.push(rest);
        }
        all
    }

    #[test]
    fn rows_end_outside_quotes() {
        let table = Table::of_header(b"board,length").unwrap();
        let rows = cut(
            &Format::Table(table),
            "a,b\n\"7 0 4\n8 5 1\n6 3 2\",\"say \"\"x\"\"\n\"\n5\",6\n",
        );
        assert_eq!(
            rows,
            [
                "a,b",
                "\"7 0 4\n8 5 1\n6 3 2\",\"say \"\"x\"\"\n\"",
                "5\",6"
            ]
        );
    }

    #[test]
    fn objects_end_with_their_brace() {
        let text = "[{\"a\":\"}\\\"{\",\"b\":{}},\n {\"c\":1}]";
        assert_eq!(Format::Objects.last_end(text.as_bytes()), Some((30, 30)));
        let mut seen = Vec::new();
        objects(text.as_bytes(), |line, o| {
            seen.push((line, String::from_utf8_lossy(o).into_owned()))
        });
        assert_eq!(
            seen,
            [
                (0, "{\"a\":\"}\\\"{\",\"b\":{}}".to_owned()),
                (1, "{\"c\":1}".to_owned())
            ]
        );
    }

    /// However a text is cut into pieces, the same objects are in them.
    #[test]
    fn pieces_have_the_objects_of_the_whole() {
        let text = "{\"a\":1}\n{\"b\":\n {\"c\":\"}\"}}\n{\"broken\n{\"d\":2},{\"e\":3}\n[{\"f\":4}]\n{\"g";
        let list = |text: &str| {
            let mut all = Vec::new();
            objects(text.as_bytes(), |_, o| {
                all.push(String::from_utf8_lossy(o).into_owned())
            });
            all
        };
        let whole = list(text);
        assert_eq!(whole.len(), 7);
        for from in 1..text.len() {
            let Some((end, next)) = Format::Objects.end_after(text.as_bytes(), from) else {
                continue;
            };
            assert_eq!(
                [list(&text[..end]), list(&text[next..])].concat(),
                whole,
                "{from}"
            );
        }
        let (end, next) = Format::Objects.last_end(text.as_bytes()).unwrap();
        assert_eq!([list(&text[..end]), list(&text[next..])].concat(), whole);
        assert_eq!(&text[next..], "]\n{\"g");
    }

    #[test]
    fn a_broken_object_does_not_swallow_the_next() {
        let text = "{\"a\": \"x\n{\"b\":1}\njunk\n{\"c\":2}\n";
        let mut seen = Vec::new();
        objects(text.as_bytes(), |line, o| seen.push((line, o.len())));
        assert_eq!(seen, [(0, 8), (1, 7), (2, 4), (3, 7)]);
    }
}
