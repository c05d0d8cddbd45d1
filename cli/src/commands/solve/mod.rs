//! `puzzledb solve`

mod animate;
mod answer;
mod drawn;
mod solver;
pub(super) mod steps;

use std::io::IsTerminal;
use std::num::NonZero;

use puzzledb::puzzle::{Board, Move};

use super::anytime::{Effort, Within};
use super::boards::{BoardsArgs, Source, answer_all, board_of};
use super::database::Databases;
use super::error::CliError;
use super::interrupt;
use super::last_oracle::LastOracle;
use super::output::{Form, Output};
use super::status::Status;
use super::waiting::watched;
use super::watch::guarded;
use super::write_moves::WriteMoves;

use answer::{Answers, Format};
use solver::Solver;

/// Solve boards with as few moves as possible
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A single board on a terminal is drawn. Otherwise each board gives a line \
`board<TAB>length<TAB>moves`, in the order of the input; an unsolvable board gives \
`board<TAB>unsolvable<TAB>` and exit code 1. A bad line of the input is reported on standard error \
with its number, the others are answered, and the exit code is 2.

Boards of up to 16 cells get a shortest solution, however long that takes: of a database, or else by a \
search of some milliseconds, for the hardest some seconds. Larger ones, up to 8x8, are searched for --time. \
Where the best solution found is not proved to be a shortest, the line goes on with what is proved: \
`<TAB>at least 104`. Patterns of a file prove more, on boards of up to 25 cells: `puzzledb build --shape 5x5 \
--patterns 6-6-6-6` makes one.")]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// How moves are written: the blank's way, the tile's way, or the numbers of the tiles
    #[arg(long, value_enum, value_name = "HOW", default_value = "blank")]
    moves: WriteMoves,
    /// Every optimal solution, a line each
    #[arg(long, conflicts_with_all = ["steps", "animate"])]
    all: bool,
    /// Draw every board on the way
    #[arg(long, conflicts_with_all = ["json", "csv", "format"])]
    steps: bool,
    /// Play the solution in the terminal
    #[arg(long, conflicts_with_all = ["json", "csv", "format", "steps", "boards"])]
    animate: bool,
    /// Milliseconds between the moves of --animate
    #[arg(long, value_name = "MS", default_value_t = 350)]
    delay: u64,
    #[command(flatten)]
    output: Output,
    /// The time to search for a good solution of a board of more than 16 cells; `forever` proves the optimum
    #[arg(long, alias = "within", value_name = "LIMIT", default_value = "2s")]
    time: Within,
    /// Threads for the boards of --boards, or for the search of one [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.with_blank(args.boards.blank);
    let source = args.boards.source()?;
    if args.animate {
        return match source {
            _ if !std::io::stdout().is_terminal() => {
                Err(CliError::Usage("--animate needs a terminal".into()))
            }
            Source::Words(words) if words.len() == 1 => args.animate(&words[0], databases),
            _ => Err(CliError::Usage(
                "--animate plays one board at a time".into(),
            )),
        };
    }
    let usual = if args.all || args.steps {
        Form::Tsv
    } else {
        source.usual_form()
    };
    let form = args.output.form().unwrap_or(usual);
    let oracles = databases.oracles();
    let answers = |stream: bool| {
        let effort = if stream {
            Effort::new(args.time, Some(NonZero::<usize>::MIN))
        } else {
            Effort::new(args.time, args.threads)
        };
        let format = Format {
            notation: args.moves.notation(),
            all: args.all,
            steps: args.steps,
            form,
            stream,
            effort,
        };
        let mut answers = Answers::new(format, databases, &oracles);
        move |board: &Board, out: &mut String| answers.answer(board, out)
    };
    let numbering = args.boards.numbering();
    answer_all(&source, numbering, form, args.threads, answers)
}

impl Args {
    /// Plays the solution of a board. Ctrl-C ends a long search with the best solution so far.
    fn animate(&self, text: &str, databases: &Databases) -> Result<Status, CliError> {
        let board = board_of(text, self.boards.numbering())?;
        let oracles = databases.oracles();
        let mut oracle = LastOracle::new(databases, &oracles);
        let effort = Effort::new(self.time, self.threads);
        let moves: Vec<Move> = match Solver::of(&mut oracle, board.shape(), effort.is_long())? {
            Solver::Exact(oracle) => guarded(watched(|| oracle.solve(&board)))?,
            Solver::Anytime(search) => {
                interrupt::listen();
                guarded(watched(|| effort.solve(&board, &search, None)))?.moves
            }
        };
        animate::play(&board, &moves, self.delay)?;
        Ok(Status::Yes)
    }
}
