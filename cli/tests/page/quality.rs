//! Accessibility: axe-core, small windows, keyboard alone, less motion.

use serde_json::{Value, json};

use crate::browser::{Device, Page, browse, browse_on_each};

/// Source of axe-core, which finds violations of accessibility in a page.
const AXE: &str = include_str!("../axe/axe.min.js");

/// States of each panel with as much on it as possible.
const STATES: [&str; 10] = [
    "start=536407182&moves=LUR&at=2&pick=3.0",
    "tab=edit&start=123456870",
    "tab=space&start=870654321",
    "tab=searches&start=536407182&two=1&watch=9",
    "start=704851632&tab=verify&answer=704851632+21%0A536407182+22",
    "start=704851632&tab=options",
    "start=123456780&moves=&tab=space",
    "shape=4x4&start=1204573ad98cebf6&moves=LR&at=1",
    "shape=5x5&tab=space",
    "shape=2x5&tab=edit",
];

/// Brings the page to another state by its address alone, and waits until nothing moves.
fn settle(page: &Page, state: &str) {
    let tab = tab(state);
    page.eval(&format!("location.hash = {state:?}"));
    page.until(&format!(
        "document.querySelector('#tab-{tab}[aria-selected=true]')"
    ));
    if state.contains("watch") {
        page.until("document.querySelectorAll('.figures dt').length === 10");
    }
    page.at_rest();
}

fn tab(state: &str) -> &str {
    let tab = state.split('&').find_map(|part| part.strip_prefix("tab="));
    tab.unwrap_or("solutions")
}

/// Violations found by axe-core, each with its first elements.
fn violations(page: &Page) -> Value {
    page.run(
        "const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const found = await axe.run(document, { runOnly, resultTypes: ['violations'] });
        return found.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))]);",
    )
}

#[test]
#[ignore = "full run"]
fn axe_finds_no_violation() {
    browse_on_each("start=704851632&tab=edit", |page| {
        page.run(AXE);
        let schemes = match (crate::full::is_full(), page.device) {
            (true, _) => &["light", "dark"][..],
            (false, Device::Desktop) => &["light"],
            (false, Device::Telephone) => &["dark"],
        };
        for scheme in schemes {
            page.prefer("prefers-color-scheme", scheme);
            for state in STATES {
                settle(page, state);
                assert_eq!(violations(page), json!([]), "{state}, {scheme}");
            }
            settle(page, STATES[0]);
            page.shoot(&format!("scheme-{scheme}"));
        }
    });
}

