//! `puzzledb probe`

use std::io::{IsTerminal, Write};

use puzzledb::oracle::Probe;
use puzzledb::puzzle::Shape;

use super::blank::BlankArg;
use super::database::Databases;
use super::error::CliError;
use super::render::{side_by_side, solutions_text};
use super::status::Status;
use super::waiting::watched;
use super::watch::guarded;

/// Show a board's distance and what each of its moves is worth
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Where standard output is not a terminal: a line `board<TAB>distance<TAB>solutions`, then a line
`move<TAB>tile<TAB>board<TAB>distance` for each move, best first. Without a database the solutions of a hard board
are `not counted` (null in JSON) where that would take longer than about a second: `solve --all` lists them.")]
pub(super) struct Args {
    /// The board, in one argument or in several
    #[arg(required = true, value_name = "BOARD")]
    board: Vec<String>,
    /// Rows x columns, for boards that are not square
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.with_blank(args.blank);
    let text = args.board.join(" ");
    let board = databases.numbering(args.shape).board(text.as_bytes())?;
    let goal = databases.goal(board.shape())?;
    let oracle = databases.any_oracle_for(&goal)?;
    let probe = guarded(watched(|| oracle.probe(&board)))?;
    if args.json {
        writeln!(anstream::stdout(), "{}", serde_json::to_string(&probe)?)?;
    } else if std::io::stdout().is_terminal() {
        show(&probe)?;
    } else {
        list(&probe, &mut anstream::stdout().lock())?;
    }
    Ok(Status::Yes)
}

fn list(probe: &Probe, out: &mut impl Write) -> std::io::Result<()> {
    let solutions = probe.solutions.map(|count| count.to_string());
    let solutions = solutions.unwrap_or_else(|| "not counted".to_owned());
    writeln!(out, "{}\t{}\t{solutions}", probe.board, probe.distance)?;
    for m in &probe.moves {
        writeln!(out, "{}\t{}\t{}\t{}", m.mv, m.tile, m.board, m.distance)?;
    }
    Ok(())
}

fn show(probe: &Probe) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
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
            let mut out = Vec::new();
            list(&probe, &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
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
