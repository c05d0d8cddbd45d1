//! Searches watched, one or two at a time.

use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
#[ignore = "full run"]
fn a_search_is_watched_board_by_board_beside_the_optimum() {
    let goal: Board = "123456780".parse().unwrap();
    let manhattan = BoardHeuristic::new(&"manhattan".parse().unwrap(), &goal).unwrap();
    let settings = Settings::new(Algorithm::AStar);
    let board = "536407182".parse().unwrap();
    let report = search(&board, &goal, &settings, &manhattan, None).unwrap();
    let expansions = report.figures.expansions;
    browse_on_each("tab=searches&start=536407182", |page| {
        eventually!(
            page.text("#searches-words")
                .ends_with("a search with a perfect heuristic needs 22 expansions.")
        );
        page.click("#run");
        page.until("document.querySelector('.lane .figures').children.length");
        let words = format!("22 moves, the optimum; {expansions} expansions in ");
        eventually!(page.text(".lane-words").starts_with(&words), "{words}");
        for figure in [
            &format!("expansion1 of {expansions}"),
            "solution22 moves, the optimum is 22",
            "a perfect heuristic needs22 expansions",
        ] {
            eventually!(page.text(".figures").contains(figure), "{figure}");
        }
        // At first the root alone is open.
        let open = "document.querySelectorAll('.lane .tree .opened').length";
        eventually_eq!(
            page.eval("document.querySelector('.lane .tree .current').parentNode.dataset.board"),
            json!("536407182")
        );
        eventually_eq!(page.eval(open), json!(0));
        page.click("#watch-on");
        page.click("#watch-on");
        eventually_eq!(page.eval(open), json!(2));
        page.click("#watch-back");
        eventually_eq!(
            page.eval("document.getElementById('watch-at').value"),
            json!("2")
        );
        page.set("#watch-at", "200");
        eventually!(page.text(".figures").contains("expansion200 of"));
        eventually!(page.text(".now p").contains("in truth "));
        // The tree has grown along the way to this board, which is marked and seen.
        let shown = "document.querySelector('.lane .now svg').getAttribute('aria-label')";
        let current =
            page.eval("document.querySelector('.lane .tree .current').parentNode.dataset.board");
        let label = format!("Board {}", current.as_str().unwrap());
        eventually_eq!(page.eval(shown), json!(label));
        let seen = "(() => { const [tree, node] = ['.lane .tree', '.lane .tree .current'].map(css => \
                document.querySelector(css).getBoundingClientRect()); \
                return node.top >= tree.top && node.bottom <= tree.bottom && node.left >= tree.left && node.right <= tree.right; })()";
        eventually_eq!(page.eval(seen), json!(true));
        page.eval("document.getElementById('watch').scrollIntoView()");
        page.shoot("search");
        page.set("#watch-at", "1");
        page.click("#watch-play");
        page.until("document.getElementById('watch-at').value > 4");
        page.click("#watch-play");
        // The solution found is played on the board.
        page.set("#speed", "20");
        page.click(".lane .found ~ button");
        page.until("document.getElementById('board').classList.contains('solved')");
        let position = page.attribute("#line", "aria-valuetext");
        assert_eq!(position, "22 of 22 moves, 0 moves from the goal");
        page.click(".found-board:nth-child(4)");
        eventually_eq!(page.text("#distance"), "19");
        eventually!(page.text(".lane-words").starts_with("22 moves"));
        // A move off its path makes the result out of date.
        page.click(".tile:has(.farther)");
        eventually_eq!(
            page.text(".lane-words"),
            "The board has changed: run again."
        );
    });
}

#[test]
fn two_searches_stand_side_by_side() {
    browse_on_each("tab=searches&start=536407182", |page| {
        page.click("#two");
        page.set("#lane-b", "bfs");
        eventually_eq!(
            page.eval("document.getElementById('lane-bh').disabled"),
            json!(true)
        );
        page.click("#run");
        page.until("document.querySelectorAll('.lane .figures dt').length === 10");
        let solved =
            "[...document.querySelectorAll('.lane-words')].map(p => p.textContent.split(';')[0])";
        eventually_eq!(
            page.eval(solved),
            json!(["22 moves, the optimum", "22 moves, the optimum"])
        );
        page.set("#watch-at", "40");
        let at = "[...document.querySelectorAll('.figures dd:first-of-type')].map(d => d.textContent.split(' ')[0])";
        eventually_eq!(page.eval(at), json!(["40", "40"]));
        page.eval("document.getElementById('lanes').scrollIntoView()");
        page.shoot("two-searches");
    });
}

