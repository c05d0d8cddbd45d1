//! `puzzledb play`

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::time::Duration;

use crate::play::{self, Keys, Session, Settings};
use puzzledb::oracle::Limits;
use puzzledb::puzzle::{Board, Numbering, Shape};
use puzzledb::space::check_solvable;

use super::database::{Databases, has_oracle};
use super::error::{Result, Status};
use super::interrupt::{self, INTERRUPTED};
use super::watch::check_files;

/// Play in the terminal; hints and distances when you ask for them
///
/// Keys:
///   arrows, hjkl   slide a tile that way into the blank (--keys blank: the blank
///                  goes that way)
///   click          slide the tile under the mouse
///   ?              hint: a tile that leads closer to the goal
///   u, Backspace   undo a move; U or Ctrl-R makes it again
///   n              next move of a shortest solution
///   Space          play a shortest solution from here, or pause
///   t              show or hide the truth: the distance, and whether each tile
///                  leads closer or farther
///   r              random board, all equally likely
///   d              random board at a distance
///   s              start over
///   q, Ctrl-C      quit
///
/// Where there is no database, shapes of up to 16 cells are searched while you play: the distance of a hard
/// board can take seconds. Larger ones are played without distances, hints and solutions.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The board to begin with [default: a random one]
    #[arg(value_name = "BOARD", conflicts_with = "distance")]
    board: Vec<String>,
    #[command(flatten)]
    reading: Numbering,
    /// Begin with a random board at this distance
    #[arg(long, short, value_name = "D")]
    distance: Option<u8>,
    /// Draw the same boards again [default: others each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// What arrow keys and hjkl move
    #[arg(long, value_enum, value_name = "WHAT", default_value = "tile")]
    keys: Keys,
    /// Show the truth from the beginning: the distance, and which tiles lead closer
    #[arg(long)]
    truth: bool,
    /// Milliseconds between the moves of a solution
    #[arg(long, hide = true, value_name = "MS", default_value_t = 350)]
    delay: u64,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    play::check_terminal()?;
    let databases = &databases.read_with(&args.reading);
    let read = || args.reading.board(args.board.join(" ").as_bytes());
    let board = (!args.board.is_empty()).then(read).transpose()?;
    let shape = board.map(|board| board.shape()).or(args.reading.shape);
    let goal = databases.goal(shape)?;
    let shape = goal.shape();
    if let Some(board) = &board {
        check_solvable(board, &goal)?;
    }
    let is_asked = args.distance.is_some() || has_oracle(shape);
    let oracle = is_asked
        .then(|| databases.exact_oracle(&goal))
        .transpose()?;
    let oracle = oracle.map(|oracle| oracle.with_limits(Limits::visiting(MOST_VISITED)));
    let watched = oracle.clone(); // its file is still watched when the game has ended
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut session = Session::new(board, args.distance, goal, oracle, seed)?;
    session.shows_truth = args.truth;
    session.options = options(shape, databases.goal.is_some().then_some(&goal));
    interrupt::listen();
    let settings = Settings {
        keys: args.keys,
        delay: Duration::from_millis(args.delay),
        interrupted: || INTERRUPTED.is_cancelled() || check_files().is_err(),
    };
    // The alternate screen has vanished with the figures on it.
    let played = play::play(session, &settings);
    check_files()?; // reports the changed database that ended the game
    drop(watched);
    if let Some(score) = played? {
        writeln!(io::stdout(), "{score}")?;
    }
    Ok(Status::Yes)
}

/// Most boards that the search for a board's truth visits: half a minute.
const MOST_VISITED: u64 = 500_000_000;

/// The options, each after a space, of the command line that starts this game again.
fn options(shape: Shape, goal: Option<&Board>) -> String {
    let shape = (shape.rows() != shape.cols()).then(|| format!(" --shape {shape}"));
    let goal = goal.map(|goal| format!(" --goal {goal}"));
    shape.into_iter().chain(goal).collect()
}
