//! A sequence of games, and what each action does to them.

use std::sync::Arc;
use std::thread::JoinHandle;

use crate::oracle::generate::{GenerateError, Request, generate, random_board};
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};

use super::error::PlayError;
use super::game::{Game, MovedBy, Truth};
use super::keys::Action;

/// What the session is doing.
#[derive(Debug)]
pub(super) enum Mode {
    /// The player is to move.
    Playing,
    /// A solution is being played.
    Solving,
    /// The player is typing a distance.
    AskingDistance(String),
    /// A thread draws a random board, which can take seconds in a large state space.
    Drawing(Drawing),
}

type Drawing = JoinHandle<Result<Board, GenerateError>>;

/// The style of the message to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Good,
}

/// The current game and the state of the screen: what [`play`](super::run::play) shows.
#[derive(Debug)]
pub struct Session {
    pub(super) game: Game,
    /// The oracle, or the reason why there is none.
    pub(super) oracle: Result<Arc<Oracle>, String>,
    /// The oracle's answer for the current board.
    pub(super) truth: Option<Truth>,
    pub(super) shows_truth: bool,
    pub(super) mode: Mode,
    /// The message below the board.
    pub(super) message: (Tone, String),
    /// The options shown in the title after the board.
    pub(super) options: String,
    seed: u64,
}

impl Session {
    /// A session whose first game begins at `start`, or else at a random board at `distance`, or at any
    /// distance. Equal seeds draw equal boards. `oracle` gives the distances to `goal`; an error is the
    /// reason, shown to the player, why there are none.
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
                    session.begin(join_drawing(thread)?)?;
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
            (Err(_), _) => self.say_no_oracle(),
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

    /// Shows the reason why there is no oracle.
    fn say_no_oracle(&mut self) {
        if let Err(why) = &self.oracle {
            self.message = (Tone::Plain, format!("No distances and no hints: {why}"));
        }
    }

    /// Performs an action of the player.
    pub(super) fn act(&mut self, action: Action) -> Result<(), PlayError> {
        if action == Action::Redraw {
            return Ok(());
        }
        let was_solving = match &mut self.mode {
            Mode::Drawing(_) => return Ok(()),
            Mode::AskingDistance(typed) => {
                let typed = std::mem::take(typed);
                return self.type_distance(action, typed);
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
            Action::Undo => self.step_history(Game::undo, "There is no move to take back.")?,
            Action::Redo => self.step_history(Game::redo, "There is no move to make again.")?,
            Action::Restart => self.begin(*self.game.start())?,
            Action::Random => self.draw(None)?,
            Action::Solve if was_solving => {}
            Action::Hint | Action::Next | Action::Solve | Action::AskDistance | Action::Truth => {
                self.use_oracle(action)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn slide(&mut self, mv: Move) -> Result<(), QueryError> {
        if self.game.slide(mv, MovedBy::Player) {
            return self.board_changed();
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

    fn step_history(
        &mut self,
        go: fn(&mut Game) -> bool,
        otherwise: &str,
    ) -> Result<(), QueryError> {
        if go(&mut self.game) {
            return self.board_changed();
        }
        self.say(otherwise);
        Ok(())
    }

    /// Updates the oracle's answer and the message after the board has changed.
    fn board_changed(&mut self) -> Result<(), QueryError> {
        self.truth = self.truth_of(self.game.board())?;
        self.say("");
        if self.game.is_solved() {
            self.mode = Mode::Playing;
            self.message = (Tone::Good, self.game.score().to_string());
        }
        Ok(())
    }

    /// Performs an action that needs the oracle.
    fn use_oracle(&mut self, action: Action) -> Result<(), QueryError> {
        let closer = match (&self.oracle, &self.truth) {
            (Ok(_), Some(truth)) => truth.closer.first().copied(),
            (Ok(_), None) => None,
            (Err(_), _) => {
                self.say_no_oracle();
                return Ok(());
            }
        };
        match (action, closer) {
            (Action::AskDistance, _) => self.mode = Mode::AskingDistance(String::new()),
            (Action::Truth, _) => self.shows_truth = !self.shows_truth,
            (_, None) => self.say("This is the goal already."),
            (Action::Hint, Some(mv)) => {
                let tile = self.game.tile_of(mv);
                let direction = match mv {
                    Move::Up => "down",
                    Move::Down => "up",
                    Move::Left => "right",
                    Move::Right => "left",
                };
                self.game.give_hint(mv);
                self.say(&format!("Hint: slide tile {tile} {direction}."));
            }
            (Action::Solve, Some(_)) => {
                self.mode = Mode::Solving;
                self.say("Playing a shortest solution: Space pauses.");
            }
            (_, Some(_)) => self.next()?,
        }
        Ok(())
    }

    /// Makes one move of a shortest solution.
    pub(super) fn next(&mut self) -> Result<(), QueryError> {
        let closer = self.truth.as_ref().and_then(|truth| truth.closer.first());
        let Some(&mv) = closer else { return Ok(()) };
        let message = self.message.clone();
        self.game.slide(mv, MovedBy::Oracle);
        self.board_changed()?;
        if matches!(self.mode, Mode::Solving) {
            self.message = message;
        }
        Ok(())
    }

    fn type_distance(&mut self, action: Action, mut typed: String) -> Result<(), PlayError> {
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
        self.mode = Mode::AskingDistance(typed);
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

    /// Starts to draw a random board; without an oracle it is drawn at once.
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

    /// Begins a game when the board of [`Mode::Drawing`] has been drawn; true if something changed.
    pub(super) fn poll_drawing(&mut self) -> Result<bool, QueryError> {
        if !matches!(&self.mode, Mode::Drawing(thread) if thread.is_finished()) {
            return Ok(false);
        }
        if let Mode::Drawing(thread) = std::mem::replace(&mut self.mode, Mode::Playing) {
            match join_drawing(thread) {
                Ok(board) => self.begin(board)?,
                Err(error) => self.say(&format!("No board was drawn: {error}.")),
            }
        }
        Ok(true)
    }
}

/// The result of the drawing thread.
fn join_drawing(thread: Drawing) -> Result<Board, GenerateError> {
    match thread.join() {
        Ok(drawn) => drawn,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
