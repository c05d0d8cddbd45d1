//! `puzzledb verify`

mod format;
mod record;
mod verifier;

use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::Resettable::Reset;

use crate::form::Form;
use crate::grade::AnswerPattern;
use puzzledb::ask::Moves;
use puzzledb::judge::reading::Reader;
use puzzledb::judge::{ReadAs, Tally};
use puzzledb::puzzle::{Board, Shape};

use super::anytime::{Budget, Within};
use super::args::{NumberingArgs, Preset};
use super::database::Databases;
use super::error::{CliError, Status, bail, print_error, print_note, print_warning};
use super::input::{self, Chunk, Chunks, Piece, answer_in_order};
use super::output::{Output, stdout};
use super::watch::check_files;

use format::{ClaimForm, format};
use record::{COLUMNS, mixed_warning, summary_json, summary_text};
use verifier::Verifier;
pub(super) use verifier::advised;

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
    #[arg(long, value_name = "FORM", default_value = "auto", value_enum)]
    from: ClaimForm,
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
    answer: Option<AnswerPattern>,
    /// Hold a text for people to one kind of claim
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "preset")]
    read: Option<ReadAs>,
    #[command(flatten)]
    reading: NumberingArgs,
    /// Add an optimal solution to each claim that is wrong
    #[arg(long)]
    fix: bool,
    /// Search for a shorter solution than each path whose optimum no database knows: add it if there is one, and
    /// with it the verdict, and what is proved of the optimum
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true)]
    improve: Option<Option<Within>>,
    /// The time for each search of --improve
    #[arg(long, value_name = "LIMIT", default_value = "2s", requires = "improve")]
    time: Within,
    #[command(flatten)]
    output: Output,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

impl Args {
    fn reader(&self, databases: &Databases) -> Result<Reader, CliError> {
        let mut reader = Reader {
            numbering: self.reading.numbering(),
            only: self.moves.only(),
            read: self.read,
            ..Reader::default()
        };
        if databases.goal.is_some() {
            let board = self.text_board(&reader)?;
            let shape = board.map(|board| board.shape()).or(self.reading.shape);
            reader.goal = Some(databases.goal(shape.unwrap_or(Shape::EIGHT_PUZZLE))?);
        }
        Ok(reader)
    }

    /// The form of the claims. Beside --json or --csv, --format names it too, as it did before there was --from.
    fn from(&self) -> ClaimForm {
        let beside = self
            .output
            .beside()
            .and_then(|form| form.to_possible_value());
        let beside = beside.and_then(|form| ClaimForm::from_str(form.get_name(), false).ok());
        beside.unwrap_or(self.from)
    }

    fn claim_form(&self) -> ClaimForm {
        match self.preset {
            Some(Preset::Columbia) => ClaimForm::Text,
            Some(Preset::Massey) => ClaimForm::Csv,
            None if self.board.is_some() || self.read.is_some() => ClaimForm::Text,
            None => self.from(),
        }
    }

    fn input(&self) -> Result<PathBuf, CliError> {
        match &self.file {
            Some(path) => Ok(path.clone()),
            None if !std::io::stdin().is_terminal() => Ok(PathBuf::from("-")),
            None => bail!(
                Usage,
                "no claims: name a file of them, or - for standard input"
            ),
        }
    }

    /// The board that a text is about, if it was named.
    fn text_board(&self, reader: &Reader) -> Result<Option<Board>, CliError> {
        let is_text = matches!(self.from(), ClaimForm::Auto | ClaimForm::Text);
        match &self.board {
            _ if self.read.is_some() && !is_text => {
                bail!(
                    Usage,
                    "--read is for a text for people; here the form of each record is known"
                )
            }
            Some(_) if !is_text || self.preset == Some(Preset::Massey) => {
                bail!(
                    Usage,
                    "--board is for a text about one board; here each record names its own"
                )
            }
            Some(board) => Ok(Some(reader.numbering.board(board.as_bytes())?)),
            None if self.preset == Some(Preset::Columbia) => {
                bail!(
                    Usage,
                    "an output.txt does not name its board: add it, as in --board 125340678"
                )
            }
            None => Ok(None),
        }
    }
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let databases = &databases.read_with(&args.reading);
    let reader = args.reader(databases)?;
    let board = args.text_board(&reader)?;
    let mut chunks = Chunks::new(input::open(&args.input()?)?);
    let format = format(args.claim_form(), &mut chunks, &reader)?;
    let improve = args.improve.map(|its| its.unwrap_or(args.time));
    let verifier = Verifier {
        output: args.output.form(true),
        fix: args.fix || improve.is_some(),
        improve: improve.map(|time| Budget::new(time, args.threads)),
        format: &format,
        reader: &reader,
        board: board.as_ref(),
        databases,
    };
    let mut out = stdout(verifier.output);
    if verifier.output == Form::Csv {
        writeln!(out, "{COLUMNS}{}", if verifier.fix { ",fix" } else { "" })?;
    }
    let (mut tally, mut unreadable) = (Tally::default(), 0);
    let mut take = |judged: Piece<Tally>| {
        let shown = MOST_ERRORS.saturating_sub(unreadable) as usize;
        unreadable += judged.errors.len() as u64;
        tally.merge(&judged.sum);
        judged.finish(shown, |text| out.write_all(text.as_bytes()))
    };
    match format.records() {
        Some(records) => {
            chunks.divide(records);
            answer_in_order(chunks, args.threads, |chunk| verifier.judge(chunk), take)?;
        }
        None => {
            let text = args.answer_in(input::text(&args.input()?, chunks.rest())?)?;
            let (bytes, first_line) = (&text[..], 1);
            if !text.trim_ascii().is_empty() {
                let judged = verifier.judge(&Chunk { bytes, first_line });
                check_files()?;
                take(judged)?;
            }
        }
    }
    if unreadable > MOST_ERRORS {
        let more = unreadable - MOST_ERRORS;
        print_error(format!("{more} more lines could not be read"));
    }
    if unreadable == 0 && tally.claims() == 0 {
        bail!(Usage, "there is no claim in this input");
    }
    let summary = || summary_text(&tally, unreadable);
    match verifier.output {
        Form::Json => out.write_all(summary_json(&tally, unreadable).as_bytes())?,
        Form::Text => write!(out, "\n{}", summary())?,
        // Errors on stderr are ignored.
        _ => drop(anstream::stderr().write_all(summary().as_bytes())),
    }
    if let Some(mixed) = mixed_warning(&tally) {
        print_warning(mixed);
    }
    if tally.undecided() > 0 && improve.is_none() {
        print_note(
            "the optimum of some boards is not known: --improve shortens their paths and tells what is proved",
        );
    }
    Ok(match unreadable {
        0 => (tally.right() + tally.undecided() == tally.claims()).into(),
        _ => Status::BadInput,
    })
}

/// Lines that could not be read whose errors are printed.
const MOST_ERRORS: u64 = 10;

impl Args {
    /// The part of a text that the pattern of --answer matches last.
    fn answer_in(&self, text: Vec<u8>) -> Result<Vec<u8>, CliError> {
        let Some(pattern) = &self.answer else {
            return Ok(text);
        };
        match pattern.last_in(&String::from_utf8_lossy(&text)) {
            Some(found) => Ok(found.as_bytes().to_vec()),
            None => bail!(
                Usage,
                "the pattern of --answer matches nothing in this text"
            ),
        }
    }
}
