//! What wrong answers show beside their verdicts: accusations that are withdrawn, and the kind of mistake that a program
//! makes, in one sentence, with the simplest board that shows it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::text::{plural, visible};
use puzzledb::judge::{Answer, OtherReading, Path, Verdict};
use puzzledb::oracle::Optimum;
use puzzledb::puzzle::Move::{self, Down, Left, Right, Up};
use puzzledb::puzzle::{Board, UsualGoal};

use super::outcome::{Grade, Outcome};
use super::supervise::Limit;

/// Kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MistakeKind {
    /// It cannot be started.
    NotStarted,
    /// It ends by a signal or a failing exit code.
    Crashes,
    /// It exceeds a limit.
    NoEnd,
    /// It prints nothing.
    PrintsNothing,
    /// What it prints is not read.
    NotRead,
    /// What it prints was read otherwise than it is meant.
    NotUnderstood,
    /// Its paths reach the goal if directions are exchanged.
    Mirrored,
    /// Its paths end at another goal.
    OtherGoal,
    /// It says that solvable boards have no solution.
    WronglyUnsolvable,
    /// Its moves are illegal.
    IllegalMoves,
    /// Its paths end before the goal.
    MissesGoal,
    /// It states another length than its path has.
    WrongLength,
    /// It claims a length that no solution has.
    ImpossibleLength,
    /// Most answers beyond some distance are too long.
    Greedy,
    /// Some answers are too long.
    InadmissibleHeuristic,
}

/// The mistake that a program makes on most of the boards that it fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mistake {
    /// Its kind.
    pub kind: MistakeKind,
    /// What the program does, in a sentence.
    pub sentence: String,
    /// The simplest board that shows it.
    pub board: Board,
}

impl Mistake {
    /// The mistake that most of the failed boards show; `None` if none failed.
    pub fn of(grades: &[Grade]) -> Option<Mistake> {
        let (ends, mirror) = (common_end(grades), common_mirror(grades));
        let failed = || grades.iter().filter(|grade| !grade.outcome.is_right());
        let kind = |grade: &Grade| kind_of(grade, ends.is_some(), mirror.is_some());
        let mut counts: BTreeMap<MistakeKind, usize> = BTreeMap::new();
        failed().for_each(|grade| *counts.entry(kind(grade)).or_default() += 1);
        // Of kinds that are as frequent, the first one counts.
        let most = failed()
            .map(kind)
            .min_by_key(|kind| Reverse(counts[kind]))?;
        let shown: Vec<&Grade> = failed().filter(|grade| kind(grade) == most).collect();
        let simplest = shown.iter().min_by_key(|grade| grade.optimum)?;
        let is_far = |grade: &&Grade| grade.optimum >= simplest.optimum && grade.solved().is_some();
        let percent = 100 * shown.len() / grades.iter().filter(is_far).count().max(1);
        let kind = match most {
            MistakeKind::Greedy if percent < 50 => MistakeKind::InadmissibleHeuristic,
            kind => kind,
        };
        let all = plural(grades.len() as u64, "board");
        let of = format!("{} of {all}", shown.len());
        let mut sentence = match kind {
            MistakeKind::NotStarted => format!("it cannot be started on {of}"),
            MistakeKind::Crashes => format!("it crashes on {of}{}", never_longer(grades)),
            MistakeKind::NoEnd => no_end(grades, simplest, &of),
            MistakeKind::PrintsNothing => format!("it prints nothing on {of}"),
            MistakeKind::NotRead => format!("it prints no answer that can be read on {of}"),
            MistakeKind::NotUnderstood => {
                let seen = simplest.evidence.witness().unwrap_or_default();
                format!("its form was not understood on {of}; there is {seen}")
            }
            MistakeKind::Mirrored => {
                let mirror = mirror.unwrap_or_default();
                format!("its moves are mirrored: with {mirror} they solve {of}")
            }
            MistakeKind::OtherGoal => {
                let end = ends.unwrap_or(simplest.board);
                format!("it solves for another goal: its paths end at {end} on {of}")
            }
            MistakeKind::WronglyUnsolvable => {
                format!("it says that there is no solution on {of}, and there is one")
            }
            MistakeKind::IllegalMoves => format!("it makes illegal moves on {of}"),
            MistakeKind::MissesGoal => {
                format!("its paths end at boards that are not the goal on {of}")
            }
            MistakeKind::WrongLength => {
                format!("it states another length than its path has on {of}")
            }
            MistakeKind::ImpossibleLength => {
                format!("it claims a length that no solution has on {of}")
            }
            MistakeKind::Greedy => {
                let right = match simplest.optimum.known() {
                    Some(distance @ 2..) => {
                        format!("right up to distance {}, then ", distance - 1)
                    }
                    _ => String::new(),
                };
                format!("it is {right}too long on {percent} % of the boards, as a greedy search is")
            }
            MistakeKind::InadmissibleHeuristic => {
                format!("it is too long on {of}, as with an inadmissible heuristic")
            }
        };
        let distance = match simplest.optimum {
            Optimum::Known(distance) => format!("distance {distance}"),
            other => other.to_string(),
        };
        let (board, outcome) = (simplest.board, &simplest.outcome);
        sentence += &format!("; the simplest is {board} ({distance}): {outcome}");
        Some(Mistake {
            kind,
            sentence,
            board,
        })
    }
}

