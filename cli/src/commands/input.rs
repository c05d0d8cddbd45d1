//! Records of a file or of standard input, in chunks, in bounded memory, answered by several threads.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZero;
use std::path::Path;

use rayon::prelude::*;

use puzzledb::internals::Format;
use puzzledb::puzzle::{Board, Numbering};

use super::build::{start_pool, threads};
use super::error::{CliError, Result, bail, print_error};
use super::watch::check_files;

/// Most bytes of a line that can be a board.
pub(super) const LONGEST_LINE: usize = 4096;

/// The most bytes of a chunk. A longer record is cut off.
pub(super) const CHUNK: usize = 1 << 20;

/// Opens a file, or standard input for `-`.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let unreadable =
        |error: io::Error| CliError::Usage(format!("cannot read {}: {error}", path.display()));
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(File::open(path).map_err(unreadable)?))
}

/// The most bytes of a file that is read as a whole.
const LARGEST_FILE: u64 = 64 << 20;

/// Reads all boards of a file, or of standard input for `-`.
pub(super) fn boards(path: &Path, numbering: Numbering) -> Result<Vec<Board>> {
    let boards = numbering.boards(&Chunks::new(open(path)?).text(path)?);
    boards.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// Whole records, such as lines, without the newline after the last.
#[derive(Debug)]
pub(super) struct Chunk<'a> {
    /// The lines, with `\n` between them. A record that is longer than a chunk is cut off, and
    /// has [`CHUNK`] bytes.
    pub bytes: &'a [u8],
    /// The number of the first line, from 1.
    pub first_line: u64,
}

/// Cuts a stream into [`Chunk`]s.
pub(super) struct Chunks {
    source: BufReader<Box<dyn Read>>,
    /// Bytes that were read, and are in no chunk yet.
    buffer: Vec<u8>,
    next_line: u64,
    at_end: bool,
    /// Format of the stream, which divides it into records.
    pub format: Format,
}

impl Chunks {
    pub(super) fn new(source: Box<dyn Read>) -> Chunks {
        Chunks {
            source: BufReader::with_capacity(CHUNK, source),
            buffer: Vec::new(),
            next_line: 1,
            at_end: false,
            format: Format::Lines,
        }
    }

    /// A text that was read, in one chunk.
    pub(super) fn of_text(text: impl Into<Vec<u8>>) -> Chunks {
        Chunks {
            buffer: text.into(),
            at_end: true,
            ..Chunks::new(Box::new(io::empty()))
        }
    }

    /// The bytes of the next chunk, and the number of its first line; `None` at the end. It has the whole records that
    /// were read, as soon as there is one: it does not wait for more. The rest of a line that is cut off is skipped.
    fn next(&mut self) -> io::Result<Option<(Vec<u8>, u64)>> {
        let first_line = self.next_line;
        let (end, next) = loop {
            if let Some(end) = self.format.last_end(&self.buffer) {
                break end;
            } else if !self.read_more()? {
                if !self.at_end {
                    self.source.skip_until(b'\n')?;
                    self.next_line += 1;
                }
                break (self.buffer.len(), self.buffer.len());
            }
        };
        let rest = self.buffer.split_off(next);
        let mut bytes = std::mem::replace(&mut self.buffer, rest);
        self.next_line += count_newlines(&bytes);
        bytes.truncate(end);
        Ok((next > 0).then_some((bytes, first_line)))
    }

    /// Calls `decide` with the first lines, one after the other, until it returns `Some`.
    /// They are in the first chunk too. Must be called before that. Reads no further than the line that decides.
    pub(super) fn first_lines<T>(
        &mut self,
        mut decide: impl FnMut(&[u8]) -> Option<T>,
    ) -> io::Result<Option<T>> {
        let mut begin = 0;
        loop {
            while !self.buffer[begin..].contains(&b'\n') && self.read_more()? {}
            let mut lines = self.buffer[begin..].split_inclusive(|&byte| byte == b'\n');
            let Some(line) = lines.next() else {
                return Ok(None);
            };
            begin += line.len();
            let decided = decide(line.strip_suffix(b"\n").unwrap_or(line));
            if decided.is_some() {
                return Ok(decided);
            }
        }
    }

    /// Takes some of the [first lines](Chunks::first_lines) off the stream.
    pub(super) fn skip_lines(&mut self, count: usize) {
        let lines = self.buffer.split_inclusive(|&byte| byte == b'\n');
        let skipped: usize = lines.take(count).map(<[u8]>::len).sum();
        self.buffer.drain(..skipped);
        self.next_line += count as u64;
    }

    /// The text of a file from here on: what was read ahead, and the rest.
    pub(super) fn text(self, path: &Path) -> Result<Vec<u8>> {
        let mut text = self.buffer;
        self.source.take(LARGEST_FILE + 1).read_to_end(&mut text)?;
        if text.len() as u64 > LARGEST_FILE {
            let path = path.display();
            bail!(
                "{path} is larger than {} MiB, and read as a whole: write fewer boards, or a claim a line",
                LARGEST_FILE >> 20
            );
        }
        Ok(text)
    }

