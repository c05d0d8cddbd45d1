//! `puzzledb solve`

mod animate;
mod answer;
mod svg;

use std::io::IsTerminal;
use std::num::NonZero;
use std::path::PathBuf;

use crate::form::Form;
use puzzledb::puzzle::{Board, Notation};

use super::anytime::{Budget, Within};
use super::boards::{Boards, BoardsArgs};
use super::database::Databases;
use super::error::{CliError, Status, bail};
use super::output::{Output, output_file, write_output};
use super::waiting::watched;
use super::watch::checked;

use answer::Answers;

/// Solve boards with as few moves as possible
#[derive(Debug, clap::Args)]
#[command(mut_arg("threads", |threads| threads.help(
    "Threads for the boards of --boards, or for the search of one [default: all cores]"
)))]
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
    #[arg(long, value_name = "HOW", default_value = "blank", value_enum)]
    moves: Notation,
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
    #[arg(long, hide = true, value_name = "MS", default_value_t = 350)]
    delay: u64,
    /// Draw the solution as an animated SVG picture into a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "csv", "format", "steps", "animate", "all", "boards"])]
    svg: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// The time to search for a good solution of a board of more than 16 cells; `forever` proves the optimum
    #[arg(long, alias = "within", value_name = "LIMIT", default_value = "2s")]
    time: Within,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &args.boards.databases(databases)?;
    let boards = args.boards.boards("solve")?;
    if args.animate || args.svg.is_some() {
        return args.show(boards, databases);
    }
    let form = match args.all || args.steps {
        true => args.output.form(false),
        false => boards.form(&args.output),
    };
    boards.answer(form, |stream| {
        let answers = args.answers(form, stream);
        let mut last = None;
        move |board: &Board, out: &mut String| {
            let oracle = databases.usual_oracle(&mut last, board.shape())?;
            answers.answer(oracle, board, out)
        }
    })
}

impl Args {
    fn answers(&self, form: Form, stream: bool) -> Answers<'_> {
        let one = stream.then_some(NonZero::<usize>::MIN);
        Answers {
            args: self,
            form,
            stream,
            budget: Budget::new(self.time, one.or(self.boards.threads)),
        }
    }

    /// Plays the solution of the one board in the terminal, or draws it into a file. Ctrl-C ends a long search with the
    /// best solution so far.
    fn show(&self, mut boards: Boards, databases: &Databases) -> Result<Status, CliError> {
        if self.animate && !std::io::stdout().is_terminal() {
            bail!(Usage, "--animate needs a terminal");
        }
        let file = self.svg.as_deref().map(output_file).transpose()?;
        let Some(board) = boards.only(false)? else {
            bail!(Usage, "--animate and --svg show one board at a time");
        };
        let oracle = databases.oracle_of_any_shape(&databases.goal(board.shape())?)?;
        let answers = self.answers(Form::Tsv, false);
        let (found, _) = checked(watched(|| answers.solve(&oracle, &board)))?;
        if let (Some(file), Some(path)) = (file, &self.svg) {
            let levels = oracle.table().map(|table| table.header().levels());
            let picture = svg::picture(&board, &found.moves, levels.unwrap_or_default());
            write_output(path, file, picture.as_bytes())?;
        } else {
            animate::play(&board, &found.moves, self.delay)?;
        }
        Ok(Status::Yes)
    }
}
