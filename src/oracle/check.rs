//! Proving a table without trusting the search that made it.
//!
//! A function D on the states is the distance to the goal if and only if D is 0 at the goal and
//! nowhere else, every move changes D by exactly 1, and every other state has a neighbour one
//! closer. (No path is shorter than D, since a move takes off 1 at most; and a path of length D
//! is there, since the neighbours one closer lead down to 0.) The check goes through all states
//! and all their moves with the arithmetic of [`crate::space`], not with the search's planes; only
//! for bit tables of more than ten million states it uses planes too, in memory, in files or shared by
//! several ranks, and then looks at a million drawn states with that arithmetic.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::basics::all_cores;
use crate::bfs::{
    Alone, Exchange, Kept, Layout, Observe, ScratchError, Search, SearchError, SlabSearch,
    WrongClaim,
};
use crate::puzzle::{Board, Move};
use crate::space::{GoalClass, Space, SpaceError, StateIndex};
use crate::table::{Encoding, FormatError, Table};

use super::distances::{UNREACHED, all_distances, count_levels};

/// What a check has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// States that were looked at: all.
    pub states: u64,
    /// Moves that were followed: all, in both directions.
    pub moves: u64,
    /// States that were drawn and looked at once more, their moves made one by one, because the
    /// table was proved on bit planes; 0 for any other table.
    pub sampled: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// Were there parent moves, each of which was found to lead one step closer?
    pub parents: bool,
}

/// Where a table is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The bytes are not those that were written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The planes of a large table do not fit the memory.
    #[error(transparent)]
    Search(SearchError),
    /// The proof in a scratch folder could not be begun, or ended early.
    #[error(transparent)]
    Scratch(ScratchError),
    /// Another rank has an error, and says which.
    #[error("another rank cannot go on")]
    OtherRank,
    /// The class has no goal board of its own.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A state breaks a condition; it is the goal, or else the first in the order of state
    /// indices.
    #[error("is wrong at state {} (board {board} of the goal {goal}): {fault}", index.0)]
    State {
        /// The state's number.
        index: StateIndex,
        /// Its board, for the goal that is named beside it.
        board: Board,
        /// The canonical goal of the table's class.
        goal: Board,
        /// The condition that it breaks.
        fault: Fault,
    },
    /// The header counts another number of states at a distance.
    #[error("says in its header that {header} states have distance {distance}, but {found} have")]
    Level {
        /// The distance.
        distance: u8,
        /// States at this distance by the header.
        header: u64,
        /// States that were found at it.
        found: u64,
    },
}

impl From<SearchError> for CheckError {
    fn from(error: SearchError) -> CheckError {
        match error {
            SearchError::OtherRank => CheckError::OtherRank,
            other => CheckError::Search(other),
        }
    }
}

impl From<ScratchError> for CheckError {
    fn from(error: ScratchError) -> CheckError {
        match error {
            ScratchError::Search(error) => error.into(),
            other => CheckError::Scratch(other),
        }
    }
}

/// A condition that a state breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The goal's distance is not 0.
    #[error("it is the goal, and its distance is {distance}")]
    GoalNotZero {
        /// Its distance.
        distance: u8,
    },
    /// Another state has distance 0.
    #[error("its distance is 0, and it is not the goal")]
    ZeroElsewhere,
    /// No chain of claims leads to it from the goal.
    #[error("no way leads to it from the goal")]
    Unreached,
    /// A move changes the distance by something else than 1.
    #[error("its distance is {distance}, and the move {mv} leads to distance {next}")]
    Step {
        /// Its distance.
        distance: u8,
        /// The canonical move.
        mv: Move,
        /// The neighbour's distance.
        next: u8,
    },
    /// A move leads to it from a state whose distance fits neither side of its own claim.
    #[error("a move leads to it from distance {from}, and its bit is that of neither side")]
    FitsNeither {
        /// The neighbour's distance.
        from: u8,
    },
    /// No neighbour is closer.
    #[error("its distance is {distance}, and no move leads closer")]
    NothingCloser {
        /// Its distance.
        distance: u8,
    },
    /// The parent move does not lead closer.
    #[error("its parent move {mv} does not lead closer")]
    Parent {
        /// The canonical move.
        mv: Move,
    },
}

