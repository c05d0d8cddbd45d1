//! Sessions and their layout, without a terminal.

use std::time::{Duration, Instant};

use puzzledb::oracle::{Limits, Oracle};
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal, parse_board, random_board};

use super::keys::Action;
use super::session::{Mode, Session};
use super::truths::Known;
use super::view::{Frame, view};

/// A session with boards of a shape; with an oracle up to 9 cells.
fn new_session(shape: &str, board: Option<&str>, seed: u64) -> Session {
    let shape: Shape = shape.parse().unwrap();
    let board = board.map(|text| parse_board(text.as_bytes(), Some(shape)).unwrap());
    let goal = UsualGoal::Last.board(shape);
    let oracle = match shape.cells() {
        ..=9 => Some(Oracle::for_goal(&goal).unwrap()),
        _ => None,
    };
    Session::new(board, None, goal, oracle, seed).unwrap()
}

fn press(session: &mut Session, actions: &[Action]) {
    for &action in actions {
        session.act(action).unwrap();
    }
}

/// Waits for a board that is being drawn and for searches.
fn wait_for_threads(session: &mut Session) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while session.is_waiting() {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
        session.poll().unwrap();
    }
}

fn text(frame: &Frame) -> Vec<String> {
    let line = |line: &String| anstream::adapter::strip_str(line).to_string();
    frame.lines.iter().map(line).collect()
}

/// Number of times that a word is in a frame of 80 x 24.
fn marked(session: &Session, word: &str) -> usize {
    text(&view(session, (80, 24)))
        .join("\n")
        .matches(word)
        .count()
}

#[test]
fn a_picture_fits_every_terminal_and_is_whole_or_says_what_it_needs() {
    pictures_fit(4);
}

#[test]
#[ignore = "full run"]
fn a_picture_fits_a_terminal_of_every_height() {
    pictures_fit(1);
}

/// Tries every third width, and of each every so many heights: those between them come at the next widths.
fn pictures_fit(step: usize) {
    for shape in ["2x2", "3x3", "2x4", "4x4", "5x5", "2x12", "12x2"] {
        let mut session = new_session(shape, None, 1);
        press(&mut session, &[Action::Hint]);
        let widths = (1..=120).step_by(3);
        let heights = |w: usize| (1 + w % step..=50).step_by(step).map(move |h| (w, h));
        for (width, height) in widths.flat_map(heights) {
            let frame = view(&session, (width, height));
            let lines = text(&frame);
            assert_eq!(lines.len(), height);
            assert!(lines.iter().all(|line| line.chars().count() <= width));
            let words = lines.join(" ");
            if words.contains("moves ") {
                let found = session.game.board.tiles().iter().filter(|tile| {
                    let number = tile.to_string();
                    words
                        .split(|c: char| !c.is_ascii_digit())
                        .any(|word| word == number)
                });
                assert!(found.count() >= session.game.board.shape().tiles());
            } else if width > 20 && height > 5 {
                let Some((_, need)) = words.split_once("the game needs ") else {
                    panic!("{shape} in {width} x {height}: {lines:?}");
                };
                let need: String = need.split(". q").next().unwrap().replace(' ', "");
                let (columns, rows) = need.split_once('x').unwrap();
                let (columns, rows) = (columns.parse().unwrap(), rows.parse().unwrap());
                let there = text(&view(&session, (columns, rows))).join(" ");
                assert!(there.contains("moves "), "{shape}: {columns} x {rows}");
            }
        }
    }
}

#[test]
fn the_title_has_the_whole_board() {
    for shape in ["5x5", "6x6", "8x8"] {
        let session = new_session(shape, None, 1);
        let start = session.game.start;
        for width in [80, 250] {
            let shown = text(&view(&session, (width, 60)));
            let title: Vec<_> = shown.iter().take_while(|line| !line.is_empty()).collect();
            let title = title
                .iter()
                .map(|line| line.trim())
                .collect::<Vec<_>>()
                .join(" ");
            let board = title.strip_prefix("puzzledb play ").unwrap();
            let board = parse_board(board.as_bytes(), None).ok();
            assert_eq!(board, Some(start), "{width}: {title}");
        }
    }
}

#[test]
fn a_click_meets_the_tile_that_is_drawn_there() {
    for (width, height) in [(80, 24), (40, 30), (60, 19), (30, 8)] {
        let session = new_session("3x3", Some("536407182"), 1);
        let frame = view(&session, (width, height));
        let lines = text(&frame);
        let mut met = [false; 9];
        for (row, line) in lines.iter().enumerate() {
            for (column, c) in line.chars().enumerate() {
                let Some(cell) = frame.cell_at(column as u16, row as u16) else {
                    continue;
                };
                if let Some(digit) = c.to_digit(10) {
                    assert_eq!(session.game.board.tiles()[cell], digit as u8);
                    met[cell] = true;
                }
            }
        }
        met[session.game.board.blank()] = true;
        assert_eq!(met, [true; 9], "{width} x {height}");
    }
}

