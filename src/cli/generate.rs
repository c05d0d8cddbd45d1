//! `puzzledb generate`

use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};

use crate::oracle::generate::{
    GenerateError, Request, generate, generate_by_shuffling, generate_by_walk, generate_unsolvable,
};
use crate::oracle::{AnyOracle, MOST_STEPS, generate_by_patterns};
use crate::puzzle::{Board, Shape};
use crate::space::MAX_DATABASE_CELLS;

use super::database::Databases;
use super::error::{CliError, say};
use super::status::Status;
use super::watch::check_files;

/// Draw boards at a chosen distance
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The boards are all different, every set of them is equally likely, and equal seeds draw equal
boards on every machine.

Boards at a distance of a shape of up to 16 cells without a database are found by walks, each distance
proved by a search, and not all boards are equally likely; on 4x4 the walks come to distances of 75.
Without a distance boards of any shape are drawn, up to 8x8; those without a database can come twice, as
those of --walk can, which needs none:
  puzzledb generate --walk 80 --shape 5x5 --count 10 --seed 1")]
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
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    if let Some(moves) = args.walk {
        let goal = databases.goal(args.shape)?;
        return print(generate_by_walk(&goal, moves, args.count, seed(args)));
    }
    let bounds = [args.distance, args.min, args.max];
    let of_any_distance = bounds == [None; 3] && !args.unique;
    let goal = databases.goal(args.shape)?;
    if of_any_distance && args.shape.cells() > MAX_DATABASE_CELLS {
        return by_shuffling(args, &goal);
    }
    match databases.any_oracle_for(&goal)? {
        AnyOracle::Table(oracle) if args.unsolvable => {
            print(generate_unsolvable(&oracle, args.count, seed(args)))
        }
        AnyOracle::Table(oracle) => {
            let largest = oracle.table().header().max_distance();
            let drawn = generate(&oracle, &args.request(largest)?);
            let drawn = drawn.map_err(|error| match error {
                too_few @ GenerateError::TooFew { .. } => CliError::Usage(format!(
                    "{too_few}: {} distances go up to {largest}",
                    args.shape
                )),
                error => error.into(),
            });
            print(drawn?.into_iter())
        }
        AnyOracle::Patterns(_) if of_any_distance => by_shuffling(args, &goal),
        AnyOracle::Patterns(oracle) => {
            print(generate_by_patterns(&oracle, &args.request(u8::MAX)?, MOST_STEPS)?.into_iter())
        }
    }
}

fn by_shuffling(args: &Args, goal: &Board) -> Result<Status, CliError> {
    let boards = generate_by_shuffling(goal, args.count, seed(args));
    match args.unsolvable {
        true => print(boards.map(|board| board.with_two_tiles_exchanged())),
        false => print(boards),
    }
}

impl Args {
    /// What is asked for, of distances up to `largest`.
    fn request(&self, largest: u8) -> Result<Request, CliError> {
        let (min, max) = match self.distance {
            Some(distance) => (distance, distance),
            None => (self.min.unwrap_or(0), self.max.unwrap_or(largest)),
        };
        if min > max {
            return Err(CliError::Usage(format!(
                "no distance is {min} or more and {max} or less"
            )));
        }
        let mut request = Request::new(min..=max, self.count, seed(self));
        request.unique = self.unique;
        Ok(request)
    }
}

/// The seed that was named, or a new one, which is told.
fn seed(args: &Args) -> u64 {
    args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0);
        say("note", &format!("--seed {seed} draws the same again"));
        seed
    })
}

fn print(mut boards: impl Iterator<Item = Board>) -> Result<Status, CliError> {
    check_files()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    boards.try_for_each(|board| writeln!(out, "{board}"))?;
    out.flush()?;
    Ok(Status::Yes)
}
