//! `puzzledb verify`

mod record;

use std::io::{IsTerminal, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::Resettable::Reset;

use crate::form::Form;
use regex_lite::Regex;
use serde_json::json;

use crate::grade::Preset;
use crate::grade::excerpt::last_match;
use puzzledb::ask::{Judge, Moves};
use puzzledb::internals::judge::{FIRST_LINES, Format, Reader, Table};
use puzzledb::judge::{
    Claim, ClaimError, ClaimRecord, Judgement, OtherReading, ReadAs, Tally, Verdict,
};
use puzzledb::oracle::Optimum;
use puzzledb::puzzle::{Board, Numbering};
use puzzledb::search::AnytimeSettings;

use super::anytime::{Within, parse_within, settings};
use super::database::Databases;
use super::error::{CliError, Result, Status, bail, print_error, print_note, print_warning};
use super::input::{self, CHUNK, Chunk, Chunks, Piece, answer_in_order};
use super::interrupt;
use super::output::{Output, stdout};
use super::watch::check_files;

use record::{COLUMNS, mixed_warning, push, summary_text};

/// Check whether other solvers' answers are shortest solutions
#[derive(Debug, clap::Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    // See `Args::from`.
    "json" => arg.conflicts_with(Reset).conflicts_with("csv"),
    "csv" => arg.conflicts_with(Reset),
    _ => arg,
}))]
#[command(after_help = "\
A record is a board and what is claimed of it: a length, moves, both, or `unsolvable`. Forms of --from:
  tsv   a line each: `704851632 19`, `704851632 RDDL...`,
        `704851632<TAB>19<TAB>RDDL...`, boards joined by ->, and all that
        `puzzledb solve` prints
  csv   with a header that names the columns: board (or initial, init_state,
        start, state, puzzle), length (path_length, cost, depth), path (moves,
        solution, actions), goal
  json  objects with such keys, one alone, in a list, or a line each
  text  what a solver prints for people, about one board or several (3x3
        unless --shape says otherwise), searched for its answers; read at
        once, up to 64 MiB

Moves are UDLR in any case, with counts (R2U2L), as words, as tile numbers or as boards. Directions \
are replayed as the blank's and, if that does not reach the goal, as the tiles'; the output names \
the reading. Empty lines and lines that begin with # are left out.

