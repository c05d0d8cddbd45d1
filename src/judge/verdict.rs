//! Verdicts on answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::puzzle::Move;

use super::answer::{Answer, Reading};

/// Verdict on an answer. Moves are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// A shortest solution, or the length of one.
    Optimal,
    /// A solution, but a longer one than need be.
    Suboptimal {
        /// Moves above the optimum.
        excess: u64,
        /// The first move after which the goal is farther; unknown where only a length was given.
        first_loss: Option<usize>,
    },
    /// A solution, but a longer one than another that is known; the optimum is not known.
    Beaten {
        /// Moves above the other one.
        by: u64,
    },
    /// A solution, where it is not known whether it is a shortest one.
    Solves {
        /// Its length.
        moves: u64,
    },
    /// A length that is possible; the optimum is not known.
    Unchecked {
        /// The length that was claimed.
        claimed: u64,
    },
    /// A move that leaves the board, or a tile that is not beside the blank, or a board that is
    /// not one move away.
    IllegalMove {
        /// Number of the move.
        at: usize,
    },
    /// All moves are legal, and they end at another board.
    MissesGoal,
    /// The length is below the optimum.
    TooShort {
        /// The length that was claimed.
        claimed: u64,
    },
    /// The length is above the optimum but odd where all solutions are even, or the other way.
    WrongParity {
        /// The length that was claimed.
        claimed: u64,
    },
    /// A length for a board that has no solution.
    SolvesUnsolvable,
    /// The board is unsolvable and the answer says so.
    RightlyUnsolvable,
    /// The board is solvable and the answer says that it is not.
    WronglyUnsolvable,
    /// The path reaches the goal, but the length that was claimed is another.
    WrongLength {
        /// The length that was claimed.
        claimed: u64,
        /// The moves that were given.
        path: u64,
    },
}

impl Verdict {
    /// Returns whether the answer is right: a shortest solution, or rightly none.
    pub const fn is_right(self) -> bool {
        matches!(self, Verdict::Optimal | Verdict::RightlyUnsolvable)
    }

    /// Returns whether the verdict is about moves that reach the goal, or the length of such.
    pub const fn reaches_goal(self) -> bool {
        matches!(
            self,
            Verdict::Optimal
                | Verdict::Suboptimal { .. }
                | Verdict::Beaten { .. }
                | Verdict::WrongLength { .. }
                | Verdict::Solves { .. }
        )
    }

    /// Returns the verdict in words that do not depend on its numbers, for summaries.
    pub const fn label(self) -> &'static str {
        self.kind().1
    }

    /// Returns the place of the verdict in a summary, the right ones first, and its label.
    pub(super) const fn kind(self) -> (usize, &'static str) {
        match self {
            Verdict::Optimal => (0, "optimal"),
            Verdict::RightlyUnsolvable => (1, "unsolvable (rightly said)"),
            Verdict::Suboptimal { .. } | Verdict::Beaten { .. } => (2, "suboptimal"),
            Verdict::WrongLength { .. } => (3, "wrong length"),
            Verdict::MissesGoal => (4, "does not reach the goal"),
            Verdict::IllegalMove { .. } => (5, "illegal move"),
            Verdict::TooShort { .. } => (6, "impossible: shorter than optimal"),
            Verdict::WrongParity { .. } => (7, "impossible: wrong parity"),
            Verdict::SolvesUnsolvable => (8, "impossible: the board is unsolvable"),
            Verdict::WronglyUnsolvable => (9, "wrongly said unsolvable"),
            Verdict::Solves { .. } => (10, "reaches the goal (optimum unknown)"),
            Verdict::Unchecked { .. } => (11, "possible length (optimum unknown)"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Suboptimal { excess, .. } => write!(f, "suboptimal +{excess}"),
            Verdict::Beaten { by } => write!(f, "suboptimal +{by} or more"),
            Verdict::IllegalMove { at } => write!(f, "illegal at move {at}"),
            Verdict::WrongLength { claimed, path } => {
                write!(f, "wrong length: claims {claimed}, path has {path}")
            }
            other => f.write_str(other.label()),
        }
    }
}

/// Verdict and the facts that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The board's distance; `None` if it cannot be solved.
    pub distance: Option<u8>,
    /// Reading of the path; `None` if there was none.
    pub reading: Option<Reading>,
    /// The moves that were given, the blank's way, up to the first illegal one; `None` if no
    /// path was.
    pub moves: Option<Vec<Move>>,
}

impl Judgement {
    /// Returns the length that an answer claims, or else that of a path all of whose moves are legal.
    pub(super) fn claimed(&self, answer: &Answer) -> Option<u64> {
        let is_legal = !matches!(self.verdict, Verdict::IllegalMove { .. });
        let moves = self.moves.as_ref().filter(|_| is_legal);
        answer.length.or(moves.map(|moves| moves.len() as u64))
    }
}
