//! Finding an answer in text that was written for people.

mod blocks;
mod lines;
mod rows;

use crate::oracle::{Answer, Way};
use crate::puzzle::{Board, Move, Numbering};

use super::columns::{Columns, Role};
use super::phrases::{Label, is_none, length_told, says_none, words};
use super::{Reader, fields, json, table, ways};
use rows::{Row, Rows};

pub(super) use blocks::claims;

/// See [`find_answer`](super::find_answer).
pub(super) fn find(text: &str, board: &Board, numbering: Numbering) -> Option<Answer> {
    let mut finder = Finder::new(board, numbering);
    if finder.object(text.trim()) {
        return finder.answer();
    }
    lines::each(text, |line| finder.line(line));
    finder.answer()
}

/// The best that was found so far: the smallest rank, and among equals the last.
struct Best<T>(Option<(u8, T)>);

impl<T> Best<T> {
    fn offer(&mut self, rank: u8, value: T) {
        if self.0.as_ref().is_none_or(|&(best, _)| rank <= best) {
            self.0 = Some((rank, value));
        }
    }
}

struct Finder<'a> {
    board: &'a Board,
    numbering: Numbering,
    path: Best<Vec<Way>>,
    length: Best<u64>,
    says_none: bool,
    /// Moves of which each stood on a line of its own.
    steps: Vec<Move>,
    rows: Rows,
    /// The boards from the last that is the start on, or all while that was not seen.
    boards: Vec<Board>,
    /// Lines that are a part of a board so far, which may come to nothing.
    parts: Vec<String>,
    /// The columns of the table that the lines are rows of, and what separates them.
    table: Option<(Columns, u8)>,
    /// Is the next board the goal, which is not on the way?
    goal_next: bool,
}

