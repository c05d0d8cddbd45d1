//! A bucket queue, for priorities that are small integers as a rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Place in the order of a queue: a priority, and a tie among equal priorities. The least is removed first.
pub(super) type Key = (u64, u64);

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
    /// Of each priority the stacks of its ties, and a bit for each that is set if it is not empty.
    buckets: Vec<([Vec<T>; TIES as usize], u64)>,
    /// All priorities before this one have no items in buckets.
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
            first: 0,
            heap: BinaryHeap::new(),
            insertions: 0,
            len: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: Key, item: T) {
        self.len += 1;
        let (priority, tie) = (key.0, key.1.wrapping_sub(self.first_tie));
        if priority >= PRIORITIES || tie >= TIES {
            self.insertions += 1;
            self.heap.push((Reverse(key), self.insertions, item));
            return;
        }
        let (priority, tie) = (priority as usize, tie as usize);
        if priority >= self.buckets.len() {
            let empty = || ([const { Vec::new() }; TIES as usize], 0);
            self.buckets.resize_with(priority + 1, empty);
        }
        let (stacks, filled) = &mut self.buckets[priority];
        stacks[tie].push(item);
        *filled |= 1 << tie;
        self.first = self.first.min(priority);
    }

    /// Removes the item with the least key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        while self.buckets.get(self.first).is_some_and(|of| of.1 == 0) {
            self.first += 1;
        }
        let Some((stacks, filled)) = self.buckets.get_mut(self.first) else {
            return self.pop_from_heap();
        };
        let tie = filled.trailing_zeros();
        let key = (self.first as u64, self.first_tie + u64::from(tie));
        if self.heap.peek().is_some_and(|(least, ..)| least.0 < key) {
            return self.pop_from_heap();
        }
        let stack = &mut stacks[tie as usize];
        let item = stack.pop();
        if stack.is_empty() {
            *filled &= *filled - 1;
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
        self.len * size_of::<T>() + self.buckets.len() * size_of::<[Vec<T>; TIES as usize]>()
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
                    let key = (priority, tie % 1000);
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
