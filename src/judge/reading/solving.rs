//! Steps that solve the board, wherever they stand: what no label names is believed for its effect alone.

use std::ops::RangeInclusive;

use crate::puzzle::{Board, Move};

use super::lex::{Kind, Token, numbers};
use super::words::{alphabets, in_alphabet};

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
            tries: 0,
            last: None,
        };
        Solving(alphabets().map(search).collect())
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
    letters: &'static str,
    /// The start and the goal.
    ends: [Board; 2],
    /// Neighbouring lines: the first and the last, and their steps.
    run: (usize, usize, Vec<Step>),
    /// Lines with one step each.
    single: (usize, usize, Vec<Step>),
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
            return self.keep(run);
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

/// The steps among some tokens: words for directions, and letters of an alphabet, alone or several together.
fn steps(tokens: &[Token<'_>], letters: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for token in tokens {
        match (token.step, token.kind) {
            (Some(step), _) => steps.push((step, [0; 3])),
            (None, Kind::Word) => {
                let moves = in_alphabet(token.text, letters).unwrap_or_default();
                steps.extend(moves.into_iter().map(|step| (step, [0; 3])));
            }
            _ => {}
        }
    }
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