/// Proves a table: its checksums, then the distances, parent moves and level counts.
///
/// ```
/// use puzzledb::oracle::{Oracle, check::check};
///
/// let oracle = Oracle::in_memory(&"123450".parse::<puzzledb::puzzle::Board>()
///     .or_else(|_| puzzledb::puzzle::parse_board(b"123/450", None))?)?;
/// let proof = check(oracle.table())?;
/// assert_eq!((proof.states, proof.max_distance), (360, 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CheckError`] says what is wrong, with the first state that is.
pub fn check<B: AsRef<[u8]> + Sync>(table: &Table<B>) -> Result<Proof, CheckError> {
    check_by(table, &Means::default(), &mut |_, _, _| {
        ControlFlow::Continue(())
    })
}

/// How a large bit table is proved.
#[derive(Clone, Debug)]
pub struct Means {
    /// Threads, at most.
    pub threads: usize,
    /// Bytes of memory that the planes may take; by default what the machine has.
    pub memory: Option<u64>,
    /// A folder for the planes, which are in memory otherwise. A proof that is ended goes on in the same
    /// folder.
    pub scratch: Option<PathBuf>,
    /// Those who share the proof.
    pub exchange: Arc<dyn Exchange>,
}

impl Default for Means {
    /// All cores, in memory, alone.
    fn default() -> Means {
        Means {
            threads: all_cores(),
            memory: None,
            scratch: None,
            exchange: Arc::new(Alone),
        }
    }
}

/// As [`check`], by these means, which are for bit tables: others, and small ones in memory, the first
/// rank checks alone. `observe` is told now and then how far it is, and may end a proof in a folder.
///
/// # Errors
/// As [`check`]; [`CheckError::OtherRank`] where only other ranks have an error.
pub fn check_by<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    means: &Means,
    observe: Observe<'_>,
) -> Result<Proof, CheckError> {
    let exchange = &*means.exchange;
    let alone = |check: &dyn Fn() -> Result<(), CheckError>| {
        let checked = if exchange.rank() == 0 {
            check()
        } else {
            Ok(())
        };
        exchange.agree(checked, || CheckError::OtherRank)
    };
    alone(&|| Ok(table.check_sections()?))?;
    let proof = Proof {
        states: table.ranking().states(),
        moves: moves_of(table.header().class()),
        sampled: 0,
        max_distance: table.header().max_distance(),
        parents: table.header().encoding() == Encoding::Full,
    };
    let is_large =
        table.ranking().states() > ONE_BY_ONE || means.scratch.is_some() || exchange.ranks() > 1;
    if table.header().encoding() == Encoding::Bit && is_large {
        check_by_planes(table, means, observe)?;
        let sample = sample(table, SAMPLED);
        alone(&|| check_sample(table, &sample, WALKED))?;
        let sampled = sample.len() as u64;
        return Ok(Proof { sampled, ..proof });
    }
    alone(&|| {
        let distances = all_distances(table);
        check_states(table, &distances)?;
        check_levels(table, &distances)
    })?;
    Ok(proof)
}

/// Larger bit tables than this are proved level by level on bit planes.
const ONE_BY_ONE: u64 = 10_000_000;

/// Proves a bit table as [`Search::verify`] does.
fn check_by_planes<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    means: &Means,
    observe: Observe<'_>,
) -> Result<(), CheckError> {
    let class = table.header().class();
    let (threads, memory, exchange) = (means.threads, means.memory, &means.exchange);
    let kept = Kept::Proof(table.header().sections()[0].checksum);
    match &means.scratch {
        None => {
            let possible = Search::is_possible(class, kept, memory, &**exchange);
            exchange.agree(possible, || SearchError::OtherRank)?;
            let mut search = Search::shared(class, kept, threads, exchange.clone())?;
            let Ok(verified) = search.verify(&claims(table, search.layout().clone()), observe);
            compare(table, search.levels(), verified)
        }
        Some(folder) => {
            let ranks = exchange.clone();
            let mut search = SlabSearch::open_shared(class, kept, threads, memory, folder, ranks)?;
            let verified = search.verify(&claims(table, search.layout().clone()), observe)?;
            let compared = compare(table, search.levels(), verified);
            search.remove();
            compared
        }
    }
}

/// Writes the claims of the table from a word of a cell on.
fn claims<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    layout: Layout,
) -> impl Fn(usize, usize, &mut [u64]) + Sync + '_ {
    move |cell, first, words| {
        table.words_of_bits(layout.index(cell, first, 0), layout.word_bits(), words);
    }
}

