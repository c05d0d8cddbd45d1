//! Proves a table without trusting the search that made it.
//!
//! A function D on the states is the distance to the goal if and only if D is 0 at the goal and
//! nowhere else, every move changes D by exactly 1, and every other state has a neighbour one
//! closer. (No path is shorter than D, since a move takes off 1 at most; and a path of length D
//! is there, since the neighbours one closer lead down to 0.) The check goes through all states
//! and all their moves with the arithmetic of [`crate::space`], not with the search's planes; only
//! for bit tables of more than ten million states it uses planes too, in memory, in files or shared by
//! several ranks, and then looks at a million drawn states with that arithmetic.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::basics::parallel::{each, first, runs};
use crate::bfs::{
    Block, ClaimedBits, Kept, Layout, Observe, Search, SearchError, SearchOptions, go_on,
};
use crate::puzzle::Move;
use crate::space::{Space, State, StateIndex};
use crate::table::{Encoding, FormatError, Table};

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
    check_by(table, &SearchOptions::default(), &mut go_on)
}

/// As [`check`], with these options, which apply to bit tables. The first rank alone checks other tables, and small
/// ones in memory. `observe` is called now and then with the progress, and may end a proof on planes.
///
/// # Errors
/// As [`check`]; [`SearchError::OtherRank`](crate::bfs::SearchError::OtherRank) where only other ranks have an error.
#[doc(hidden)]
pub fn check_by(
    table: &Table,
    options: &SearchOptions,
    observe: Observe<'_>,
) -> Result<Proof, CheckError> {
    let exchange = &*options.exchange;
    exchange.first(|| Ok::<_, CheckError>(table.verify()?))?;
    let (header, states) = (table.header(), table.ranking().states());
    let is_large = !header.class().is_small() || options.scratch.is_some() || exchange.ranks() > 1;
    let by_planes = header.encoding() == Encoding::Bit && is_large;
    if by_planes {
        compare_levels(table, &check_planes(table, options, observe)?)?;
        exchange.first(|| {
            let mut sample = sample(table, SAMPLED);
            sample[WALKED as usize..].sort_unstable(); // so that most look-ups are near the last ones
            check_sample(table, &sample, WALKED)
        })?;
    } else {
        exchange.first(|| compare_levels(table, &check_states(table)?))?;
    }
    let shape = header.class().shape();
    let sides = 2 * shape.cells() - shape.rows() - shape.cols(); // between two cells
    Ok(Proof {
        states,
        moves: 2 * sides as u64 * header.class().orders(),
        sampled: if by_planes { SAMPLED as u64 } else { 0 },
        max_distance: header.max_distance(),
        parents: header.encoding() == Encoding::Full,
    })
}

/// Number of states that are drawn from a table that was proved on planes. The proof moves bits by the code that the
/// search uses; these states are checked without it.
const SAMPLED: usize = 1_000_000;

/// Number of these states from which, as from all their neighbours, the way down to the goal is walked.
const WALKED: u64 = 10_000;

/// Compares the number of states at each distance with the header's.
fn compare_levels(table: &Table, levels: &[u64]) -> Result<(), CheckError> {
    for distance in 0..=u8::MAX {
        let at = |levels: &[u64]| levels.get(usize::from(distance)).copied().unwrap_or(0);
        let (header, found) = (at(table.header().levels()), at(levels));
        if header != found {
            return Err(CheckError::Wrong(format!(
                "says in its header that {header} states have distance {distance}, but {found} have"
            )));
        }
    }
    Ok(())
}

/// Proves a bit table as [`Search::verify`] does, with these options. Returns the number of states
/// of each level.
fn check_planes(
    table: &Table,
    options: &SearchOptions,
    observe: Observe<'_>,
) -> Result<Vec<u64>, CheckError> {
    let mut options = options.clone();
    options.proof_of = Some(table.header().tag());
    let mut search = Search::open(table.header().class(), Kept::Nothing, &options)?;
    let verified = search.verify(table, observe)?;
    let levels = search.levels().to_vec();
    search.remove();
    verified.map_err(|wrong| {
        let fault = match wrong.from {
            None => goal_is_at(2),
            Some(from) => format!(
                "a move leads to it from distance {from}, and its bit is that of neither side"
            ),
        };
        at_state(table, wrong.index, fault)
    })?;
    Ok(levels)
}

