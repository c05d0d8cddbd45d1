//! Claims of a text: what each line says, read line by line.

use rustc_hash::FxHashMap;

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{ClaimError, Reader, lone_number};
use crate::puzzle::{Board, Move};

use super::boards::{Boards, Placed};
use super::lengths::{Firmness, Statement, length, sense, statement, words};
use super::lex::{Kind, Token, behind, has, lex, numbers};
use super::lists::{List, MOST_STEPS, Question, is_steps, list, split_label};
use super::solving::Solving;
use super::words::Sense;

/// A path, or one that was not understood.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub line: usize,
    /// The path, and the length in its clause; `None` if it was not understood.
    pub list: Option<List>,
    /// Whether it is unmistakable, so that it may be accused.
    pub sure: bool,
}

impl Found {
    fn new(line: usize, list: Option<List>, sure: bool) -> Found {
        Found { line, list, sure }
    }

    pub(super) fn steps(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.steps)
    }

    pub(super) fn solves(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.solves)
    }
}

/// What an algorithm claims, or all of a text that names none. Of each kind the last claim is kept.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// Path behind a label.
    pub labelled: Option<Found>,
    /// Path without a label.
    pub bare: Option<Found>,
    pub length: Option<(usize, u64, Firmness)>,
    pub unsolvable: Option<usize>,
    pub gave_up: Option<usize>,
    /// Line that looks like steps and was not understood.
    pub unread: Option<usize>,
    /// Answer of a record.
    pub record: Option<(usize, Answer)>,
    /// Whether the goal was reached.
    pub solved: bool,
}

/// Lines with one step each.
#[derive(Debug)]
struct Column {
    /// Steps; none if each line has a tile.
    steps: Vec<Move>,
    /// The first and the last number of each line.
    numbers: Vec<Option<(u64, u64)>>,
    /// Tokens of a line, and the place of the step among them.
    form: (usize, usize),
    /// Whether each line has nothing but a step and words beside steps.
    strict: bool,
    line: usize,
    label: Sense,
    /// What the label of its lines says.
    own: Sense,
    /// Form of its lines.
    begin: Form,
    /// Whether a line beside it seems to be a step that was not understood.
    broken: bool,
}

/// A line, and what all of its words say.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
    said: Sense,
    /// Whether it is a line of a column.
    step: bool,
    /// Number of its tokens.
    whole: usize,
}

/// Numbers from here on are no lengths.
pub(super) const MOST_MOVES: u64 = 1_000_000;

/// Tokens of a label.
const LONGEST_LABEL: usize = 24;

/// Sections that are kept apart.
const MOST_SECTIONS: usize = 32;

