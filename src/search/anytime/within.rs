//! Answers of an oracle within a time.

use std::time::Duration;

use crate::oracle::{Bounds, Oracle, QueryError};
use crate::pattern::Solver;
use crate::puzzle::Board;
use crate::search::heuristic::{BoardHeuristic, HeuristicName};
use crate::space::MAX_DATABASE_CELLS;

use super::lower_bound::MakePatterns;
use super::solver::{AnytimeSettings, anytime};

/// Shortest time limit of a search for which patterns are made in memory, while beams look for solutions: those of 5x5
/// take 4 CPU seconds.
const WORTH_PATTERNS: Duration = Duration::from_secs(20);

impl AnytimeSettings {
    /// Returns whether a search may take so long that patterns for it are worth making.
    pub fn is_long(&self) -> bool {
        self.within.is_none_or(|time| time >= WORTH_PATTERNS)
    }
}

impl Oracle {
    /// Solves a board of any shape as well as time allows, by [`anytime`], and returns what is proved of its distance. A
    /// table answers at once. Patterns that the oracle has prove the lower bound; if there are none, they are made up to
    /// 16 cells, or where `settings` say so. A deadline and a cancelled search keep the bounds that they have.
    ///
    /// ```
    /// use std::time::Duration;
    /// use puzzledb::oracle::generate::random_board;
    /// use puzzledb::search::AnytimeSettings;
    /// use puzzledb::{Oracle, Shape};
    ///
    /// let oracle = Oracle::for_shape(Shape::new(5, 5)?)?;
    /// let board = random_board(oracle.goal(), 1);
    /// let settings = AnytimeSettings::new(Some(Duration::from_millis(50)));
    /// let found = oracle.solve_within(&board, &settings)?;
    /// assert_eq!(board.replay(&found.moves), Ok(*oracle.goal()));
    /// assert!(found.at_least <= found.at_most);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::Space`], and those of a table.
    pub fn solve_within(
        &self,
        board: &Board,
        settings: &AnytimeSettings,
    ) -> Result<Bounds, QueryError> {
        if self.table().is_some() {
            let moves = self.solve(board)?;
            let distance = moves.len();
            return Ok(Bounds::new(moves, distance));
        }
        let goal = self.goal();
        let of_patterns = |patterns| {
            let mut solver = Solver::new(patterns, goal).ok()?;
            solver.search.progress = self.progress.clone();
            Some(BoardHeuristic::of_solver(solver))
        };
        let make: MakePatterns<'_> = &|cancel| of_patterns(self.make_patterns(cancel)?);
        let has = self.patterns().next().cloned().and_then(of_patterns);
        // Those of up to 16 cells take some ten milliseconds.
        let makes_small = goal.shape().cells() <= MAX_DATABASE_CELLS;
        let makes = has.is_none() && (settings.makes_patterns || makes_small);
        let heuristic = has.unwrap_or_else(|| {
            let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal);
            heuristic.expect("it needs no database")
        });
        let prover = (&heuristic, makes.then_some(make));
        let found = anytime(board, goal, prover, settings, &|length, bound| {
            if let Some(progress) = &self.progress {
                progress.find(length as u64);
                progress.prove(bound as u64);
            }
        });
        Ok(found?)
    }
}