impl ClaimedBits for Table {
    fn write(&self, layout: &Layout, from: Block, words: &mut [u64]) {
        let first = layout.index(from.cell, layout.first_word(from), 0);
        self.words_of_bits(first, layout.word_bits(), words);
    }
}

/// The distance of a state from which the table's moves do not lead to the goal.
const UNREACHED: u8 = u8::MAX;

/// The fault of such a state.
const NO_WAY: &str = "no way leads to it from the goal";

/// Returns the distance of a state by the table alone: of a bit table the length of the walk down from it.
fn distance(table: &Table, state: State) -> u8 {
    table.distance(state).unwrap_or(UNREACHED)
}

/// Checks every state and every move, on all cores. Returns the number of states at each distance.
fn check_states(table: &Table) -> Result<Vec<u64>, CheckError> {
    let (ranking, states) = (table.ranking(), table.ranking().states());
    let distance = |index| distance(table, ranking.state(StateIndex(index)));
    let distances = each(runs(states), |run| run.map(distance).collect::<Vec<u8>>()).concat();
    let known = |state| distances[ranking.index(state).0 as usize];
    let wrong = |index| wrong_at(table, index, |state| check_state(table, state, known));
    // The goal first: if it is wrong in a bit table, no other state has a distance.
    let found = wrong(ranking.index(ranking.goal()))
        .or_else(|| first(runs(states), |run| run.map(StateIndex).find_map(wrong)));
    found.map_or(Ok(()), Err)?;
    let mut levels = vec![0; 256];
    distances
        .iter()
        .for_each(|&distance| levels[usize::from(distance)] += 1);
    Ok(levels)
}

/// Checks a state, and returns its error if it breaks a condition.
fn wrong_at(
    table: &Table,
    index: StateIndex,
    check: impl FnOnce(State) -> Result<(), String>,
) -> Option<CheckError> {
    let fault = check(table.ranking().state(index)).err()?;
    Some(at_state(table, index, fault))
}

/// Checks one state and its moves, given the distances of all.
fn check_state(table: &Table, state: State, distances: impl Fn(State) -> u8) -> Result<(), String> {
    let (ranking, distance) = (table.ranking(), distances(state));
    let is_goal = state == ranking.goal();
    if distance == UNREACHED {
        return Err(NO_WAY.into());
    }
    // A walk takes it for granted that the goal has distance 0.
    let at_goal = is_goal.then(|| distance.max(table.distance_mod_4(state)));
    if let Some(wrong @ 1..) = at_goal {
        return Err(goal_is_at(wrong));
    }
    let mut closer = 0;
    for mv in Move::ALL {
        let Some(next) = ranking.step(state, mv).map(&distances) else {
            continue;
        };
        if next == UNREACHED || next.abs_diff(distance) != 1 {
            return Err(format!(
                "its distance is {distance}, and the move {mv} leads to distance {next}"
            ));
        }
        closer |= u8::from(next < distance) << mv.code();
    }
    let has_parent = table.header().encoding() == Encoding::Full && !is_goal;
    let parent = has_parent.then(|| table.stored_parent(ranking.index(state)));
    match parent {
        _ if closer == 0 && !is_goal => Err(format!(
            "its distance is {distance}, and no move leads closer"
        )),
        Some(mv) if closer >> mv.code() & 1 == 0 => {
            Err(format!("its parent move {mv} does not lead closer"))
        }
        _ => Ok(()),
    }
}

/// The fault of a goal that is not at distance 0.
fn goal_is_at(distance: u8) -> String {
    format!("it is the goal, and its distance is {distance}")
}

