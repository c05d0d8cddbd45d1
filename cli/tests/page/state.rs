//! State of the page, all of it in the address, and a picture, which stays on the device.

use serde_json::json;

use crate::browser::{Device, browse, browse_on_each};

#[test]
#[ignore = "full run"]
fn the_address_leads_back_to_the_same_page() {
    browse_on_each("", |page| {
        page.visit("start=536407182&goal=123456780");
        page.click("#solution-list li:nth-child(6) button");
        for _ in 0..3 {
            page.click("#step");
        }
        page.click("#back");
        page.set("#speed", "9");
        page.set("#shuffle-to", "27");
        page.click("#tab-verify");
        page.set("#answer", "LLU");
        page.click("#tab-searches");
        page.set("#lane-a", "idastar");
        page.set("#lane-ah", "linear-conflict");
        page.click("#run");
        page.until("document.querySelectorAll('.figures dt').length === 5");
        page.set("#watch-at", "12");
        page.click("#share");
        page.until("location.hash.includes('watch=12')");
        let state = "[location.hash, document.getElementById('distance').textContent, document.getElementById('speed').value,
                document.getElementById('shuffle-to').value, document.getElementById('lane-a').value,
                document.getElementById('watch-at').value, document.querySelector('[role=tab][aria-selected=true]').id,
                document.querySelector('.figures dd').textContent]";
        let before = page.eval(state);
        let board = page.board();
        assert_eq!(before[4], "idastar");
        let address = before[0].as_str().unwrap().trim_start_matches('#');
        page.visit(address);
        page.until("document.querySelectorAll('.figures dt').length === 5");
        eventually_eq!(page.eval(state), before);
        eventually_eq!(page.board(), board);
        page.click("#tab-verify");
        eventually_eq!(
            page.eval("document.getElementById('answer').value"),
            json!("LLU")
        );
        page.until(
            "/^illegal at move 2/.test(document.getElementById('verdict-words').textContent)",
        );
        // The moves taken back are still there, and the chosen solution too.
        page.click("#tab-solutions");
        eventually_eq!(
            page.text("#solutions-words"),
            "7 shortest solutions, 2 of 22 moves made; number 6 is chosen."
        );
    });
}

#[test]
#[ignore = "full run"]
fn what_is_wrong_in_an_address_is_said_and_stays_said() {
    browse(Device::Desktop, "", |page| {
        for (address, board, wrong) in [
            (
                "start=123&pick=9",
                "536407182",
                "3 cells where a 3x3 board has 9",
            ),
            ("start=999", "536407182", "3 cells where a 3x3 board has 9"),
            ("at=-3&moves=RD", "536472180", "\"-3\" is no value of at"),
            ("moves=RRD", "536470182", "move 2 is impossible"),
            (
                "watch=abc&tab=searches",
                "536407182",
                "\"abc\" is no value of watch",
            ),
            (
                "tab=__proto__",
                "536407182",
                "\"__proto__\" is no value of tab",
            ),
            ("speed=abc", "536407182", "\"abc\" is no value of speed"),
            (
                "colour=red&to=99",
                "536407182",
                "it has no part \"colour\"; \"99\" is no value of to",
            ),
        ] {
            page.visit(address);
            let said = format!("The address is not good: {wrong}.");
            eventually_eq!(page.text("#address-error"), said, "{address}");
            eventually_eq!(page.board(), board, "{address}");
            page.click("#step");
            eventually_eq!(page.text("#address-error"), said, "{address}");
        }
    });
}

#[test]
#[ignore = "full run"]
fn a_picture_is_put_on_the_tiles_and_sent_nowhere() {
    browse_on_each("start=704851632&tab=options", |page| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("picture.png");
        std::fs::write(&file, page.picture()).unwrap();
        page.send_keys("#picture", file.to_str().unwrap());
        page.until("document.getElementById('board').classList.contains('pictured')");
        let tile = |css: &str| format!("document.querySelector('[data-tile=\"6\"]').style.{css}");
        eventually_eq!(page.eval(&tile("backgroundPosition")), json!("100% 50%"));
        let image = page.eval(&tile("backgroundImage"));
        assert!(
            image.as_str().unwrap().starts_with("url(\"data:image/"),
            "{image}"
        );
        // It is there again after a reload, as the switches are.
        page.click("#keys-on");
        page.set("#arrows", "blank");
        page.click("#truth-shown");
        page.until("/truth=0/.test(location.hash)");
        let address = page.eval("location.hash.slice(1)");
        page.visit(address.as_str().unwrap());
        eventually_eq!(page.eval(&tile("backgroundImage")), image);
        let switches = "['keys-on', 'truth-shown'].map(id => document.getElementById(id).checked)";
        eventually_eq!(page.eval(switches), json!([false, false]));
        eventually_eq!(
            page.eval("document.getElementById('arrows').value"),
            json!("blank")
        );
        page.eval("scrollTo(0, 0)");
        page.shoot("picture");
        page.click("#no-picture");
        eventually_eq!(page.eval(&tile("backgroundImage")), json!(""));
        // A file that is not a picture is refused.
        std::fs::write(folder.path().join("text.png"), "no picture").unwrap();
        let text = folder.path().join("text.png");
        page.send_keys("#picture", text.to_str().unwrap());
        page.until("document.getElementById('picture-error').textContent");
        eventually_eq!(
            page.text("#picture-error"),
            "text.png is no picture that this browser can show."
        );
    });
}
