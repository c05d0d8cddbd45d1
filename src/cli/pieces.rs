//! Records of a stream, answered by several threads and given out in their order.

use std::io::Read;
use std::num::NonZero;

use rayon::prelude::*;

use crate::judge::reading::Records;

use super::build::threads;
use super::error::CliError;
use super::input::{Chunk, Chunks, count_newlines};

/// Bytes of input that are worth a thread.
const PIECE: usize = 32 << 10;

/// Gives whole records, some at a time, to `answer` on several threads, and what comes of them to
/// `take`, in order. An error of `take` ends it.
pub(super) fn in_order<R: Read, P: Send>(
    mut chunks: Chunks<R>,
    asked: Option<NonZero<usize>>,
    answer: impl Fn(&Chunk<'_>) -> P + Sync,
    mut take: impl FnMut(P) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let threads = threads(asked);
    let records = chunks.records();
    let mut pool = None;
    while let Some(chunk) = chunks.next()? {
        let pieces = pieces(&chunk, records);
        if threads == 1 || pieces.len() == 1 {
            pieces.iter().try_for_each(|piece| take(answer(piece)))?;
            continue;
        }
        let pool = match &pool {
            Some(pool) => pool,
            None => pool.insert(start(threads)?),
        };
        let answered: Vec<P> = pool.install(|| pieces.par_iter().map(&answer).collect());
        answered.into_iter().try_for_each(&mut take)?;
    }
    Ok(())
}

fn start(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| CliError::Usage(format!("cannot start {threads} threads: {error}")))
}

/// Cuts a chunk at the ends of records into pieces of about [`PIECE`] bytes.
fn pieces<'a>(chunk: &Chunk<'a>, records: Records) -> Vec<Chunk<'a>> {
    let mut pieces = Vec::new();
    let (mut rest, mut first_line) = (chunk.bytes, chunk.first_line);
    loop {
        let Some((end, next)) = records.end_after(rest, PIECE) else {
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
