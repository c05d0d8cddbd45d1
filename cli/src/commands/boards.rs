//! Boards that a command answers one after the other: arguments, a file or standard input.

use std::io::{self, IsTerminal, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use puzzledb::puzzle::{Board, Numbering, ParseError, Shape, is_comment};

use super::blank::BlankArg;
use super::error::{CliError, say};
use super::input::{self, Chunk, Chunks, Heading, LONGEST_LINE};
use super::interrupt;
use super::output::Form;
use super::parallel::answer_in_order;
use super::quoted::quoted;
use super::status::Status;
use super::watch::check_files;

/// Boards to answer.
#[derive(Debug, clap::Args)]
pub(super) struct BoardsArgs {
    /// Boards; - reads them from standard input
    #[arg(value_name = "BOARD", conflicts_with = "boards")]
    words: Vec<String>,
    /// Read boards from a file, one a line; - is standard input
    #[arg(long, short_alias = 'i', alias = "input", value_name = "FILE|-")]
    boards: Option<PathBuf>,
    /// Rows x columns, for boards that are not square
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Shape>,
    #[command(flatten)]
    pub blank: BlankArg,
}

/// Source of boards.
pub(super) enum Source {
    /// Texts of boards, each an argument.
    Words(Vec<String>),
    /// Lines of a file; `-` is standard input.
    Lines(PathBuf),
}

impl BoardsArgs {
    /// Returns whether the arguments name boards.
    pub(super) fn are_named(&self) -> bool {
        !self.words.is_empty() || self.boards.is_some()
    }

    pub(super) fn numbering(&self) -> Numbering {
        Numbering {
            shape: self.shape,
            blank: self.blank.number,
        }
    }

    /// The source that the arguments name; standard input if they name none and it is not a terminal.
    pub(super) fn source(&self) -> Result<Source, CliError> {
        Ok(match (self.words.as_slice(), &self.boards) {
            ([], Some(path)) => Source::Lines(path.clone()),
            ([dash], _) if dash == "-" => Source::Lines("-".into()),
            ([], None) if !std::io::stdin().is_terminal() => Source::Lines("-".into()),
            ([], None) => {
                return Err(CliError::Usage(
                    "no board: name one, as in `puzzledb solve 704851632`, or a file of them with \
                     --boards FILE"
                        .into(),
                ));
            }
            (words, _) => Source::Words(match self.one_board(words) {
                Some(board) => vec![board],
                None => words.to_vec(),
            }),
        })
    }

    /// Reads all boards of a source, which must have one shape. One that cannot be read is reported, and the others go
    /// on.
    pub(super) fn read(&self, source: &Source) -> Result<(Vec<Board>, Status), CliError> {
        let numbering = self.numbering();
        let texts: Vec<(String, Result<Board, CliError>)> = match source {
            Source::Words(words) => words
                .iter()
                .map(|word| (format!("{word:?}"), board_of(word, numbering)))
                .collect(),
            Source::Lines(path) => {
                let boards = numbering.each_board(&input::text(path, input::open(path)?)?);
                let named = |(line, board): (usize, Result<Board, ParseError>)| {
                    (format!("line {line}"), board.map_err(CliError::from))
                };
                boards.into_iter().map(named).collect()
            }
        };
        let (mut boards, mut status) = (Vec::<Board>::new(), Status::Yes);
        let is_one = texts.len() == 1;
        for (name, board) in texts {
            let shape = boards.first().map(Board::shape);
            let board = board.and_then(|board| match shape {
                Some(first) if first != board.shape() => Err(CliError::Usage(format!(
                    "a {} board among {first} boards; all must have one shape",
                    board.shape()
                ))),
                _ => Ok(board),
            });
            match board {
                Ok(board) => boards.push(board),
                Err(error) if is_one => return Err(error),
                Err(error) => status = status.and(error.report_of_one_board(&name)?),
            }
        }
        if boards.is_empty() && status == Status::Yes {
            return Err(CliError::Usage("there is no board in this input".into()));
        }
        Ok((boards, status))
    }

    /// The board that several arguments make together, as in `7 0 4 8 5 1 6 3 2`, if none of them is a
    /// board alone.
    fn one_board(&self, words: &[String]) -> Option<String> {
        let is_board = |text: &str| self.numbering().board(text.as_bytes()).is_ok();
        let all = words.join(" ");
        let are_cells = || words.iter().all(|word| word.len() <= 2);
        let is_one = words.len() > 1 && (is_board(&all) || are_cells());
        (is_one && !words.iter().any(|word| is_board(word))).then_some(all)
    }
}

impl Source {
    /// The default form of answers: one board on a terminal is for a person.
    pub(super) fn usual_form(&self) -> Form {
        let is_one = matches!(self, Source::Words(words) if words.len() == 1);
        if is_one && std::io::stdout().is_terminal() {
            Form::Text
        } else {
            Form::Tsv
        }
    }
}

/// Reads the board of an argument. An error has the probable correction.
pub(super) fn board_of(text: &str, numbering: Numbering) -> Result<Board, CliError> {
    let board = numbering.board(text.as_bytes());
    board.map_err(|error| no_board(text, error))
}

fn no_board(text: &str, error: ParseError) -> CliError {
    if Path::new(text).is_file() {
        let file = quoted(text);
        return CliError::Usage(format!(
            "this is a file: `puzzledb solve --boards {file}` reads boards from it"
        ));
    }
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    if has_digits || !text.contains(char::is_alphabetic) {
        return error.into();
    }
    CliError::Usage(
        "no board: write its cells row by row with 0 for the blank, as 704851632; --boards reads \
         boards from a file"
            .into(),
    )
}

/// Answers the boards of a source, in their order. `answers` makes a function that appends the answer to a board to a
/// text; its argument is true for the boards of a file, which several threads answer. A board that has none is
/// reported, and the others are answered.
pub(super) fn answer_all<A>(
    source: &Source,
    numbering: Numbering,
    form: Form,
    threads: Option<NonZero<usize>>,
    answers: impl Fn(bool) -> A + Sync,
) -> Result<Status, CliError>
where
    A: FnMut(&Board, &mut String) -> Result<Status, CliError>,
{
    let mut rows = Rows::new(form);
    match source {
        Source::Words(words) => answer_words(words, numbering, answers(false), &mut rows),
        Source::Lines(path) => answer_lines(path, numbering, threads, || answers(true), &mut rows),
    }
}

fn answer_words(
    words: &[String],
    numbering: Numbering,
    mut answer: impl FnMut(&Board, &mut String) -> Result<Status, CliError>,
    rows: &mut Rows,
) -> Result<Status, CliError> {
    let mut status = Status::Yes;
    let mut text = String::new();
    for word in words {
        let answered = board_of(word, numbering).and_then(|board| answer(&board, &mut text));
        status = status.and(match answered {
            Ok(status) => status,
            Err(error) if words.len() == 1 => return Err(error),
            Err(error) => error.report_of_one_board(&format!("{word:?}"))?,
        });
        check_files()?;
        rows.write(&text)?;
        text.clear();
        if interrupt::interrupted() {
            return Err(CliError::Interrupted);
        }
    }
    Ok(status)
}

fn answer_lines<A>(
    path: &Path,
    numbering: Numbering,
    threads: Option<NonZero<usize>>,
    answers: impl Fn() -> A + Sync,
    rows: &mut Rows,
) -> Result<Status, CliError>
where
    A: FnMut(&Board, &mut String) -> Result<Status, CliError>,
{
    let mut chunks = Chunks::new(input::open(path)?);
    let (mut status, mut is_empty, form) = (Status::Yes, true, rows.form);
    let mut take = |piece: Piece| {
        is_empty &= piece.text.is_empty() && piece.errors.is_empty();
        for (line, message) in &piece.errors {
            say("error", &format!("line {line}: {message}"));
        }
        rows.write(&piece.text)?;
        status = status.and(piece.status);
        piece.end.map_or(Ok(()), Err)
    };
    if begins_with_rows(&mut chunks, numbering)? {
        let boards = numbering.each_board(&input::text(path, chunks.rest())?);
        let boards = boards.into_iter();
        let boards = boards.map(|(line, board)| (line as u64, board.map_err(CliError::from)));
        take(answer_piece(boards, String::new(), form, answers()))?;
    } else {
        let answer = |chunk: &Chunk<'_>| {
            let text = String::with_capacity(chunk.bytes.len() * 4);
            answer_piece(boards_of(chunk, numbering), text, form, answers())
        };
        answer_in_order(chunks, threads, answer, take)?;
    }
    if is_empty {
        return Err(CliError::Usage("there is no board in this input".into()));
    }
    Ok(status)
}

