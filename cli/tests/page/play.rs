//! Board: sliding, the distance after every move, solving, shuffling.

use puzzledb::oracle::Oracle;
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
fn a_tile_slides_by_click_key_and_swipe_and_the_truth_is_on_it() {
    browse_on_each("start=704851632", |page| {
        eventually_eq!(page.board(), "704851632");
        eventually_eq!(page.text("#distance"), "19");
        page.click("[data-tile='4']");
        eventually_eq!(page.board(), "740851632");
        eventually_eq!(page.text("#distance"), "18");
        // A tile that cannot move does not.
        page.click("[data-tile='8']");
        eventually_eq!(page.board(), "740851632");
        eventually!(page.text("#live").starts_with("Tile 8 cannot slide"));
        // Every tile that can move shows the distance after its move, in colour, sign and words.
        eventually_eq!(page.text("[data-tile='1'] .after"), "▼ 17");
        eventually_eq!(page.text("[data-tile='4'] .after"), "▲ 19");
        eventually_eq!(page.text("[data-tile='5'] .after"), "");
        eventually_eq!(
            page.name("[data-tile='1']"),
            "Tile 1 in row 2, column 3, slides up: then 17 moves from the goal, closer"
        );
        // A swipe up takes the tile below the blank up.
        let middle = page.middle("#board");
        page.drag(middle, (middle.0, middle.1 - 80.0));
        eventually_eq!(page.board(), "741850632");
        eventually_eq!(
            page.text("#live"),
            "Tile 1 up. 17 moves from the goal, closer."
        );
        page.shoot("play");
    });
}

#[test]
#[ignore = "full run"]
fn a_tile_follows_the_pointer() {
    browse(Device::Desktop, "start=704851632", |page| {
        let (x, y) = page.middle("[data-tile='4']");
        page.press_at((x, y), (x - 60.0, y + 5.0));
        let shift = "document.querySelector('.held').style.getPropertyValue('--dx')";
        eventually_eq!(page.eval(shift), json!("-60px"));
        assert_eq!(page.board(), "704851632");
        page.let_go();
        eventually_eq!(page.board(), "740851632");
        eventually!(page.eval("document.querySelector('.held')").is_null());
    });
}

#[test]
#[ignore = "full run"]
fn a_click_slides_all_tiles_between_it_and_the_blank() {
    browse_on_each("start=704851632", |page| {
        page.click("[data-tile='3']"); // two below the blank
        eventually_eq!(page.board(), "754831602");
        page.at_rest();
        page.click("[data-tile='5']");
        eventually_eq!(page.board(), "704851632");
        page.at_rest();
        page.click("[data-tile='7']");
        page.at_rest();
        page.click("[data-tile='4']");
        eventually_eq!(page.board(), "740851632");
    });
}

#[test]
#[ignore = "full run"]
fn the_goal_is_in_sight_and_a_solved_board_offers_another() {
    browse(Device::Desktop, "start=123456708", |page| {
        let goal = page.attribute("#goal svg", "aria-label");
        assert_eq!(goal, "The goal: 123456780");
        let top = "document.getElementById('board').getBoundingClientRect().top";
        let before = page.eval(top);
        assert!(!page.is_displayed("#another"));
        page.click("[data-tile='8']");
        eventually_eq!(page.text("#distance-words"), "Solved.");
        eventually_eq!(page.text("#outcome"), "1 move: that is the optimum.");
        assert_eq!(page.eval(top), before, "the board stays where it is");
        page.click("#another");
        eventually_eq!(page.text("#distance"), "20");
    });
}

