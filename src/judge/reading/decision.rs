//! The answers of a text: of each algorithm, or of a text that names none, the last claim that stands.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, ClaimError, Reader, Records, Rows, in_text, is_none, shorten};
use crate::puzzle::Board;

use super::boards::{Chain, Placed, chains, is_step};
use super::held::Hold;
use super::lengths::Firmness;
use super::lex::shown;
use super::scan::{Found, Scan, Section};
use super::words::Sense;

/// Searches a solver's whole output for its answer to `board`; `None` if there is none in it that can be
/// read beyond doubt. Where an output holds several answers, the last counts.
///
/// ```
/// use puzzledb::judge::Path;
/// use puzzledb::judge::reading::find_answer;
/// use puzzledb::puzzle::Move;
///
/// let output = b"Searching...\npath_to_goal: ['Right', 'Down']\ncost_of_path: 2\nnodes_expanded: 5\n";
/// let answer = find_answer(output, &"123405786".parse()?, &"123456780".parse()?).unwrap();
/// assert_eq!(answer.length, Some(2));
/// assert_eq!(answer.candidates, [Path::Directions(vec![Move::Right, Move::Down])]);
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
pub fn find_answer(output: &[u8], board: &Board, goal: &Board) -> Option<Answer> {
    find_answers(output, board, goal, &Reader::default())
        .ok()?
        .pop()
}

/// Lines that are read between two checks of the flag.
const UNCHECKED: usize = 1 << 10;

/// As [`find_answer`], with a reader of one's own, and every answer where several algorithms give one each.
///
/// # Errors
/// [`ClaimError::NoAnswer`] says what there is instead; [`ClaimError::Cancelled`] that it was cancelled or took too long.
pub fn find_answers(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
) -> Result<Vec<Answer>, ClaimError> {
    decide(output, board, goal, reader, |decision| match reader.read {
        None => decision.answers(),
        Some(kind) => {
            let answer = decision.held(kind).map(|answer| vec![answer]);
            answer.ok_or_else(|| decision.no_answer())
        }
    })
}

/// Returns what a text answers where the reader is held to one reading.
///
/// # Errors
/// [`ClaimError::Cancelled`]
pub fn find_readings(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
) -> Result<Vec<(Hold, Claim)>, ClaimError> {
    decide(output, board, goal, reader, |decision| {
        Ok(decision.readings())
    })
}

/// Reads a text line by line, and decides between its claims.
fn decide<T>(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
    decision: impl FnOnce(&Decision<'_>) -> Result<T, ClaimError>,
) -> Result<T, ClaimError> {
    let text = shown(output);
    let mut scan = Scan::new(&text, reader, *board, *goal);
    let mut tokens = Vec::new();
    let mut rows = Rows::default();
    let (mut begin, mut number) = (0, 0);
    while begin < text.len() {
        if number % UNCHECKED == 0 && reader.cancel.is_cancelled() {
            return Err(ClaimError::Cancelled);
        }
        let rest = &text[begin..];
        let line = rest.split('\n').next().unwrap_or(rest);
        let held = reader.read.is_some();
        if !held
            && rest.starts_with('{')
            && let Some((end, _)) = Records::Objects.first_end(rest.as_bytes(), 0)
            && let Some(answers) = in_text(&rest.as_bytes()[..end], board, reader)
        {
            scan.records(number, answers);
            number += rest[..end].matches('\n').count();
            begin += end;
            continue;
        }
        let row = (!held).then(|| rows.read(line, board, reader)).flatten();
        match row {
            Some(Some(answer)) => scan.records(number, vec![Ok(answer)]),
            Some(None) => {}
            None => scan.line(number, end_of(line), &mut tokens),
        }
        begin += line.len() + 1;
        number += 1;
    }
    scan.end_column();
    scan.solving.end();
    decision(&Decision::new(&scan))
}

/// The end of a line that is longer than any with an answer: where an answer stands.
pub(super) fn end_of(line: &str) -> &str {
    const LONGEST: usize = 5 << 19;
    let mut from = line.len().saturating_sub(LONGEST);
    while !line.is_char_boundary(from) {
        from += 1;
    }
    &line[from..]
}

/// The boards of a chain, and its last line.
type Way = (Vec<Board>, usize);

/// What decides between the claims of a text.
pub(super) struct Decision<'a> {
    pub(super) scan: &'a Scan<'a>,
    /// The last chain from the start to the goal, by section.
    pub(super) ways: Vec<Option<Way>>,
    /// Boards from the start on of which some are not a move apart, or that do not end at the goal.
    broken: Option<Way>,
    /// Whether it is said to be an answer.
    named: bool,
    /// Whether there are boards of a path that was not understood.
    others: bool,
}

