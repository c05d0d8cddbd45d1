//! Boards from a file, a line each, answered by several threads in bounded memory.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use rayon::prelude::*;

use crate::puzzle::{Shape, parse_board};

use super::super::Status;
use super::super::build::threads;
use super::super::database::Databases;
use super::super::error::{CliError, say};
use super::super::input::{self, Chunk, Chunks, LONGEST_LINE, count_newlines};
use super::answer::{Answers, Form};

/// Bytes of input that are worth a thread.
const PIECE: usize = 32 << 10;

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
    let threads = threads(asked);
    let mut pool = None;
    let mut status = Status::Yes;
    while let Some(chunk) = chunks.next()? {
        let pieces = pieces(&chunk);
        let answered: Vec<Piece> = if threads > 1 && pieces.len() > 1 {
            let pool = match &pool {
                Some(pool) => pool,
                None => pool.insert(start(threads)?),
            };
            pool.install(|| {
                pieces
                    .par_iter()
                    .map(|piece| piece.answer(&answers))
                    .collect()
            })
        } else {
            pieces.iter().map(|piece| piece.answer(&answers)).collect()
        };
        for piece in answered {
            for (line, message) in &piece.errors {
                say("error", &format!("line {line}: {message}"));
            }
            out.write_all(piece.text.as_bytes())?;
            status = status.and(piece.status);
            if let Some(error) = piece.end {
                return Err(error);
            }
        }
    }
    Ok(status)
}

fn start(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| CliError::Usage(format!("cannot start {threads} threads: {error}")))
}

/// Cuts a chunk at line ends into pieces of about [`PIECE`] bytes.
fn pieces<'a>(chunk: &Chunk<'a>) -> Vec<Chunk<'a>> {
    let mut pieces = Vec::new();
    let (mut rest, mut first_line) = (chunk.bytes, chunk.first_line);
    loop {
        let cut = rest
            .get(PIECE..)
            .and_then(|far| far.iter().position(|&b| b == b'\n'));
        let (bytes, after) = match cut {
            Some(cut) => (&rest[..PIECE + cut], Some(&rest[PIECE + cut + 1..])),
            None => (rest, None),
        };
        pieces.push(Chunk { bytes, first_line });
        let Some(after) = after else { return pieces };
        first_line += 1 + count_newlines(bytes);
        rest = after;
    }
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
