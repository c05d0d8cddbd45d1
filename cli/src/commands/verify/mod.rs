//! `puzzledb verify`

mod record;

use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::Resettable::Reset;

use crate::form::Form;
use regex_lite::Regex;
use serde_json::json;

use crate::grade::Preset;
use crate::grade::excerpt::last_match;
use puzzledb::ask::{Judge, Moves};
use puzzledb::internals::{FIRST_LINES, Format, Reader, is_comment};
use puzzledb::judge::{
    Claim, ClaimError, ClaimRecord, Judgement, OtherReading, ReadAs, Tally, Verdict,
};
use puzzledb::oracle::Optimum;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::search::AnytimeSettings;

use super::anytime::{Within, parse_within, settings};
use super::database::Databases;
use super::error::{CliError, Result, Status, bail, print_error, print_note, print_warning};
use super::input::{CHUNK, Chunk, Chunks, Piece, answer_in_order, open};
use super::interrupt;
use super::output::{Output, stdout};

use record::{COLUMNS, mixed_warning, push, summary_text};

/// Check whether other solvers' answers are shortest solutions
///
/// A record is a board and what is claimed of it: a length, moves, both, or `unsolvable`. Forms of --from:
///   tsv   a line each: `704851632 19`, `704851632 RDDL...`,
///         `704851632<TAB>19<TAB>RDDL...`, boards joined by ->, and all that
///         `puzzledb solve` prints
///   csv   with a header that names the columns: board (or initial, init_state,
///         start, state, puzzle), length (path_length, cost, depth), path (moves,
///         solution, actions), goal
///   json  objects with such keys, one alone, in a list, or a line each
///   text  what a solver prints for people, about one board or several (3x3
///         unless --shape says otherwise), searched for its answers; read at
///         once, up to 64 MiB
///
/// Moves are UDLR in any case, with counts (R2U2L), as words, as tile numbers or as boards. Directions
/// are replayed as the blank's and, if that does not reach the goal, as the tiles'; the output names
/// the reading. Empty lines and lines that begin with # are left out.
///
/// Output, a line a record, tab-separated: board (0 is the blank), verdict, optimal length (or `unsolvable`,
/// `unknown`, and with --improve `at least 91`), claimed length, reading (blank, tile, numbers, boards; empty
/// where only a length was claimed), the number of the move that is illegal or the first to lose ground, and
/// with --fix an optimal solution that keeps the moves before it, in the same notation. --format csv has the
/// line and the goal too. The summary follows on standard error; with --format json it is the last object on
/// standard output, {"summary": ...}.
///
/// Exit code 0 if no claim is wrong, 1 if one is, 2 if a record cannot be read; the others are judged all the same.
/// Where nothing knows the optimum, as for 5x5, and where a search with patterns, as for 4x4, does not find it in a
/// second or two, a path that is legal and reaches the goal is undecided: neither right nor wrong.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    // See `Args::from`.
    "json" => arg.conflicts_with(Reset).conflicts_with("csv"),
    "csv" => arg.conflicts_with(Reset),
    _ => arg,
}))]
pub(super) struct Args {
    /// The claims; - is standard input
    #[arg(value_name = "FILE|-")]
    file: Option<PathBuf>,
    /// How the claims are written
    #[arg(long, value_name = "FORM", default_value = "auto",
        value_parser = Form::parser(&[Form::Auto, Form::Text, Form::Tsv, Form::Csv, Form::Json]))]
    from: Form,
    /// How moves are written; auto tries the blank's directions before the tile's
    #[arg(long, value_name = "HOW", default_value = "auto", value_enum)]
    moves: Moves,
    /// A known program's output: columbia is an output.txt with path_to_goal, massey a table with
    /// INIT_STATE and PATH
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "from")]
    preset: Option<Preset>,
    /// Read a text about this board, such as one run's output
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    /// Where the answer stands in the text about --board: the first group of this regular expression,
    /// at its last match
    #[arg(long, value_name = "REGEX", requires = "board")]
    answer: Option<Regex>,
    /// Hold a text for people to one kind of claim
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "preset")]
    read: Option<ReadAs>,
    #[command(flatten)]
    reading: Numbering,
    /// Add an optimal solution to each claim that is wrong
    #[arg(long)]
    fix: bool,
    /// Search for a shorter solution than each path whose optimum no database knows: add it if there is one, and
    /// with it the verdict, and what is proved of the optimum; each search takes 2s unless =LIMIT says otherwise
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true, default_missing_value = "2s",
        value_parser = parse_within)]
    improve: Option<Within>,
    /// The limit of --improve
    #[arg(long, hide = true, value_name = "LIMIT", value_parser = parse_within, requires = "improve")]
    time: Option<Within>,
    #[command(flatten)]
    output: Output,
    /// Threads [default: all cores]
    #[arg(long, hide = true, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

