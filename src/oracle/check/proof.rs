//! The whole proof of a table.

use crate::bfs::{Observe, ScratchOptions, go_on};
use crate::space::GoalClass;
use crate::table::{Encoding, Table};

use super::error::CheckError;
use super::planes::check_planes;
use super::states::{check_sample, check_states, sample};

/// Facts that a check has proved.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Proof {
    /// Number of states checked: all.
    pub states: u64,
    /// Number of moves followed: all, in both directions.
    pub moves: u64,
    /// Number of states that were drawn and checked once more, their moves made one by one, because the table was
    /// proved on bit planes; 0 for any other table.
    pub sampled: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// Whether there are parent moves; each was found to lead one step closer.
    pub parents: bool,
}

/// Proves a table: its checksums, then the distances, parent moves and level counts.
///
/// ```
/// use puzzledb::oracle::{Oracle, check::check};
///
/// let oracle = Oracle::for_goal(&"123450".parse::<puzzledb::puzzle::Board>()
///     .or_else(|_| puzzledb::puzzle::parse_board(b"123/450", None))?)?;
/// let proof = check(oracle.table().expect("a small shape has a table"))?;
/// assert_eq!((proof.states, proof.max_distance), (360, 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CheckError`] with the fault and the first state that has it.
pub fn check(table: &Table) -> Result<Proof, CheckError> {
    check_by(table, &ScratchOptions::default(), &mut go_on)
}

/// As [`check`], with these options, which apply to bit tables. The first rank alone checks other tables, and small
/// ones in memory. `observe` is called now and then with the progress, and may end a proof on planes.
///
/// # Errors
/// As [`check`]; [`SearchError::OtherRank`](crate::bfs::SearchError::OtherRank) where only other ranks have an error.
pub fn check_by(
    table: &Table,
    options: &ScratchOptions,
    observe: Observe<'_>,
) -> Result<Proof, CheckError> {
    let exchange = &*options.exchange;
    let alone = |check: &dyn Fn() -> Result<(), CheckError>| {
        let checked = match exchange.rank() {
            0 => check(),
            _ => Ok(()),
        };
        exchange.agree(checked)
    };
    alone(&|| Ok(table.verify()?))?;
    let is_large =
        table.ranking().states() > ONE_BY_ONE || options.scratch.is_some() || exchange.ranks() > 1;
    let by_planes = table.header().encoding() == Encoding::Bit && is_large;
    if by_planes {
        compare_levels(table, &check_planes(table, options, observe)?)?;
        alone(&|| {
            let mut sample = sample(table, SAMPLED);
            sample[WALKED as usize..].sort_unstable(); // so that most look-ups are near the last ones
            check_sample(table, &sample, WALKED)
        })?;
    } else {
        alone(&|| compare_levels(table, &check_states(table)?))?;
    }
    let header = table.header();
    Ok(Proof {
        states: table.ranking().states(),
        moves: moves_of(header.class()),
        sampled: if by_planes { SAMPLED as u64 } else { 0 },
        max_distance: header.max_distance(),
        parents: header.encoding() == Encoding::Full,
    })
}

/// Most states of a bit table that is proved state by state. Larger ones are proved level by level on bit planes.
const ONE_BY_ONE: u64 = 10_000_000;

/// Number of states that are drawn from a table that was proved on planes. The proof moves bits by the code that the
/// search uses; these states are checked without it.
const SAMPLED: usize = 1_000_000;

/// Number of these states from which, as from all their neighbours, the way down to the goal is walked.
const WALKED: u64 = 10_000;

/// Returns the number of moves of a class, in both directions.
fn moves_of(class: GoalClass) -> u64 {
    let (rows, cols) = (class.shape().rows(), class.shape().cols());
    let pairs_of_cells = rows * (cols - 1) + cols * (rows - 1);
    2 * pairs_of_cells as u64 * class.orders()
}

