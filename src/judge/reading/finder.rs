//! Going through a text and noting every candidate in it.

use crate::judge::answer::{Answer, Path};
use crate::puzzle::{Board, Move};

use super::claim::{ClaimError, Reader, shorten};
use super::columns::Columns;
use super::length::whole_number;
use super::moves::{self, is_legend, paths};
use super::near::{self, Nearness};
use super::pairs::{self, pairs};
use super::rows::{Row, Rows};
use super::steps::Steps;
use super::vocabulary::{
    Label, Role, algorithm, is_none, is_unit, length_told, role, says_none, words,
};
use super::{json, python, table};

/// How surely a path is meant as the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// It is shown for whatever reason: boards on the way, moves within a sentence.
    Shown,
    /// It fills a line, or lines one after the other.
    Line,
    /// It stands under a label such as path, solution or moves, or under a key or column of a record.
    Labelled,
}

/// A stretch of text read as a path.
#[derive(Debug)]
pub(super) struct Candidate {
    /// All that it can mean, the likeliest first.
    pub paths: Vec<Path>,
    pub strength: Strength,
    pub line: usize,
    /// The algorithm whose answer it is, where the text names one.
    pub section: Option<&'static str>,
    /// A number in the place of a path, which can be its length as well.
    pub lone: Option<u64>,
}

/// A length that the text tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub length: u64,
    /// How sure it is that it is the solution's; smaller is surer. See the constants.
    pub rank: u8,
    pub section: Option<&'static str>,
}

/// Under a label for lengths, or beside the path itself.
pub(super) const LABELLED: u8 = 1;
/// In a sentence that tells it.
pub(super) const SENTENCE: u8 = 2;
/// Under a label such as depth, which is often printed for other reasons.
pub(super) const DEPTH: u8 = 3;
/// A number with its unit on a line of its own.
const ALONE: u8 = 4;
/// A number on a line of its own.
pub(super) const BARE: u8 = 9;

