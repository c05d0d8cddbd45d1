//! Draws boards at chosen distances without a table: near the goal, by walks, and from the farthest boards of the
//! 15-puzzle.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::basics::Cancel;
use crate::puzzle::shuffle::onwards;
use crate::puzzle::{Board, generate_by_walk, parse_moves, random_board};
use crate::space::{GoalClass, Space};

use super::error::QueryError;
use super::front::Oracle;
use super::generate::{GenerateError, Request, draw};

/// Draws boards as [`Oracle::generate`] does without a table.
///
/// # Errors
/// [`GenerateError::TooFew`] and [`GenerateError::TooFar`] if there are not as many boards, and
/// [`GenerateError::NotFound`] if `most_steps` steps, each a search, do not lead to another board of the request, or the
/// oracle is cancelled before `cancel` is.
pub(super) fn generate_by_patterns(
    oracle: &Oracle,
    request: &Request,
    most_steps: u32,
    cancel: &Cancel,
) -> Result<Vec<Board>, GenerateError> {
    let (goal, bound) = (oracle.goal(), bound(oracle.goal()));
    if let Some(largest) = bound.filter(|largest| request.distances.start() > largest) {
        let shape = goal.shape();
        return Err(GenerateError::TooFar { shape, largest });
    }
    if let Some(near) = near(goal, request) {
        return draw(near, request);
    }
    let mut walks = Walks {
        oracle,
        request,
        random: ChaCha8Rng::seed_from_u64(request.seed),
        left: most_steps,
        farthest: 0,
    };
    let (mut drawn, mut seen) = (Vec::new(), FxHashSet::default());
    while drawn.len() < request.count {
        if walks.left == 0 {
            let mut known = on_the_ways(goal, request);
            known.retain(|board| !seen.contains(board));
            let missing = request.count - drawn.len();
            if known.len() < missing {
                return Err(GenerateError::NotFound {
                    found: drawn.len(),
                    wanted: request.count,
                    farthest: walks.farthest,
                    bound,
                });
            }
            drawn.extend_from_slice(known.partial_shuffle(&mut walks.random, missing).0);
            break;
        }
        match walks.reach() {
            Ok(Some(board)) if seen.insert(board) => {
                if !request.unique || oracle.count_solutions(&board)? == 1 {
                    drawn.push(board);
                    walks.left = most_steps;
                }
            }
            Ok(_) | Err(QueryError::GaveUp { .. }) => {}
            Err(QueryError::Cancelled) if !cancel.is_cancelled() => walks.left = 0,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(drawn)
}

impl Oracle {
    /// Draws one board as [`Oracle::generate`] does, in some seconds; any solvable one if the request names no
    /// distances. Far boards of the 15-puzzle, to which walks seldom come, are those on the ways from its farthest boards.
    ///
    /// # Errors
    /// As [`Oracle::generate`].
    #[doc(hidden)]
    pub fn generate_soon(&self, request: &Request) -> Result<Board, GenerateError> {
        const FAR: u8 = 53; // the mean distance of a board of the 15-puzzle
        const STEPS: u32 = 20;
        const VISITED_A_STEP: u64 = 2_000_000;
        const TIME: Duration = Duration::from_secs(4);
        if self.table().is_some() {
            return Ok(self.generate(request)?[0]);
        }
        if request.distances == (0..=u8::MAX) && !request.unique {
            return Ok(random_board(self.goal(), request.seed));
        }
        if *request.distances.start() > FAR {
            let mut random = ChaCha8Rng::seed_from_u64(request.seed);
            if let Some(board) = on_the_ways(self.goal(), request).choose(&mut random) {
                return Ok(*board);
            }
        }
        let mut soon = self.clone().with_cancel(&self.cancel.within(TIME));
        soon.limits.visited = VISITED_A_STEP;
        Ok(generate_by_patterns(&soon, request, STEPS, &self.cancel)?[0])
    }
}

/// Returns a bound of the distances of all boards, where the largest distance from a corner is known: it is that, and the
/// moves of the blank to the nearest corner.
fn bound(goal: &Board) -> Option<u8> {
    let (shape, blank) = (goal.shape(), goal.blank());
    let corner = GoalClass::of_any_shape(shape, 0).largest_known_distance()?;
    let (row, col) = (blank / shape.cols(), blank % shape.cols());
    let to_corner = row.min(shape.rows() - 1 - row) + col.min(shape.cols() - 1 - col);
    Some(corner + to_corner as u8)
}

/// Usual limit of steps without another board: on 4x4 they take a minute, and come to distances of 75.
pub(super) const MOST_STEPS: u32 = 300;

/// Most boards near the goal that are listed, in some milliseconds.
const MOST_NEAR: usize = 50_000;

/// Returns all boards that fit a request, if they are near the goal.
fn near(goal: &Board, request: &Request) -> Option<Vec<Board>> {
    let (mut fitting, mut listed) = (Vec::new(), 0);
    // The boards at one distance, with the number of their shortest solutions, and those at the distance before.
    let (mut before, mut level) = (FxHashMap::default(), FxHashMap::from_iter([(*goal, 1u64)]));
    for distance in 0..=*request.distances.end() {
        if request.distances.contains(&distance) {
            let fits = |(_, solutions): &(_, &u64)| !request.unique || **solutions == 1;
            let mut boards: Vec<Board> = level.iter().filter(fits).map(|it| *it.0).collect();
            boards.sort_unstable();
            fitting.extend(boards);
        }
        listed += level.len();
        if listed > MOST_NEAR {
            return None;
        }
        let mut next = FxHashMap::default();
        for (board, solutions) in &level {
            let after = board.successors().map(|(_, after)| after);
            for after in after.filter(|after| !before.contains_key(after)) {
                *next.entry(after).or_default() += solutions;
            }
        }
        before = std::mem::replace(&mut level, next);
    }
    Some(fitting)
}

struct Walks<'a> {
    oracle: &'a Oracle,
    request: &'a Request,
    random: ChaCha8Rng,
    /// Searches that are left for the next board.
    left: u32,
    farthest: u8,
}

impl Walks<'_> {
    /// Walks once. Returns a board at the requested distances, if one was reached.
    fn reach(&mut self) -> Result<Option<Board>, QueryError> {
        let (min, max) = self.request.distances.clone().into_inner();
        let goal = self.oracle.goal();
        // Long enough to be farther away, most times; even or odd, so that the blank can be anywhere.
        let moves = 5 * u64::from(max) + u64::from(self.random.random::<bool>());
        let start = generate_by_walk(goal, moves, 1, self.random.random()).next();
        let mut board = start.expect("one was asked for");
        self.left -= 1;
        let solution = self.oracle.solve(&board)?;
        let mut distance = solution.len() as u8;
        self.farthest = self.farthest.max(distance);
        let surplus = usize::from(distance.saturating_sub(max));
        board = (board.replay(&solution[..surplus])).map_err(|_| QueryError::WrongTable)?;
        let mut last = None;
        while distance < min {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            // A random move, but never back; one that leads away, if there is one.
            let closer = self.oracle.optimal_moves(&board)?;
            let (nearer, away): (Vec<_>, Vec<_>) =
                onwards(&board, last).partition(|(mv, _)| closer.contains(mv));
            let (candidates, change) = match away.is_empty() {
                true => (nearer, -1),
                false => (away, 1),
            };
            let drawn = candidates.choose(&mut self.random);
            let &(mv, next) = drawn.expect("the blank has two moves at least");
            distance = distance.saturating_add_signed(change);
            self.farthest = self.farthest.max(distance);
            (board, last) = (next, Some(mv));
        }
        Ok(Some(board))
    }
}