impl Args {
    /// The form of the claims. Beside --json or --csv, --format names it too, as it did before there was --from.
    fn claim_form(&self) -> Result<Form> {
        let from = self.output.beside().unwrap_or(self.from);
        let is_text = matches!(from, Form::Auto | Form::Text);
        match self.preset {
            _ if self.read.is_some() && !is_text => {
                bail!("--read is for a text for people; here the form of each record is known")
            }
            Some(Preset::Columbia) if self.board.is_none() => {
                bail!("an output.txt does not name its board: add it, as in --board 125340678")
            }
            Some(Preset::Massey) if self.board.is_none() => Ok(Form::Csv),
            preset if self.board.is_some() && (!is_text || preset == Some(Preset::Massey)) => {
                bail!("--board is for a text about one board; here each record names its own")
            }
            _ if self.board.is_some() || self.read.is_some() => Ok(Form::Text),
            _ => Ok(from),
        }
    }

    fn reader(&self, board: Option<&Board>, databases: &Databases) -> Result<Reader> {
        let shape = board.map(Board::shape).or(self.reading.shape);
        Ok(Reader {
            numbering: self.reading,
            only: self.moves.only(),
            read: self.read,
            goal: Some(databases.goal(shape)?),
            ..Reader::default()
        })
    }

    fn input(&self) -> Result<&Path> {
        match &self.file {
            Some(path) => Ok(path),
            None if !std::io::stdin().is_terminal() => Ok(Path::new("-")),
            None => bail!("no claims: name a file of them, or - for standard input"),
        }
    }

    /// The part of a text that the pattern of --answer matches last.
    fn answer_in(&self, text: Vec<u8>) -> Result<Vec<u8>> {
        let Some(pattern) = &self.answer else {
            return Ok(text);
        };
        match last_match(pattern, &String::from_utf8_lossy(&text)) {
            Some(found) => Ok(found.as_bytes().to_vec()),
            None => bail!("the pattern of --answer matches nothing in this text"),
        }
    }
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let databases = &databases.read_with(&args.reading);
    let form = args.claim_form()?;
    let board = args.board.as_ref();
    let board = board.map(|board| args.reading.board(board.as_bytes()));
    let board = board.transpose()?;
    let reader = args.reader(board.as_ref(), databases)?;
    let mut chunks = Chunks::new(open(args.input()?)?);
    let format = format(form, &mut chunks, &reader)?;
    let improve = args.improve.map(|limit| args.time.unwrap_or(limit));
    let verifier = Verifier {
        output: args.output.form(true),
        improve: improve.map(|limit| settings(limit, args.threads)),
        judge: Judge {
            format: &format,
            reader: &reader,
            board: board.as_ref(),
            goal: databases.goal.as_deref(),
            fix: args.fix || improve.is_some(),
            library: databases,
            run: &interrupt::run(),
            last: None,
        },
    };
    let mut out = stdout(verifier.output);
    if verifier.output == Form::Csv {
        let fix = if verifier.judge.fix { ",fix" } else { "" };
        writeln!(out, "{COLUMNS}{fix}")?;
    }
    let (mut tally, mut unreadable) = (Tally::default(), 0);
    let take = |mut judged: Piece<Tally>| {
        let shown = MOST_ERRORS.saturating_sub(unreadable) as usize;
        unreadable += judged.errors.len() as u64;
        judged.errors.truncate(shown);
        tally.merge(&judged.sum);
        judged.finish(|text| out.write_all(text.as_bytes()))
    };
    if format == Format::Text {
        chunks = Chunks::of_text(args.answer_in(chunks.text(args.input()?)?)?);
    }
    chunks.format.clone_from(&format);
    answer_in_order(chunks, args.threads, |chunk| verifier.judge(chunk), take)?;
    if unreadable > MOST_ERRORS {
        let more = unreadable - MOST_ERRORS;
        print_error(format!("{more} more lines could not be read"));
    }
    let summary = tally.record(unreadable);
    if summary.claims + unreadable == 0 {
        bail!("there is no claim in this input");
    }
    let text = summary_text(&summary);
    match verifier.output {
        Form::Json => writeln!(out, "{}", json!({ "summary": summary }))?,
        Form::Text => write!(out, "\n{text}")?,
        _ => drop(anstream::stderr().write_all(text.as_bytes())), // errors on stderr are ignored
    }
    if summary.mixed_directions {
        print_warning(mixed_warning(&summary));
    }
    if summary.undecided > 0 && improve.is_none() {
        print_note(
            "the optimum of some boards is not known: --improve shortens their paths and tells what is proved",
        );
    }
    Ok(match unreadable {
        0 => (summary.right + summary.undecided == summary.claims).into(),
        _ => Status::BadInput,
    })
}

/// Lines that could not be read whose errors are printed.
const MOST_ERRORS: u64 = 10;

