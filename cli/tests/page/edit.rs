//! Start and goal by dragging, choosing and typing; unsolvable boards explained.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
#[ignore = "full run"]
fn a_tile_is_dragged_onto_another_and_the_parity_is_drawn() {
    browse_on_each("start=704851632&tab=edit", |page| {
        eventually_eq!(
            page.text("#parity-words"),
            "Yes: 20 arcs, an even number, as the goal has."
        );
        // Tiles 7 and 4 of the start change places.
        page.drag_onto(
            "#edit-start button:nth-child(1)",
            "#edit-start button:nth-child(3)",
        );
        eventually_eq!(page.board(), "407851632");
        let arcs = "document.querySelectorAll('#parity .arc').length";
        eventually_eq!(page.eval(arcs), json!(19));
        eventually!(
            page.text("#parity-words")
                .starts_with("No: 19 arcs, an odd number, and no move can make it even.")
        );
        eventually!(
            page.text("#parity-words")
                .contains("make 123804765 the goal")
        );
        eventually_eq!(page.text("#distance"), "∞");
        eventually!(
            page.text("#distance-words")
                .contains("cannot be solved to 123456780")
        );
        page.middle("#parity");
        page.shoot("unsolvable");
        // Tiles of such a board slide all the same.
        page.click("[data-tile='7']");
        eventually_eq!(page.board(), "470851632");
        page.click("#mend");
        eventually_eq!(page.board(), "407851623");
        eventually_ne!(page.text("#distance"), "∞");
        // The goal is dragged as well.
        page.drag_onto(
            "#edit-goal button:nth-child(9)",
            "#edit-goal button:nth-child(5)",
        );
        let goal = page.eval("document.getElementById('type-goal').value");
        assert_eq!(goal, json!("123406785"));
    });
}

#[test]
#[ignore = "full run"]
fn boards_are_typed_in_any_form_and_errors_say_what_is_wrong() {
    browse_on_each("start=704851632&tab=edit", |page| {
        for typed in [
            "[[8,6,7],[2,5,4],[3,0,1]]",
            "8 6 7 / 2 5 4 / 3 _ 1",
            "867254301",
        ] {
            page.set("#type-start", "123456780");
            page.set("#type-start", typed);
            eventually_eq!(page.board(), "867254301", "{typed}");
            eventually_eq!(page.text("#distance"), "31");
        }
        page.set("#type-start", "867254331");
        eventually_eq!(
            page.text("#edit-error"),
            "Start: tile 3 is there twice (cells 7 and 8) and the blank is missing."
        );
        eventually_eq!(page.board(), "867254301");
        page.set("#type-goal", "12345678");
        eventually_eq!(
            page.text("#edit-error"),
            "Goal: 8 cells where a 3x3 board has 9."
        );
        // A whole board of another shape brings its shape.
        page.set("#type-start", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15");
        eventually_eq!(
            page.eval("document.getElementById('shape').value"),
            json!("4x4")
        );
        eventually_eq!(page.text("#distance"), "1");
        page.set("#type-start", "867254301");
        eventually_eq!(page.board(), "867254301");
        let hardest: Board = "867254301".parse().unwrap();
        let first = Oracle::for_goal(&"012345678".parse().unwrap()).unwrap();
        let away = first.distance(&hardest).unwrap();
        page.click("[data-goal='first']");
        page.until(&format!(
            "document.getElementById('distance').textContent === '{away}'"
        ));
        eventually!(page.text("#distance-words").contains("012345678"));
        page.click("#turn-round");
        page.until(&format!(
            "document.getElementById('distance').textContent === '{away}'"
        ));
        eventually_eq!(page.board(), "012345678");
    });
}

#[test]
fn the_keyboard_edits_too() {
    browse(Device::Desktop, "start=704851632&tab=edit", |page| {
        page.eval("document.querySelector('#edit-start button').focus()");
        // Choose the first cell, walk two to the right, exchange.
        page.press("\u{E007}\u{E014}\u{E014}\u{E007}");
        eventually_eq!(page.board(), "407851632");
        let label = page.eval("document.activeElement.getAttribute('aria-label')");
        assert_eq!(label, json!("Tile 7, row 1, column 3"));
    });
}
