//! All optimal solutions, browsed and followed.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Notation};
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
fn every_optimal_solution_is_listed_and_the_chosen_one_is_followed() {
    let board: Board = "536407182".parse().unwrap();
    let oracle = Oracle::in_memory(&"123456780".parse().unwrap()).unwrap();
    let mut truth: Vec<String> = Vec::new();
    for moves in oracle.solutions(&board).unwrap() {
        let mut text = String::new();
        Notation::Blank.write(&board, &moves, &mut text).unwrap();
        truth.push(text);
    }
    truth.sort();
    browse_on_each("start=536407182", |page| {
        assert_eq!(
            page.text("#solutions-words"),
            "7 shortest solutions, 22 moves; number 1 is chosen."
        );
        let list =
            "[...document.querySelectorAll('#solution-list button')].map(b => b.textContent)";
        let listed = page.eval(list);
        let mut sorted: Vec<String> = serde_json::from_value(listed.clone()).unwrap();
        sorted.sort();
        assert_eq!(sorted, truth);
        page.click("#solution-after");
        page.click("#solution-list li:nth-child(5) button");
        page.click("#solution-before"); // the fourth
        page.click("#step");
        page.click("#step");
        assert_eq!(
            page.text("#solutions-words"),
            "7 shortest solutions, 2 of 22 moves made; number 4 is chosen."
        );
        let fourth = listed[3].as_str().unwrap();
        let done = page.text("#solution-list li:nth-child(4) b");
        assert_eq!(done, &fourth[..2]);
        let moves: Vec<_> = fourth[..2].chars().map(letter).collect();
        assert_eq!(page.board(), board.replay(&moves).unwrap().to_string());
        page.eval("document.getElementById('solutions').scrollIntoView()");
        page.shoot("solutions");
        // Another choice begins anew.
        page.click("#solution-list li:nth-child(1) button");
        assert_eq!(page.board(), "536407182");
        assert_eq!(
            page.eval("document.querySelectorAll('#solution-list [aria-pressed=true]').length"),
            json!(1)
        );
    });
}

fn letter(letter: char) -> puzzledb::puzzle::Move {
    puzzledb::puzzle::Move::from_letter(letter).unwrap()
}

/// Where the server gives the solutions, the choice waits for them.
#[test]
fn the_address_leads_back_to_the_chosen_solution_of_a_fifteen_puzzle() {
    let board = "shape=4x4&start=123456789a0fdecb";
    for (address, words) in [
        (
            "&pick=1.0",
            "2 shortest solutions, 6 moves; number 2 is chosen.",
        ),
        (
            "&pick=1.0&moves=RD",
            "2 shortest solutions, 2 of 6 moves made; number 2 is chosen.",
        ),
        (
            "&pick=0",
            "2 shortest solutions, 6 moves; number 1 is chosen.",
        ),
    ] {
        browse(Device::Desktop, &format!("{board}{address}"), |page| {
            page.until(&format!(
                "document.getElementById('solutions-words').textContent === {}",
                json!(words)
            ));
            let chosen = page.text("#solution-list [aria-pressed=true]");
            assert_eq!(chosen == "RDLURD", words.contains("number 2"));
            page.until(&format!(
                "location.hash.includes('pick=1') === {}",
                words.contains("number 2")
            ));
        });
    }
}
