//! `puzzledb generate`

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};

use puzzledb::oracle::generate::{
    GenerateError, Request, generate_by_shuffling, generate_by_walk, generate_unsolvable,
};
use puzzledb::oracle::{DrawnRecord, Oracle};
use puzzledb::puzzle::{Board, Shape};

use super::boards::Rows;
use super::database::Databases;
use super::error::{CliError, Status, bail, print_note};
use super::output::{Form, Output};
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
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let oracle = match args.walk {
        Some(_) => None,
        None if args.is_at_distance() => Some(databases.oracle(&goal)?),
        None => databases.oracle_at_once(&goal)?,
    };
    let mut boards = args.draw(&goal, seed, oracle.as_ref())?;
    check_files()?;
    if args.seed.is_none() {
        print_note(format!("--seed {seed} draws the same again"));
    }
    let form = args.output.form().unwrap_or(Form::Text);
    // Lines for people have no blank line between them, and no distance.
    let rows = if form == Form::Text { Form::Tsv } else { form };
    let shows_distance = form != Form::Text && !args.unsolvable;
    let knows_distance = |oracle: &&Oracle| args.is_at_distance() || oracle.table().is_some();
    let oracle = oracle
        .as_ref()
        .filter(|oracle| shows_distance && knows_distance(oracle));
    let (mut out, mut text) = (Rows::new(rows), String::new());
    boards.try_for_each(|board| {
        let distance = oracle.map(|oracle| oracle.distance(&board));
        let drawn = DrawnRecord::new(board, goal, distance.transpose()?, seed);
        form.push(&drawn, &mut text, |out| writeln!(out, "{board}"))?;
        if text.len() >= MOST_WAITING {
            out.write(&text)?;
            text.clear();
        }
        Ok::<(), CliError>(())
    })?;
    out.write(&text)?;
    Ok(Status::Yes)
}

impl Args {
    /// Returns whether boards at certain distances are drawn, or with one solution.
    fn is_at_distance(&self) -> bool {
        [self.distance, self.min, self.max] != [None; 3] || self.unique
    }

    /// Draws the boards.
    fn draw<'a>(
        &self,
        goal: &'a Board,
        seed: u64,
        oracle: Option<&'a Oracle>,
    ) -> Result<Box<dyn Iterator<Item = Board> + 'a>, CliError> {
        if let Some(moves) = self.walk {
            return Ok(Box::new(generate_by_walk(goal, moves, self.count, seed)));
        }
        let oracle = match oracle {
            Some(oracle) if self.unsolvable && oracle.table().is_some() => {
                return Ok(Box::new(generate_unsolvable(
                    oracle.space()?,
                    self.count,
                    seed,
                )));
            }
            Some(oracle) if self.is_at_distance() || oracle.table().is_some() => oracle,
            _ => {
                let boards = generate_by_shuffling(goal, self.count, seed);
                let spoilt = self.unsolvable;
                return Ok(Box::new(boards.map(move |board| {
                    if spoilt {
                        board.with_two_tiles_exchanged()
                    } else {
                        board
                    }
                })));
            }
        };
        let table = oracle.table().map(|table| table.header());
        let largest = table.map_or(u8::MAX, |header| header.max_distance());
        let drawn = oracle.generate(&self.request(largest, seed)?);
        let drawn = drawn.map_err(|error| match error {
            GenerateError::TooFew { .. } if table.is_some() => CliError::Usage(format!(
                "{error}: {} distances go up to {largest}",
                self.shape
            )),
            error => error.into(),
        });
        Ok(Box::new(drawn?.into_iter()))
    }

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
