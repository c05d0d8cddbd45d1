//! Answers by look-ups in a table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::basics::{Cancel, Instant, all_cores, available_memory};
use crate::puzzle::{Board, Move};
use crate::space::{Frame, GoalClass, Space, SpaceError, State, StateIndex};
use crate::table::{Encoding, Table, build};

use super::distances::{CHECK_INTERVAL, count_solutions, distances};
use super::error::{OracleError, QueryError};

/// A table and a goal of its class.
#[derive(Clone, Debug)]
pub(super) struct ByTable {
    pub table: Arc<Table>,
    /// The map of boards of the goal to the canonical ones of the table.
    pub frame: Frame,
    /// Values of all states, which oracles of the table share.
    all: Arc<AllStates>,
    /// The time in which it was made in memory.
    pub made_in: Option<Duration>,
}

/// Values of all states.
#[derive(Debug, Default)]
struct AllStates {
    distances: All<u8>,
    counts: All<u64>,
}

/// The values of one kind of all states, once they were made, and the number of rows that were asked for.
#[derive(Debug, Default)]
struct All<T> {
    values: OnceLock<Vec<T>>,
    asked: AtomicU64,
}

/// The values of all states are made once one in so many was asked for: a walk down takes some 20 times as long as
/// the state's part of a search.
const WORTH_ALL: u64 = 16;

impl<T> All<T> {
    /// Returns the values, and makes them if there are none.
    fn get_or_make<E>(&self, make: impl FnOnce() -> Result<Vec<T>, E>) -> Result<&[T], E> {
        match self.values.get() {
            Some(values) => Ok(values),
            None => make().map(|made| &**self.values.get_or_init(|| made)),
        }
    }

    /// Returns the values of a class for an answer to so many rows, and makes them if they pay for the rows that were
    /// asked for so far; `None` while single look-ups are cheaper, or if there is no memory.
    fn for_rows<E>(
        &self,
        rows: usize,
        class: GoalClass,
        make: impl FnOnce() -> Result<Vec<T>, E>,
    ) -> Result<Option<&[T]>, E> {
        let (rows, bytes) = (rows as u64, class.states() * size_of::<T>() as u64);
        let asked = self.asked.fetch_add(rows, Ordering::Relaxed) + rows;
        let fits = || available_memory().is_none_or(|free| bytes < free / 2);
        let is_worth = || asked >= class.states() / WORTH_ALL && (class.is_small() || fits());
        let is_made = self.values.get().is_some() || is_worth();
        is_made.then(|| self.get_or_make(make)).transpose()
    }
}

impl ByTable {
    /// Returns the answers for a goal that the table serves.
    pub fn new(table: Arc<Table>, goal: &Board) -> Result<ByTable, OracleError> {
        let (frame, class) = (Frame::new(goal)?, table.header().class());
        if frame.class() != class {
            let (table, goal) = (class.shape(), *goal);
            return Err(OracleError::OtherClass { table, goal });
        }
        Ok(ByTable {
            table,
            frame,
            all: Arc::default(),
            made_in: None,
        })
    }

    /// Makes the table in memory: a small one on the caller's thread, another on all cores.
    pub fn make(goal: &Board, cancel: &Cancel) -> Result<ByTable, OracleError> {
        let (begun, class) = (Instant::now(), Frame::new(goal)?.class());
        let threads = if class.is_small() { 1 } else { all_cores() };
        let encoding = Encoding::default_for(class);
        let bytes = build(class, encoding, threads, cancel)?;
        let bytes = bytes.ok_or(QueryError::Cancelled)?;
        let table = Table::from_bytes(bytes).expect("a table just made is good");
        Ok(ByTable {
            made_in: Some(begun.elapsed()),
            ..ByTable::new(table.into(), goal)?
        })
    }

    /// Returns the answers for another goal of its class.
    pub fn for_goal(&self, goal: &Board) -> Result<ByTable, SpaceError> {
        let frame = Frame::new(goal)?;
        Ok(ByTable {
            frame,
            ..self.clone()
        })
    }

    /// Returns the numbering of the boards.
    pub fn space(&self) -> Space {
        Space::of_parts(self.frame.clone(), self.table.ranking().clone())
    }

    #[inline]
    pub fn state(&self, board: &Board) -> Result<State, SpaceError> {
        self.frame.state(self.table.ranking(), board)
    }

    /// Returns the board with a number.
    pub fn unrank(&self, index: StateIndex) -> Board {
        let ranking = self.table.ranking();
        self.frame.board(ranking, ranking.state(index))
    }