#[test]
fn keys_play_the_game() {
    browse(Device::Desktop, "start=704851632", |page| {
        // The arrows move the tile, or the blank by a setting.
        page.press("\u{E014}"); // right arrow: tile 7, left of the blank
        eventually_eq!(page.board(), "074851632");
        page.press("b");
        eventually_eq!(page.board(), "704851632");
        page.click("#tab-options");
        page.set("#arrows", "blank");
        page.eval("document.activeElement.blur()");
        page.press("\u{E014}");
        eventually_eq!(page.board(), "740851632");
        page.press("b");
        // A hint shows the tile and names it.
        page.press("h");
        eventually_eq!(page.text("#live"), "Hint: slide tile 4 left.");
        page.until("document.querySelector('.hinted').dataset.tile === '4'");
        // N makes that move, B takes it back.
        page.press("nn");
        eventually_eq!(page.text("#distance"), "17");
        page.press("b");
        eventually_eq!(page.text("#distance"), "18");
        // R shuffles: another board, 20 moves away.
        let before = page.board();
        page.press("r");
        eventually_ne!(page.board(), before);
        eventually_eq!(page.text("#distance"), "20");
        // Space solves, a move a second, and pauses.
        page.set("#speed", "1");
        page.eval("document.activeElement.blur()");
        page.press(" ");
        page.until("document.getElementById('distance').textContent < 20");
        page.press(" ");
        eventually_eq!(page.text("#solve"), "Solve");
        let paused = page.board();
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert_eq!(page.board(), paused);
        // In a text field, keys are letters; keys can also be turned off.
        page.click("#tab-verify");
        page.click("#answer");
        page.press("rnb");
        assert_eq!(page.board(), paused);
        page.click("#tab-options");
        page.click("#keys-on");
        page.eval("document.activeElement.blur()");
        page.press("r");
        assert_eq!(page.board(), paused);
    });
}

#[test]
fn solve_plays_to_the_end_and_the_strip_shows_it() {
    browse_on_each("start=704851632&speed=20", |page| {
        // One move in the wrong direction first.
        page.click("[data-tile='7']");
        eventually_eq!(page.text("#outcome"), "1 move made, 2 more than needed.");
        page.click("#step");
        page.click("#solve");
        page.until("document.getElementById('board').classList.contains('solved')");
        eventually_eq!(page.board(), "123456780");
        eventually_eq!(
            page.text("#outcome"),
            "21 moves with help; the optimum is 19: 2 more than needed."
        );
        let lost = "[...document.querySelectorAll('#line i')].flatMap((cell, i) => cell.matches('.lost') ? [i] : [])";
        assert_eq!(page.eval(lost), json!([1]));
        let cells = page.eval("document.querySelectorAll('#line i').length");
        assert_eq!(cells, json!(22));
        page.shoot("solved");
        page.click("#restart");
        eventually_eq!(page.board(), "704851632");
    });
}

#[test]
#[ignore = "full run"]
fn shuffles_go_to_the_distance_that_is_asked() {
    browse_on_each("start=704851632", |page| {
        let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
        for distance in [1u8, 2, 13, 31] {
            page.set("#shuffle-to", &distance.to_string());
            page.click("#shuffle");
            eventually_eq!(page.text("#distance"), distance.to_string());
            let board = page.board();
            assert_eq!(
                oracle.distance(&board.parse().unwrap()).unwrap(),
                distance,
                "{board}"
            );
        }
        page.set("#shuffle-by", "moves");
        page.set("#shuffle-to", "7");
        page.click("#shuffle");
        let distance = |board: String| oracle.distance(&board.parse().unwrap()).unwrap();
        let is_near = |distance: u8| distance <= 7 && distance % 2 == 1;
        eventually!(is_near(distance(page.board())), "{}", page.board());
    });
}

#[test]
#[ignore = "full run"]
fn the_truth_can_be_hidden() {
    browse(Device::Desktop, "start=704851632&truth=0", |page| {
        eventually_eq!(page.text("[data-tile='4'] .after"), "");
        eventually!(page.eval("document.querySelectorAll('#moves li').length") == json!(0));
        page.click("#truth-shown");
        eventually_eq!(page.text("[data-tile='4'] .after"), "▼ 18");
        eventually_eq!(
            page.eval("document.querySelectorAll('#moves li').length"),
            json!(3)
        );
    });
}

#[test]
#[ignore = "full run"]
fn the_focus_stays_in_the_rows_of_moves() {
    browse(Device::Desktop, "start=704851632", |page| {
        page.until("document.querySelector('#moves button')?.checkVisibility()");
        page.run("document.querySelector('#moves button').focus()");
        let before = page.board();
        page.press("\u{E007}"); // Enter
        eventually!(page.board() != before);
        page.until("document.activeElement.closest('#moves') !== null");
    });
}
