//! The server goes, the page goes on.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::space::StateIndex;
use serde_json::json;

use crate::browser::{DEVICES, Device, browse};

#[test]
fn the_page_goes_on_when_the_server_is_gone() {
    for device in DEVICES {
        browse(device, "speed=20", async |page| {
            page.until("document.getElementById('badge').textContent === 'online'")
                .await;
            // Each table is fetched once by the page, and perhaps once more to be kept.
            page.until("new Set(performance.getEntriesByType('resource').map(e => e.name).filter(name => /database/.test(name))).size === 3").await;
            page.end_server().await;
            page.shoot("offline").await;
            page.click("#hint").await;
            page.until("document.querySelector('.hinted')").await;
            page.click("#solve").await;
            page.until("document.getElementById('board').classList.contains('solved')")
                .await;
            page.set("#shuffle-to", "31").await;
            page.click("#shuffle").await;
            assert_eq!(
                page.text("#solutions-words").await,
                "40 shortest solutions, 31 moves; number 1 is chosen."
            );
            page.click("#tab-space").await;
            assert!(page.text("#histogram-words").await.contains("mean 21.97"));
            page.click("#tab-verify").await;
            page.set("#answer", "29").await;
            page.click("#judge").await;
            page.until("document.querySelector('#verdicts tbody')")
                .await;
            assert_eq!(
                page.text("#verdict-words").await,
                "impossible: shorter than optimal: the optimum is 31; claimed 29."
            );
            for unread in [
                "board,moves\n704851632,19",
                "hello world",
                "Length: -31",
                "# 704851632 19",
            ] {
                page.set("#answer", "31").await;
                page.click("#judge").await;
                page.until("/^optimal/.test(document.getElementById('verdict-words').textContent)")
                    .await;
                page.set("#answer", unread).await;
                page.click("#judge").await;
                page.until(
                    "/the server is gone/.test(document.getElementById('verdict-words').textContent)",
                )
                .await;
            }
            page.set("#answer", "704851632 19\n536407182\tRDL\n").await;
            page.click("#judge").await;
            page.until(
                "document.getElementById('verdict-words').textContent === '1 of 2 answers right.'",
            )
            .await;
            // A goal of another class.
            page.click("#tab-edit").await;
            page.click("[data-goal='spiral']").await;
            page.set("#type-start", "281043765").await;
            page.until("document.getElementById('distance').textContent === '9'")
                .await;
            // Searches that the page can run itself, and one that it cannot.
            page.click("#tab-searches").await;
            for name in ["bfs", "ucs", "astar", "greedy", "weighted-astar"] {
                page.set("#lane-a", name).await;
                page.click("#run").await;
                page.until(
                    "/Run in the page/.test(document.querySelector('.lane-words').textContent)",
                )
                .await;
            }
            page.set("#lane-a", "idastar").await;
            page.click("#run").await;
            page.until("/IDA\\* is run by the server/.test(document.querySelector('.lane-words').textContent)").await;
        });
    }
}

#[test]
fn a_reload_works_when_the_server_is_gone() {
    browse(Device::Desktop, "start=536407182", async |page| {
        let kept = "const kept = await caches.open('puzzledb');
            return (await kept.keys()).map(request => new URL(request.url).pathname)";
        let manifest = page.run("const r = await fetch('page/manifest.webmanifest'); return [r.headers.get('content-type'), await r.json()]").await;
        assert_eq!(manifest[0], "application/manifest+json");
        assert_eq!(manifest[1]["start_url"], "../");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while page.run(kept).await.as_array().is_none_or(|all| {
            all.iter()
                .filter(|path| **path == "/v1/3x3/database")
                .count()
                < 3
        }) {
            assert!(std::time::Instant::now() < end, "the page is kept");
        }
        page.end_server().await;
        page.visit("start=867254301&goal=123804765").await;
        page.until("document.getElementById('badge').textContent === 'offline'")
            .await;
        let truth = Oracle::in_memory(&"123804765".parse().unwrap()).unwrap();
        let hardest: Board = "867254301".parse().unwrap();
        assert_eq!(
            page.text("#distance").await,
            truth
                .distance(&hardest)
                .map_or("∞".to_owned(), |far| far.to_string())
        );
        page.click("#tab-searches").await;
        page.shoot("reloaded").await;
    });
}

/// The page's table against the library's, for goals of every class and orientation.
#[test]
fn the_page_knows_every_distance() {
    browse(Device::Desktop, "", async |page| {
        for goal in [
            "123456780",
            "012345678",
            "123804765",
            "857612340",
            "420318657",
            "312405678",
            "123746058",
            "513627408",
        ] {
            let goal: Board = goal.parse().unwrap();
            let oracle = Oracle::in_memory(&goal).unwrap();
            let states = (0..181_440).step_by(181);
            let boards: Vec<Board> = states.map(|i| oracle.unrank(StateIndex(i))).collect();
            let truth: Vec<u8> = boards.iter().map(|b| oracle.distance(b).unwrap()).collect();
            let words: Vec<String> = boards.iter().map(Board::to_string).collect();
            let told = page
                .run(&format!(
                    "const {{ TableOracle, Table, CLASS_GOALS, classOf }} = await import('/page/table.js');
                    const {{ SHAPES, parse }} = await import('/page/board.js');
                    const goal = parse('{goal}', SHAPES['3x3']);
                    const file = await fetch('/v1/3x3/database?encoding=bit&goal=' + CLASS_GOALS[classOf(goal)]);
                    const oracle = new TableOracle(new Table(await file.arrayBuffer()), goal);
                    return {}.map(b => oracle.known(parse(b, goal.shape)));",
                    json!(words)
                ))
                .await;
            assert_eq!(told, json!(truth), "distances to {goal}");
        }
    });
}
