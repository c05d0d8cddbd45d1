//! Promise: a graded program leaves no process behind, and a host's other children are left alone.
#![cfg(target_os = "linux")]

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Mutex;

use puzzledb::oracle::Oracle;
use puzzledb_cli::grade::{Grade, Grader, Template};
use rustix::process::child_subreaper;

/// Starts an orphan in a session of its own that writes its process id to a file, and waits for it.
const LEAVES_AN_ORPHAN: &str = r#"
    (setsid sh -c 'echo $$ > "$0.new"; mv "$0.new" "$0"; sleep 60' "$0" &)
    while [ ! -e "$0" ]; do sleep 0.01; done
    sleep 0.1; echo R"#;

fn sleeper() -> Child {
    Command::new("sleep").arg("60000").spawn().unwrap()
}

fn is_running(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap();
    !stat.is_empty() && !after_name.starts_with('Z')
}

/// Effects of a grading on the processes of its host.
#[derive(Debug, PartialEq, Eq)]
struct Effects {
    was_subreaper_meanwhile: bool,
    is_subreaper_afterwards: bool,
    orphan_survives: bool,
    child_from_before_survives: bool,
    child_from_meanwhile_survives: bool,
}

fn effects_of_grading() -> Effects {
    let dir = tempfile::tempdir().unwrap();
    let orphan = dir.path().join("orphan");
    let script = ["sh", "-c", LEAVES_AN_ORPHAN, orphan.to_str().unwrap()];
    let grader = Grader::new(Template::new(script).unwrap());
    let goal = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();

    let mut before = sleeper();
    let meanwhile = Mutex::new(None);
    let go_on = || {
        let start = || (sleeper(), child_subreaper().unwrap().is_some());
        meanwhile.lock().unwrap().get_or_insert_with(start);
        ControlFlow::Continue(())
    };
    let boards = ["123456708".parse().unwrap()];
    let check = |_, grade: Grade| {
        let is_right = grade.outcome.is_right();
        assert!(is_right && grade.survivors == 0, "{grade:?}");
    };
    grader.grade(&oracle, &boards, &go_on, &check).unwrap();

    let (mut meanwhile, was_subreaper_meanwhile) = meanwhile.into_inner().unwrap().unwrap();
    let effects = Effects {
        was_subreaper_meanwhile,
        is_subreaper_afterwards: child_subreaper().unwrap().is_some(),
        orphan_survives: is_running(read_id(&orphan)),
        child_from_before_survives: is_running(before.id()),
        child_from_meanwhile_survives: is_running(meanwhile.id()),
    };
    let _ = (before.kill(), before.wait());
    let _ = (meanwhile.kill(), meanwhile.wait());
    effects
}

fn read_id(path: &Path) -> u32 {
    std::fs::read_to_string(path)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}

/// Runs the ignored test below in a process of its own, since it concerns all its children.
fn passes_alone(test: &str) {
    let name = format!("supervision::{test}");
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command
        .args(["--ignored", "--exact", &name])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
#[ignore = "runs in a process of its own"]
fn host() {
    if crate::full::is_full() {
        return; // other tests run in this process
    }
    let expected = Effects {
        was_subreaper_meanwhile: false,
        is_subreaper_afterwards: false,
        orphan_survives: false,
        child_from_before_survives: true,
        child_from_meanwhile_survives: true,
    };
    assert_eq!(effects_of_grading(), expected);
}

#[test]
fn the_host_and_its_children_are_left_alone() {
    passes_alone("host");
}