    /// Reads what is there, and waits where nothing is. Returns false at the end, and where a chunk is full.
    fn read_more(&mut self) -> io::Result<bool> {
        if self.at_end || self.buffer.len() >= CHUNK {
            return Ok(false);
        }
        let first = self.source.by_ref().take(1).read_to_end(&mut self.buffer)?;
        self.at_end = first == 0;
        let ready = self.source.buffer();
        let ready = &ready[..ready.len().min(CHUNK - self.buffer.len())];
        self.buffer.extend_from_slice(ready);
        let read = ready.len();
        self.source.consume(read);
        Ok(!self.at_end)
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

/// Answers to a piece of the input.
#[derive(Default)]
pub(super) struct Piece<T> {
    pub text: String,
    /// Errors of records without an answer.
    pub errors: Vec<String>,
    /// What the answers come to.
    pub sum: T,
    /// The error that ends the command, after the answers before it.
    pub end: Option<CliError>,
}

impl<T> Piece<T> {
    /// Prints the errors, writes the answers, and fails with the error that ends the command.
    pub(super) fn finish(self, write: impl FnOnce(&str) -> io::Result<()>) -> Result<()> {
        self.errors.iter().for_each(print_error);
        write(&self.text)?;
        self.end.map_or(Ok(()), Err)
    }
}

/// Bytes of input that a thread answers at a time, at most: some hundred boards, each of which may take
/// milliseconds.
const PIECE: usize = 8 << 10;

/// Pieces for each thread into which a small input is cut: its boards may take seconds each.
const PIECES: usize = 16;

/// Cuts the stream into pieces of whole records, calls `answer` with each on several threads, and hands the answers to
/// `take` in the order of the input. Ends at the first error of `take`, and where a database was
/// changed: the answers that may be wrong are dropped.
pub(super) fn answer_in_order<P: Send>(
    mut chunks: Chunks,
    asked: Option<NonZero<usize>>,
    answer: impl Fn(&Chunk<'_>) -> P + Sync,
    mut take: impl FnMut(P) -> Result<()>,
) -> Result<()> {
    let threads = threads(asked);
    let format = chunks.format.clone();
    while let Some((bytes, first_line)) = chunks.next()? {
        let size = PIECE.min(bytes.len() / (threads * PIECES));
        let bytes = &bytes[..];
        let pieces = pieces(Chunk { bytes, first_line }, size, &format);
        // The answer to one record may use threads too, and no more than were asked for.
        let is_serial = asked.is_none() && (threads == 1 || pieces.len() == 1);
        // The first answers of a small input do not wait for the last.
        let at_once = match is_serial {
            true => 1,
            false if size < PIECE => 2 * threads,
            false => pieces.len(),
        };
        if !is_serial {
            start_pool(asked)?;
        }
        for pieces in pieces.chunks(at_once) {
            check_files()?;
            let answered: Vec<P> = match is_serial {
                true => pieces.iter().map(&answer).collect(),
                false => pieces.par_iter().map(&answer).collect(),
            };
            check_files()?;
            answered.into_iter().try_for_each(&mut take)?;
        }
    }
    Ok(())
}

/// Cuts a chunk at the ends of records into pieces of about `size` bytes.
fn pieces<'a>(chunk: Chunk<'a>, size: usize, format: &Format) -> Vec<Chunk<'a>> {
    let (mut pieces, mut rest) = (Vec::new(), chunk);
    while let Some((end, next)) = format.end_after(rest.bytes, size) {
        let (begin, bytes) = rest.bytes.split_at(next);
        let first_line = rest.first_line + count_newlines(begin);
        rest.bytes = &begin[..end];
        pieces.push(std::mem::replace(&mut rest, Chunk { bytes, first_line }));
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives at most `step` bytes at a time.
    struct Dripping(io::Cursor<Vec<u8>>, usize);

    impl Read for Dripping {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(out.len());
            self.0.read(&mut out[..count])
        }
    }

    /// All lines with their numbers, cut to a few bytes.
    fn lines(text: &[u8], step: usize) -> Vec<(u64, Vec<u8>)> {
        let source = Dripping(io::Cursor::new(text.to_vec()), step);
        let mut chunks = Chunks::new(Box::new(source));
        let mut lines = Vec::new();
        while let Some((bytes, first_line)) = chunks.next().unwrap() {
            let numbered = (first_line..).zip(bytes.split(|&b| b == b'\n'));
            lines.extend(numbered.map(|(i, line)| (i, line[..line.len().min(8)].to_vec())));
        }
        lines
    }

    #[test]
    fn lines_come_whole_and_numbered_however_they_arrive() {
        for text in ["", "a", "a\n", "a\nbc\n\nd", "\n\n", "a\r\nb"] {
            let mut plain: Vec<&str> = text.split('\n').collect();
            if plain.last() == Some(&"") {
                plain.pop();
            }
            let plain: Vec<_> = (1..)
                .zip(plain.iter().map(|l| l.as_bytes().to_vec()))
                .collect();
            for step in 1..6 {
                assert_eq!(lines(text.as_bytes(), step), plain, "{text:?} by {step}");
            }
        }
    }

    #[test]
    fn an_endless_line_is_cut_off_and_the_next_has_its_number() {
        let mut text = b"first\n".to_vec();
        text.extend(vec![b'x'; 3 * CHUNK + 5]);
        text.extend(b"\nlast");
        let found = lines(&text, CHUNK);
        let expected: [(u64, &[u8]); 3] = [(1, b"first"), (2, b"xxxxxxxx"), (3, b"last")];
        assert_eq!(found, expected.map(|(i, line)| (i, line.to_vec())));
        text.truncate(2 * CHUNK);
        assert_eq!(lines(&text, CHUNK).len(), 2);
    }
}
