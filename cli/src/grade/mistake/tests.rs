use std::time::Duration;

use puzzledb::oracle::Oracle;

use super::*;

fn oracle() -> Oracle {
    Oracle::for_goal(&"123456780".parse().unwrap()).unwrap()
}

/// Boards of distances 1, 2, 4 and 19.
const BOARDS: [&str; 4] = ["123456708", "123450786", "023146758", "704851632"];

/// A grade of a board with an outcome.
fn graded(oracle: &Oracle, board: &str, outcome: Outcome) -> Grade {
    let mut grade = Grade::without_run(oracle, &board.parse().unwrap(), outcome).unwrap();
    grade.time = Duration::from_millis(1);
    grade.output = "something".to_owned();
    grade
}

/// The grade of an answer.
fn answered(oracle: &Oracle, board: &str, answer: &Answer) -> Grade {
    let mut grade = graded(oracle, board, Outcome::NoAnswer);
    let judged = oracle.judge(&grade.board, answer, None).unwrap();
    grade.outcome = Outcome::Judged(judged);
    grade.add_evidence(answer, oracle.goal());
    grade
}

/// Grades of the moves that `answer` makes of a shortest solution.
fn solved(answer: impl Fn(Vec<Move>) -> Vec<Move>) -> Vec<Grade> {
    let oracle = oracle();
    let grade = |board: &str| {
        let moves = oracle.solve(&board.parse().unwrap()).unwrap();
        answered(&oracle, board, &Answer::of_moves(&answer(moves)))
    };
    BOARDS.into_iter().map(grade).collect()
}

fn sentence(grades: &[Grade]) -> (MistakeKind, String) {
    let mistake = Mistake::of(grades).unwrap();
    (mistake.kind, mistake.sentence)
}

/// The same outcome on the boards from `from` on, and right answers before.
fn ends_with(from: usize, outcome: &Outcome) -> Vec<Grade> {
    let oracle = oracle();
    let mut grades = solved(|moves| moves);
    for (grade, board) in grades.iter_mut().zip(BOARDS).skip(from) {
        *grade = graded(&oracle, board, outcome.clone());
    }
    grades
}

#[test]
fn right_answers_show_no_mistake() {
    assert_eq!(Mistake::of(&solved(|moves| moves)), None);
    assert_eq!(Mistake::of(&[]), None);
}

#[test]
fn a_program_that_gives_no_answer_is_described_by_its_end() {
    for (from, outcome, kind, expected) in [
        (
            2,
            Outcome::Exceeded(Limit::Time),
            MistakeKind::NoEnd,
            "it does not end beyond distance 3: out of time on 2 of 4 boards, \
            and is never longer than optimal elsewhere; the simplest is 023146758 (distance 4): timeout",
        ),
        (
            0,
            Outcome::Exceeded(Limit::Memory),
            MistakeKind::NoEnd,
            "it does not end: out of memory on 4 of 4 boards; the simplest is \
            123456708 (distance 1): out of memory",
        ),
        (
            3,
            Outcome::Crash("exit code 3".to_owned()),
            MistakeKind::Crashes,
            "it crashes on 1 of 4 boards, and is never longer than \
            optimal elsewhere; the simplest is 704851632 (distance 19): crash (exit code 3)",
        ),
        (
            0,
            Outcome::NotStarted,
            MistakeKind::NotStarted,
            "it cannot be started on 4 of 4 boards; the simplest is \
            123456708 (distance 1): cannot be started",
        ),
        (
            1,
            Outcome::NoAnswer,
            MistakeKind::NotRead,
            "it prints no answer that can be read on 3 of 4 boards; the simplest \
            is 123450786 (distance 1): no answer found",
        ),
    ] {
        let (found, text) = sentence(&ends_with(from, &outcome));
        assert_eq!(found, kind);
        assert_eq!(text, expected);
    }
    let mut silent = ends_with(0, &Outcome::NoAnswer);
    silent.iter_mut().for_each(|grade| grade.output.clear());
    assert!(
        sentence(&silent)
            .1
            .starts_with("it prints nothing on 4 of 4 boards;")
    );
}

