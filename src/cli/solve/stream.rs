//! Boards from a file, a line each, answered by several threads in bounded memory.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use crate::puzzle::{Shape, parse_board};

use super::super::database::Databases;
use super::super::error::{CliError, say};
use super::super::input::{self, Chunk, Chunks, LONGEST_LINE};
use super::super::pieces::in_order;
use super::super::status::Status;
use super::answer::{Answers, Form};

pub(super) fn run(
    path: &Path,
    form: Form,
    shape: Option<Shape>,
    asked: Option<NonZero<usize>>,
    databases: &Databases,
) -> Result<Status, CliError> {
    let mut chunks = Chunks::new(input::open(path)?);
    let answers = Answers::new(form, shape, databases, true);
    let mut out = std::io::stdout().lock();
    // A file may also hold one board, over several lines, none of which is a board alone.
    let part = |line: &[u8]| {
        line.iter()
            .all(|byte| b"0123456789 \t\r,;/[]()_.*xX'\"".contains(byte))
            && parse_board(line, shape).is_err()
    };
    if let Some(text) = chunks.whole(LONGEST_LINE, part)?
        && parse_board(text, shape).is_ok()
    {
        let mut answer = String::new();
        let status = answers.answer(text, &mut answer)??;
        out.write_all(answer.as_bytes())?;
        return Ok(status);
    }
    let mut status = Status::Yes;
    let take = |piece: Piece| {
        for (line, message) in &piece.errors {
            say("error", &format!("line {line}: {message}"));
        }
        out.write_all(piece.text.as_bytes())?;
        status = status.and(piece.status);
        piece.end.map_or(Ok(()), Err)
    };
    in_order(chunks, asked, |chunk| chunk.answer(&answers), take)?;
    Ok(status)
}

/// The answers to some lines.
#[derive(Default)]
struct Piece {
    text: String,
    errors: Vec<(u64, String)>,
    status: Status,
    /// What ends everything, after the lines before it.
    end: Option<CliError>,
}

impl Chunk<'_> {
    fn answer(&self, answers: &Answers<'_>) -> Piece {
        let mut piece = Piece {
            text: String::with_capacity(self.bytes.len() * 4),
            ..Piece::default()
        };
        for (number, line) in (self.first_line..).zip(self.bytes.split(|&b| b == b'\n')) {
            let error = if line.len() > LONGEST_LINE {
                format!("longer than {LONGEST_LINE} bytes: no board is that long")
            } else {
                match answers.answer(line, &mut piece.text) {
                    Ok(Ok(status)) => {
                        piece.status = piece.status.and(status);
                        continue;
                    }
                    Ok(Err(error)) => error.to_string(),
                    Err(error) => {
                        piece.end = Some(error);
                        return piece;
                    }
                }
            };
            piece.status = Status::BadInput;
            piece.errors.push((number, error));
        }
        piece
    }
}
