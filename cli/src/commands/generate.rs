//! `puzzledb generate`

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};

use puzzledb::oracle::generate::{
    GenerateError, Request, generate, generate_by_shuffling, generate_by_walk, generate_unsolvable,
};
use puzzledb::oracle::{DrawnRecord, MOST_STEPS, Oracle, generate_by_patterns};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::MAX_DATABASE_CELLS;

use super::boards::Rows;
use super::database::Databases;
use super::error::{CliError, bail, print_note};
use super::output::{Form, Output};
use super::status::Status;
use super::watch::check_files;

/// Draw boards at a chosen distance
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The boards are all different, every set of them is equally likely, and equal seeds draw equal \
boards on every machine.

Boards at a distance of a shape of up to 16 cells without a database are listed near the goal, on 4x4 up \
to 14 moves away. Farther away they are found by walks, each distance proved by a search, and not all \
boards are equally likely; on 4x4 the walks come to distances of 75.

Without a distance boards of any shape are drawn, up to 8x8; those without a database can come twice, as \
those of --walk can, which needs none.")]
pub(super) struct Args {
    /// Boards at exactly this distance
    #[arg(long, short, value_name = "D", conflicts_with_all = ["min", "max"])]
    distance: Option<u8>,
    /// Boards at this distance or more
    #[arg(long, value_name = "D")]
    min: Option<u8>,
    /// Boards at this distance or less
    #[arg(long, value_name = "D")]
    max: Option<u8>,
    /// How many boards
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: usize,
    /// Where the draw begins [default: a new one each time, told on standard error]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Only boards with exactly one optimal solution
    #[arg(long)]
    unique: bool,
    /// Boards that cannot be solved (they can come twice)
    #[arg(long, conflicts_with_all = ["distance", "min", "max", "unique"])]
    unsolvable: bool,
    /// Boards that N random moves make of the goal, none of which takes back the one before
    #[arg(long, value_name = "N", conflicts_with_all = ["distance", "min", "max", "unique", "unsolvable"])]
    walk: Option<u64>,
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape)?;
    let print = Print {
        goal,
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one(0)),
        tells_seed: args.seed.is_none(),
        form: args.output.form().unwrap_or(Form::Text),
    };
    if let Some(moves) = args.walk {
        let boards = generate_by_walk(&goal, moves, args.count, print.seed);
        return print.boards(boards, |_| Ok(None));
    }
    let bounds = [args.distance, args.min, args.max];
    let of_any_distance = bounds == [None; 3] && !args.unique;
    if of_any_distance && args.shape.cells() > MAX_DATABASE_CELLS {
        return print.shuffled(args);
    }
    match databases.oracle(&goal)? {
        Oracle::Table(oracle) if args.unsolvable => print
            .boards(generate_unsolvable(&oracle, args.count, print.seed), |_| {
                Ok(None)
            }),
        Oracle::Table(oracle) => {
            let largest = oracle.table().header().max_distance();
            let drawn = generate(&oracle, &args.request(largest, print.seed)?);
            let drawn = drawn.map_err(|error| match error {
                too_few @ GenerateError::TooFew { .. } => CliError::Usage(format!(
                    "{too_few}: {} distances go up to {largest}",
                    args.shape
                )),
                error => error.into(),
            });
            print.boards(drawn?.into_iter(), |board| {
                Ok(Some(oracle.distance(board)?))
            })
        }
        Oracle::Patterns(_) if of_any_distance => print.shuffled(args),
        Oracle::Patterns(oracle) => {
            let request = args.request(u8::MAX, print.seed)?;
            let drawn = generate_by_patterns(&oracle, &request, MOST_STEPS)?;
            print.boards(drawn.into_iter(), |board| Ok(Some(oracle.distance(board)?)))
        }
    }
}

impl Args {
    /// Request of these options, for distances up to `largest`, drawn with a seed.
    fn request(&self, largest: u8, seed: u64) -> Result<Request, CliError> {
        let (min, max) = match self.distance {
            Some(distance) => (distance, distance),
            None => (self.min.unwrap_or(0), self.max.unwrap_or(largest)),
        };
        if min > max {
            bail!(Usage, "no distance is {min} or more and {max} or less");
        }
        let mut request = Request::new(min..=max, self.count, seed);
        request.unique = self.unique;
        Ok(request)
    }
}

/// Bytes of boards that are printed at a time.
const MOST_WAITING: usize = 64 << 10;

/// Settings of printed boards.
struct Print {
    goal: Board,
    seed: u64,
    /// True if the seed was chosen here.
    tells_seed: bool,
    form: Form,
}

impl Print {
    /// Prints boards of any distances.
    fn shuffled(&self, args: &Args) -> Result<Status, CliError> {
        let boards = generate_by_shuffling(&self.goal, args.count, self.seed);
        if args.unsolvable {
            self.boards(boards.map(|board| board.with_two_tiles_exchanged()), |_| {
                Ok(None)
            })
        } else {
            self.boards(boards, |_| Ok(None))
        }
    }

    /// Prints boards, a line each; but for people with their distances, where they are known.
    fn boards(
        &self,
        mut boards: impl Iterator<Item = Board>,
        distance: impl Fn(&Board) -> Result<Option<u8>, CliError>,
    ) -> Result<Status, CliError> {
        check_files()?;
        if self.tells_seed {
            let seed = self.seed;
            print_note(format!("--seed {seed} draws the same again"));
        }
        let rows = match self.form {
            Form::Text => Form::Tsv, // lines without a blank line between them
            form => form,
        };
        let (mut out, mut text) = (Rows::new(rows), String::new());
        boards.try_for_each(|board| {
            let distance = match self.form {
                Form::Text => None,
                _ => distance(&board)?,
            };
            let drawn = DrawnRecord::new(board, self.goal, distance, self.seed);
            self.form
                .push(&drawn, &mut text, |out| writeln!(out, "{board}"))?;
            if text.len() >= MOST_WAITING {
                out.write(&text)?;
                text.clear();
            }
            Ok::<(), CliError>(())
        })?;
        out.write(&text)?;
        Ok(Status::Yes)
    }
}
