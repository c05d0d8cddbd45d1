//! Solution of any board, at once and far from the shortest: line by line, as people do it.

use std::ops::Range;

use crate::puzzle::{Board, Move, Shape};

/// Finds moves from `board` to `goal`, which has its shape and parity.
///
/// Rows and columns are solved from the outside, the longer side's first, and never the one that
/// has the blank's goal cell, until 2x2 cells are left. The tiles of a line are brought home one by
/// one, the last two together, each time in the fewest moves that leave the solved cells alone.
pub(super) fn construct(board: &Board, goal: &Board) -> Vec<Move> {
    let shape = board.shape();
    let (goal_row, goal_col) = (goal.blank() / shape.cols(), goal.blank() % shape.cols());
    // The rectangle that is not solved yet.
    let (mut rows, mut cols) = (0..shape.rows(), 0..shape.cols());
    let cells = |rows: &Range<usize>, cols: &Range<usize>| -> Vec<usize> {
        let in_row = |row: usize| cols.clone().map(move |col| row * shape.cols() + col);
        rows.clone().flat_map(in_row).collect()
    };
    let mut search = Placement {
        board: *board,
        locked: 0,
        moves: Vec::new(),
    };
    while rows.len() > 2 || cols.len() > 2 {
        let line = if rows.len() >= cols.len() {
            cells(&take_side(&mut rows, goal_row), &cols)
        } else {
            cells(&rows, &take_side(&mut cols, goal_col))
        };
        let (singly, together) = line.split_at(line.len() - 2);
        singly.iter().for_each(|&cell| search.place(&[cell], goal));
        search.place(together, goal);
    }
    let mut last = cells(&rows, &cols);
    last.retain(|&cell| cell != goal.blank());
    search.place(&last, goal);
    search.moves
}

/// Takes the first line, or the last if the first is to be kept.
fn take_side(lines: &mut Range<usize>, kept: usize) -> Range<usize> {
    let Range { start, end } = *lines;
    if start != kept {
        *lines = start + 1..end;
        return start..start + 1;
    }
    *lines = start..end - 1;
    end - 1..end
}

/// The most tiles that are brought home together.
const MOST: usize = 3;

/// Cell of tiles that do not exist.
const NO_CELL: u8 = u8::MAX;

/// The blank's cell, then those of the tiles.
type Cells = [u8; MOST + 1];

/// A board on the way, its solved cells and the moves so far.
struct Placement {
    board: Board,
    /// A bit for each solved cell.
    locked: u64,
    moves: Vec<Move>,
}

impl Placement {
    /// Brings home the tiles that belong into `cells` and locks these.
    fn place(&mut self, cells: &[usize], goal: &Board) {
        let (mut now, mut ends) = ([NO_CELL; MOST + 1], [NO_CELL; MOST + 1]);
        now[0] = self.board.blank() as u8;
        for (i, &cell) in cells.iter().enumerate() {
            let tile = goal.tiles()[cell];
            let at = self.board.tiles().iter().position(|&t| t == tile);
            (now[i + 1], ends[i + 1]) = (at.expect("boards have all tiles") as u8, cell as u8);
        }
        let moves = self.fewest_moves(now, &ends[1..=cells.len()]);
        self.board = self.board.replay(&moves).expect("the moves are legal");
        self.moves.extend(moves);
        cells.iter().for_each(|cell| self.locked |= 1 << cell);
    }

    /// Breadth-first search from the cells `now` until the tiles are in `ends`.
    fn fewest_moves(&self, now: Cells, ends: &[u8]) -> Vec<Move> {
        let shape = self.board.shape();
        let digits = 0..=ends.len();
        let index = |cells: &Cells| {
            let cells = cells[digits.clone()].iter();
            cells.fold(0, |index, &cell| index * shape.cells() + usize::from(cell))
        };
        // By the cells' index: 0, or 1 + the code of the move that led there.
        let mut reached = vec![0u8; shape.cells().pow(ends.len() as u32 + 1)];
        let mut queue = vec![now];
        let mut next = 0;
        let mut end = now;
        while end[digits.clone()][1..] != *ends {
            for mv in Move::ALL {
                if let Some(cells) = self.step(shape, &end, mv)
                    && cells != now
                    && reached[index(&cells)] == 0
                {
                    reached[index(&cells)] = 1 + mv.code();
                    queue.push(cells);
                }
            }
            next += 1;
            end = queue[next]; // the solvable half of all boards is connected
        }
        let mut moves = Vec::new();
        while end != now {
            let mv = Move::from_code(reached[index(&end)] - 1);
            moves.push(mv);
            end = self
                .step(shape, &end, mv.opposite())
                .expect("it came from there");
        }
        moves.reverse();
        moves
    }

    /// Returns the cells after a move of the blank; `None` at the border and at a solved cell.
    fn step(&self, shape: Shape, cells: &Cells, mv: Move) -> Option<Cells> {
        let blank = cells[0];
        let to = shape.step(usize::from(blank), mv)?;
        if self.locked >> to & 1 == 1 {
            return None;
        }
        let mut next = *cells;
        for tile in &mut next[1..] {
            if usize::from(*tile) == to {
                *tile = blank;
            }
        }
        next[0] = to as u8;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::generate::random_board;
    use crate::puzzle::{MAX_CELLS, UsualGoal};

    #[test]
    #[ignore = "full run"]
    fn every_shape_is_solved_to_goals_with_the_blank_anywhere() {
        for rows in 2..=8 {
            for cols in (2..=32).filter(|cols| rows * cols <= MAX_CELLS) {
                let shape = Shape::new(rows, cols).unwrap();
                let last = UsualGoal::Last.board(shape);
                for seed in 0..4 {
                    let goal = random_board(&last, seed);
                    let board = random_board(&goal, seed + 100);
                    let moves = construct(&board, &goal);
                    assert_eq!(board.replay(&moves), Ok(goal), "{shape}");
                }
            }
        }
    }

    #[test]
    fn every_board_of_the_eight_puzzle_is_solved() {
        let goal: Board = "123804765".parse().unwrap();
        let space = crate::space::Space::new(&goal).unwrap();
        for index in (0..181_440).step_by(11) {
            let board = space.unrank(crate::space::StateIndex(index));
            assert_eq!(board.replay(&construct(&board, &goal)), Ok(goal), "{board}");
        }
    }
}
