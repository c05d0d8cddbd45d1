//! Answers about a board.

use serde::{Deserialize, Serialize};

use crate::basics::names;
use crate::puzzle::{Board, Move};

/// Path to the goal, in the form in which it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// Directions. The [`Reading`] decides whether they are the blank's or the tile's.
    Directions(Vec<Move>),
    /// The numbers of the tiles that slide.
    Tiles(Vec<u8>),
    /// The boards on the way. The first may be the start itself or the board after the first move.
    Boards(Vec<Board>),
}

impl Path {
    /// Returns the number of moves, or of boards.
    pub(super) fn steps(&self) -> usize {
        match self {
            Path::Directions(moves) => moves.len(),
            Path::Tiles(tiles) => tiles.len(),
            Path::Boards(boards) => boards.len(),
        }
    }

    /// Returns whether the path can be read in the notation `only`. A list of boards is in no
    /// notation of moves, and an empty list of moves is the same in all of them, so both always
    /// can.
    pub fn fits(&self, only: Option<Reading>) -> bool {
        self.readings_as(only).next().is_some()
    }

    /// Returns the notations in which the path may be read if moves are known to be written in
    /// `only`, the likelier first.
    pub(super) fn readings_as(&self, only: Option<Reading>) -> impl Iterator<Item = Reading> {
        let readings: &[Reading] = match self {
            Path::Directions(_) => &[Reading::Blank, Reading::Tile],
            Path::Tiles(_) => &[Reading::Numbers],
            Path::Boards(_) => &[Reading::Boards],
        };
        let any = matches!(self, Path::Boards(_)) || self.steps() == 0;
        let readings = readings.iter().copied();
        readings.filter(move |reading| any || only.is_none_or(|only| only == *reading))
    }
}

/// How a [`Path`] was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Directions of the blank.
    Blank,
    /// Directions of the tile.
    Tile,
    /// Numbers of the tiles that slide.
    Numbers,
    /// Boards.
    Boards,
}

names!(Reading, "a notation", [Blank: "blank", Tile: "tile", Numbers: "numbers", Boards: "boards"]);

/// Answer about a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the answer is that there is no solution.
    pub unsolvable: bool,
    /// Length that the answer claims.
    pub length: Option<u64>,
    /// The paths that its text can mean, the likeliest first.
    pub candidates: Vec<Path>,
}

impl Answer {
    /// Returns the answer that consists of these moves of the blank.
    pub fn of_moves(moves: &[Move]) -> Answer {
        Answer::of_paths(vec![Path::Directions(moves.to_vec())])
    }

    /// Returns the answer that can mean any of these paths.
    pub(super) fn of_paths(candidates: Vec<Path>) -> Answer {
        Answer {
            candidates,
            ..Answer::default()
        }
    }

    /// Returns the number of moves, or of boards, of the likeliest path.
    pub(super) fn steps(&self) -> usize {
        self.candidates.first().map_or(0, Path::steps)
    }

    /// Returns the answer that is a length alone.
    pub fn of_length(length: u64) -> Answer {
        Answer {
            length: Some(length),
            ..Answer::default()
        }
    }

    /// Returns the answer that there is no solution.
    pub fn none() -> Answer {
        Answer {
            unsolvable: true,
            ..Answer::default()
        }
    }

    /// Returns the answer, if its moves are written as `only` says; `None` if they are written
    /// otherwise.
    ///
    /// ```
    /// use puzzledb::judge::{Answer, Reading};
    /// use puzzledb::puzzle::Move;
    ///
    /// let answer = Answer::of_moves(&[Move::Up]);
    /// assert!(answer.clone().written_as(Some(Reading::Tile)).is_some());
    /// assert!(answer.written_as(Some(Reading::Numbers)).is_none());
    /// ```
    #[must_use]
    pub fn written_as(mut self, only: Option<Reading>) -> Option<Answer> {
        let had_candidates = !self.candidates.is_empty();
        self.candidates.retain(|path| path.fits(only));
        (!had_candidates || !self.candidates.is_empty()).then_some(self)
    }
}
