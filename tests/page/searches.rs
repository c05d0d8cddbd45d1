//! Searches watched, one or two at a time.

use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
use serde_json::json;

use crate::browser::{DEVICES, Device, browse};

#[test]
fn a_search_is_watched_board_by_board_beside_the_optimum() {
    let goal: Board = "123456780".parse().unwrap();
    let manhattan = BoardHeuristic::new(&"manhattan".parse().unwrap(), &goal).unwrap();
    let settings = Settings::new(Algorithm::AStar);
    let board = "536407182".parse().unwrap();
    let report = search(&board, &goal, &settings, &manhattan, None).unwrap();
    let expansions = report.figures.expansions;
    for device in DEVICES {
        browse(device, "tab=searches&start=536407182", async |page| {
            assert!(
                page.text("#searches-words")
                    .await
                    .ends_with("a search with a perfect heuristic needs 22 expansions.")
            );
            page.click("#run").await;
            page.until("document.querySelector('.lane .figures').children.length")
                .await;
            let words = page.text(".lane-words").await;
            assert!(
                words.starts_with(&format!(
                    "22 moves, the optimum; {expansions} expansions in "
                )),
                "{words}"
            );
            let figures = page.text(".figures").await;
            assert!(
                figures.contains(&format!("expansion1 of {expansions}")),
                "{figures}"
            );
            assert!(
                figures.contains("solution22 moves, the optimum is 22"),
                "{figures}"
            );
            assert!(
                figures.contains("a perfect heuristic needs22 expansions"),
                "{figures}"
            );
            // At first the root alone is open.
            let open = "document.querySelectorAll('.lane .tree .opened').length";
            assert_eq!(
                page.eval(
                    "document.querySelector('.lane .tree .current').parentNode.dataset.board"
                )
                .await,
                json!("536407182")
            );
            assert_eq!(page.eval(open).await, json!(0));
            page.click("#watch-on").await;
            page.click("#watch-on").await;
            assert_eq!(page.eval(open).await, json!(2));
            page.click("#watch-back").await;
            assert_eq!(
                page.eval("document.getElementById('watch-at').value").await,
                json!("2")
            );
            page.set("#watch-at", "200").await;
            assert!(page.text(".figures").await.contains("expansion200 of"));
            assert!(page.text(".now p").await.contains("in truth "));
            // The tree has grown along the way to this board, which is marked and seen.
            let shown = "document.querySelector('.lane .now svg').getAttribute('aria-label')";
            let current = page
                .eval("document.querySelector('.lane .tree .current').parentNode.dataset.board")
                .await;
            let label = format!("Board {}", current.as_str().unwrap());
            assert_eq!(page.eval(shown).await, json!(label));
            let seen = "(() => { const [tree, node] = ['.lane .tree', '.lane .tree .current'].map(css => \
                document.querySelector(css).getBoundingClientRect()); \
                return node.top >= tree.top && node.bottom <= tree.bottom && node.left >= tree.left && node.right <= tree.right; })()";
            assert_eq!(page.eval(seen).await, json!(true));
            page.eval("document.getElementById('watch').scrollIntoView()")
                .await;
            page.shoot("search").await;
            page.set("#watch-at", "1").await;
            page.click("#watch-play").await;
            page.until("document.getElementById('watch-at').value > 4")
                .await;
            page.click("#watch-play").await;
            // What it found is played on the board.
            page.set("#speed", "20").await;
            page.click(".lane .found ~ button").await;
            page.until("document.getElementById('board').classList.contains('solved')")
                .await;
            assert_eq!(page.text("#position-out").await, "22 of 22");
            page.click(".found-board:nth-child(4)").await;
            assert_eq!(page.text("#distance").await, "19");
            assert!(page.text(".lane-words").await.starts_with("22 moves"));
            // After a move off its path it is another question.
            page.click(".tile:has(.farther)").await;
            assert_eq!(
                page.text(".lane-words").await,
                "The board has changed: run again."
            );
        });
    }
}