#[test]
#[ignore = "full run"]
fn every_algorithm_can_be_chosen() {
    browse(Device::Desktop, "tab=searches&start=123745086", |page| {
        let names: Vec<String> = Algorithm::all().map(|a| a.name().to_owned()).collect();
        let offered = "[...document.getElementById('lane-a').options].map(o => o.value)";
        eventually_eq!(page.eval(offered), json!(names));
        for name in names {
            page.set("#lane-a", &name);
            page.click("#run");
            page.until("/expansion/.test(document.querySelector('.lane-words').textContent)");
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_searchs_settings_are_offered_where_they_have_an_effect() {
    browse(Device::Desktop, "tab=searches&start=867254301", |page| {
        let offered = "[...document.querySelectorAll('.lane:first-child label:not([hidden])')].map(l => l.firstChild.data.trim())";
        for (algorithm, settings) in [
            ("idastar", json!(["Algorithm", "Heuristic"])),
            ("astar", json!(["Algorithm", "Heuristic", "Among equals"])),
            (
                "weighted-astar",
                json!(["Algorithm", "Heuristic", "Weight", "Among equals"]),
            ),
            ("beam", json!(["Algorithm", "Heuristic", "Beam width"])),
            ("genetic", json!(["Algorithm", "Heuristic", "Seed"])),
        ] {
            page.set("#lane-a", algorithm);
            eventually_eq!(page.eval(offered), settings, "{algorithm}");
        }
        // The settings are sent to the server, and the result is shown as a sentence.
        page.set("#lane-a", "hill-climbing");
        page.click("#run");
        page.until("/^Stuck after .*: no neighbour is closer by the heuristic.$/.test(document.querySelector('.lane-words').textContent)");
        let mut lengths = Vec::new();
        for (algorithm, field, value) in [
            ("weighted-astar", "#lane-a-weight", "1"),
            ("weighted-astar", "#lane-a-weight", "9"),
            ("beam", "#lane-a-width", "2"),
            ("beam", "#lane-a-width", "3"),
        ] {
            page.set("#lane-a", algorithm);
            page.set(field, value);
            page.click("#run");
            page.until("/ms/.test(document.querySelector('.lane-words').textContent)");
            let words = page.text(".lane-words");
            lengths.push(words.split(' ').next().unwrap().parse::<u32>().unwrap());
        }
        assert_eq!(lengths, [31, 47, 85, 47]);
        page.click("#share");
        eventually!(page.eval("location.hash.includes('a-width=3')") == json!(true));
        page.set("#lane-a", "random-walk");
        page.set("#lane-a-seed", "7");
        page.click("#run");
        page.until("/expansion/.test(document.querySelector('.lane-words').textContent)");
        // Text that is not a number is not accepted.
        page.set("#lane-a-seed", "");
        eventually_eq!(
            page.eval("document.getElementById('lane-a-seed').value"),
            json!("7")
        );
    });
}

#[test]
#[ignore = "full run"]
fn two_lanes_are_aligned_share_their_axes_and_are_not_cut_off() {
    browse(
        Device::Desktop,
        "tab=searches&start=536407182&two=1&watch=40&b=greedy&bh=misplaced-with-blank",
        |page| {
            page.until("document.querySelectorAll('.lane .figures dt').length === 10");
            let tops = |css: &str| {
                format!(
                    "[...document.querySelectorAll('{css}')].map(e => Math.round(e.getBoundingClientRect().top))"
                )
            };
            for css in [
                ".lane-words",
                ".figures",
                ".now",
                ".found",
                ".tree",
                ".lane .chart",
            ] {
                let tops = page.eval(&tops(css));
                assert_eq!(tops[0], tops[1], "{css}");
            }
            let marks = "[...document.querySelectorAll('.lane .chart')].map(c => [...c.querySelectorAll('text')].map(t => t.textContent).join())";
            let marks = page.eval(marks);
            assert_eq!(marks[0], marks[1]);
            let cut = "[...document.querySelectorAll('#panels, #panels *')].filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && !e.matches('.unseen, .unseen *, svg *')).map(e => e.outerHTML.slice(0, 90))";
            eventually_eq!(page.eval(cut), json!([]));
            page.eval("document.getElementById('lanes').scrollIntoView()");
            page.shoot("lanes");
        },
    );
}
