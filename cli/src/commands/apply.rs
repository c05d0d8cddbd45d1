//! `puzzledb apply`

use std::io::Write;

use crate::form::Form;
use puzzledb::ask::{Apply, Edges, Moves};
use puzzledb::parse_moves;
use puzzledb::puzzle::{Notation, Numbering};

use super::error::{Result, Status};
use super::output::Output;
use super::render::steps;

/// Make moves on a board
///
/// Moves are UDLR in any case, with counts (R2U2), words, arrows, the numbers of the tiles, or boards.
/// Prints the board after them, on a line, without any database: the first example prints 123456780, the
/// second 5 6.
///
/// If a move is impossible, standard error says which and on what board, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
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
    /// What a direction over the edge of the board is
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    edges: Edges,
    /// Print the moves, written so, instead of the board
    #[arg(long, value_name = "HOW", value_enum,
        conflicts_with_all = ["steps", "json", "csv", "format"])]
    convert: Option<Notation>,
    /// Draw every board on the way
    #[arg(long, conflicts_with_all = ["json", "csv", "format"])]
    steps: bool,
    #[command(flatten)]
    reading: Numbering,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args) -> Result<Status> {
    let question = Apply {
        board: args.board.clone(),
        path: args.path.join(" "),
        moves: args.moves.unwrap_or_default(),
        edges: args.edges,
        shape: args.reading.shape,
        blank: args.reading.blank,
    };
    let record = question.answer()?;
    let moves = || parse_moves(&record.moves).expect("letters of moves");
    let mut text = String::new();
    match (args.convert, args.output.asked()) {
        (Some(notation), _) => text = notation.text(&record.board, &moves()) + "\n",
        _ if args.steps => steps(&record.board, &moves(), &mut text),
        (_, None | Some(Form::Text)) => text = format!("{}\n", record.end),
        (_, Some(form)) => form.push(&record, &mut text),
    }
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(Status::Yes)
}
