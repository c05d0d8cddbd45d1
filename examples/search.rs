//! A* with a heuristic of your own on a board, and on a puzzle of your own: from 1 to 1000 by adding 1 and doubling.

use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{BoardHeuristic, Problem, Run, Sliding, Successor, a_star};

struct AddOrDouble;
impl Problem for AddOrDouble {
    type State = u32;
    type Action = char;
    fn start(&self) -> u32 {
        1
    }
    fn is_goal(&self, &n: &u32) -> bool {
        n == 1000
    }
    fn successors(&self, &n: &u32) -> impl Iterator<Item = Successor<u32, char>> {
        [Successor::new('+', n + 1, 1), Successor::new('x', 2 * n, 1)].into_iter()
    }
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (board, goal): (Board, Board) = ("704851632".parse()?, "123456780".parse()?);
    let misplaced = BoardHeuristic::from_fn(goal.shape(), move |board| {
        let cells = board.tiles().iter().zip(goal.tiles());
        cells.filter(|(t, home)| **t != 0 && t != home).count() as u32
    });
    let sliding = Sliding::<u64>::new(&board, &goal, Move::ALL);
    println!("{:?}", a_star(&sliding, &misplaced, &mut Run::default())?);
    let h = |&n: &u32| (1000 / n).checked_ilog2().unwrap_or(0);
    println!("{:?}", a_star(&AddOrDouble, &h, &mut Run::default())?);
    Ok(())
}
