//! Boards of the 15-puzzle on the ways from its farthest boards to the goal.

use crate::puzzle::{Board, Shape, parse_moves};
use crate::space::{Frame, Ranking};

use super::generate::Request;

/// The 17 boards at distance 80 of the goal with the blank last (Brüngger, Marzetta, Fukuda and Nievergelt, 1999), each
/// with a shortest solution.
const FARTHEST: &str = include_str!("farthest-4x4.txt");

/// Returns the boards at the distances of a request on one shortest solution of each of the farthest boards; none for a
/// goal that is not of the 15-puzzle, or where solutions have to be counted.
///
/// A goal with the blank elsewhere than in a corner is the last board of each way that is of its class: what is left of a
/// shortest solution at its end is one, too.
pub(super) fn on_the_ways(goal: &Board, request: &Request) -> Vec<Board> {
    let square = Shape::new(4, 4).ok();
    let frame = Frame::new(goal).ok();
    let Some(frame) = frame.filter(|_| Some(goal.shape()) == square && !request.unique) else {
        return Vec::new();
    };
    let ranking = Ranking::new(frame.class());
    let mut boards = Vec::new();
    for way in ways() {
        let frames = way.iter().map(Frame::new).enumerate().rev();
        let mut frames = frames.filter_map(|(i, own)| Some((i, own.ok()?)));
        let of_class = frames.find(|(_, own)| own.class() == frame.class());
        let Some((end, own)) = of_class else { continue };
        let at_distances = (way[..=end].iter().enumerate())
            .filter(|(i, _)| request.distances.contains(&((end - i) as u8)))
            .filter_map(|(_, board)| own.state(&ranking, board).ok());
        boards.extend(at_distances.map(|state| frame.board(&ranking, state)));
    }
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// The boards of each way, from the farthest board to the goal.
fn ways() -> impl Iterator<Item = Vec<Board>> {
    FARTHEST.lines().map(|line| {
        let (board, moves) = line.split_once(' ').expect("a line has two fields");
        let board: Board = board.parse().expect("the first is a board");
        let moves = parse_moves(moves).expect("the second has its moves");
        let mut left = moves.into_iter();
        let next = |board: &Board| left.next().and_then(|mv| board.slide(mv));
        std::iter::successors(Some(board), next).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;

    #[test]
    fn seventeen_ways_of_80_moves_lead_to_the_goal() {
        let ways: Vec<_> = ways().collect();
        assert_eq!(ways.len(), 17);
        for way in ways {
            assert_eq!(way.len(), 81);
            assert_eq!(way[80].to_string(), "123456789abcdef0");
        }
    }

    #[test]
    fn boards_on_the_ways_have_their_distance_for_any_goal() {
        for goal in [
            "123456789abcdef0",
            "fedcba9876543210",
            "51239674dab80efc",
            "c48f37be26ad1590",
            "1234cde5b0f6a987",
            "1234567890abcdef",
        ] {
            let goal: Board = goal.parse().unwrap();
            let oracle = Oracle::by_search(&goal).unwrap();
            for distance in [40, 47] {
                let boards = on_the_ways(&goal, &Request::new(distance..=distance, 1, 1));
                assert!((5..=17).contains(&boards.len()));
                for board in &boards[..2] {
                    assert_eq!(
                        oracle.distance(board).unwrap(),
                        distance,
                        "{board} to {goal}"
                    );
                }
            }
            assert!(on_the_ways(&goal, &Request::new(57..=80, 1, 1)).len() > 200);
        }
        for goal in ["123456780", "1234/5678/9ab0"] {
            assert_eq!(
                on_the_ways(&goal.parse().unwrap(), &Request::new(0..=80, 1, 1)),
                []
            );
        }
    }
}
