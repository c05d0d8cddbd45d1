//! Boards that a command answers one after the other: arguments, a file or standard input.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use puzzledb::internals::{is_comment, start_and_goal};
use puzzledb::puzzle::{Board, Numbering, Shape};

use super::database::Databases;
use super::error::{CliError, Result, Status, bail};
use super::input::{Chunk, Chunks, LONGEST_LINE, Piece, answer_in_order, open};
use super::interrupt::INTERRUPTED;
use super::output::{Output, stdout};
use super::waiting::watched;
use super::watch::check_files;
use crate::form::Form;
use crate::text::quoted;

/// Boards to answer.
#[derive(Debug, clap::Args)]
pub(super) struct BoardsArgs {
    /// Boards; - reads them from standard input
    #[arg(value_name = "BOARD", conflicts_with = "boards")]
    words: Vec<String>,
    /// Read boards from a file, one a line; - is standard input
    #[arg(long, short_alias = 'i', alias = "input", value_name = "FILE|-")]
    boards: Option<PathBuf>,
    /// Read a board and its goal from a file, one below the other; labels are left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "boards", "goal"])]
    pair: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Numbering,
    /// Threads for the boards of --boards [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
}

/// Source of boards.
enum Source {
    /// Boards that were read.
    List(Vec<ReadBoard>),
    /// Lines with a board each.
    Lines(Chunks),
}

/// The line of a board, or its place among the arguments, and the board.
type ReadBoard = (usize, Result<Board>);

/// Boards that a command answers.
pub(super) struct Boards {
    /// The databases for them.
    pub databases: Databases,
    source: Source,
    /// Arguments that the boards come from. None for those of a file or of standard input.
    words: Vec<String>,
    numbering: Numbering,
    threads: Option<NonZero<usize>>,
}

impl BoardsArgs {
    /// Returns whether the arguments name boards.
    pub(super) fn are_named(&self) -> bool {
        !self.words.is_empty() || self.boards.is_some() || self.pair.is_some()
    }

    /// The boards that the arguments of a command name, or standard input if they name none and it is not a terminal. Their
    /// databases are numbered as they are, with the goal of --pair.
    pub(super) fn boards(&self, command: &'static str, databases: &Databases) -> Result<Boards> {
        let mut databases = databases.read_with(&self.reading);
        let (numbering, mut words) = (self.reading, self.words.clone());
        if let Some(path) = &self.pair {
            let text = Chunks::new(open(path)?).text(path)?;
            let Some([start, goal]) = start_and_goal(&String::from_utf8_lossy(&text)) else {
                let path = quoted(&path.to_string_lossy());
                bail!("{path} has no board and goal, one below the other");
            };
            (words, databases.goal) = (vec![start], Some(goal));
        }
        let path = match (&words[..], &self.boards) {
            ([], Some(path)) => Some(path.as_path()),
            ([dash], _) if dash == "-" => Some(Path::new("-")),
            ([], None) if !io::stdin().is_terminal() => Some(Path::new("-")),
            ([], None) => bail!(
                "no board: name one, as in `puzzledb {command} 704851632`, or a file of them with --boards FILE"
            ),
            _ => None,
        };
        let source = if let Some(path) = path {
            words.clear();
            let mut chunks = Chunks::new(open(path)?);
            if begin_with_rows(&mut chunks, numbering)? {
                let text = chunks.text(path)?; // boards in rows are read as a whole
                let boards = numbering.each_board(&text).into_iter();
                let read = boards.map(|(line, board)| (line, board.map_err(CliError::from)));
                Source::List(read.collect())
            } else {
                Source::Lines(chunks)
            }
        } else {
            words = one_board(words, numbering);
            let read = |word: &String| read_word(word, numbering, command);
            Source::List(words.iter().map(read).enumerate().collect())
        };
        Ok(Boards {
            databases,
            source,
            words,
            numbering,
            threads: self.threads,
        })
    }
}

