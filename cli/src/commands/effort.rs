//! `puzzledb effort`

use puzzledb::ask::Effort;
use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm as A, Efforts, GoalTest};
use serde_json::{Value, json};

use super::boards::BoardsArgs;
use super::database::Databases;
use super::error::{Result, Status};
use super::interrupt;
use super::output::Output;

/// Tell how many boards a correct search expands, and judge a reported number
///
/// An expansion is the making of a board's successors. The goal is not expanded: a program that
/// counts it reports 1 more. Certain are the expansions that every order of ties makes; the least are made where ties are
/// broken for the way to the goal, the most where they are broken against it. With d the board's distance, g the moves to a board and f = g + h:
///
///   ucs, astar  look for the goal among the boards they take from the queue
///               (--goal-test late), and keep an expanded list. Every board with
///               f < d is expanded once; of those with f = d as many as the order
///               of ties decides, at least those at the end of the way. h must be
///               consistent.
///   bfs         looks for the goal among the successors it makes (--goal-test
///               early), and keeps a list: every board with g < d - 1, and at
///               least one with g = d - 1. With --goal-test late it looks when it
///               takes a board from its queue: every board with g < d, and any
///               number of the others with g = d.
///   idastar     drops a successor only if it takes the last move back: boards
///               count as often as its trees hold them.
///
/// Exit code 1 if --expanded is impossible.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(mut_arg("threads", |threads| threads.hide(true)))]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    #[command(flatten)]
    question: Effort,
    /// The fewest and the most expansions of every algorithm and goal test, in columns
    #[arg(long, conflicts_with_all = ["algorithm", "goal_test", "expanded"])]
    all: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let boards = args.boards.boards("effort", databases)?;
    let form = boards.form(&args.output);
    let limits = interrupt::run();
    let mut questions = vec![args.question.clone()];
    if args.all {
        let algorithms = [A::UniformCost, A::BreadthFirst, A::AStar, A::IdaStar];
        questions = vec![args.question.clone(); algorithms.len()];
        (questions.iter_mut().zip(algorithms)).for_each(|(its, a)| its.algorithm = Some(a));
    }
    let prepare = |databases: &Databases, goal: &Board| -> Result<Vec<Efforts>> {
        let prepare = |question: &Effort| question.prepare(goal, databases, &limits);
        questions.iter().map(prepare).collect()
    };
    boards.answer(form, prepare, |prepared, board, out| {
        if args.all {
            form.push(&columns(board, prepared)?, out);
            return Ok(Status::Yes);
        }
        let record = args.question.record(board, &prepared[0])?;
        form.push(&record, out);
        Ok((record.possible != Some(false)).into())
    })
}

/// The fewest and the most expansions of several algorithms for a board, by the names of their columns.
fn columns(board: &Board, algorithms: &[Efforts]) -> Result<Value> {
    let mut columns = json!({ "board": board });
    for efforts in algorithms {
        let effort = efforts.of(board, GoalTest::Late)?;
        columns["distance"] = json!(effort.distance);
        let late = (effort.least, effort.most);
        for (test, (least, most)) in [("late", late), ("early", effort.with_other_test)] {
            let name = format!("{}_{test}", effort.algorithm);
            columns[format!("{name}_least")] = json!(least);
            columns[format!("{name}_most")] = json!(most);
        }
    }
    Ok(columns)
}
