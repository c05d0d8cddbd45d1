//! Steps that solve the board, wherever they stand: what no label names is believed for its effect alone.

use std::ops::RangeInclusive;

use crate::puzzle::{Board, Move};

use super::lex::{Token, behind, numbers};
use super::words::{Sense, alphabets, in_alphabet};

/// Fewest moves that are not taken for chance.
const FEWEST: usize = 4;

/// Most lines that could be a path and are none, beside one that solves the board.
const MOST_TRIES: usize = 4;

/// Search of the steps of a line, of neighbouring lines, and of all lines with one step each for paths from the start to
/// the goal, as directions of the blank or of the tile, in each alphabet. Its time is in proportion to the text.
#[derive(Debug)]
pub(super) struct Solving(Vec<Search>);

impl Solving {
    pub(super) fn new(start: Board, goal: Board) -> Solving {
        let search = |letters| Search {
            letters,
            ends: [start, goal],
            run: (0, 0, Vec::new()),
            single: (0, 0, Vec::new()),
            torn: 0,
            tokens: 0,
            tries: 0,
            last: None,
        };
        Solving(std::iter::once("").chain(alphabets()).map(search).collect())
    }

    /// Takes the tokens of a line; none of a line whose steps are not those of an answer.
    pub(super) fn line(&mut self, number: usize, tokens: &[Token<'_>]) {
        for search in &mut self.0 {
            search.line(number, tokens);
        }
    }

    /// Ends the search after the last line.
    pub(super) fn end(&mut self) {
        for search in &mut self.0 {
            search.line(0, &[]);
            let single = std::mem::take(&mut search.single);
            search.keep(single);
        }
    }

    /// The last path, and its lines.
    pub(super) fn path(&self) -> Option<(&[Move], RangeInclusive<usize>)> {
        let (moves, lines) = self.0.iter().find_map(Search::found)?;
        Some((moves, lines.clone()))
    }
}

/// The search in one alphabet.
#[derive(Debug)]
struct Search {
    /// The alphabet; empty for words.
    letters: &'static str,
    /// The start and the goal.
    ends: [Board; 2],
    /// Neighbouring lines: the first and the last, and their steps.
    run: (usize, usize, Vec<Step>),
    /// Lines with one step each.
    single: (usize, usize, Vec<Step>),
    /// Number of tokens of the line before, if it seems to be a step that is not understood; else 0.
    torn: usize,
    /// Number of tokens of the last of them.
    tokens: usize,
    /// Number of lines that could be a path and do not solve the board.
    tries: usize,
    /// The last steps that solve the board, and their lines.
    last: Option<(Vec<Move>, RangeInclusive<usize>)>,
}

impl Search {
    fn line(&mut self, number: usize, tokens: &[Token<'_>]) {
        let steps = steps(tokens, self.letters);
        if steps.is_empty() {
            let run = std::mem::take(&mut self.run);
            let unknown =
                |token: &Token<'_>| token.is_word() && !token.sense.has_other(Sense::BLANK);
            let torn = tokens.iter().any(unknown);
            self.torn = if torn { tokens.len() } else { 0 };
            if torn && tokens.len() <= self.tokens {
                self.single = Default::default(); // a step that is not understood
                return;
            }
            return self.keep(run);
        }
        if self.torn == tokens.len() {
            return; // they go on from a step that is not understood
        }
        self.torn = 0;
        if steps.len() == 1 {
            self.tokens = tokens.len();
        }
        let single = (steps.len() == 1).then_some(&mut self.single);
        for (first, last, kept) in std::iter::once(&mut self.run).chain(single) {
            *first = if kept.is_empty() { number } else { *first };
            *last = number;
            kept.extend(&steps);
        }
        self.keep((number, number, steps));
    }

    /// The last path; none that is one line of many that are tried.
    fn found(&self) -> Option<&(Vec<Move>, RangeInclusive<usize>)> {
        let alone = |lines: &RangeInclusive<usize>| lines.start() == lines.end();
        let found = self.last.as_ref();
        found.filter(|(_, lines)| !alone(lines) || self.tries <= MOST_TRIES)
    }

    /// Keeps steps that solve the board.
    fn keep(&mut self, (first, last, steps): (usize, usize, Vec<Step>)) {
        let [start, goal] = &self.ends;
        if steps.len() >= FEWEST && solves(&steps, start, goal) {
            let moves = steps.into_iter().map(|(step, _)| step).collect();
            self.last = Some((moves, first..=last));
        } else if steps.len() >= FEWEST && first == last {
            self.tries += 1;
        }
    }
}

/// A step, and the first numbers of its line if it is the only one there, one of which may be the tile; else 0.
type Step = (Move, [u8; 3]);

/// The steps among some tokens: letters of an alphabet, alone or several together, or words if that has none.
fn steps(tokens: &[Token<'_>], letters: &str) -> Vec<Step> {
    let is_step = |token: &Token<'_>| match letters {
        "" => token.step.is_some(),
        letters => token.is_word() && in_alphabet(token.text, letters).is_some(),
    };
    // A misprint, as in `uRight` or between two steps.
    let glued = |pair: &[Token<'_>]| {
        let words = pair.iter().all(Token::is_word);
        words && pair[0].end() == pair[1].start && pair.iter().any(is_step)
    };
    let unknown = |token: &Token<'_>| {
        let ends = ["start", "goal", "end"];
        let known = token.sense.has_other(Sense::BLANK) || ends.contains(&token.text);
        token.is_word() && !is_step(token) && !known
    };
    let first = tokens.iter().position(is_step).unwrap_or(0);
    let last = tokens.iter().rposition(is_step).unwrap_or(0);
    // The list ends with its bracket, or the line.
    let closes = |token: &Token<'_>| token.is_any("]}):");
    let rest = tokens[last..]
        .iter()
        .position(closes)
        .unwrap_or(tokens.len() - last);
    let listed = &tokens[behind(&tokens[..first], ":")..last + rest];
    if tokens.windows(2).any(glued) || first < last && listed.iter().any(unknown) {
        return Vec::new();
    }
    let moves: Vec<Move> = if letters.is_empty() {
        tokens.iter().filter_map(|token| token.step).collect()
    } else {
        let runs = tokens.iter().filter(|token| is_step(token));
        let runs = runs.filter_map(|word| in_alphabet(word.text, letters));
        runs.flatten().collect()
    };
    let mut steps: Vec<Step> = moves.into_iter().map(|step| (step, [0; 3])).collect();
    if let [(_, named)] = &mut steps[..] {
        for (named, number) in named.iter_mut().zip(numbers(tokens)) {
            *named = u8::try_from(number).unwrap_or(u8::MAX);
        }
    }
    steps
}

/// Whether steps lead from the start to the goal, as directions of the blank or of the tile, and slide the tiles that they
/// name, if they seem to name them.
fn solves(steps: &[Step], start: &Board, goal: &Board) -> bool {
    let leads = |step: fn(Move) -> Move| {
        let (mut board, mut named, mut slid) = (*start, 0, 0);
        let leads = steps.iter().all(|&(mv, numbers)| {
            let Some(next) = board.slide(step(mv)) else {
                return false;
            };
            named += usize::from(numbers[0] > 0);
            slid += usize::from(numbers.contains(&next.tiles()[board.blank()]));
            board = next;
            true
        });
        leads && board == *goal && (slid == named || 2 * slid < named)
    };
    leads(|mv| mv) || leads(Move::opposite)
}
