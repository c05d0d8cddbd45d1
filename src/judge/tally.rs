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
    /// Claims, and their moves above the optima.
    counts: BTreeMap<Key, (u64, u64)>,
}

/// The kind of a verdict, the distance, and the reading of a path of one move or more that reaches the goal.
type Key = ((usize, &'static str), Option<u8>, Option<Reading>);

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
    /// The mean of the moves above the optimum, over all solutions.
    pub mean_excess: f64,
}

impl Tally {
    /// Counts one judgement.
    pub fn add(&mut self, judgement: &Judgement) {
        let (verdict, moves) = (judgement.verdict, judgement.moves.as_deref());
        let is_path = verdict.reaches_goal() && moves.is_some_and(|moves| !moves.is_empty());
        let reading = judgement.reading.filter(|_| is_path);
        let excess = match verdict {
            Verdict::Suboptimal { excess, .. } => excess,
            _ => 0,
        };
        self.count((verdict.kind(), judgement.distance, reading), (1, excess));
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        let counts = other.counts.iter();
        counts.for_each(|(key, count)| self.count(*key, *count));
    }

    fn count(&mut self, key: Key, (claims, excess): (u64, u64)) {
        let sum = self.counts.entry(key).or_default();
        *sum = (sum.0 + claims, sum.1.saturating_add(excess));
    }

    /// The claims with some keys, and their moves above the optima.
    fn sum(&self, has: &dyn Fn(&Key) -> bool) -> (u64, u64) {
        let counts = self.counts.iter().filter(|(key, _)| has(key));
        counts.fold((0, 0), |sum, (_, count)| {
            (sum.0 + count.0, sum.1.saturating_add(count.1))
        })
    }

    /// Returns the record of the tally, with the number of records that could not be read.
    pub fn record(&self, unreadable: u64) -> TallyRecord {
        let of = |kind| self.sum(&|key| key.0 == kind).0;
        let verdict = |key: &Key| (key.0.1.to_owned(), of(key.0).into());
        let read = |reading| self.sum(&|key| key.2 == Some(reading)).0;
        let reading = |it: Reading| (read(it) > 0).then(|| (it.to_string(), read(it).into()));
        TallyRecord {
            claims: self.sum(&|_| true).0,
            right: of(Verdict::Optimal.kind()) + of(Verdict::RightlyUnsolvable.kind()),
            undecided: of(Verdict::Solves { moves: 0 }.kind())
                + of(Verdict::Unchecked { claimed: 0 }.kind()),
            unreadable,
            verdicts: self.counts.keys().map(verdict).collect(),
            readings: Reading::ALL.into_iter().filter_map(reading).collect(),
            mixed_directions: read(Reading::Blank).min(read(Reading::Tile)) > 0,
            distances: (0..=u8::MAX).filter_map(|at| self.row(at)).collect(),
        }
    }

    /// The claims about boards at a distance, if there are any.
    #[allow(clippy::cast_precision_loss)]
    fn row(&self, distance: u8) -> Option<TallyRow> {
        let of = |kind| self.sum(&|key| key.0 == kind && key.1 == Some(distance));
        let (claims, _) = self.sum(&|key| key.1 == Some(distance));
        let (right, _) = of(Verdict::Optimal.kind());
        let (suboptimal, excess) = of(Verdict::Beaten { by: 0 }.kind());
        (claims > 0).then(|| TallyRow {
            distance,
            claims,
            right,
            suboptimal,
            mean_excess: excess as f64 / (right + suboptimal).max(1) as f64,
        })
    }
}
