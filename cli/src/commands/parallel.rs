//! A stream of records, answered by several threads in the order of the input.

use std::io::Read;
use std::num::NonZero;

use rayon::prelude::*;

use puzzledb::judge::reading::Records;

use super::build::threads;
use super::error::CliError;
use super::input::{Chunk, Chunks, count_newlines};
use super::watch::check_files;

/// Bytes of input that a thread answers at a time, at most: some hundred boards, each of which may take
/// milliseconds.
const PIECE: usize = 8 << 10;

/// Pieces for each thread into which a small input is cut: its boards may take seconds each.
const PIECES: usize = 16;

/// Cuts the stream into pieces of whole records, calls `answer` with each on several threads, and hands the answers to
/// `take` in the order of the input. Ends at the first error of `take`, and where a database was
/// changed: the answers that may be wrong are dropped.
pub(super) fn answer_in_order<R: Read, P: Send>(
    mut chunks: Chunks<R>,
    asked: Option<NonZero<usize>>,
    answer: impl Fn(&Chunk<'_>) -> P + Sync,
    mut take: impl FnMut(P) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let threads = threads(asked);
    let records = chunks.records();
    let mut pool = None;
    while let Some(chunk) = chunks.next()? {
        let size = PIECE.min(chunk.bytes.len() / (threads * PIECES));
        let pieces = pieces(&chunk, size, records);
        // The answer to one record may use threads too, and no more than were asked for.
        if asked.is_none() && (threads == 1 || pieces.len() == 1) {
            for piece in &pieces {
                check_files()?;
                let answer = answer(piece);
                check_files()?;
                take(answer)?;
            }
            continue;
        }
        let pool = match &pool {
            Some(pool) => pool,
            None => pool.insert(start(threads)?),
        };
        // The first answers of a small input do not wait for the last.
        let at_once = if size < PIECE {
            2 * threads
        } else {
            pieces.len()
        };
        for pieces in pieces.chunks(at_once) {
            check_files()?;
            let answered: Vec<P> = pool.install(|| pieces.par_iter().map(&answer).collect());
            check_files()?;
            answered.into_iter().try_for_each(&mut take)?;
        }
    }
    Ok(())
}

fn start(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| CliError::Usage(format!("cannot start {threads} threads: {error}")))
}

/// Cuts a chunk at the ends of records into pieces of about `size` bytes.
fn pieces<'a>(chunk: &Chunk<'a>, size: usize, records: Records) -> Vec<Chunk<'a>> {
    let mut pieces = Vec::new();
    let (mut rest, mut first_line) = (chunk.bytes, chunk.first_line);
    loop {
        let Some((end, next)) = records.end_after(rest, size) else {
            let bytes = rest;
            pieces.push(Chunk { bytes, first_line });
            return pieces;
        };
        let bytes = &rest[..end];
        pieces.push(Chunk { bytes, first_line });
        first_line += count_newlines(&rest[..next]);
        rest = &rest[next..];
    }
}
