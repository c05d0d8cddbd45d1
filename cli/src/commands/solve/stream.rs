//! Boards from a file, a line each, answered by several threads in bounded memory.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use super::super::anytime::Effort;
use super::super::database::Databases;
use super::super::error::{CliError, say};
use super::super::input::{self, Chunk, Chunks, LONGEST_LINE};
use super::super::interrupt;
use super::super::parallel::answer_in_order;
use super::super::status::Status;
use super::super::watch::check_files;
use super::answer::{Answers, Format};

pub(super) fn run(
    path: &Path,
    format: Format,
    threads: Option<NonZero<usize>>,
    databases: &Databases,
) -> Result<Status, CliError> {
    let mut chunks = Chunks::new(input::open(path)?);
    let format = Format {
        stream: true,
        effort: Effort {
            threads: NonZero::<usize>::MIN,
            ..format.effort
        },
        ..format
    };
    let oracles = databases.oracles();
    let answers = || Answers::new(format, databases, &oracles);
    let mut out = std::io::stdout().lock();
    // A file may also hold one board, over several lines, none of which is a board alone.
    let is_part = |line: &[u8]| {
        line.iter()
            .all(|byte| b"0123456789 \t\r,;/[]()_.*xX'\"".contains(byte))
            && format.numbering.board(line).is_err()
    };
    if let Some(text) = chunks.whole(LONGEST_LINE, is_part)?
        && format.numbering.board(text).is_ok()
    {
        let mut answer = String::new();
        let status = answers().answer(text, &mut answer)??;
        check_files()?;
        out.write_all(answer.as_bytes())?;
        return Ok(status);
    }
    let (mut status, mut is_empty) = (Status::Yes, true);
    let take = |piece: SolvedPiece| {
        is_empty &= piece.text.is_empty() && piece.errors.is_empty();
        for (line, message) in &piece.errors {
            say("error", &format!("line {line}: {message}"));
        }
        out.write_all(piece.text.as_bytes())?;
        status = status.and(piece.status);
        piece.end.map_or(Ok(()), Err)
    };
    answer_in_order(chunks, threads, |chunk| solve_lines(chunk, answers()), take)?;
    match is_empty {
        true => Err(CliError::Usage("there is no board in this input".into())),
        false => Ok(status),
    }
}

/// The answers to some lines.
#[derive(Default)]
struct SolvedPiece {
    text: String,
    /// Lines that are not boards, with their errors.
    errors: Vec<(u64, String)>,
    status: Status,
    /// The error that ends the command, after the lines before it.
    end: Option<CliError>,
}

fn solve_lines(lines: &Chunk<'_>, mut answers: Answers<'_>) -> SolvedPiece {
    let mut piece = SolvedPiece {
        text: String::with_capacity(lines.bytes.len() * 4),
        ..SolvedPiece::default()
    };
    for (number, line) in (lines.first_line..).zip(lines.bytes.split(|&b| b == b'\n')) {
        let error = if line.len() > LONGEST_LINE {
            format!("longer than {LONGEST_LINE} bytes: no board is that long")
        } else {
            match answers.answer(line, &mut piece.text) {
                Ok(Ok(status)) => {
                    piece.status = piece.status.and(status);
                    if interrupt::interrupted() {
                        piece.end = Some(CliError::Interrupted);
                        return piece;
                    }
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
