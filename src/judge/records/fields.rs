//! The fields of a claim: a length, a path, or the word that there is none.

use std::borrow::Cow;

use crate::judge::answer::{Answer, Path, Reading};
use crate::puzzle::{Board, Numbering};

use super::claim::{ClaimError, Reader, shorten};
use super::moves::paths;
use super::roles::Role;
use crate::judge::reading::{is_unsolvable, whole_number};

const ROLES: usize = Role::ALL.len();

/// Sorts values by the roles of their names; of two in one role, the one whose name stands first in the list counts.
pub(super) fn by_role<T>(named: impl Iterator<Item = ((Role, usize), T)>) -> [Option<T>; ROLES] {
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|((_, place), _)| *place);
    let mut fields = [const { None }; ROLES];
    for ((role, _), value) in named {
        fields[role as usize].get_or_insert(value);
    }
    fields
}

/// The texts of a record by their roles, those of a row or of an object; `None` where no name has the role.
#[derive(Debug)]
pub(super) struct Fields<'a>(pub [Option<Cow<'a, str>>; ROLES]);

impl Fields<'_> {
    /// The text of a role, empty if there is none.
    pub(super) fn text(&self, role: Role) -> &str {
        self.0[role as usize].as_deref().unwrap_or_default()
    }

    /// Whether one of the roles is that of a claim.
    pub(super) fn has_claim(&self) -> bool {
        self.0[Role::Length as usize..].iter().any(Option::is_some)
    }

    /// The answer in it: a length, a path, or both. Moves are the path, or its length where a number stands there.
    ///
    /// # Errors
    /// As [`Reader::answer`].
    pub(super) fn answer(
        &self,
        [board, goal]: [Board; 2],
        reader: &Reader,
    ) -> Result<Answer, ClaimError> {
        let text = |role| self.text(role);
        let [path, moves, trace] = [Role::Path, Role::Moves, Role::Trace].map(text);
        let (length, solvable) = (text(Role::Length), text(Role::Solvable));
        if is_none(solvable) || ["no", "0"].contains(&&*solvable.to_ascii_lowercase()) {
            return Ok(Answer::none());
        }
        let is_count = |text: &&str| whole_number(text).is_some();
        let is_list = |text: &&str| !text.is_empty() && !is_count(text);
        let list = [path, moves, trace].into_iter().find(is_list);
        // A number alone under the name of a path may be the one tile that slides.
        let lone = [path, trace].into_iter().find(|text| !text.is_empty());
        let counts = [moves, if list.is_some() { path } else { "" }];
        let count = counts.into_iter().find(is_count);
        let length = Some(length).filter(|length| !length.is_empty());
        let length = length.or(count).unwrap_or("");
        // An empty path without any other column is the claim that no move is needed.
        let others = [Role::Length, Role::Solvable].map(|role| &self.0[role as usize]);
        let nothing = length.is_empty() && others == [&None, &None];
        let path = list.or(lone).unwrap_or(if nothing { "[]" } else { "" });
        let answer = reader.answer(&board, length, path)?;
        let is_lone = length.is_empty() && answer.candidates.is_empty() && reader.only.is_none();
        let tiles = is_lone.then(|| paths(path, board.shape(), reader.numbering));
        // A number alone is the tile that slides, if it solves the board. So is a one: a path of one move is as long.
        let is_tile = |path: &Path| {
            let solves = || path.replay(&board, Reading::Numbers, false).reaches(&goal);
            path.steps() == 1 && (answer.length == Some(1) || solves())
        };
        let tile = tiles.flatten().into_iter().flatten().find(is_tile);
        Ok(tile.map_or(answer, |tile| Answer::of_paths(vec![tile])))
    }

    /// The board of a record and the goal beside it; a shape may stand there too.
    ///
    /// # Errors
    /// [`ClaimError::Board`] if one of them cannot be read.
    pub(super) fn ends(&self, numbering: Numbering) -> Result<(Board, Option<Board>), ClaimError> {
        let shape = self.text(Role::Shape).trim().parse();
        let numbering = shape.map_or(numbering, |shape| numbering.of(shape));
        let board = numbering.board(self.text(Role::Board).as_bytes())?;
        let goal = Some(self.text(Role::Goal).trim()).filter(|goal| !["", "None"].contains(goal));
        let goal = goal.map(|goal| numbering.goal(goal, board.shape()));
        Ok((board, goal.transpose().map_err(|error| error.cause)?))
    }
}

impl Reader {
    /// The answer in a length and a path, either of which may be empty.
    ///
    /// A number alone in the path's place is a length, since `19` is how many solvers print one,
    /// unless the moves are known to be tile numbers.
    ///
    /// # Errors
    /// [`ClaimError`] if one of them cannot be read, or both are empty.
    pub(in crate::judge) fn answer(
        &self,
        board: &Board,
        length: &str,
        path: &str,
    ) -> Result<Answer, ClaimError> {
        let (length, path) = (length.trim_ascii(), path.trim_ascii());
        let number = whole_number(length);
        let says_none = is_none(path);
        let no_path = path.is_empty() || says_none || path == "[]";
        if is_none(length) && no_path || number.is_none() && says_none {
            return Ok(Answer::none());
        }
        if number.is_none() && !length.is_empty() && !is_none(length) {
            let text = shorten(length);
            let why = format!("{text:?} is not a length: write a whole number, or unsolvable");
            return Err(ClaimError::Malformed(why));
        }
        if path.is_empty() || says_none {
            return number.map(Answer::of_length).ok_or(ClaimError::Nothing);
        }
        let shape = board.shape();
        let numbering = self.numbering.of(shape);
        let is_board = || path.len() >= shape.cells() && numbering.board(path.as_bytes()).is_ok();
        if number.is_none()
            && self.only != Some(Reading::Numbers)
            && let Some(number) = whole_number(path).filter(|_| !is_board())
        {
            return Ok(Answer::of_length(number));
        }
        Ok(Answer {
            length: number,
            ..Answer::of_paths(self.paths(board, path)?)
        })
    }

    /// All that a text of moves can mean in the notation that is asked for.
    ///
    /// # Errors
    /// [`ClaimError::Malformed`] or [`ClaimError::Notation`]
    pub(in crate::judge) fn paths(
        &self,
        board: &Board,
        text: &str,
    ) -> Result<Vec<Path>, ClaimError> {
        let shape = board.shape();
        let Some(mut paths) = paths(text, shape, self.numbering) else {
            return Err(ClaimError::Malformed(format!(
                "{:?} cannot be read as moves of a {shape} board: write UDLR, words, the numbers of \
                 the tiles, or the boards on the way",
                shorten(text)
            )));
        };
        paths.retain(|path| path.fits(self.only));
        match self.only {
            Some(only) if paths.is_empty() => {
                let text = shorten(text);
                Err(ClaimError::Notation { text, only })
            }
            _ => Ok(paths),
        }
    }
}

/// Whether a field says that there is no solution.
pub(in crate::judge) fn is_none(field: &str) -> bool {
    const LONGEST: usize = 40;
    const NOTHING: [&str; 10] = [
        "none", "null", "nil", "inf", "infinity", "∞", "false", "-1", "n/a", "nan",
    ];
    let field = field.trim_ascii();
    let is = |word: &&str| field.eq_ignore_ascii_case(word);
    field.len() <= LONGEST && (NOTHING.iter().any(is) || is_unsolvable(field))
}
