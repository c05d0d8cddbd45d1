//! Waiting with a limit. A wait that fails costs its limit once; after three of them every further wait fails at once, so
//! that a test program ends soon whatever is broken.
#![allow(dead_code, reason = "each test program uses a part")]

use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Failed waits of this test program.
static FAILED: AtomicUsize = AtomicUsize::new(0);

/// Failed waits after which the others fail at once.
const MOST_FAILED: usize = 3;

/// How much slower than an idle machine this one is: the time of ten runs of the binary, beside 5 ms for each.
static SLOWNESS: LazyLock<f64> = LazyLock::new(|| {
    let begun = Instant::now();
    for _ in 0..10 {
        let mut version = std::process::Command::new(env!("CARGO_BIN_EXE_puzzledb"));
        assert!(version.arg("--version").output().unwrap().status.success());
    }
    (begun.elapsed().as_secs_f64() / 0.05).clamp(1.0, 2.0)
});

/// Returns whether so many waits have failed that no other is worth its time.
pub fn is_hopeless() -> bool {
    FAILED.load(Ordering::Relaxed) >= MOST_FAILED
}

/// Longest wait for a condition: 20 s on an idle machine, and nothing after three failed waits.
pub fn patience() -> Duration {
    if is_hopeless() {
        return Duration::ZERO;
    }
    Duration::from_secs_f64(20.0 * *SLOWNESS)
}

/// Longest run of the binary, and longest silence of a server.
pub fn longest_run() -> Duration {
    4 * patience()
}

/// Counts a failed wait and writes it to stderr, also where the output of a test is captured.
pub fn failed(awaited: &str) {
    let count = FAILED.fetch_add(1, Ordering::Relaxed) + 1;
    let _ = writeln!(std::io::stderr(), "wait {count} that failed: {awaited}");
}

/// Returns whether the condition becomes true in time.
pub fn comes_true(awaited: &str, mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + patience();
    while !condition() {
        if Instant::now() >= end {
            failed(awaited);
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// Waits until the condition is true.
///
/// # Panics
/// If it does not become true in time.
pub fn until(awaited: &str, condition: impl FnMut() -> bool) {
    assert!(comes_true(awaited, condition), "{awaited}");
}

/// Begins to end every run of the binary that takes longer than [`longest_run`], whoever waits for it.
#[cfg(target_os = "linux")]
pub fn limit_runs() {
    static BEGUN: std::sync::Once = std::sync::Once::new();
    BEGUN.call_once(|| drop(std::thread::spawn(end_long_runs)));
}

#[cfg(not(target_os = "linux"))]
pub fn limit_runs() {}

#[cfg(target_os = "linux")]
fn end_long_runs() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::collections::HashMap;

    let mut seen: HashMap<i32, Instant> = HashMap::new();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let running = runs();
        seen.retain(|id, _| running.contains(id));
        for id in running {
            let begun = *seen.entry(id).or_insert_with(Instant::now);
            if begun.elapsed() > longest_run() {
                let arguments = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
                failed(&String::from_utf8_lossy(&arguments).replace('\0', " "));
                let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL); // it may have ended
                seen.remove(&id);
            }
        }
    }
}

/// Children of this process that run the binary.
#[cfg(target_os = "linux")]
fn runs() -> Vec<i32> {
    let own = std::process::id().to_string();
    let ids = std::fs::read_dir("/proc").unwrap();
    let ids = ids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let Some((name, rest)) = stat.rsplit_once(") ") else {
            return false;
        };
        let mut fields = rest.split(' ');
        name.ends_with("(puzzledb") && fields.next() != Some("Z") && fields.next() == Some(&own)
    })
    .collect()
}
