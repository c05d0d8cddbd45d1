//! Clauses of a line: labels and their values.

use crate::judge::answer::Path;
use crate::judge::records::{ClaimError, lone_number};

use super::boards::Placed;
use super::column::is_strange;
use super::lengths::{Statement, length, sense, statement, words};
use super::lex::{Kind, Token, behind, has, numbers};
use super::lists::{is_steps, list, split_label};
use super::scan::{Found, Line, MOST_MOVES, Scan};
use super::words::Sense;

/// Tokens of a label.
const LONGEST_LABEL: usize = 24;

impl<'a> Scan<'a> {
    /// Reads a line clause by clause.
    pub(super) fn clauses(&mut self, line: Line<'a>, tokens: &[Token<'a>]) {
        let clauses = clauses(tokens);
        let listed = numbers(tokens).count() == 1 || has(&tokens[..1], "[({");
        let opened = self.opened && self.heading.has(Sense::ANSWER | Sense::MOVES);
        for &(from, value, to) in &clauses {
            self.clause(line, &tokens[from..to], value - from);
        }
        let section = self.here();
        let is_read =
            |found: &Option<Found>| found.as_ref().is_some_and(|it| it.line == line.number);
        let read = line.step || is_read(&section.labelled) || is_read(&section.bare);
        let listed = opened || listed && length(tokens, false).is_none();
        if !read && listed && is_strange(tokens) {
            section.unread = Some(line.number);
        }
        let labelled = clauses.iter().any(|(from, value, _)| from < value);
        let opens = clauses.last().is_none_or(|last| last.1 == tokens.len()) || !labelled;
        let other = labelled && line.said.has(Sense::OTHER);
        let answers = (other || line.said.has(Sense::ANSWER | Sense::MOVES)) && !line.step;
        self.opened = opens && labelled;
        self.heading = if opens && answers {
            line.said
        } else {
            Sense::default()
        };
    }

    /// Reads a clause: a label, which may be empty, and its value from `at` on.
    fn clause(&mut self, line: Line<'a>, clause: &[Token<'a>], at: usize) {
        let (before, values) = clause.split_at(at);
        let is_first = !line.text[..clause[0].start].contains(|c: char| !c.is_whitespace());
        let unlabelled = sense(before) == Sense::default();
        let above = if is_first && unlabelled {
            self.heading
        } else {
            Sense::default()
        };
        let mut label = sense(&before[behind(before, ",;")..]) | above;
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
        if let Some(list) = found {
            let step = line.step && list.steps < 2 && !(named && label.has(Sense::ANSWER));
            let tiles = matches!(list.paths[..], [Path::Tiles(_), ..]) && !moves;
            if !(other || step || tiles && self.boards.is_pending()) {
                let sure = list.is_unmistakable(&self.asked.start);
                let strong = list.steps > 1 || list.solves && label.has(Sense::ANSWER);
                let beside = || Some(length(&before[..at.saturating_sub(1)], false)?.0);
                let mut found = Found::of_paths(line.number, list.paths, list.solves, sure);
                if let Some(answer) = &mut found.answer {
                    answer.length = list.length.or_else(beside);
                }
                return self.keep(found, moves && strong);
            }
        } else if !(label.has(Sense::OTHER) || line.step) {
            self.unread(line, values, (named || self.opened) && moves);
        }
        let letters = |token: &Token<'_>| is_steps(token) && token.step.is_none();
        if before.iter().any(letters) {
            self.here().unread = Some(line.number); // steps where a label is
        }
        let ends = [self.asked.start, self.asked.goal];
        let trace = line.said.has(Sense::TRACE);
        let is_foreign = |placed: &Placed| trace || !ends.contains(&placed.board);
        let foreign = self.boards.on_line(line.number).any(is_foreign);
        self.numbers(line, clause, at, other || foreign);
    }

    /// Keeps that a value looks like a path and was not understood.
    fn unread(&mut self, line: Line<'a>, values: &[Token<'a>], named: bool) {
        let steps = values.iter().any(is_steps);
        let numbers = numbers(values).count();
        let alone = numbers > 1 && words(values) == 0;
        let listed = has(values, ",>→") || alone || values.len() > 2 && values[0].is_any("[({");
        let empty = values.len() > 1 && values.iter().all(|token| token.is_any("[](){}\"'"));
        let label = |token: &Token<'_>| token.sense.has(Sense::ANSWER | Sense::IS);
        let tail = values.iter().rposition(label).map_or(0, |at| at + 1);
        let strange = is_strange(&values[tail..]);
        let whole = values.len() == line.whole;
        let board = self.boards.on_line(line.number).next().is_some();
        if named
            && !empty
            && (steps || strange || listed && !board && (numbers != 1 || has(values, ",")))
        {
            self.here().labelled = Some(Found::unread(line.number));
        } else if steps
            || strange && (whole || tail > 0)
            || alone && whole && has(values, "[(,>→")
            || named && empty
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
            let counted = beside.is_none() && !has(&clause[at..], "[(") && lone < MOST_MOVES;
            let read = solves || counted && answer.length.is_some();
            let answer = Some(answer).filter(|_| read).ok_or(ClaimError::Nothing);
            return self.records(line.number, vec![answer]);
        }
        let section = self.here();
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

