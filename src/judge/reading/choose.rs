//! The answer among the candidates: the rules of the room's first page.

use crate::judge::answer::{Answer, Path, Reading};
use crate::puzzle::Board;

use super::claim::ClaimError;
use super::extract::{BARE, Candidate, DEPTH, Finder, LABELLED, SENTENCE, Strength, Told};
use super::fields::lone_number;
use super::moves::is_legend;

/// The answers in a text, one for each algorithm that gives a path of its own, otherwise one.
///
/// # Errors
/// [`ClaimError::NoAnswer`] if nothing is beyond doubt.
pub(super) fn choose(found: &Finder<'_>, goal: &Board) -> Result<Vec<Answer>, ClaimError> {
    let mut sections: Vec<Option<&str>> = Vec::new();
    let sure = |c: &&Candidate| c.strength == Strength::Labelled && c.section.is_some();
    for candidate in found.candidates.iter().filter(sure) {
        if !sections.contains(&candidate.section) {
            sections.push(candidate.section);
        }
    }
    let part = |section| Part {
        found,
        goal,
        only: found.reader.only,
        section,
    };
    match sections.len() {
        0 | 1 => Ok(vec![part(None).answer()?]),
        _ => sections
            .into_iter()
            .map(|name| part(name).answer())
            .collect(),
    }
}

/// What of a text is about one answer.
struct Part<'a> {
    found: &'a Finder<'a>,
    goal: &'a Board,
    only: Option<Reading>,
    /// The algorithm that must have given it.
    section: Option<&'static str>,
}

