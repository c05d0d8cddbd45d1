//! Sums up many judgements, and writes the sums as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
/// let record = tally.record(0);
/// assert_eq!((record.claims, record.right), (2, 1));
/// assert_eq!((record.distances[0].distance, record.distances[0].mean_excess), (6, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    verdicts: [u64; Verdict::LABELS.len()],
    /// Claims by distance; claims about unsolvable boards are only among the verdicts.
    distances: Vec<TallyRow>,
    /// Paths of one move or more that reach the goal, by how they were read.
    readings: [u64; Reading::ALL.len()],
}

/// Many judgements summed up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TallyRecord {
    /// Claims that were judged.
    pub claims: u64,
    /// How many of them are right.
    pub right: u64,
    /// Claims that are neither right nor wrong as far as is known, since the optimum is not.
    pub undecided: u64,
    /// Records that could not be read.
    pub unreadable: u64,
    /// How many claims got each verdict.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, u64>))]
    pub verdicts: Map<String, Value>,
    /// How many paths that reach the goal were read in each way.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, u64>))]
    pub readings: Map<String, Value>,
    /// Whether some paths are right only as moves of the blank and others only as moves of the tiles.
    pub mixed_directions: bool,
    /// The claims by distance.
    pub distances: Vec<TallyRow>,
}

/// A tally as the last line after the records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SummaryRecord {
    /// All judgements summed up.
    pub summary: TallyRecord,
}

/// The claims about boards at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TallyRow {
    /// The distance.
    pub distance: u8,
    /// How many there are.
    pub claims: u64,
    /// How many of them are right.
    pub right: u64,
    /// How many give a longer solution than need be, or its length.
    pub suboptimal: u64,
    /// The moves of all solutions above their optima.
    #[serde(skip)]
    excess: u64,
    /// The mean of the moves above the optimum, over all solutions.
    pub mean_excess: f64,
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
        let Some(distance) = judgement.distance else {
            return;
        };
        let at = self.row(distance);
        at.claims += 1;
        at.right += u64::from(verdict.is_right());
        if let Verdict::Suboptimal { excess, .. } = verdict {
            at.suboptimal += 1;
            at.excess = at.excess.saturating_add(excess);
        }
    }

    /// Returns the row of a distance.
    fn row(&mut self, distance: u8) -> &mut TallyRow {
        let length = self.distances.len().max(usize::from(distance) + 1);
        self.distances.resize(length, TallyRow::default());
        &mut self.distances[usize::from(distance)]
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        let counts = self.verdicts.iter_mut().chain(&mut self.readings);
        for (sum, count) in counts.zip(other.verdicts.iter().chain(&other.readings)) {
            *sum += count;
        }
        for (distance, at) in (0..=u8::MAX).zip(&other.distances) {
            let sum = self.row(distance);
            sum.claims += at.claims;
            sum.right += at.right;
            sum.suboptimal += at.suboptimal;
            sum.excess = sum.excess.saturating_add(at.excess);
        }
    }

    /// Returns the record of the tally, with the number of records that could not be read.
    #[allow(clippy::cast_precision_loss)]
    pub fn record(&self, unreadable: u64) -> TallyRecord {
        let count = |verdict: Verdict| self.verdicts[verdict.kind()];
        let verdicts = Verdict::LABELS.into_iter().zip(self.verdicts);
        let readings = Reading::ALL.into_iter().zip(self.readings);
        let rows = (0..=u8::MAX).zip(&self.distances);
        let row = |(distance, at): (u8, &TallyRow)| {
            let solutions = (at.right + at.suboptimal).max(1);
            let mean_excess = at.excess as f64 / solutions as f64;
            TallyRow {
                distance,
                excess: 0,
                mean_excess,
                ..*at
            }
        };
        TallyRecord {
            claims: self.verdicts.iter().sum(),
            right: count(Verdict::Optimal) + count(Verdict::RightlyUnsolvable),
            undecided: count(Verdict::Solves { moves: 0 })
                + count(Verdict::Unchecked { claimed: 0 }),
            unreadable,
            verdicts: counted(verdicts),
            readings: counted(readings),
            mixed_directions: self.readings[Reading::Blank as usize] > 0
                && self.readings[Reading::Tile as usize] > 0,
            distances: rows.filter(|(_, at)| at.claims > 0).map(row).collect(),
        }
    }
}

/// Returns the counts of those that occurred, by name.
fn counted<T: ToString>(counts: impl Iterator<Item = (T, u64)>) -> Map<String, Value> {
    let some = counts.filter(|&(_, count)| count > 0);
    some.map(|(it, count)| (it.to_string(), count.into()))
        .collect()
}
