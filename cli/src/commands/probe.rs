//! `puzzledb probe`

use std::fmt::{self, Write};

use puzzledb::oracle::Probe;
use puzzledb::puzzle::Board;

use super::boards::BoardsArgs;
use super::database::Databases;
use super::error::{CliError, Status};
use super::oracles::LastSolver;
use super::output::{Form, Output};
use super::render::{side_by_side, solutions_text};

/// Show a board's distance and what each of its moves is worth
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Where standard output is not a terminal: a line `board<TAB>distance<TAB>solutions`, then a line \
`move<TAB>tile<TAB>board<TAB>distance` for each move, best first. Without a database the solutions of a hard board \
are `not counted` (null in JSON) where that would take longer than about a second: `solve --all` lists them.")]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.read_with(&args.boards.reading);
    let boards = args.boards.boards("probe")?;
    let form = args.output.form().unwrap_or(boards.usual_form());
    let oracles = databases.oracles();
    boards.answer(form, |_| {
        let mut solver = LastSolver::new(databases, &oracles);
        move |board: &Board, out: &mut String| {
            let goal = solver.goal(board.shape())?;
            let probe = solver.oracle(&goal)?.probe(board)?;
            match form {
                Form::Tsv => list(&probe, out).expect("writing to memory does not fail"),
                form => form.push(&probe, out, |out| show(&probe, out))?,
            }
            Ok(Status::Yes)
        }
    })
}

fn list(probe: &Probe, out: &mut String) -> fmt::Result {
    let solutions = probe.solutions.map(|count| count.to_string());
    let solutions = solutions.unwrap_or_else(|| "not counted".to_owned());
    writeln!(out, "{}\t{}\t{solutions}", probe.board, probe.distance)?;
    for m in &probe.moves {
        writeln!(out, "{}\t{}\t{}\t{}", m.mv, m.tile, m.board, m.distance)?;
    }
    Ok(())
}

fn show(probe: &Probe, out: &mut String) -> fmt::Result {
    let solutions = solutions_text(probe.solutions);
    let text = format!("distance {}\n{solutions}", probe.distance);
    writeln!(out, "{}\n", side_by_side(&probe.board.grid(), &text))?;
    for m in &probe.moves {
        let (word, color) = if m.distance < probe.distance {
            ("closer", anstyle::AnsiColor::Green.on_default())
        } else {
            ("farther", anstyle::AnsiColor::Red.on_default())
        };
        writeln!(
            out,
            "  {}  tile {:<2}  {}  distance {:>2}  {color}{word}{color:#}",
            m.mv, m.tile, m.board, m.distance
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzledb::oracle::PatternOracle;
    use puzzledb::pattern::{Partition, Patterns};

    #[test]
    fn solutions_that_are_not_counted_say_so() {
        let goal = "123456780".parse().unwrap();
        let partition = Partition::new(&goal, &"4-4".parse().unwrap()).unwrap();
        let patterns = Patterns::build(&partition).unwrap();
        let oracle = PatternOracle::from_patterns(patterns, &goal).unwrap();
        let board = "867254301".parse().unwrap();
        for (most, solutions) in [(u64::MAX, "40"), (0, "not counted")] {
            let probe = oracle.clone().counting_at_most(most).probe(&board).unwrap();
            let mut out = String::new();
            list(&probe, &mut out).unwrap();
            assert!(
                out.starts_with(&format!("867254301\t31\t{solutions}\n")),
                "{out}"
            );
            assert_eq!(
                out.lines().filter(|line| line.ends_with("\t30")).count(),
                3,
                "{out}"
            );
        }
    }
}
