//! The path: letters, slider and chart lead to any position in it; the browser's Back undoes.

use serde_json::json;

use crate::browser::{DEVICES, Device, browse};

#[test]
fn letters_slider_and_chart_lead_to_any_position_in_the_path() {
    for device in DEVICES {
        browse(device, "start=536407182", async |page| {
            // The path goes on as the chosen solution does.
            let track = page.text("#path").await;
            assert_eq!(track.len(), 22);
            page.click("#path [data-at='3']").await;
            assert_eq!(page.text("#distance").await, "19");
            assert_eq!(page.text("#position-out").await, "3 of 22");
            page.set("#position", "22").await;
            assert_eq!(page.board().await, "123456780");
            assert_eq!(page.text("#path").await, track);
            page.set("#position", "0").await;
            assert_eq!(page.board().await, "536407182");
            // The chart, dragged from its left end to the middle.
            let (x, y) = page.middle("#line").await;
            let left = page
                .eval("document.querySelector('#line svg').getBoundingClientRect().left + 30")
                .await;
            page.drag((left.as_f64().unwrap(), y), (x, y)).await;
            let at = page
                .eval("document.getElementById('position').valueAsNumber")
                .await;
            assert!((8..=13).contains(&at.as_u64().unwrap()), "{at}");
            let words = page.text("#solutions-words").await;
            assert!(words.contains(&format!("{at} of 22 moves made")), "{words}");
            page.shoot("path").await;
            // A move of one's own is another path.
            page.click("#restart").await;
            page.click("#back:disabled, .tile:has(.farther)").await;
            assert_eq!(page.text("#position-out").await, "1 of 24");
        });
    }
}

#[test]
fn the_browsers_back_undoes_a_move_and_leads_to_the_board_before() {
    browse(Device::Desktop, "", async |page| {
        let saved = |address: &str| format!("location.hash === '{address}'");
        page.until("history.state !== null").await;
        page.click("[data-tile='4']").await;
        page.until(&saved("#moves=R")).await;
        page.click("[data-tile='1']").await;
        page.until(&saved("#moves=RD")).await;
        // Settings make no entry, and no entry takes them back.
        page.set("#speed", "9").await;
        page.click("#tab-edit").await;
        page.until("/speed=9/.test(location.hash)").await;
        page.back().await;
        page.until("document.getElementById('distance').textContent === '18'")
            .await;
        assert_eq!(page.board().await, "740851632");
        assert_eq!(page.text("#speed-out").await, "9 a second");
        assert!(page.find("#edit").await.is_displayed().await.unwrap());
        // A new board, and back to the one before.
        page.click("#shuffle").await;
        page.until("/start=/.test(location.hash)").await;
        page.back().await;
        page.until("document.getElementById('distance').textContent === '18'")
            .await;
        page.back().await;
        page.until("document.getElementById('distance').textContent === '19'")
            .await;
        // A whole solution is one entry.
        let before = page.eval("history.length").await;
        page.set("#speed", "20").await;
        page.click("#solve").await;
        page.until("document.getElementById('board').classList.contains('solved')")
            .await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let entries = page.eval("history.length").await.as_u64().unwrap();
        assert!(entries <= before.as_u64().unwrap() + 1, "{entries} entries");
    });
}

#[test]
fn who_solves_the_board_is_told_moves_and_time() {
    for device in DEVICES {
        browse(device, "start=123450786", async |page| {
            // A tile that cannot slide says so.
            page.click("[data-tile='1']").await;
            let stuck = "Tile 1 cannot slide: the blank is in another row and column.";
            assert_eq!(page.text("#outcome").await, stuck);
            page.click("[data-tile='3']").await;
            assert_eq!(page.text("#clock").await, "0:00");
            page.at_rest().await;
            page.click("[data-tile='6']").await; // both tiles between slide
            assert_eq!(page.text("#distance-words").await, "Solved.");
            assert_eq!(
                page.text("#outcome").await,
                "3 moves; the optimum is 1: 2 more than needed."
            );
            assert_eq!(page.text("#finish-words").await, "In 1 second.");
            assert_eq!(
                page.eval("document.getElementById('another').hidden").await,
                json!(false)
            );
            page.shoot("finish").await;
        });
    }
}
