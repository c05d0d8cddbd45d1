//! The part of rayon that is used here, on the caller's thread.

use std::io;

/// A pool of threads, of which there is none.
#[derive(Debug)]
pub enum ThreadPool {}

/// The threads that work in a pool.
#[derive(Debug)]
pub struct Scope;

/// Builds no pool.
#[derive(Debug)]
pub struct ThreadPoolBuilder;

impl ThreadPoolBuilder {
    pub fn new() -> ThreadPoolBuilder {
        ThreadPoolBuilder
    }

    #[must_use]
    pub fn num_threads(self, _: usize) -> ThreadPoolBuilder {
        self
    }

    pub fn build(self) -> io::Result<ThreadPool> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl ThreadPool {
    pub fn install<R>(&self, _: impl FnOnce() -> R) -> R {
        match *self {}
    }

    pub fn scope<R>(&self, _: impl FnOnce(&Scope) -> R) -> R {
        match *self {}
    }
}

impl Scope {
    pub fn spawn(&self, _: impl FnOnce(&Scope)) {}
}

pub mod prelude {
    /// Iterators for the parallel ones.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }

        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }
    }

    pub trait ParallelIterator: Iterator + Sized {
        fn with_min_len(self, _: usize) -> Self {
            self
        }

        fn with_max_len(self, _: usize) -> Self {
            self
        }

        fn map_init<T, R>(
            self,
            init: impl Fn() -> T,
            map: impl Fn(&mut T, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        fn find_first(mut self, is_found: impl Fn(&Self::Item) -> bool) -> Option<Self::Item> {
            self.find(is_found)
        }

        fn find_map_first<R>(mut self, find: impl Fn(Self::Item) -> Option<R>) -> Option<R> {
            self.find_map(find)
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
