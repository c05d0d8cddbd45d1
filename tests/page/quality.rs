//! Everybody can use it: accessibility by axe-core, small windows, keyboard alone, less motion.

use serde_json::{Value, json};

use crate::browser::{DEVICES, Device, Page, browse};

/// axe-core, which looks a page over for what keeps people out.
const AXE: &str = include_str!("../axe/axe.min.js");

/// A state of each panel with as much on it as can be.
const STATES: [&str; 10] = [
    "start=536407182&moves=LUR&at=2&pick=3.0",
    "tab=edit&start=123456870",
    "tab=space&start=870654321",
    "tab=searches&start=536407182&two=1&watch=9",
    "tab=verify&answer=704851632+21%0A536407182+22",
    "tab=options",
    "start=123456780&moves=&tab=space",
    "shape=4x4&start=1204573ad98cebf6&moves=LR&at=1",
    "shape=5x5&tab=space",
    "shape=2x5&tab=edit",
];

/// Brings the page to another state by its address alone, and waits until nothing moves.
async fn settle(page: &Page, state: &str) {
    let tab = tab(state);
    page.eval(&format!("location.hash = {state:?}")).await;
    page.until(&format!(
        "document.querySelector('#tab-{tab}[aria-selected=true]')"
    ))
    .await;
    if state.contains("watch") {
        page.until("document.querySelectorAll('.figures dt').length === 10")
            .await;
    }
    page.at_rest().await;
}

fn tab(state: &str) -> &str {
    let tab = state.split('&').find_map(|part| part.strip_prefix("tab="));
    tab.unwrap_or("solutions")
}

/// What axe-core finds, with the first elements that it finds it at.
async fn violations(page: &Page) -> Value {
    page.run(
        "const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const found = await axe.run(document, { runOnly, resultTypes: ['violations'] });
        return found.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))]);",
    )
    .await
}

#[test]
fn axe_finds_no_violation() {
    for device in DEVICES {
        browse(device, "tab=edit", async |page| {
            page.run(AXE).await;
            for scheme in ["light", "dark"] {
                page.prefer("prefers-color-scheme", scheme).await;
                for state in STATES {
                    settle(page, state).await;
                    assert_eq!(
                        violations(page).await,
                        json!([]),
                        "{state}, {scheme}, {device:?}"
                    );
                }
                settle(page, STATES[0]).await;
                page.shoot(&format!("scheme-{scheme}")).await;
            }
        });
    }
}

#[test]
fn nothing_is_wider_than_a_telephone() {
    browse(Device::Telephone, "", async |page| {
        for state in STATES {
            settle(page, state).await;
            let width = page.eval("document.documentElement.scrollWidth").await;
            assert_eq!(width, json!(360), "{state}");
            page.eval("document.getElementById('panels').scrollIntoView()")
                .await;
            page.shoot(&format!("panel-{}", tab(state))).await;
        }
    });
}

#[test]
fn the_keyboard_alone_reaches_everything_and_the_focus_is_seen() {
    browse(Device::Desktop, "", async |page| {
        let mut reached = Vec::new();
        for _ in 0..40 {
            page.press("\u{E004}").await; // tab
            let focus = page
                .eval("(e => e === document.body ? null : [e.id || e.dataset.tile || '', getComputedStyle(e).outlineStyle])(document.activeElement)")
                .await;
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
        page.eval("document.getElementById('tab-solutions').focus()")
            .await;
        page.press("\u{E014}\u{E014}").await;
        assert!(page.find("#space").await.is_displayed().await.unwrap());
        page.press("\u{E010}").await; // end
        assert!(page.find("#options").await.is_displayed().await.unwrap());
        // A tile by Enter.
        page.eval("document.querySelector('[data-tile=\"4\"]').focus()")
            .await;
        page.press("\u{E007}").await;
        assert_eq!(page.board().await, "740851632");
    });
}

#[test]
fn who_wants_less_motion_gets_none() {
    browse(Device::Desktop, "", async |page| {
        let moving = "getComputedStyle(document.querySelector('.tile')).transitionDuration";
        assert_eq!(page.eval(moving).await, json!("0.18s"));
        page.prefer("prefers-reduced-motion", "reduce").await;
        assert_eq!(
            page.eval("getComputedStyle(document.querySelector('.tile')).transitionProperty")
                .await,
            json!("none")
        );
    });
}

#[test]
fn a_projector_gets_a_large_board() {
    browse(Device::Desktop, "", async |page| {
        page.run(AXE).await;
        let side = "document.getElementById('board').clientHeight / innerHeight";
        assert!(page.eval(side).await.as_f64().unwrap() < 0.72);
        page.click("#present").await;
        page.until(&format!("{side} > 0.72")).await;
        assert!(!page.find("#panels").await.is_displayed().await.unwrap());
        let overflow = page
            .eval("document.documentElement.scrollHeight > innerHeight")
            .await;
        assert_eq!(overflow, json!(false));
        assert_eq!(violations(page).await, json!([]));
        page.click("[data-tile='4']").await;
        assert_eq!(page.text("#distance").await, "18");
        page.shoot("present").await;
        page.click("#present").await;
        page.until(&format!("{side} < 0.72")).await;
        assert!(page.find("#panels").await.is_displayed().await.unwrap());
    });
}

#[test]
fn the_first_distance_comes_soon_and_takes_few_bytes() {
    browse(Device::Desktop, "", async |page| {
        // 0.4 s on an idle machine; other tests run beside this one.
        let mark = "performance.getEntriesByName('distance')[0].startTime";
        let time = page.eval(mark).await.as_f64().unwrap();
        assert!(time < 2000.0, "{time} ms");
        let bytes = "(then => performance.getEntries().filter(e => e.responseEnd && e.startTime < then)
            .reduce((sum, e) => sum + e.encodedBodySize, 0))(performance.getEntriesByName('distance')[0].startTime)";
        let bytes = page.eval(bytes).await.as_u64().unwrap();
        assert!((100_000..250_000).contains(&bytes), "{bytes} bytes");
    });
}
