//! A sitting at the terminal: one game after the other, and what each key does to it.

use std::sync::Arc;
use std::thread::JoinHandle;

use crate::oracle::generate::{GenerateError, Request, generate, random_board};
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};

use super::error::PlayError;
use super::game::{By, Game, Truth};
use super::keys::Action;

/// What is going on.
#[derive(Debug)]
pub(super) enum Mode {
    /// The player is to move.
    Playing,
    /// A solution is being played.
    Solving,
    /// A distance is being typed.
    Asking(String),
    /// A new board is being drawn. In a large space that can take a while.
    Drawing(Drawing),
}

type Drawing = JoinHandle<Result<Board, GenerateError>>;

/// How a line for the player is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Good,
}

/// One game after the other, and all that is shown of them.
#[derive(Debug)]
pub struct Session {
    pub(super) game: Game,
    /// The oracle, or why there is none.
    pub(super) oracle: Result<Arc<Oracle>, String>,
    /// What the oracle says of the board now.
    pub(super) truth: Option<Truth>,
    pub(super) shows_truth: bool,
    pub(super) mode: Mode,
    /// A line for the player.
    pub(super) message: (Tone, String),
    /// What the command line that begins this game again has after the board.
    pub(super) options: String,
    seed: u64,
}

impl Session {
    /// Begins with a game of `start`, or else with a board drawn at `distance`, or at any; equal seeds draw
    /// equal boards. `oracle` knows the distances to `goal`, or says why there are none.
    ///
    /// # Errors
    /// [`PlayError`] if no board has that distance, or the table is wrong.
    pub fn new(
        start: Option<Board>,
        distance: Option<u8>,
        goal: Board,
        oracle: Result<Oracle, String>,
        seed: u64,
    ) -> Result<Session, PlayError> {
        let mut session = Session {
            game: Game::new(goal, goal, None),
            oracle: oracle.map(Arc::new),
            truth: None,
            shows_truth: true,
            mode: Mode::Playing,
            message: (Tone::Plain, String::new()),
            options: String::new(),
            seed,
        };
        match start {
            Some(board) => session.begin(board)?,
            None => {
                session.check_distance(distance)?;
                session.draw(distance)?;
                if let Mode::Drawing(thread) = std::mem::replace(&mut session.mode, Mode::Playing) {
                    session.begin(joined(thread)?)?;
                }
            }
        }
        Ok(session)
    }

    fn begin(&mut self, start: Board) -> Result<(), QueryError> {
        let goal = *self.game.goal();
        self.truth = self.truth_of(&start)?;
        self.game = Game::new(start, goal, self.truth.as_ref().map(|truth| truth.distance));
        self.mode = Mode::Playing;
        match (&self.oracle, self.game.is_solved()) {
            (_, true) => self.say("This is the goal: slide tiles, or take another board."),
            (Ok(_), _) => self.say(""),
            (Err(_), _) => self.say_why_not(),
        }
        Ok(())
    }

    fn truth_of(&self, board: &Board) -> Result<Option<Truth>, QueryError> {
        let oracle = self.oracle.as_ref().ok();
        oracle.map(|oracle| Truth::of(oracle, board)).transpose()
    }

    fn say(&mut self, message: &str) {
        self.message = (Tone::Plain, message.to_owned());
    }

    /// Says why there is no oracle.
    fn say_why_not(&mut self) {
        if let Err(why) = &self.oracle {
            self.message = (Tone::Plain, format!("No distances and no hints: {why}"));
        }
    }

