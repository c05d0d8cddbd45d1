//! Optimal solutions, all of them, browsed and followed.

use puzzledb::oracle::Oracle;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Board, Notation, UsualGoal};
use puzzledb_cli::serve::{Config, Tables};
use serde_json::json;

use crate::browser::{Device, browse, browse_at, browse_on_each};

#[test]
#[ignore = "full run"]
fn every_optimal_solution_is_listed_and_the_chosen_one_is_followed() {
    let board: Board = "536407182".parse().unwrap();
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let mut truth: Vec<String> = Vec::new();
    for moves in oracle.solutions(&board).unwrap() {
        truth.push(Notation::Blank.text(&board, &moves));
    }
    truth.sort();
    browse_on_each("start=536407182", |page| {
        eventually_eq!(
            page.text("#solutions-words"),
            "7 shortest solutions, 22 moves; number 1 is chosen."
        );
        let list =
            "[...document.querySelectorAll('#solution-list button')].map(b => b.textContent)";
        page.until(&format!("{list}.length === 7"));
        let listed = page.eval(list);
        let mut sorted: Vec<String> = serde_json::from_value(listed.clone()).unwrap();
        sorted.sort();
        assert_eq!(sorted, truth);
        page.click("#solution-list li:nth-child(5) button");
        page.click("#solution-list li:nth-child(4) button");
        page.click("#step");
        page.click("#step");
        eventually_eq!(
            page.text("#solutions-words"),
            "7 shortest solutions, 2 of 22 moves made; number 4 is chosen."
        );
        let fourth = listed[3].as_str().unwrap();
        eventually_eq!(page.text("#solution-list li:nth-child(4) b"), &fourth[..2]);
        let moves: Vec<_> = fourth[..2].chars().map(letter).collect();
        eventually_eq!(page.board(), board.replay(&moves).unwrap().to_string());
        page.eval("document.getElementById('solutions').scrollIntoView()");
        page.shoot("solutions");
        // Another choice begins anew.
        page.click("#solution-list li:nth-child(1) button");
        eventually_eq!(page.board(), "536407182");
        eventually_eq!(
            page.eval("document.querySelectorAll('#solution-list [aria-pressed=true]').length"),
            json!(1)
        );
    });
}

/// Serves the 15-puzzle with the blank first, with so many boards visited for an answer. Returns its origin.
fn fifteen(visited: u64) -> (Board, String) {
    let goal = UsualGoal::First.board("4x4".parse().unwrap());
    let partition = Partition::new(&goal, &"6-6-3".parse().unwrap()).unwrap();
    let patterns = Patterns::build(&partition).unwrap();
    let oracle = Oracle::from_database(patterns, &goal).unwrap();
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    config.limits.visited = visited;
    let tables = Tables::new([oracle]);
    let server = puzzledb_cli::serve::Server::bind(&config, tables).unwrap();
    let origin = format!("http://{}", server.address());
    std::thread::spawn(|| server.run());
    (goal, origin)
}

/// Korf's 28th board: 31 solutions are more than this server counts.
#[test]
#[ignore = "full run"]
fn a_solution_is_followed_where_all_take_too_long_to_count() {
    let (goal, origin) = fifteen(30_000);
    let address = format!("shape=4x4&goal={goal}&start=de6c451093a2fb87");
    browse_at(Device::Desktop, &origin, None, &address, |page| {
        page.until("document.querySelector('.after.closer')");
        eventually_eq!(page.text("#distance"), "52");
        eventually_eq!(
            page.text("#solutions-words"),
            "A shortest solution, 52 moves; the others take too long to count."
        );
        eventually_eq!(page.text("#outcome"), "");
        page.click("#step");
        page.until("document.getElementById('distance').textContent === '51'");
    });
}

#[test]
#[ignore = "full run"]
fn a_board_that_the_server_refuses_is_solved_by_the_page() {
    let (goal, origin) = fifteen(10);
    let address = format!("shape=4x4&goal={goal}&start=de6c451093a2fb87");
    browse_at(Device::Desktop, &origin, None, &address, |page| {
        page.cut_off = true; // the refusals are in the browser's log
        page.until("/^(52|[0-9]+–[0-9]+)$/.test(document.getElementById('distance').textContent)");
        page.click("#step");
        eventually!(page.text("#outcome").starts_with("1 move "));
        eventually!(page.is_enabled("#solve"));
    });
}

fn letter(letter: char) -> puzzledb::puzzle::Move {
    puzzledb::puzzle::Move::from_letter(letter).unwrap()
}

/// Choices among solutions of the server wait for them.
#[test]
#[ignore = "full run"]
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
            let is_second = || page.text("#solution-list [aria-pressed=true]") == "RDLURD";
            eventually!(is_second() == words.contains("number 2"));
            page.until(&format!(
                "location.hash.includes('pick=1') === {}",
                words.contains("number 2")
            ));
        });
    }
}
