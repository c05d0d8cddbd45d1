//! `puzzledb play`

mod game;
mod keys;
mod screen;
mod session;
mod tiles;
mod view;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use crate::puzzle::{Board, Shape, parse_board};
use crate::space::SpaceError;

use super::Status;
use super::database::Databases;
use super::error::CliError;
use super::interrupt;

use keys::{Action, Keys, action};
use screen::Screen;
use session::{Mode, Session};
use view::view;

/// Play in the terminal, beside the truth
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Keys:
  arrows, hjkl   slide a tile that way into the blank (--keys blank: the blank goes that way)
  click          slide the tile under the mouse
  ?              hint: a tile that leads closer to the goal
  u, Backspace   undo a move; U or Ctrl-R makes it again
  n              next move of a shortest solution
  Space          play a shortest solution from here, or pause
  t              truth on or off: the distance now, and whether each tile leads closer or farther
  r              random board, all equally likely
  d              random board at a distance
  s              start over
  q, Ctrl-C      quit

A shape without a database can be played, too, without distances, hints and solutions.")]
pub(super) struct Args {
    /// The board to begin with [default: a random one]
    #[arg(value_name = "BOARD", conflicts_with = "distance")]
    board: Vec<String>,
    /// Rows x columns [default: the board's, or 3x3]
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// Begin with a random board at this distance
    #[arg(long, short, value_name = "D")]
    distance: Option<u8>,
    /// Draw the same boards again [default: others each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// What arrow keys and hjkl move
    #[arg(long, value_enum, value_name = "WHAT", default_value = "tile")]
    keys: Keys,
    /// Milliseconds between the moves of a solution
    #[arg(long, value_name = "MS", default_value_t = 350)]
    delay: u64,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    screen::check()?;
    let mut session = session(args, databases)?;
    let result = play(&mut session, args);
    // The screen is gone by now, and its figures with it.
    if result.is_ok() && session.game.is_solved() && session.game.score().moves > 0 {
        let (start, (_, verdict)) = (session.game.start(), &session.message);
        writeln!(io::stdout(), "{start}: {verdict}")?;
    }
    result
}

/// The sitting that the arguments ask for.
fn session(args: &Args, databases: &Databases) -> Result<Session, CliError> {
    let board = match args.board.as_slice() {
        [] => None,
        words => Some(parse_board(words.join(" ").as_bytes(), args.shape)?),
    };
    let shape = match (&board, args.shape) {
        (Some(board), _) => board.shape(),
        (None, shape) => shape.unwrap_or(Shape::EIGHT_PUZZLE),
    };
    let goal = databases.goal(shape)?;
    if let Some(board) = board
        && !board.is_solvable_to(&goal)
    {
        return Err(SpaceError::Unsolvable { board, goal }.into());
    }
    let oracle = match databases.oracle_at_hand(&goal)? {
        Some(oracle) => Ok(oracle),
        None => match databases.oracle_for(&goal) {
            Ok(oracle) => Ok(oracle),
            Err(error) if args.distance.is_some() => return Err(error),
            Err(error) => Err(error.to_string()),
        },
    };
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut session = Session::new(board, args.distance, goal, oracle, seed)?;
    session.options = options(shape, databases.goal.is_some().then_some(&goal));
    Ok(session)
}

/// What the command line needs beside the board.
fn options(shape: Shape, goal: Option<&Board>) -> String {
    let mut options = String::new();
    if shape.rows() != shape.cols() {
        options += &format!(" --shape {shape}");
    }
    if let Some(goal) = goal {
        options += &format!(" --goal {goal}");
    }
    options
}

/// How long a signal or a board that is being drawn may wait for attention.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player has had enough.
fn play(session: &mut Session, args: &Args) -> Result<Status, CliError> {
    interrupt::listen();
    let mut screen = Screen::new()?;
    let events = events();
    let delay = Duration::from_millis(args.delay);
    let mut next_move = Instant::now();
    loop {
        let (width, height) = screen.size()?;
        let frame = view(session, width, height);
        screen.show(&frame)?;
        loop {
            if interrupt::interrupted() {
                return Err(CliError::Interrupted);
            }
            let solving = matches!(session.mode, Mode::Solving);
            let left = next_move.saturating_duration_since(Instant::now());
            if solving && left.is_zero() {
                session.next()?;
                next_move = Instant::now() + delay;
                break;
            }
            let wait = if solving { left.min(TICK) } else { TICK };
            let event = match events.recv_timeout(wait) {
                Ok(event) => event?,
                Err(RecvTimeoutError::Disconnected) => return Err(CliError::Interrupted),
                Err(RecvTimeoutError::Timeout) if session.drawn()? => break,
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let asking = matches!(session.mode, Mode::Asking(_));
            let Some(action) = action(&event, args.keys, asking) else {
                continue;
            };
            let cell = match action {
                Action::Interrupt => return Err(CliError::Interrupted),
                Action::Suspend => {
                    screen.suspend()?;
                    None
                }
                Action::Click(column, row) => frame.cell_at(column, row),
                _ => None,
            };
            if !session.act(action, cell)? {
                return Ok(Status::Yes);
            }
            if matches!(session.mode, Mode::Solving) && !solving {
                next_move = Instant::now() + delay;
            }
            break;
        }
    }
}

/// What comes from the terminal. It is read on a thread of its own, because the reader may wait for
/// the rest of half a key, or for ever where the terminal is gone, and signals must not.
fn events() -> Receiver<io::Result<Event>> {
    let (send, receive) = channel();
    std::thread::spawn(move || while send.send(event::read()).is_ok() {});
    receive
}