/// The arguments, as one if they make a board together, as in `7 0 4 8 5 1 6 3 2`, and none of them is a board alone.
fn one_board(words: Vec<String>, numbering: Numbering) -> Vec<String> {
    let is_board = |text: &str| numbering.board(text.as_bytes()).is_ok();
    let all = words.join(" ");
    let are_cells = || words.iter().all(|word| word.len() <= 2);
    let is_one = words.len() > 1 && (is_board(&all) || are_cells());
    match is_one && !words.iter().any(|word| is_board(word)) {
        true => vec![all],
        false => words,
    }
}

/// Reads the board of an argument. An error has the probable correction.
fn read_word(text: &str, numbering: Numbering, command: &str) -> Result<Board> {
    let error = match numbering.board(text.as_bytes()) {
        Ok(board) => return Ok(board),
        Err(error) => error,
    };
    if Path::new(text).is_file() {
        let file = quoted(text);
        bail!("this is a file: `puzzledb {command} --boards {file}` reads boards from it");
    }
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    if has_digits || !text.contains(char::is_alphabetic) {
        return Err(error.into());
    }
    bail!(
        "no board: write its cells row by row with 0 for the blank, as 704851632; --boards reads boards from a \
         file"
    )
}

/// Returns whether the first board is written over several lines.
fn begin_with_rows(chunks: &mut Chunks, numbering: Numbering) -> io::Result<bool> {
    let mut text = Vec::new();
    let is_board = |text: &[u8]| numbering.board(text).is_ok();
    let begins = chunks.first_lines(|line| {
        let is_row = line.iter().all(|byte| ROW.contains(byte)) && text.len() < LONGEST_LINE;
        let alone = numbering.board(line);
        if is_comment(line) {
            return is_board(&text).then_some(true);
        } else if !is_row || alone.is_ok_and(|board| board.shape().cells() > LONGEST_ROW) {
            return Some(false);
        }
        text.extend(line);
        text.push(b'\n');
        None
    })?;
    Ok(begins.unwrap_or_else(|| is_board(&text)))
}

/// Most cells of a board that can be a row of a larger one: 0 1 2 3.
const LONGEST_ROW: usize = 4;

/// Bytes of the rows of a board.
const ROW: &[u8] = b"0123456789 \t\r,;/[](){}_.*xX'\"";

impl Boards {
    /// Boards of a shape, which are answered on several threads.
    pub(super) fn of(
        boards: &[Board],
        threads: Option<NonZero<usize>>,
        databases: Databases,
    ) -> Boards {
        let lines: String = boards.iter().map(|board| format!("{board}\n")).collect();
        Boards {
            databases,
            source: Source::Lines(Chunks::of_text(lines)),
            words: Vec::new(),
            numbering: Numbering {
                shape: boards.first().map(|board| board.shape()),
                blank: 0,
            },
            threads,
        }
    }

    /// The only board, if there is one alone, which is then answered as that of an argument. Lines are read up to the second
    /// board if `reads`; otherwise they have none.
    pub(super) fn only(&mut self, reads: bool) -> Result<Option<Board>> {
        if let (Source::Lines(chunks), true) = (&mut self.source, reads) {
            let mut boards = Vec::new();
            chunks.first_lines(|line| {
                if !is_comment(line) {
                    boards.push((0, self.numbering.board(line).map_err(CliError::from)));
                }
                (boards.len() > 1).then_some(())
            })?;
            if boards.len() == 1 {
                self.source = Source::List(boards);
            }
        }
        match &mut self.source {
            Source::List(list) if list.len() == 1 => {
                let board = list.remove(0).1?;
                (self.words, *list) = (vec![board.to_string()], vec![(0, Ok(board))]);
                Ok(Some(board))
            }
            _ => Ok(None),
        }
    }

    /// Whether they come from a file or standard input, and not from arguments.
    pub(super) fn are_stream(&self) -> bool {
        self.words.is_empty()
    }

    /// The form of the answers: one board on a terminal is for a person.
    pub(super) fn form(&self, output: &Output) -> Form {
        output.form(self.words.len() == 1)
    }