/// Compares the levels that were found, and what was found there, with the table.
fn compare<B: AsRef<[u8]>>(
    table: &Table<B>,
    levels: &[u64],
    verified: Result<(), WrongClaim>,
) -> Result<(), CheckError> {
    verified.map_err(|wrong| {
        let fault = match wrong.from {
            None => Fault::GoalNotZero { distance: 2 },
            Some(from) => Fault::FitsNeither { from },
        };
        at_state(table, wrong.index, fault)
    })?;
    compare_levels(table, |distance| levels.get(distance).copied().unwrap_or(0))
}

/// How many states are drawn from a table that was proved on planes: the proof moves bits by the
/// code that the search uses, and these states are looked at without it.
const SAMPLED: usize = 1_000_000;

/// From this many of them, and from all their neighbours, the way down to the goal is walked.
const WALKED: usize = 10_000;

/// The goal and drawn states, `count` in all, the same for all tables of a class.
fn sample<B: AsRef<[u8]>>(table: &Table<B>, count: usize) -> Vec<StateIndex> {
    let ranking = table.ranking();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let drawn = (1..count).map(|_| StateIndex(random.random_range(0..ranking.states())));
    std::iter::once(ranking.index(ranking.goal()))
        .chain(drawn)
        .collect()
}

/// Checks some states of a bit table by [`check_sampled`], the first `walked` with walks.
fn check_sample<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    sample: &[StateIndex],
    walked: usize,
) -> Result<(), CheckError> {
    let states = sample.par_iter().enumerate();
    let wrong = states.find_map_first(|(i, &index)| {
        let fault = check_sampled(table, index, i < walked).err()?;
        Some((index, fault))
    });
    match wrong {
        None => Ok(()),
        Some((index, fault)) => Err(at_state(table, index, fault)),
    }
}

/// Checks a state of a bit table by its moves alone: unless it is the goal, and claims 0, some
/// neighbour claims one less (modulo 4; that all others claim one more follows from the colours).
/// With `walk`, the walks down from it and from each neighbour lead to the goal, and their lengths
/// differ by exactly 1.
fn check_sampled<B: AsRef<[u8]>>(
    table: &Table<B>,
    index: StateIndex,
    walk: bool,
) -> Result<(), Fault> {
    let ranking = table.ranking();
    let state = ranking.state(index);
    if state == ranking.goal() {
        return match table.distance_mod_4(state) {
            0 => Ok(()),
            distance => Err(Fault::GoalNotZero { distance }),
        };
    }
    if table.closer(state).next().is_none() {
        return Err(Fault::Unreached);
    }
    if walk {
        let distance = table.distance(state).ok_or(Fault::Unreached)?;
        for mv in Move::ALL {
            if let Some(next) = ranking.step(state, mv) {
                let next = table.distance(next).unwrap_or(UNREACHED);
                if next.abs_diff(distance) != 1 {
                    return Err(Fault::Step { distance, mv, next });
                }
            }
        }
    }
    Ok(())
}

/// The error for a state.
fn at_state<B: AsRef<[u8]>>(table: &Table<B>, index: StateIndex, fault: Fault) -> CheckError {
    match Space::new(&table.header().class().goal()) {
        Err(error) => error.into(),
        Ok(space) => CheckError::State {
            index,
            board: space.unrank(index),
            goal: *space.goal(),
            fault,
        },
    }
}

/// How many moves a class has in all, both ways.
fn moves_of(class: GoalClass) -> u64 {
    let shape = class.shape();
    let moves = |cell| {
        Move::ALL
            .iter()
            .filter(move |&&mv| shape.step(cell, mv).is_some())
    };
    let out: usize = (0..shape.cells()).map(|cell| moves(cell).count()).sum();
    out as u64 * class.orders()
}

/// Checks every state and every move, on all cores.
fn check_states<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    distances: &[u8],
) -> Result<(), CheckError> {
    let ranking = table.ranking();
    let goal = ranking.index(ranking.goal());
    let fault_at = |index| {
        check_state(table, distances, index)
            .err()
            .map(|fault| (index, fault))
    };
    // The goal first: if it is wrong in a bit table, no other state has a distance.
    let wrong = fault_at(goal).or_else(|| {
        let states = (0..ranking.states()).into_par_iter();
        states.find_map_first(|index| fault_at(StateIndex(index)))
    });
    match wrong {
        None => Ok(()),
        Some((index, fault)) => Err(at_state(table, index, fault)),
    }
}

