//! `puzzledb probe`

use std::fmt::Display;

use serde_json::json;

use crate::form::Form;
use puzzledb::ask::{Estimate, Estimates, EstimatesRecord, Run};
use puzzledb::oracle::Probe;
use puzzledb::puzzle::Board;
use puzzledb::search::HeuristicName;

use super::boards::BoardsArgs;
use super::database::Databases;
use super::error::{Result, Status};
use super::output::Output;
use super::render::{beside, solutions_text};
use super::search::{self, List};

/// Show a board's distance and what each of its moves is worth
///
/// Where standard output is not a terminal: a line `board<TAB>distance<TAB>solutions`, then a line
/// `move<TAB>tile<TAB>board<TAB>distance` for each move, best first. Without a database the solutions of a hard board
/// are `not counted` (null in JSON) where that would take longer than about a second: `solve --all` lists them.
///
/// With --heuristic a line `board<TAB>distance<TAB>estimate...`, in the order of the names, which `puzzledb search --list` explains.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(mut_arg("threads", |threads| threads.hide(true)))]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// Show what heuristics estimate, instead of the moves: some separated by commas, or all
    #[arg(long, alias = "heuristics", value_name = "H,...", value_parser = search::heuristics)]
    heuristic: Vec<List<HeuristicName>>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let boards = args.boards.boards("probe", databases)?;
    let form = boards.form(&args.output);
    let question = Estimates {
        heuristics: args.heuristic.concat(),
        ..Estimates::default()
    };
    let prepare = |databases: &Databases, goal: &Board| {
        let made = match question.heuristics[..] {
            [] => Vec::new(),
            _ => question.prepare(goal, databases, &Run::default())?,
        };
        Ok((databases.exact_oracle(goal)?, made))
    };
    boards.answer(form, prepare, |(oracle, made), board, out| {
        if made.is_empty() {
            push_probe(form, &oracle.probe(board)?, out);
        } else {
            let distance = Some(oracle.distance(board)?);
            let record = EstimatesRecord::new(board, oracle.goal(), distance, made);
            push_estimates(form, &record, out);
        }
        Ok(Status::Yes)
    })
}

/// Appends the estimates of a board: a column each, or a line each for people.
fn push_estimates(form: Form, record: &EstimatesRecord, out: &mut String) {
    let (values, distance) = (record.values.iter(), record.distance.unwrap_or_default());
    match form {
        Form::Text => {
            *out += &beside(&record.board, &format!("distance {distance}\n"));
            let rounded = |value: f64| ((value * 10.0).round() / 10.0 + 0.0).to_string();
            let row = |its: &Estimate| {
                let error = rounded(its.value - f64::from(distance));
                json!({ "heuristic": its.heuristic, "estimate": rounded(its.value), "error": error })
            };
            form.push_table(values.map(row), out);
        }
        Form::Json => form.push(record, out),
        _ => {
            if form.has_header() && out.is_empty() {
                let names = values.clone().map(|value| &*value.heuristic);
                form.push_row(["board", "distance"].into_iter().chain(names), out);
            }
            let known = [record.board.to_string(), distance.to_string()].into_iter();
            form.push_row(known.chain(values.map(|of| of.value.to_string())), out);
        }
    }
}

/// Appends a board and its moves, each on a line.
fn push_probe(form: Form, probe: &Probe, out: &mut String) {
    match form {
        Form::Text => show(probe, out),
        Form::Tsv => {
            let solutions = probe.solution_count.map(|count| count.to_string());
            let solutions = solutions.unwrap_or_else(|| "not counted".to_owned());
            let board: [&dyn Display; 3] = [&probe.board, &probe.distance, &solutions];
            form.push_row(board, out);
            for m in &probe.steps {
                form.push_row([&m.mv as &dyn Display, &m.tile, &m.board, &m.distance], out);
            }
        }
        _ => form.push(probe, out),
    }
}

fn show(probe: &Probe, out: &mut String) {
    let solutions = solutions_text(probe.solution_count);
    let text = format!("distance {}\n{solutions}", probe.distance);
    *out += &beside(&probe.board, &text);
    for m in &probe.steps {
        let (word, color) = match m.distance < probe.distance {
            true => ("closer", anstyle::AnsiColor::Green.on_default()),
            false => ("farther", anstyle::AnsiColor::Red.on_default()),
        };
        *out += &format!(
            "  {}  tile {:<2}  {}  distance {:>2}  {color}{word}{color:#}\n",
            m.mv, m.tile, m.board, m.distance
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzledb::oracle::{Limits, Oracle};
    use puzzledb::pattern::{Partition, Patterns};

    #[test]
    fn solutions_that_are_not_counted_say_so() {
        let goal = "123456780".parse().unwrap();
        let partition = Partition::new(&goal, &"4-4".parse().unwrap()).unwrap();
        let patterns = Patterns::build(&partition).unwrap();
        let oracle = Oracle::from_database(patterns, &goal).unwrap();
        let board = "867254301".parse().unwrap();
        for (most, solutions) in [(u64::MAX, "40"), (0, "not counted")] {
            let limits = Limits {
                counted: most,
                ..Limits::DEFAULT
            };
            let probe = oracle.clone().with_limits(limits).probe(&board).unwrap();
            let mut out = String::new();
            push_probe(Form::Tsv, &probe, &mut out);
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
