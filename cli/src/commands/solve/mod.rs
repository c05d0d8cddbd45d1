//! `puzzledb solve`

mod animate;
mod answer;
mod solver;
pub(super) mod steps;
mod stream;

use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use crate::text::plural;
use puzzledb::puzzle::{Board, Move, Notation, Numbering, ParseError, Shape};

use super::anytime::{Effort, Within};
use super::blank::BlankArg;
use super::database::Databases;
use super::error::{CliError, say};
use super::interrupt;
use super::last_oracle::LastOracle;
use super::quoted::quoted;
use super::render::{side_by_side, solutions_text};
use super::status::Status;
use super::waiting::watched;
use super::watch::{check_files, guarded};
use super::write_moves::WriteMoves;

use answer::{Answers, Format, LineError};
use solver::{Length, Solver};

/// Solve boards with as few moves as possible
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A single board on a terminal is drawn. Otherwise each board gives a line
`board<TAB>length<TAB>moves`, in the order of the input; an unsolvable board gives
`board<TAB>unsolvable<TAB>` and exit code 1. A bad line of the input is reported on standard error
with its number, the others are answered, and the exit code is 2.

Boards of up to 16 cells get a shortest solution, however long that takes: of a database, or else by a
search of some milliseconds, for the hardest some seconds. Larger ones, up to 8x8, are searched for --within.
Where the best solution found is not proved to be a shortest, the line goes on with what is proved:
`<TAB>at least 104`. Patterns of a file prove more, on boards of up to 25 cells: `puzzledb build --shape 5x5
--patterns 6-6-6-6` makes one.")]
pub(super) struct Args {
    /// Boards; - reads them from standard input
    #[arg(value_name = "BOARD", conflicts_with = "input")]
    boards: Vec<String>,
    /// Read boards from a file, one a line; - is standard input
    #[arg(long, short, value_name = "FILE|-")]
    input: Option<PathBuf>,
    /// Rows x columns, for boards that are not square
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// How moves are written: the blank's way, the tile's way, or the numbers of the tiles
    #[arg(long, value_enum, value_name = "HOW", default_value = "blank")]
    moves: WriteMoves,
    /// Every optimal solution, a line each
    #[arg(long, conflicts_with_all = ["steps", "animate"])]
    all: bool,
    /// Draw every board on the way
    #[arg(long, conflicts_with = "json")]
    steps: bool,
    /// Play the solution in the terminal
    #[arg(long, conflicts_with_all = ["json", "steps", "input"])]
    animate: bool,
    /// Milliseconds between the moves of --animate
    #[arg(long, value_name = "MS", default_value_t = 350)]
    delay: u64,
    /// Print a JSON object a board; its moves are the blank's way, whatever --moves says
    #[arg(long)]
    json: bool,
    /// The time to search for a good solution of a board of more than 16 cells; `forever` proves the optimum
    #[arg(long, value_name = "TIME", default_value = "2s")]
    within: Within,
    /// Threads for the boards of --input, or for the search of one [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let on_terminal = std::io::stdout().is_terminal();
    let databases = &databases.with_blank(args.blank);
    match args.boards.as_slice() {
        [dash] if dash == "-" => {
            stream::run(Path::new("-"), args.format(), args.threads, databases)
        }
        [] => {
            let input = match &args.input {
                Some(path) => path,
                None if !std::io::stdin().is_terminal() => Path::new("-"),
                None => {
                    return Err(CliError::Usage(
                        "no board: name one, as in `puzzledb solve 704851632`, or a file of \
                         them with --input FILE"
                            .into(),
                    ));
                }
            };
            stream::run(input, args.format(), args.threads, databases)
        }
        [board] if args.animate => {
            if !on_terminal {
                return Err(CliError::Usage("--animate needs a terminal".into()));
            }
            let Solved { board, moves, .. } = args.solve(board, databases)?;
            animate::play(&board, &moves, args.delay)?;
            Ok(Status::Yes)
        }
        [_, _, ..] if args.animate => Err(CliError::Usage(
            "--animate plays one board at a time".into(),
        )),
        [board] if on_terminal && !args.all && !args.json && !args.steps => {
            show(&args.solve(board, databases)?, args.moves.notation())?;
            match interrupt::interrupted() {
                true => Err(CliError::Interrupted),
                false => Ok(Status::Yes),
            }
        }
        boards => match args.one_board(boards) {
            Some(board) => list(args, &[board], databases),
            None => list(args, boards, databases),
        },
    }
}

