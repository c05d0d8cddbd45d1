//! The answer of a text: the last claim that stands.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{ClaimError, Reader, paths_of, shorten};
use crate::puzzle::{Board, Numbering, Shape};

use super::boards::is_step;
use super::held::{ReadAs, last_line};
use super::lengths::MOST_MOVES;
use super::lex::{lex, shown};
use super::lists::{Found, Question, is_steps, is_sure};
use super::scan::{LONGEST, Scan};

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
    find_answer_by(output, board, goal, &Reader::default()).ok()
}

/// As [`find_answer`], with a reader of one's own.
///
/// # Errors
/// [`ClaimError::NoAnswer`] says what there is instead; [`ClaimError::Cancelled`] that it was cancelled or took too long.
pub fn find_answer_by(
    output: &[u8],
    board: &Board,
    goal: &Board,
    reader: &Reader,
) -> Result<Answer, ClaimError> {
    let text = shown(output);
    let (ends, reader) = ([*board, *goal], &reader.about(board));
    let asked = Question { ends, reader };
    let record = asked.record(0, text.trim()).filter(|found| found.sure);
    let record = record.map(|found| found.answer);
    let whole = [record, plan(&text), directions(&text)];
    let whole = whole.into_iter().flatten().next();
    let whole = whole.and_then(|answer| answer.written_as(reader.only));
    if let Some(answer) = whole.filter(|_| reader.read.is_none()) {
        return Ok(answer);
    }
    let scan = Scan::read(&text, asked)?;
    let answer = match reader.read {
        None => scan.answer(),
        Some(kind) => scan.held(kind),
    };
    let answer = answer.and_then(|answer| answer.written_as(reader.only));
    answer.ok_or_else(|| scan.no_answer())
}

/// The tiles of a planner's plan, which is nothing but steps `(move t4 p22 p21)`, one a line, and comments behind `;`.
fn plan(text: &str) -> Option<Answer> {
    let lines = text.lines().filter_map(|line| line.split(';').next());
    let steps = lines.map(str::trim).filter(|line| !line.is_empty());
    let tile = |step: &str| {
        let step = step.strip_prefix("(move t")?.strip_suffix(')')?;
        step.split(' ').next()?.parse().ok()
    };
    let tiles: Vec<u8> = steps.map(tile).collect::<Option<_>>()?;
    (!tiles.is_empty()).then(|| Answer::of_paths(vec![Path::Tiles(tiles)]))
}

/// The directions of a text that is nothing but one line of them.
fn directions(text: &str) -> Option<Answer> {
    let line = text.trim();
    let tokens = (line.len() < LONGEST && !line.contains('\n')).then(|| lex(line))?;
    let is_list = tokens.iter().all(|it| is_steps(it) || it.is("[](),;'\"->"));
    let paths = paths_of(&tokens, Shape::EIGHT_PUZZLE, Numbering::default()).filter(|_| is_list)?;
    let mut paths = paths.into_iter();
    let path = paths.find(|path| is_sure(path) || path.steps() == 1)?;
    Some(Answer::of_paths(vec![path]))
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
) -> Result<Vec<(ReadAs, Answer)>, ClaimError> {
    let (ends, reader) = ([*board, *goal], &reader.about(board));
    Ok(Scan::read(&shown(output), Question { ends, reader })?.readings())
}

impl Scan<'_> {
    /// What the text answers; `None` if nothing, or what was not understood.
    fn answer(&self) -> Option<Answer> {
        let claims = &self.claims;
        let line = claims.path.as_ref().map(|path| path.line);
        let last = line.max(claims.length.map(|length| length.0));
        if claims.gave_up > last.max(claims.unsolvable) {
            return None;
        }
        if claims.unsolvable > last {
            return Some(Answer::none());
        }
        // A short list without a label counts if nothing else was left unread.
        let counts = |path: &Found| path.strong || claims.unread.is_none();
        let Some(mut path) = claims.path.clone().filter(counts) else {
            return self.weak();
        };
        // A length elsewhere in the text belongs to the path; chains may count their boards.
        let labelled = claims.length.filter(|length| length.2);
        let is_moves = !matches!(path.answer.candidates[..], [] | [Path::Boards(_), ..]);
        if let (None, true, Some((at, length, _))) = (path.answer.length, is_moves, labelled) {
            // It may be that of another algorithm, where several are named, or one and it stands before the path.
            let is_doubt = claims.algorithms.len() > usize::from(at > path.line);
            if is_doubt && length != path.answer.steps() as u64 {
                return None;
            }
            path.answer.length = Some(length);
        }
        (path.solves || path.sure).then_some(path.answer)
    }

    /// What a text answers that has no path: boards that break off, or a length, if no boards are left over.
    fn weak(&self) -> Option<Answer> {
        if self.asked.is_solved() {
            return self.at_goal();
        }
        if let Some(broken) = self.broken() {
            return Some(broken);
        }
        let mut placed = self.boards.placed.iter();
        let others = placed.any(|(_, board)| !self.asked.ends.contains(board));
        let doubt = others || self.boards.is_torn() || self.claims.unread.is_some();
        self.held_length().filter(|_| !doubt).map(|held| held.1)
    }

    /// Boards behind the label of an answer that begin by two moves from the start, and then break or end elsewhere.
    fn broken(&self) -> Option<Answer> {
        let claims = &self.claims;
        let is_doubt = claims.traced || claims.way.is_some();
        let labelled = claims.labelled.filter(|_| !is_doubt)?;
        let placed = self.boards.placed[labelled..].iter();
        let mut boards: Vec<Board> = placed.map(|(_, board)| *board).collect();
        boards.dedup();
        let moves = |boards: &[Board]| boards.windows(2).all(|it| is_step(&it[0], &it[1]));
        let begins = boards.get(..3).is_some_and(moves) && boards[0] == self.asked.ends[0];
        let found = begins.then(|| self.asked.found(0, vec![Path::Boards(boards.split_off(1))]))?;
        (!found.solves).then_some(found.answer)
    }

    /// The answer to a board that is the goal.
    pub(super) fn at_goal(&self) -> Option<Answer> {
        let length = self.claims.length.map(|length| length.1);
        let is_nothing = |line: &str| ["[]", "()", "0", "nil"].contains(&line.trim());
        let reached = || self.claims.solved || self.text.lines().any(is_nothing);
        let reached = length.map_or_else(reached, |length| length == 0);
        (reached && self.asked.is_solved()).then(|| Answer::of_length(0))
    }

    /// A number, or a word for none, that stands alone in the last line.
    pub(super) fn lone_line(&self) -> Option<Answer> {
        let answer = self.asked.value(last_line(self.text))?;
        let is_length = |length| (1..MOST_MOVES).contains(&length);
        let is_lone = answer.candidates.is_empty() && answer.length.is_none_or(is_length);
        is_lone.then_some(answer)
    }

    /// What there is instead of an answer.
    fn no_answer(&self) -> ClaimError {
        let path = self.claims.path.as_ref().map(|path| path.line);
        let seen = match path.max(self.claims.unread) {
            Some(line) => {
                let text = self.text.split('\n').nth(line).unwrap_or("").trim();
                let (line, text) = (line + 1, shorten(text));
                format!("line {line} looks most like an answer, but leaves a doubt: {text:?}")
            }
            None if self.boards.placed.is_empty() => {
                "no path, no length in a form that leaves no doubt, no word that there is none".into()
            }
            None => "it has boards, but not every step from this board to the goal, and no length in a form that leaves no doubt".into(),
        };
        ClaimError::NoAnswer {
            seen,
            ends: self.asked.ends,
            readings: self.readings(),
        }
    }
}