/// The clauses of a line: where each begins, where its value begins, and where it ends. It ends with a sentence, or
/// before the next label.
fn clauses(tokens: &[Token<'_>]) -> Vec<(usize, usize, usize)> {
    let mut clauses = Vec::new();
    let (mut from, mut value) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1);
        let number = i == 1 && tokens[0].number().is_some();
        let dots = i > 0 && tokens[i - 1].is('.');
        let last = next.is_none_or(|next| next.apart);
        if token.is('。') || token.is_any(".!?") && last && !number && !dots {
            clauses.push((from, value, i + 1));
            (from, value) = (i + 1, i + 1);
        } else if let Some(label) = label(tokens, from, value, i) {
            if from < label {
                clauses.push((from, value.min(label), label));
            }
            (from, value) = (label, i + 1);
        }
    }
    if from < tokens.len() {
        clauses.push((from, value, tokens.len()));
    }
    clauses
}

/// Where the label begins that ends with the token at `i`: a colon, an equals sign or an arrow. It stands in the clause
/// that begins at `from`, behind the place where a value begins.
fn label(tokens: &[Token<'_>], from: usize, value: usize, i: usize) -> Option<usize> {
    let (token, next) = (&tokens[i], tokens.get(i + 1));
    let before = &tokens[i.checked_sub(1)?];
    let arrow = token.is('>') && before.is_any("-=") && !token.apart;
    let time = before.number().is_some()
        && next.is_some_and(|next| !next.apart && next.kind != Kind::Word);
    let part = next.is_some_and(|next| next.is_any(":=>") && !next.apart) || before.is_any("<>!~");
    let end = if arrow { i - 1 } else { i };
    if !arrow && (!token.is_any(":=：") || time || part) || end <= value {
        return None;
    }
    let is_value = from < value;
    let from = value.max(end.saturating_sub(LONGEST_LABEL));
    let cuts = if tokens[end - 1].is(')') {
        ",;[{|"
    } else {
        ",;[{|])}("
    };
    let cut = tokens[from..end]
        .iter()
        .rposition(|token| token.is_any(cuts));
    let start = match cut {
        Some(at) => from + at + 1,
        None if is_value || from > value => end - 1,
        None => from,
    };
    let label = &tokens[start..end];
    let said = sense(label);
    let counted = Sense::LENGTH | Sense::DEPTH | Sense::COUNT | Sense::OTHER;
    let known = Sense::ANSWER | Sense::MOVES | Sense::SOLVED | Sense::ALGORITHM | counted;
    let steps = label.iter().any(|token| token.step.is_some()) && !said.has(Sense::ANSWER);
    let first = start == 0 && !arrow && next.is_none_or(|next| next.apart);
    let is_label = label.iter().any(Token::is_word) && !steps && (said.has(known) || first);
    is_label.then_some(start)
}
