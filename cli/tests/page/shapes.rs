//! Boards of other shapes than 3x3.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Shape, UsualGoal};
use puzzledb::search::{BoardHeuristic, HeuristicName};
use puzzledb::space::StateIndex;
use serde_json::json;

use crate::browser::{Device, Page, browse, browse_on_each, browse_with};
use crate::driver::there_is_a_browser;
use crate::offline::distances;
use crate::server::Server;

fn until_known(page: &Page, distance: u32) {
    page.until(&format!(
        "document.getElementById('distance').textContent === '{distance}'"
    ));
}

#[test]
#[ignore = "full run"]
fn fifteen_tiles_are_played_with_the_distances_of_the_server() {
    browse_on_each("shape=4x4&start=1204573ad98cebf6&speed=20", |page| {
        let oracle = "1204573ad98cebf6";
        eventually_eq!(page.board(), oracle);
        page.until("document.querySelector('.after.closer')");
        let far: u32 = page.text("#distance").parse().unwrap();
        eventually!(page.text("#distance-words").ends_with("from the goal"));
        let moves = format!("{far} moves");
        eventually!(page.text("#solutions-words").contains(&moves), "{moves}");
        page.shoot("fifteen");
        // One move away, and its words.
        page.click(".tile:has(.farther)");
        until_known(page, far + 1);
        page.until("document.querySelector('.after.closer')");
        // Solve goes the whole way, and every distance on it is known.
        page.click("#solve");
        page.until("document.getElementById('board').classList.contains('solved')");
        eventually_eq!(page.board(), "123456789abcdef0");
        eventually_eq!(
            page.text("#outcome"),
            format!(
                "{} moves with help; the optimum is {far}: 2 more than needed.",
                far + 2
            )
        );
        // An answer is judged, a search is run.
        page.click("#tab-verify");
        page.set("#answer", &(far + 2).to_string());
        page.click("#judge");
        page.until("/^suboptimal \\+2/.test(document.getElementById('verdict-words').textContent)");
        page.click("#restart");
        page.click("#tab-searches");
        page.click("#run");
        page.until("/the optimum; /.test(document.querySelector('.lane-words').textContent)");
        // The board can still be played after the end of the server.
        page.end_server();
        let before = page.board();
        page.click("#tab-solutions");
        page.set("#shuffle-by", "moves");
        page.click("#shuffle");
        eventually_ne!(page.board(), before);
        eventually!(page.text("#distance").parse::<u32>().is_ok());
    });
}

#[test]
#[ignore = "full run"]
fn a_late_answer_is_not_taken_for_another_boards() {
    browse(
        Device::Desktop,
        "shape=4x4&start=1204573ad98cebf6",
        |page| {
            page.until("document.querySelector('.after.closer')");
            let far = page.text("#distance");
            // Every answer is held back; then the board changes.
            page.run(
            "const asked = window.fetch;
            window.fetch = async (...a) => { const r = await asked(...a); await new Promise(d => setTimeout(d, 300)); return r; };",
        );
            page.click("#tab-edit");
            page.set("#type-start", "123456789abcd0ef");
            page.set("#type-start", "123456789abcde0f");
            page.until("document.getElementById('distance').textContent === '1'");
            std::thread::sleep(std::time::Duration::from_millis(700));
            eventually_eq!(page.text("#distance"), "1");
            page.set("#type-start", "1204573ad98cebf6");
            eventually_eq!(page.text("#distance"), far, "what was answered is kept");
        },
    );
}