impl<'a> Decision<'a> {
    fn new(scan: &'a Scan<'a>) -> Decision<'a> {
        let (start, goal) = (scan.asked.start, scan.asked.goal);
        let placed = &scan.boards.placed;
        let is_other = |placed: &&Placed| placed.board != start && placed.board != goal;
        let others = placed.iter().filter(is_other).count();
        let steps = placed
            .windows(2)
            .filter(|pair| is_step(&pair[0].board, &pair[1].board))
            .count();
        let said = placed.iter().any(|placed| placed.sense.has(Sense::TRACE));
        let trace = said || others > 5 && 2 * steps < others;
        let odd = placed
            .windows(2)
            .any(|pair| pair[0].sign != pair[1].sign && pair[1].sign.is_alphanumeric());
        let ways = vec![None; scan.sections.len()];
        let mut decision = Decision {
            scan,
            ways,
            broken: None,
            named: false,
            others: odd || others > 0 && !trace,
        };
        let mut open: Option<Chain> = None;
        chains(placed, &start, &goal, |chain| {
            let line = placed[chain.last].lines.1;
            let moves = |boards: &Vec<Board>| boards.len() > usize::from(boards[0] == start);
            if let Some(boards) = chain.solution(&start, &goal).filter(moves) {
                decision.ways[scan.section_at(line)] = Some((boards, line));
                open = None;
            } else if chain.boards[0] == start && !trace {
                open = Some(chain);
            }
        });
        if let Some(chain) = open {
            decision.break_off(&chain);
        }
        decision
    }

    /// Keeps the boards of a chain from the start that ends elsewhere, and all behind it, if they seem to be an answer.
    fn break_off(&mut self, chain: &Chain) {
        let placed = &self.scan.boards.placed;
        let ends = [self.scan.asked.start, self.scan.asked.goal];
        let rest = placed[chain.last + 1..].iter().map(|placed| placed.board);
        let boards: Vec<Board> = chain.boards.iter().copied().chain(rest).collect();
        let between = boards.iter().filter(|board| !ends.contains(board)).count();
        let said = placed[chain.first..]
            .iter()
            .take(2)
            .map(|placed| placed.sense);
        self.named = said
            .fold(Sense::default(), |all, said| all | said)
            .has(Sense::ANSWER | Sense::MOVES);
        let most = boards.len() > 4 && 2 * chain.boards.len() >= boards.len();
        if between > 1 && (self.named || most) {
            self.broken = Some((boards, placed[placed.len() - 1].lines.1));
        }
    }

    fn answers(&self) -> Result<Vec<Answer>, ClaimError> {
        let mut answers = Vec::new();
        for i in 0..self.scan.sections.len() {
            match self.answer(i) {
                Some(Some(answer)) => answers.extend(answer.written_as(self.scan.reader.only)),
                Some(None) => return Err(self.no_answer()),
                None => {}
            }
        }
        match answers.is_empty() {
            true => Err(self.no_answer()),
            false => Ok(answers),
        }
    }

    /// What a section answers: nothing, an answer, or one that was not understood.
    fn answer(&self, index: usize) -> Option<Option<Answer>> {
        let section = &self.scan.sections[index];
        let way = self.ways[index].as_ref();
        let solving = self.scan.solving.found();
        let here = |line: usize| self.scan.section_at(line) == index && section.gave_up.is_none();
        let solving = solving.filter(|found| here(found.0)).map(|(line, moves)| {
            let path = Path::Directions(moves.to_vec());
            Found::of_paths(line, vec![path], true, false)
        });
        let long = way.filter(|way| way.0.len() > 2);
        let long = long.map(|way| Found {
            answer: Some(self.boards(&way.0)),
            ..Found::of_paths(way.1, Vec::new(), true, false)
        });
        let labelled = section.labelled.clone();
        let labelled = labelled.filter(|found| found.answer.is_some() || long.is_none());
        let bare = section.bare.clone().filter(|bare| bare.solves);
        // Of several on one line the last counts.
        let strong = [solving, long, labelled].into_iter().flatten();
        let strong = strong.max_by_key(|found| found.line);
        let length = section.length.map(|length| length.0);
        // The same moves in directions, if they are named beside the boards of a chain.
        let same = |found: &&Found| {
            let chain = way.filter(|way| strong.as_ref().is_some_and(|it| it.line == way.1));
            found.solves && chain.is_some_and(|way| found.steps() + 1 == way.0.len())
        };
        let named = [section.labelled.as_ref(), bare.as_ref()];
        let named = named.into_iter().flatten().find(same).cloned();
        let found = named.or(strong).or(bare);
        let last = found.as_ref().map(|found| found.line).max(length);
        if section.gave_up.is_some() && section.gave_up > last.max(section.unsolvable) {
            return None;
        }
        if section.unsolvable.is_some() && section.unsolvable > last {
            return Some(Some(Answer::none()));
        }
        if let Some(found) = found {
            return Some(self.found(&found, section));
        }
        if self.scan.asked.start == self.scan.asked.goal {
            return self.at_goal(section).map(Some);
        }
        self.weak(section, way)
    }

    /// What a section answers in which there is no record, no list that solves the board, and no chain of several moves.
    fn weak(&self, section: &Section, way: Option<&Way>) -> Option<Option<Answer>> {
        if let Some(way) = &self.broken {
            let claimed = self.named || section.solved || section.length.is_some();
            let answer = self.boards(&way.0);
            let breaks = claimed && !self.scan.asked.is_solved_by(&answer.candidates);
            return breaks.then_some(Some(answer));
        }
        let last = |found: &&Found| found.sure && found.line == self.scan.last_line;
        if let Some(found) = section.bare.as_ref().filter(last) {
            // Start and goal a move apart may be the way, and the last line a sign below each board.
            return Some(way.map_or_else(|| self.found(found, section), |_| None));
        }
        if let Some(way) = way.filter(|_| section.length.is_none_or(|length| length.1 == 1)) {
            return Some(Some(self.boards(&way.0)));
        }
        let torn = self.others || self.scan.boards.is_torn();
        if torn || section.unread.is_some() || section.bare.is_some() {
            return None;
        }
        let Some((_, moves, firmness)) = section.length else {
            return self.lone_line().map(Some);
        };
        let drawn = firmness == Firmness::Bare && self.scan.boards.placed.len() > 1;
        (!drawn).then(|| Some(Answer::of_length(moves)))
    }

    /// A number, or a word for none, that stands alone in the last line.
    pub(super) fn lone_line(&self) -> Option<Answer> {
        let line = self.scan.text.trim_end().rsplit('\n').next()?.trim();
        if is_none(line.as_bytes()) {
            return Some(Answer::none());
        }
        line.parse()
            .ok()
            .filter(|&length| length > 0 && line.len() < 7)
            .map(Answer::of_length)
    }

    /// The answer to a board that is the goal.
    pub(super) fn at_goal(&self, section: &Section) -> Option<Answer> {
        let nothing = ["[]", "()", "0", "nil", "true."];
        let is_nothing = |line: &str| {
            nothing
                .iter()
                .any(|word| line.trim().eq_ignore_ascii_case(word))
        };
        let nothing = section.solved || self.scan.text.lines().any(is_nothing);
        let length = section.length.map(|length| length.1);
        let length = length.or(nothing.then_some(0));
        length.filter(|&length| length == 0).map(Answer::of_length)
    }

    pub(super) fn boards(&self, boards: &[Board]) -> Answer {
        let skipped = usize::from(boards.first() == Some(&self.scan.asked.start));
        Answer {
            candidates: vec![Path::Boards(boards[skipped..].to_vec())],
            ..Answer::default()
        }
    }

    /// The answer that was found, with the length that stands elsewhere.
    fn found(&self, found: &Found, section: &Section) -> Option<Answer> {
        let mut answer = found.answer.clone()?;
        let labelled = |length: &(usize, u64, Firmness)| length.2 == Firmness::Labelled;
        let length = section.length.filter(labelled).map(|length| length.1);
        let path = !matches!(answer.candidates[..], [] | [Path::Boards(_), ..]);
        answer.length = answer.length.or(length.filter(|_| path));
        (found.solves || found.sure).then_some(answer)
    }

    /// What there is instead of an answer.
    fn no_answer(&self) -> ClaimError {
        let scan = self.scan;
        let sections = scan.sections.iter();
        let found = sections
            .clone()
            .filter_map(|section| section.labelled.as_ref().or(section.bare.as_ref()))
            .next_back();
        let unread = sections.filter_map(|section| section.unread).max();
        let seen = match found.map(|found| found.line).max(unread) {
            Some(line) => {
                let text = scan.text.split('\n').nth(line).unwrap_or("").trim();
                format!("line {} looks most like an answer, but leaves a doubt: {:?}", line + 1, shorten(text.as_bytes()))
            }
            None if scan.text.trim().is_empty() => "it is empty".to_owned(),
            None if !scan.boards.placed.is_empty() => {
                "it has boards, but not every step from this board to the goal, and no length in a form that leaves no doubt".to_owned()
            }
            None => "no path, no length in a form that leaves no doubt, no word that there is none".to_owned(),
        };
        ClaimError::NoAnswer {
            seen,
            readings: self.readings(),
        }
    }
}