    #[inline]
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        self.distance_of_state(self.state(board)?)
    }

    #[inline]
    pub fn distance_of_state(&self, state: State) -> Result<u8, QueryError> {
        let distance = self.table.distance(state);
        distance.ok_or_else(|| QueryError::of_table(&self.table))
    }

    #[inline]
    pub fn solve_into(&self, board: &Board, moves: &mut Vec<Move>) -> Result<(), QueryError> {
        let state = self.state(board)?;
        moves.clear();
        let walk = self.table.walk(state);
        moves.reserve(walk.size_hint().0);
        let end = walk.run(|mv| moves.push(self.frame.user_move(mv)));
        if end == self.table.ranking().goal() && self.table.damage().is_none() {
            Ok(())
        } else {
            Err(QueryError::of_table(&self.table))
        }
    }

    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let closer = self.table.closer(self.state(board)?);
        let user_move = |(mv, _)| self.frame.user_move(mv);
        let mut moves: Vec<Move> = closer.map(user_move).collect();
        moves.sort_unstable();
        QueryError::undamaged(self.table.file())?;
        Ok(moves)
    }

    pub fn count_solutions(&self, board: &Board, cancel: &Cancel) -> Result<u64, QueryError> {
        self.count_of_state(self.state(board)?, cancel)
    }

    /// Returns the distances of all states for an answer to so many rows, if they are worth making.
    pub fn distances_for(&self, rows: usize, cancel: &Cancel) -> Result<Option<&[u8]>, QueryError> {
        let make = || distances(&self.table, cancel);
        (self.all.distances).for_rows(rows, self.frame.class(), make)
    }

    /// Returns the numbers of solutions of all states as [`ByTable::distances_for`] does.
    pub fn counts_for(&self, rows: usize, cancel: &Cancel) -> Result<Option<&[u64]>, QueryError> {
        let make = || count_solutions(&self.table, cancel, |_, _| ());
        (self.all.counts).for_rows(rows, self.frame.class(), make)
    }

    pub fn count_of_state(&self, state: State, cancel: &Cancel) -> Result<u64, QueryError> {
        match self.all.counts.values.get() {
            Some(counts) => Ok(counts[self.table.ranking().index(state).0 as usize]),
            None => self.count_from(state, cancel),
        }
    }

    pub fn count_all_solutions(&self, cancel: &Cancel) -> Result<&[u64], QueryError> {
        let count = || count_solutions(&self.table, cancel, |_, _| ());
        self.all.counts.get_or_make(count)
    }

    fn count_from(&self, state: State, cancel: &Cancel) -> Result<u64, QueryError> {
        let goal = self.table.ranking().goal();
        // The number of paths from `state` to each state of one distance, one distance after the
        // other.
        let mut paths = FxHashMap::from_iter([(state, 1u64)]);
        for _ in 0..=self.table.header().max_distance() {
            // All paths are equally long, so all come to the goal together.
            if let (Some(&count), 1) = (paths.get(&goal), paths.len()) {
                QueryError::undamaged(self.table.file())?;
                return Ok(count);
            }
            let mut next = FxHashMap::with_capacity_and_hasher(paths.len(), FxBuildHasher);
            for (i, (state, count)) in (0u64..).zip(paths) {
                if i.is_multiple_of(CHECK_INTERVAL) {
                    cancel.check()?;
                }
                let mut closer = self.table.closer(state).peekable();
                if closer.peek().is_none() {
                    return Err(QueryError::of_table(&self.table));
                }
                for (_, closer) in closer {
                    let sum: &mut u64 = next.entry(closer).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
            paths = next;
        }
        Err(QueryError::of_table(&self.table))
    }

    /// Returns every shortest solution, one at a time, in the table's move order; that of
    /// [`ByTable::solve_into`] first.
    pub fn solutions<'a>(
        &'a self,
        board: &Board,
        cancel: &Cancel,
    ) -> Result<impl Iterator<Item = Vec<Move>> + use<'a>, QueryError> {
        let state = self.state(board)?;
        self.count_of_state(state, cancel)?; // so every path down ends at the goal, over verified chunks
        // States to go on from, the next one last: the number of moves to each, and the last of these.
        let (mut open, mut moves) = (vec![(0, None, state)], Vec::new());
        Ok(std::iter::from_fn(move || {
            while let Some((length, mv, state)) = open.pop() {
                if let Some(mv) = mv {
                    moves.truncate(length - 1);
                    moves.push(self.frame.user_move(mv));
                }
                let before = open.len();
                let closer = self.table.closer(state);
                open.extend(closer.map(|(mv, next)| (length + 1, Some(mv), next)));
                if open.len() == before {
                    return Some(moves.clone()); // the goal
                }
                open[before..].reverse();
            }
            None
        }))
    }
}