/// The format that was named, or that of the first lines. A header, or words above the records, are taken off the stream.
fn format(form: Form, chunks: &mut Chunks, reader: &Reader) -> Result<Format> {
    let are_rows = match form {
        Form::Json => return Ok(Format::Objects),
        Form::Text => return Ok(Format::Text),
        form => matches!(form, Form::Tsv | Form::Csv),
    };
    // Lines of the input, those of them that are no comments, and those up to words above the records.
    let (mut number, mut lines, mut heading, mut broken) = (0, 0, 0, false);
    let seen = chunks.first_lines(|line| {
        number += 1;
        let format = Format::of_line(line, reader);
        if format.is_none() && is_comment(line) {
            return None;
        }
        lines += 1;
        if lines == 1 {
            broken = Format::is_broken_claim(line, reader);
            let has_words = line.trim_ascii().iter().any(u8::is_ascii_whitespace);
            if format.is_none() && has_words && !line.iter().any(u8::is_ascii_digit) {
                heading = number;
                return None;
            }
        }
        match format {
            Some(Format::Table(_)) => Some((format, number)),
            _ if are_rows => Some((Some(Format::Lines), heading)),
            None if lines < FIRST_LINES => None,
            Some(Format::Lines) if lines == 2 => Some((format, heading)),
            format => Some((format, 0)),
        }
    })?;
    let (format, header) = seen.unwrap_or_default();
    chunks.skip_lines(header);
    let unknown = match are_rows || broken || lines == 0 {
        true => Format::Lines,
        false => Format::Text,
    };
    let format = format.unwrap_or(unknown);
    if form == Form::Csv && !matches!(format, Format::Table(_)) {
        bail!("this is not a table: its first line must name the columns, as in board,length,path");
    }
    Ok(format)
}

/// Settings and sources by which every thread judges a piece of the input.
struct Verifier<'a> {
    output: Form,
    /// Budget for shortening paths whose optimum is not known; `None` to leave them.
    improve: Option<AnytimeSettings>,
    /// Judge before the first claim.
    judge: Judge<'a, Databases>,
}

impl Verifier<'_> {
    fn judge(&self, chunk: &Chunk<'_>) -> Piece<Tally> {
        let mut piece = Piece::default();
        if chunk.bytes.len() == CHUNK && *self.judge.format != Format::Text {
            let (line, most) = (chunk.first_line, CHUNK >> 20);
            let why = format!("line {line}: longer than {most} MiB: no claim is that long");
            piece.errors.push(why);
            return piece;
        }
        let (mut judge, fix) = (self.judge.clone(), self.judge.fix);
        let judged = judge.each(
            chunk.bytes,
            chunk.first_line,
            |judge, line, claim, readings| {
                let claim = claim.map_err(|error| CliError::Usage(advised(&error, &readings)));
                match claim.and_then(|claim| self.answer(judge, line, &claim)) {
                    Ok((judgement, record)) => {
                        piece.sum.add(&judgement);
                        push(&record, self.output, fix, &mut piece.text);
                    }
                    Err(error) => {
                        let (_, why) = error.of_one_board()?;
                        piece.errors.push(format!("line {line}: {why}"));
                    }
                }
                Ok(())
            },
        );
        piece.end = judged.err();
        piece
    }

    /// Judges a claim, after a search for a better solution where the optimum of a path to the goal is not known.
    fn answer(
        &self,
        judge: &mut Judge<'_, Databases>,
        line: u64,
        claim: &Claim,
    ) -> Result<(Judgement, ClaimRecord)> {
        let (mut judgement, mut record) = judge.judge(line, claim)?;
        let (Some(settings), Verdict::Solves { moves }) = (&self.improve, judgement.verdict) else {
            return Ok((judgement, record));
        };
        let mut settings = settings.clone();
        settings.first.clone_from(&judgement.moves);
        let searched = self.judge.library.oracle(&record.goal)?;
        let Ok(better) = searched.solve_within(&claim.board, &settings) else {
            return Ok((judgement, record));
        };
        let by = moves.saturating_sub(better.moves.len() as u64);
        let oracle = judge.oracle(&record.goal)?;
        if let Some(Ok(distance)) = better.distance.map(u8::try_from) {
            let (optimum, only) = (Optimum::Known(distance), self.judge.reader.only);
            judgement = oracle.judge_with_optimum(&claim.board, optimum, &claim.answer, only)?;
        } else if by > 0 {
            judgement.verdict = Verdict::Beaten { by };
        }
        record = ClaimRecord::new(line, claim, &judgement, oracle, false)?;
        record.at_least = record.distance.is_none().then_some(better.at_least as u64);
        if by > 0 {
            record = record.with_fix(&judgement, &better.moves);
        }
        Ok((judgement, record))
    }
}

/// Describes the error in a claim, and the options that help.
fn advised(error: &ClaimError, readings: &[OtherReading]) -> String {
    match error {
        ClaimError::Notation { text, only } => {
            format!("{text:?} is not written as --moves {only} asks")
        }
        ClaimError::NoBoardInText => format!("{error}: name it with --board"),
        ClaimError::NoAnswer { .. } if !readings.is_empty() => {
            let readings = readings.iter().map(|reading| format!("\n  {reading}"));
            format!(
                "{error}. An option decides how it is read:{}",
                readings.collect::<String>()
            )
        }
        ClaimError::NoAnswer { .. } => format!(
            "{error}. --preset, --blank and --moves name its form, and --answer REGEX what to look for"
        ),
        other => other.to_string(),
    }
}
