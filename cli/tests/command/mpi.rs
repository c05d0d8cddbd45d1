//! Promise: an error in the use of `--mpi` is printed once, by the first of the processes, before work begins.
//! Searches over an MPI library are tested by `tests/mpi.sh`.

use std::ops::ControlFlow;

use puzzledb::internals::ensure_shared;
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, Plan};

use crate::run::{CommandResult, puzzledb, run};
use crate::threads::Threads;

fn ran_as(rank: Option<&str>, args: &[&str]) -> CommandResult {
    let dir = tempfile::tempdir().unwrap();
    let mut command = puzzledb(dir.path());
    command.args(args);
    for name in [
        "OMPI_COMM_WORLD_RANK",
        "PMIX_RANK",
        "PMI_RANK",
        "SLURM_PROCID",
    ] {
        command.env_remove(name);
    }
    if let Some(rank) = rank {
        command.env("OMPI_COMM_WORLD_RANK", rank);
    }
    let ran = command.output().unwrap().into();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    ran
}

#[test]
fn without_mpi_or_a_launcher_the_search_is_refused() {
    for command in ["build", "count", "check"] {
        let ran = ran_as(None, &[command, "--mpi"]);
        let why = if cfg!(feature = "mpi") {
            "mpirun -np 4 puzzledb"
        } else {
            "cargo build --release --features mpi"
        };
        assert!(ran.code == Some(2) && ran.err.contains(why), "{ran:?}");
    }
}

#[test]
fn of_processes_that_are_started_together_the_first_speaks() {
    let wrong = ["build", "--mpi", "--all-goals"];
    for (rank, says) in [(None, true), (Some("0"), true), (Some("1"), false)] {
        let ran = ran_as(rank, &wrong);
        assert!(ran.code == Some(2) && ran.err.is_empty() != says, "{ran:?}");
    }
    let ran = ran_as(Some("1"), &["build", "--shape", "1x1"]);
    assert!(!ran.err.is_empty(), "without --mpi each speaks for itself");
    for wrong in [
        &["build", "--mpi", "--patterns", "7-8"][..],
        &["build", "--mpi", "--plan"],
        &["build", "--machines", "4"],
    ] {
        assert_eq!(ran_as(None, wrong).code, Some(2), "{wrong:?}");
    }
}

/// Shards come from threads in the place of processes.
#[test]
fn join_puts_shards_together_and_names_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8).unwrap();
    let mut plan = Plan::new(class);
    (plan.shards, plan.encoding) = (true, Some(Encoding::Bit));
    let apart = dir.path().join("apart");
    Threads::run(2, |exchange| {
        let go_on = ControlFlow::Continue(());
        ensure_shared(&apart, &plan, &exchange, |_| go_on, |_| go_on).unwrap();
    });
    let of = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let [whole, first, second] = ["whole", "apart.shard-0-of-2", "apart.shard-1-of-2"].map(of);
    let ran = run(dir.path(), &["join", &whole, &first]);
    let missing = "error: shard 1 of 2 is missing\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), missing));
    let ran = run(dir.path(), &["join", "--json", &whole, &second, &first]);
    assert!(
        ran.code == Some(0) && ran.out.contains("\"states\":181440"),
        "{ran:?}"
    );
    let ran = run(dir.path(), &["join", &whole, &first, &second]);
    assert!(ran.out.contains("is there and good"), "{ran:?}");
    assert_eq!(run(dir.path(), &["check", &whole]).code, Some(0));
    std::fs::write(&second, "notes").unwrap();
    let ran = run(dir.path(), &["join", "--force", &whole, &first, &second]);
    assert!(
        ran.code == Some(3) && ran.err.contains("no shard of a table"),
        "{ran:?}"
    );
    let ran = run(dir.path(), &["build", "--shards"]);
    assert!(ran.code == Some(2) && ran.err.contains("--mpi"), "{ran:?}");
}
