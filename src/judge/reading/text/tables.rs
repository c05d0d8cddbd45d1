//! Tables in a text: a header and rows, of which each is read as fields with the header's names.

use super::boards::Boards;
use super::claims::{Claim, Scanner};
use super::labels::{Roles, roles};
use super::lex::Text;

/// Splits a row; without a sign between its fields, at spaces.
fn fields(line: &str, separator: Option<char>) -> Vec<&str> {
    let Some(separator) = separator else {
        return line.split_whitespace().collect();
    };
    let mut quoted = 0;
    let fields = line.trim().trim_matches('|').split(move |c: char| {
        match c {
            '"' => quoted ^= 1,
            '[' | '(' => quoted += 2,
            ']' | ')' if quoted > 1 => quoted -= 2,
            _ => {}
        }
        quoted == 0 && c == separator
    });
    fields.map(|field| field.trim().trim_matches('"')).collect()
}

fn is_number(field: &str) -> bool {
    field.parse::<f64>().is_ok()
}

/// The names of the columns, if a line is a header, and what separates them.
fn header(line: &str) -> Option<(Vec<&str>, Option<char>)> {
    if line.len() > 1000 || line.contains([':', '=', '{', '[', '(']) {
        return None;
    }
    let separator = [',', '\t', ';', '|', '│']
        .into_iter()
        .find(|&c| line.trim_matches(['|', '│', ' ']).contains(c));
    let names = fields(line, separator);
    let apart = separator.is_some() || line.trim().contains("  ");
    let named =
        apart && names.len() > 1 && names.iter().all(|name| !is_number(name) && name.len() < 40);
    let of_length = |name: &&str| {
        let said = roles(name);
        said.has(Roles::LENGTH | Roles::MOVES | Roles::ANSWER | Roles::DEPTH)
            && !said.has(Roles::NOT_ANSWER)
    };
    (named && names.iter().any(of_length)).then_some((names, separator))
}

impl Scanner<'_, '_> {
    /// Reads a table whose header stands in a line; returns the line after its rows.
    pub fn table(&mut self, line: usize) -> Option<usize> {
        let raw = |line: usize| {
            self.text
                .lines
                .get(line)
                .map(|line| self.text.text[line.bytes.clone()].trim_end())
        };
        let (names, separator) = header(raw(line)?)?;
        let mut claims = Vec::new();
        let mut next = line + 1;
        while let Some(row) = raw(next) {
            let cells = fields(row, separator);
            let is_rule = row.contains(['-', '─', '=']) && !row.contains(char::is_alphanumeric);
            if is_rule {
                next += 1;
                continue;
            }
            let more = cells.len().checked_sub(names.len());
            let Some(more) = more.filter(|_| cells.iter().any(|cell| is_number(cell))) else {
                break;
            };
            // The number of a row, or a list without quotes in the last column.
            let index = usize::from(more == 1 && !(is_number(cells[0]) && cells[0].len() > 3));
            claims.push((next, self.row(&names, &cells, index)));
            next += 1;
        }
        if claims.is_empty() {
            return None;
        }
        for (line, (name, of_row)) in claims {
            self.enter(name.unwrap_or_default());
            of_row
                .into_iter()
                .for_each(|claim| self.claim(line, claim.strong, claim.what));
            self.last_line = line;
        }
        Some(next)
    }

    /// The claims of a row, and the name that it begins with.
    fn row(&self, names: &[&str], cells: &[&str], index: usize) -> (Option<String>, Vec<Claim>) {
        let mut text: String = names
            .iter()
            .zip(&cells[index..])
            .map(|(name, cell)| format!("{name}: {cell}\n"))
            .collect();
        let rest = cells.get(index + names.len()..).unwrap_or(&[]);
        if !rest.is_empty() {
            text.truncate(text.len() - 1);
            text.push_str(&format!(", {}", rest.join(", ")));
        }
        let text = Text::new(&text);
        let placed = Boards::of(&text, self.puzzle.numbering).all();
        if placed
            .first()
            .is_some_and(|first| ![self.puzzle.start, self.puzzle.goal].contains(&first.board))
        {
            return (None, Vec::new());
        }
        let mut scanner = Scanner::new(&text, self.puzzle, &placed);
        for line in 0..text.lines.len() {
            scanner.line(line);
        }
        let name = cells
            .iter()
            .find(|cell| cell.contains(char::is_alphabetic) && cell.len() < 40);
        (name.map(|name| name.to_lowercase()), scanner.claims)
    }
}
