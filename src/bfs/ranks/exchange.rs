//! Messages between the ranks of a search: the processes, or threads, that share its slabs.

use std::fmt;

use serde::{Serialize, de::DeserializeOwned};

use super::super::error::SearchError;

/// Transport of messages between the ranks of a search.
///
/// All ranks take the same steps in the same order: each call waits for the same call of all others.
/// A rank that cannot continue reports it at the next step ([`agree`](#method.agree)), so that none
/// waits for ever.
pub trait Exchange: fmt::Debug + Send + Sync {
    /// Number of ranks, at least 1.
    fn ranks(&self) -> usize;

    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks that share the memory of this machine.
    fn ranks_here(&self) -> usize {
        self.ranks()
    }

    /// Sends the i-th message to rank i, and returns the received ones, by sender. Runs `meanwhile`
    /// during the transfer.
    fn swap(&self, messages: Vec<Vec<u8>>, meanwhile: &mut (dyn FnMut() + Send)) -> Vec<Vec<u8>>;
}

impl dyn Exchange + '_ {
    /// The messages of all ranks, this one among them.
    pub fn all(&self, message: &[u8]) -> Vec<Vec<u8>> {
        self.swap(vec![message.to_vec(); self.ranks()], &mut || ())
    }

    /// Sends a value to all ranks, and returns those of all, by rank.
    ///
    /// # Panics
    /// If JSON has no such value.
    pub fn told<T: Serialize + DeserializeOwned>(&self, own: &T) -> Vec<T> {
        let message = serde_json::to_vec(own).expect("numbers and text are JSON");
        let read = |message: &Vec<u8>| serde_json::from_slice(message).expect("ranks send JSON");
        self.all(&message).iter().map(read).collect()
    }

    /// The sums over all ranks.
    pub fn sum<const N: usize>(&self, numbers: [u64; N]) -> [u64; N] {
        let message: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut sums = [0; N];
        for message in self.all(&message) {
            for (sum, bytes) in sums.iter_mut().zip(message.as_chunks().0) {
                *sum += u64::from_le_bytes(*bytes);
            }
        }
        sums
    }

    /// Returns whether `yes` is true on any rank.
    pub fn any(&self, yes: bool) -> bool {
        self.sum([u64::from(yes)]) != [0]
    }

    /// The result of this rank if no rank has an error.
    ///
    /// # Errors
    /// The error of this rank, or [`SearchError::OtherRank`] where it has none.
    pub fn agree<T, E: From<SearchError>>(&self, result: Result<T, E>) -> Result<T, E> {
        self.agree_or(result, SearchError::OtherRank)
    }

    /// The result of work that the first rank alone does, `None` on the others, if it has no error.
    ///
    /// # Errors
    /// As [`agree`](Self::agree).
    pub fn first<T, E: From<SearchError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        self.agree((self.rank() == 0).then(work).transpose())
    }

    /// As [`agree`](Self::agree), with another error where this rank has none.
    ///
    /// # Errors
    /// The error of this rank, or `other`.
    pub fn agree_or<T, E: From<O>, O>(&self, result: Result<T, E>, other: O) -> Result<T, E> {
        match self.any(result.is_err()) {
            true => result.and(Err(other.into())),
            false => result,
        }
    }
}

/// The one rank of a search in one process.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Exchange for Alone {
    fn ranks(&self) -> usize {
        1
    }

    fn rank(&self) -> usize {
        0
    }

    fn swap(&self, messages: Vec<Vec<u8>>, meanwhile: &mut (dyn FnMut() + Send)) -> Vec<Vec<u8>> {
        meanwhile();
        messages
    }
}
