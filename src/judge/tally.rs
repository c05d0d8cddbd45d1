//! Sums up many judgements, and writes the sums as JSON.

use std::collections::BTreeMap;

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
    verdicts: BTreeMap<(usize, &'static str), u64>,
    /// Claims by distance; claims about unsolvable boards are only among the verdicts.
    distances: BTreeMap<u8, TallyRow>,
    /// Paths of one move or more that reach the goal, by how they were read.
    readings: BTreeMap<Reading, u64>,
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
        *self.verdicts.entry(verdict.kind()).or_default() += 1;
        if let (Some(reading), Some(moves)) = (judgement.reading, &judgement.moves)
            && verdict.reaches_goal()
            && !moves.is_empty()
        {
            *self.readings.entry(reading).or_default() += 1;
        }
        let Some(distance) = judgement.distance else {
            return;
        };
        let at = self.distances.entry(distance).or_default();
        at.claims += 1;
        at.right += u64::from(verdict.is_right());
        if let Verdict::Suboptimal { excess, .. } = verdict {
            at.suboptimal += 1;
            at.excess = at.excess.saturating_add(excess);
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        for (reading, count) in &other.readings {
            *self.readings.entry(*reading).or_default() += count;
        }
        for (distance, at) in &other.distances {
            let sum = self.distances.entry(*distance).or_default();
            sum.claims += at.claims;
            sum.right += at.right;
            sum.suboptimal += at.suboptimal;
            sum.excess = sum.excess.saturating_add(at.excess);
        }
    }

    /// Returns the record of the tally, with the number of records that could not be read.
    #[allow(clippy::cast_precision_loss)]
    pub fn record(&self, unreadable: u64) -> TallyRecord {
        let count = |verdict: Verdict| self.verdicts.get(&verdict.kind()).unwrap_or(&0);
        let verdicts = self.verdicts.iter().map(|(kind, count)| (kind.1, count));
        let readings = &self.readings;
        let row = |(&distance, at): (&u8, &TallyRow)| {
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
            claims: self.verdicts.values().sum(),
            right: count(Verdict::Optimal) + count(Verdict::RightlyUnsolvable),
            undecided: count(Verdict::Solves { moves: 0 })
                + count(Verdict::Unchecked { claimed: 0 }),
            unreadable,
            verdicts: counted(verdicts),
            readings: counted(readings),
            mixed_directions: [Reading::Blank, Reading::Tile]
                .iter()
                .all(|it| readings.contains_key(it)),
            distances: self.distances.iter().map(row).collect(),
        }
    }
}

/// Returns counts by name.
fn counted<'a>(counts: impl IntoIterator<Item = (impl ToString, &'a u64)>) -> Map<String, Value> {
    let counts = counts.into_iter();
    counts
        .map(|(it, &count)| (it.to_string(), count.into()))
        .collect()
}