/// The board at which a path ends that misses the goal.
fn end_of(grade: &Grade) -> Option<Board> {
    let judged = grade.outcome.judged()?;
    let moves = judged.moves.as_ref();
    let missing = moves.filter(|_| judged.verdict == Verdict::MissesGoal)?;
    grade.board.along(missing).last()
}

/// The board at which all paths end that miss the goal, if there are several of them or it is a usual goal.
fn common_end(grades: &[Grade]) -> Option<Board> {
    let mut ends = grades.iter().filter_map(end_of);
    let first = ends.next()?;
    let more: Vec<Board> = ends.collect();
    let mut usual = UsualGoal::ALL.into_iter();
    let is_plausible = !more.is_empty() || usual.any(|goal| goal.board(first.shape()) == first);
    (is_plausible && more.iter().all(|end| *end == first)).then_some(first)
}

/// The exchange of directions by which all paths solve their boards that do not reach the goal, if there are several.
fn common_mirror(grades: &[Grade]) -> Option<&'static str> {
    let misses = |grade: &&Grade| accusation(&grade.outcome) == Some(MistakeKind::IllegalMoves);
    let missing = || grades.iter().filter(misses);
    let solves = |mirror: &&str| missing().all(|grade| grade.evidence.mirrored.contains(mirror));
    let mirror = MIRRORS.map(|(mirror, _)| mirror).into_iter().find(solves)?;
    (missing().count() > 1).then_some(mirror)
}

/// The kind of mistake that a board shows; too long is [`MistakeKind::Greedy`] for now.
fn kind_of(grade: &Grade, ends: bool, mirrored: bool) -> MistakeKind {
    let verdict = match &grade.outcome {
        Outcome::Judged(judged) => judged.verdict,
        Outcome::NotStarted => return MistakeKind::NotStarted,
        Outcome::Crash(_) | Outcome::KilledGrader => return MistakeKind::Crashes,
        Outcome::NotUnderstood => return MistakeKind::NotUnderstood,
        Outcome::NoAnswer if grade.output.is_empty() => return MistakeKind::PrintsNothing,
        Outcome::NoAnswer => return MistakeKind::NotRead,
        Outcome::Exceeded(_) => return MistakeKind::NoEnd,
    };
    match verdict {
        Verdict::IllegalMove { .. } | Verdict::MissesGoal if mirrored => MistakeKind::Mirrored,
        Verdict::MissesGoal if ends => MistakeKind::OtherGoal,
        Verdict::MissesGoal => MistakeKind::MissesGoal,
        Verdict::IllegalMove { .. } => MistakeKind::IllegalMoves,
        Verdict::WronglyUnsolvable => MistakeKind::WronglyUnsolvable,
        Verdict::WrongLength { .. } => MistakeKind::WrongLength,
        Verdict::Suboptimal { .. } | Verdict::Beaten { .. } => MistakeKind::Greedy,
        _ => MistakeKind::ImpossibleLength,
    }
}

