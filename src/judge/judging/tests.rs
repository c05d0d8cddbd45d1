use proptest::prelude::*;

use super::*;
use crate::judge::answer::Path;
use crate::puzzle::{Notation, Shape, UsualGoal, parse_board};
use std::collections::HashMap;
use std::sync::LazyLock;

/// 2x3: 360 boards, found by plain search, and the other 360, which cannot be solved.
struct Plain {
    oracle: Oracle,
    distances: HashMap<Board, u64>,
    all: Vec<Board>,
}

static TWO_BY_THREE: LazyLock<Plain> = LazyLock::new(|| {
    let goal = UsualGoal::Last.board(Shape::new(2, 3).unwrap());
    let mut distances = HashMap::from([(goal, 0)]);
    let mut all = vec![goal];
    let mut done = 0;
    while done < all.len() {
        let board = all[done];
        for next in Move::ALL.iter().filter_map(|&mv| board.slide(mv)) {
            let farther = distances[&board] + 1;
            distances.entry(next).or_insert_with(|| {
                all.push(next);
                farther
            });
        }
        done += 1;
    }
    assert_eq!(all.len(), 360);
    let odd: Vec<Board> = all.iter().map(Board::with_two_tiles_exchanged).collect();
    all.extend(odd);
    let oracle = Oracle::for_goal(&goal).unwrap();
    Plain {
        oracle,
        distances,
        all,
    }
});

impl Plain {
    /// Returns the verdict on moves that are made one by one, in one reading.
    fn judge(&self, board: &Board, moves: &[Move], claimed: Option<u64>) -> Verdict {
        let mut boards = vec![*board];
        for (i, &mv) in moves.iter().enumerate() {
            match boards[i].slide(mv) {
                Some(next) => boards.push(next),
                None => return Verdict::IllegalMove { at: i + 1 },
            }
        }
        if boards.last() != Some(self.oracle.goal()) {
            return Verdict::MissesGoal;
        }
        let path = moves.len() as u64;
        if let Some(claimed) = claimed.filter(|&c| c != path) {
            return Verdict::WrongLength { claimed, path };
        }
        let loss = (1..boards.len())
            .find(|&i| self.distances[&boards[i]] > self.distances[&boards[i - 1]]);
        match loss {
            None => Verdict::Optimal,
            first_loss => Verdict::Suboptimal {
                excess: path - self.distances[board],
                first_loss,
            },
        }
    }
}

fn directions(moves: &[Move]) -> Answer {
    Answer {
        candidates: vec![Path::Directions(moves.to_vec())],
        ..Answer::default()
    }
}

fn opposite(moves: &[Move]) -> Vec<Move> {
    moves.iter().map(|mv| mv.opposite()).collect()
}

/// Every path of up to five moves from every board of 2x3, solvable or not.
#[test]
fn short_paths_of_all_boards_are_judged_as_a_plain_walk_does() {
    let plain = &*TWO_BY_THREE;
    let mut right = 0;
    for board in &plain.all {
        for code in 0..4usize.pow(5) {
            for length in [5, 4, 1] {
                if code >= 4usize.pow(length) {
                    continue;
                }
                let moves: Vec<Move> = (0..length)
                    .map(|i| Move::from_code((code >> (2 * i)) as u8))
                    .collect();
                let expected = plain.judge(board, &moves, None);
                let only = Some(Reading::Blank);
                let judged = plain
                    .oracle
                    .judge(board, &directions(&moves), only)
                    .unwrap();
                assert_eq!(judged.verdict, expected, "{board} {moves:?}");
                assert_eq!(
                    judged.distance.map(u64::from),
                    plain.distances.get(board).copied()
                );
                right += u32::from(expected.is_right());
                let tile =
                    plain
                        .oracle
                        .judge(board, &directions(&opposite(&moves)), Some(Reading::Tile));
                assert_eq!(tile.unwrap().verdict, expected);
            }
        }
    }
    assert!(right > 10, "{right} were right");
}

#[test]
fn every_length_for_every_board_is_judged() {
    let plain = &*TWO_BY_THREE;
    for board in &plain.all {
        for claimed in 0..40 {
            let answer = Answer {
                length: Some(claimed),
                ..Answer::default()
            };
            let verdict = plain.oracle.judge(board, &answer, None).unwrap().verdict;
            let expected = match plain.distances.get(board) {
                None => Verdict::SolvesUnsolvable,
                Some(&d) if claimed < d => Verdict::TooShort { claimed },
                Some(&d) if claimed == d => Verdict::Optimal,
                Some(&d) if (claimed - d) % 2 == 1 => Verdict::WrongParity { claimed },
                Some(&d) => Verdict::Suboptimal {
                    excess: claimed - d,
                    first_loss: None,
                },
            };
            assert_eq!(verdict, expected, "{board} {claimed}");
        }
        let answer = Answer {
            unsolvable: true,
            ..Answer::default()
        };
        let verdict = plain.oracle.judge(board, &answer, None).unwrap().verdict;
        let expected = if plain.distances.contains_key(board) {
            Verdict::WronglyUnsolvable
        } else {
            Verdict::RightlyUnsolvable
        };
        assert_eq!(verdict, expected);
    }
}

