//! The questions about a board, which a table answers by look-ups, and patterns by searches.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::basics::Cancel;
use crate::puzzle::{Board, Move};
use crate::space::State;

use super::answers::{Optimum, Probe, ProbeMove};
use super::distances::{CHECK_INTERVAL, counts};
use super::error::QueryError;
use super::front::Oracle;
use super::sources::ByTable;

/// Most solutions that are kept when a search finds all.
const MOST_KEPT: usize = 1_000_000;

/// The methods fail with [`QueryError::Space`] for an unsolvable board or one of another shape, with
/// [`QueryError::WrongTable`] and [`QueryError::Damaged`] for a table or patterns that are wrong, and if the oracle
/// searches with [`QueryError::GaveUp`], [`QueryError::Cancelled`], [`QueryError::Memory`] and [`QueryError::Unknown`].
#[expect(clippy::missing_errors_doc)]
impl Oracle {
    /// Returns the length of a shortest solution, in moves.
    #[inline]
    pub fn distance(&self, board: &Board) -> Result<u8, QueryError> {
        match &self.source.table {
            Some(table) => table.distance(table.space.state(board)?),
            None => Ok(self.search_first(board)?.distance as u8),
        }
    }

    /// Returns the optimum of a board, as far as it is known.
    pub fn optimum(&self, board: &Board) -> Result<Optimum, QueryError> {
        Optimum::of(self.distance(board))
    }

    /// Returns a shortest solution. Among several it is the one that the table's parent moves give, or if the oracle
    /// searches the first in the order of [`Move`].
    pub fn solve(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        let mut moves = Vec::new();
        self.solve_into(board, &mut moves)?;
        Ok(moves)
    }

    /// As [`Oracle::solve`], into a list that is cleared first, so that its memory is used again.
    #[inline]
    pub fn solve_into(&self, board: &Board, moves: &mut Vec<Move>) -> Result<(), QueryError> {
        match &self.source.table {
            Some(ByTable { table, space, .. }) => {
                let walk = table.walk(space.state(board)?);
                moves.clear();
                let end = walk.run(|mv| moves.push(space.user_move(mv)));
                if end != table.ranking().goal() || table.damage().is_some() {
                    return Err(QueryError::no_way(table.file()));
                }
            }
            None => {
                let first = self.search_first(board)?.solutions.pop();
                *moves = first.ok_or(QueryError::WrongTable)?;
            }
        }
        Ok(())
    }

    /// Returns a shortest solution and the number of them; `None` if a search takes
    /// [too long](super::Limits::counted) to count them.
    pub fn solve_and_count(&self, board: &Board) -> Result<(Vec<Move>, Option<u64>), QueryError> {
        let (mut found, count) = self.find(board, 1, self.limits.counted)?;
        Ok((found.pop().ok_or(QueryError::WrongTable)?, count))
    }

