//! The picture of all boards, and the race on it.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, BoardHeuristic, Settings, search};
use serde_json::json;

use crate::browser::{Device, Page, browse, browse_on_each};

/// The words at the end of the race from the board that the page opens with.
fn outcome() -> String {
    let goal: Board = "123456780".parse().unwrap();
    let manhattan = BoardHeuristic::new(&"manhattan".parse().unwrap(), &goal).unwrap();
    let board = "536407182".parse().unwrap();
    let words = |algorithm, name: &str, end: &str| {
        let settings = Settings::new(algorithm);
        let report = search(&board, &goal, &settings, &manhattan, None).unwrap();
        let (opened, length) = (report.figures.expansions, report.result.unwrap().len());
        format!("{name} opened {opened} boards and found a way of {length} moves{end}.")
    };
    let astar = words(Algorithm::AStar, "A*", ", the shortest");
    let greedy = words(Algorithm::Greedy, "Greedy best-first", "");
    format!("{astar} {greedy}")
}

/// Pixels of a layer of the picture that are not empty.
fn drawn(page: &Page, layer: u32) -> u64 {
    let count = format!(
        "(canvas => {{
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
            copy.drawImage(canvas, 0, 0);
            return copy.getImageData(0, 0, canvas.width, canvas.height).data.filter((value, i) => i % 4 === 3 && value > 0).length;
        }})(document.querySelectorAll('#map canvas')[{layer}])"
    );
    page.eval(&count).as_u64().unwrap()
}

#[test]
fn the_page_opens_on_a_race_over_all_boards() {
    let outcome = outcome();
    browse_on_each("", |page| {
        page.middle("#map"); // it is played where it is seen
        eventually_eq!(page.text("#race-words"), outcome);
        let lanes = "[...document.querySelectorAll('.lane-key b')].map(b => b.textContent)";
        assert_eq!(page.eval(lanes), json!(["A*", "Greedy best-first"]));
        assert!(drawn(page, 0) > 30_000, "all boards");
        assert!(drawn(page, 1) > 1_000, "both searches");
        page.shoot("race");
        // A move clears it away, and it can be played again.
        page.until("document.getElementById('race').textContent === 'Race'");
        page.click("[data-tile='4']");
        eventually_eq!(page.text("#race-words"), "");
        assert_eq!(drawn(page, 1), 0);
        page.click("#restart");
        page.click("#race");
        eventually_eq!(page.text("#race"), "Stop");
        page.click("#race");
        eventually_eq!(page.text("#race-words"), "");
    });
}

#[test]
#[ignore = "full run"]
fn who_wants_less_motion_gets_the_end_of_the_race() {
    browse(Device::Desktop, "start=536407182", |page| {
        page.prefer("prefers-reduced-motion", "reduce");
        page.visit("");
        eventually_eq!(page.text("#race-words"), outcome());
        page.run(
            "window.frames = 0; window.count = () => { frames++; requestAnimationFrame(count); };",
        );
        assert!(drawn(page, 1) > 1_000, "both searches");
    });
}

#[test]
#[ignore = "full run"]
fn a_point_shows_its_board_and_leads_there() {
    browse_on_each("start=536407182", |page| {
        let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
        eventually!(drawn(page, 2) > 0, "the board has its place");
        for (dx, dy) in [(0.0, 0.0), (40.0, 10.0), (-90.0, 0.0)] {
            let (x, y) = page.middle("#map");
            let place = (x + dx, y + dy);
            page.drag(place, place);
            if page.device == Device::Telephone {
                eventually!(page.is_displayed("#map-tip button"));
                page.eval("document.querySelector('#map-tip button').click()");
            }
            let told = || {
                page.text("#map-tip span")
                    .split(' ')
                    .next()
                    .unwrap()
                    .to_owned()
            };
            eventually_eq!(page.text("#distance"), told());
            let board: Board = page.board().parse().unwrap();
            let distance = oracle.distance(&board).unwrap();
            assert_eq!(page.text("#distance"), distance.to_string());
        }
        page.shoot("map");
    });
}

#[test]
fn the_picture_has_every_board_at_its_distance() {
    browse(Device::Desktop, "start=536407182", |page| {
        for goal in ["123456780", "123804765", "312405678"] {
            let oracle = Oracle::for_goal(&goal.parse().unwrap()).unwrap();
            let found = page.run(&format!(
                "const {{ States, SHAPES, parse, word }} = await import(document.querySelector('script[type=module]').src);
                const states = await new States(parse('{goal}', SHAPES['3x3'])).grow(async () => null);
                const levels = states.first.slice(0, -1).map((first, i) => states.first[i + 1] - first);
                const some = Array.from({{ length: 1000 }}, (_, i) => i * 181);
                const isSame = some.every(state => states.of(states.board(state)) === state);
                return [levels, isSame, some.map(state => [word(states.board(state)), states.levels[state]])];"
            ));
            let levels = oracle.table().unwrap().header().levels();
            assert_eq!(found[0], json!(levels), "levels of {goal}");
            assert_eq!(found[1], json!(true), "boards of {goal}");
            for one in found[2].as_array().unwrap() {
                let board: Board = one[0].as_str().unwrap().parse().unwrap();
                assert_eq!(json!(oracle.distance(&board).unwrap()), one[1], "{board}");
            }
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_larger_shape_has_its_levels_and_the_path() {
    browse(
        Device::Desktop,
        "shape=4x4&start=1204573ad98cebf6",
        |page| {
            eventually!(
                page.text("#map-words")
                    .starts_with("Each ring is a distance")
            );
            eventually!(drawn(page, 0) > 10_000);
            page.until("document.querySelector('.after.closer')");
            page.click("#step");
            eventually!(drawn(page, 2) > 0);
            assert!(!page.is_displayed("#race"));
        },
    );
}

/// The pictures of the README, which are those of `target/page-screenshots/`.
#[test]
#[ignore = "full run"]
fn the_pictures_of_the_readme_are_made_again() {
    browse_on_each("", |page| {
        let scheme = match page.device {
            Device::Desktop => "dark",
            Device::Telephone => "light",
        };
        page.prefer("prefers-color-scheme", scheme);
        match page.device {
            Device::Desktop => page.window(1280, 720),
            Device::Telephone => page.window(390, 844),
        }
        page.visit("");
        eventually_eq!(page.text("#race-words"), outcome());
        page.until("document.getElementById('race').textContent === 'Race'");
        page.eval("scrollTo(0, 0)");
        page.shoot("readme-race");
    });
    browse(Device::Desktop, "start=867254301", |page| {
        page.window(1280, 720);
        page.until("document.querySelector('.after.closer')");
        eventually!(drawn(page, 2) > 0, "the board has its place");
        for _ in 0..9 {
            page.click("#step");
        }
        eventually_eq!(page.text("#distance"), "22");
        page.shoot("readme-path");
    });
}
