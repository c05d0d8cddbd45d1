//! `puzzledb solve`

mod animate;
mod svg;

use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::num::NonZero;
use std::path::PathBuf;

use crate::form::Form;
use crate::text::plural;
use puzzledb::ask::SolutionRecord;
use puzzledb::oracle::{Oracle, QueryError};
use puzzledb::puzzle::{Board, Move, Notation, letters};
use puzzledb::search::{AnytimeSettings, Bounds};
use puzzledb::space::{MAX_DATABASE_CELLS, SpaceError};

use super::anytime::{Within, parse_within, settings};
use super::boards::{Boards, BoardsArgs};
use super::database::{Databases, has_oracle};
use super::error::{Result, Status, bail, print_note, with_goal};
use super::interrupt;
use super::output::{Output, output_file, write_output};
use super::render::{beside, solutions_text, steps};
use super::waiting::watched;
use super::watch::check_files;

/// Solve boards with as few moves as possible
///
/// A single board on a terminal is drawn. Otherwise each board gives a line
/// `board<TAB>length<TAB>moves`, in the order of the input; an unsolvable board gives
/// `board<TAB>unsolvable<TAB>` and exit code 1. A bad line of the input is reported on standard error
/// with its number, the others are answered, and the exit code is 2.
///
/// Boards of up to 16 cells get a shortest solution, however long that takes: of a database, or else by a
/// search of some milliseconds, for the hardest some seconds. Larger ones, up to 8x8, are searched for --time.
/// Where the best solution found is not proved to be a shortest, the line goes on with what is proved:
/// `<TAB>at least 104`. Patterns of a file prove more, on boards of up to 25 cells: `puzzledb build --shape 5x5
/// --patterns 6-6-6-6` makes one.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(mut_arg("threads", |threads| threads.help(
    "Threads for the boards of --boards, or for the search of one [default: all cores]"
)))]
pub(super) struct Args {
    #[command(flatten)]
    boards: BoardsArgs,
    /// How moves are written: the blank's way, the tile's way, or the numbers of the tiles
    #[arg(
        long,
        value_name = "HOW",
        default_value = "blank",
        value_enum,
        conflicts_with = "steps"
    )]
    moves: Notation,
    /// Every optimal solution, a line each
    #[arg(long, conflicts_with_all = ["steps", "animate"])]
    all: bool,
    /// Draw every board on the way
    #[arg(long, conflicts_with_all = ["json", "csv", "format"])]
    steps: bool,
    /// Play the solution in the terminal
    #[arg(long, conflicts_with_all = ["json", "csv", "format", "steps", "boards"])]
    animate: bool,
    /// Milliseconds between the moves of --animate
    #[arg(long, hide = true, value_name = "MS", default_value_t = 350)]
    delay: u64,
    /// Draw the solution as an animated SVG picture into a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "csv", "format", "steps", "animate", "all", "boards"])]
    svg: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// The time to search for a good solution of a board of more than 16 cells; `forever` proves the optimum
    #[arg(long, alias = "within", value_name = "LIMIT", default_value = "2s", value_parser = parse_within)]
    time: Within,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let boards = args.boards.boards("solve", databases)?;
    let shows = args.animate || args.svg.is_some();
    let stream = boards.are_stream() && !shows;
    let form = match args.all || args.steps || shows {
        true => args.output.form(false),
        false => boards.form(&args.output),
    };
    let one = stream.then_some(NonZero::<usize>::MIN);
    let mut budget = settings(args.time, one.or(args.boards.threads));
    budget.makes_patterns = !stream && budget.is_long();
    let answers = Answers {
        args,
        form,
        stream,
        budget,
    };
    if shows {
        return answers.show(boards);
    }
    boards.answer(form, Databases::oracle, |oracle, board, out| {
        answers.answer(oracle, board, out)
    })
}

/// Answers to boards in one form.
struct Answers<'a> {
    args: &'a Args,
    form: Form,
    /// True for a stream of boards: no note explains an unsolvable board.
    stream: bool,
    /// Budget for boards whose optimum is in no table.
    budget: AnytimeSettings,
}

