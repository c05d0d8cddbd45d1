//! Verifying bit 1 of all distances, level by level, with the pulls of the search.
//!
//! The bit and the blank's colour together claim a state's distance modulo 4. D is built from the
//! claims: D = 0 at the goal, and level d + 1 is the states one move from level d that are not in
//! level d - 1. All of them must claim d + 1, and in the end every state must be in a level. Then
//! no state is in two levels. (Take the first level in which one, x, is again: level d + 1 with a
//! neighbour y of level d, and level e before, with e = d - 3 or less by the claim. When level e was
//! expanded, y was put into level e + 1 or was in level e - 1: it was in two levels earlier.) So D is
//! 0 at the goal alone, every move changes D by exactly 1, and every state but the goal has a
//! neighbour one closer: D is the distance, and the claims are right.

use super::claims::{Claims, WrongClaim};
use super::plane_store::PlaneStore;
use super::search::{Observe, Search};

impl<P: PlaneStore> Search<P> {
    /// Verifies bit 1 of all distances, where `claims` writes words of them from a word of a cell on as in
    /// [`Layout`](super::Layout). `observe` is called for each step as in
    /// [`SlabSearch::run`](super::SlabSearch::run).
    ///
    /// The search is a new one, or one whose levels so far have been verified. Afterwards the caller has to compare
    /// its levels with the expected ones.
    ///
    /// # Errors
    /// The outer error is that of the search; the inner one is a state with a wrong claim, the same on
    /// all ranks.
    pub fn verify(
        &mut self,
        claims: Claims<'_>,
        observe: Observe<'_>,
    ) -> Result<Result<(), WrongClaim>, P::Error> {
        let class = self.class();
        let mut first = [0];
        claims(class.blank(), 0, &mut first);
        if first[0] & 1 == 1 {
            let ranking = self.layout().ranking();
            return Ok(Err(WrongClaim {
                index: ranking.index(ranking.goal()),
                from: None,
            }));
        }
        while let Some(found) = self.next_level(Some(claims), observe)? {
            if let Some(wrong) = found.wrong {
                return Ok(Err(wrong));
            }
        }
        Ok(Ok(()))
    }
}