#[test]
fn small_shapes_are_known_to_the_page_itself() {
    browse(Device::Desktop, "", |page| {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
            let shape = Shape::new(rows, cols).unwrap();
            for goal in UsualGoal::ALL {
                let goal = goal.board(shape);
                let oracle = Oracle::for_goal(&goal).unwrap();
                let states = oracle.table().unwrap().header().states();
                let states = (0..states).step_by(states as usize / 300 + 1);
                let boards: Vec<Board> = states
                    .map(|i| oracle.space().unwrap().unrank(StateIndex(i)))
                    .collect();
                let truth: Vec<u8> = boards.iter().map(|b| oracle.distance(b).unwrap()).collect();
                let words: Vec<String> = boards.iter().map(Board::to_string).collect();
                let told = distances(page, &goal, &words);
                assert_eq!(told, truth, "distances to {goal} of {shape}");
            }
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_shape_is_chosen_shuffled_and_solved() {
    browse_on_each("speed=20", |page| {
        let shapes = "document.getElementById('shape').options.length";
        eventually_eq!(page.eval(shapes), json!(16));
        page.set("#shape", "2x3");
        // The page computes the distances of this shape, and offers them then.
        page.until("document.getElementById('board').dataset.shape === '2x3'");
        page.until("!document.getElementById('shuffle-by').options[0].disabled");
        page.until("/^[0-9]+$/.test(document.getElementById('distance').textContent)");
        page.set("#shuffle-to", "17");
        page.click("#shuffle");
        eventually_eq!(page.text("#distance"), "17");
        page.click("#solve");
        page.until("document.getElementById('board').classList.contains('solved')");
        eventually_eq!(page.board(), "123450");
        page.click("#tab-space");
        eventually!(
            page.text("#histogram-words")
                .starts_with("360 boards by their distance from 123450: mean ")
        );
        // The widest and the highest.
        for shape in ["2x5", "5x2", "5x5"] {
            page.set("#shape", shape);
            let (rows, cols) = shape.split_once('x').unwrap();
            let wanted = cols.parse::<f64>().unwrap() / rows.parse::<f64>().unwrap();
            page.until(&format!("(r => Math.abs(r.width / r.height / {wanted} - 1) < 0.05)(document.getElementById('board').getBoundingClientRect())"));
        }
        // A board without a known distance has a bound, and can be played all the same.
        page.until("/^≥ [0-9]+$/.test(document.getElementById('distance').textContent)");
        let before = page.board();
        page.click("[aria-disabled=false]");
        eventually_ne!(page.board(), before);
        eventually_eq!(page.text("#outcome"), "1 move made.");
        eventually!(!page.is_enabled("#solve"));
        page.shoot("five");
        for tab in ["solutions", "edit", "space", "searches", "verify"] {
            page.click(&format!("#tab-{tab}"));
        }
        // The address leads back to it.
        page.click("#share");
        page.until("location.hash.startsWith('#shape=5x5&start=')");
        let (board, address) = (page.board(), page.eval("location.hash.slice(1)"));
        page.visit(address.as_str().unwrap());
        eventually_eq!(page.board(), board);
    });
}

#[test]
#[ignore = "full run"]
fn a_shape_with_a_database_has_its_histogram() {
    if !there_is_a_browser() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let built = crate::run::run(dir.path(), &["build", "--shape", "2x5"]);
    assert_eq!(built.code, Some(0));
    let server = Server::start(dir.path(), &["--shapes", "2x5,3x3"]);
    let address = "shape=5x2&tab=space&start=9705381462";
    browse_with(Device::Desktop, server, address, |page| {
        page.until("/^1,814,400 boards by their distance from 1234567890: mean 34.73, largest 55\\./.test(document.getElementById('histogram-words').textContent)");
        page.click("#hardest button");
        until_known(page, 55);
        page.click(".bar[data-distance='30'] rect:nth-child(2)");
        until_known(page, 30);
    });
}

#[test]
#[ignore = "full run"]
fn boards_of_every_shape_are_read_and_explained() {
    browse(Device::Desktop, "shape=4x4&tab=edit", |page| {
        let typed = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 _";
        page.set("#type-start", typed);
        eventually_eq!(page.board(), "123456789abcdef0");
        page.set("#type-start", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0");
        eventually_eq!(
            page.text("#parity-words"),
            "No: 1 arc and the blank 0 rows from its goal, together an odd number, and no move can make it even. \
             Exchange any two tiles, or make 0123456789abcdef the goal, and it can."
        );
        page.shoot("edit-fifteen");
        page.set("#type-start", "1 2 3");
        eventually_eq!(
            page.text("#edit-error"),
            "Start: 3 cells where a 4x4 board has 16."
        );
        page.click("[data-goal='spiral']");
        let goal = page.eval("document.getElementById('type-goal').value");
        assert_eq!(
            goal,
            json!(
                UsualGoal::Spiral
                    .board(Shape::new(4, 4).unwrap())
                    .to_string()
            )
        );
        for (address, wrong) in [
            ("shape=9x9", "\"9x9\" is no value of shape"),
            (
                "shape=4x4&start=704851632",
                "9 cells where a 4x4 board has 16",
            ),
            (
                "shape=2x3&goal=123459",
                "9 in cell 6 is not a tile of a 2x3 board: its tiles are 1 to 5 and 0 is the blank",
            ),
        ] {
            page.visit(address);
            let said = format!("The address is not good: {wrong}.");
            eventually_eq!(page.text("#address-error"), said, "{address}");
        }
    });
}

#[test]
#[ignore = "full run"]
fn heuristics_of_other_shapes_have_the_librarys_values() {
    browse(Device::Desktop, "", |page| {
        for (shape, start) in [
            ("4x4", "1204573ad98cebf6"),
            ("2x3", "345120"),
            ("5x3", "312456789abcde0"),
        ] {
            page.visit(&format!("tab=space&shape={shape}&start={start}"));
            let shape: Shape = shape.parse().unwrap();
            let goal = UsualGoal::Last.board(shape);
            let start = puzzledb::puzzle::parse_board(start.as_bytes(), Some(shape)).unwrap();
            page.until("document.querySelector('[data-heuristic]')");
            let shown = page
                .eval("[...document.querySelectorAll('[data-heuristic]')].map(r => [r.dataset.heuristic, r.querySelector('.number').textContent])");
            let shown: Vec<(String, String)> = serde_json::from_value(shown).unwrap();
            assert!(shown.len() >= 11, "{shown:?}");
            for (name, shown) in shown.iter().filter(|(name, _)| name != "perfect") {
                let name: HeuristicName = name.parse().unwrap();
                let value = BoardHeuristic::new(&name, &goal).unwrap().value(&start);
                let rounded = (value * 100.0).round() / 100.0;
                assert_eq!(*shown, rounded.to_string(), "{name} of {start}");
            }
        }
    });
}
