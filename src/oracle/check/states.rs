//! The proof state by state, by the moves of each.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::basics::parallel::{each, first, runs};
use crate::puzzle::Move;
use crate::space::{State, StateIndex};
use crate::table::{Encoding, Table};

use super::error::{CheckError, Fault, at_state};

/// The distance of a state from which the table's moves do not lead to the goal.
const UNREACHED: u8 = u8::MAX;

/// Returns the distance of a state by the table alone: of a bit table the length of the walk down from it.
fn distance(table: &Table, state: State) -> u8 {
    table.distance(state).unwrap_or(UNREACHED)
}

/// Checks every state and every move, on all cores. Returns the number of states at each distance.
pub(super) fn check_states(table: &Table) -> Result<Vec<u64>, CheckError> {
    let (ranking, states) = (table.ranking(), table.ranking().states());
    let state = |index| ranking.state(StateIndex(index));
    let distance = |index| distance(table, state(index));
    let distances = each(runs(states), |run| run.map(distance).collect::<Vec<u8>>()).concat();
    let known = |state| distances[ranking.index(state).0 as usize];
    // The goal first: if it is wrong in a bit table, no other state has a distance.
    let numbered = |i: u64| {
        i.checked_sub(1)
            .map_or(ranking.index(ranking.goal()), StateIndex)
    };
    check_each(table, states + 1, numbered, |_, state| {
        check_state(table, state, known)
    })?;
    let mut levels = vec![0; 256];
    distances
        .iter()
        .for_each(|&distance| levels[usize::from(distance)] += 1);
    Ok(levels)
}

/// Checks so many states, and returns the error of the first that breaks a condition.
fn check_each(
    table: &Table,
    count: u64,
    numbered: impl Fn(u64) -> StateIndex + Sync,
    check: impl Fn(u64, State) -> Result<(), Fault> + Sync,
) -> Result<(), CheckError> {
    let wrong = |i| {
        let index = numbered(i);
        let fault = check(i, table.ranking().state(index)).err()?;
        Some(at_state(table, index, fault))
    };
    first(runs(count), |mut run| run.find_map(wrong)).map_or(Ok(()), Err)
}

/// Checks one state and its moves, given the distances of all.
fn check_state(table: &Table, state: State, distances: impl Fn(State) -> u8) -> Result<(), Fault> {
    let ranking = table.ranking();
    let distance = distances(state);
    let is_goal = state == ranking.goal();
    match distance {
        UNREACHED => return Err(Fault::Unreached),
        0 if !is_goal => return Err(Fault::ZeroElsewhere),
        _ if is_goal => check_goal(table, distance)?,
        _ => {}
    }
    let parent = (table.header().encoding() == Encoding::Full && !is_goal)
        .then(|| table.stored_parent(ranking.index(state)));
    let (mut closer, mut parent_is_closer) = (false, parent.is_none());
    for mv in Move::ALL {
        let Some(next) = ranking.step(state, mv) else {
            continue;
        };
        let next = distances(next);
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

/// Checks that the goal has distance 0, which a walk takes for granted.
fn check_goal(table: &Table, distance: u8) -> Result<(), Fault> {
    match distance.max(table.distance_mod_4(table.ranking().goal())) {
        0 => Ok(()),
        distance => Err(Fault::GoalNotZero { distance }),
    }
}

/// Returns the goal and drawn states, `count` in all, the same for all tables of a class.
pub(super) fn sample(table: &Table, count: usize) -> Vec<StateIndex> {
    let ranking = table.ranking();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let drawn = (1..count).map(|_| StateIndex(random.random_range(0..ranking.states())));
    let goal = ranking.index(ranking.goal());
    std::iter::once(goal).chain(drawn).collect()
}

/// Checks some states of a bit table by its bits and its moves alone: the goal claims 0, and for another state some
/// neighbour claims one less (modulo 4; that all others claim one more follows from the colours). From the first `walked`
/// and all their neighbours the walks down lead to the goal, and their lengths differ by exactly 1.
pub(super) fn check_sample(
    table: &Table,
    sample: &[StateIndex],
    walked: u64,
) -> Result<(), CheckError> {
    let numbered = |i: u64| sample[i as usize];
    check_each(table, sample.len() as u64, numbered, |i, state| {
        if state == table.ranking().goal() {
            check_goal(table, 0)
        } else if table.closer(state).count() == 0 {
            Err(Fault::Unreached)
        } else if i < walked {
            check_state(table, state, |state| distance(table, state))
        } else {
            Ok(())
        }
    })
}
