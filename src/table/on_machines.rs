//! Resources of a build by several machines.

use serde::Serialize;

use crate::bfs::{Kept, Search};
use crate::space::GoalClass;

use super::forecast::Needs;

/// Resources of a build by several machines, a rank on each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OnMachines {
    /// Number of machines.
    pub machines: usize,
    /// Bytes that each machine sends to the others.
    #[serde(rename = "sent_by_each")]
    pub sent: u64,
    /// Memory of each machine; disk and bytes written in the folder that all see; the time.
    #[serde(flatten)]
    pub needs: Needs,
}

/// Bytes that cross as codes, for a byte that they code: between 0.15 and 0.21 on 2x6 and 3x4 over 2
/// to 7 ranks.
const CODED: f64 = 0.2;

impl OnMachines {
    /// Forecasts the resources of the bit table of `class` on `machines` machines, from those of one of them in memory. The
    /// network carries `network` bytes a second from each.
    ///
    /// # Panics
    /// If there is no machine.
    pub fn new(class: GoalClass, alone: Needs, machines: usize, network: f64) -> OnMachines {
        let memory = Search::memory_of_rank(class, Kept::BitOne, machines);
        let sent = sent(class, machines);
        // The largest share of the states, by that of the memory.
        let share = memory as f64 / alone.memory as f64;
        OnMachines {
            machines,
            sent,
            needs: Needs {
                memory,
                seconds: alone.seconds * share + sent as f64 / network,
                ..alone
            },
        }
    }
}

/// Bytes that each of `machines` machines sends at all levels.
fn sent(class: GoalClass, machines: usize) -> u64 {
    let shape = class.shape();
    let corner = GoalClass::new(shape, shape.cells() - 1).unwrap_or(class); // others are searched about as deep
    let levels = corner
        .largest_known_distance()
        .map_or(u64::from(u8::MAX), u64::from);
    let uncoded = Search::crossing_between(class, machines) * levels;
    (uncoded as f64 * CODED) as u64 / machines as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basics::size_text;
    use crate::puzzle::Shape;

    #[test]
    fn the_figures_of_this_page_are_those_of_the_formulas() {
        let (page, mut missing) = (include_str!("machines.rs"), Vec::new());
        for shape in [Shape::new(5, 3).unwrap(), Shape::new(4, 4).unwrap()] {
            let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
            let shape = shape.transposed();
            for machines in [4, 16, 64] {
                let sent = sent(class, machines);
                let row = format!(
                    "| {shape} | {machines} | {} | {} | {:.0} s | {} |",
                    size_text(Search::memory_of_rank(class, Kept::BitOne, machines)),
                    size_text(sent),
                    sent as f64 * 8.0 / 25e9,
                    size_text(class.states() / 8),
                );
                missing.extend((!page.contains(&row)).then_some(row));
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}