impl Part<'_> {
    fn is_about(&self, section: Option<&'static str>) -> bool {
        self.section.is_none() || self.section == section
    }

    fn candidates(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        let all = self.found.candidates.iter();
        all.filter(|candidate| self.is_about(candidate.section))
    }

    /// The surest lengths, up to a rank.
    fn lengths(&self, rank: u8) -> Vec<Told> {
        let all = self.found.lengths.iter().copied();
        let told = all.filter(|told| told.rank <= rank && self.is_about(told.section));
        let told: Vec<Told> = told.collect();
        let best = told.iter().map(|told| told.rank).min();
        told.into_iter().filter(|t| Some(t.rank) == best).collect()
    }

    /// The lengths of one rank.
    fn lengths_at(&self, rank: u8) -> Vec<Told> {
        let all = self.found.lengths.iter().copied();
        all.filter(|told| told.rank == rank && self.is_about(told.section))
            .collect()
    }

    fn answer(&self) -> Result<Answer, ClaimError> {
        if let Some(answer) = self.solving() {
            return Ok(answer);
        }
        if let Some(answer) = self.unmistakable() {
            return Ok(answer);
        }
        let says_none = self
            .found
            .none
            .iter()
            .any(|&section| self.is_about(section));
        if self.needs_none() && !says_none {
            return Ok(Answer::of_moves(&[]));
        }
        let length = self.length();
        let claims_path = self.found.unreadable.is_some() || self.found.doubtful.is_some();
        match length {
            Some(Told { length, rank, .. })
                if !claims_path
                    && self.no_other_path()
                    && !self.shows_path_of(length)
                    && !self.counts_the_goal(length)
                    && (length == 0 || !self.has_empty_path()) =>
            {
                // A depth or a bare number beside the words for no solution is not its length.
                if !says_none || rank <= SENTENCE && length > 0 {
                    return Ok(Answer::of_length(length));
                }
                Ok(Answer::none())
            }
            _ if says_none && self.found.unreadable.is_none() && !self.has_moves() => {
                Ok(Answer::none())
            }
            _ => Err(ClaimError::NoAnswer { seen: self.seen() }),
        }
    }

    /// Rule 1: a path that leads to the goal.
    fn solving(&self) -> Option<Answer> {
        let board = &self.found.board;
        let mut best: Option<(bool, &Candidate, &Path)> = None;
        for candidate in self.candidates() {
            let solves = |path: &&Path| path.solves(board, self.goal, self.only);
            let Some(path) = candidate.paths.iter().find(solves) else {
                continue;
            };
            let labelled = candidate.strength == Strength::Labelled;
            if best.is_none_or(|(surer, ..)| labelled >= surer) {
                best = Some((labelled, candidate, path));
            }
        }
        let (_, candidate, path) = best?;
        let moves = path_length(path, board);
        // A labelled length beside a path is held against it; a path that is only shown may be
        // shown for another reason than to be the answer, and yields to a length that it is not.
        let shown = candidate.strength == Strength::Unlabelled;
        let told = self.lengths(match candidate.strength {
            Strength::Labelled => LABELLED,
            Strength::Line | Strength::Unlabelled => SENTENCE,
        });
        // Of a list of boards some count the boards.
        let counted = moves + u64::from(matches!(path, Path::Boards(_)));
        let agrees = |told: &Told| told.length == moves || told.length == counted;
        let agrees = told.is_empty() || told.iter().chain(&self.lengths_at(DEPTH)).any(agrees);
        if shown && !agrees {
            return None;
        }
        let length = match (agrees, told.last()) {
            (_, None) => None,
            (true, Some(_)) => Some(moves),
            (false, Some(told)) => Some(told.length),
        };
        Some(Answer {
            length,
            candidates: vec![path.clone()],
            ..Answer::default()
        })
    }

    /// Rule 1 for a board that is the goal: no moves, if nothing else is told.
    fn needs_none(&self) -> bool {
        let found = self.found;
        let told = self.lengths(BARE);
        let most = u64::from(found.boards);
        let zero = told.iter().all(|told| told.length <= most)
            && found.lengths.iter().any(|told| told.length == 0);
        let only_shown = found.boards && found.words == 0;
        found.board == *self.goal
            && found.between == 0
            && !self.has_moves()
            && (zero || told.is_empty() && !found.broken && (only_shown || found.solved))
    }

    /// Rule 2: a path that misses the goal and is meant as the answer without doubt.
    fn unmistakable(&self) -> Option<Answer> {
        if self.found.unreadable.is_some() {
            return None;
        }
        let labelled = |c: &&Candidate| {
            let moves = |path: &&Path| !matches!(path, Path::Directions(m) if m.is_empty());
            c.strength == Strength::Labelled && c.paths.iter().any(|path| moves(&path))
        };
        let candidate = self.candidates().rfind(labelled)?;
        if let Some(number) = candidate.lone {
            return Some(lone_number(
                number,
                &self.found.board,
                self.found.reader.numbering,
            ));
        }
        let told = self.lengths(LABELLED);
        Some(Answer {
            length: told.last().map(|told| told.length),
            candidates: candidate.paths.clone(),
            ..Answer::default()
        })
        .and_then(|answer| answer.written_as(self.only))
    }

    /// Rule 3: the length, if one is told beyond doubt.
    fn length(&self) -> Option<Told> {
        let told = self.lengths(BARE);
        let last = *told.last()?;
        let same = told.iter().all(|told| told.length == last.length);
        if last.rank >= DEPTH && self.found.failed {
            return None;
        }
        match last.rank {
            // Depths are printed on the way, too.
            DEPTH => (same && self.found.success).then_some(last),
            BARE => (self.found.lines == 1 || same && !self.found.boards).then_some(last),
            rank if rank > DEPTH => (same && !self.found.boards).then_some(last),
            _ => Some(last),
        }
    }

    /// Is there no line that reads as a path and leads elsewhere?
    fn no_other_path(&self) -> bool {
        let is_claim = |path: &Path| match path {
            Path::Directions(moves) => !moves.is_empty(),
            Path::Tiles(tiles) => tiles.len() > 1,
            Path::Boards(_) => false,
        };
        !self
            .candidates()
            .any(|c| c.strength >= Strength::Line && c.paths.iter().any(is_claim))
    }

    /// Could the boards be meant as a path of this length, of which not every step is legal? A search
    /// that prints all that it looks at prints more boards than its path has.
    fn shows_path_of(&self, length: u64) -> bool {
        let boards = self.found.between;
        self.found.broken || boards > 0 && boards <= length.saturating_add(3)
    }

    /// Is there a path under a label that has no moves?
    fn has_empty_path(&self) -> bool {
        let empty = |path: &Path| matches!(path, Path::Directions(moves) if moves.is_empty());
        self.candidates().any(|c| c.paths.iter().any(empty))
    }

    /// Could this be the count of the boards on a path that has no moves?
    fn counts_the_goal(&self, length: u64) -> bool {
        length == 1 && self.found.boards && self.found.board == *self.goal
    }

    fn has_moves(&self) -> bool {
        self.candidates().any(|c| {
            let moves = |path: &Path| match path {
                Path::Directions(moves) => !moves.is_empty() && !is_legend(moves),
                _ => true,
            };
            c.strength >= Strength::Line && c.paths.iter().any(moves)
        })
    }

    /// What there is instead of an answer.
    fn seen(&self) -> String {
        let cut = |(line, text): &(usize, String)| {
            format!("line {line} looks like a path that cannot be read whole: {text:?}")
        };
        if let Some(unread) = self
            .found
            .unreadable
            .as_ref()
            .or(self.found.doubtful.as_ref())
        {
            return cut(unread);
        }
        if let Some(candidate) = self.candidates().next_back() {
            return format!(
                "line {} reads as moves that do not lead to the goal, and nothing says that they are the answer",
                candidate.line
            );
        }
        match (self.found.boards, self.found.lines) {
            (_, 0) => "it is empty".to_owned(),
            (true, _) => "it has boards, but not every step from this board to the goal, and no length in a form \
                 that leaves no doubt"
                .to_owned(),
            (false, _) => "no path, no length in a form that leaves no doubt, no word that there is none".to_owned(),
        }
    }
}

/// Moves of a path that is legal from `board`.
fn path_length(path: &Path, board: &Board) -> u64 {
    let moves = match path {
        Path::Directions(moves) => moves.len(),
        Path::Tiles(tiles) => tiles.len(),
        Path::Boards(boards) => boards.len() - usize::from(boards.first() == Some(board)),
    };
    moves as u64
}
