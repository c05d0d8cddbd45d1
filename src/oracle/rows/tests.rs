//! Rows beside single questions, over the whole space.

use super::*;

const STATES: usize = 181_440;

fn rows_of(boards: &[Board]) -> Vec<u8> {
    boards
        .iter()
        .flat_map(|board| board.tiles())
        .copied()
        .collect()
}

/// Values of all rows, once by single look-ups and once from the array of all states.
fn twice<T: Clone + Default + PartialEq + std::fmt::Debug>(
    oracle: &Oracle,
    rows: Rows<'_>,
    into: impl Fn(&Oracle, Rows<'_>, &mut [T]) -> Result<(), RowsError>,
) -> Vec<T> {
    let mut values = vec![T::default(); STATES];
    into(oracle, rows, &mut values).unwrap();
    let few = &mut vec![T::default(); 2_000][..];
    let fresh = Oracle::for_goal(oracle.goal()).unwrap();
    let first = match rows {
        Rows::Cells(cells) => Rows::Cells(&cells[..2_000 * 9]),
        Rows::States(numbers) => Rows::States(&numbers[..2_000]),
        Rows::From(_) => rows,
    };
    into(&fresh, first, few).unwrap();
    assert_eq!(few, &values[..2_000]);
    values
}

#[test]
fn values_of_rows_are_those_of_single_questions_for_every_state_and_goal() {
    for goal in ["123456780", "012345678", "123804765"] {
        let oracle = Oracle::for_goal(&goal.parse().unwrap()).unwrap();
        let space = oracle.space().unwrap();
        let numbers: Vec<u64> = (0..STATES as u64).collect();
        let boards = numbers
            .iter()
            .map(|&number| space.unrank(StateIndex(number)));
        let boards: Vec<Board> = boards.collect();
        let cells = rows_of(&boards);
        let mut written = vec![9; cells.len()];
        oracle
            .boards_into(Rows::States(&numbers), &mut written)
            .unwrap();
        assert_eq!(written, cells);
        oracle.boards_into(Rows::From(0), &mut written).unwrap();
        assert_eq!(written, cells);
        let mut states = vec![0; STATES];
        oracle.states_into(&cells, &mut states).unwrap();
        assert_eq!(states, numbers);
        let questions = [Rows::Cells(&cells), Rows::States(&numbers), Rows::From(0)];
        let [distances, others, all] =
            questions.map(|rows| twice(&oracle, rows, |o, r, v| o.distances_into(r, v)));
        assert!(distances == others && distances == all);
        assert_eq!(distances, oracle.distances().unwrap());
        let [masks, others, all] =
            questions.map(|rows| twice(&oracle, rows, |o, r, v| o.closer_moves_into(r, v)));
        assert!(masks == others && masks == all);
        let [counts, others, all] =
            questions.map(|rows| twice(&oracle, rows, |o, r, v| o.solution_counts_into(r, v)));
        assert!(counts == others && counts == all);
        for (i, board) in boards.iter().enumerate() {
            assert_eq!(oracle.distance(board), Ok(distances[i]));
            assert_eq!(oracle.count_solutions(board), Ok(counts[i]));
            assert_eq!(mask(oracle.optimal_moves(board).unwrap()), masks[i]);
        }
    }
}

#[test]
fn unsolvable_rows_are_255_and_the_others_go_on() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let searching = Oracle::by_search(oracle.goal()).unwrap();
    let boards = ["123456870", "123456708"].map(|text| text.parse().unwrap());
    let cells = rows_of(&boards);
    for oracle in [&oracle, &searching] {
        let (mut bytes, mut words) = ([0; 2], [0; 2]);
        oracle.distances_into(&cells, &mut bytes).unwrap();
        assert_eq!(bytes, [255, 1]);
        oracle.closer_moves_into(&cells, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 8]);
        oracle.solution_counts_into(&cells, &mut words).unwrap();
        assert_eq!(words, [0, 1]);
    }
    let (mut states, mut written) = ([0; 2], [0; 18]);
    oracle.states_into(&cells, &mut states).unwrap();
    assert!(states[0] == u64::MAX && states[1] < STATES as u64);
    oracle
        .boards_into(Rows::Cells(&cells), &mut written)
        .unwrap();
    assert_eq!(written, *cells);
}

