//! Space: histogram, hardest boards, heuristics.

use puzzledb::puzzle::Board;
use puzzledb::search::{BoardHeuristic, HeuristicName};
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
#[ignore = "full run"]
fn the_histogram_marks_the_board_and_leads_to_others() {
    browse_on_each("start=704851632&tab=space", |page| {
        let words = "181,440 boards by their distance from 123456780: mean 21.97, largest 31.";
        eventually!(page.text("#histogram-words").starts_with(words));
        let words = "19 moves away, as 10,877 others are;";
        eventually!(page.text("#histogram-words").contains(words));
        let bars = "24: 24047, 25: 15578";
        eventually!(
            page.attribute("#histogram svg", "aria-label")
                .contains(bars)
        );
        eventually_eq!(
            page.eval("document.querySelector('.bar.here').dataset.distance"),
            json!("19")
        );
        page.middle("#histogram");
        page.shoot("space");
        // A bar leads to a board at its distance.
        page.click(".bar[data-distance='24'] rect:nth-child(2)");
        eventually_eq!(page.text("#distance"), "24");
        eventually_eq!(
            page.eval("document.querySelector('.bar.here').dataset.distance"),
            json!("24")
        );
        // The hardest are one click away.
        let hardest = "[...document.querySelectorAll('#hardest button')].map(b => b.textContent.slice(-9)).sort()";
        eventually_eq!(page.eval(hardest), json!(["647850321", "867254301"]));
        page.click("#hardest button");
        eventually_eq!(page.text("#distance"), "31");
    });
}

#[test]
#[ignore = "full run"]
fn the_bars_are_reached_by_the_keyboard_and_the_axis_has_powers_of_ten() {
    browse(Device::Desktop, "start=704851632&tab=space", |page| {
        // The bars are there when the board's distance is.
        eventually_eq!(page.text("#distance"), "19");
        let bar = "document.activeElement.getAttribute('aria-label')";
        page.eval("document.querySelector('.bar.here[tabindex=\"0\"]').focus()");
        eventually_eq!(page.eval(bar), json!("Distance 19: 10,878 boards"));
        page.press("\u{E012}\u{E012}"); // left
        eventually_eq!(page.eval(bar), json!("Distance 17: 5,638 boards"));
        page.press("\u{E011}"); // home
        eventually_eq!(page.eval(bar), json!("Distance 0: 1 board"));
        page.press("\u{E014}\u{E014}\u{E007}"); // right twice, enter
        eventually_eq!(page.text("#distance"), "2");
        eventually_eq!(
            page.eval(bar),
            json!("Distance 2: 4 boards"),
            "the focus stays"
        );
        let marks = "[...document.querySelectorAll('#histogram text[text-anchor=end]')].map(t => t.textContent).slice(0, 5)";
        page.click("#log");
        eventually_eq!(
            page.eval(marks),
            json!(["1", "10", "100", "1,000", "10,000"])
        );
        page.shoot("powers-of-ten");
        page.until("/log=1/.test(location.hash)");
    });
}

#[test]
#[ignore = "full run"]
fn heuristics_have_the_librarys_values() {
    browse(Device::Desktop, "start=704851632", |page| {
        for (start, goal) in [
            ("870654321", "123456780"),
            ("638541720", "123456780"),
            ("281043765", "123804765"),
        ] {
            page.visit(&format!("tab=space&start={start}&goal={goal}"));
            let goal: Board = goal.parse().unwrap();
            for name in HeuristicName::all() {
                let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
                let value = heuristic.value(&start.parse().unwrap());
                let shown = page.text(&format!("[data-heuristic='{name}'] .number"));
                let rounded = (value * 100.0).round() / 100.0;
                assert_eq!(shown, rounded.to_string(), "{name} of {start}");
            }
        }
        // A heuristic above the distance is marked.
        page.visit("tab=space&start=870654321");
        let row = page.text("[data-heuristic='linear-conflict-naive']");
        assert!(row.ends_with("too much"), "{row}");
        page.middle("#heuristics");
        page.shoot("heuristics");
    });
}