#[test]
fn every_solution_is_right_in_every_notation_and_the_reading_is_named() {
    let plain = &*TWO_BY_THREE;
    for board in &plain.all[..360] {
        let solution = plain.oracle.solve(board).unwrap();
        let mut now = *board;
        let mut boards = vec![now];
        for &mv in &solution {
            now = now.slide(mv).unwrap();
            boards.push(now);
        }
        let paths = [
            (Reading::Blank, Path::Directions(solution.clone())),
            (
                Reading::Numbers,
                Path::Tiles(board.tiles_slid(&solution).collect()),
            ),
            (Reading::Boards, Path::Boards(boards[1..].to_vec())),
            (Reading::Boards, Path::Boards(boards)),
            (Reading::Tile, Path::Directions(opposite(&solution))),
        ];
        for (reading, path) in paths {
            let answer = Answer {
                candidates: vec![path],
                length: Some(solution.len() as u64),
                ..Answer::default()
            };
            let judged = plain.oracle.judge(board, &answer, None).unwrap();
            assert_eq!(judged.verdict, Verdict::Optimal, "{board} {reading}");
            let named = judged.reading.unwrap();
            assert!(
                named == reading || solution.is_empty() || named == Reading::Blank,
                "{board} {named}"
            );
            assert_eq!(
                board.replay(&judged.moves.unwrap()),
                Ok(*plain.oracle.goal())
            );
        }
    }
}

#[test]
fn a_mended_path_is_a_shortest_one_and_keeps_the_good_moves() {
    let plain = &*TWO_BY_THREE;
    for board in &plain.all[..360] {
        for code in 0..4usize.pow(4) {
            let moves: Vec<Move> = (0..4)
                .map(|i| Move::from_code((code >> (2 * i)) as u8))
                .collect();
            let mended = plain.oracle.mend(board, &moves).unwrap();
            assert_eq!(plain.judge(board, &mended, None), Verdict::Optimal);
            let mut now = *board;
            for (i, &mv) in moves.iter().enumerate() {
                let Some(next) = now.slide(mv) else { break };
                if plain.distances[&next] > plain.distances[&now] {
                    break;
                }
                assert_eq!(mended.get(i), Some(&mv));
                now = next;
            }
        }
        let solution = plain.oracle.solve(board).unwrap();
        assert_eq!(plain.oracle.mend(board, &solution), Ok(solution));
    }
}

#[test]
fn where_all_readings_fail_the_one_that_goes_farthest_is_named() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let board: Board = "704851632".parse().unwrap();
    let mut moves = opposite(&oracle.solve(&board).unwrap());
    moves[17] = moves[17].opposite(); // back where it came from, or off the board
    let judged = oracle.judge(&board, &directions(&moves), None).unwrap();
    assert_eq!(judged.reading, Some(Reading::Tile));
    assert!(!judged.verdict.is_right());
}

#[test]
fn a_path_that_reaches_the_goal_comes_before_one_that_does_not() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let board: Board = "123405786".parse().unwrap();
    let candidates = vec![
        Path::Directions(vec![Move::Up]),
        Path::Tiles(vec![8]),
        Path::Tiles(vec![5, 6]),
    ];
    let answer = Answer {
        candidates,
        ..Answer::default()
    };
    let judged = oracle.judge(&board, &answer, None).unwrap();
    assert_eq!(
        (judged.verdict, judged.reading),
        (Verdict::Optimal, Some(Reading::Numbers))
    );
}

#[test]
fn a_board_of_another_shape_is_an_error() {
    let board = "1230".parse().unwrap();
    assert!(
        TWO_BY_THREE
            .oracle
            .judge(&board, &Answer::default(), None)
            .is_err()
    );
}

/// Change made to a right answer.
#[derive(Clone, Debug)]
enum Corruption {
    Change(usize, u8),
    Insert(usize, u8),
    Remove(usize),
    Swap(usize, usize),
    Truncate(usize),
    Reverse,
    Mirror,
}

