//! Two builds of the program beside each other, in turn, by the CPU time of the process and by the clock:
//!
//! ```text
//! PUZZLEDB_BEFORE=../before/target/release/puzzledb cargo bench -p puzzledb-benches --bench pair
//! ```
//!
//! The options are those that builds of all ages know. Prints the medians of this build, those of the other, and the ratio
//! of this one to it, for each question.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal};
use puzzledb::space::StateIndex;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Runs of each build for a question.
const ROUNDS: usize = 9;

/// Moves of a random walk from the goal to a 15-puzzle.
const WALK: usize = 160;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(before) = std::env::var_os("PUZZLEDB_BEFORE").map(PathBuf::from) else {
        println!("PUZZLEDB_BEFORE names no other build to compare with");
        return Ok(());
    };
    let now = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/puzzledb");
    let folder = tempfile::tempdir()?;
    let million = folder.path().join("million.txt");
    std::fs::write(&million, boards_of_3x3(1_000_000)?)?;
    let fifteen = folder.path().join("fifteen.txt");
    std::fs::write(&fifteen, boards_of_4x4(200)?)?;
    let file = |path: &Path| path.display().to_string();
    let questions = [
        (
            "a million boards, --json",
            format!("solve --json --input {}", file(&million)),
        ),
        (
            "200 15-puzzles",
            format!("solve --input {}", file(&fifteen)),
        ),
        (
            "3x4 in a file",
            format!("build --force --shape 3x4 --dir {}", file(folder.path())),
        ),
        ("one board", "solve 704851632".to_owned()),
    ];
    println!(
        "{:26} {:>22} {:>22} {:>14}",
        "", "now: CPU s, s", "before: CPU s, s", "ratio"
    );
    for (name, line) in questions {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(run(&now, &line)?);
            theirs.push(run(&before, &line)?);
        }
        let (ours, theirs) = (median(ours), median(theirs));
        println!(
            "{name:26} {:>11.3} {:>10.3} {:>11.3} {:>10.3} {:>6.2} {:>7.2}",
            ours[0],
            ours[1],
            theirs[0],
            theirs[1],
            ours[0] / theirs[0],
            ours[1] / theirs[1]
        );
    }
    Ok(())
}

/// Boards of the 3x3 space, one a line, the same in every run.
fn boards_of_3x3(count: usize) -> Result<String, Box<dyn Error>> {
    let oracle = Oracle::for_goal(&UsualGoal::Last.board(Shape::EIGHT_PUZZLE))?;
    let space = oracle.space()?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut board = || space.unrank(StateIndex(random.random_range(0..space.ranking().states())));
    Ok((0..count).map(|_| format!("{}\n", board())).collect())
}

/// 15-puzzles at the end of a random walk from the goal, one a line.
fn boards_of_4x4(count: usize) -> Result<String, Box<dyn Error>> {
    let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut step = |board: Board| {
        board
            .slide(Move::from_code(random.random_range(0..4)))
            .unwrap_or(board)
    };
    let mut walk = || (0..WALK).fold(goal, |board, _| step(board));
    Ok((0..count).map(|_| format!("{}\n", walk())).collect())
}

/// Runs a command line to its end; its CPU seconds and its seconds.
fn run(program: &Path, line: &str) -> Result<[f64; 2], Box<dyn Error>> {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(line.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let used = wait4::Wait4::wait4(&mut child)?;
    let seconds = begun.elapsed().as_secs_f64();
    if !used.status.success() {
        return Err(format!("{} {line}: {}", program.display(), used.status).into());
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok([cpu.as_secs_f64(), seconds])
}

/// The run of median CPU time.
fn median(mut runs: Vec<[f64; 2]>) -> [f64; 2] {
    runs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    runs[runs.len() / 2]
}