#[test]
fn two_searches_stand_side_by_side() {
    for device in DEVICES {
        browse(device, "tab=searches&start=536407182", async |page| {
            page.click("#two").await;
            page.set("#lane-b", "bfs").await;
            assert_eq!(
                page.eval("document.getElementById('lane-bh').disabled")
                    .await,
                json!(true)
            );
            page.click("#run").await;
            page.until("document.querySelectorAll('.lane .figures dt').length === 10")
                .await;
            let solved = "[...document.querySelectorAll('.lane-words')].map(p => p.textContent.split(';')[0])";
            assert_eq!(
                page.eval(solved).await,
                json!(["22 moves, the optimum", "22 moves, the optimum"])
            );
            page.set("#watch-at", "40").await;
            let at = "[...document.querySelectorAll('.figures dd:first-of-type')].map(d => d.textContent.split(' ')[0])";
            assert_eq!(page.eval(at).await, json!(["40", "40"]));
            page.eval("document.getElementById('lanes').scrollIntoView()")
                .await;
            page.shoot("two-searches").await;
        });
    }
}

#[test]
fn every_algorithm_can_be_chosen() {
    browse(
        Device::Desktop,
        "tab=searches&start=123745086",
        async |page| {
            let names: Vec<String> = Algorithm::all().map(|a| a.name().to_owned()).collect();
            let offered = page
                .eval("[...document.getElementById('lane-a').options].map(o => o.value)")
                .await;
            assert_eq!(offered, json!(names));
            for name in names {
                page.set("#lane-a", &name).await;
                page.click("#run").await;
                page.until("/expansion/.test(document.querySelector('.lane-words').textContent)")
                    .await;
            }
        },
    );
}

#[test]
fn a_searchs_settings_are_offered_where_they_have_an_effect() {
    browse(
        Device::Desktop,
        "tab=searches&start=867254301",
        async |page| {
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
                page.set("#lane-a", algorithm).await;
                assert_eq!(page.eval(offered).await, settings, "{algorithm}");
            }
            // They are told to the server, and what comes of it is a sentence.
            page.set("#lane-a", "hill-climbing").await;
            page.click("#run").await;
            page.until("/^Stuck after .*: no neighbour is closer by the heuristic.$/.test(document.querySelector('.lane-words').textContent)").await;
            let mut lengths = Vec::new();
            for (algorithm, field, value) in [
                ("weighted-astar", "#lane-a-weight", "1"),
                ("weighted-astar", "#lane-a-weight", "9"),
                ("beam", "#lane-a-width", "2"),
                ("beam", "#lane-a-width", "3"),
            ] {
                page.set("#lane-a", algorithm).await;
                page.set(field, value).await;
                page.click("#run").await;
                page.until("/ms/.test(document.querySelector('.lane-words').textContent)")
                    .await;
                let words = page.text(".lane-words").await;
                lengths.push(words.split(' ').next().unwrap().parse::<u32>().unwrap());
            }
            assert_eq!(lengths, [31, 47, 85, 47]);
            page.click("#share").await;
            assert!(page.eval("location.hash.includes('a-width=3')").await == json!(true));
            page.set("#lane-a", "random-walk").await;
            page.set("#lane-a-seed", "7").await;
            page.click("#run").await;
            page.until("/expansion/.test(document.querySelector('.lane-words').textContent)")
                .await;
            // What is no number is not taken.
            page.set("#lane-a-seed", "").await;
            assert_eq!(
                page.eval("document.getElementById('lane-a-seed').value")
                    .await,
                json!("7")
            );
        },
    );
}

#[test]
fn two_lanes_are_aligned_share_their_axes_and_are_not_cut_off() {
    browse(
        Device::Desktop,
        "tab=searches&start=536407182&two=1&watch=40&b=greedy&bh=misplaced-with-blank",
        async |page| {
            page.until("document.querySelectorAll('.lane .figures dt').length === 10")
                .await;
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
                let tops = page.eval(&tops(css)).await;
                assert_eq!(tops[0], tops[1], "{css}");
            }
            let marks = "[...document.querySelectorAll('.lane .chart')].map(c => [...c.querySelectorAll('text')].map(t => t.textContent).join())";
            let marks = page.eval(marks).await;
            assert_eq!(marks[0], marks[1]);
            let cut = "[...document.querySelectorAll('#panels, #panels *')].filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && !e.matches('.unseen, .unseen *, svg *')).map(e => e.outerHTML.slice(0, 90))";
            assert_eq!(page.eval(cut).await, json!([]));
            page.eval("document.getElementById('lanes').scrollIntoView()")
                .await;
            page.shoot("lanes").await;
        },
    );
}
