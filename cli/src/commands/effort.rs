//! `puzzledb effort`

use std::fmt::{self, Write};

use puzzledb::puzzle::Board;
use puzzledb::search::{
    Algorithm, BoardHeuristic, EffortError, EffortRecord, GoalTest, HeuristicError, HeuristicName,
    effort,
};

use super::boards::BoardsArgs;
use super::database::Databases;
use super::error::{CliError, Status};
use super::output::{Form, Output};
use super::prepared::Prepared;

/// Tell how many boards a correct search expands, and whether a reported number is possible
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An expansion is the making of a board's successors. The goal is not expanded: a program that \
counts it reports 1 more. With d the board's distance, g the moves to a board and f = g + h:

ucs, astar  look for the goal among the boards they take from the queue
            (--goal-test late), and keep an expanded list. Every board with
            f < d is expanded once; of those with f = d as many as the order
            of ties decides, at least those at the end of the way. h must be
            consistent.
bfs         looks for the goal among the successors it makes (--goal-test
            early), and keeps a list: every board with g < d - 1, and at
            least one with g = d - 1. With --goal-test late it looks when it
            takes a board from its queue: every board with g < d, and any
            number of the others with g = d.
idastar     drops a successor only if it takes the last move back: boards
            count as often as its trees hold them.

Exit code 1 if --expanded is impossible.")]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// ucs (dijkstra), astar, idastar or bfs
    #[arg(long, value_name = "A", default_value = "astar")]
    algorithm: Algorithm,
    /// A consistent heuristic [default: manhattan]
    #[arg(long, value_name = "H")]
    heuristic: Option<HeuristicName>,
    /// When the goal is looked for: early, among the successors, or late, when a board is taken from
    /// the queue [default: early for bfs, late for the others]
    #[arg(long, value_name = "WHEN")]
    goal_test: Option<GoalTest>,
    /// The number of expansions that is to be judged
    #[arg(long, value_name = "N")]
    expanded: Option<u64>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.read_with(&args.boards.reading);
    let form = args.output.form().unwrap_or(Form::Text);
    let name = match &args.heuristic {
        Some(name) if args.algorithm.is_informed() => name.clone(),
        _ => args.algorithm.usual_heuristic(),
    };
    let goal_test = args.goal_test.unwrap_or(GoalTest::usual(args.algorithm));
    let prepare = |goal: &Board| -> Result<_, CliError> {
        let oracle = databases.table_oracle(goal)?;
        let get = |goal: &_| databases.table_oracle(goal);
        Ok((oracle, BoardHeuristic::with_oracle(&name, goal, get)?))
    };
    let prepared = Prepared::default();
    let answer = |board: &Board, out: &mut String| {
        let goal = databases.goal(board.shape())?;
        let prepared = prepared.get(&goal, prepare)?;
        let (oracle, heuristic) = &*prepared;
        let effort = effort(oracle, board, args.algorithm, goal_test, heuristic)?;
        let record = EffortRecord::new(board, args.algorithm, &name, effort, args.expanded);
        form.push(&record, out, |out| write_text(out, args, &record, &goal))?;
        Ok((record.possible != Some(false)).into())
    };
    args.boards.boards("effort")?.answer(form, |_| answer)
}

/// Writes the bounds and the verdict for people.
fn write_text(out: &mut String, args: &Args, record: &EffortRecord, goal: &Board) -> fmt::Result {
    let mut by = String::new();
    if args.algorithm.is_informed() {
        by += &format!(" with {}", record.heuristic);
    }
    if let Some(goal_test) = args.goal_test {
        by += &format!(", goal tested {goal_test}");
    }
    let EffortRecord {
        board,
        distance,
        states,
        certain,
        least,
        most,
        ..
    } = record;
    writeln!(
        out,
        "{} on {board}, {distance} moves from {goal}{by}\n",
        args.algorithm
    )?;
    writeln!(out, "certain  {certain:>9}  expanded in any order of ties")?;
    writeln!(
        out,
        "least    {least:>9}  if ties are broken for the way to the goal"
    )?;
    writeln!(out, "most     {most:>9}  if they are broken against it")?;
    writeln!(out, "states   {states:>9}  boards that can be reached")?;
    if let Some(expanded) = args.expanded {
        let verdict = match &record.why {
            None => "possible".to_owned(),
            Some(why) => format!("impossible: {why}"),
        };
        writeln!(out, "\n{expanded} expansions: {verdict}")?;
    }
    Ok(())
}

impl From<EffortError> for CliError {
    fn from(error: EffortError) -> CliError {
        match error {
            EffortError::Query(error) => error.into(),
            EffortError::Oracle(error) => error.into(),
            _ => CliError::Usage(error.to_string()),
        }
    }
}

impl From<HeuristicError> for CliError {
    fn from(error: HeuristicError) -> CliError {
        match error {
            HeuristicError::Oracle(error) => error.into(),
            _ => CliError::Usage(error.to_string()),
        }
    }
}