    /// Does what the player wants.
    pub(super) fn act(&mut self, action: Action) -> Result<(), PlayError> {
        if action == Action::Redraw {
            return Ok(());
        }
        let was_solving = match &mut self.mode {
            Mode::Drawing(_) => return Ok(()),
            Mode::Asking(typed) => {
                let typed = std::mem::take(typed);
                return self.ask(action, typed);
            }
            Mode::Solving => true,
            Mode::Playing => false,
        };
        if was_solving {
            self.mode = Mode::Playing;
            self.say("Paused: Space goes on.");
        }
        match action {
            Action::Slide(mv) => self.slide(mv)?,
            Action::Cell(cell) => self.slide_cell(cell)?,
            Action::Undo => self.travel(Game::undo, "There is no move to take back.")?,
            Action::Redo => self.travel(Game::redo, "There is no move to make again.")?,
            Action::Restart => self.begin(*self.game.start())?,
            Action::Random => self.draw(None)?,
            Action::Solve if was_solving => {}
            Action::Hint | Action::Next | Action::Solve | Action::AskDistance | Action::Truth => {
                self.consult(action)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn slide(&mut self, mv: Move) -> Result<(), QueryError> {
        if self.game.slide(mv, By::Player) {
            return self.arrive();
        }
        self.say(match mv {
            Move::Up => "No tile can slide down: the blank is in the top row.",
            Move::Down => "No tile can slide up: the blank is in the bottom row.",
            Move::Left => "No tile can slide right: the blank is in the left column.",
            Move::Right => "No tile can slide left: the blank is in the right column.",
        });
        Ok(())
    }

    fn slide_cell(&mut self, cell: usize) -> Result<(), QueryError> {
        if let Some(mv) = self.game.move_of(cell) {
            return self.slide(mv);
        }
        let tile = self.game.board().tiles()[cell];
        if tile != 0 {
            self.say(&format!(
                "Tile {tile} cannot slide: it is not beside the blank."
            ));
        }
        Ok(())
    }

    fn travel(&mut self, go: fn(&mut Game) -> bool, otherwise: &str) -> Result<(), QueryError> {
        if go(&mut self.game) {
            return self.arrive();
        }
        self.say(otherwise);
        Ok(())
    }

    /// After the board has changed: what the oracle says of it, and the score at the goal.
    fn arrive(&mut self) -> Result<(), QueryError> {
        self.truth = self.truth_of(self.game.board())?;
        self.say("");
        if self.game.is_solved() {
            self.mode = Mode::Playing;
            self.message = (Tone::Good, self.game.score().to_string());
        }
        Ok(())
    }

    /// What only the oracle can do.
    fn consult(&mut self, action: Action) -> Result<(), QueryError> {
        let closer = match (&self.oracle, &self.truth) {
            (Ok(_), Some(truth)) => truth.closer.first().copied(),
            (Ok(_), None) => None,
            (Err(_), _) => {
                self.say_why_not();
                return Ok(());
            }
        };
        match (action, closer) {
            (Action::AskDistance, _) => self.mode = Mode::Asking(String::new()),
            (Action::Truth, _) => self.shows_truth = !self.shows_truth,
            (_, None) => self.say("This is the goal already."),
            (Action::Hint, Some(mv)) => {
                let tile = self.game.tile_of(mv);
                let way = match mv {
                    Move::Up => "down",
                    Move::Down => "up",
                    Move::Left => "right",
                    Move::Right => "left",
                };
                self.game.give_hint(mv);
                self.say(&format!("Hint: slide tile {tile} {way}."));
            }
            (Action::Solve, Some(_)) => {
                self.mode = Mode::Solving;
                self.say("Playing a shortest solution: Space pauses.");
            }
            (_, Some(_)) => self.next()?,
        }
        Ok(())
    }

    /// One move of a shortest solution.
    pub(super) fn next(&mut self) -> Result<(), QueryError> {
        let closer = self.truth.as_ref().and_then(|truth| truth.closer.first());
        let Some(&mv) = closer else { return Ok(()) };
        let message = self.message.clone();
        self.game.slide(mv, By::Oracle);
        self.arrive()?;
        if matches!(self.mode, Mode::Solving) {
            self.message = message;
        }
        Ok(())
    }

    fn ask(&mut self, action: Action, mut typed: String) -> Result<(), PlayError> {
        match action {
            Action::Digit(digit) if typed.len() < 3 => typed.push(digit),
            Action::Erase => drop(typed.pop()),
            Action::Cancel => {
                self.mode = Mode::Playing;
                return Ok(());
            }
            Action::Enter if !typed.is_empty() => {
                let distance = Some(typed.parse().unwrap_or(u8::MAX));
                self.mode = Mode::Playing;
                match self.check_distance(distance) {
                    Ok(()) => self.draw(distance)?,
                    Err(why) => self.say(&format!("{why}.")),
                }
                return Ok(());
            }
            _ => {}
        }
        self.mode = Mode::Asking(typed);
        Ok(())
    }

    /// The largest distance, if distances are known.
    pub(super) fn max_distance(&self) -> Option<u8> {
        let oracle = self.oracle.as_ref().ok()?;
        Some(oracle.table().header().max_distance())
    }

    fn check_distance(&self, distance: Option<u8>) -> Result<(), PlayError> {
        match (distance, self.max_distance()) {
            (Some(distance), Some(max)) if distance > max => {
                let shape = self.game.goal().shape();
                Err(PlayError::NoSuchDistance { shape, max })
            }
            _ => Ok(()),
        }
    }

    /// Begins to draw a board.
    fn draw(&mut self, distance: Option<u8>) -> Result<(), PlayError> {
        let (seed, goal) = (self.seed, *self.game.goal());
        self.seed = seed.wrapping_add(1);
        let Ok(oracle) = &self.oracle else {
            return Ok(self.begin(random_board(&goal, seed))?);
        };
        let oracle = Arc::clone(oracle);
        let distances = match distance {
            Some(distance) => distance..=distance,
            None => 1..=u8::MAX,
        };
        let request = Request {
            distances,
            unique: false,
            count: 1,
            seed,
        };
        let draw = move || generate(&oracle, &request).map(|boards| boards[0]);
        self.mode = Mode::Drawing(std::thread::spawn(draw));
        self.say("Drawing a board ...");
        Ok(())
    }

    /// Begins the game of the board that was drawn, once it is there; true if something changed.
    pub(super) fn drawn(&mut self) -> Result<bool, QueryError> {
        if !matches!(&self.mode, Mode::Drawing(thread) if thread.is_finished()) {
            return Ok(false);
        }
        if let Mode::Drawing(thread) = std::mem::replace(&mut self.mode, Mode::Playing) {
            match joined(thread) {
                Ok(board) => self.begin(board)?,
                Err(error) => self.say(&format!("No board was drawn: {error}.")),
            }
        }
        Ok(true)
    }
}

/// What the thread drew.
fn joined(thread: Drawing) -> Result<Board, GenerateError> {
    match thread.join() {
        Ok(drawn) => drawn,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