/// Reads the lines of a text.
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub reader: &'a Reader,
    pub asked: Question,
    pub boards: Boards,
    pub sections: Vec<Section>,
    names: FxHashMap<String, usize>,
    section: usize,
    /// Lines at which another section begins.
    entered: Vec<(usize, usize)>,
    /// What the last heading says.
    heading: Sense,
    /// Whether it ends with a colon.
    opened: bool,
    column: Option<Column>,
    /// How the line before begins, if it seems to be a step that was not understood.
    doubtful: Option<Form>,
    /// Whether lines of a thought, or of a traceback, are skipped.
    aside: bool,
    pub last_line: usize,
    /// Steps that solve the board, wherever they stand.
    pub solving: Solving,
    /// The last line of the longest column, and what it can mean.
    pub longest: Option<(usize, Vec<Path>)>,
    /// The steps of all lines with one.
    pub steps: Vec<Move>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, reader: &'a Reader, start: Board, goal: Board) -> Scan<'a> {
        let numbering = reader.numbering.of(start.shape());
        let only = reader.only;
        Scan {
            text,
            reader,
            asked: Question {
                start,
                goal,
                numbering,
                only,
            },
            boards: Boards::new(start.shape(), numbering),
            sections: vec![Section::default()],
            names: FxHashMap::default(),
            section: 0,
            entered: Vec::new(),
            heading: Sense::default(),
            opened: false,
            column: None,
            doubtful: None,
            aside: false,
            last_line: 0,
            solving: Solving::new(start, goal),
            longest: None,
            steps: Vec::new(),
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
        if tokens.is_empty() {
            return;
        }
        self.last_line = number;
        let said = sense(tokens);
        let no_answer = Sense::OTHER | Sense::TRACE | Sense::GAVE_UP;
        let aside = (said | self.heading).has(no_answer);
        self.solving.line(if aside { &[] } else { tokens });
        if self.boards.push(number, tokens) {
            self.record(number, text, tokens);
            if !self.boards.words {
                return;
            }
        }
        if self.boards.row {
            let found =
                list(tokens, text, &self.asked).filter(|list| list.solves && !self.boards.second);
            self.opened = false;
            if let Some(list) = found {
                self.keep(Found::new(number, Some(list), false), false);
            }
            return;
        }
        let says =
            |token: &Token<'_>| token.is_word() || token.number().is_some() || is_steps(token);
        if !tokens.iter().any(says) {
            return; // a frame
        }
        if said.has(Sense::ALGORITHM) {
            self.enter(number, tokens);
        }
        if seems_step(tokens) {
            self.here().unread = Some(number);
        }
        let step = self.column(number, tokens);
        if step && tokens.len() == 1 {
            return self.heading = Sense::default();
        }
        let whole = tokens.len();
        self.fields(
            Line {
                number,
                text,
                said,
                step,
                whole,
            },
            tokens,
        );
    }

    /// Whether a line is a thought, a comment, a quotation, or a place in a traceback.
    fn is_aside(&mut self, line: &str) -> bool {
        let thinks = line.contains("<think");
        let within = self.aside && !line.starts_with(|c: char| c.is_alphabetic());
        self.aside = (within || thinks || self.aside && self.heading.has(Sense::OTHER))
            && !line.contains("</think")
            || line.starts_with("Traceback");
        if thinks {
            self.heading = Sense::OTHER;
        }
        let line = line.trim_start();
        let quoted = |rest: &str| rest.contains(|c: char| c.is_alphabetic() && c != 'v');
        within || thinks || self.aside || line.strip_prefix("> ").is_some_and(quoted)
    }

    /// Keeps the answers of a record in the text, each in a section of its own.
    pub(super) fn records(&mut self, line: usize, answers: Vec<Result<Answer, ClaimError>>) {
        self.last_line = line;
        let several = answers.len() > 1;
        for answer in answers {
            if several && self.sections.len() < MOST_SECTIONS {
                self.sections.push(Section::default());
                self.section = self.sections.len() - 1;
            }
            let doubt = |answer: &Answer| {
                let tile =
                    matches!(&answer.candidates[..], [Path::Tiles(tiles)] if tiles.len() == 1);
                tile && answer.length.is_none() && !self.asked.is_solved_by(&answer.candidates)
            };
            match answer {
                Ok(answer) if !doubt(&answer) => self.here().record = Some((line, answer)),
                _ => self.unread_label(line),
            }
        }
    }

    /// Reads a line that begins with the board as a record: a board, and a length or moves.
    fn record(&mut self, number: usize, line: &str, tokens: &[Token<'_>]) {
        let start = self.asked.start;
        let begins = |placed: &Placed| {
            placed.board == start && !placed.drawn && placed.at == tokens[0].start
        };
        if self.boards.placed.last().is_some_and(begins)
            && !has(tokens, "([{<=")
            && let Ok(claim) = self.reader.line(line.as_bytes())
            && claim.board == start
            && !matches!(claim.answer.candidates[..], [Path::Boards(_), ..])
        {
            self.here().record = Some((number, claim.answer));
        }
    }

    /// Goes to the section of the algorithm that a line names.
    fn enter(&mut self, line: usize, tokens: &[Token<'_>]) {
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
            self.end_column();
            self.section = section;
            self.entered.push((line, section));
        }
    }

    /// The section of a line.
    pub(super) fn section_at(&self, line: usize) -> usize {
        let next = self.entered.partition_point(|entered| entered.0 <= line);
        next.checked_sub(1).map_or(0, |at| self.entered[at].1)
    }

    /// Adds the line to a column; false if it is none of its lines.
    fn column(&mut self, line: usize, tokens: &[Token<'_>]) -> bool {
        let words = words(tokens);
        let steps = tokens.iter().filter(|token| is_steps(token)).count();
        if words == 0 && steps == 0 && self.column.is_some() {
            return false; // a row of a board
        }
        let numbers: Vec<u64> = numbers(tokens).collect();
        let place = tokens.iter().position(is_steps);
        let known = Sense::FILLER | Sense::MOVES;
        let beside =
            |token: &Token<'_>| !token.is_word() || is_steps(token) || token.sense.has(known);
        let sep = tokens.iter().position(|token| token.is_any(":="));
        let strict = tokens[sep.unwrap_or(0)..].iter().all(beside);
        let step = place.map(|place| &tokens[place]);
        let step = step.and_then(|step| {
            step.step
                .or_else(|| Move::from_letter(step.text.parse().ok()?))
        });
        let label = sep.map_or(Sense::default(), |sep| sense(&tokens[..sep]));
        let in_label = sep.is_some_and(|sep| place.is_some_and(|place| place < sep));
        let tiles = strict && words > 0 && sep.is_none() && (1..3).contains(&numbers.len());
        let said = sense(tokens);
        let prose = (said.has(Sense::ANSWER) || label.has(Sense::MOVES)) && !strict;
        let sentence = strict || tokens.iter().filter(|token| token.is_word()).count() > 2;
        let is_item = match steps {
            1 => step.is_some() && !in_label && !prose && sentence,
            _ => steps == 0 && tiles,
        };
        if steps == 1 && self.steps.len() < MOST_STEPS {
            self.steps.extend(step);
        }
        let form = (tokens.len(), place.unwrap_or(usize::MAX));
        let both = numbers.first().copied().zip(numbers.last().copied());
        let same = |column: &Column| {
            let alike = column.strict && strict && column.steps.is_empty() == step.is_none();
            (column.form == form || alike) && (sep.is_none() || column.own == label)
        };
        if is_item && let Some(column) = self.column.as_mut().filter(|column| same(column)) {
            if column.numbers.len() == MOST_STEPS {
                column.broken = true;
                return true;
            }
            column.steps.extend(step);
            column.numbers.push(both);
            column.line = line;
            column.strict &= strict;
            return true;
        }
        // A short line of which nothing is known, with the same beginning, seems to be a step.
        let is_known =
            |token: &Token<'_>| token.sense.has_other(Sense::BLANK | known) || token.is('!');
        let labelled = sep.is_some_and(|sep| tokens[..sep].iter().any(Token::is_word));
        let dots = tokens
            .windows(2)
            .any(|pair| pair[0].is('.') && pair[1].is('.'));
        let short = !is_item
            && !labelled
            && !dots
            && (1..3).contains(&words)
            && !tokens.iter().any(is_known);
        let ends = [kind(&tokens[0]), kind(&tokens[tokens.len() - 1])];
        let begin = (ends, numbers.is_empty());
        let doubtful = short.then_some(begin);
        if let Some(column) = &mut self.column {
            column.broken |= doubtful == Some(column.begin) && column.strict;
        }
        self.end_column();
        if is_item {
            let (own, label) = (label, self.heading | label);
            let broken = self.doubtful == Some(begin) && strict && sep.is_none();
            self.column = Some(Column {
                steps: Vec::from_iter(step),
                numbers: vec![both],
                form,
                strict,
                line,
                label,
                own,
                begin,
                broken,
            });
        }
        self.doubtful = doubtful;
        is_item
    }

    /// Ends the column and keeps what it claims.
    pub(super) fn end_column(&mut self) {
        let Some(column) = self.column.take() else {
            return;
        };
        let asked = self.asked;
        let first = |both: &Option<(u64, u64)>| both.map(|both| both.0);
        let counts = |from: u64| {
            (0..)
                .map(|i| from.checked_add(i))
                .zip(&column.numbers)
                .all(|(i, both)| i == first(both))
        };
        let begin = first(&column.numbers[0]).unwrap_or(0);
        let count = column.numbers.len();
        let numbered = count > 1 && (counts(0) || counts(1));
        let tile = |both: &Option<(u64, u64)>| {
            let tile = asked
                .numbering
                .tile(asked.start.shape(), u32::try_from((*both)?.1).ok()?);
            tile.filter(|&tile| tile > 0)
        };
        let beside = column.numbers.iter().flatten().any(|both| both.0 != both.1);
        let tiles = column.numbers.iter().map(tile).collect::<Option<Vec<u8>>>();
        let tiles = tiles.filter(|_| !numbered || beside).map(Path::Tiles);
        let any = Question {
            only: None,
            ..asked
        };
        let by_tiles = tiles
            .iter()
            .any(|tiles| any.is_solved_by(std::slice::from_ref(tiles)));
        let directions = !column.steps.is_empty();
        let mut paths = Vec::from_iter(directions.then_some(Path::Directions(column.steps)));
        if numbered && beside && tiles.is_some() && !by_tiles {
            paths.clear(); // the tiles named beside the directions do not slide
        }
        paths.extend(tiles);
        let longest = |found: &(usize, Vec<Path>)| found.1.first().map_or(0, Path::steps);
        if !paths.is_empty() && self.longest.as_ref().map_or(0, longest) <= count {
            self.longest = Some((column.line, paths.clone()));
        }
        let torn = column.broken || begin > 1 && counts(begin) && !by_tiles;
        let solves = !torn && asked.is_solved_by(&paths);
        let said = directions && (count > 1 || column.strict) || solves && count > 1;
        if column.label.has(Sense::OTHER) || !said {
            let line = directions.then_some(column.line);
            let section = self.here();
            section.unread = line.or(section.unread);
            return;
        }
        let list = List {
            paths,
            steps: count,
            length: None,
            solves,
        };
        let named = column.label.has(Sense::ANSWER | Sense::MOVES) || numbered;
        let strong =
            directions && named && (count > 1 || solves && column.label.has(Sense::ANSWER));
        let alone = !self.text.trim().contains('\n');
        let sure = directions
            && (count > 1 || alone)
            && !torn
            && (column.strict || strong)
            && !list.is_legend();
        let list = Some(list).filter(|_| !torn);
        self.keep(
            Found::new(column.line, list, sure),
            strong || solves && count > 3,
        );
    }

    /// Keeps a path.
    fn keep(&mut self, found: Found, strong: bool) {
        let (line, solves) = (found.line, found.solves());
        let section = self.here();
        let shown = section.bare.as_ref().is_some_and(Found::solves);
        let steps = found.steps();
        if strong {
            section.labelled = Some(found);
        } else if solves || !shown || steps > 1 {
            section.unread = if solves { section.unread } else { Some(line) };
            section.bare = Some(found);
        }
    }

    /// Keeps that a path behind a label was not understood.
    fn unread_label(&mut self, line: usize) {
        self.here().labelled = Some(Found::new(line, None, false));
    }

    /// Reads a line field by field, a label and its value, and each of them sentence by sentence.
    fn fields(&mut self, line: Line<'a>, tokens: &[Token<'a>]) {
        let labels = labels(tokens);
        let first = labels.first().map_or(tokens.len(), |label| label.0);
        let ends = labels
            .iter()
            .skip(1)
            .map(|label| label.0)
            .chain([tokens.len()]);
        let cuts = labels
            .iter()
            .zip(ends)
            .map(|(label, end)| (label.0, label.1 + 1, end));
        for (mut from, mut value, to) in std::iter::once((0, 0, first)).chain(cuts) {
            while from < to {
                let ends = |&i: &usize| {
                    let number = i == 1 && matches!(tokens[0].kind, Kind::Number(_));
                    let last = tokens.get(i + 1).is_none_or(|next| next.apart);
                    let dots = i > 0 && tokens[i - 1].is('.');
                    tokens[i].is('。') || tokens[i].is_any(".!?") && last && !number && !dots
                };
                let end = (value.max(from)..to).find(ends).map_or(to, |end| end + 1);
                let value_at = value.max(from).min(end) - from;
                self.clause(line, &tokens[from..end], value_at);
                (from, value) = (end, end);
            }
        }
        let opens = labels
            .last()
            .is_none_or(|label| label.1 + 1 == tokens.len());
        let other = !labels.is_empty() && line.said.has(Sense::OTHER);
        let answers = (other || line.said.has(Sense::ANSWER | Sense::MOVES)) && !line.step;
        self.opened = opens && !labels.is_empty();
        self.heading = if opens && answers {
            line.said
        } else {
            Sense::default()
        };
    }

    /// Reads a clause: a label, which may be empty, and its value from `at` on.
    fn clause(&mut self, line: Line<'a>, clause: &[Token<'a>], at: usize) {
        let values = &clause[at..];
        let indent = line.text.len() - line.text.trim_start().len();
        let is_first = clause.first().is_some_and(|first| first.start <= indent);
        let unlabelled = !sense(&clause[..at]).has_other(Sense::default());
        let above = if is_first && unlabelled {
            self.heading
        } else {
            Sense::default()
        };
        let mut label = sense(&clause[behind(&clause[..at], ",;")..at]) | above;
        let mut found = list(values, line.text, &self.asked);
        let mut named = at > 0;
        if found.is_none()
            && let Some(from) = split_label(values)
        {
            label = sense(&values[behind(&values[..from], ",;")..from]);
            found = list(&values[from..], line.text, &self.asked);
            named = true;
        }
        let moves = label.has(Sense::ANSWER | Sense::MOVES);
        let other = label.has(Sense::OTHER) || label.has(Sense::COUNT) && !label.has(Sense::ANSWER);
        let ends = [self.asked.start, self.asked.goal];
        let trace = line.said.has(Sense::TRACE);
        let is_foreign = |placed: &Placed| trace || !ends.contains(&placed.board);
        let foreign = self.boards.on_line(line.number).any(is_foreign);
        let steps = values.iter().filter(|token| is_steps(token)).count();
        match found {
            Some(list) => {
                let step = line.step && list.steps < 2 && !(named && label.has(Sense::ANSWER));
                let tiles = matches!(list.paths[..], [Path::Tiles(_), ..]) && !moves;
                if !(other || step || tiles && self.boards.is_pending()) {
                    let beside =
                        length(&clause[..at.saturating_sub(1)], false).map(|length| length.0);
                    let list = List {
                        length: list.length.or(beside),
                        ..list
                    };
                    let sure = list.is_unmistakable(&self.asked.start);
                    let strong = list.steps > 1 || list.solves && label.has(Sense::ANSWER);
                    return self.keep(Found::new(line.number, Some(list), sure), moves && strong);
                }
            }
            None if label.has(Sense::OTHER) || line.step => {}
            None if values.len() > 1
                && moves
                && values.iter().all(|token| token.is_any("[](){}\"'")) =>
            {
                self.here().unread = Some(line.number);
            }
            None => self.unread(line, values, (named || self.opened) && moves, steps),
        }
        let opened = self.opened && moves && values.is_empty() && words(clause) == 1;
        let letter = |token: &Token<'_>| is_steps(token) && token.step.is_none();
        if opened || clause[..at].iter().any(letter) {
            self.here().unread = Some(line.number);
        }
        self.numbers(line, clause, at, other || foreign);
    }

    /// Keeps that a value looks like a path and was not understood.
    fn unread(&mut self, line: Line<'a>, values: &[Token<'a>], named: bool, steps: usize) {
        let count = words(values);
        let numbers = numbers(values).count();
        let word = values.iter().find(|token| token.is_word());
        let unknown =
            word.is_some_and(|word| word.sense == Sense::default() || word.text.len() == 1);
        let fraction = numbers == 0
            && values
                .first()
                .is_some_and(|first| first.kind == Kind::Fraction);
        let opened = values.len() > 2 && values[0].is_any("[(");
        let brackets = opened && values.len() == line.whole;
        let denied = sense(values).has(Sense::NO | Sense::UNSOLVABLE);
        let short = unknown && count < 4 && !denied;
        // Behind a word for an answer stands what is no list.
        let label = |token: &Token<'_>| token.sense.has(Sense::ANSWER | Sense::IS);
        let from = values
            .iter()
            .rposition(label)
            .map_or(values.len(), |at| at + 1);
        let strange = |token: &Token<'_>| {
            !token.is_word() || is_steps(token) || !token.sense.has_other(Sense::BLANK)
        };
        let rest = words(&values[from..]);
        let tail =
            values[from..].iter().all(strange) && (matches!(rest, 1 | 2) || steps > 0 && rest > 0);
        let boards = self.boards.on_line(line.number).next().is_some();
        let (comma, arrow) = (has(values, ","), has(values, ">→"));
        if named
            && (steps > 0
                || opened && (numbers != 1 || comma)
                || arrow && count > 0
                || short && !fraction
                || (numbers > 1 || comma) && (count == 0 || short) && !boards)
        {
            self.unread_label(line.number);
        } else if steps > 1
            || steps == 1 && count < 3
            || brackets && count == 0 && numbers > 1
            || short && nearly_steps(values)
            || tail
        {
            self.here().unread = Some(line.number);
        }
    }

    /// Reads a length, a lone number, or the statement that there is no solution.
    fn numbers(&mut self, line: Line<'a>, clause: &[Token<'a>], at: usize, other: bool) {
        let label = sense(&clause[..at]);
        let asked = self.asked;
        let counts = Sense::COUNT | Sense::OTHER | Sense::LENGTH | Sense::DEPTH | Sense::MOVES;
        let beside = length(&clause[..at.saturating_sub(1)], false);
        let mut rest = clause[at..]
            .iter()
            .filter(|token| !token.is_any("[](){}\"'."));
        if let (Some(lone), None) = (rest.next().and_then(Token::number), rest.next())
            && label.has(Sense::ANSWER)
            && (!label.has(counts) || beside.is_some())
        {
            let mut answer = lone_number(lone, &asked.start, asked.numbering);
            let solves = asked.is_solved_by(&answer.candidates);
            if !solves {
                answer.candidates.clear();
            }
            let listed = has(&clause[at..], "[(");
            let read = solves
                || beside.is_none() && !listed && lone < MOST_MOVES && answer.length.is_some();
            let answer = if read {
                Ok(answer)
            } else {
                Err(ClaimError::Nothing)
            };
            return self.records(line.number, vec![answer]);
        }
        let section = &mut self.sections[self.section];
        if !other && let Some((moves, firmness)) = length(clause, section.solved) {
            let better = section.length.is_none_or(|other| other.2 <= firmness);
            if better && (moves > 0 || asked.start == asked.goal) {
                section.length = Some((line.number, moves, firmness));
            }
        }
        let said = sense(clause);
        section.solved |= said.has(Sense::SOLVED) && !said.has(Sense::NO);
        match statement(clause, line.said) {
            Some(Statement::Unsolvable) => section.unsolvable = Some(line.number),
            Some(Statement::GaveUp) => section.gave_up = Some(line.number),
            None => {}
        }
    }
}

