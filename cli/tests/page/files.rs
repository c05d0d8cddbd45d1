//! Page as files, on any web host.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use puzzledb::oracle::Oracle;

use crate::browser::{DEVICES, Device, browse_at};

/// Starts a plain host of files under `/some/folder/`. Returns its address without the last slash.
fn host(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let folder = folder.clone();
            std::thread::spawn(move || drop(answer(stream, &folder)));
        }
    });
    format!("http://{address}/some/folder")
}

/// Answers one request for a file.
fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap()?;
    while !lines.next().unwrap()?.is_empty() {}
    let path = first.split([' ', '?']).nth(1).unwrap();
    let name = path.strip_prefix("/some/folder/").unwrap_or("missing");
    let name = match name.is_empty() || name.ends_with('/') {
        true => format!("{name}index.html"),
        false => name.to_owned(),
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, body) = match std::fs::read(folder.join(&name)) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

#[test]
#[ignore = "full run"]
fn the_page_works_as_one_file_of_a_disk() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("puzzle.html");
    let ran = crate::run::puzzledb(dir.path())
        .args(["page", "--single", "--output", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let address = format!("file://{}", file.display());
    browse_at(
        Device::Desktop,
        &address,
        None,
        "start=704851632&speed=20&to=31",
        |page| {
            eventually_eq!(page.text("#distance"), "19");
            page.click("#solve");
            page.until("document.getElementById('board').classList.contains('solved')");
            page.click("#shuffle");
            eventually_eq!(page.text("#distance"), "31");
            page.click("#tab-searches");
            page.click("#run");
            page.until(
                "/31 moves, the optimum/.test(document.querySelector('.lane-words').textContent)",
            );
            page.set("#shape", "4x4");
            eventually!(page.text("#distance").parse::<u32>().is_ok());
        },
    );
}

#[test]
#[ignore = "full run"]
fn the_page_works_as_files_in_a_subfolder_of_any_host() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("page");
    let ran = crate::run::puzzledb(dir.path())
        .args(["page", "--output", folder.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert!(folder.join("page/puzzledb.wasm.gz").is_file());
    let origin = host(folder);
    for device in DEVICES {
        browse_at(device, &origin, None, "start=704851632&speed=20", |page| {
            eventually_eq!(page.text("#distance"), "19");
            eventually!(!page.is_displayed("#badge"));
            page.click("#solve");
            page.until("document.getElementById('board').classList.contains('solved')");
            page.set("#shuffle-to", "31");
            page.click("#shuffle");
            eventually_eq!(page.text("#distance"), "31");
            // A goal of another class, an answer, a search, the space, another shape.
            page.click("#tab-edit");
            page.click("[data-goal='spiral']");
            let goal = "123804765".parse().unwrap();
            page.set("#type-start", "281043765");
            let truth = Oracle::for_goal(&goal).unwrap();
            let far = truth.distance(&"281043765".parse().unwrap()).unwrap();
            page.until(&format!(
                "document.getElementById('distance').textContent === '{far}'"
            ));
            page.click("#tab-verify");
            page.set("#answer", "7");
            page.click("#judge");
            page.until(
                "/^impossible: shorter/.test(document.getElementById('verdict-words').textContent)",
            );
            page.set("#answer", "hello world");
            page.click("#judge");
            page.until("/^Line 1: no board was found|^Line 1: no answer was found/.test(document.getElementById('verdict-words').textContent)");
            page.click("#tab-searches");
            page.click("#run");
            page.until("/expansion/.test(document.querySelector('.lane-words').textContent)");
            page.set("#shape", "2x4");
            page.click("#tab-space");
            eventually!(page.text("#histogram-words").starts_with("20,160 boards"));
            page.set("#shape", "4x4");
            page.set("#shuffle-by", "moves");
            page.click("#shuffle");
            eventually!(page.text("#distance").parse::<u32>().is_ok());
            page.set("#shape", "5x5");
            page.until(
                "/^(≥ )?[0-9]+(–[0-9]+)?$/.test(document.getElementById('distance').textContent)",
            );
            page.shoot("files");
        });
    }
}

/// The npm package's game, in a folder as the package has it.
#[test]
#[ignore = "full run"]
fn the_game_of_the_npm_package_is_played_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::create_dir(dir.path().join("demo")).unwrap();
    for (from, to) in [
        ("../wasm/npm/demo/index.html", "demo/index.html"),
        ("../wasm/npm/demo/play.js", "demo/play.js"),
        ("src/serve/page/puzzledb.js", "puzzledb.js"),
        ("src/serve/page/puzzledb.wasm.gz", "puzzledb.wasm.gz"),
    ] {
        std::fs::copy(root.join(from), dir.path().join(to)).unwrap();
    }
    let origin = host(dir.path().to_owned()) + "/demo";
    browse_at(Device::Desktop, &origin, None, "", |page| {
        eventually!(
            page.text("#distance")
                .starts_with("20 moves to the goal, difficulty ")
        );
        page.set("#far", "31");
        page.click("#new");
        eventually!(page.text("#distance").starts_with("31 moves"));
        page.click("#hint");
        page.click("#board .hint");
        eventually_eq!(page.text("#distance"), "30 moves to the goal");
        page.click("#solve");
        page.until("document.getElementById('distance').textContent === 'Solved'");
        eventually_eq!(page.text("#board"), "12345678");
    });
}
