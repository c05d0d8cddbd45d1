//! Boards that a command answers one after the other: arguments, a file or standard input.

use std::io::{self, Cursor, IsTerminal, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use puzzledb::puzzle::{Board, Numbering, Shape, is_comment, start_and_goal};

use super::args::NumberingArgs;
use super::database::Databases;
use super::error::{CliError, Status, bail};
use super::input::{self, Chunk, Chunks, LONGEST_LINE, Piece, answer_in_order};
use super::interrupt;
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
    pub reading: NumberingArgs,
    /// Threads for the boards of --boards [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
}

/// Source of boards.
enum Source {
    /// Texts of boards, each an argument.
    Words(Vec<String>),
    /// Lines of a file with this name; `-` is standard input.
    Lines(PathBuf, Chunks<Box<dyn Read>>),
}

/// Boards that a command answers.
pub(super) struct Boards {
    source: Source,
    reader: BoardReader,
    threads: Option<NonZero<usize>>,
}

/// Reader of the boards of a command.
#[derive(Clone, Copy)]
struct BoardReader {
    /// Name of the command, for the advice in errors.
    command: &'static str,
    numbering: Numbering,
}

impl BoardsArgs {
    /// Returns whether the arguments name boards.
    pub(super) fn are_named(&self) -> bool {
        !self.words.is_empty() || self.boards.is_some() || self.pair.is_some()
    }

    /// The texts of the board and the goal of --pair.
    fn pair(&self) -> Result<Option<[String; 2]>, CliError> {
        let Some(path) = &self.pair else {
            return Ok(None);
        };
        let text = input::text(path, input::open(path)?)?;
        let pair = start_and_goal(&String::from_utf8_lossy(&text));
        pair.map(Some).ok_or_else(|| {
            let path = quoted(&path.to_string_lossy());
            CliError::Usage(format!("{path} has no board and goal, one below the other"))
        })
    }

    /// Returns these databases for the boards: numbered as they are, with the goal of --pair.
    pub(super) fn databases(&self, databases: &Databases) -> Result<Databases, CliError> {
        let mut databases = databases.read_with(&self.reading);
        if let Some([_, goal]) = self.pair()? {
            databases.goal = Some(goal);
        }
        Ok(databases)
    }

    /// The boards that the arguments of a command name; standard input if they name none and it is not a terminal.
    pub(super) fn boards(&self, command: &'static str) -> Result<Boards, CliError> {
        let lines = |path: &Path| -> Result<Source, CliError> {
            Ok(Source::Lines(
                path.to_owned(),
                Chunks::new(input::open(path)?),
            ))
        };
        let source = match (self.words.as_slice(), &self.boards) {
            _ if self.pair.is_some() => {
                Source::Words(self.pair()?.into_iter().map(|[start, _]| start).collect())
            }
            ([], Some(path)) => lines(path)?,
            ([dash], _) if dash == "-" => lines(Path::new("-"))?,
            ([], None) if !io::stdin().is_terminal() => lines(Path::new("-"))?,
            ([], None) => bail!(
                Usage,
                "no board: name one, as in `puzzledb {command} 704851632`, or a file of them with --boards FILE"
            ),
            (words, _) => Source::Words(match self.one_board(words) {
                Some(board) => vec![board],
                None => words.to_vec(),
            }),
        };
        let numbering = self.reading.numbering();
        Ok(Boards {
            source,
            reader: BoardReader { command, numbering },
            threads: self.threads,
        })
    }

    /// The board that several arguments make together, as in `7 0 4 8 5 1 6 3 2`, if none of them is a
    /// board alone.
    fn one_board(&self, words: &[String]) -> Option<String> {
        let numbering = self.reading.numbering();
        let is_board = |text: &str| numbering.board(text.as_bytes()).is_ok();
        let all = words.join(" ");
        let are_cells = || words.iter().all(|word| word.len() <= 2);
        let is_one = words.len() > 1 && (is_board(&all) || are_cells());
        (is_one && !words.iter().any(|word| is_board(word))).then_some(all)
    }
}