Output, a line a record, tab-separated: board (0 is the blank), verdict, optimal length (or `unsolvable`, \
`unknown`, and with --improve `at least 91`), claimed length, reading (blank, tile, numbers, boards; empty \
where only a length was claimed), the number of the move that is illegal or the first to lose ground, and \
with --fix an optimal solution that keeps the moves before it, in the same notation. --format csv has the \
line and the goal too. The summary follows on standard error; with --format json it is the last object on \
standard output, {\"summary\": ...}.

Exit code 0 if all claims are right, 1 if one is not, 2 if a record cannot be read; the others \
are judged all the same. Where nothing knows the optimum, as for 5x5, and where a search with patterns, as for \
4x4, does not find it in a second or two, a path is right if it is legal and reaches the goal.")]
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
        Ok(match (self.preset, &self.board) {
            _ if self.read.is_some() && !is_text => {
                bail!("--read is for a text for people; here the form of each record is known")
            }
            (preset, Some(_)) if !is_text || preset == Some(Preset::Massey) => {
                bail!("--board is for a text about one board; here each record names its own")
            }
            (Some(Preset::Columbia), None) => {
                bail!("an output.txt does not name its board: add it, as in --board 125340678")
            }
            (Some(Preset::Massey), _) => Form::Csv,
            (_, Some(_)) => Form::Text,
            (None, None) if self.read.is_some() => Form::Text,
            (None, None) => from,
        })
    }

    fn reader(&self, board: Option<&Board>, databases: &Databases) -> Result<Reader> {
        let shape = board.map(Board::shape).or(self.reading.shape);
        let goal = databases.goal.as_ref().map(|_| databases.goal(shape));
        Ok(Reader {
            numbering: self.reading,
            only: self.moves.only(),
            read: self.read,
            goal: goal.transpose()?,
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
    let mut chunks = Chunks::new(input::open(args.input()?)?);
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
    let mut take = |mut judged: Piece<Tally>| {
        let shown = MOST_ERRORS.saturating_sub(unreadable) as usize;
        unreadable += judged.errors.len() as u64;
        judged.errors.truncate(shown);
        tally.merge(&judged.sum);
        judged.finish(|text| out.write_all(text.as_bytes()))
    };
    match format {
        Format::Text => {
            let text = args.answer_in(input::text(args.input()?, chunks.rest())?)?;
            let (bytes, first_line) = (&text[..], 1);
            let judged = verifier.judge(&Chunk { bytes, first_line });
            check_files()?;
            take(judged)?;
        }
        _ => {
            chunks.format.clone_from(&format);
            answer_in_order(chunks, args.threads, |chunk| verifier.judge(chunk), take)?;
        }
    }
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

/// The format that was named, or that of the first lines. A header is taken off the stream.
fn format<R: Read>(form: Form, chunks: &mut Chunks<R>, reader: &Reader) -> Result<Format> {
    let are_rows = match form {
        Form::Json => return Ok(Format::Objects),
        Form::Text => return Ok(Format::Text),
        form => matches!(form, Form::Tsv | Form::Csv),
    };
    let (mut number, mut lines, mut broken, mut heading) = (0, 0, false, false);
    let seen = chunks.first_lines(|line| {
        number += 1;
        let is_comment = line.starts_with(b"#") && Table::of_header(line).is_none();
        if line.trim_ascii().is_empty() || is_comment {
            return None;
        }
        let format = Format::of_line(line, reader);
        lines += 1;
        if lines == 1 {
            let words = line.split(u8::is_ascii_whitespace);
            let has_words = words.filter(|word| !word.is_empty()).count() > 1;
            // Words above the records name their columns.
            heading = has_words && !line.iter().any(u8::is_ascii_digit);
            broken = Format::is_broken_claim(line, reader);
        }
        let before = if heading { number - 1 } else { 0 };
        match format {
            None if lines == 1 && heading => None,
            Some(Format::Table(_)) => Some((format, number)),
            _ if are_rows => Some((Some(Format::Lines), before)),
            None if lines < FIRST_LINES => None,
            Some(Format::Lines) if lines == 2 => Some((format, before)),
            format => Some((format, 0)),
        }
    })?;
    let (format, header) = seen.unwrap_or_default();
    chunks.skip_lines(header);
    match (form, format) {
        (Form::Csv, format) if !matches!(format, Some(Format::Table(_))) => bail!(
            "this is not a table: its first line must name the columns, as in board,length,path"
        ),
        (_, Some(format)) => Ok(format),
        (_, None) if are_rows || broken || lines == 0 => Ok(Format::Lines),
        (_, None) => Ok(Format::Text),
    }
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
        let answer =
            |judge: &mut Judge<'_, _>, line, claim: &Claim| self.answer(judge, line, claim);
        let take = |line, judged, _| {
            match judged {
                Ok(record) => push(&record, self.output, self.judge.fix, &mut piece.text),
                Err(error) => {
                    let (_, why) = CliError::of_one_board(error)?;
                    piece.errors.push(format!("line {line}: {why}"));
                }
            }
            Ok(())
        };
        let mut judge = self.judge.clone();
        match judge.each(chunk.bytes, chunk.first_line, answer, take) {
            Ok(tally) => piece.sum = tally,
            Err(error) => piece.end = Some(error),
        }
        piece
    }

    /// Judges a claim, after a search for a better solution where the optimum of a path to the goal is not known.
    fn answer(
        &self,
        judge: &mut Judge<'_, Databases>,
        line: u64,
        claim: &Claim,
    ) -> Result<(Judgement, ClaimRecord)> {
        let (mut judgement, record) = judge.judge(line, claim)?;
        let (Some(settings), Verdict::Solves { .. }) = (&self.improve, judgement.verdict) else {
            return Ok((judgement, record));
        };
        let mut settings = settings.clone();
        settings.first.clone_from(&judgement.moves);
        let searched = self.judge.library.oracle(&record.goal)?;
        let Ok(better) = searched.solve_within(&claim.board, &settings) else {
            return Ok((judgement, record));
        };
        let given = settings.first.as_ref().map_or(0, Vec::len);
        let shorter = given.saturating_sub(better.moves.len());
        let oracle = judge.oracle(&record.goal)?;
        if let Some(Ok(distance)) = better.distance.map(u8::try_from) {
            let (optimum, only) = (Optimum::Known(distance), self.judge.reader.only);
            judgement = oracle.judge_with_optimum(&claim.board, optimum, &claim.answer, only)?;
        } else if shorter > 0 {
            let by = shorter as u64;
            judgement.verdict = Verdict::Beaten { by };
        }
        let mut record = ClaimRecord::new(line, claim, &judgement, oracle, false)?;
        record.at_least = record.distance.is_none().then_some(better.at_least as u64);
        if shorter > 0 {
            record = record.with_fix(&judgement, &better.moves);
        }
        Ok((judgement, record))
    }
}

/// Describes the error in a claim, and the options that help.
pub(super) fn advised(error: &ClaimError, readings: &[OtherReading]) -> String {
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
