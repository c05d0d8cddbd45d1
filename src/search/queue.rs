//! A bucket queue, for priorities that are small integers as a rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Priorities below this have a bucket each; the others share a heap.
const BUCKETS: u128 = 1 << 16;

/// A priority queue, least priority first; among equals the one inserted last.
///
/// Each small priority has a stack of its own, so inserting and removing need no comparisons.
/// Large priorities, which come from fractional heuristics or tie-breaking by insertion or at
/// random, go to a binary heap; they come after all those of the buckets.
#[derive(Debug)]
pub(super) struct Queue<T> {
    buckets: Vec<Vec<T>>,
    /// A bit for each bucket, set if it is not empty.
    filled: Vec<u64>,
    /// All words of `filled` before this one are 0.
    first: usize,
    heap: BinaryHeap<(Reverse<u128>, u64, T)>,
    /// Insertions into the heap so far.
    insertions: u64,
    len: usize,
}

impl<T: Ord> Queue<T> {
    pub(super) fn new() -> Queue<T> {
        Queue {
            buckets: Vec::new(),
            filled: Vec::new(),
            first: 0,
            heap: BinaryHeap::new(),
            insertions: 0,
            len: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, priority: u128, item: T) {
        self.len += 1;
        if priority >= BUCKETS {
            self.insertions += 1;
            self.heap.push((Reverse(priority), self.insertions, item));
            return;
        }
        let bucket = priority as usize;
        let word = bucket / 64;
        if bucket >= self.buckets.len() {
            self.filled.resize(word + 1, 0);
            self.buckets.resize_with((word + 1) * 64, Vec::new);
        }
        self.buckets[bucket].push(item);
        self.filled[word] |= 1 << (bucket % 64);
        self.first = self.first.min(word);
    }

    /// Removes the item with the least priority.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        while let Some(&bits) = self.filled.get(self.first) {
            if bits == 0 {
                self.first += 1;
                continue;
            }
            let bucket = self.first * 64 + bits.trailing_zeros() as usize;
            let items = &mut self.buckets[bucket];
            let item = items.pop();
            if items.is_empty() {
                self.filled[self.first] &= bits - 1;
            }
            self.len -= 1;
            return item;
        }
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
            steps in prop::collection::vec(
                (any::<bool>(), prop_oneof![0..300u128, BUCKETS - 2..BUCKETS + 50]), 0..200)
        ) {
            let mut queue = Queue::new();
            let mut plain: Vec<(u128, u32)> = Vec::new();
            for (number, (push, priority)) in (0..).zip(steps) {
                if push {
                    queue.push(priority, number);
                    plain.push((priority, number));
                } else {
                    let least = plain.iter().map(|&(p, n)| (p, Reverse(n))).min();
                    prop_assert_eq!(queue.pop(), least.map(|(_, Reverse(n))| n));
                    plain.retain(|&(p, n)| Some((p, Reverse(n))) != least);
                }
                prop_assert_eq!(queue.len, plain.len());
            }
        }
    }
}
