//! Answers of solvers, pasted and judged.

use serde_json::json;

use crate::browser::{Device, Page, browse, browse_on_each};

/// Pastes an answer, and returns the verdict that the page shows.
fn judge(page: &Page, answer: &str) -> String {
    page.set("#answer", answer);
    page.click("#judge");
    page.until("document.getElementById('verdict-words').textContent !== 'Judging …'");
    page.text("#verdict-words")
}

#[test]
#[ignore = "full run"]
fn answers_for_the_board_are_judged_in_every_notation() {
    browse_on_each("start=704851632&tab=verify", |page| {
        for (answer, verdict) in [
            (
                "RDDLLUURRDDLLUURRDD",
                "optimal: the optimum is 19; claimed 19; read as the blank's way.",
            ),
            (
                "luurrddlluurrddlluu",
                "optimal: the optimum is 19; claimed 19; read as the tile's way.",
            ),
            (
                "['Right', 'Left', 'Right', 'Down', 'Down', 'Left', 'Left', 'Up', 'Up', 'Right', 'Right', 'Down', 'Down', 'Left', 'Left', 'Up', 'Up', 'Right', 'Right', 'Down', 'Down']",
                "suboptimal +2: the optimum is 19; claimed 21; move 2 was the first to lose ground; read as the blank's way.",
            ),
            (
                "4 1 2 3 6 8 7 4 1 2 3 6 8 7 4 1 2 3 6",
                "optimal: the optimum is 19; claimed 19; read as numbers.",
            ),
            ("19", "optimal: the optimum is 19; claimed 19."),
            (
                "17",
                "impossible: shorter than optimal: the optimum is 19; claimed 17.",
            ),
            (
                "20",
                "impossible: wrong parity: the optimum is 19; claimed 20.",
            ),
            (
                "UUU",
                "illegal at move 3: the optimum is 19; read as the tile's way.",
            ),
            (
                "704851632 -> 740851632",
                "does not reach the goal: the optimum is 19; claimed 1; read as boards.",
            ),
            ("unsolvable", "wrongly said unsolvable: the optimum is 19."),
            (
                "It is impossible to do better: RDDLLUURRDDLLUURRDD",
                "optimal: the optimum is 19; claimed 19; read as the blank's way.",
            ),
        ] {
            assert_eq!(judge(page, answer), verdict, "{answer}");
        }
        let unread = judge(page, "hello world");
        assert!(unread.starts_with("Line 1: "), "{unread}");
        // The move at fault is shown on the board.
        judge(page, "RLRDDLLUURRDDLLUURRDD");
        page.shoot("verify");
        page.click("#verdicts button");
        eventually_eq!(page.board(), "704851632");
        eventually_eq!(page.text("#outcome"), "2 moves made, 2 more than needed.");
    });
}

#[test]
fn lines_with_boards_and_other_solvers_tables_are_judged_too() {
    browse(Device::Desktop, "start=704851632&tab=verify", |page| {
        let lines = "704851632 19\n536407182\t20\n123456870 unsolvable\n";
        assert_eq!(judge(page, lines), "2 of 3 answers right.");
        // A form that the server reads.
        let table = include_str!("../../../tests/dialects/massey.csv");
        judge(page, table);
        let verdicts = "[...document.querySelectorAll('#verdicts tbody td:nth-child(3)')].map(d => d.textContent)";
        eventually_eq!(
            page.eval(verdicts),
            json!(["✓ optimal", "✗ suboptimal +2", "✓ optimal", "✓ optimal"])
        );
        page.shoot("verify-table");
        // The moves made by hand.
        page.click("[data-tile='4']");
        page.click("#my-moves");
        eventually_eq!(
            page.eval("document.getElementById('answer').value"),
            json!("R")
        );
    });
}
