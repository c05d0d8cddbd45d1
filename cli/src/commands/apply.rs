//! `puzzledb apply`

use std::fmt::Write as _;
use std::io::Write as _;

use serde::Serialize;

use crate::form::Form;
use puzzledb::ask::Moves;
use puzzledb::judge::ApplyError;
use puzzledb::judge::reading::Reader;
use puzzledb::puzzle::{Board, Notation, letters};

use super::args::NumberingArgs;
use super::error::{CliError, Status};
use super::output::Output;
use super::solve::drawn::steps;

/// Make moves on a board
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are UDLR in any case, with counts (R2U2), words, arrows, the numbers of the tiles, or boards. \
Prints the board after them, on a line, without any database: the first example prints 123456780, the \
second 5 6.

If a move is impossible, standard error says which and on what board, and the exit code is 1.")]
pub(super) struct Args {
    /// The board
    #[arg(value_name = "BOARD")]
    board: String,
    /// The moves, in one argument or in several
    #[arg(required = true, value_name = "MOVES")]
    path: Vec<String>,
    /// How the moves are written [default: directions are the blank's, numbers are tiles]
    #[arg(long, value_name = "HOW", value_enum)]
    moves: Option<Moves>,
    /// Print the moves, written so, instead of the board
    #[arg(long, value_name = "HOW", value_enum,
        conflicts_with_all = ["steps", "json", "csv", "format"])]
    convert: Option<Notation>,
    /// Draw every board on the way
    #[arg(long, conflicts_with_all = ["json", "csv", "format"])]
    steps: bool,
    #[command(flatten)]
    reading: NumberingArgs,
    #[command(flatten)]
    output: Output,
}

/// A path as it is written in JSON.
#[derive(Serialize)]
struct PathRecord {
    board: Board,
    /// The blank's moves, a letter each.
    moves: String,
    /// The tile that slides in each move.
    tiles: Vec<u8>,
    length: usize,
    /// The board after the moves.
    end: Board,
}

pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    let numbering = args.reading.numbering();
    let board = numbering.board(args.board.as_bytes())?;
    let reader = Reader {
        numbering,
        only: args.moves.and_then(Moves::only),
        ..Reader::default()
    };
    let path = args.path.join(" ");
    let moves = reader
        .moves(&board, path.as_bytes())
        .map_err(|error| match error {
            ApplyError::Impossible { .. } => CliError::No(error.to_string()),
            _ => CliError::Usage(error.to_string()),
        })?;
    let end = board.replay(&moves).expect("the moves were made before");
    let mut text = String::new();
    if let Some(notation) = args.convert {
        text = notation.text(&board, &moves) + "\n";
    } else if args.steps {
        steps(&board, &moves, &mut text);
    } else {
        let record = PathRecord {
            board,
            moves: letters(&moves),
            tiles: board.tiles_slid(&moves).collect(),
            length: moves.len(),
            end,
        };
        let form = args.output.asked().unwrap_or(Form::Text);
        form.push(&record, &mut text, |text| writeln!(text, "{end}"));
    }
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(Status::Yes)
}
