//! Claims of a text: what each line says, read line by line.

use rustc_hash::FxHashMap;

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{ClaimError, Reader, is_end, lone_number};
use crate::puzzle::{Board, Move};

use super::boards::{Boards, Chain};
use super::clauses::clauses;
use super::column::Column;
use super::lengths::{MOST_MOVES, length, says_none, sense};
use super::lex::{Token, lex, numbers};
use super::lists::{Found, MOST_STEPS, Question, cut, is_steps, is_unknown, list};
use super::words::Sense;

/// What an algorithm claims, or all of a text that names none. Of each kind the last claim is kept, with its line.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// A path; one that is not strong solves the board.
    pub path: Option<Found>,
    /// A length, and whether its label names a length or a cost.
    pub length: Option<(usize, u64, bool)>,
    pub unsolvable: Option<usize>,
    pub gave_up: Option<usize>,
    /// Steps that were not understood, or do not solve the board.
    pub unread: Option<usize>,
    /// Whether the goal was reached.
    pub solved: bool,
}

/// Sections that are kept apart.
const MOST_SECTIONS: usize = 32;

/// Most lists without a label that are tried beside one that solves the board.
const MOST_TRIES: usize = 4;

/// Reads the lines of a text.
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub reader: &'a Reader,
    pub asked: Question,
    pub boards: Boards,
    chain: Chain,
    /// The last boards from the start to the goal.
    pub way: Option<Found>,
    /// Place of the first board of the last chain from the start that ends elsewhere, and number of its boards.
    pub broken: Option<(usize, usize)>,
    pub sections: Vec<Section>,
    names: FxHashMap<String, usize>,
    section: usize,
    /// What the last heading says.
    heading: Sense,
    column: Option<Column>,
    /// Whether the last line may be a step that was not understood.
    strange: bool,
    /// Whether a thought, or a traceback, is skipped.
    aside: [bool; 2],
    pub last_line: usize,
    /// Number of lists without a label that do not solve the board.
    tries: usize,
    /// What the longest column claims.
    pub longest: Option<Found>,
    /// The steps of all lines with one, and the last of these lines.
    pub steps: (Vec<Move>, usize),
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, reader: &'a Reader, start: Board, goal: Board) -> Scan<'a> {
        let (numbering, only) = (reader.numbering.of(start.shape()), reader.only);
        let asked = Question {
            start,
            goal,
            numbering,
            only,
        };
        Scan {
            text,
            reader,
            asked,
            boards: Boards::new(numbering),
            chain: Chain::default(),
            way: None,
            broken: None,
            sections: vec![Section::default()],
            names: FxHashMap::default(),
            section: 0,
            heading: Sense::default(),
            column: None,
            strange: false,
            aside: [false; 2],
            last_line: 0,
            tries: 0,
            longest: None,
            steps: (Vec::new(), 0),
        }
    }

    fn here(&mut self) -> &mut Section {
        &mut self.sections[self.section]
    }

    /// Reads a line.
    pub(super) fn line(&mut self, number: usize, text: &'a str, tokens: &mut Vec<Token<'a>>) {
        if self.is_aside(text) {
            return;
        }
        lex(text, tokens);
        let says =
            |token: &Token<'_>| token.is_word() || token.number().is_some() || is_steps(token);
        let inner = text
            .trim()
            .strip_prefix('<')
            .and_then(|rest| rest.strip_suffix('>'));
        let is_tag =
            |tag: &str| tag.len() > 1 && tag.chars().all(|c| c == '/' || c.is_alphanumeric());
        if !tokens.iter().any(says) || inner.is_some_and(is_tag) {
            return; // a frame, or a tag
        }
        self.last_line = number;
        let placed = self.boards.placed.len();
        if self.boards.push(number, tokens) {
            if self.boards.placed.len() > placed {
                self.placed(number, placed);
                self.record(number, text, tokens);
            }
            return;
        }
        if sense(tokens).has(Sense::ALGORITHM) {
            self.enter(tokens);
        }
        if self.column(number, text, tokens) {
            return self.heading = Sense::default();
        }
        let (clauses, said) = (clauses(tokens), sense(tokens));
        let begins = text.len() - text.trim_start().len();
        for &[label, value] in &clauses {
            let first = label
                .first()
                .or(value.first())
                .is_some_and(|token| token.start == begins);
            let unlabelled = sense(label) == Sense::default();
            let above = if first && unlabelled {
                self.heading
            } else {
                Sense::default()
            };
            self.clause(number, [label, value], above, said);
        }
        self.head(number, tokens, &clauses);
    }

    /// Keeps what a line says as the heading of those below it, or that it may be a step that was not understood.
    fn head(&mut self, line: usize, tokens: &[Token<'_>], clauses: &[[&[Token<'_>]; 2]]) {
        let said = sense(tokens);
        let labelled = clauses.iter().any(|[label, _]| !label.is_empty());
        let section = self.here();
        let read = section.path.as_ref().is_some_and(|path| path.line == line);
        if !read && is_strange(tokens) && !(labelled && length(tokens, false).is_some()) {
            section.unread = Some(line);
        }
        let opens = clauses.last().is_none_or(|[_, value]| value.is_empty());
        let opens = opens || !labelled && numbers(tokens).next().is_none();
        let names = labelled && said.has(Sense::OTHER) || said.has(Sense::ANSWER | Sense::MOVES);
        self.heading = if opens && names && !read {
            said
        } else {
            Sense::default()
        };
    }

    /// Reads a clause below a heading, in a line that says `said`.
    fn clause(
        &mut self,
        line: usize,
        [label, value]: [&[Token<'a>]; 2],
        above: Sense,
        said: Sense,
    ) {
        let last = |tokens: &[Token<'_>]| {
            let from = tokens
                .iter()
                .rposition(|token| token.is(",;"))
                .map_or(0, |at| at + 1);
            sense(&tokens[from..])
        };
        let opens = |token: &Token<'_>| token.sense.has(Sense::ANSWER | Sense::IS);
        let tail = &value[value.iter().rposition(opens).map_or(0, |at| at + 1)..];
        let [before, steps, behind] = cut(value);
        let inner = if steps.is_empty() {
            &value[..value.len() - tail.len()]
        } else {
            before
        };
        let about = last(label) | above | last(inner);
        let named = about.has(Sense::ANSWER | Sense::MOVES);
        let labelled = named && (!label.is_empty() || above != Sense::default());
        let other = about.has(Sense::OTHER | Sense::TRACE)
            || about.has(Sense::COUNT) && !about.has(Sense::ANSWER);
        let ends = Sense::ANSWER | Sense::MOVES | Sense::IS | Sense::ALGORITHM | Sense::SOLVED;
        let joined = before
            .last()
            .is_none_or(|token| token.sense.has(ends) || token.is(","));
        let known = |token: &Token<'_>| {
            !token.is_word() || token.sense != Sense::default() && !is_steps(token)
        };
        let whole = joined && behind.iter().all(known) && !other;
        if let Some(mut found) = list(steps, line, &self.asked).filter(|_| whole) {
            let lengths = [value, label]
                .into_iter()
                .find_map(|tokens| length(tokens, false));
            found.answer.length = lengths.map(|length| length.0);
            let directions = steps.iter().any(is_steps);
            let named = named && (found.steps() > 1 || found.solves && about.has(Sense::ANSWER));
            self.tries +=
                usize::from(!named && !found.convinces() && found.steps() > 3 && directions);
            found.strong = named || found.convinces() && self.tries <= MOST_TRIES;
            if self.tries > MOST_TRIES && !named {
                found.solves = false;
            }
            return self.keep(found);
        }
        let listed =
            tail.first().is_some_and(|first| first.is("[({")) && numbers(tail).count() != 1;
        let words: Vec<Token<'_>> = tail
            .iter()
            .filter(|token| !is_end(token.text))
            .copied()
            .collect();
        let letters = |token: &Token<'_>| is_steps(token) && token.step.is_none();
        let unread = match steps {
            [] => named && (listed && labelled || is_unknown(&words)),
            [first, ..] => labelled || steps.iter().any(is_steps) || first.is("[("),
        };
        if unread && !other || label.iter().any(letters) {
            let says = |token: &Token<'_>| token.is_word() || token.number().is_some();
            let strong = labelled && !other && tail.iter().any(says);
            self.keep(Found {
                line,
                strong,
                ..Found::default()
            });
        }
        self.numbers(line, [label, value], said, other);
    }

    /// Reads a length, a lone number, or the statement that there is no solution.
    fn numbers(
        &mut self,
        line: usize,
        [label, value]: [&[Token<'a>]; 2],
        said: Sense,
        other: bool,
    ) {
        let (asked, about, beside) = (self.asked, sense(label), length(label, false));
        let counts = Sense::COUNT | Sense::OTHER | Sense::LENGTH | Sense::DEPTH | Sense::MOVES;
        let mut rest = value.iter().filter(|token| !token.is("[](){}\"'.,"));
        if let (Some(lone), None) = (rest.next().and_then(Token::number), rest.next())
            && about.has(Sense::ANSWER)
            && (!about.has(counts) || beside.is_some())
        {
            // The tile that slides, or else a length.
            let mut answer = lone_number(lone, &asked.start, asked.numbering);
            let solves = asked.is_solved_by(&answer.candidates);
            let bare = beside.is_none() && !value.iter().any(|token| token.is("[("));
            let sure = bare && (2..MOST_MOVES).contains(&lone);
            if let Some((length, _)) = beside {
                (answer.length, answer.length_or_tile) = (Some(length), false);
            }
            return self.keep(Found {
                line,
                answer,
                solves,
                sure,
                strong: true,
            });
        }
        let clause = [label, value].concat();
        let section = self.here();
        if let Some((moves, labelled)) = length(&clause, section.solved).filter(|_| !other) {
            let better = section.length.is_none_or(|other| other.2 <= labelled);
            if better && (moves > 0 || asked.start == asked.goal) {
                section.length = Some((line, moves, labelled));
            }
        }
        let clause_says = sense(&clause);
        section.solved |= clause_says.has(Sense::SOLVED) && !clause_says.has(Sense::NO);
        match says_none(&clause, said) {
            Some(true) if section.gave_up.is_none() => section.unsolvable = Some(line),
            Some(false) => {}
            _ => section.gave_up = Some(line),
        }
    }

    /// Whether a line is a thought, a quotation, or a place in a traceback.
    fn is_aside(&mut self, line: &str) -> bool {
        let [thought, trace] = self.aside;
        let thinks = thought || line.contains("<think");
        let traced = line.starts_with("Traceback") || trace && line.starts_with(' ');
        self.aside = [thinks && !line.contains("</think"), traced];
        let quoted = |rest: &str| rest.contains(|c: char| c.is_alphabetic() && c != 'v');
        thinks || traced || line.trim_start().strip_prefix("> ").is_some_and(quoted)
    }

    /// Takes the boards from a place on, which end in a line.
    fn placed(&mut self, line: usize, from: usize) {
        for place in from..self.boards.placed.len() {
            let placed = &self.boards.placed[..=place];
            let ends = [&self.asked.start, &self.asked.goal];
            if let Some(before) = self.chain.push(placed, line, ends) {
                self.end_chain(&before);
            }
        }
    }

    /// Keeps what a chain claims.
    fn end_chain(&mut self, chain: &Chain) {
        let start = &self.asked.start;
        if let Some(mut boards) = chain.solution(&self.boards.placed, [start, &self.asked.goal]) {
            let boards = boards.split_off(usize::from(boards[0] == *start));
            let mut found = self.asked.found(chain.line, vec![Path::Boards(boards)]);
            found.strong = found.steps() > 1;
            self.broken = None;
            if found.steps() > 0 {
                self.way = Some(found.clone());
                self.keep(found);
            }
        } else if chain.boards.first() == Some(start) {
            self.broken = Some((chain.first, chain.boards.len()));
        }
    }

    /// Keeps the answers of a record in the text, each in a section of its own.
    pub(super) fn records(&mut self, line: usize, answers: Vec<Result<Answer, ClaimError>>) {
        self.last_line = line;
        let several = answers.len() > 1;
        for answer in answers {
            if several && self.sections.len() < MOST_SECTIONS {
                self.section = self.sections.len();
                self.sections.push(Section::default());
            }
            let answer = answer.ok();
            let tile = |answer: &Answer| matches!(&answer.candidates[..], [Path::Tiles(tiles)] if tiles.len() == 1);
            let sure = answer
                .as_ref()
                .is_some_and(|answer| answer.length.is_some() || !tile(answer));
            let answer = answer.unwrap_or_default();
            let solves = self.asked.is_solved_by(&answer.candidates);
            self.here().path = Some(Found {
                line,
                answer,
                solves,
                sure,
                strong: true,
            });
        }
    }

    /// Reads a line that begins with the board as a record: a board, and a length or moves.
    fn record(&mut self, number: usize, line: &str, tokens: &[Token<'_>]) {
        if !tokens.iter().any(|token| token.is("([{<="))
            && let Ok(claim) = self.reader.line(line.as_bytes())
            && claim.board == self.asked.start
            && !matches!(claim.answer.candidates[..], [Path::Boards(_), ..])
        {
            self.records(number, vec![Ok(claim.answer)]);
        }
    }

    /// Goes to the section of the algorithm that a line names.
    fn enter(&mut self, tokens: &[Token<'_>]) {
        let names = tokens
            .iter()
            .filter(|token| token.sense.has(Sense::ALGORITHM));
        let name: String = names.map(|token| token.text.to_lowercase()).collect();
        let next = self.sections.len();
        let section = *self.names.entry(name).or_insert(next);
        if section == next && next < MOST_SECTIONS {
            self.sections.push(Section::default());
        }
        if section != self.section && section < self.sections.len() {
            self.end();
            self.section = section;
        }
    }

    /// Adds a line to a column; false if more than its one step is to be read.
    fn column(&mut self, line: usize, text: &str, tokens: &[Token<'_>]) -> bool {
        let next = Column::of_line(text, tokens);
        let strange = is_strange(tokens) && next.is_none();
        let torn = std::mem::replace(&mut self.strange, strange);
        let single = next
            .as_ref()
            .is_some_and(|next| next.single && !next.own.has(Sense::ANSWER));
        if let (Some(column), Some(next)) = (&mut self.column, &next)
            && column.push(next)
        {
            column.line = line;
            return single;
        }
        if let Some(column) = &mut self.column {
            column.torn |= strange;
        }
        self.end_column();
        let heading = self.heading;
        self.column = next.map(|next| {
            let label = heading | next.own;
            Column {
                line,
                label,
                torn,
                ..next
            }
        });
        single
    }

    /// Ends the column and the chain, and keeps what they claim.
    pub(super) fn end(&mut self) {
        self.end_column();
        let chain = std::mem::take(&mut self.chain);
        self.end_chain(&chain);
    }

    fn end_column(&mut self) {
        let Some(column) = self.column.take() else {
            return;
        };
        let mut tokens = Vec::new();
        lex(&column.text, &mut tokens);
        let directions = tokens.iter().any(is_steps);
        let found = list(&tokens, column.line, &self.asked).filter(|_| !column.torn);
        let Some(mut found) = found else {
            let unread = Some(column.line).filter(|_| directions);
            let section = self.here();
            section.unread = unread.or(section.unread);
            return;
        };
        let said = column.label;
        let several = column.lines > 1;
        let named = said.has(Sense::ANSWER | Sense::MOVES) && directions;
        let named = named && (several || found.solves && said.has(Sense::ANSWER));
        found.strong = column.single && named || several && found.convinces();
        let longest = self.longest.as_ref().map_or(0, Found::steps);
        if column.single && longest <= found.steps() {
            self.longest = Some(found.clone());
        }
        if said.has(Sense::OTHER | Sense::TRACE | Sense::GAVE_UP) {
            return;
        }
        if let [Path::Directions(moves), ..] = &found.answer.candidates[..]
            && column.single
            && self.steps.0.len() < MOST_STEPS
        {
            self.steps.0.extend(moves);
            self.steps.1 = column.line;
        }
        if found.strong || column.single && (directions || found.solves && several) {
            self.keep(found);
        }
    }

    /// Keeps a path.
    fn keep(&mut self, found: Found) {
        let section = self.here();
        let rank = |found: &Found| (found.strong, found.line);
        if !(found.strong || found.solves) {
            section.unread = Some(found.line);
        } else if section
            .path
            .as_ref()
            .is_none_or(|path| rank(path) <= rank(&found))
        {
            section.path = Some(found);
        }
    }
}

/// Whether a line may be a step that was not understood.
fn is_strange(tokens: &[Token<'_>]) -> bool {
    tokens.iter().filter(|token| token.is_word()).count() < 5 && is_unknown(tokens)
}
