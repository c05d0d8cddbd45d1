//! The address tells the whole state; a picture stays on the device.

use serde_json::json;

use crate::browser::{DEVICES, Device, browse};

#[test]
fn the_address_leads_back_to_the_same_page() {
    for device in DEVICES {
        browse(device, "", async |page| {
            page.visit("start=536407182&goal=123456780").await;
            page.click("#solution-list li:nth-child(6) button").await;
            for _ in 0..3 {
                page.click("#step").await;
            }
            page.click("#back").await;
            page.set("#speed", "9").await;
            page.set("#shuffle-to", "27").await;
            page.click("#tab-verify").await;
            page.set("#answer", "LLU").await;
            page.click("#tab-searches").await;
            page.set("#lane-a", "idastar").await;
            page.set("#lane-ah", "linear-conflict").await;
            page.click("#run").await;
            page.until("document.querySelectorAll('.figures dt').length === 5")
                .await;
            page.set("#watch-at", "12").await;
            page.click("#share").await;
            let state = "[location.hash, document.getElementById('distance').textContent, document.getElementById('speed').value,
                document.getElementById('shuffle-to').value, document.getElementById('lane-a').value,
                document.getElementById('watch-at').value, document.querySelector('[role=tab][aria-selected=true]').id,
                document.querySelector('.figures dd').textContent]";
            let before = page.eval(state).await;
            let board = page.board().await;
            assert_eq!(before[4], "idastar");
            let address = before[0].as_str().unwrap().trim_start_matches('#');
            page.visit(address).await;
            page.until("document.querySelectorAll('.figures dt').length === 5")
                .await;
            assert_eq!(page.eval(state).await, before);
            assert_eq!(page.board().await, board);
            page.click("#tab-verify").await;
            assert_eq!(
                page.eval("document.getElementById('answer').value").await,
                json!("LLU")
            );
            page.until(
                "/^illegal at move 2/.test(document.getElementById('verdict-words').textContent)",
            )
            .await;
            // The moves taken back are still there, and the chosen solution too.
            page.click("#tab-solutions").await;
            assert_eq!(
                page.text("#solutions-words").await,
                "7 shortest solutions, 2 of 22 moves made; number 6 is chosen."
            );
        });
    }
}

#[test]
fn what_is_wrong_in_an_address_is_said_and_stays_said() {
    browse(Device::Desktop, "", async |page| {
        for (address, board, wrong) in [
            (
                "start=123&pick=9",
                "704851632",
                "3 cells where a 3x3 board has 9",
            ),
            ("start=999", "704851632", "3 cells where a 3x3 board has 9"),
            ("at=-3&moves=RD", "741850632", "\"-3\" is no value of at"),
            ("moves=RRD", "740851632", "move 2 is impossible"),
            (
                "watch=abc&tab=searches",
                "704851632",
                "\"abc\" is no value of watch",
            ),
            (
                "tab=__proto__",
                "704851632",
                "\"__proto__\" is no value of tab",
            ),
            ("speed=abc", "704851632", "\"abc\" is no value of speed"),
            (
                "colour=red&to=99",
                "704851632",
                "it has no part \"colour\"; \"99\" is no value of to",
            ),
        ] {
            page.visit(address).await;
            let said = format!("The address is not good: {wrong}.");
            assert_eq!(page.text("#address-error").await, said, "{address}");
            assert_eq!(page.board().await, board, "{address}");
            page.click("#step").await;
            assert_eq!(page.text("#address-error").await, said, "{address}");
        }
    });
}

#[test]
fn a_picture_is_put_on_the_tiles_and_sent_nowhere() {
    for device in DEVICES {
        browse(device, "tab=options", async |page| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("picture.png");
            std::fs::write(&file, page.picture().await).unwrap();
            let field = page.find("#picture").await;
            field.send_keys(file.to_str().unwrap()).await.unwrap();
            page.until("document.getElementById('board').classList.contains('pictured')")
                .await;
            let tile =
                |css: &str| format!("document.querySelector('[data-tile=\"6\"]').style.{css}");
            assert_eq!(
                page.eval(&tile("backgroundPosition")).await,
                json!("100% 50%")
            );
            let image = page.eval(&tile("backgroundImage")).await;
            assert!(
                image.as_str().unwrap().starts_with("url(\"data:image/"),
                "{image}"
            );
            // It is there again after a reload, as the switches are.
            page.click("#keys-on").await;
            page.set("#arrows", "blank").await;
            page.click("#truth-shown").await;
            page.until("/truth=0/.test(location.hash)").await;
            let address = page.eval("location.hash.slice(1)").await;
            page.visit(address.as_str().unwrap()).await;
            assert_eq!(page.eval(&tile("backgroundImage")).await, image);
            let switches =
                "['keys-on', 'truth-shown'].map(id => document.getElementById(id).checked)";
            assert_eq!(page.eval(switches).await, json!([false, false]));
            assert_eq!(
                page.eval("document.getElementById('arrows').value").await,
                json!("blank")
            );
            let field = page.find("#picture").await;
            page.eval("scrollTo(0, 0)").await;
            page.shoot("picture").await;
            page.click("#no-picture").await;
            assert_eq!(page.eval(&tile("backgroundImage")).await, json!(""));
            // What is no picture is refused.
            std::fs::write(folder.path().join("text.png"), "no picture").unwrap();
            let text = folder.path().join("text.png");
            field.send_keys(text.to_str().unwrap()).await.unwrap();
            page.until("document.getElementById('picture-error').textContent")
                .await;
            assert_eq!(
                page.text("#picture-error").await,
                "text.png is no picture that this browser can show."
            );
        });
    }
}