impl Boards {
    /// Boards of a shape, in lines.
    pub(super) fn of_lines(lines: String, shape: Shape, threads: Option<NonZero<usize>>) -> Boards {
        let numbering = Numbering {
            shape: Some(shape),
            blank: 0,
        };
        let lines: Box<dyn Read> = Box::new(Cursor::new(lines));
        Boards {
            source: Source::Lines("the boards".into(), Chunks::new(lines)),
            reader: BoardReader {
                command: "search",
                numbering,
            },
            threads,
        }
    }

    /// The only board, if there is one alone. Lines are read up to the second board if `reads`; otherwise they have
    /// none.
    pub(super) fn only(&mut self, reads: bool) -> Result<Option<Board>, CliError> {
        let reader = self.reader;
        match &mut self.source {
            Source::Words(words) if words.len() == 1 => reader.board(&words[0]).map(Some),
            Source::Lines(path, chunks) if reads => {
                if reader.begins_with_rows(chunks)? {
                    let empty: Box<dyn Read> = Box::new(io::empty());
                    let rest = std::mem::replace(chunks, Chunks::new(empty)).rest();
                    let text = input::text(path, rest)?; // boards in rows are read as a whole anyway
                    let boards = reader.numbering.each_board(&text);
                    *chunks = Chunks::new(Box::new(Cursor::new(text)));
                    return Ok(match &boards[..] {
                        [(_, Ok(board))] => Some(*board),
                        _ => None,
                    });
                }
                let mut only = Vec::new();
                chunks.first_lines(usize::MAX, |line| {
                    if !is_comment(line) {
                        only.push(String::from_utf8_lossy(line).into_owned());
                    }
                    (only.len() > 1).then_some(())
                })?;
                let board = (only.len() == 1).then(|| reader.board(&only[0]));
                board.transpose()
            }
            _ => Ok(None),
        }
    }

    /// The form of the answers: one board on a terminal is for a person.
    pub(super) fn form(&self, output: &Output) -> Form {
        output.form(matches!(&self.source, Source::Words(words) if words.len() == 1))
    }

    /// Answers the boards in their order. `answers` makes a function that appends the answer to a board to a text; its
    /// argument is true for the boards of a file, which several threads answer. A board that has no answer is reported,
    /// and the others are answered.
    pub(super) fn answer<A>(
        self,
        form: Form,
        answers: impl Fn(bool) -> A + Sync,
    ) -> Result<Status, CliError>
    where
        A: FnMut(&Board, &mut String) -> Result<Status, CliError>,
    {
        let (mut rows, mut status, mut is_empty) = (Rows::new(form), Status::Yes, true);
        let mut take = |piece: Piece<Status>| {
            is_empty &= piece.text.is_empty() && piece.errors.is_empty();
            status = status.and(piece.sum);
            piece.finish(usize::MAX, |text| rows.write(text))
        };
        let reader = self.reader;
        let at_line = |line: u64, why: String| format!("line {line}: {why}");
        match self.source {
            Source::Words(words) => {
                let mut answer = answers(false);
                for word in &words {
                    let at_word = |_, why| match words.len() {
                        1 => why,
                        _ => format!("{word:?}: {why}"),
                    };
                    let board = std::iter::once_with(|| (0, reader.board(word)));
                    let piece = watched(|| answer_piece(board, 0, form, at_word, &mut answer));
                    check_files()?;
                    take(piece)?;
                }
            }
            Source::Lines(path, mut chunks) => {
                if reader.begins_with_rows(&mut chunks)? {
                    let text = input::text(&path, chunks.rest())?;
                    let boards = reader.numbering.each_board(&text).into_iter();
                    let boards =
                        boards.map(|(line, board)| (line as u64, board.map_err(CliError::from)));
                    take(answer_piece(
                        boards,
                        text.len(),
                        form,
                        at_line,
                        answers(true),
                    ))?;
                } else {
                    let answer = |chunk: &Chunk<'_>| {
                        let (boards, size) = (reader.boards_of(chunk), chunk.bytes.len() * 4);
                        answer_piece(boards, size, form, at_line, answers(true))
                    };
                    answer_in_order(chunks, self.threads, answer, &mut take)?;
                }
            }
        }
        if is_empty {
            bail!(Usage, "there is no board in this input");
        }
        Ok(status)
    }
}