    /// Answers the boards in their order. `prepare` makes what the boards of a goal need, once for those of a shape in a
    /// row; `answer` appends the answer to a board to a text, on several threads for lines. A board that has no answer is
    /// reported, and the others are answered.
    pub(super) fn answer<T: Send + Sync>(
        self,
        form: Form,
        prepare: impl Fn(&Databases, &Board) -> Result<T> + Sync,
        answer: impl Fn(&T, &Board, &mut String) -> Result<Status> + Sync,
    ) -> Result<Status> {
        let (mut write, mut status) = (writer(form), None);
        let mut take = |piece: Piece<Option<Status>>| {
            status = status.max(piece.sum);
            piece.finish(&mut write)
        };
        let made: Mutex<Option<(Shape, Arc<T>)>> = Mutex::default();
        let prepared = |shape: Shape| -> Result<(Shape, Arc<T>)> {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            if made.as_ref().is_none_or(|(its, _)| *its != shape) {
                let goal = self.databases.goal(shape)?;
                *made = Some((shape, Arc::new(prepare(&self.databases, &goal)?)));
            }
            Ok(made.clone().expect("it was made"))
        };
        let words = &self.words[..];
        let answer_piece = |mut boards: &mut dyn Iterator<Item = ReadBoard>| {
            let mut piece = Piece::<Option<Status>>::default();
            let mut last: Option<(Shape, Arc<T>)> = None;
            let answered = Iterator::try_for_each(&mut boards, |(number, board)| {
                let start = piece.text.len();
                let answered = board.and_then(|board| {
                    let kept = last.take().filter(|(its, _)| *its == board.shape());
                    let (_, made) = last.insert(kept.map_or_else(|| prepared(board.shape()), Ok)?);
                    answer(made, &board, &mut piece.text)
                });
                if form.is_apart() && start < piece.text.len() {
                    piece.text.insert(start, '\n');
                }
                let status = answered.or_else(|error| -> Result<Status> {
                    let (status, why) = error.of_one_board()?;
                    piece.errors.push(match words {
                        [] => format!("line {number}: {why}"),
                        [_] => why,
                        words => format!("{:?}: {why}", words[number]),
                    });
                    Ok(status)
                })?;
                piece.sum = piece.sum.max(Some(status));
                Ok(INTERRUPTED.check()?)
            });
            piece.end = answered.err();
            piece
        };
        match self.source {
            Source::List(list) => {
                for board in list {
                    let piece = watched(None, || answer_piece(&mut std::iter::once(board)));
                    check_files()?;
                    take(piece)?;
                }
            }
            Source::Lines(chunks) => {
                let answer =
                    |chunk: &Chunk<'_>| answer_piece(&mut boards_of(chunk, self.numbering));
                answer_in_order(chunks, self.threads, answer, &mut take)?;
            }
        }
        match status {
            Some(status) => Ok(status),
            None => bail!("there is no board in this input"),
        }
    }
}

/// The boards of some lines.
fn boards_of(lines: &Chunk<'_>, numbering: Numbering) -> impl Iterator<Item = ReadBoard> {
    let numbered = (lines.first_line as usize..).zip(lines.bytes.split(|&b| b == b'\n'));
    let written = numbered.filter(|(_, line)| !is_comment(line));
    written.map(move |(number, line)| (number, read_line(line, numbering)))
}

/// Reads the board of a line.
fn read_line(line: &[u8], numbering: Numbering) -> Result<Board> {
    if line.len() > LONGEST_LINE {
        bail!("longer than {LONGEST_LINE} bytes: no board is that long");
    }
    Ok(numbering.board(line)?)
}

/// Writes records of many boards to standard output, in pieces of whole records: of CSV one header, before the first; for
/// people the blank line before all others.
pub(super) fn writer(form: Form) -> impl FnMut(&str) -> io::Result<()> {
    let (mut out, mut is_first) = (stdout(form), true);
    move |text| {
        if text.is_empty() {
            return Ok(());
        }
        let left_out = match std::mem::take(&mut is_first) {
            true => form.is_apart(),
            false => form.has_header(),
        };
        let line = text.find('\n').filter(|_| left_out);
        out.write_all(&text.as_bytes()[line.map_or(0, |end| end + 1)..])
    }
}
