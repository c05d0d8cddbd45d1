//! Many judgements in the form in which they are written as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tally::Tally;

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
#[non_exhaustive]
pub struct SummaryRecord {
    /// All judgements summed up.
    pub summary: TallyRecord,
}

/// The claims about boards at one distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl From<TallyRecord> for SummaryRecord {
    fn from(summary: TallyRecord) -> SummaryRecord {
        SummaryRecord { summary }
    }
}

impl TallyRecord {
    /// Returns the record of a tally, with the number of records that could not be read.
    pub fn new(tally: &Tally, unreadable: u64) -> TallyRecord {
        TallyRecord {
            claims: tally.claims(),
            right: tally.right(),
            undecided: tally.undecided(),
            unreadable,
            verdicts: (tally.verdicts())
                .map(|(verdict, count)| (verdict.to_owned(), count.into()))
                .collect(),
            readings: (tally.readings())
                .map(|(reading, count)| (reading.to_string(), count.into()))
                .collect(),
            mixed_directions: tally.mixes_directions(),
            distances: (tally.distances())
                .map(|(distance, at)| TallyRow {
                    distance,
                    claims: at.claims,
                    right: at.right,
                    suboptimal: at.suboptimal,
                    mean_excess: at.mean_excess(),
                })
                .collect(),
        }
    }
}
