//! Path of moves: letters and strip lead to any position in it; the browser's Back undoes.

use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
#[ignore = "full run"]
fn letters_and_strip_lead_to_any_position_in_the_path() {
    browse_on_each("start=536407182", |page| {
        // The path continues as the chosen solution does.
        eventually!(page.text("#path").len() == 22);
        let track = page.text("#path");
        page.click("#path [data-at='3']");
        eventually_eq!(page.text("#distance"), "19");
        let position = || page.attribute("#line", "aria-valuetext");
        eventually_eq!(position(), "3 of 22 moves, 19 moves from the goal");
        // The strip has a cell for each board, and is walked by keys.
        let cells = page.eval("document.querySelectorAll('#line i').length");
        assert_eq!(cells, json!(23));
        page.eval("document.getElementById('line').focus()");
        page.press("\u{E010}"); // end
        eventually_eq!(page.board(), "123456780");
        eventually_eq!(page.text("#path"), track);
        page.press("\u{E012}"); // left
        eventually_eq!(position(), "21 of 22 moves, 1 move from the goal");
        page.press("\u{E011}"); // home
        eventually_eq!(page.board(), "536407182");
        // It is dragged from its left end to the middle.
        let (x, y) = page.middle("#line");
        let left = page.eval("document.querySelector('#line').getBoundingClientRect().left + 4");
        page.drag((left.as_f64().unwrap(), y), (x, y));
        let at =
            || page.eval("Number(document.getElementById('line').getAttribute('aria-valuenow'))");
        eventually!((9..=12).contains(&at().as_u64().unwrap()), "{}", at());
        let at = at();
        let words = format!("{at} of 22 moves made");
        eventually!(page.text("#solutions-words").contains(&words), "{words}");
        page.shoot("path");
        // A move by hand begins another path.
        page.click("#restart");
        page.click("#back:disabled, .tile:has(.farther)");
        eventually!(position().starts_with("1 of 24 moves"));
    });
}

#[test]
#[ignore = "full run"]
fn the_browsers_back_leads_to_the_board_before_the_moves() {
    browse(Device::Desktop, "start=704851632", |page| {
        let saved = |address: &str| format!("location.hash === '#start=704851632&{address}'");
        page.until("history.state !== null");
        page.click("[data-tile='4']");
        page.until(&saved("moves=R"));
        page.click("[data-tile='1']");
        page.until(&saved("moves=RD"));
        // Settings add no entry to the history, and Back does not undo them.
        page.set("#speed", "9");
        page.click("#tab-edit");
        page.until("/speed=9/.test(location.hash)");
        // All moves are one entry.
        page.back();
        page.until("document.getElementById('distance').textContent === '19'");
        eventually_eq!(page.board(), "704851632");
        eventually_eq!(page.text("#speed-out"), "9 a second");
        eventually!(page.is_displayed("#edit"));
        // A new board, and back to the one before.
        page.click("#shuffle");
        page.until("!/start=704851632/.test(location.hash)");
        page.back();
        page.until("document.getElementById('distance').textContent === '19'");
        // A whole solution is one entry.
        let before = page.eval("history.length");
        page.set("#speed", "20");
        page.click("#solve");
        page.until("document.getElementById('board').classList.contains('solved')");
        std::thread::sleep(std::time::Duration::from_millis(300));
        let entries = page.eval("history.length").as_u64().unwrap();
        assert!(entries <= before.as_u64().unwrap() + 1, "{entries} entries");
    });
}

#[test]
#[ignore = "full run"]
fn who_solves_the_board_sees_moves_time_and_the_moves_that_lost_ground() {
    browse_on_each("start=123450786", |page| {
        // The page's clock stands still, however slow this machine is.
        page.eval("void (performance.now = () => 0)");
        // A tile that cannot slide shows the reason.
        page.click("[data-tile='1']");
        let stuck = "Tile 1 cannot slide: the blank is in another row and column.";
        eventually_eq!(page.text("#outcome"), stuck);
        page.click("[data-tile='3']");
        eventually_eq!(page.text("#clock"), "0:00");
        page.at_rest();
        page.click("[data-tile='6']"); // both tiles between slide
        eventually_eq!(page.text("#distance-words"), "Solved.");
        eventually_eq!(
            page.text("#outcome"),
            "3 moves; the optimum is 1: 2 more than needed."
        );
        eventually!(page.is_displayed("#another"));
        page.shoot("finish");
        // The review: from before the move that lost ground the game goes on.
        eventually!(page.text("#review").starts_with("1 move lost ground"));
        eventually_eq!(page.text("#path .lost"), "U");
        page.click("#path .lost");
        eventually_eq!(page.board(), "123450786");
        page.click("[data-tile='6']");
        eventually_eq!(page.text("#outcome"), "1 move: that is the optimum.");
        eventually_eq!(page.text("#review"), "");
    });
}
