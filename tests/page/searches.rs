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
            page.eval("document.getElementById('watch').scrollIntoView()")
                .await;
            page.shoot("search").await;
            page.set("#watch-at", "1").await;
            page.click("#watch-play").await;
            page.until("document.getElementById('watch-at').value > 4")
                .await;
            page.click("#watch-play").await;
            // After a move it is another question.
            page.click("#step").await;
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
                page.until("/ms/.test(document.querySelector('.lane-words').textContent)")
                    .await;
            }
        },
    );
}