#[test]
fn distances_and_best_moves_are_hidden_until_the_player_asks() {
    let mut session = new_session("3x3", Some("536407182"), 1);
    let marks = |s: &Session| {
        (
            marked(s, "closer"),
            marked(s, "farther"),
            marked(s, "│ hint"),
        )
    };
    let hidden = |s: &Session| {
        (
            marked(s, "distance  hidden"),
            marked(s, "optimal   hidden"),
            marked(s, "22"),
        )
    };
    assert_eq!((marks(&session), hidden(&session)), ((0, 0, 0), (1, 1, 0)));
    press(&mut session, &[Action::Hint]);
    assert_eq!((marks(&session), hidden(&session)), ((0, 0, 1), (1, 1, 0)));
    press(
        &mut session,
        &[Action::Undo, Action::Restart, Action::Truth],
    );
    assert_eq!((marks(&session), hidden(&session)), ((3, 1, 0), (0, 0, 2))); // as `probe 536407182` has it
    press(&mut session, &[Action::Hint]);
    assert_eq!(marks(&session), (2, 1, 1));
    press(&mut session, &[Action::Truth]);
    assert_eq!((marks(&session), hidden(&session)), ((0, 0, 1), (1, 1, 0)));
    for size in [(80, 24), (60, 18), (30, 14), (30, 9), (20, 10)] {
        let shown = text(&view(&session, size)).join("\n");
        let secret = ["22", "closer", "farther", "5-", "3+"];
        assert!(shown.contains("hidden"), "{size:?}: {shown}");
        assert!(!secret.iter().any(|word| shown.contains(word)), "{shown}");
    }
}

#[test]
fn a_solution_is_played_to_the_end_and_can_be_paused() {
    let mut session = new_session("3x3", Some("867254301"), 1);
    press(&mut session, &[Action::Solve]);
    for _ in 0..10 {
        session.next().unwrap();
    }
    press(&mut session, &[Action::Solve]);
    assert!(matches!(session.mode, Mode::Playing));
    press(&mut session, &[Action::Solve]);
    while matches!(session.mode, Mode::Solving) {
        session.next().unwrap();
    }
    assert!(session.game.is_solved());
    assert_eq!(
        session.message,
        "Solved in 31 moves, the fewest possible. (31 moves played for you)"
    );
    press(&mut session, &[Action::Solve, Action::Hint, Action::Next]);
    assert_eq!(session.message, "This is the goal already.");
    assert_eq!(session.game.score.moves, 31);
}

#[test]
fn a_board_at_a_typed_distance_is_drawn() {
    let mut session = new_session("3x3", Some("536407182"), 1);
    let typed = |text: &str| text.chars().map(Action::Digit).collect::<Vec<_>>();
    press(&mut session, &[Action::AskDistance]);
    press(&mut session, &typed("35"));
    press(&mut session, &[Action::Erase, Action::Digit('1')]);
    assert_eq!(marked(&session, "Distance, 0 to 31: 31_"), 1);
    press(&mut session, &[Action::Enter]);
    wait_for_threads(&mut session);
    assert_eq!(session.game.score.optimal, Some(31));
    let board = session.game.start;
    for wrong in ["32", "255", "999", "12345"] {
        press(&mut session, &[Action::AskDistance]);
        press(&mut session, &typed(wrong));
        press(&mut session, &[Action::Enter]);
        assert!(session.message.contains("distances go up to 31"), "{wrong}");
        assert_eq!(session.game.start, board);
    }
    press(&mut session, &[Action::Random, Action::Restart]);
    assert!(matches!(session.mode, Mode::Playing) && session.game.start == board);
    press(&mut session, &[Action::AskDistance, Action::Cancel]);
    assert!(matches!(session.mode, Mode::Playing));
    press(
        &mut session,
        &[Action::AskDistance, Action::Digit('0'), Action::Enter],
    );
    wait_for_threads(&mut session);
    assert!(session.game.is_solved());
}