#[test]
fn too_long_on_most_boards_is_greedy_and_on_few_an_inadmissible_heuristic() {
    let longer = |from: usize, to: usize| {
        solved(|mut moves| {
            if (from..to).contains(&moves.len()) {
                let back = moves[0].opposite();
                moves.splice(..0, [moves[0], back]);
            }
            moves
        })
    };
    let (kind, text) = sentence(&longer(4, 99));
    assert_eq!(kind, MistakeKind::Greedy);
    assert!(text.starts_with("it is right up to distance 3, then too long on 100 % of the boards, as a greedy search is; \
        the simplest is 023146758 (distance 4): suboptimal +2"), "{text}");
    let (kind, text) = sentence(&longer(1, 2)[..]);
    assert_eq!(kind, MistakeKind::Greedy, "{text}");
    let grades = [solved(|moves| moves), longer(4, 5), solved(|moves| moves)].concat();
    let (kind, text) = sentence(&grades);
    assert_eq!(kind, MistakeKind::InadmissibleHeuristic);
    assert!(
        text.starts_with(
            "it is too long on 1 of 12 boards, as with an inadmissible heuristic; the simplest is \
        023146758 (distance 4)"
        ),
        "{text}"
    );
}

#[test]
fn another_goal_and_mirrored_moves_are_told_apart_from_illegal_ones() {
    let oracle = oracle();
    let other: Board = "012345678".parse().unwrap();
    let to_other = Oracle::for_goal(&other).unwrap();
    let boards = ["102345678", "312045678"];
    let grades: Vec<Grade> = boards
        .iter()
        .map(|board| {
            let moves = to_other.solve(&board.parse().unwrap()).unwrap();
            answered(&oracle, board, &Answer::of_moves(&moves))
        })
        .collect();
    let (kind, text) = sentence(&grades);
    assert_eq!(kind, MistakeKind::OtherGoal, "{text}");
    assert!(
        text.starts_with(
            "it solves for another goal: its paths end at 012345678 on 2 of 2 boards;"
        ),
        "{text}"
    );
    let flipped = |mv: Move| match mv {
        Up => Down,
        Down => Up,
        other => other,
    };
    let (kind, text) = sentence(&solved(|moves| moves.into_iter().map(flipped).collect())[1..]);
    assert_eq!(kind, MistakeKind::Mirrored, "{text}");
    assert!(
        text.starts_with(
            "its moves are mirrored: with up and down exchanged they solve 2 of 3 boards;"
        ),
        "{text}"
    );
    let (kind, text) = sentence(&solved(|_| {
        vec![Right, Left, Left, Left, Left, Up, Up, Up, Up]
    }));
    assert_eq!(kind, MistakeKind::IllegalMoves, "{text}");
}

#[test]
fn wrong_claims_have_their_kinds() {
    let oracle = oracle();
    let all = |answer: &Answer| -> Vec<Grade> {
        BOARDS
            .iter()
            .map(|board| answered(&oracle, board, answer))
            .collect()
    };
    assert_eq!(
        sentence(&all(&Answer::none())).0,
        MistakeKind::WronglyUnsolvable
    );
    let (kind, text) = sentence(&all(&Answer::of_length(0)));
    assert_eq!(kind, MistakeKind::ImpossibleLength, "{text}");
    let longer = Answer {
        length: Some(9),
        candidates: vec![Path::Directions(vec![Right])],
        ..Answer::default()
    };
    assert_eq!(
        sentence(&[answered(&oracle, BOARDS[0], &longer)]).0,
        MistakeKind::WrongLength
    );
}

#[test]
fn the_same_accusation_everywhere_is_withdrawn_where_a_list_has_the_right_length() {
    let reversed = |mut moves: Vec<Move>| {
        moves.reverse();
        moves
    };
    let mut grades = solved(reversed)[2..].to_vec();
    withdraw(&mut grades);
    assert!(
        grades
            .iter()
            .all(|grade| grade.outcome == Outcome::NotUnderstood),
        "{grades:?}"
    );
    let (kind, text) = sentence(&grades);
    assert_eq!(kind, MistakeKind::NotUnderstood);
    assert!(
        text.contains("there is a list with as many moves as a shortest solution"),
        "{text}"
    );
    // One board may be chance, and a board without a witness leaves the accusation.
    let mut one = solved(reversed)[3..].to_vec();
    withdraw(&mut one);
    assert_ne!(one[0].outcome, Outcome::NotUnderstood);
    let mut unlike = solved(reversed)[2..].to_vec();
    unlike[0].evidence = Evidence::default();
    withdraw(&mut unlike);
    assert_ne!(unlike[1].outcome, Outcome::NotUnderstood);
}
