//! Solution of any board, at once and far from the shortest: line by line, as people do it.

use std::ops::Range;

use crate::puzzle::{Board, Move, Shape};
use crate::search::best_first::breadth_first;
use crate::search::problem::{Problem, Successor};
use crate::search::run::Run;

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
    let (mut board, mut locked, mut moves) = (*board, 0, Vec::new());
    // Brings home the tiles that belong into these cells, and locks the cells.
    let mut place = |cells: &[usize]| {
        let (mut start, mut ends) = ([NO_CELL; MOST + 1], [NO_CELL; MOST + 1]);
        start[0] = board.blank() as u8;
        for (i, &cell) in (1..).zip(cells) {
            let is_wanted = |&tile: &u8| tile == goal.tiles()[cell];
            let at = board.tiles().iter().position(is_wanted);
            (start[i], ends[i]) = (at.expect("boards have all tiles") as u8, cell as u8);
        }
        let placement = Placement {
            shape,
            start,
            ends,
            locked,
        };
        let found = breadth_first(&placement, &mut Run::default());
        let found = found.expect("the solvable half of all boards is connected");
        board = board.replay(&found.actions).expect("the moves are legal");
        moves.extend(found.actions);
        cells.iter().for_each(|cell| locked |= 1 << cell);
    };
    while rows.len() > 2 || cols.len() > 2 {
        let line = if rows.len() >= cols.len() {
            cells(&take_side(&mut rows, goal_row), &cols)
        } else {
            cells(&rows, &take_side(&mut cols, goal_col))
        };
        let (singly, together) = line.split_at(line.len() - 2);
        singly.chunks(1).for_each(&mut place);
        place(together);
    }
    let mut last = cells(&rows, &cols);
    last.retain(|&cell| cell != goal.blank());
    place(&last);
    moves
}

/// Takes the first line, or the last if the first is to be kept.
fn take_side(lines: &mut Range<usize>, kept: usize) -> Range<usize> {
    let taken = if lines.start == kept {
        lines.next_back()
    } else {
        lines.next()
    };
    taken.map_or(0..0, |line| line..line + 1)
}

/// The most tiles that are brought home together.
const MOST: usize = 3;

/// Cell of tiles that do not exist.
const NO_CELL: u8 = u8::MAX;

/// The blank's cell, then those of the tiles.
type Cells = [u8; MOST + 1];

/// The problem of bringing home some tiles, the others being alike.
struct Placement {
    shape: Shape,
    start: Cells,
    /// The goal cells of the tiles; the blank's may be any.
    ends: Cells,
    /// A bit for each cell whose tile stays.
    locked: u64,
}

impl Problem for Placement {
    type State = Cells;
    type Action = Move;

    fn start(&self) -> Cells {
        self.start
    }

    fn is_goal(&self, state: &Cells) -> bool {
        state[1..] == self.ends[1..]
    }

    fn successors(&self, &state: &Cells) -> impl Iterator<Item = Successor<Cells, Move>> {
        let blank = state[0];
        let step = move |mv| Some((mv, self.shape.step(blank.into(), mv)?));
        let steps = Move::ALL.into_iter().filter_map(step);
        let steps = steps.filter(|&(_, to)| self.locked >> to & 1 == 0);
        steps.map(move |(mv, to)| {
            let mut next = state.map(|cell| if usize::from(cell) == to { blank } else { cell });
            next[0] = to as u8;
            Successor::new(mv, next, 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{MAX_CELLS, UsualGoal, random_board};

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