/// Checks one state and its moves.
fn check_state<B: AsRef<[u8]>>(
    table: &Table<B>,
    distances: &[u8],
    index: StateIndex,
) -> Result<(), Fault> {
    let ranking = table.ranking();
    let state = ranking.state(index);
    let distance = distances[index.0 as usize];
    let is_goal = state == ranking.goal();
    match distance {
        UNREACHED => return Err(Fault::Unreached),
        0 if !is_goal => return Err(Fault::ZeroElsewhere),
        1.. if is_goal => return Err(Fault::GoalNotZero { distance }),
        _ => {}
    }
    let parent = (table.header().encoding() == Encoding::Full && !is_goal)
        .then(|| table.stored_parent(index));
    let (mut closer, mut parent_is_closer) = (false, parent.is_none());
    for mv in Move::ALL {
        let Some(next) = ranking.step(state, mv) else {
            continue;
        };
        let next = distances[ranking.index(next).0 as usize];
        if next == UNREACHED || next.abs_diff(distance) != 1 {
            return Err(Fault::Step { distance, mv, next });
        }
        closer |= next < distance;
        parent_is_closer |= next < distance && parent == Some(mv);
    }
    if !closer && !is_goal {
        return Err(Fault::NothingCloser { distance });
    }
    match parent {
        Some(mv) if !parent_is_closer => Err(Fault::Parent { mv }),
        _ => Ok(()),
    }
}

fn check_levels<B: AsRef<[u8]>>(table: &Table<B>, distances: &[u8]) -> Result<(), CheckError> {
    let found = count_levels(distances);
    compare_levels(table, |distance| found[distance])
}

fn compare_levels<B: AsRef<[u8]>>(
    table: &Table<B>,
    found: impl Fn(usize) -> u64,
) -> Result<(), CheckError> {
    let levels = table.header().levels();
    let header = |distance: usize| levels.get(distance).copied().unwrap_or(0);
    match (0..256).find(|&distance| header(distance) != found(distance)) {
        None => Ok(()),
        Some(distance) => Err(CheckError::Level {
            distance: distance as u8,
            header: header(distance),
            found: found(distance),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;
    use crate::table::build;
    use std::ops::ControlFlow;

    fn go_on_in(_: u8, _: (usize, usize), _: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The proof on planes and the one state by state agree on good tables and on tables with
    /// one wrong bit anywhere.
    #[test]
    fn both_proofs_say_the_same_of_good_and_of_wrong_tables() {
        for (rows, cols) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
            for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
                let go_on = |_: &crate::bfs::Level<'_>| ControlFlow::Continue(());
                let bytes = build(class, Encoding::Bit, 1, go_on).unwrap().unwrap();
                let good = Table::from_bytes(&bytes[..]).unwrap();
                let distances = all_distances(&good);
                check_by_planes(&good, &Means::default(), &mut go_on_in).unwrap();
                check_states(&good, &distances).unwrap();
                let states = class.states();
                for state in (0..states).step_by(1 + states as usize / 150) {
                    let wrong = WithOneBitChanged(&bytes, 4096 * 8 + state as usize);
                    let table = Table::unchecked(wrong.bytes()).unwrap();
                    let distances = all_distances(&table);
                    assert!(
                        check_states(&table, &distances).is_err(),
                        "{rows}x{cols} {state}"
                    );
                    assert!(
                        check_by_planes(&table, &Means::default(), &mut go_on_in).is_err(),
                        "{rows}x{cols} {state}"
                    );
                }
            }
        }
    }

    /// What the planes miss, because they are wrong in the same way as those of the search were,
    /// the drawn states find by their own moves.
    #[test]
    fn a_wrong_bit_is_found_by_a_drawn_state_that_it_is_seen_from() {
        let class = GoalClass::new(Shape::new(3, 3).unwrap(), 8).unwrap();
        let go_on = |_: &crate::bfs::Level<'_>| ControlFlow::Continue(());
        let bytes = build(class, Encoding::Bit, 1, go_on).unwrap().unwrap();
        let good = Table::from_bytes(&bytes[..]).unwrap();
        let ranking = good.ranking();
        let sample = sample(&good, 20_000);
        check_sample(&good, &sample, 20_000).unwrap();
        let wrong_at = |index: StateIndex| {
            let wrong = WithOneBitChanged(&bytes, 4096 * 8 + index.0 as usize);
            Table::unchecked(wrong.bytes()).unwrap()
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