/// Returns the goal and drawn states, `count` in all, the same for all tables of a class.
fn sample(table: &Table, count: usize) -> Vec<StateIndex> {
    let ranking = table.ranking();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let drawn = (1..count).map(|_| StateIndex(random.random_range(0..ranking.states())));
    let goal = ranking.index(ranking.goal());
    std::iter::once(goal).chain(drawn).collect()
}

/// Checks some states of a bit table by its bits and its moves alone: the goal claims 0, and for another state some
/// neighbour claims one less (modulo 4; that all others claim one more follows from the colours). From the first `walked`
/// and all their neighbours the walks down lead to the goal, and their lengths differ by exactly 1.
fn check_sample(table: &Table, sample: &[StateIndex], walked: u64) -> Result<(), CheckError> {
    let wrong = |i: u64| {
        wrong_at(table, sample[i as usize], |state| {
            if i < walked || state == table.ranking().goal() {
                check_state(table, state, |state| distance(table, state))
            } else if table.closer(state).count() == 0 {
                Err(NO_WAY.into())
            } else {
                Ok(())
            }
        })
    };
    first(runs(sample.len() as u64), |mut run| run.find_map(wrong)).map_or(Ok(()), Err)
}

/// Error of a table, or of its check.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The bytes are not those that were written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The search of a large table could not be begun, or ended early.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The goal breaks a condition, or else the first state in the order of state indices that does; or the header counts
    /// another number of states at a distance.
    #[error("{0}")]
    Wrong(String),
}

/// Returns the error for a state.
fn at_state(table: &Table, index: StateIndex, fault: String) -> CheckError {
    let goal = table.header().class().goal();
    let space = Space::new(&goal).expect("a class has a goal");
    let (number, board) = (index.0, space.unrank(index));
    CheckError::Wrong(format!(
        "is wrong at state {number} (board {board} of the goal {goal}): {fault}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basics::Cancel;
    use crate::puzzle::{Move, Shape};
    use crate::space::{GoalClass, StateIndex};
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
                check_planes(&good, &SearchOptions::default(), &mut go_on).unwrap();
                check_states(&good).unwrap();
                let states = class.states();
                for state in (0..states).step_by(1 + states as usize / 150) {
                    let wrong = WithOneBitChanged(&bytes, 4096 * 8 + state as usize);
                    let table = Table::unverified(wrong.bytes()).unwrap();
                    assert!(check_states(&table).is_err(), "{rows}x{cols} {state}");
                    assert!(
                        check_planes(&table, &SearchOptions::default(), &mut go_on).is_err(),
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
            Err(error) => {
                let error = error.to_string();
                let place = format!("is wrong at state {} ", seen_from.0);
                assert!(error.starts_with(&place), "{error}");
                error.split_once("): ").map(|(_, fault)| fault.to_owned())
            }
        };
        let only_closer = |state| {
            let mut closer = good.closer(state).map(|(_, next)| next);
            closer.next().filter(|_| closer.next().is_none())
        };
        let goal = ranking.index(ranking.goal());
        assert_eq!(sample[0], goal);
        assert_eq!(fault(goal, goal, 0), Some(goal_is_at(2)));
        let (mut at_itself, mut at_its_neighbour, mut on_its_walk) = (0, 0, 0);
        for &index in &sample[1..500] {
            let state = ranking.state(index);
            let moves = Move::ALL
                .iter()
                .filter(|&&mv| ranking.step(state, mv).is_some());
            if good.closer(state).count() == moves.count() {
                at_itself += 1;
                assert_eq!(fault(index, index, 0), Some(NO_WAY.to_owned()));
            }
            let Some(next) = only_closer(state) else {
                continue;
            };
            at_its_neighbour += 1;
            assert_eq!(
                fault(ranking.index(next), index, 0),
                Some(NO_WAY.to_owned())
            );
            if let Some(last) = only_closer(next).filter(|&last| last != ranking.goal()) {
                on_its_walk += 1;
                assert_eq!(fault(ranking.index(last), index, 0), None);
                assert_eq!(
                    fault(ranking.index(last), index, 1),
                    Some(NO_WAY.to_owned())
                );
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