/// Returns whether the first board is written over several lines.
fn begins_with_rows<R: Read>(chunks: &mut Chunks<R>, numbering: Numbering) -> io::Result<bool> {
    let mut text = Vec::new();
    let is_board = |text: &[u8]| numbering.board(text).is_ok();
    let begins = chunks.begin(MOST_ROWS, |line| {
        let is_row = line.iter().all(|byte| ROW.contains(byte)) && text.len() < LONGEST_LINE;
        let alone = numbering.board(line);
        if is_comment(line) {
            return is_board(&text).then_some((true, Heading::None));
        } else if !is_row || alone.is_ok_and(|board| board.shape().cells() > LONGEST_ROW) {
            return Some((false, Heading::None));
        }
        text.extend(line);
        text.push(b'\n');
        None
    })?;
    Ok(begins.unwrap_or_else(|| is_board(&text)))
}

/// Lines among which the rows of the first board are.
const MOST_ROWS: usize = 200;

/// Most cells of a board that can be a row of a larger one: 0 1 2 3.
const LONGEST_ROW: usize = 4;

/// Bytes of the rows of a board.
const ROW: &[u8] = b"0123456789 \t\r,;/[](){}_.*xX'\"";

/// The boards of some lines, each with its line's number.
fn boards_of(
    lines: &Chunk<'_>,
    numbering: Numbering,
) -> impl Iterator<Item = (u64, Result<Board, CliError>)> {
    let numbered = (lines.first_line..).zip(lines.bytes.split(|&b| b == b'\n'));
    let written = numbered.filter(|(_, line)| !is_comment(line));
    written.map(move |(number, line)| {
        let board = if line.len() > LONGEST_LINE {
            Err(CliError::Usage(format!(
                "longer than {LONGEST_LINE} bytes: no board is that long"
            )))
        } else {
            numbering.board(line).map_err(CliError::from)
        };
        (number, board)
    })
}

