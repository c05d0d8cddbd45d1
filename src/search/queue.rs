//! A bucket queue, for priorities that are small integers as a rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Place in the order of a queue: the least is removed first, by its priority and then by its tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub priority: u64,
    /// Order among equal priorities.
    pub tie: u64,
}

/// Ties of a priority that have a bucket each.
pub(super) const TIES: u64 = 64;

/// Priorities that have buckets.
const PRIORITIES: u64 = 1024;

/// A priority queue, least key first; among equals the one inserted last.
///
/// Small priorities with some ties have a stack for each key, so inserting and removing need no comparisons. The keys of
/// the others, of large distances from the start, of fractional heuristics and of ties by insertion or at random, go to a
/// binary heap.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// First of the ties that have buckets.
    first_tie: u64,
    buckets: Vec<Vec<T>>,
    /// A bit for each bucket, set if it is not empty.
    filled: Vec<u64>,
    /// All words of `filled` before this one are 0.
    first: usize,
    heap: BinaryHeap<(Reverse<Key>, u64, T)>,
    /// Insertions into the heap so far.
    insertions: u64,
    len: usize,
}

impl<T: Ord> Queue<T> {
    /// Returns an empty queue with buckets for [`TIES`] ties from the first.
    pub(super) fn new(first_tie: u64) -> Queue<T> {
        Queue {
            first_tie,
            buckets: Vec::new(),
            filled: Vec::new(),
            first: 0,
            heap: BinaryHeap::new(),
            insertions: 0,
            len: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: Key, item: T) {
        self.len += 1;
        let tie = key.tie.wrapping_sub(self.first_tie);
        if key.priority >= PRIORITIES || tie >= TIES {
            self.insertions += 1;
            self.heap.push((Reverse(key), self.insertions, item));
            return;
        }
        // A word of `filled` is a priority.
        let (word, tie) = (key.priority as usize, tie as usize);
        if word >= self.filled.len() {
            self.filled.resize(word + 1, 0);
            self.buckets
                .resize_with((word + 1) * TIES as usize, Vec::new);
        }
        self.buckets[word * TIES as usize + tie].push(item);
        self.filled[word] |= 1 << tie;
        self.first = self.first.min(word);
    }

    /// Removes the item with the least key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        while self.filled.get(self.first) == Some(&0) {
            self.first += 1;
        }
        let Some(&bits) = self.filled.get(self.first) else {
            return self.pop_from_heap();
        };
        let tie = u64::from(bits.trailing_zeros());
        let key = Key {
            priority: self.first as u64,
            tie: self.first_tie + tie,
        };
        if self.heap.peek().is_some_and(|(least, ..)| least.0 < key) {
            return self.pop_from_heap();
        }
        let items = &mut self.buckets[self.first * TIES as usize + tie as usize];
        let item = items.pop();
        if items.is_empty() {
            self.filled[self.first] &= bits - 1;
        }
        self.len -= 1;
        item
    }

    fn pop_from_heap(&mut self) -> Option<T> {
        let (_, _, item) = self.heap.pop()?;
        self.len -= 1;
        Some(item)
    }

    /// Bytes in use, approximately.
    pub(super) fn memory(&self) -> usize {
        self.len * size_of::<T>() + self.buckets.len() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_come_out_as_from_a_sorted_list(
            first_tie in prop_oneof![Just(0), Just(1000 - TIES)],
            steps in prop::collection::vec(
                (any::<bool>(), prop_oneof![0..5u64, PRIORITIES - 2..PRIORITIES + 2], 900..1010u64), 0..200)
        ) {
            let mut queue = Queue::new(first_tie);
            let mut plain: Vec<(Key, u32)> = Vec::new();
            for (number, (push, priority, tie)) in (0..).zip(steps) {
                if push {
                    let key = Key { priority, tie: tie % 1000 };
                    queue.push(key, number);
                    plain.push((key, number));
                } else {
                    let least = plain.iter().map(|&(key, n)| (key, Reverse(n))).min();
                    prop_assert_eq!(queue.pop(), least.map(|(_, Reverse(n))| n));
                    plain.retain(|&(key, n)| Some((key, Reverse(n))) != least);
                }
                prop_assert_eq!(queue.len, plain.len());
            }
        }
    }
}
