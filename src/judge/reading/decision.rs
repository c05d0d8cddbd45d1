//! The answers of a text: of each algorithm, or of a text that names none, the last claim that stands.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, ClaimError, Reader, is_none, shorten};
use crate::puzzle::Board;

use super::boards::{Placed, is_step};
use super::held::Hold;
use super::lengths::sense;
use super::lex::{lex, shown};
use super::lists::{Found, is_steps, list};
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
    let text = shown(output);
    if reader.read.is_none()
        && let Some(tiles) = plan(&text)
    {
        return Ok(vec![Answer::of_paths(vec![Path::Tiles(tiles)])]);
    }
    let scan = Scan::read(&text, reader, [*board, *goal])?;
    let answers = match reader.read {
        None => scan.answers(),
        Some(kind) => scan.held(kind).map(|answer| vec![answer]),
    };
    answers.ok_or_else(|| scan.no_answer())
}

/// The tiles of a planner's plan, which is nothing but steps `(move t4 p22 p21)`, one a line, and comments behind `;`.
fn plan(text: &str) -> Option<Vec<u8>> {
    let lines = text.lines().filter_map(|line| line.split(';').next());
    let steps = lines.map(str::trim).filter(|line| !line.is_empty());
    let tile = |step: &str| {
        let (tile, places) = step.strip_prefix("(move t")?.split_once(" p")?;
        places.ends_with(')').then(|| tile.parse().ok())?
    };
    let tiles: Vec<u8> = steps.map(tile).collect::<Option<_>>()?;
    Some(tiles).filter(|tiles| !tiles.is_empty())
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
    Ok(Scan::read(&shown(output), reader, [*board, *goal])?.readings())
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
            answers.extend(self.only_list());
        }
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
        let answers = answers
            .into_iter()
            .filter_map(|answer| answer.written_as(self.asked.only));
        Some(answers.collect()).filter(|answers: &Vec<Answer>| !answers.is_empty())
    }

    /// What a section answers: nothing, an answer, or one that was not understood.
    fn answer(&self, section: &Section) -> Option<Option<Answer>> {
        let line = section.path.as_ref().map(|path| path.line);
        let last = line.max(section.length.map(|length| length.0));
        if section.gave_up.is_some() && section.gave_up > last.max(section.unsolvable) {
            return None;
        }
        if section.unsolvable.is_some() && section.unsolvable > last {
            return Some(Some(Answer::none()));
        }
        let path = section.path.clone();
        // A short list without a label counts if nothing else was left unread; numbers may be a row of a board.
        let is_row = |path: &Found| matches!(path.answer.candidates[..], [Path::Tiles(_), ..]);
        let counts =
            |path: &Found| section.unread.is_none() && !(is_row(path) && self.boards.is_torn());
        let Some(mut path) = path.filter(|path| path.strong || counts(path)) else {
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

    /// What a section answers that has no path: boards that break off, or a length.
    fn weak(&self, section: &Section) -> Option<Option<Answer>> {
        let placed = &self.boards.placed;
        let is_other = |it: &&Placed| it.board != self.asked.start && it.board != self.asked.goal;
        let others = placed.iter().filter(is_other).count();
        let follows = |pair: &&[Placed]| is_step(&pair[0].board, &pair[1].board);
        let steps = placed.windows(2).filter(follows).count();
        let said = |placed: &[Placed]| {
            placed.iter().fold(Sense::default(), |all, it| {
                all | it.said.unwrap_or_default()
            })
        };
        let trace = said(placed).has(Sense::TRACE) || others > 5 && 2 * steps < others;
        if let Some((first, boards)) = self.broken.filter(|broken| !trace && broken.1 > 2) {
            // Boards from the start on of which some are not a move apart, or that do not end at the goal.
            let rest: Vec<Board> = placed[first + 1..].iter().map(|it| it.board).collect();
            let most = rest.len() > 3 && 2 * boards > rest.len();
            let claimed = most && (section.solved || section.length.is_some());
            if claimed || said(&placed[first..first + 2]).has(Sense::ANSWER | Sense::MOVES) {
                let found = self.asked.found(0, vec![Path::Boards(rest)]);
                return (!found.solves).then_some(Some(found.answer));
            }
        }
        // A board that is not a move from the one before, without a word between them, or with another blank.
        let jumps = |pair: &[Placed]| {
            let apart = pair[0].board != pair[1].board && !follows(&pair);
            pair[0].sign != pair[1].sign && pair[1].sign.is_alphanumeric()
                || apart && pair[1].said.is_none()
        };
        let torn = !trace && (others > 0 || placed.windows(2).any(jumps)) || self.boards.is_torn();
        let length = section.length.filter(|_| !torn && section.unread.is_none());
        length.map(|length| Some(Answer::of_length(length.1)))
    }

    /// A list of directions that is the whole text, with the label of an answer or without one.
    fn only_list(&self) -> Option<Answer> {
        let line = self.text.trim();
        let mut tokens = Vec::new();
        lex(line, &mut tokens);
        let label = tokens.iter().position(|token| token.is(":="));
        let (label, steps) = tokens.split_at(label.map_or(0, |at| at + 1));
        let said = sense(label);
        let is_answer =
            said.has(Sense::ANSWER | Sense::MOVES) && !said.has(Sense::OTHER | Sense::COUNT);
        let is_list = steps.iter().all(|token| is_steps(token) || token.is(",;"));
        let is_all = is_list && (label.is_empty() || is_answer) && !line.contains('\n');
        let found = list(steps, 0, &self.asked)
            .filter(|found| is_all && (found.sure || found.steps() == 1));
        found.map(|found| found.answer)
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
        let is_nothing =
            |line: &str| ["[]", "()", "0", "nil"].contains(&line.trim().to_lowercase().as_str());
        let says = |section: &Section| section.solved || section.length.is_some();
        let none = self
            .sections
            .iter()
            .all(|section| section.length.is_none_or(|length| length.1 == 0));
        let reached = self.sections.iter().any(says) || self.text.lines().any(is_nothing);
        (none && reached).then(|| Answer::of_length(0))
    }

    /// What there is instead of an answer.
    fn no_answer(&self) -> ClaimError {
        let line = |section: &Section| {
            section
                .path
                .as_ref()
                .map(|path| path.line)
                .max(section.unread)
        };
        let seen = match self.sections.iter().filter_map(line).max() {
            Some(line) => {
                let text = self.text.split('\n').nth(line).unwrap_or("").trim();
                let text = shorten(text.as_bytes());
                format!(
                    "line {} looks most like an answer, but leaves a doubt: {text:?}",
                    line + 1
                )
            }
            None => {
                let boards = "it has boards, but not every step from this board to the goal, and no length in a form that leaves no doubt";
                let nothing =
                    "no path, no length in a form that leaves no doubt, no word that there is none";
                (if self.boards.placed.is_empty() {
                    nothing
                } else {
                    boards
                })
                .to_owned()
            }
        };
        let readings = self.readings();
        ClaimError::NoAnswer { seen, readings }
    }
}
