//! The proof of pattern databases.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::basics::Cancel;
use crate::table::FormatError;

use super::build::{PatternBuildError, PatternProgress};
use super::database::{Database, State};
use super::partition::Partition;
use super::patterns::Patterns;

/// Facts that were proved of a file of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct PatternProof {
    /// States of all patterns.
    pub states: u64,
    /// States of each pattern from which the goal was reached by single moves.
    pub sampled: u64,
    /// The largest distance of any pattern.
    pub max_distance: u8,
}

/// Error of a file of patterns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternCheckError {
    /// A section does not have its checksum.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The system did not give the memory for the proof.
    #[error("cannot be proved: {0}")]
    Memory(#[from] PatternBuildError),
    /// A bit is not that of the distance, or a state contradicts its neighbours.
    #[error("is wrong: {0}")]
    Wrong(String),
}

/// States of each pattern from which a walk to the goal is made.
const SAMPLED: usize = 20_000;

/// Proves the databases in a file. Every byte has its checksum, and every bit is that of the distance which a
/// breadth-first search finds. In that search each state but the goal has a neighbour one closer, and all moves change
/// the distance by 1. The search moves whole words, so a second proof shares no code with it: from each state of a long
/// random path, single moves and look-ups lead to the goal, and the next state's walk is longer or shorter by exactly
/// 1.
///
/// # Errors
/// [`PatternCheckError`] with the first state that is wrong.
pub fn check(patterns: &Patterns) -> Result<PatternProof, PatternCheckError> {
    patterns.verify()?;
    let mut proof = PatternProof {
        states: patterns.states(),
        sampled: SAMPLED as u64,
        max_distance: 0,
    };
    for (pattern, database) in (1..).zip(&patterns.databases) {
        let mut deepest = 0;
        let alone = Partition {
            goals: vec![database.goal.mask],
            ..patterns.partition().clone()
        };
        let observe = |progress: PatternProgress| deepest = progress.distance;
        let again = Patterns::build_observed(&alone, &Cancel::new(), observe)?;
        let again = &again.databases[0];
        let (right, found) = (again.bits(), database.bits());
        let (right, found) = (right.range(0..right.len()), found.range(0..found.len()));
        let mut bytes = right.iter().zip(&*found).enumerate();
        let wrong = bytes.find(|(_, (right, found))| right != found);
        if let Some((byte, (right, found))) = wrong {
            let state = byte as u64 * 8 + u64::from((right ^ found).trailing_zeros());
            return Err(PatternCheckError::Wrong(format!(
                "the bit of state {state} of pattern {pattern} is not that of its distance"
            )));
        }
        check_sample(pattern, database)?;
        proof.max_distance = proof.max_distance.max(deepest);
    }
    Ok(proof)
}

/// Makes a random path from the goal, and from each of its states a walk back to the goal.
fn check_sample(pattern: usize, database: &Database) -> Result<(), PatternCheckError> {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut state, mut distance) = (database.goal, 0u32);
    for _ in 0..SAMPLED {
        let next: Vec<State> = database.next(state).collect();
        state = next[random.random_range(0..next.len())];
        let there = database
            .distance(state)
            .filter(|there| there.abs_diff(distance) == 1);
        distance = there.ok_or_else(|| {
            let number = database.number(&state);
            PatternCheckError::Wrong(format!(
                "from state {number} of pattern {pattern} no chain of moves, each one closer, leads to the goal"
            ))
        })?;
    }
    Ok(())
}