/// That no solution is too long, if there are some and none is.
fn never_longer(grades: &[Grade]) -> &'static str {
    let mut solved = grades.iter().filter_map(Grade::solved).peekable();
    if solved.peek().is_some() && solved.all(|(_, excess)| excess == 0) {
        ", and is never longer than optimal elsewhere"
    } else {
        ""
    }
}

/// A program that exceeds its limits, in words.
fn no_end(grades: &[Grade], simplest: &Grade, of: &str) -> String {
    let limit = match simplest.outcome {
        Outcome::Exceeded(Limit::Time | Limit::CpuTime) => "out of time",
        ref other => other.label(),
    };
    let is_nearer = |grade: &Grade| grade.optimum < simplest.optimum;
    let where_to = match simplest.optimum {
        Optimum::Known(nearest) if grades.iter().any(is_nearer) => {
            format!("it does not end beyond distance {}", nearest - 1)
        }
        Optimum::Known(_) => "it does not end".to_owned(),
        _ => "it does not end where there is no solution".to_owned(),
    };
    format!("{where_to}: {limit} on {of}{}", never_longer(grades))
}

/// Exchanges of directions in words, and the moves that stand for up, down, left and right.
const MIRRORS: [(&str, [Move; 4]); 5] = [
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The best readings of the output if the reader is held to one kind of claim.
    pub readings: Vec<OtherReading>,
    /// The exchanges of directions by which the path that was read reaches the goal, in words.
    mirrored: Vec<&'static str>,
    /// Whether the path that was read has as many moves as a shortest solution.
    pub right_length: bool,
}

impl Grade {
    /// Adds what the paths of an answer show to the evidence.
    pub(super) fn add_evidence(&mut self, answer: &Answer, goal: &Board) {
        for path in &answer.candidates {
            let Path::Directions(moves) = path else {
                continue;
            };
            let length = Some(moves.len());
            self.evidence.right_length |= self.optimum.known().map(usize::from) == length;
            for (mirror, stands_for) in MIRRORS {
                let moves = moves.iter().map(|mv| stands_for[usize::from(mv.code())]);
                let end = self.board.replay(&moves.collect::<Vec<Move>>());
                if end.is_ok_and(|end| end == *goal) {
                    self.evidence.mirrored.push(mirror);
                }
            }
        }
    }
}

impl Evidence {
    /// What speaks for a solution in a form that was not understood, in words.
    pub(super) fn witness(&self) -> Option<String> {
        let reading = self.readings.iter().find(|reading| reading.solves);
        let length = "a list with as many moves as a shortest solution".to_owned();
        reading
            .map(|reading| visible(&reading.to_string()))
            .or(self.right_length.then_some(length))
    }
}

/// The accusation in an outcome, if it is worse than a solution that is too long: that a path does not reach the goal
/// ([`MistakeKind::IllegalMoves`], also where it misses it), that there is a solution, or that none has the length.
pub(super) fn accusation(outcome: &Outcome) -> Option<MistakeKind> {
    match outcome.judged()?.verdict {
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
    let accused =
        |grade: &Grade| accusation(&grade.outcome).filter(|_| grade.evidence.witness().is_some());
    let solvable = grades.iter().filter(|grade| has_moves(grade));
    let accusations: Vec<_> = solvable.map(accused).collect();
    let [Some(first), _, ..] = accusations[..] else {
        return;
    };
    let is_known = Mistake::of(grades).is_some_and(|mistake| {
        matches!(mistake.kind, MistakeKind::Mirrored | MistakeKind::OtherGoal)
    });
    if !is_known && accusations.iter().all(|it| *it == Some(first)) {
        let solvable = grades.iter_mut().filter(|grade| has_moves(grade));
        solvable.for_each(|grade| grade.outcome = Outcome::NotUnderstood);
    }
}

#[cfg(test)]
mod tests;