/// The 17 boards at distance 80 of the goal with the blank last (Brüngger, Marzetta, Fukuda and Nievergelt, 1999), each
/// with a shortest solution.
const FARTHEST: &str = include_str!("farthest-4x4.txt");

/// Returns the boards at the distances of a request on one shortest solution of each of the farthest boards; none for a
/// goal that is not of the 15-puzzle, or where solutions have to be counted.
///
/// A goal with the blank elsewhere than in a corner is the last board of each way that is of its class: what is left of a
/// shortest solution at its end is one, too.
fn on_the_ways(goal: &Board, request: &Request) -> Vec<Board> {
    let mut boards = Vec::new();
    let Some(space) = Space::new(goal).ok().filter(|_| !request.unique) else {
        return boards;
    };
    let class = Ok(space.ranking().class());
    let is_of_class = |end: &Board| GoalClass::of(end) == class;
    for way in ways().filter(|way| way[0].shape() == goal.shape()) {
        let Some(end) = way.iter().rposition(is_of_class) else {
            continue;
        };
        let own = space.with_goal(&way[end]);
        let ends = (0u8..).zip(way[..=end].iter().rev());
        let ends = ends.filter(|(distance, _)| request.distances.contains(distance));
        let states = ends.filter_map(|(_, board)| own.state(board).ok());
        boards.extend(states.map(|state| space.board(state)));
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
        board.along(&moves).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;

    #[test]
    fn boards_have_the_distance_that_the_table_tells_and_are_different() {
        let table = Oracle::for_shape("2x5".parse().unwrap()).unwrap();
        let oracle = Oracle::by_search(table.goal()).unwrap();
        for (distances, unique) in [
            (1..=1, true),
            (9..=9, true),
            (30..=30, true),
            (40..=40, false),
            (45..=48, false),
        ] {
            let mut request = Request::new(distances.clone(), 2, 7);
            request.unique = unique;
            let boards =
                generate_by_patterns(&oracle, &request, MOST_STEPS, &Cancel::new()).unwrap();
            assert_eq!(
                generate_by_patterns(&oracle, &request, MOST_STEPS, &Cancel::new()).unwrap(),
                boards
            );
            assert!(boards.len() == 2 && boards[0] != boards[1]);
            for board in &boards {
                assert!(
                    distances.contains(&table.distance(board).unwrap()),
                    "{board}"
                );
                assert!(!unique || table.count_solutions(board) == Ok(1), "{board}");
            }
        }
    }

    #[test]
    fn boards_near_the_goal_are_those_that_the_table_knows() {
        let table = Oracle::for_shape("2x5".parse().unwrap()).unwrap();
        for (distances, unique) in [
            (0..=3, false),
            (7..=12, true),
            (20..=20, true),
            (9..=9, false),
        ] {
            let mut request = Request::new(distances.clone(), 1, 1);
            request.unique = unique;
            let mut expected: Vec<Board> = distances
                .flat_map(|distance| table.boards_at(distance).unwrap())
                .filter(|board| !unique || table.count_solutions(board) == Ok(1))
                .collect();
            let mut listed = near(table.goal(), &request).unwrap();
            expected.sort_unstable();
            listed.sort_unstable();
            assert_eq!(listed, expected);
        }
        assert!(near(table.goal(), &Request::new(40..=40, 1, 1)).is_none());
    }

    #[test]
    fn distances_without_enough_boards_are_refused_or_end_with_what_was_found() {
        let drawn = |goal: &str, distance, count| {
            let oracle = Oracle::by_search(&goal.parse().unwrap()).unwrap();
            let request = Request::new(distance..=distance, count, 1);
            generate_by_patterns(&oracle, &request, MOST_STEPS, &Cancel::new()).unwrap_err()
        };
        let GenerateError::NotFound {
            found,
            wanted,
            farthest,
            bound: Some(55),
        } = drawn("12345/67890", 55, 3)
        else {
            panic!("it is the wrong error");
        };
        assert!(found < 3 && wanted == 3, "{found}"); // only two boards exist
        assert!((40..=55).contains(&farthest));
        let few = drawn("123456789abcdef0", 2, 5).to_string();
        assert_eq!(few, "only 4 boards fit, and 5 are wanted");
        for (goal, too_far) in [
            ("123456789abcdef0", 81),
            ("12345/6789a/bcde0", 85),
            ("12345/67890", 56),
            ("1234cde5b0f6a987", 83), // two moves from a corner
        ] {
            let far = drawn(goal, too_far, 1);
            assert!(matches!(far, GenerateError::TooFar { largest, .. } if largest == too_far - 1));
        }
    }

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
