//! Promise: records are read back as they were written.

use puzzledb::ask::{Effort, Library, Question, Run, SearchRecord, SolutionRecord};
use puzzledb::judge::Tally;
use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
use puzzledb::{Board, Oracle};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn is_read_back<R: Serialize + DeserializeOwned>(record: &R) {
    let text = serde_json::to_string(record).unwrap();
    let again: R = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

#[test]
fn every_record_of_a_board_is_read_back() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let board: Board = "536407182".parse().unwrap();
    let goal = oracle.goal();
    is_read_back(&SolutionRecord::solve(&oracle, &board).unwrap());
    is_read_back(&oracle.probe(&board).unwrap());
    is_read_back(&oracle.stats().unwrap());
    let detailed = oracle.detailed_stats().unwrap();
    is_read_back(&detailed);
    let odd: Board = "123456870".parse().unwrap();
    let why = puzzledb::space::check_solvable(&odd, goal).unwrap_err();
    is_read_back(&SolutionRecord::unsolvable(&odd, goal, &why));

    let settings = Settings::new(Algorithm::AStar);
    let heuristic = BoardHeuristic::new(&settings.heuristic, goal).unwrap();
    let report = search(&board, goal, &settings, &heuristic, None).unwrap();
    is_read_back(&SearchRecord::new(
        &board,
        goal,
        &settings,
        &report,
        Some(22),
    ));

    let question = Effort {
        board: board.to_string(),
        expanded: Some(581),
        ..Effort::default()
    };
    is_read_back(
        &question
            .answer(&Library::new(None), &Run::default())
            .unwrap(),
    );

    let mut tally = Tally::default();
    for moves in ["", "RDDLURDLLURURDDLLUURDD"] {
        let moves = puzzledb::parse_moves(moves).unwrap();
        tally.add(&oracle.judge_moves(&board, &moves).unwrap());
    }
    is_read_back(&tally.record(1));
}
