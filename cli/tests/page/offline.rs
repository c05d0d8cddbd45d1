//! Page after the end of its server.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::Algorithm;
use puzzledb::space::StateIndex;
use serde_json::{Value, json};

use crate::browser::{Device, Page, browse, browse_on_each};
use crate::run::run;

#[test]
#[ignore = "full run"]
fn the_page_goes_on_when_the_server_is_gone() {
    browse_on_each("start=704851632&speed=20", |page| {
        page.until("document.getElementById('badge').textContent === 'online'");
        page.until("performance.getEntriesByType('resource').some(e => /verify.wasm/.test(e.name) && e.responseEnd)");
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
        for unread in ["hello world", "Length: -31"] {
            page.set("#answer", "31");
            page.click("#judge");
            page.until("/^optimal/.test(document.getElementById('verdict-words').textContent)");
            page.set("#answer", unread);
            page.click("#judge");
            page.until("/^Line 1: /.test(document.getElementById('verdict-words').textContent)");
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
    });
}

#[test]
#[ignore = "full run"]
fn every_search_in_the_page_is_that_of_the_command_line() {
    let address = "tab=searches&start=704851632&a-seed=7&a-ties=fifo";
    browse(Device::Desktop, address, |page| {
        page.until("document.getElementById('badge').textContent === 'online'");
        page.until("performance.getEntriesByType('resource').some(e => /verify.wasm/.test(e.name) && e.responseEnd)");
        page.end_server();
        let dir = tempfile::tempdir().unwrap();
        for algorithm in Algorithm::all() {
            let name = algorithm.name();
            let limits = ["--limit-expansions", "1000000", "--json"];
            let settings = ["--seed", "7", "--ties", "fifo"];
            let args = [
                "search",
                "704851632",
                "--heuristic",
                "manhattan",
                "--algorithm",
                name,
            ];
            let ran = run(dir.path(), &[&args[..], &settings, &limits].concat());
            let record: Value = serde_json::from_str(&ran.out).unwrap();
            let [length, expansions] =
                ["length", "expansions"].map(|field| record[field].to_string());
            page.set("#lane-a", name);
            page.click("#run");
            page.until("/expansion/.test(document.querySelector('.lane-words').textContent)");
            let words = page.text(".lane-words").replace(',', "");
            let numbers: Vec<&str> = words
                .split(|c: char| !c.is_ascii_digit())
                .filter(|number| !number.is_empty())
                .collect();
            let shown =
                numbers.contains(&&*expansions) && (length == "null" || numbers[0] == length);
            assert!(shown, "{name}: {words}, {record}");
        }
    });
}

/// Records without what depends on the machine, and what the page adds.
fn comparable(mut record: Value) -> Value {
    let fields = record.as_object_mut().unwrap();
    for field in ["seconds", "memory", "moves", "trace"] {
        fields.remove(field);
    }
    record
}

/// Asks the module in the page.
fn ask(page: &Page, path: &str, query: &Value, body: &str) -> Value {
    page.run(&format!(
        "const {{ library }} = await import(document.querySelector('script[type=module]').src); return library.ask([{}, {query}, {}]);",
        json!(path),
        json!(body)
    ))
}

#[test]
#[ignore = "full run"]
fn the_module_has_the_records_of_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let json = |args: &[&str]| -> Vec<Value> {
        let ran = run(dir.path(), args);
        let lines = ran
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    };
    browse(Device::Desktop, "start=704851632", |page| {
        for algorithm in Algorithm::all() {
            let name = algorithm.name();
            let expected = json(&[
                "search",
                "536407182",
                "-a",
                name,
                "--limit-expansions",
                "1000000",
                "--json",
            ]);
            let query = json!({"board": "536407182", "algorithm": name});
            let found = ask(page, "3x3/search", &query, "");
            assert_eq!(comparable(found), comparable(expected[0].clone()), "{name}");
        }
        let dialects = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/dialects");
        for file in std::fs::read_dir(dialects).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let path = path.canonicalize().unwrap();
            let shape = match path.ends_with("two-by-three.txt") {
                true => "2x3",
                false => "3x3",
            };
            let file = path.to_str().unwrap();
            let mut expected = json(&["verify", file, "--shape", shape, "--json"]);
            expected.retain(|line| !line["board"].is_null());
            let expected: Vec<Value> = expected.into_iter().map(comparable).collect();
            let verified = ask(page, &format!("{shape}/verify"), &json!({}), &text);
            let records = verified["records"].as_array().unwrap().iter();
            let records: Vec<Value> = records.cloned().map(comparable).collect();
            assert_eq!(records, expected, "{file}");
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_reload_works_when_the_server_is_gone() {
    browse(Device::Desktop, "start=536407182", |page| {
        let manifest = page.run("const r = await fetch('page/manifest.webmanifest'); return [r.headers.get('content-type'), await r.json()]");
        assert_eq!(manifest[0], "application/manifest+json");
        assert_eq!(manifest[1]["start_url"], "../");
        page.run(
            "const kept = async () => (await (await caches.open('puzzledb')).keys()).map(request => new URL(request.url).pathname);
            while (!(await kept()).some(path => /^\\/page\\/[0-9a-f]{12}-puzzledb.wasm.gz$/.test(path)))
              await new Promise(done => setTimeout(done, 20));",
        );
        page.end_server();
        page.visit("start=867254301&goal=123804765");
        page.until("document.getElementById('badge').textContent === 'offline'");
        let truth = Oracle::for_goal(&"123804765".parse().unwrap()).unwrap();
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

/// Distances by the module in the page.
pub fn distances(page: &Page, goal: &Board, boards: &[String]) -> Vec<u8> {
    let path = format!("{}/probe", goal.shape());
    let body = json!({ "boards": boards }).to_string();
    let probed = ask(page, &path, &json!({"goal": goal.to_string()}), &body);
    let probes = probed["probes"].as_array().unwrap().iter();
    probes
        .map(|probe| probe["distance"].as_u64().unwrap() as u8)
        .collect()
}

/// Goals of every class and orientation.
#[test]
#[ignore = "full run"]
fn the_page_knows_every_distance() {
    browse(Device::Desktop, "start=704851632", |page| {
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
            let oracle = Oracle::for_goal(&goal).unwrap();
            let states = (0..181_440).step_by(181);
            let boards: Vec<Board> = states
                .map(|i| oracle.space().unwrap().unrank(StateIndex(i)))
                .collect();
            let truth: Vec<u8> = boards.iter().map(|b| oracle.distance(b).unwrap()).collect();
            let words: Vec<String> = boards.iter().map(Board::to_string).collect();
            assert_eq!(distances(page, &goal, &words), truth, "distances to {goal}");
        }
    });
}
