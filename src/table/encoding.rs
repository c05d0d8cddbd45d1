//! Encodings: the data kept for a state.

use crate::basics::names;
use crate::space::GoalClass;

/// Encoding of a table: the data kept for each state.
///
/// `Full` keeps the distance and a parent move: a distance takes one read, and a solution one read
/// for each move. `Bit` keeps one bit, bit 1 of the distance. The blank's colour gives bit 0, so
/// the distance is known modulo 4, and since the distances of neighbours differ by exactly 1, it
/// is known which of them are closer. A walk down to the goal counts the whole distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Distance in as few bits as the largest needs, and a parent move in two bits.
    Full = 1,
    /// Bit 1 of the distance.
    Bit = 2,
}

impl Encoding {
    /// The encoding that is built unless one is named: `Full` up to 3x3 and 2x5, `Bit` above.
    pub fn default_for(class: GoalClass) -> Encoding {
        if class.is_small() {
            Encoding::Full
        } else {
            Encoding::Bit
        }
    }
}

names!(Encoding, "an encoding", [Full: "full", Bit: "bit"]);
