//! Page after the end of its server.

use puzzledb::oracle::TableOracle;
use puzzledb::puzzle::Board;
use puzzledb::space::StateIndex;
use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
fn the_page_goes_on_when_the_server_is_gone() {
    browse_on_each("speed=20", |page| {
        page.until("document.getElementById('badge').textContent === 'online'");
        // Each table is fetched once by the page, and perhaps once more to be kept.
        page.until("new Set(performance.getEntriesByType('resource').map(e => e.name).filter(name => /database/.test(name))).size === 3");
        page.end_server();
        page.shoot("offline");
        page.click("#hint");
        page.until("document.querySelector('.hinted')");
        page.click("#solve");
        page.until("document.getElementById('board').classList.contains('solved')");
        page.set("#shuffle-to", "31");
        page.click("#shuffle");
        eventually_eq!(
            page.text("#solutions-words"),
            "40 shortest solutions, 31 moves; number 1 is chosen."
        );
        page.click("#tab-space");
        eventually!(page.text("#histogram-words").contains("mean 21.97"));
        page.click("#tab-verify");
        page.set("#answer", "29");
        page.click("#judge");
        page.until("document.querySelector('#verdicts tbody')");
        eventually_eq!(
            page.text("#verdict-words"),
            "impossible: shorter than optimal: the optimum is 31; claimed 29."
        );
        for unread in [
            "board,moves\n704851632,19",
            "hello world",
            "Length: -31",
            "# 704851632 19",
        ] {
            page.set("#answer", "31");
            page.click("#judge");
            page.until("/^optimal/.test(document.getElementById('verdict-words').textContent)");
            page.set("#answer", unread);
            page.click("#judge");
            page.until(
                "/the server is gone/.test(document.getElementById('verdict-words').textContent)",
            );
        }
        page.set("#answer", "704851632 19\n536407182\tRDL\n");
        page.click("#judge");
        page.until(
            "document.getElementById('verdict-words').textContent === '1 of 2 answers right.'",
        );
        // A goal of another class.
        page.click("#tab-edit");
        page.click("[data-goal='spiral']");
        page.set("#type-start", "281043765");
        page.until("document.getElementById('distance').textContent === '9'");
        // Searches that the page can run itself, and one that it cannot.
        page.click("#tab-searches");
        for name in ["bfs", "ucs", "astar", "greedy", "weighted-astar"] {
            page.set("#lane-a", name);
            page.click("#run");
            page.until("/Run in the page/.test(document.querySelector('.lane-words').textContent)");
        }
        page.set("#lane-a", "idastar");
        page.click("#run");
        page.until(
            "/IDA\\* is run by the server/.test(document.querySelector('.lane-words').textContent)",
        );
    });
}

#[test]
fn a_reload_works_when_the_server_is_gone() {
    browse(Device::Desktop, "start=536407182", |page| {
        let manifest = page.run("const r = await fetch('page/manifest.webmanifest'); return [r.headers.get('content-type'), await r.json()]");
        assert_eq!(manifest[0], "application/manifest+json");
        assert_eq!(manifest[1]["start_url"], "../");
        page.run(
            "const kept = async () => (await (await caches.open('puzzledb')).keys()).map(request => new URL(request.url).pathname);
            while ((await kept()).filter(path => path === '/v1/3x3/database').length < 3)
              await new Promise(done => setTimeout(done, 20));",
        );
        page.end_server();
        page.visit("start=867254301&goal=123804765");
        page.until("document.getElementById('badge').textContent === 'offline'");
        let truth = TableOracle::in_memory(&"123804765".parse().unwrap()).unwrap();
        let hardest: Board = "867254301".parse().unwrap();
        eventually_eq!(
            page.text("#distance"),
            truth
                .distance(&hardest)
                .map_or("∞".to_owned(), |far| far.to_string())
        );
        page.click("#tab-searches");
        page.shoot("reloaded");
    });
}

/// Compares the page's table with the library's, for goals of every class and orientation.
#[test]
fn the_page_knows_every_distance() {
    browse(Device::Desktop, "", |page| {
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
            let oracle = TableOracle::in_memory(&goal).unwrap();
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
                ));
            assert_eq!(told, json!(truth), "distances to {goal}");
        }
    });
}
