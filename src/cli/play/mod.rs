//! `puzzledb play`

mod game;
mod keys;
mod screen;
mod session;
#[cfg(test)]
mod tests;
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
        let (start, score) = (session.game.start(), session.game.score());
        writeln!(io::stdout(), "{start}: {score}")?;
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
        None if args.distance.is_some() => Ok(databases.oracle_for(&goal)?),
        None => databases.oracle_for(&goal).map_err(|why| why.to_string()),
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

/// Plays until the player has had enough.
fn play(session: &mut Session, args: &Args) -> Result<Status, CliError> {
    interrupt::listen();
    let mut screen = Screen::new()?;
    let events = events();
    loop {
        let size = screen.size()?;
        let frame = view(session, size);
        screen.show(&frame)?;
        let wanted = wait(session, &events, args, || Ok(screen.size()? != size))?;
        match wanted {
            None => {}
            Some(Action::Quit) => return Ok(Status::Yes),
            Some(Action::Interrupt) => return Err(CliError::Interrupted),
            Some(Action::Suspend) => screen.suspend()?,
            Some(Action::Click(column, row)) => {
                if let Some(cell) = frame.cell_at(column, row) {
                    session.act(Action::Cell(cell))?;
                }
            }
            Some(action) => session.act(action)?,
        }
    }
}

/// How long a signal or a board that is being drawn may wait for attention.
const TICK: Duration = Duration::from_millis(50);

/// Waits until the player wants something, or, `None`, the session has gone on by itself or the
/// terminal has another size. (Its news of that comes too early where it is resized at the start.)
fn wait(
    session: &mut Session,
    events: &Receiver<io::Result<Event>>,
    args: &Args,
    resized: impl Fn() -> io::Result<bool>,
) -> Result<Option<Action>, CliError> {
    let next_move = Instant::now() + Duration::from_millis(args.delay);
    loop {
        if interrupt::interrupted() {
            return Err(CliError::Interrupted);
        }
        if session.drawn()? || resized()? {
            return Ok(None);
        }
        let mut longest = TICK;
        if matches!(session.mode, Mode::Solving) {
            longest = longest.min(next_move.saturating_duration_since(Instant::now()));
            if longest.is_zero() {
                session.next()?;
                return Ok(None);
            }
        }
        match events.recv_timeout(longest) {
            Ok(event) => {
                let asking = matches!(session.mode, Mode::Asking(_));
                let wanted = action(&event?, args.keys, asking);
                if wanted.is_some() {
                    return Ok(wanted);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(CliError::Interrupted),
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
