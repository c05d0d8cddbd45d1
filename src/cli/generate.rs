//! `puzzledb generate`

use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};

use crate::oracle::generate::{
    GenerateError, Request, generate, generate_by_shuffling, generate_by_walk, generate_unsolvable,
};
use crate::puzzle::{Board, Shape};

use super::database::Databases;
use super::error::{CliError, say};
use super::status::Status;

/// Draw boards at a chosen distance
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The boards are all different, every set of them is equally likely, and equal seeds draw equal
boards on every machine. Without a distance boards of any shape are drawn, up to 8x8; those of a shape
without a database can come twice, as those of --walk can, which needs none:
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
    if of_any_distance && !databases.is_available(&goal)? {
        let boards = generate_by_shuffling(&goal, args.count, seed(args));
        return match args.unsolvable {
            true => print(boards.map(|board| board.with_two_tiles_exchanged())),
            false => print(boards),
        };
    }
    let oracle = databases.oracle(args.shape)?;
    let seed = seed(args);
    if args.unsolvable {
        return print(generate_unsolvable(&oracle, args.count, seed));
    }
    let max_distance = oracle.table().header().max_distance();
    let (min, max) = match args.distance {
        Some(distance) => (distance, distance),
        None => (args.min.unwrap_or(0), args.max.unwrap_or(max_distance)),
    };
    if min > max {
        return Err(CliError::Usage(format!(
            "no distance is {min} or more and {max} or less"
        )));
    }
    let mut request = Request::new(min..=max, args.count, seed);
    request.unique = args.unique;
    let boards = generate(&oracle, &request).map_err(|error| match error {
        GenerateError::Oracle(error) => error.into(),
        too_few @ GenerateError::TooFew { .. } => CliError::Usage(format!(
            "{too_few}: {} distances go up to {max_distance}",
            args.shape
        )),
    })?;
    print(boards.into_iter())
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
    let mut out = BufWriter::new(std::io::stdout().lock());
    boards.try_for_each(|board| writeln!(out, "{board}"))?;
    out.flush()?;
    Ok(Status::Yes)
}