#[test]
fn equal_seeds_give_equal_boards() {
    let boards = |shape: &str, seed| -> Vec<Board> {
        let mut session = new_session(shape, None, seed);
        let mut boards = vec![session.game.start];
        for _ in 0..3 {
            press(&mut session, &[Action::Random]);
            wait_for_threads(&mut session);
            boards.push(session.game.start);
        }
        boards
    };
    for shape in ["3x3", "5x5"] {
        let drawn = boards(shape, 7);
        assert_eq!(drawn, boards(shape, 7));
        assert_ne!(drawn, boards(shape, 6));
        assert!(drawn.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

#[test]
fn without_an_oracle_the_game_goes_on_and_says_what_is_missing() {
    let mut session = new_session("4x4", Some("123456789abcde0f"), 1);
    for action in [
        Action::Hint,
        Action::Solve,
        Action::Next,
        Action::AskDistance,
        Action::Truth,
    ] {
        session.message.clear();
        press(&mut session, &[action]);
        assert_eq!(
            session.message,
            "4x4 boards have too many states for distances and hints. \
             `puzzledb solve` finds a solution and a lower bound."
        );
        assert!(matches!(session.mode, Mode::Playing));
    }
    assert_eq!(
        (marked(&session, "unknown"), marked(&session, "? hint")),
        (2, 0)
    );
    press(&mut session, &[Action::Cell(0)]);
    assert!(session.message.starts_with("Tile 1 cannot slide"));
    press(&mut session, &[Action::Cell(15)]);
    assert_eq!(session.message, "Solved in 1 move.");
}

#[test]
fn notices_are_whole_sentences() {
    let large = new_session("5x5", None, 1);
    let (notice, _) = large.message.split_once(". ").unwrap();
    for (width, height) in [(80, 24), (60, 18), (40, 17), (36, 14), (20, 14)] {
        let shown = text(&view(&large, (width, height))).join(" ");
        let words: Vec<&str> = shown.split_whitespace().collect();
        let shown = words.join(" ");
        assert!(shown.contains(&format!("{notice}.")), "{width}: {shown}");
        let solve = shown.contains("`puzzledb");
        assert_eq!(solve, shown.contains(&large.message), "{width}: {shown}");
    }
}

#[test]
fn a_search_answers_while_the_game_goes_on() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let oracle = Some(Oracle::by_search(&goal).unwrap());
    let board = parse_board(b"5 1 2 4 9 6 3 8 13 10 7 11 0 14 15 12", None).unwrap();
    let mut playing = Session::new(Some(board), None, goal, oracle, 1).unwrap();
    press(&mut playing, &[Action::Truth]);
    assert_eq!(marked(&playing, "distance  searching"), 1);
    press(&mut playing, &[Action::Hint]);
    assert_eq!(
        playing.message,
        "The distance is not known yet: the search goes on."
    );
    wait_for_threads(&mut playing);
    assert_eq!(marked(&playing, "distance  9"), 1);
    assert_eq!(marked(&playing, "closer") + marked(&playing, "farther"), 2);
    press(&mut playing, &[Action::Solve]);
    while matches!(playing.mode, Mode::Solving) {
        playing.next().unwrap();
        wait_for_threads(&mut playing);
    }
    let score = "Solved in 9 moves, the fewest possible. (9 moves played for you)";
    assert_eq!(playing.message, score);
    press(&mut playing, &[Action::AskDistance, Action::Digit('7')]);
    assert_eq!(marked(&playing, "Distance: 7_"), 1);
    press(&mut playing, &[Action::Enter]);
    wait_for_threads(&mut playing);
    assert_eq!(playing.game.score.optimal, Some(7));
}

#[test]
fn a_search_that_gives_up_is_told_and_the_game_goes_on() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let oracle = Oracle::by_search(&goal)
        .unwrap()
        .with_limits(Limits::visiting(1));
    let oracle = Some(oracle);
    let mut session = Session::new(Some(random_board(&goal, 1)), None, goal, oracle, 1).unwrap();
    wait_for_threads(&mut session);
    press(&mut session, &[Action::Truth]);
    assert_eq!(marked(&session, "distance  unknown"), 1);
    for action in [Action::Hint, Action::Solve] {
        press(&mut session, &[action]);
        assert_eq!(
            session.message,
            "The distance is not known: the search took too long."
        );
    }
    let mv = Move::ALL
        .into_iter()
        .find(|&mv| session.game.board.slide(mv).is_some());
    press(&mut session, &[Action::Slide(mv.unwrap())]);
    assert_eq!(session.game.score.moves, 1);
}

#[test]
fn the_truth_leads_to_the_goal() {
    let mut session = new_session("3x3", Some("867254301"), 1);
    for distance in (1..=31).rev() {
        assert!(matches!(session.known(), Some(Known::Truth(truth)) if truth.distance == distance));
        session.next().unwrap();
    }
    assert!(session.game.is_solved());
}

#[test]
fn start_over_forgets_the_moves_and_the_helps() {
    let mut session = new_session("3x3", Some("536407182"), 1);
    press(
        &mut session,
        &[Action::Hint, Action::Next, Action::Undo, Action::Restart],
    );
    let score = session.game.score;
    assert_eq!((score.moves, score.hints, score.undone), (0, 0, 0));
    assert_eq!(score.optimal, Some(22));
    press(&mut session, &[Action::Redo]);
    assert_eq!(session.message, "There is no move to make again.");
}