fn corruption() -> impl Strategy<Value = Corruption> {
    let place = 0usize..40;
    prop_oneof![
        (place.clone(), 0u8..4).prop_map(|(at, to)| Corruption::Change(at, to)),
        (place.clone(), 0u8..4).prop_map(|(at, what)| Corruption::Insert(at, what)),
        place.clone().prop_map(Corruption::Remove),
        (place.clone(), place.clone()).prop_map(|(a, b)| Corruption::Swap(a, b)),
        place.prop_map(Corruption::Truncate),
        Just(Corruption::Reverse),
        Just(Corruption::Mirror),
    ]
}

impl Corruption {
    fn apply(&self, moves: &mut Vec<Move>) {
        let count = moves.len().max(1);
        match *self {
            Corruption::Insert(at, what) => {
                moves.insert(at % count.min(moves.len() + 1), Move::from_code(what))
            }
            _ if moves.is_empty() => {}
            Corruption::Change(at, to) => moves[at % count] = Move::from_code(to),
            Corruption::Remove(at) => drop(moves.remove(at % count)),
            Corruption::Swap(a, b) => moves.swap(a % count, b % count),
            Corruption::Truncate(to) => moves.truncate(to % count),
            Corruption::Reverse => moves.reverse(),
            Corruption::Mirror => moves.iter_mut().for_each(|mv| *mv = mv.opposite()),
        }
    }
}

static EIGHT: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The text of a corrupted answer goes through reader and judge; if it is called optimal, a
    /// plain replay in the reading that was named must end at the goal in as many moves as the
    /// distance.
    #[test]
    fn a_corrupted_answer_is_called_optimal_only_if_it_is(
        index in 0u64..181_440,
        corruptions in prop::collection::vec(corruption(), 1..4),
        notation in prop_oneof![Just(Notation::Blank), Just(Notation::Tile), Just(Notation::Numbers)],
        with_length in any::<bool>(),
    ) {
        let board = EIGHT.space().unwrap().unrank(crate::space::StateIndex(index));
        let distance = EIGHT.distance(&board).unwrap();
        let mut moves = EIGHT.solve(&board).unwrap();
        corruptions.iter().for_each(|corruption| corruption.apply(&mut moves));
        let path = notation.text(&board, &moves);
        let length = if with_length { distance.to_string() } else { String::new() };
        let line = format!("{board}\t{length}\t{path}");
        let Ok(claim) = crate::judge::records::Reader::default().line(line.as_bytes()) else {
            return Ok(()); // no claim is left of it
        };
        let judged = EIGHT.judge(&board, &claim.answer, None).unwrap();
        if judged.verdict != Verdict::Optimal {
            return Ok(());
        }
        let Some(reading) = judged.reading else {
            // only the length was left, which was not corrupted, or one tile was read as a length
            prop_assert!(claim.answer.candidates.is_empty());
            prop_assert_eq!(claim.answer.length, Some(u64::from(distance)));
            return Ok(());
        };
        let replayed = plain_replay(&board, &path, reading);
        prop_assert_eq!(replayed, Some((*EIGHT.goal(), usize::from(distance))), "{} as {}", line, reading);
    }
}

/// Replays the text of a path character by character.
fn plain_replay(board: &Board, path: &str, reading: Reading) -> Option<(Board, usize)> {
    let shape = board.shape();
    let mut cells = board.tiles().to_vec();
    let mut steps = 0;
    for word in path.split(' ').flat_map(|word| match reading {
        Reading::Numbers => vec![word.to_owned()],
        _ => word.chars().map(String::from).collect(),
    }) {
        let blank = cells.iter().position(|&t| t == 0)?;
        let (row, col) = (blank / shape.cols(), blank % shape.cols());
        let to = match (reading, word.as_str()) {
            (_, "") => continue,
            (Reading::Numbers, tile) => {
                let tile: u8 = tile.parse().ok()?;
                let at = cells.iter().position(|&t| t == tile)?;
                let (r, c) = (at / shape.cols(), at % shape.cols());
                (r.abs_diff(row) + c.abs_diff(col) == 1).then_some(at)?
            }
            (Reading::Blank, "U") | (Reading::Tile, "D") => blank.checked_sub(shape.cols())?,
            (Reading::Blank, "D") | (Reading::Tile, "U") => blank + shape.cols(),
            (Reading::Blank, "L") | (Reading::Tile, "R") if col > 0 => blank - 1,
            (Reading::Blank, "R") | (Reading::Tile, "L") if col + 1 < shape.cols() => blank + 1,
            _ => return None,
        };
        if to >= cells.len() {
            return None;
        }
        cells.swap(blank, to);
        steps += 1;
    }
    let text = cells
        .iter()
        .map(|t| t.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    Some((parse_board(text.as_bytes(), Some(shape)).ok()?, steps))
}
