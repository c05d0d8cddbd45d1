//! The answers of a text: of each algorithm, or of a text that names none, the last claim that stands.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, ClaimError, Reader, is_none, shorten};
use crate::puzzle::Board;

use super::boards::{Placed, is_step};
use super::held::Hold;
use super::lengths::MOST_MOVES;
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
        let sections = self.sections.iter();
        let answers = sections.filter_map(|section| self.answer(section));
        let mut answers: Vec<Answer> = answers.collect::<Option<_>>()?;
        if answers.is_empty() {
            let in_doubt = self.sections.iter().any(|section| {
                section.gave_up.is_some() || section.unread.is_some() && !self.asked.is_solved()
            });
            let alone = || {
                if self.asked.is_solved() {
                    self.at_goal()
                } else {
                    self.lone_line()
                }
            };
            let alone = || alone().filter(|_| !in_doubt);
            answers.extend(alone());
        }
        answers.retain_mut(|answer| {
            let written = std::mem::take(answer).written_as(self.asked.reader.only);
            written.map(|written| *answer = written).is_some()
        });
        Some(answers).filter(|answers| !answers.is_empty())
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
        // A short list without a label counts if nothing else was left unread.
        let counts = |path: &Found| path.strong || section.unread.is_none();
        let Some(mut path) = section.path.clone().filter(counts) else {
            return self.weak(section).filter(|_| !self.asked.is_solved());
        };
        // A length elsewhere in the text; chains may count their boards.
        if !matches!(path.answer.candidates[..], [] | [Path::Boards(_), ..]) {
            let labelled = section.length.filter(|length| length.2);
            let length = path.answer.length.or(labelled.map(|length| length.1));
            path.answer.length = length;
        }
        Some((path.solves || path.sure).then_some(path.answer))
    }

    /// What a section answers that has no path: boards that break off, or a length.
    fn weak(&self, section: &Section) -> Option<Option<Answer>> {
        let placed = &self.boards.placed;
        let ends = [self.asked.start, self.asked.goal];
        let others = placed.iter().any(|it| !ends.contains(&it.board));
        let mut said = placed.iter().filter_map(|it| it.said);
        let trace = said.any(|said| said.has(Sense::TRACE));
        if let Some(first) = self.broken.filter(|_| !trace) {
            // Boards from the start on of which some are not a move apart, or that do not end at the goal.
            let mut said = placed[first..first + 2].iter().filter_map(|it| it.said);
            if said.any(|said| said.has(Sense::ANSWER | Sense::MOVES)) {
                let rest = placed[first + 1..].iter().map(|it| it.board).collect();
                let found = self.asked.found(0, vec![Path::Boards(rest)]);
                return (!found.solves).then_some(Some(found.answer));
            }
        }
        // A board that is not a move from the one before, without a word between them, or with another blank.
        let jumps = |pair: &[Placed]| {
            let apart = pair[0].board != pair[1].board && !is_step(&pair[0].board, &pair[1].board);
            pair[0].sign != pair[1].sign && pair[1].sign.is_alphanumeric()
                || apart && pair[1].said.is_none()
        };
        let torn = !trace && (others || placed.windows(2).any(jumps)) || self.boards.is_torn();
        let length = section.length.filter(|_| !torn && section.unread.is_none());
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
            .filter(|length| (1..MOST_MOVES).contains(length));
        length.map(Answer::of_length)
    }

    /// The answer to a board that is the goal.
    pub(super) fn at_goal(&self) -> Option<Answer> {
        let is_nothing = |line: &str| ["[]", "()", "0", "nil"].contains(&line.trim());
        let mut lengths = self.sections.iter().filter_map(|section| section.length);
        let is_solved = |section: &Section| section.solved || section.length.is_some();
        let reached = self.sections.iter().any(is_solved) || self.text.lines().any(is_nothing);
        (reached && lengths.all(|length| length.1 == 0)).then(|| Answer::of_length(0))
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
                let (line, text) = (line + 1, shorten(text.as_bytes()));
                format!("line {line} looks most like an answer, but leaves a doubt: {text:?}")
            }
            None if self.boards.placed.is_empty() => {
                "no path, no length in a form that leaves no doubt, no word that there is none".into()
            }
            None => "it has boards, but not every step from this board to the goal, and no length in a form that leaves no doubt".into(),
        };
        ClaimError::NoAnswer {
            seen,
            readings: self.readings(),
        }
    }
}
