//! Paths without a label: steps that solve the board, wherever they stand.

use crate::puzzle::{Board, Move};

use super::lengths::words;
use super::lex::{Token, behind, numbers};
use super::lists::{is_steps, steps_of};
use super::words::Sense;

/// Fewest moves that are not taken for chance.
const FEWEST: usize = 4;

/// Most lines that could be a path and are none, beside one that solves the board.
const MOST_TRIES: usize = 4;

/// A step, and the first numbers of its line if it is the only one there, one of which may be the tile; else 0.
type Step = (Move, [u8; 3]);

/// Search of the steps of a line, of neighbouring lines, and of all lines with one step each for paths from the start to
/// the goal, as directions of the blank or of the tile. Its time is in proportion to the text.
#[derive(Debug)]
pub(super) struct Solving {
    /// The start and the goal.
    ends: [Board; 2],
    /// Number of neighbouring lines, and their steps.
    run: (usize, Vec<Step>),
    /// The steps of lines with one each.
    single: Vec<Step>,
    /// Number of words of the last of them.
    count: usize,
    /// Number of words of the line before, if it may be a step that is not understood; else 0.
    torn: usize,
    /// Whether the last steps were words rather than letters.
    words: Option<bool>,
    /// Number of lines that could be a path and do not solve the board.
    tries: usize,
    /// The last line of the last steps that solve the board, and whether they are in one line.
    last: Option<(usize, Vec<Move>, bool)>,
    line: usize,
}

impl Solving {
    pub(super) fn new(start: Board, goal: Board) -> Solving {
        Solving {
            ends: [start, goal],
            run: (0, Vec::new()),
            single: Vec::new(),
            count: 0,
            torn: 0,
            words: None,
            tries: 0,
            last: None,
            line: 0,
        }
    }

    /// Takes the tokens of a line; none of a line whose steps are not those of an answer.
    pub(super) fn line(&mut self, number: usize, tokens: &[Token<'_>]) {
        let (lines, mut run) = std::mem::take(&mut self.run);
        let count = words(tokens);
        if !has_steps(tokens) {
            let torn = tokens.iter().any(is_unknown);
            self.torn = if torn { count } else { 0 };
            if torn && count <= self.count {
                self.single.clear(); // a step that is not understood
            } else {
                self.keep(&run, lines == 1);
            }
            return;
        }
        let named = tokens.iter().any(|token| token.step.is_some());
        if count > 0 && self.torn == count || self.words.is_some_and(|before| before != named) {
            self.single.clear();
            self.words = Some(named);
            return; // they go on from a step that is not understood, or that is written otherwise
        }
        self.words = Some(named);
        (self.torn, self.line) = (0, number);
        let begin = run.len();
        run.extend(tokens.iter().flat_map(steps_of).map(|step| (step, [0; 3])));
        if let [(_, numbered)] = &mut run[begin..] {
            for (named, number) in numbered.iter_mut().zip(numbers(tokens)) {
                *named = u8::try_from(number).unwrap_or(u8::MAX);
            }
            self.count = count;
            self.single.push(run[begin]);
        }
        self.keep(&run[begin..], true);
        self.run = (lines + 1, run);
    }

    /// Ends the search after the last line.
    pub(super) fn end(&mut self) {
        self.line(0, &[]);
        let single = std::mem::take(&mut self.single);
        self.keep(&single, false);
    }

    /// The last path and its line; none that is one line of many that are tried.
    pub(super) fn found(&self) -> Option<(usize, &[Move])> {
        let (line, moves, alone) = self.last.as_ref()?;
        (!alone || self.tries <= MOST_TRIES).then_some((*line, moves))
    }

    /// Keeps steps that solve the board.
    fn keep(&mut self, steps: &[Step], alone: bool) {
        let [start, goal] = &self.ends;
        if steps.len() < FEWEST {
            return;
        }
        if solves(steps, start, goal) {
            let moves = steps.iter().map(|&(step, _)| step).collect();
            self.last = Some((self.line, moves, alone));
        } else if alone {
            self.tries += 1;
        }
    }
}

/// Whether a word has no sense beside steps.
fn is_unknown(token: &Token<'_>) -> bool {
    token.is_word() && !token.sense.has_other(Sense::BLANK)
}

/// Whether a word may be a step that is not understood.
fn is_misprint(token: &Token<'_>) -> bool {
    is_unknown(token) && !is_steps(token)
}

/// Whether a line has steps, nothing unknown between several, and none in a part of a word, as in `uRight`
/// or `D?wn`: a misprint.
fn has_steps(tokens: &[Token<'_>]) -> bool {
    let (Some(first), Some(last)) = (
        tokens.iter().position(is_steps),
        tokens.iter().rposition(is_steps),
    ) else {
        return false;
    };
    let glued = |pair: &[Token<'_>]| {
        let words = pair.iter().all(Token::is_word);
        words && pair[0].end() == pair[1].start && pair.iter().any(is_steps)
    };
    let signed = |three: &[Token<'_>]| {
        let ends = [&three[0], &three[2]];
        let joined = three[1].is_any("?!.,;:'-/]") && !three[1].apart && !three[2].apart;
        joined && ends.into_iter().any(is_steps) && ends.into_iter().any(is_misprint)
    };
    // The list ends with its bracket, or the line.
    let closes = |token: &Token<'_>| token.is_any("]}):");
    let rest = tokens[last..].iter().position(closes);
    let end = rest.map_or(tokens.len(), |rest| last + rest);
    let listed = &tokens[behind(&tokens[..first], ":")..end];
    let letters = |token: &Token<'_>| is_steps(token) && token.step.is_none();
    let mixed = listed.iter().any(letters) && listed.iter().any(|token| token.step.is_some());
    let whole = !mixed && !tokens.windows(2).any(glued) && !tokens.windows(3).any(signed);
    whole && (first == last || !listed.iter().any(is_misprint))
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