/// The answers to some boards.
struct Piece {
    text: String,
    /// Lines without an answer, with their errors.
    errors: Vec<(u64, String)>,
    status: Status,
    /// The error that ends the command, after the lines before it.
    end: Option<CliError>,
}

/// Answers boards, each with its line's number. The answers are appended to `text`.
fn answer_piece(
    boards: impl Iterator<Item = (u64, Result<Board, CliError>)>,
    text: String,
    form: Form,
    mut answer: impl FnMut(&Board, &mut String) -> Result<Status, CliError>,
) -> Piece {
    let mut piece = Piece {
        text,
        errors: Vec::new(),
        status: Status::Yes,
        end: None,
    };
    for (number, board) in boards {
        let start = piece.text.len();
        let answered = board.and_then(|board| answer(&board, &mut piece.text));
        if form == Form::Text && 0 < start && start < piece.text.len() {
            piece.text.insert(start, '\n');
        }
        let answered = answered.or_else(|error| {
            let (status, why) = error.of_one_board()?;
            piece.errors.push((number, why));
            Ok(status)
        });
        match answered {
            Ok(_) if interrupt::interrupted() => piece.end = Some(CliError::Interrupted),
            Ok(status) => {
                piece.status = piece.status.and(status);
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
        let out: Box<dyn Write> = match form {
            Form::Text => Box::new(anstream::stdout()),
            _ => Box::new(std::io::stdout().lock()),
        };
        Rows {
            out,
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
            (Form::Csv, Some((_header, rows))) if !is_first => rows,
            _ => text,
        };
        if self.form == Form::Text && !is_first {
            self.out.write_all(b"\n")?;
        }
        self.out.write_all(rows.as_bytes())
    }
}
