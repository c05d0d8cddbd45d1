//! Paths without a label: steps that solve the board, wherever they stand.

use crate::puzzle::{Board, Move};

use super::lex::{Token, behind, numbers};
use super::words::{ALPHABETS, Sense, alphabets_of, letters_in};

/// Fewest moves that are not taken for chance.
const FEWEST: usize = 4;

/// Most lines that could be a path and are none, beside one that solves the board.
const MOST_TRIES: usize = 4;

/// Search of the steps of a line, of neighbouring lines, and of all lines with one step each for paths from the start to
/// the goal, as directions of the blank or of the tile, in words and in each alphabet. Its time is in proportion to the
/// text.
#[derive(Debug)]
pub(super) struct Solving {
    searches: Vec<Search>,
    /// The tokens of the line, each as the set of the searches in which it is a step, and [`UNKNOWN`].
    sets: Vec<u16>,
}

/// A word that is known neither as a step nor beside steps.
const UNKNOWN: u16 = 1 << 15;

impl Solving {
    pub(super) fn new(start: Board, goal: Board) -> Solving {
        let search = |index| Search {
            index,
            ends: [start, goal],
            run: (0, Vec::new()),
            single: Vec::new(),
            torn: 0,
            tokens: 0,
            tries: 0,
            last: None,
        };
        Solving {
            searches: (0..=ALPHABETS.len()).map(search).collect(),
            sets: Vec::new(),
        }
    }

    /// Takes the tokens of a line; none of a line whose steps are not those of an answer.
    pub(super) fn line(&mut self, tokens: &[Token<'_>]) {
        self.sets.clear();
        self.sets.extend(tokens.iter().map(set_of));
        let line = Line::new(tokens, &self.sets);
        for search in &mut self.searches {
            search.line(&line);
        }
    }

    /// Ends the search after the last line.
    pub(super) fn end(&mut self) {
        self.line(&[]);
        for search in &mut self.searches {
            let single = std::mem::take(&mut search.single);
            search.keep(&single, false);
        }
    }

    /// The last path.
    pub(super) fn path(&self) -> Option<&[Move]> {
        self.searches.iter().find_map(Search::found)
    }
}

/// The searches in which a token is a step, words in bit 0 and the alphabets behind it, and whether it is unknown.
fn set_of(token: &Token<'_>) -> u16 {
    let words = u16::from(token.step.is_some());
    if !token.is_word() {
        return words;
    }
    let ends = ["start", "goal", "end"];
    let known = is_known(token) || ends.contains(&token.text);
    let unknown = if known { 0 } else { UNKNOWN };
    words | alphabets_of(token.text) << 1 | unknown
}

/// Whether a word has a sense beside steps.
fn is_known(token: &Token<'_>) -> bool {
    token.sense.has_other(Sense::BLANK)
}

/// A line, and what all searches ask of it.
struct Line<'a, 't> {
    tokens: &'a [Token<'t>],
    sets: &'a [u16],
    /// The searches in which a token is a step.
    steps: u16,
    /// Those in which it is a part of a word, as in `uRight`: a misprint.
    glued: u16,
    /// Whether there is a word without a sense.
    torn: bool,
}

impl<'a, 't> Line<'a, 't> {
    fn new(tokens: &'a [Token<'t>], sets: &'a [u16]) -> Line<'a, 't> {
        let glued = |i: usize| {
            let pair = &tokens[i..i + 2];
            let words = pair.iter().all(Token::is_word);
            words && pair[0].end() == pair[1].start
        };
        let pairs = (1..tokens.len()).map(|i| i - 1).filter(|&i| glued(i));
        let mut words = tokens.iter().filter(|token| token.is_word());
        Line {
            tokens,
            sets,
            steps: sets.iter().fold(0, |all, set| all | set),
            glued: pairs.fold(0, |all, i| all | sets[i] | sets[i + 1]),
            torn: words.any(|word| !is_known(word)),
        }
    }

    /// Whether the tokens have steps in a search, and nothing unknown between several.
    fn has_steps(&self, search: u16) -> bool {
        let is_step = |set: &u16| set & search != 0;
        if self.steps & search == 0 || self.glued & search != 0 {
            return false;
        }
        let first = self.sets.iter().position(is_step).unwrap_or(0);
        let last = self.sets.iter().rposition(is_step).unwrap_or(0);
        if first == last {
            return true;
        }
        // The list ends with its bracket, or the line.
        let closes = |token: &Token<'_>| token.is_any("]}):");
        let rest = self.tokens[last..].iter().position(closes);
        let end = rest.map_or(self.tokens.len(), |rest| last + rest);
        let listed = &self.sets[behind(&self.tokens[..first], ":")..end];
        !listed.iter().any(|set| set & UNKNOWN != 0 && !is_step(set))
    }
}