/// What was found in a text.
pub(super) struct Finder<'a> {
    pub board: Board,
    /// How the boards of this shape are numbered.
    pub reader: &'a Reader,
    goal: Board,
    pub candidates: Vec<Candidate>,
    pub lengths: Vec<Told>,
    /// The sections in which the text says that there is no solution.
    pub none: Vec<Option<&'static str>>,
    /// A path under a label that cannot be read: its line and text.
    pub unreadable: Option<(usize, String)>,
    /// What looks like a path and cannot be read.
    pub doubtful: Option<(usize, String)>,
    /// Lines that are not empty.
    pub lines: usize,
    /// Are there boards, or rows that make none?
    pub boards: bool,
    /// Are there rows that make no board?
    pub broken: bool,
    /// Boards other than the start and the goal.
    pub between: u64,
    line: usize,
    section: Option<&'static str>,
    /// Was the line before `Path:` or the like?
    path_next: bool,
    rows: Rows,
    /// Lines that are a part of a board so far, which may come to nothing.
    parts: Vec<String>,
    /// Boards from the start on, of which each is one move from the one before.
    chain: Vec<Board>,
    /// Was the board to be solved among those that were seen?
    start_seen: bool,
    steps: Steps,
    /// All steps so far, in however many lists.
    all_steps: Steps,
    step_lines: usize,
    /// The columns of the table that the lines are rows of, and what separates them.
    table: Option<(Columns, u8)>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(board: &Board, goal: &Board, reader: &'a Reader) -> Finder<'a> {
        Finder {
            board: *board,
            reader,
            goal: *goal,
            candidates: Vec::new(),
            lengths: Vec::new(),
            none: Vec::new(),
            unreadable: None,
            doubtful: None,
            lines: 0,
            boards: false,
            broken: false,
            between: 0,
            line: 0,
            section: None,
            path_next: false,
            rows: Rows::new(board.shape(), reader.numbering.of(board.shape())),
            parts: Vec::new(),
            chain: Vec::new(),
            start_seen: false,
            steps: Steps::default(),
            all_steps: Steps::default(),
            step_lines: 0,
            table: None,
        }
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, line: &str) {
        self.line += 1;
        self.lines += usize::from(!line.trim().is_empty());
        match self.rows.take(line) {
            Row::Board(board) => {
                let before = std::mem::take(&mut self.parts).len();
                if before >= board.shape().rows() {
                    self.no_board(); // rows that belong to no board
                }
                self.see(board);
            }
            Row::Part => self.parts.push(line.trim().to_owned()),
            Row::Frame => {}
            Row::No => {
                self.leftover();
                let line = line.trim_matches([' ', '\t', '*', '`']);
                if !line.is_empty() {
                    self.words(line);
                }
            }
        }
    }

    /// Ends the text.
    pub(super) fn finish(&mut self) {
        self.leftover();
        let steps = std::mem::take(&mut self.steps);
        self.end_steps(steps);
        let all = std::mem::take(&mut self.all_steps);
        // A step among them that cannot be read leaves only the lists between such lines.
        if !all.is_empty() && self.doubtful.is_none() {
            let labelled = all.labelled || self.step_lines == self.lines;
            self.propose_steps(&all, labelled);
        }
        if self.lines == 1 {
            for candidate in &mut self.candidates {
                let legend = |path: &Path| matches!(path, Path::Directions(m) if is_legend(m));
                if candidate.strength == Strength::Line && !candidate.paths.iter().any(legend) {
                    candidate.strength = Strength::Labelled;
                }
            }
        }
    }

    /// A line that looked like the row of a board may be the length, or tiles that slide.
    fn leftover(&mut self) {
        let mut parts = std::mem::take(&mut self.parts);
        if parts.len() > 1 || !parts.is_empty() && self.boards {
            self.no_board();
        }
        if parts.len() == 1 {
            self.words(&parts.pop().expect("one"));
        }
    }

    /// There is something like a board that is none, so the boards before and after it are no path.
    fn no_board(&mut self) {
        (self.boards, self.broken) = (true, true);
        self.chain.clear();
    }

    /// The paths that a text can mean; none if a part of it is left out.
    fn paths(&self, text: &str) -> Option<Vec<Path>> {
        if text.ends_with(['…']) || text.ends_with("..") {
            return None;
        }
        let shape = self.board.shape();
        paths(text.as_bytes(), shape, self.reader.numbering)
    }

    fn words(&mut self, line: &str) {
        if self.object_within(line) || self.table_row(line) || self.own_form(line) {
            return;
        }
        let pairs = pairs(line);
        let first_label = pairs.first().map(|&(label, _)| label);
        if self.step(line, first_label) {
            return;
        }
        // A line beside them that looks like a step and is none spoils the steps before and after it.
        let steps = std::mem::take(&mut self.steps);
        self.line_of_words(line, &pairs);
        let is_doubtful = self.doubtful.as_ref();
        let is_doubtful = is_doubtful.is_some_and(|(line, _)| *line == self.line);
        let has_path = |c: &Candidate| c.line == self.line && c.strength > Strength::Shown;
        let spoils = is_doubtful || self.candidates.last().is_some_and(has_path);
        if !spoils {
            self.end_steps(steps);
        }
        self.steps.spoiled = spoils;
    }

    /// A line that is neither a record nor a step.
    fn line_of_words(&mut self, line: &str, pairs: &[(&str, &str)]) {
        let path_next = line
            .strip_suffix(':')
            .is_some_and(|label| Label::of(label).path && !Label::of(label).other);
        let path_here = std::mem::replace(&mut self.path_next, path_next);
        let candidates = self.candidates.len();
        let mut used = false;
        for &(label, value) in pairs {
            used |= self.pair(label, value);
        }
        if let Some(at) = line.find('[').filter(|&at| at > 0 && pairs.is_empty()) {
            used |= self.pair(&line[..at], &line[at..]);
        }
        if !used {
            self.sentence(line, path_here);
        }
        if self.candidates.len() == candidates
            && let Some(name) = algorithm(line)
        {
            self.section = Some(name);
        }
    }

    fn propose(&mut self, strength: Strength, paths: Vec<Path>) {
        self.candidates.push(Candidate {
            paths,
            strength,
            line: self.line,
            section: self.section,
            lone: None,
        });
    }

    fn tell(&mut self, rank: u8, length: u64) {
        let section = self.section;
        self.lengths.push(Told {
            length,
            rank,
            section,
        });
    }

    /// What stands behind a label; was it anything?
    fn pair(&mut self, label: &str, value: &str) -> bool {
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
        let role = role(label).map(|(role, _)| role);
        let is_path = kind.path || role == Some(Role::Path);
        let beside = length_told(label).filter(|_| is_path);
        if let Some((length, with_unit)) = number(value).filter(|_| beside.is_none()) {
            return self.labelled_number(kind, is_path, length, with_unit);
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
                        true if !Label::of(value).path => Strength::Shown,
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
    fn labelled_number(&mut self, kind: Label, is_path: bool, length: u64, unit: bool) -> bool {
        if kind.other && kind.length.is_none() {
            return false;
        }
        if is_path && kind.length != Some(0) && !unit {
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
            None if is_path => self.tell(DEPTH, length),
            None => return false,
        }
        true
    }

    /// A value that is no path: does it look like one?
    fn unread_value(&mut self, value: &str, kind: Label, is_path: bool) -> bool {
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

    fn doubt(&mut self, text: &str) {
        self.doubtful = Some((self.line, shorten(text.as_bytes())));
    }

    /// The paths in a value, and the length that is told beside them: `RD (2 moves)`, `2: RD`.
    fn value(&self, value: &str) -> Option<(Vec<Path>, Option<u64>)> {
        if let Some(paths) = self.paths(value) {
            return Some((paths, None));
        }
        let (rest, length) = pairs::without_length(value);
        if length.is_some() && !rest.is_empty() {
            return Some((self.paths(&rest)?, length));
        }
        let (moves, length) = moves::beside_number(value)?;
        Some((vec![Path::Directions(moves)], Some(length)))
    }

    /// A line without any label that is known. `path_here` if the line before was `Path:` or the like.
    fn sentence(&mut self, line: &str, path_here: bool) {
        if is_none(line.as_bytes()) || says_none(line) {
            return self.none.push(self.section);
        }
        if let Some(length) = whole_number(line.as_bytes()) {
            match line.len() > 6 {
                true => self.no_board(), // a cell is missing
                false => self.tell(BARE, length),
            }
            return;
        }
        if let Some((length, _)) = number(line) {
            return self.tell(ALONE, length);
        }
        let found = self.value(line);
        if let Some((paths, length)) = found.filter(|(paths, _)| !is_no_path(line, paths)) {
            if let Some(board) = only_board(&paths) {
                return self.see(board);
            }
            let length = length.or_else(|| length_told(line));
            let strength = match path_here || length.is_some() {
                true => Strength::Labelled,
                false => Strength::Line,
            };
            self.propose(strength, paths);
            length
                .into_iter()
                .for_each(|length| self.tell(LABELLED, length));
            return;
        }
        if let Some(length) = length_told(line) {
            self.tell(SENTENCE, length);
        }
        let nearness = match path_here && !line.contains(' ') {
            true => near::of_value(line),
            false => self.last_word(line).unwrap_or_else(|| near::of_line(line)),
        };
        match nearness {
            Nearness::Other => self.stray(line),
            Nearness::Doubtful | Nearness::Moves => self.doubt(line),
        }
    }

    /// Takes a run of capital letters at the end of a sentence about a path, as in `The moves are RD`,
    /// and tells how it looks if it is none.
    fn last_word(&mut self, line: &str) -> Option<Nearness> {
        let (before, last) = line.rsplit_once(' ')?;
        let last = last.trim_end_matches(['.', '!']);
        let capitals = last.len() > 1 && last.bytes().all(|b| b.is_ascii_uppercase());
        if !capitals || !Label::of(before).path {
            return None;
        }
        match self.paths(last) {
            Some(paths) => self.propose(Strength::Line, paths),
            None => return Some(near::of_line(last)),
        }
        Some(Nearness::Other)
    }

    /// Proposes the runs of moves within a text.
    fn stray(&mut self, text: &str) {
        for run in moves::runs(text) {
            self.propose(Strength::Shown, vec![Path::Directions(run)]);
        }
    }

    /// Takes one step; was it one?
    fn step(&mut self, line: &str, label: Option<&str>) -> bool {
        let is_path = label.is_some_and(|label| {
            let counted = label.contains(|c: char| c.is_ascii_digit());
            let after = words(label)
                .next()
                .is_some_and(|w| w.eq_ignore_ascii_case("after"));
            let told = !after && length_told(label).is_some();
            let kind = Label::of(label);
            kind.path && (!counted || told) || kind.other || algorithm(label).is_some()
        });
        let step = moves::step(line, self.board.shape(), self.reader.numbering);
        let Some((mv, numbers)) = step.filter(|_| !is_path) else {
            return false;
        };
        if self.steps.begin_again(&numbers) {
            let steps = std::mem::take(&mut self.steps);
            self.end_steps(steps);
        }
        self.push_step(mv, numbers);
        true
    }

    fn push_step(&mut self, mv: Move, numbers: Vec<u32>) {
        self.step_lines += 1;
        self.steps.labelled |= std::mem::take(&mut self.path_next);
        self.steps.push(mv, numbers, self.line);
    }

    /// Takes a list of steps that is at its end.
    fn end_steps(&mut self, steps: Steps) {
        if !steps.is_empty() && !steps.spoiled {
            self.all_steps.extend(&steps);
            self.propose_steps(&steps, steps.labelled);
        }
    }

    fn propose_steps(&mut self, steps: &Steps, labelled: bool) {
        let shape = self.board.shape();
        let strength = match labelled {
            true => Strength::Labelled,
            false => Strength::Line,
        };
        self.propose(strength, steps.paths(shape, self.reader.numbering));
        self.candidates.last_mut().expect("just proposed").line = steps.line;
    }

    /// Takes a board that is drawn or stands alone. Boards that follow each other from the start to
    /// the goal are a path; others are printed for whatever reason.
    fn see(&mut self, board: Board) {
        self.boards = true;
        self.between += u64::from(board != self.board && board != self.goal);
        let goes_on = |from: &Board| is_move(from, &board);
        match self.chain.last() {
            // The start is often shown twice.
            Some(last) if *last == board && self.chain.len() == 1 => return,
            Some(last) if goes_on(last) => self.chain.push(board),
            _ if board == self.board => self.chain = vec![board],
            // Where the start is not shown, the list begins with the board after the first move.
            None if !self.start_seen && goes_on(&self.board) => {
                self.chain = vec![self.board, board];
            }
            _ => self.chain.clear(),
        }
        self.start_seen |= board == self.board;
        if board == self.goal && self.chain.len() > 1 {
            let boards = self.chain[1..].to_vec();
            self.propose(Strength::Shown, vec![Path::Boards(boards)]);
        }
    }

    /// Takes a board behind a label: the goal is no step of the way to it.
    fn see_labelled(&mut self, label: &str, board: Board) {
        match role(label) {
            Some((Role::Goal, _)) => self.boards = true,
            _ => self.see(board),
        }
    }

    /// Takes a JSON object, or a dict of Python, with an answer; was it one?
    pub(super) fn object(&mut self, text: &str) -> bool {
        if !text.starts_with('{') {
            return false;
        }
        let object = json::parse(text.as_bytes());
        let object = object.or_else(|_| json::parse(python::to_json(text).as_bytes()));
        let answer = object
            .ok()
            .and_then(|object| json::answer(&object, &self.board, self.reader));
        answer.is_some_and(|answer| self.record(answer))
    }

    /// Takes an object at the end of a line.
    fn object_within(&mut self, line: &str) -> bool {
        line.find('{').is_some_and(|at| self.object(&line[at..]))
    }

    /// Takes a header or a row of a table; was it one?
    fn table_row(&mut self, line: &str) -> bool {
        let Some((columns, separator)) = &self.table else {
            // A list behind a label is none: `Path: a, b, c`.
            let is_table = |c: &Columns| c.count >= 3 && c.known() >= 2;
            self.table = Columns::of_header(line).filter(|(columns, _)| is_table(columns));
            return self.table.is_some();
        };
        let row = table::row(line, *separator).filter(|row| row.len() >= columns.count);
        let Some(row) = row else {
            self.table = None;
            return false;
        };
        let board = self
            .reader
            .numbering
            .board(&table::field(columns, &row, Role::Board));
        if board.is_ok_and(|board| board != self.board) {
            return true; // the answer to another board
        }
        let fields = table::claim_fields(columns, &row);
        let answer = columns
            .claimed(|role| &fields[role as usize])
            .answer(&self.board, self.reader);
        self.record(answer)
    }

    /// Takes the line that begins with the board, as `board length moves`; was it one?
    fn own_form(&mut self, line: &str) -> bool {
        if line.starts_with(char::is_alphabetic) || line.contains("<-") {
            return false;
        }
        match self.reader.line(line.as_bytes()) {
            Ok(claim) if claim.board == self.board => {
                if let [Path::Boards(boards)] = &claim.answer.candidates[..] {
                    // It may tell no more than the start and the goal.
                    self.see(claim.board);
                    boards.iter().for_each(|&board| self.see(board));
                    return true;
                }
                self.record(Ok(claim.answer))
            }
            _ => false,
        }
    }

    /// Takes an answer in a form that leaves no doubt; was there anything?
    fn record(&mut self, answer: Result<Answer, ClaimError>) -> bool {
        match answer {
            Ok(answer) => {
                if answer.unsolvable {
                    self.none.push(self.section);
                }
                let lone = answer.length.filter(|_| answer.length_or_tile);
                if !answer.candidates.is_empty() {
                    self.propose(Strength::Labelled, answer.candidates);
                    self.candidates.last_mut().expect("just proposed").lone = lone;
                }
                if let Some(length) = answer.length.filter(|_| lone.is_none()) {
                    self.tell(0, length);
                }
                true
            }
            Err(ClaimError::Moves { text, .. }) => {
                self.unreadable = Some((self.line, text));
                true
            }
            Err(_) => false,
        }
    }
}

fn is_move(from: &Board, to: &Board) -> bool {
    Move::ALL.iter().any(|&mv| from.slide(mv) == Some(*to))
}

/// The number of a value such as `26` or `26 moves`, and whether it has its unit.
pub(super) fn number(value: &str) -> Option<(u64, bool)> {
    let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
    let unit = rest.trim();
    let length = whole_number(number.as_bytes())?;
    (unit.is_empty() || is_unit(unit)).then_some((length, !unit.is_empty()))
}

/// The board of a text that is nothing but one.
fn only_board(paths: &[Path]) -> Option<Board> {
    match paths {
        [.., Path::Boards(boards)] if boards.len() == 1 => Some(boards[0]),
        _ => None,
    }
}

/// Are these no moves that fill a line: none at all, or the number of a sentence such as `Step 1`?
fn is_no_path(line: &str, paths: &[Path]) -> bool {
    match paths {
        [Path::Tiles(_), ..] => line.contains(char::is_alphabetic),
        [Path::Directions(moves)] => moves.is_empty(),
        _ => false,
    }
}