impl<'a> Finder<'a> {
    fn new(board: &'a Board, numbering: Numbering) -> Finder<'a> {
        Finder {
            board,
            numbering,
            path: Best(None),
            length: Best(None),
            says_none: false,
            steps: Vec::new(),
            rows: Rows::new(board.shape(), numbering),
            boards: Vec::new(),
            parts: Vec::new(),
            table: None,
            goal_next: false,
        }
    }

    fn ways(&self, text: &str) -> Option<Vec<Way>> {
        ways::ways(text.as_bytes(), self.board.shape(), self.numbering)
    }

    fn line(&mut self, line: &str) {
        match self.rows.take(line) {
            Row::Board(board) => {
                self.parts.clear();
                self.see(board);
                return;
            }
            Row::Part => {
                self.parts.push(line.to_owned());
                return;
            }
            Row::Frame => return,
            Row::No => self.flush(),
        }
        if !line.is_empty() {
            self.words(line);
        }
    }

    /// A board of a trace.
    fn see(&mut self, board: Board) {
        if std::mem::take(&mut self.goal_next) {
            return;
        }
        if board == *self.board {
            self.boards.clear();
        }
        self.boards.push(board);
    }

    /// Lines that looked like rows and made no board: a number alone may be the length.
    fn flush(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        if let [part] = &parts[..] {
            self.words(part);
        }
    }

    fn words(&mut self, line: &str) {
        if self.object(line) || self.table_row(line) || self.own_form(line) {
            return;
        }
        let mut heading = words(line);
        self.goal_next = heading
            .next()
            .is_some_and(|w| w.eq_ignore_ascii_case("goal"))
            && heading.all(|w| {
                ["state", "board", "configuration"]
                    .iter()
                    .any(|n| w.eq_ignore_ascii_case(n))
            });
        let separators = line.match_indices([':', '=']).map(|(i, _)| i).take(8);
        let mut labelled = false;
        for at in separators {
            labelled |= self.labelled(&line[..at], line[at + 1..].trim());
        }
        if let Some(at) = line.find('[').filter(|&at| at > 0 && !labelled) {
            labelled |= self.labelled(&line[..at], line[at..].trim());
        }
        if labelled {
            return;
        }
        if says_none(line) {
            self.says_none = true;
        } else if let Some(length) = fields::length(line.as_bytes()) {
            self.length.offer(9, length);
        } else if let Some(length) = length_told(line) {
            self.tell(2, length);
        } else if let Some(ways) = self.ways(line) {
            self.unlabelled(line, ways);
        }
        if let Some((before, last)) = line.rsplit_once(' ') {
            let last = last.trim_end_matches(['.', '!']);
            let run = last.len() > 1 && last.bytes().all(|b| b"UDLR".contains(&b));
            if run && Label::of(before).path {
                self.path.offer(2, self.ways(last).unwrap_or_default());
            }
        }
    }

    /// Takes a JSON object with an answer; was it one?
    fn object(&mut self, text: &str) -> bool {
        let object = text
            .starts_with('{')
            .then(|| json::parse(text.as_bytes()).ok());
        let found = object
            .flatten()
            .and_then(|object| json::length_and_path(&object));
        found.is_some_and(|(length, path)| self.fields(length.as_bytes(), path.as_bytes()))
    }

    /// Takes a header or a row of a table; was it one?
    fn table_row(&mut self, line: &str) -> bool {
        let Some((columns, separator)) = &self.table else {
            let header = Columns::of_header(line).filter(|(columns, _)| columns.count >= 3);
            self.table = header;
            return self.table.is_some();
        };
        let Some(row) = table::row(line, *separator) else {
            self.table = None;
            return false;
        };
        if row.len() < columns.count {
            self.table = None;
            return false;
        }
        let board = table::field(columns, &row, Role::Board);
        if self
            .shaped()
            .board(&board)
            .is_ok_and(|board| board != *self.board)
        {
            return true; // the answer to another board
        }
        let fields = table::claim_fields(columns, &row);
        let (length, path) = columns.length_and_path(|role| &fields[role as usize]);
        let (length, path) = (length.to_vec(), path.to_vec());
        self.fields(&length, &path)
    }

    fn shaped(&self) -> Numbering {
        Numbering {
            shape: Some(self.board.shape()),
            ..self.numbering
        }
    }

    /// Takes the line that begins with the board, as `board length moves`; was it one?
    fn own_form(&mut self, line: &str) -> bool {
        let reader = Reader {
            numbering: self.shaped(),
            only: None,
        };
        match reader.line(line.as_bytes()) {
            Ok(claim) if claim.board == *self.board => self.offer(claim.answer),
            _ => false,
        }
    }

    /// Takes a length and a path, either of which may be empty; was there anything?
    fn fields(&mut self, length: &[u8], path: &[u8]) -> bool {
        let Ok(answer) = fields::answer(length, path, self.board, self.numbering, None) else {
            return false;
        };
        self.offer(answer)
    }

    /// Takes an answer in a form that leaves no doubt.
    fn offer(&mut self, answer: Answer) -> bool {
        self.says_none |= answer.unsolvable;
        if let Some(length) = answer.length {
            self.length.offer(0, length);
        }
        if !answer.ways.is_empty() {
            self.path.offer(0, answer.ways);
        }
        true
    }

    /// Takes a length that the text tells.
    fn tell(&mut self, rank: u8, length: u64) {
        // A search that deepens fails at each limit before it finds something.
        self.says_none &= length == 0;
        self.length.offer(rank, length);
    }

    /// What stands behind a label; was it anything?
    fn labelled(&mut self, label: &str, value: &str) -> bool {
        let label = label.trim_end_matches(['.', '!', ' ']);
        let label = label.rsplit(['.', '!']).next().unwrap_or(label);
        let kind = Label::of(label);
        let value = value.trim_end_matches(['.', '!']);
        if value.is_empty() || label.len() > 200 {
            return false;
        }
        if let Some(length) = leading_length(value) {
            if let Some(rank) = kind.length {
                self.tell(rank, length);
            }
            return kind.length.is_some();
        }
        if (kind.path || kind.length.is_some()) && is_none(value.as_bytes()) {
            self.says_none = true;
            return true;
        }
        let Some(ways) = self.ways(value) else {
            return false;
        };
        if kind.step
            && let [Way::Directions(moves), ..] = &ways[..]
            && let [mv] = moves[..]
            && label.bytes().any(|b| b.is_ascii_digit())
        {
            self.steps.push(mv);
            return true;
        }
        if kind.path {
            if let Some(length) = length_told(label) {
                self.length.offer(1, length);
            }
            self.path.offer(1, ways);
        }
        kind.path
    }

    /// Moves that fill a line.
    fn unlabelled(&mut self, line: &str, ways: Vec<Way>) {
        match &ways[..] {
            [Way::Tiles(_), ..] if line.contains(char::is_alphabetic) => {} // such as "Step 1"
            [Way::Directions(moves)] if moves.len() == 1 => self.steps.extend(moves),
            [Way::Directions(moves)] if moves.is_empty() => {}
            [Way::Boards(boards)] if boards.len() == 1 => self.see(boards[0]),
            _ => self.path.offer(3, ways),
        }
    }

    fn answer(mut self) -> Option<Answer> {
        self.flush();
        if self.boards.first() == Some(self.board) {
            self.boards.remove(0);
        }
        // One board that is no move away is an echo, not a trace.
        let near = |next: &Board| {
            Move::ALL
                .iter()
                .any(|&mv| self.board.slide(mv) == Some(*next))
        };
        if self.boards.len() == 1 && !self.boards.iter().all(near) {
            self.boards.clear();
        }
        let traced = {
            let steps = (!self.steps.is_empty()).then_some(Way::Directions(self.steps));
            let boards = (!self.boards.is_empty()).then_some(Way::Boards(self.boards));
            steps.into_iter().chain(boards)
        };
        let (told, ways) = match self.path.0 {
            Some((_, ways)) => (true, ways),
            None => (false, traced.collect()),
        };
        let no_moves = |way: &Way| matches!(way, Way::Directions(moves) if moves.is_empty());
        if self.says_none && (!told || ways.iter().all(no_moves)) {
            return Some(Answer {
                unsolvable: true,
                ..Answer::default()
            });
        }
        // A depth or a bare number beside a path may be about something else.
        let surest = if told { 1 } else { u8::MAX };
        let length = self.length.0.filter(|&(rank, _)| rank <= surest);
        let length = length.map(|(_, length)| length);
        (length.is_some() || !ways.is_empty()).then_some(Answer {
            unsolvable: false,
            length,
            ways,
        })
    }
}

/// The number of a value such as `26` or `26 moves`.
fn leading_length(value: &str) -> Option<u64> {
    let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
    let unit = ["", "move", "moves", "step", "steps"].contains(&rest.trim());
    fields::length(number.as_bytes()).filter(|_| unit)
}

#[cfg(test)]
mod tests;
