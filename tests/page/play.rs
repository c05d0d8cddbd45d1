//! The board: sliding, the truth on every move, solving, shuffling.

use puzzledb::oracle::Oracle;
use serde_json::json;

use crate::browser::{DEVICES, Device, browse};

#[test]
fn a_tile_slides_by_click_key_and_swipe_and_the_truth_is_on_it() {
    for device in DEVICES {
        browse(device, "", async |page| {
            assert_eq!(page.board().await, "704851632");
            assert_eq!(page.text("#distance").await, "19");
            page.click("[data-tile='4']").await;
            assert_eq!(page.board().await, "740851632");
            assert_eq!(page.text("#distance").await, "18");
            // A tile that cannot move does not.
            page.click("[data-tile='8']").await;
            assert_eq!(page.board().await, "740851632");
            assert!(page.text("#live").await.starts_with("Tile 8 cannot slide"));
            // Every tile that can move says what comes of it, in colour, sign and words.
            assert_eq!(page.text("[data-tile='1'] .after").await, "▼ 17");
            assert_eq!(page.text("[data-tile='4'] .after").await, "▲ 19");
            assert_eq!(page.text("[data-tile='5'] .after").await, "");
            assert_eq!(
                page.name("[data-tile='1']").await,
                "Tile 1 in row 2, column 3, slides up: then 17 moves from the goal, closer"
            );
            // A swipe up takes the tile below the blank up.
            let middle = page.middle("#board").await;
            page.drag(middle, (middle.0, middle.1 - 80.0)).await;
            assert_eq!(page.board().await, "741850632");
            assert_eq!(
                page.text("#live").await,
                "Tile 1 up. 17 moves from the goal, closer."
            );
            page.shoot("play").await;
        });
    }
}

#[test]
fn a_click_slides_all_tiles_between_it_and_the_blank() {
    for device in DEVICES {
        browse(device, "", async |page| {
            page.click("[data-tile='3']").await; // two below the blank
            assert_eq!(page.board().await, "754831602");
            page.at_rest().await;
            page.click("[data-tile='5']").await;
            assert_eq!(page.board().await, "704851632");
            page.at_rest().await;
            page.click("[data-tile='7']").await;
            page.at_rest().await;
            page.click("[data-tile='4']").await;
            assert_eq!(page.board().await, "740851632");
        });
    }
}

#[test]
fn the_goal_is_in_sight_and_a_solved_board_offers_another() {
    browse(Device::Desktop, "start=123456708", async |page| {
        let goal = page.find("#goal svg").await.attr("aria-label").await;
        assert_eq!(goal.unwrap().unwrap(), "The goal: 123456780");
        page.click("[data-tile='8']").await;
        assert_eq!(page.text("#distance-words").await, "Solved.");
        assert_eq!(page.text("#finish-words").await, "In 1 second.");
        page.click("#another").await;
        assert_eq!(page.text("#distance").await, "20");
    });
}

#[test]
fn keys_play_the_game() {
    browse(Device::Desktop, "", async |page| {
        // The arrows move the tile, or the blank if that is wished.
        page.press("\u{E014}").await; // right arrow: tile 7, left of the blank
        assert_eq!(page.board().await, "074851632");
        page.press("b").await;
        assert_eq!(page.board().await, "704851632");
        page.click("#tab-options").await;
        page.set("#arrows", "blank").await;
        page.eval("document.activeElement.blur()").await;
        page.press("\u{E014}").await;
        assert_eq!(page.board().await, "740851632");
        page.press("b").await;
        // A hint shows the tile and names it.
        page.press("h").await;
        assert_eq!(page.text("#live").await, "Hint: slide tile 4 left.");
        page.until("document.querySelector('.hinted').dataset.tile === '4'")
            .await;
        // N makes that move, B takes it back.
        page.press("nn").await;
        assert_eq!(page.text("#distance").await, "17");
        page.press("b").await;
        assert_eq!(page.text("#distance").await, "18");
        // R shuffles: another board, 20 moves away.
        let before = page.board().await;
        page.press("r").await;
        assert_ne!(page.board().await, before);
        assert_eq!(page.text("#distance").await, "20");
        // Space solves, and pauses.
        page.press(" ").await;
        page.until("document.getElementById('distance').textContent < 20")
            .await;
        page.press(" ").await;
        assert_eq!(page.text("#solve").await, "Solve");
        let paused = page.board().await;
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        assert_eq!(page.board().await, paused);
        // Where somebody writes, keys are letters; and they can be turned off.
        page.click("#tab-verify").await;
        page.click("#answer").await;
        page.press("rnb").await;
        assert_eq!(page.board().await, paused);
        page.click("#tab-options").await;
        page.click("#keys-on").await;
        page.eval("document.activeElement.blur()").await;
        page.press("r").await;
        assert_eq!(page.board().await, paused);
    });
}

#[test]
fn solve_plays_to_the_end_and_the_line_shows_it() {
    for device in DEVICES {
        browse(device, "speed=20", async |page| {
            // One move in the wrong direction first.
            page.click("[data-tile='7']").await;
            assert_eq!(
                page.text("#outcome").await,
                "1 move made, 2 more than needed."
            );
            page.click("#step").await;
            page.click("#solve").await;
            page.until("document.getElementById('board').classList.contains('solved')")
                .await;
            assert_eq!(page.board().await, "123456780");
            assert_eq!(
                page.text("#outcome").await,
                "21 moves; the optimum is 19: 2 more than needed."
            );
            let line = page.find("#line svg").await.attr("aria-label").await;
            let line = line.unwrap().unwrap();
            assert!(
                line.starts_with("Distances so far: 19, 20, 19, 18,"),
                "{line}"
            );
            assert!(line.ends_with("The optimum falls from 19 to 0 in 19 moves."));
            let points = page
                .eval("document.querySelector('.your-line').points.length")
                .await;
            assert_eq!(points, json!(22));
            page.shoot("solved").await;
            page.click("#restart").await;
            assert_eq!(page.board().await, "704851632");
        });
    }
}

#[test]
fn shuffles_go_to_the_distance_that_is_asked() {
    for device in DEVICES {
        browse(device, "", async |page| {
            let oracle = Oracle::in_memory(&"123456780".parse().unwrap()).unwrap();
            for distance in [1u8, 2, 13, 31] {
                page.set("#shuffle-to", &distance.to_string()).await;
                page.click("#shuffle").await;
                let board = page.board().await;
                assert_eq!(
                    oracle.distance(&board.parse().unwrap()).unwrap(),
                    distance,
                    "{board}"
                );
                assert_eq!(page.text("#distance").await, distance.to_string());
            }
            page.set("#shuffle-by", "moves").await;
            page.set("#shuffle-to", "7").await;
            page.click("#shuffle").await;
            let board = page.board().await;
            let distance = oracle.distance(&board.parse().unwrap()).unwrap();
            assert!(
                distance <= 7 && distance % 2 == 1,
                "7 random moves to {board}"
            );
        });
    }
}

#[test]
fn the_truth_can_be_hidden() {
    browse(Device::Desktop, "truth=0", async |page| {
        assert_eq!(page.text("[data-tile='4'] .after").await, "");
        assert!(!page.find("#line").await.is_displayed().await.unwrap());
        page.click("#truth-shown").await;
        assert_eq!(page.text("[data-tile='4'] .after").await, "▼ 18");
        assert!(page.find("#line").await.is_displayed().await.unwrap());
    });
}
