//! The proof state by state.

use crate::basics::parallel::prelude::*;

use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::{Encoding, Table};

use super::super::distances::UNREACHED;
use super::error::{CheckError, Fault, at_state};

/// Checks every state and every move, on all cores.
pub(super) fn check_states(table: &Table, distances: &[u8]) -> Result<(), CheckError> {
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
fn check_state(table: &Table, distances: &[u8], index: StateIndex) -> Result<(), Fault> {
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