/// A step, and the first numbers of its line if it is the only one there, one of which may be the tile; else 0.
type Step = (Move, [u8; 3]);

/// The search in words or in one alphabet.
#[derive(Debug)]
struct Search {
    /// 0 for words, else the place of the alphabet, from 1.
    index: usize,
    /// The start and the goal.
    ends: [Board; 2],
    /// Number of neighbouring lines, and their steps.
    run: (usize, Vec<Step>),
    /// The steps of lines with one each.
    single: Vec<Step>,
    /// Number of tokens of the last of them.
    tokens: usize,
    /// Number of tokens of the line before, if it seems to be a step that is not understood; else 0.
    torn: usize,
    /// Number of lines that could be a path and do not solve the board.
    tries: usize,
    /// The last steps that solve the board, and whether they are one line.
    last: Option<(Vec<Move>, bool)>,
}

impl Search {
    fn line(&mut self, line: &Line<'_, '_>) {
        let count = line.tokens.len();
        if !line.has_steps(1 << self.index) {
            self.torn = if line.torn { count } else { 0 };
            let (lines, mut run) = std::mem::take(&mut self.run);
            if line.torn && count <= self.tokens {
                self.single.clear(); // a step that is not understood
            } else {
                self.keep(&run, lines == 1);
            }
            run.clear();
            self.run.1 = run;
            return;
        }
        if self.torn == count {
            return; // they go on from a step that is not understood
        }
        self.torn = 0;
        let (lines, mut run) = std::mem::take(&mut self.run);
        let begin = run.len();
        self.add_steps(line, &mut run);
        if let [(_, named)] = &mut run[begin..] {
            for (named, number) in named.iter_mut().zip(numbers(line.tokens)) {
                *named = u8::try_from(number).unwrap_or(u8::MAX);
            }
            self.tokens = count;
            self.single.push(run[begin]);
        }
        self.keep(&run[begin..], true);
        self.run = (lines + 1, run);
    }

    /// Adds the steps of a line: letters of the alphabet, alone or several together, or words.
    fn add_steps(&self, line: &Line<'_, '_>, steps: &mut Vec<Step>) {
        for (token, set) in line.tokens.iter().zip(line.sets) {
            if set >> self.index & 1 == 0 {
                continue;
            }
            match self.index {
                0 => steps.extend(token.step.map(|step| (step, [0; 3]))),
                index => {
                    let letters = letters_in(token.text, ALPHABETS[index - 1]);
                    steps.extend(letters.map(|step| (step, [0; 3])));
                }
            }
        }
    }

    /// The last path; none that is one line of many that are tried.
    fn found(&self) -> Option<&[Move]> {
        let found = self.last.as_ref();
        let (moves, _) = found.filter(|(_, alone)| !alone || self.tries <= MOST_TRIES)?;
        Some(moves)
    }

    /// Keeps steps that solve the board.
    fn keep(&mut self, steps: &[Step], alone: bool) {
        let [start, goal] = &self.ends;
        if steps.len() < FEWEST {
            return;
        }
        if solves(steps, start, goal) {
            let moves = steps.iter().map(|&(step, _)| step).collect();
            self.last = Some((moves, alone));
        } else if alone {
            self.tries += 1;
        }
    }
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