#[test]
fn every_row_of_any_bytes_is_a_board_or_named() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    for bad in 0..=255 {
        for cell in 0..9 {
            let mut rows = rows_of(&[*oracle.goal(); 3]);
            rows[9 + cell] = bad;
            let is_goal = bad == oracle.goal().tiles()[cell];
            let found = oracle.distances_into(&rows, &mut [0; 3]);
            let row = match &found {
                Err(RowsError::Row { row, .. }) => Some(*row),
                _ => None,
            };
            assert_eq!((row == Some(1), found.is_ok()), (!is_goal, is_goal));
        }
    }
    let mut rows = rows_of(&[*oracle.goal(); 10_000]);
    for row in [9_999, 5_001, 4_097] {
        rows[row * 9] = 9;
        let error = oracle.distances_into(&rows, &mut [0; 10_000]).unwrap_err();
        let message = format!(
            "row {row}: 9 in cell 1 is not a tile of a 3x3 board: its tiles are 1 to 8 and 0 is the blank"
        );
        assert_eq!(error.to_string(), message);
    }
    let error = oracle.boards_into(Rows::States(&[0, 181_440]), &mut [0; 18]);
    let message = "row 1: there is no state 181440: they are 0 to 181439";
    assert_eq!(error.unwrap_err().to_string(), message);
    let error = oracle.distances_into(Rows::From(u64::MAX), &mut [0; 2]);
    assert!(matches!(error, Err(RowsError::NoAnswer { row: 0, .. })));
    let error = oracle.distances_into(&[0; 10], &mut [0]).unwrap_err();
    let message = "10 cells or numbers do not fit 1 values: each row has 9";
    assert_eq!(error.to_string(), message);
    assert_eq!(oracle.distances_into(&[0; 0], &mut []), Ok(()));
}

#[test]
fn rows_of_every_shape_are_those_of_single_questions() {
    for shape in ["2x2", "2x3", "4x2", "2x5", "3x4", "4x3"] {
        let oracle = Oracle::for_shape(shape.parse().unwrap()).unwrap();
        let space = match oracle.space() {
            Ok(space) => space,
            Err(_) => continue,
        };
        let states = space.ranking().states();
        let numbers: Vec<u64> = (0..states).step_by(1 + states as usize / 500).collect();
        let mut cells = vec![0; numbers.len() * oracle.shape().cells()];
        oracle
            .boards_into(Rows::States(&numbers), &mut cells)
            .unwrap();
        let (mut found, mut distances) = (vec![0; numbers.len()], vec![0; numbers.len()]);
        oracle.states_into(&cells, &mut found).unwrap();
        oracle.distances_into(&cells, &mut distances).unwrap();
        assert_eq!(found, numbers);
        for (&number, distance) in numbers.iter().zip(distances) {
            assert_eq!(
                oracle.distance(&space.unrank(StateIndex(number))),
                Ok(distance)
            );
        }
    }
}

#[test]
fn a_cancelled_question_ends() {
    let cancel = Cancel::new();
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let oracle = oracle.with_cancel(&cancel);
    cancel.cancel();
    let error = oracle.distances_into(Rows::From(0), &mut [0; 9]);
    assert_eq!(error, Err(QueryError::Cancelled.into()));
}

#[test]
fn the_first_board_without_an_answer_is_named() {
    let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE).unwrap();
    let mut boards = vec![*oracle.goal(); 10_000];
    for index in [9_999, 5_001, 4_097] {
        boards[index] = "123456870".parse().unwrap();
        let error = oracle.distances_of(&boards).unwrap_err();
        let RowsError::NoAnswer { row, cause } = error else {
            panic!("{error}");
        };
        assert_eq!(row, index);
        assert!(matches!(
            cause,
            QueryError::Space(SpaceError::Unsolvable { .. })
        ));
    }
    assert!(oracle.distances_of(&[]).unwrap().is_empty());
}

#[test]
fn distances_by_patterns_are_those_of_the_table() {
    let table = Oracle::for_shape("2x4".parse().unwrap()).unwrap();
    let patterns = Oracle::by_search(table.goal()).unwrap();
    let space = table.space().unwrap();
    let numbers = (0..20_160).step_by(701).map(StateIndex);
    let boards: Vec<Board> = numbers.map(|index| space.unrank(index)).collect();
    assert_eq!(patterns.distances_of(&boards), table.distances_of(&boards));
}