impl Answers<'_> {
    /// Plays the solution of the one board in the terminal, or draws it into a file. Ctrl-C ends a long search with the
    /// best solution so far.
    fn show(&self, mut boards: Boards) -> Result<Status> {
        let Args { animate, svg, .. } = self.args;
        if *animate && !std::io::stdout().is_terminal() {
            bail!("--animate needs a terminal");
        }
        let file = svg.as_deref().map(output_file).transpose()?;
        let Some(board) = boards.only(false)? else {
            bail!("--animate and --svg show one board at a time");
        };
        let databases = boards.databases;
        let oracle = databases.oracle(&databases.goal(board.shape())?)?;
        let found = watched(None, || self.solve(&oracle, &board));
        check_files()?;
        let (found, _) = found?;
        if let (Some(file), Some(path)) = (file, svg) {
            let levels = oracle.table().map(|table| table.header().levels());
            let picture = svg::picture(&board, &found.moves, levels.unwrap_or_default());
            write_output(path, file, picture.as_bytes())?;
        } else {
            animate::play(&board, &found.moves, self.args.delay)?;
        }
        Ok(Status::Yes)
    }

    /// Appends the answer to a board to `out`.
    fn answer(&self, oracle: &Oracle, board: &Board, out: &mut String) -> Result<Status> {
        if self.args.all && !has_oracle(board.shape()) {
            bail!("all shortest solutions are found on boards of up to {MAX_DATABASE_CELLS} cells");
        }
        match self.write(oracle, board, out) {
            Err(QueryError::Space(error @ SpaceError::Unsolvable { .. }))
                if self.form != Form::Text =>
            {
                if !self.stream {
                    print_note(with_goal(&error));
                }
                let record = || SolutionRecord::unsolvable(board, oracle.goal(), &error);
                match self.form {
                    Form::Json => self.form.push(&record(), out),
                    _ => self.push_cells([board, &"unsolvable", &""], "", out),
                }
                Ok(Status::No)
            }
            written => Ok(written.map(|()| Status::Yes)?),
        }
    }

    fn write(&self, oracle: &Oracle, board: &Board, out: &mut String) -> Result<(), QueryError> {
        if self.args.all && self.form != Form::Json {
            for moves in oracle.solutions(board)? {
                self.push_row(board, &moves, moves.len(), out);
            }
            return Ok(());
        }
        let (found, solutions) = self.solve(oracle, board)?;
        match self.form {
            Form::Json => {
                let mut record = SolutionRecord::within(board, oracle.goal(), &found);
                record.solution_count = solutions;
                if self.args.all {
                    let all = oracle.solutions(board)?;
                    record.solutions = Some(all.map(|moves| letters(&moves)).collect());
                }
                self.form.push(&record, out);
            }
            _ if self.args.steps => steps(board, &found.moves, out),
            Form::Text => self.draw(board, &found, solutions, out),
            _ => self.push_row(board, &found.moves, found.at_least, out),
        }
        Ok(())
    }

    /// A solution, which is a shortest one up to 16 cells, and for some forms the number of shortest ones.
    fn solve(&self, oracle: &Oracle, board: &Board) -> Result<(Bounds, Option<u64>), QueryError> {
        if !has_oracle(board.shape()) {
            interrupt::listen(); // Ctrl-C ends it with the best solution so far
            let found = oracle.solve_within(board, &self.budget)?;
            return Ok((found, None));
        }
        let (moves, solutions) = match self.form {
            Form::Text | Form::Json => oracle.solve_and_count(board)?,
            _ => (oracle.solve(board)?, None),
        };
        let length = moves.len();
        Ok((Bounds::new(moves, length), solutions))
    }

    /// Appends a row: board, length, moves, and what is proved of the length. Without commas that is left out where the
    /// length is proved.
    fn push_row(&self, board: &Board, moves: &[Move], at_least: usize, out: &mut String) {
        let (length, text) = (moves.len(), self.args.moves.text(board, moves));
        let bound = match self.form {
            Form::Csv => at_least.to_string(),
            _ if at_least == length => String::new(),
            _ => format!("at least {at_least}"),
        };
        self.push_cells([board, &length, &text], &bound, out);
    }

    /// Appends a board, a length, moves and a bound: with commas below the names of the columns, else without an empty bound.
    fn push_cells(&self, cells: [&dyn Display; 3], bound: &str, out: &mut String) {
        let is_csv = self.form == Form::Csv;
        if is_csv && out.is_empty() {
            *out += "board,length,moves,at_least\n";
        }
        let bound = (is_csv || !bound.is_empty()).then_some(&bound as &dyn Display);
        self.form.push_row(cells.into_iter().chain(bound), out);
    }

    /// Draws a board beside the length of its solution, above the moves.
    fn draw(&self, board: &Board, found: &Bounds, solutions: Option<u64>, out: &mut String) {
        let length = plural(found.moves.len() as u64, "move");
        let text = match found.distance {
            _ if has_oracle(board.shape()) => format!("{length}\n{}", solutions_text(solutions)),
            Some(_) => format!("{length}, the fewest"),
            None => format!("{length}, at least {}", found.at_least),
        };
        *out += &beside(board, &text);
        if found.moves.is_empty() {
            *out += "  It is the goal.\n";
            return;
        }
        let note = match self.args.moves {
            Notation::Blank => "the way the blank goes: Up, Down, Left, Right",
            Notation::Tile => "the way the tile goes: Up, Down, Left, Right",
            _ => "the tiles that slide",
        };
        let line = self.args.moves.text(board, &found.moves);
        let bold = anstyle::Style::new().bold();
        let _ = writeln!(out, "  {bold}{line}{bold:#}\n  ({note})");
    }
}
