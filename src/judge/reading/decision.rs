//! The answers of a text: of each algorithm, or of a text that names none, the last claim that stands.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, ClaimError, Reader, Records, Rows, in_text, is_none, shorten};
use crate::puzzle::Board;

use super::boards::{Placed, is_step};
use super::held::Hold;
use super::lex::shown;
use super::lists::Found;
use super::scan::{Scan, Section};
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
    decide(output, board, goal, reader, |scan| {
        let answers = match reader.read {
            None => scan.answers(),
            Some(kind) => scan.held(kind).map(|answer| vec![answer]),
        };
        answers.ok_or_else(|| scan.no_answer())
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
    decide(output, board, goal, reader, |scan| Ok(scan.readings()))
}

/// Reads a text line by line, and decides between its claims.
fn decide<T>(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
    decision: impl FnOnce(&Scan<'_>) -> Result<T, ClaimError>,
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
    scan.end();
    decision(&scan)
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

impl Scan<'_> {
    /// The answers of the sections that have one; `None` if one was not understood, or there is none.
    fn answers(&self) -> Option<Vec<Answer>> {
        let answers = self
            .sections
            .iter()
            .filter_map(|section| self.answer(section));
        let mut answers: Vec<Answer> = answers.collect::<Option<_>>()?;
        if answers.is_empty() {
            let is_solved = self.asked.start == self.asked.goal;
            let doubt = |section: &Section| {
                section
                    .gave_up
                    .or(section.unread.filter(|_| !is_solved))
                    .is_some()
            };
            let alone = if is_solved {
                self.at_goal()
            } else {
                self.lone_line()
            };
            answers.extend(alone.filter(|_| !self.sections.iter().any(doubt)));
        }
        answers = answers
            .into_iter()
            .filter_map(|answer| answer.written_as(self.reader.only))
            .collect();
        (!answers.is_empty()).then_some(answers)
    }

    /// What a section answers: nothing, an answer, or one that was not understood.
    fn answer(&self, section: &Section) -> Option<Option<Answer>> {
        let path = self.steps_anywhere(section).or(section.path.clone());
        let length = section.length.map(|length| length.0);
        let last = path.as_ref().map(|path| path.line).max(length);
        if section.gave_up.is_some() && section.gave_up > last.max(section.unsolvable) {
            return None;
        }
        if section.unsolvable.is_some() && section.unsolvable > last {
            return Some(Some(Answer::none()));
        }
        let Some(mut path) = path else {
            return self
                .weak(section)
                .filter(|_| self.asked.start != self.asked.goal);
        };
        // A length elsewhere in the text; chains may count their boards.
        let labelled = section
            .length
            .filter(|length| length.2)
            .map(|length| length.1);
        if !matches!(path.answer.candidates[..], [] | [Path::Boards(_), ..]) || path.steps() == 1 {
            path.answer.length = path.answer.length.or(labelled);
        }
        Some((path.solves || path.sure).then_some(path.answer))
    }

    /// The steps of all lines with one each, if they solve the board and no path stands behind them.
    fn steps_anywhere(&self, section: &Section) -> Option<Found> {
        let (moves, line) = self.steps.clone();
        let last = section.path.as_ref().is_none_or(|path| path.line < line);
        let only = self.sections.len() == 1 && section.gave_up.is_none();
        let found = self.asked.found(line, vec![Path::Directions(moves)]);
        (found.convinces() && last && only).then_some(found)
    }

    /// What a section answers that has no path: boards that break off, or a length.
    fn weak(&self, section: &Section) -> Option<Option<Answer>> {
        let (start, goal) = (self.asked.start, self.asked.goal);
        let placed = &self.boards.placed;
        let others = placed
            .iter()
            .filter(|it| it.board != start && it.board != goal)
            .count();
        let steps = placed
            .windows(2)
            .filter(|pair| is_step(&pair[0].board, &pair[1].board))
            .count();
        let traced = placed
            .iter()
            .any(|it| it.said.is_some_and(|said| said.has(Sense::TRACE)));
        let trace = traced || others > 5 && 2 * steps < others;
        if let Some((first, boards)) = self.broken.filter(|_| !trace) {
            // Boards from the start on of which some are not a move apart, or that do not end at the goal.
            let said = placed[first..].iter().take(2).filter_map(|it| it.said);
            let said = said.fold(Sense::default(), |all, said| all | said);
            let rest: Vec<Board> = placed[first + 1..].iter().map(|it| it.board).collect();
            let claimed = section.solved || section.length.is_some();
            let most = rest.len() > 3 && 2 * boards > rest.len() && claimed;
            if boards > 2 && (most || said.has(Sense::ANSWER | Sense::MOVES)) {
                let found = self.asked.found(0, vec![Path::Boards(rest)]);
                return (!found.solves).then_some(Some(found.answer));
            }
        }
        // A board that is not a move from the one before, without a word between them.
        let jump = |pair: &[Placed]| {
            pair[1].said.is_none()
                && pair[0].board != pair[1].board
                && !is_step(&pair[0].board, &pair[1].board)
        };
        let jumps = !trace && placed.windows(2).any(jump);
        let odd = placed
            .windows(2)
            .any(|pair| pair[0].sign != pair[1].sign && pair[1].sign.is_alphanumeric());
        let torn = odd
            || jumps
            || others > 0 && !trace
            || self.boards.is_torn()
            || section.unread.is_some();
        let length = section.length.filter(|_| !torn);
        length.map(|length| Some(Answer::of_length(length.1)))
    }

    /// A number, or a word for none, that stands alone in the last line.
    pub(super) fn lone_line(&self) -> Option<Answer> {
        let line = self.text.trim_end().rsplit('\n').next()?.trim();
        if is_none(line.as_bytes()) {
            return Some(Answer::none());
        }
        let length = line
            .parse()
            .ok()
            .filter(|&length| length > 0 && line.len() < 7);
        length.map(Answer::of_length)
    }

    /// The answer to a board that is the goal.
    pub(super) fn at_goal(&self) -> Option<Answer> {
        const NOTHING: [&str; 4] = ["[]", "()", "0", "nil"];
        let is_nothing = |line: &str| NOTHING.contains(&line.trim().to_lowercase().as_str());
        let length = self.sections.iter().find_map(|section| section.length);
        let solved = self.sections.iter().any(|section| section.solved);
        let length = length.map_or(0, |length| length.1);
        let reached = length == 0 && (solved || self.text.lines().any(is_nothing));
        let given = self.sections.iter().any(|section| section.length.is_some());
        (length == 0 && (given || reached)).then(|| Answer::of_length(0))
    }

    /// What there is instead of an answer.
    fn no_answer(&self) -> ClaimError {
        let line = |section: &Section| {
            let path = section.path.as_ref().map(|path| path.line);
            path.max(section.unread)
        };
        let seen = match self.sections.iter().filter_map(line).max() {
            Some(line) => {
                let text = self.text.split('\n').nth(line).unwrap_or("").trim();
                format!("line {} looks most like an answer, but leaves a doubt: {:?}", line + 1, shorten(text.as_bytes()))
            }
            None if self.text.trim().is_empty() => "it is empty".to_owned(),
            None if !self.boards.placed.is_empty() => {
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