/// Compares the number of states at each distance with the header's.
fn compare_levels(table: &Table, levels: &[u64]) -> Result<(), CheckError> {
    let at = |levels: &[u64], distance: u8| levels.get(usize::from(distance)).copied().unwrap_or(0);
    let wrong = (0..=u8::MAX).find_map(|distance| {
        let (header, found) = (at(table.header().levels(), distance), at(levels, distance));
        (header != found).then_some(CheckError::Level {
            distance,
            header,
            found,
        })
    });
    wrong.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {

    use super::super::error::Fault;
    use super::*;
    use crate::basics::Cancel;
    use crate::puzzle::{Move, Shape};
    use crate::space::StateIndex;
    use crate::table::build;

    /// The proof on planes and the one state by state agree on good tables and on tables with
    /// one wrong bit anywhere.
    #[test]
    #[ignore = "full run"]
    fn both_proofs_say_the_same_of_good_and_of_wrong_tables() {
        for (rows, cols) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
            for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
                let bytes = build(class, Encoding::Bit, 1, &Cancel::new())
                    .unwrap()
                    .unwrap();
                let good = Table::from_bytes(&bytes[..]).unwrap();
                check_planes(&good, &ScratchOptions::default(), &mut go_on).unwrap();
                check_states(&good).unwrap();
                let states = class.states();
                for state in (0..states).step_by(1 + states as usize / 150) {
                    let wrong = WithOneBitChanged(&bytes, 4096 * 8 + state as usize);
                    let table = Table::unverified(wrong.bytes()).unwrap();
                    assert!(check_states(&table).is_err(), "{rows}x{cols} {state}");
                    assert!(
                        check_planes(&table, &ScratchOptions::default(), &mut go_on).is_err(),
                        "{rows}x{cols} {state}"
                    );
                }
            }
        }
    }

    /// Faults that the planes miss, because they are wrong in the same way as those of the search were, are found by
    /// the moves of the drawn states.
    #[test]
    fn a_wrong_bit_is_found_by_a_drawn_state_that_it_is_seen_from() {
        let class = GoalClass::new(Shape::new(3, 3).unwrap(), 8).unwrap();
        let bytes = build(class, Encoding::Bit, 1, &Cancel::new())
            .unwrap()
            .unwrap();
        let good = Table::from_bytes(&bytes[..]).unwrap();
        let ranking = good.ranking();
        let sample = sample(&good, 20_000);
        check_sample(&good, &sample, 20_000).unwrap();
        let wrong_at = |index: StateIndex| {
            let wrong = WithOneBitChanged(&bytes, 4096 * 8 + index.0 as usize);
            Table::unverified(wrong.bytes()).unwrap()
        };
        let fault = |wrong: StateIndex, seen_from, walked| match check_sample(
            &wrong_at(wrong),
            &[seen_from],
            walked,
        ) {
            Ok(()) => None,
            Err(CheckError::State { index, fault, .. }) if index == seen_from => Some(fault),
            Err(error) => panic!("{error}"),
        };
        let only_closer = |state| {
            let mut closer = good.closer(state).map(|(_, next)| next);
            closer.next().filter(|_| closer.next().is_none())
        };
        let goal = ranking.index(ranking.goal());
        assert_eq!(sample[0], goal);
        assert_eq!(
            fault(goal, goal, 0),
            Some(Fault::GoalNotZero { distance: 2 })
        );
        let (mut at_itself, mut at_its_neighbour, mut on_its_walk) = (0, 0, 0);
        for &index in &sample[1..500] {
            let state = ranking.state(index);
            let moves = Move::ALL
                .iter()
                .filter(|&&mv| ranking.step(state, mv).is_some());
            if good.closer(state).count() == moves.count() {
                at_itself += 1;
                assert_eq!(fault(index, index, 0), Some(Fault::Unreached));
            }
            let Some(next) = only_closer(state) else {
                continue;
            };
            at_its_neighbour += 1;
            assert_eq!(fault(ranking.index(next), index, 0), Some(Fault::Unreached));
            if let Some(last) = only_closer(next).filter(|&last| last != ranking.goal()) {
                on_its_walk += 1;
                assert_eq!(fault(ranking.index(last), index, 0), None);
                assert_eq!(fault(ranking.index(last), index, 1), Some(Fault::Unreached));
            }
        }
        assert!(at_itself > 10 && at_its_neighbour > 100 && on_its_walk > 50);
    }

    struct WithOneBitChanged<'a>(&'a [u8], usize);

    impl WithOneBitChanged<'_> {
        fn bytes(&self) -> Vec<u8> {
            let mut bytes = self.0.to_vec();
            bytes[self.1 / 8] ^= 1 << (self.1 % 8);
            bytes
        }
    }
}