impl Args {
    fn numbering(&self) -> Numbering {
        Numbering {
            shape: self.shape,
            blank: self.blank.number,
        }
    }

    fn format(&self) -> Format {
        Format {
            numbering: self.numbering(),
            notation: self.moves.notation(),
            all: self.all,
            steps: self.steps,
            json: self.json,
            stream: false,
            effort: Effort::new(self.within, self.threads),
        }
    }

    /// The board that several arguments make together, as in `7 0 4 8 5 1 6 3 2`, if none of them is a
    /// board alone.
    fn one_board(&self, boards: &[String]) -> Option<String> {
        let is_board = |text: &str| self.numbering().board(text.as_bytes()).is_ok();
        let all = boards.join(" ");
        (boards.len() > 1 && is_board(&all) && !boards.iter().any(|b| is_board(b))).then_some(all)
    }

    /// Reads and solves one board for a person. Ctrl-C ends a long search with the best solution so far.
    fn solve(&self, text: &str, databases: &Databases) -> Result<Solved, CliError> {
        let board = self.numbering().board(text.as_bytes());
        let board = board.map_err(|error| no_board(text, error))?;
        let oracles = databases.oracles();
        let mut oracle = LastOracle::new(databases, &oracles);
        let effort = Effort::new(self.within, self.threads);
        match Solver::of(&mut oracle, board.shape(), effort.is_long())? {
            Solver::Exact(oracle) => {
                let (moves, solutions) = guarded(watched(|| oracle.solve_and_count(&board)))?;
                let solutions = solutions_text(solutions);
                let length = plural(moves.len() as u64, "move");
                let text = format!("{length}\n{solutions}");
                Ok(Solved { board, moves, text })
            }
            Solver::Anytime(search) => {
                interrupt::listen();
                let found = guarded(watched(|| effort.solve(&board, &search, None)))?;
                let text = Length(&found).to_string();
                let moves = found.moves;
                Ok(Solved { board, moves, text })
            }
        }
    }
}

/// Error for an argument that is not a board, with the probable correction if there is one.
fn no_board(text: &str, error: ParseError) -> CliError {
    if Path::new(text).is_file() {
        let file = quoted(text);
        return CliError::Usage(format!(
            "this is a file: `puzzledb solve --input {file}` reads boards from it"
        ));
    }
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    match text.contains(char::is_alphabetic) && !has_digits {
        true => CliError::Usage(
            "no board: write its cells row by row with 0 for the blank, as 704851632; --input reads \
             boards from a file"
                .into(),
        ),
        false => error.into(),
    }
}

/// A board, a solution of it and the text about that solution.
struct Solved {
    board: Board,
    moves: Vec<Move>,
    text: String,
}

/// Answers the boards of the command line, a line each.
fn list(args: &Args, boards: &[String], databases: &Databases) -> Result<Status, CliError> {
    let oracles = databases.oracles();
    let mut answers = Answers::new(args.format(), databases, &oracles);
    let mut status = Status::Yes;
    let mut out = std::io::stdout().lock();
    let mut text = String::new();
    for board in boards {
        match answers.answer(board.as_bytes(), &mut text)? {
            Ok(answered) => status = status.and(answered),
            Err(error) => {
                let error = match error {
                    LineError::Parse(error) => no_board(board, error),
                    error => error.into(),
                };
                if boards.len() == 1 {
                    return Err(error);
                }
                say("error", &format!("{board:?}: {error}"));
                status = status.and(Status::BadInput);
            }
        }
        check_files()?;
        out.write_all(text.as_bytes())?;
        text.clear();
        if interrupt::interrupted() {
            return Err(CliError::Interrupted);
        }
    }
    Ok(status)
}

/// Shows one solution to a person.
fn show(solved: &Solved, notation: Notation) -> Result<(), CliError> {
    let Solved { board, moves, text } = solved;
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}\n", side_by_side(&board.grid(), text))?;
    let line = notation.text(board, moves);
    let bold = anstyle::Style::new().bold();
    if moves.is_empty() {
        writeln!(out, "  It is the goal.")?;
    } else {
        writeln!(out, "  {bold}{line}{bold:#}")?;
        writeln!(out, "  ({})", notation_note(notation))?;
    }
    Ok(())
}

fn notation_note(notation: Notation) -> &'static str {
    match notation {
        Notation::Blank => "the way the blank goes: Up, Down, Left, Right",
        Notation::Tile => "the way the tile goes: Up, Down, Left, Right",
        _ => "the tiles that slide",
    }
}
