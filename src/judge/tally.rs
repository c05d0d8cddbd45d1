//! Sums up many judgements.

use super::answer::Reading;
use super::verdict::{Judgement, Verdict};

/// Number of claims by verdict, and their results by distance.
///
/// ```
/// use puzzledb::judge::{Answer, Tally};
/// use puzzledb::oracle::Oracle;
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let mut tally = Tally::default();
/// for (board, length) in [("704851632", 19), ("120483765", 8)] {
///     let answer = Answer::of_length(length);
///     tally.add(&oracle.judge(&board.parse()?, &answer, None)?);
/// }
/// assert_eq!((tally.claims(), tally.right()), (2, 1));
/// assert_eq!(tally.at(6).unwrap().excess, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    verdicts: [u64; Verdict::LABELS.len()],
    /// Claims by distance; claims about unsolvable boards are only among the verdicts.
    distances: Vec<AtDistance>,
    /// Paths of one move or more that reach the goal, by how they were read.
    readings: [u64; Reading::ALL.len()],
}

/// The claims about boards at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AtDistance {
    /// Number of claims.
    pub claims: u64,
    /// Number of claims that are right.
    pub right: u64,
    /// Number of claims that give a longer solution than need be, or its length.
    pub suboptimal: u64,
    /// The moves of all solutions above their optima.
    pub excess: u64,
}

impl AtDistance {
    /// Returns the mean of the moves above the optimum, over all solutions; 0 if there is none.
    #[allow(clippy::cast_precision_loss)]
    pub fn mean_excess(&self) -> f64 {
        self.excess as f64 / (self.right + self.suboptimal).max(1) as f64
    }
}

impl Tally {
    /// Counts one judgement.
    pub fn add(&mut self, judgement: &Judgement) {
        let verdict = judgement.verdict;
        self.verdicts[verdict.kind()] += 1;
        if let (Some(reading), Some(moves)) = (judgement.reading, &judgement.moves)
            && verdict.reaches_goal()
            && !moves.is_empty()
        {
            self.readings[reading as usize] += 1;
        }
        let Some(distance) = judgement.distance.map(usize::from) else {
            return;
        };
        if self.distances.len() <= distance {
            self.distances.resize(distance + 1, AtDistance::default());
        }
        let at = &mut self.distances[distance];
        at.claims += 1;
        at.right += u64::from(verdict.is_right());
        if let Verdict::Suboptimal { excess, .. } = verdict {
            at.suboptimal += 1;
            at.excess = at.excess.saturating_add(excess);
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        for (sum, count) in self.verdicts.iter_mut().zip(other.verdicts) {
            *sum += count;
        }
        for (sum, count) in self.readings.iter_mut().zip(other.readings) {
            *sum += count;
        }
        if self.distances.len() < other.distances.len() {
            let length = other.distances.len();
            self.distances.resize(length, AtDistance::default());
        }
        for (sum, at) in self.distances.iter_mut().zip(&other.distances) {
            sum.claims += at.claims;
            sum.right += at.right;
            sum.suboptimal += at.suboptimal;
            sum.excess = sum.excess.saturating_add(at.excess);
        }
    }

    /// Returns the number of all claims.
    pub fn claims(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// Returns the number of claims that are right.
    pub fn right(&self) -> u64 {
        let rightly = Verdict::RightlyUnsolvable.kind();
        self.verdicts[Verdict::Optimal.kind()] + self.verdicts[rightly]
    }

    /// Returns the number of claims that are neither right nor wrong as far as is known.
    pub fn undecided(&self) -> u64 {
        self.verdicts[Verdict::Solves { moves: 0 }.kind()]
            + self.verdicts[Verdict::Unchecked { claimed: 0 }.kind()]
    }

    /// Returns the label and the count of each verdict that occurred.
    pub fn verdicts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = Verdict::LABELS.into_iter().zip(self.verdicts);
        all.filter(|&(_, count)| count > 0)
    }

    /// Returns the claims about boards at a distance, if there are any.
    pub fn at(&self, distance: u8) -> Option<&AtDistance> {
        let at = self.distances.get(usize::from(distance))?;
        (at.claims > 0).then_some(at)
    }

    /// Returns each distance that has claims, with these claims.
    pub fn distances(&self) -> impl Iterator<Item = (u8, &AtDistance)> {
        (0..=u8::MAX).filter_map(|distance| Some((distance, self.at(distance)?)))
    }

    /// Returns the number of paths that reach the goal, by the way in which they were read.
    pub fn readings(&self) -> impl Iterator<Item = (Reading, u64)> {
        let all = Reading::ALL.into_iter().zip(self.readings);
        all.filter(|&(_, count)| count > 0)
    }

    /// Returns whether some paths are right only as moves of the blank and others only as moves of
    /// the tiles.
    pub fn mixes_directions(&self) -> bool {
        self.readings[Reading::Blank as usize] > 0 && self.readings[Reading::Tile as usize] > 0
    }
}