impl BoardReader {
    /// Reads the board of an argument. An error has the probable correction.
    fn board(self, text: &str) -> Result<Board, CliError> {
        let error = match self.numbering.board(text.as_bytes()) {
            Ok(board) => return Ok(board),
            Err(error) => error,
        };
        if Path::new(text).is_file() {
            let (command, file) = (self.command, quoted(text));
            bail!(
                Usage,
                "this is a file: `puzzledb {command} --boards {file}` reads boards from it"
            );
        }
        let has_digits = text.contains(|c: char| c.is_ascii_digit());
        if has_digits || !text.contains(char::is_alphabetic) {
            return Err(error.into());
        }
        bail!(
            Usage,
            "no board: write its cells row by row with 0 for the blank, as 704851632; --boards reads boards from a \
             file"
        )
    }

    /// Returns whether the first board is written over several lines.
    fn begins_with_rows<R: Read>(self, chunks: &mut Chunks<R>) -> io::Result<bool> {
        let mut text = Vec::new();
        let is_board = |text: &[u8]| self.numbering.board(text).is_ok();
        let begins = chunks.first_lines(MOST_ROWS, |line| {
            let is_row = line.iter().all(|byte| ROW.contains(byte)) && text.len() < LONGEST_LINE;
            let alone = self.numbering.board(line);
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

    /// The boards of some lines, each with its line's number.
    fn boards_of(self, lines: &Chunk<'_>) -> impl Iterator<Item = (u64, Result<Board, CliError>)> {
        let numbered = (lines.first_line..).zip(lines.bytes.split(|&b| b == b'\n'));
        let written = numbered.filter(|(_, line)| !is_comment(line));
        written.map(move |(number, line)| {
            if line.len() > LONGEST_LINE {
                let long = format!("longer than {LONGEST_LINE} bytes: no board is that long");
                return (number, Err(CliError::Usage(long)));
            }
            (number, self.numbering.board(line).map_err(CliError::from))
        })
    }
}

/// Lines among which the rows of the first board are.
const MOST_ROWS: usize = 200;

/// Most cells of a board that can be a row of a larger one: 0 1 2 3.
const LONGEST_ROW: usize = 4;

/// Bytes of the rows of a board.
const ROW: &[u8] = b"0123456789 \t\r,;/[](){}_.*xX'\"";

/// Answers numbered boards, in a text with room for `size` bytes. `named` adds a board's number to its error.
fn answer_piece(
    boards: impl Iterator<Item = (u64, Result<Board, CliError>)>,
    size: usize,
    form: Form,
    named: impl Fn(u64, String) -> String,
    mut answer: impl FnMut(&Board, &mut String) -> Result<Status, CliError>,
) -> Piece<Status> {
    let mut piece = Piece::new(size, Status::Yes);
    for (number, board) in boards {
        let start = piece.text.len();
        let answered = board.and_then(|board| answer(&board, &mut piece.text));
        if form == Form::Text && 0 < start && start < piece.text.len() {
            piece.text.insert(start, '\n');
        }
        let answered = answered.or_else(|error| {
            let (status, why) = error.of_one_board()?;
            piece.errors.push(named(number, why));
            Ok(status)
        });
        match answered {
            Ok(_) if interrupt::interrupted() => piece.end = Some(CliError::Interrupted),
            Ok(status) => {
                piece.sum = piece.sum.and(status);
                continue;
            }
            Err(error) => piece.end = Some(error),
        }
        break;
    }
    piece
}

/// Standard output for the records of many boards, in pieces of whole records.
pub(super) struct Rows {
    out: Box<dyn Write>,
    form: Form,
    is_first: bool,
}

impl Rows {
    pub(super) fn new(form: Form) -> Rows {
        Rows {
            out: stdout(form),
            form,
            is_first: true,
        }
    }

    /// Writes records: of CSV one header, and before the first; for people a blank line before all others.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let is_first = std::mem::replace(&mut self.is_first, false);
        let rows = match (self.form, text.split_once('\n')) {
            (form, Some((_header, rows))) if form.has_header() && !is_first => rows,
            _ => text,
        };
        if self.form == Form::Text && !is_first {
            self.out.write_all(b"\n")?;
        }
        self.out.write_all(rows.as_bytes())
    }
}