#[test]
#[ignore = "full run"]
fn nothing_is_wider_than_a_telephone() {
    browse(Device::Telephone, "start=704851632", |page| {
        for state in STATES {
            settle(page, state);
            let width = page.eval("document.documentElement.scrollWidth");
            assert_eq!(width, json!(360), "{state}");
            page.shoot(&format!("panel-{}", tab(state)));
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_telephone_has_one_screen_and_a_sheet_of_panels() {
    browse(Device::Telephone, "start=704851632", |page| {
        let low = "['board', 'solve', 'shuffle', 'map', 'tabs'].map(id => document.getElementById(id).getBoundingClientRect().bottom)";
        let tabs = "document.getElementById('tabs').getBoundingClientRect().top";
        for (width, height) in [(390, 844), (360, 740), (320, 640)] {
            page.window(width, height);
            page.until(&format!("innerHeight === {height}"));
            page.until(&format!("{low}.slice(0, 4).every(low => low <= {tabs})"));
            page.until(&format!("{low}.at(-1) <= {height}"));
            let width_of_all = page.eval("document.documentElement.scrollWidth");
            assert_eq!(width_of_all, json!(width));
        }
        // The tabs are always there; the tab of an open panel, or Escape, closes the sheet.
        assert!(!page.is_displayed("#solutions"));
        page.click("#tab-edit");
        eventually!(page.is_displayed("#type-start"));
        page.click("#tab-space");
        eventually!(page.is_displayed("#space"));
        page.click("#tab-space");
        eventually!(!page.is_displayed("#space"));
        page.click("#tab-verify");
        page.send_keys("#answer", "19");
        page.press("\u{E00C}");
        eventually!(!page.is_displayed("#verify"));
        page.click("[data-tile='4']");
        eventually_eq!(page.text("#distance"), "18");
    });
}

#[test]
#[ignore = "full run"]
fn the_keyboard_alone_reaches_everything_and_the_focus_is_seen() {
    browse(Device::Desktop, "start=704851632", |page| {
        let mut reached = Vec::new();
        for _ in 0..40 {
            page.press("\u{E004}"); // tab
            let focus = page
                .eval("(e => e === document.body ? null : [e.id || e.dataset.tile || '', getComputedStyle(e).outlineStyle])(document.activeElement)");
            if focus.is_null() {
                break; // the end of the page
            }
            assert_eq!(focus[1], "solid", "the focus on {}", focus[0]);
            reached.push(focus[0].as_str().unwrap().to_owned());
        }
        for id in [
            "share",
            "4",
            "hint",
            "solve",
            "shuffle",
            "shuffle-to",
            "tab-solutions",
        ] {
            assert!(
                reached.iter().any(|r| r == id),
                "{id} is not among {reached:?}"
            );
        }
        // The tabs by arrows.
        page.eval("document.getElementById('tab-solutions').focus()");
        page.press("\u{E014}\u{E014}");
        eventually!(page.is_displayed("#space"));
        page.press("\u{E010}"); // end
        eventually!(page.is_displayed("#options"));
        // A tile by Enter.
        page.eval("document.querySelector('[data-tile=\"4\"]').focus()");
        page.press("\u{E007}");
        eventually_eq!(page.board(), "740851632");
    });
}

#[test]
#[ignore = "full run"]
fn who_wants_less_motion_gets_none() {
    browse(Device::Desktop, "start=704851632", |page| {
        let moving = "getComputedStyle(document.querySelector('.tile')).transitionDuration";
        eventually_eq!(page.eval(moving), json!("0.18s"));
        page.prefer("prefers-reduced-motion", "reduce");
        eventually_eq!(
            page.eval("getComputedStyle(document.querySelector('.tile')).transitionProperty"),
            json!("none")
        );
    });
}

#[test]
#[ignore = "full run"]
fn a_projector_gets_a_large_board() {
    browse(Device::Desktop, "start=704851632", |page| {
        page.run(AXE);
        let side = "document.getElementById('board').clientHeight / innerHeight";
        eventually!(page.eval(side).as_f64().unwrap() < 0.72);
        page.click("#present");
        page.until(&format!("{side} > 0.72"));
        eventually!(!page.is_displayed("#panels"));
        let overflow = page.eval("document.documentElement.scrollHeight > innerHeight");
        assert_eq!(overflow, json!(false));
        assert_eq!(violations(page), json!([]));
        page.click("[data-tile='4']");
        eventually_eq!(page.text("#distance"), "18");
        page.shoot("present");
        page.click("#present");
        page.until(&format!("{side} < 0.72"));
        eventually!(page.is_displayed("#panels"));
    });
}

#[test]
fn the_first_distance_takes_few_requests_and_bytes() {
    browse(Device::Desktop, "start=704851632", |page| {
        let asked = page.eval(
            "(then => performance.getEntries().filter(e => e.responseEnd && e.responseEnd < then).map(e => [e.name, e.encodedBodySize]))
            (performance.getEntriesByName('distance')[0].startTime)",
        );
        let asked = asked.as_array().unwrap();
        let bytes: u64 = asked.iter().map(|one| one[1].as_u64().unwrap()).sum();
        assert!((20_000..60_000).contains(&bytes), "{bytes} bytes");
        assert!(asked.len() <= 4, "{asked:?}");
    });
}