    /// Returns the first `kept` shortest solutions and the number of all. If finding all is
    /// [given up](super::Limits::visited), it returns one solution and `None`.
    pub fn first_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        self.find(board, kept, u64::MAX)
    }

    /// As [`Oracle::first_solutions`], where a search visits so many boards `more` than the first solution took.
    fn find(
        &self,
        board: &Board,
        kept: usize,
        more: u64,
    ) -> Result<(Vec<Vec<Move>>, Option<u64>), QueryError> {
        let Some(table) = &self.source.table else {
            let (count, found) = self.search_all(board, kept, more)?;
            return Ok((found.solutions, count));
        };
        let state = table.space.state(board)?;
        let count = table.count(state, &self.cancel)?;
        let first = match kept {
            1 => vec![self.solve(board)?], // by parent moves
            _ => table.ways_down(state).take(kept).collect(),
        };
        QueryError::undamaged(table.table.file())?;
        Ok((first, Some(count)))
    }

    /// Returns the number of shortest solutions of a board; 1, the empty one, for the goal. Counts above 2^64 - 1 stay
    /// there. Once those of one in 64 states of a small space were asked for, the counts of all are made, and each is a
    /// look-up.
    pub fn count_solutions(&self, board: &Board) -> Result<u64, QueryError> {
        Ok(self.all_solutions(board, 0)?.1)
    }

    /// Returns the first `kept` shortest solutions and the number of all.
    fn all_solutions(
        &self,
        board: &Board,
        kept: usize,
    ) -> Result<(Vec<Vec<Move>>, u64), QueryError> {
        let (first, count) = self.first_solutions(board, kept)?;
        let at_least = first.first().map_or(0, Vec::len) as u32;
        Ok((first, count.ok_or(QueryError::GaveUp { at_least })?))
    }

    /// Returns every shortest solution, that of [`Oracle::solve`] first; if the oracle searches, the first million.
    pub fn solutions(
        &self,
        board: &Board,
    ) -> Result<Box<dyn Iterator<Item = Vec<Move>> + '_>, QueryError> {
        Ok(match &self.source.table {
            Some(table) => {
                let state = table.space.state(board)?;
                table.count(state, &self.cancel)?; // so every path down ends at the goal, over verified chunks
                Box::new(table.ways_down(state))
            }
            None => Box::new(self.all_solutions(board, MOST_KEPT)?.0.into_iter()),
        })
    }

    /// Returns every move that leads one step closer to the goal, in move order; none at the goal.
    pub fn optimal_moves(&self, board: &Board) -> Result<Vec<Move>, QueryError> {
        match &self.source.table {
            Some(table) => {
                let mut moves: Vec<Move> = table.closer(table.space.state(board)?).collect();
                moves.sort_unstable();
                QueryError::undamaged(table.table.file())?;
                Ok(moves)
            }
            None => Ok(self.search_closer(board)?.2),
        }
    }

    /// Returns the distance of a board and of every board one move away.
    ///
    /// ```
    /// use puzzledb::Oracle;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let probe = oracle.probe(&"123456708".parse()?)?;
    /// let moves: Vec<_> = probe.steps.iter().map(|m| (m.mv.letter(), m.tile, m.distance)).collect();
    /// assert_eq!(moves, [('R', 8, 0), ('U', 5, 2), ('L', 7, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, board: &Board) -> Result<Probe, QueryError> {
        let (distance, solution_count, closer) = match &self.source.table {
            Some(_) => (
                self.distance(board)?,
                Some(self.count_solutions(board)?),
                self.optimal_moves(board)?,
            ),
            None => self.search_closer(board)?,
        };
        let step = |(mv, next): (Move, Board)| ProbeMove {
            mv,
            tile: next.tiles()[board.blank()],
            board: next,
            distance: match closer.contains(&mv) {
                true => distance.saturating_sub(1),
                false => distance.saturating_add(1),
            },
        };
        let mut steps: Vec<_> = board.successors().map(step).collect();
        steps.sort_by_key(|step| step.distance);
        Ok(Probe {
            board: *board,
            goal: self.goal,
            distance,
            solution_count,
            steps,
        })
    }
}

impl ByTable {
    #[inline]
    pub fn distance(&self, state: State) -> Result<u8, QueryError> {
        let distance = self.table.distance(state);
        distance.ok_or_else(|| QueryError::no_way(self.table.file()))
    }

    /// Returns the moves of the user's boards that lead one step closer.
    pub fn closer(&self, state: State) -> impl Iterator<Item = Move> {
        let closer = self.table.closer(state);
        closer.map(|(mv, _)| self.space.user_move(mv))
    }

    /// Counts the shortest solutions of a state.
    pub fn count(&self, state: State, cancel: &Cancel) -> Result<u64, QueryError> {
        let ranking = self.table.ranking();
        let all = &self.all.counts;
        // Counts of a large space take much memory and are made for rows alone. A count takes as long as four distances.
        if (ranking.class().is_small() || all.values.get().is_some())
            && let Some(counts) = all.for_rows(4, (&self.table, cancel), counts)?
        {
            return Ok(counts[ranking.index(state).0 as usize]);
        }
        // The number of paths from `state` to each state of one distance, one distance after the
        // other.
        let mut paths = FxHashMap::from_iter([(state, 1u64)]);
        for _ in 0..=self.table.header().max_distance() {
            // All paths are equally long, so all come to the goal together.
            if let (Some(&count), 1) = (paths.get(&ranking.goal()), paths.len()) {
                QueryError::undamaged(self.table.file())?;
                return Ok(count);
            }
            let mut next = FxHashMap::with_capacity_and_hasher(paths.len(), FxBuildHasher);
            for (i, (state, count)) in (0u64..).zip(paths) {
                if i.is_multiple_of(CHECK_INTERVAL) {
                    cancel.check()?;
                }
                let mut is_wrong = true;
                self.table.closer(state).for_each(|(_, closer)| {
                    let sum: &mut u64 = next.entry(closer).or_default();
                    *sum = sum.saturating_add(count);
                    is_wrong = false;
                });
                if is_wrong {
                    return Err(QueryError::no_way(self.table.file()));
                }
            }
            paths = next;
        }
        Err(QueryError::no_way(self.table.file()))
    }

    /// Returns every shortest solution of a state, one at a time, in the table's move order; that of
    /// [`Oracle::solve`] first.
    fn ways_down(&self, state: State) -> impl Iterator<Item = Vec<Move>> {
        // States to go on from, the next one last: the number of moves to each, and the last of these.
        let (mut open, mut moves) = (vec![(0, None, state)], Vec::new());
        std::iter::from_fn(move || {
            while let Some((length, mv, state)) = open.pop() {
                if let Some(mv) = mv {
                    moves.truncate(length - 1);
                    moves.push(self.space.user_move(mv));
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
        })
    }
}
