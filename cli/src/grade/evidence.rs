//! What a wrong answer shows beside its verdict, and accusations that are withdrawn.

use serde::{Deserialize, Serialize};

use crate::text::visible;
use puzzledb::judge::{Answer, OtherReading, Path, Verdict};
use puzzledb::oracle::Optimum;
use puzzledb::puzzle::{Board, Move};

use super::mistake::Mistake;
use super::outcome::{Grade, Outcome};

/// An exchange of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mirror {
    /// Up and down.
    UpDown,
    /// Left and right.
    LeftRight,
    /// Each direction and its opposite: those of the tile for those of the blank.
    Opposite,
    /// Rows and columns.
    Transposed,
    /// Rows and columns, and each direction and its opposite.
    OppositeTransposed,
}

impl Mirror {
    pub(super) const ALL: [Mirror; 5] = [
        Mirror::UpDown,
        Mirror::LeftRight,
        Mirror::Opposite,
        Mirror::Transposed,
        Mirror::OppositeTransposed,
    ];

    /// What is exchanged, in words.
    pub fn name(self) -> &'static str {
        match self {
            Mirror::UpDown => "up and down exchanged",
            Mirror::LeftRight => "left and right exchanged",
            Mirror::Opposite => "each direction reversed, as the tile goes",
            Mirror::Transposed => "rows and columns exchanged",
            Mirror::OppositeTransposed => "rows and columns exchanged and reversed",
        }
    }

    fn of(self, mv: Move) -> Move {
        let is_vertical = matches!(mv, Move::Up | Move::Down);
        let transposed = match mv {
            Move::Up => Move::Left,
            Move::Left => Move::Up,
            Move::Down => Move::Right,
            Move::Right => Move::Down,
        };
        match self {
            Mirror::UpDown if is_vertical => mv.opposite(),
            Mirror::LeftRight if !is_vertical => mv.opposite(),
            Mirror::UpDown | Mirror::LeftRight => mv,
            Mirror::Opposite => mv.opposite(),
            Mirror::Transposed => transposed,
            Mirror::OppositeTransposed => transposed.opposite(),
        }
    }
}

/// What a program's output shows where its answer is wrong, or was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Evidence {
    /// The best readings of the output if the reader is held to one kind of claim.
    pub readings: Vec<OtherReading>,
    /// The exchanges of directions by which the path that was read reaches the goal.
    pub mirrored: Vec<Mirror>,
    /// Whether the path that was read has as many moves as a shortest solution.
    pub right_length: bool,
}

impl Evidence {
    /// Adds what the answer itself shows.
    pub(super) fn of_answer(
        &mut self,
        board: &Board,
        goal: &Board,
        answer: &Answer,
        best: Optimum,
    ) {
        for path in &answer.candidates {
            let Path::Directions(moves) = path else {
                continue;
            };
            self.right_length |= best.known().map(usize::from) == Some(moves.len());
            let reaches = |mirror: &Mirror| {
                let moves: Vec<Move> = moves.iter().map(|&mv| mirror.of(mv)).collect();
                board.replay(&moves).is_ok_and(|end| end == *goal)
            };
            self.mirrored
                .extend(Mirror::ALL.into_iter().filter(reaches));
        }
    }

    /// What speaks for a solution in a form that was not understood, in words.
    pub(super) fn witness(&self) -> Option<String> {
        let reading = self.readings.iter().find(|reading| reading.solves);
        let length = "a list with as many moves as a shortest solution".to_owned();
        reading
            .map(|reading| visible(&reading.to_string()))
            .or(self.right_length.then_some(length))
    }
}

/// What an answer lacks that is accused, rather than too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accusation {
    /// Its moves do not lead to the goal.
    Path,
    /// It says that there is no solution, and there is one.
    Unsolvable,
    /// No solution has the length.
    Length,
}

impl Accusation {
    pub(super) fn of(verdict: Verdict) -> Option<Accusation> {
        match verdict {
            Verdict::IllegalMove { .. } | Verdict::MissesGoal => Some(Accusation::Path),
            Verdict::WronglyUnsolvable => Some(Accusation::Unsolvable),
            Verdict::TooShort { .. } | Verdict::WrongParity { .. } => Some(Accusation::Length),
            _ => None,
        }
    }
}

/// Withdraws the same accusation on every board that has a solution, where each output has a witness against it: a path
/// to the goal in another reading, or a list of the right length. One wrong board may be chance, so that two are needed.
/// Mirrored moves and another goal are mistakes all the same.
pub(crate) fn withdraw(grades: &mut [Grade]) {
    let has_moves = |grade: &Grade| grade.optimum.known().is_some_and(|distance| distance > 0);
    let accused = |grade: &Grade| match &grade.outcome {
        Outcome::Judged(judged) => {
            let witness = grade.evidence.witness();
            Accusation::of(judged.verdict).filter(|_| witness.is_some())
        }
        _ => None,
    };
    let solvable = || grades.iter().filter(|grade| has_moves(grade));
    let Some(first) = solvable().next().and_then(accused) else {
        return;
    };
    let same = |grade: &Grade| accused(grade) == Some(first);
    let known = Mistake::of(grades).is_some_and(|mistake| mistake.explains_paths());
    if known || solvable().count() < 2 || !solvable().all(same) {
        return;
    }
    for grade in grades.iter_mut().filter(|grade| has_moves(grade)) {
        grade.outcome = Outcome::NotUnderstood;
    }
}