/// Kinds of the first and the last token of a line, and whether it has no number.
type Form = ([Kind; 2], bool);

/// The kind of a token, without its number.
fn kind(token: &Token<'_>) -> Kind {
    match token.kind {
        Kind::Number(_) => Kind::Number(0),
        Kind::Symbol('?' | '.' | ':' | '\'' | ',') => Kind::Word,
        kind => kind,
    }
}

/// Whether a short line seems to be a numbered step, or one in brackets, in words that are not known.
fn seems_step(tokens: &[Token<'_>]) -> bool {
    let beside = Sense::FILLER | Sense::MOVES | Sense::BLANK;
    let word = |token: &&Token<'_>| token.kind == Kind::Word;
    let strange = tokens
        .iter()
        .filter(word)
        .any(|token| !token.sense.has_other(Sense::BLANK));
    let numbers = tokens
        .iter()
        .filter(|token| matches!(token.kind, Kind::Number(_)))
        .count();
    let quoted = matches!(tokens, [open, quote, .., close] if open.is_any("[(") && quote.is_any("\"'") && close.is_any(")]"));
    let known = tokens
        .iter()
        .filter(word)
        .any(|token| is_steps(token) || token.sense.has_other(beside));
    strange
        && !known
        && length(tokens, false).is_none()
        && tokens.len() < 9
        && words(tokens) < 4
        && (numbers == 1 || quoted)
}

/// Whether a word is nearly a list of letters.
fn nearly_steps(values: &[Token<'_>]) -> bool {
    values
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .any(|token| {
            let steps = token.text.chars().filter(|c| "UDLR".contains(*c)).count();
            token.text.len() == 1 || 2 * steps >= token.text.len()
        })
}

/// The labels of a line: where each begins, and the colon or equals sign behind it.
fn labels(tokens: &[Token<'_>]) -> Vec<(usize, usize)> {
    let mut labels: Vec<(usize, usize)> = Vec::new();
    let mut behind = 0;
    for (i, token) in tokens.iter().enumerate().skip(1) {
        let (before, next) = (&tokens[i - 1], tokens.get(i + 1));
        let arrow = token.is('>') && before.is_any("-=") && !token.apart;
        let time = matches!(before.kind, Kind::Number(_))
            && next.is_some_and(|next| !next.apart && next.kind != Kind::Word);
        let part =
            next.is_some_and(|next| next.is_any(":=>") && !next.apart) || before.is_any("<>!~");
        if !arrow && (!token.is_any(":=：") || time || part) {
            continue;
        }
        let end = if arrow { i - 1 } else { i };
        if end <= behind {
            continue;
        }
        let from = behind.max(end.saturating_sub(LONGEST_LABEL));
        let closed = tokens[end - 1].is(')');
        let cuts = if closed { ",;[{|" } else { ",;[{|])}(" };
        let begin = tokens[from..end]
            .iter()
            .rposition(|token| token.is_any(cuts));
        let start = match begin {
            Some(at) => from + at + 1,
            None if from > 0 => end.saturating_sub(1).max(from),
            None => 0,
        };
        let words = &tokens[start..end];
        let said = sense(words);
        let roles = Sense::ANSWER
            | Sense::MOVES
            | Sense::LENGTH
            | Sense::DEPTH
            | Sense::COUNT
            | Sense::OTHER;
        let known = said.has(roles | Sense::SOLVED | Sense::ALGORITHM);
        let steps = words.iter().any(|token| token.step.is_some()) && !said.has(Sense::ANSWER);
        let word = words.iter().any(|token| token.kind == Kind::Word);
        if word && !steps && (known || start == 0 && !arrow && next.is_none_or(|next| next.apart)) {
            labels.push((start, i));
            behind = i + 1;
        }
    }
    labels
}
