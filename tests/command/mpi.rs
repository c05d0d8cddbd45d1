//! Promise: what is wrong with `--mpi` is said once, by the first of the processes, before work begins. What MPI does
//! where it is there is tested by `tests/mpi.sh`.

use crate::run::{Ran, puzzledb};

fn ran_as(rank: Option<&str>, args: &[&str]) -> Ran {
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
        let why = match cfg!(feature = "mpi") {
            true => "mpirun -np 4 puzzledb",
            false => "cargo build --release --features mpi",
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
