//! What a wrong answer shows beside its verdict, and accusations that are withdrawn.

use serde::{Deserialize, Serialize};

use crate::text::visible;
use puzzledb::judge::{Answer, OtherReading, Path, Verdict};
use puzzledb::oracle::Optimum;
use puzzledb::puzzle::Board;
use puzzledb::puzzle::Move::{self, Down, Left, Right, Up};

use super::mistake::{Mistake, MistakeKind};
use super::outcome::{Grade, Outcome};

/// Exchanges of directions in words, and the moves that stand for up, down, left and right.
pub(super) const MIRRORS: [(&str, [Move; 4]); 5] = [
    ("up and down exchanged", [Down, Up, Left, Right]),
    ("left and right exchanged", [Up, Down, Right, Left]),
    (
        "each direction reversed, as the tile goes",
        [Down, Up, Right, Left],
    ),
    ("rows and columns exchanged", [Left, Right, Up, Down]),
    (
        "rows and columns exchanged and reversed",
        [Right, Left, Down, Up],
    ),
];

/// What a program's output shows where its answer is wrong, or was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Evidence {
    /// The best readings of the output if the reader is held to one kind of claim.
    pub readings: Vec<OtherReading>,
    /// The exchanges of directions by which the path that was read reaches the goal, by their number.
    pub(super) mirrored: Vec<usize>,
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
            let reaches = |&mirror: &usize| {
                let (_, stands_for) = MIRRORS[mirror];
                let moves = moves.iter().map(|mv| stands_for[usize::from(mv.code())]);
                let end = board.replay(&moves.collect::<Vec<Move>>());
                end.is_ok_and(|end| end == *goal)
            };
            self.mirrored.extend((0..MIRRORS.len()).filter(reaches));
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

/// The accusation in a verdict, if it is worse than a solution that is too long: that a path does not reach the goal
/// ([`MistakeKind::IllegalMoves`], also where it misses it), that there is a solution, or that none has the length.
pub(super) fn accusation(verdict: Verdict) -> Option<MistakeKind> {
    match verdict {
        Verdict::IllegalMove { .. } | Verdict::MissesGoal => Some(MistakeKind::IllegalMoves),
        Verdict::WronglyUnsolvable => Some(MistakeKind::WronglyUnsolvable),
        Verdict::TooShort { .. } | Verdict::WrongParity { .. } => {
            Some(MistakeKind::ImpossibleLength)
        }
        _ => None,
    }
}

/// Withdraws the same accusation on every board that has a solution, where each output has a witness against it: a path
/// to the goal in another reading, or a list of the right length. One wrong board may be chance, so that two are needed.
/// Mirrored moves and another goal are mistakes all the same.
pub(crate) fn withdraw(grades: &mut [Grade]) {
    let has_moves = |grade: &Grade| grade.optimum.known().is_some_and(|distance| distance > 0);
    let accused = |grade: &Grade| {
        let judged = grade.outcome.judged()?;
        accusation(judged.verdict).filter(|_| grade.evidence.witness().is_some())
    };
    let solvable = || grades.iter().filter(|grade| has_moves(grade));
    let Some(first) = solvable().next().and_then(accused) else {
        return;
    };
    let is_known = Mistake::of(grades).is_some_and(|mistake| {
        matches!(mistake.kind, MistakeKind::Mirrored | MistakeKind::OtherGoal)
    });
    let same = |grade: &Grade| accused(grade) == Some(first);
    if is_known || solvable().count() < 2 || !solvable().all(same) {
        return;
    }
    for grade in grades.iter_mut().filter(|grade| has_moves(grade)) {
        grade.outcome = Outcome::NotUnderstood;
    }
}
