//! A sequence of games, and the effect of each action on them.

use std::thread::JoinHandle;

use puzzledb::oracle::generate::{GenerateError, Request};
use puzzledb::oracle::{Oracle, ProbeMove, QueryError};
use puzzledb::puzzle::{Board, Move, random_board};

use super::game::{Game, MovedBy};
use super::keys::Action;
use super::truths::{Known, Truths, closer, joined};
use crate::error::{CliError, bail};

/// Mode of a session.
#[derive(Debug)]
pub(super) enum Mode {
    /// The player is to move.
    Playing,
    /// A solution is being played.
    Solving,
    /// The player is typing a distance.
    AskingDistance(String),
    /// A random board is being drawn.
    Drawing(JoinHandle<Result<Board, GenerateError>>),
}

/// For each move of the blank the way of the tile, and the border where the blank cannot make it.
const WAYS: [(&str, &str); 4] = [
    ("down", "top row"),
    ("up", "bottom row"),
    ("right", "left column"),
    ("left", "right column"),
];

/// The current game and the state of the screen, which [`play`](super::run::play) shows.
#[derive(Debug)]
pub struct Session {
    pub(super) game: Game,
    /// Answers of the oracle; `None` for shapes with too many states for one.
    pub(super) truths: Option<Truths>,
    /// Whether distances and the marks on tiles are shown.
    pub shows_truth: bool,
    pub(super) mode: Mode,
    /// The message below the board.
    pub(super) message: String,
    /// Whether the message is the score of a game that has reached its goal.
    pub(super) is_success: bool,
    /// Options that the title shows after `puzzledb play BOARD`, each after a space.
    pub options: String,
    seed: u64,
}

impl Session {
    /// A session whose first game begins at `start`, or else at a random board at `distance`, or at any
    /// distance. Equal seeds draw equal boards. `oracle` gives the distances to `goal`; `None` if the shape
    /// has too many states for them. They are hidden until the player asks for them.
    ///
    /// # Errors
    /// [`CliError`] if no board has that distance, or the table is wrong.
    pub fn new(
        start: Option<Board>,
        distance: Option<u8>,
        goal: Board,
        oracle: Option<Oracle>,
        seed: u64,
    ) -> Result<Session, CliError> {
        let mut session = Session {
            game: Game::new(goal, goal),
            truths: oracle.map(Truths::new),
            shows_truth: false,
            mode: Mode::Playing,
            message: String::new(),
            is_success: false,
            options: String::new(),
            seed,
        };
        match start {
            Some(board) => session.begin(board)?,
            None => session.draw(distance)?,
        }
        if let Mode::Drawing(board) = std::mem::replace(&mut session.mode, Mode::Playing) {
            session.begin(joined(board)?)?;
        }
        Ok(session)
    }

    fn begin(&mut self, start: Board) -> Result<(), QueryError> {
        self.game = Game::new(start, self.game.goal);
        self.mode = Mode::Playing;
        self.ask()?;
        match (&self.truths, self.game.is_solved()) {
            (_, true) => self.say("This is the goal: slide tiles, or take another board."),
            (Some(_), _) => self.say(""),
            (None, _) => self.say_no_oracle(),
        }
        Ok(())
    }

    /// Requests the truth about the current board, and takes the start's.
    fn ask(&mut self) -> Result<(), QueryError> {
        if let Some(truths) = &mut self.truths {
            truths.ask(&self.game.board)?;
            if let Known::Truth(truth) = truths.of(&self.game.start) {
                self.game.score.optimal = Some(truth.distance);
            }
        }
        Ok(())
    }

    /// Known truth of the current board, if there is an oracle.
    pub(super) fn known(&self) -> Option<&Known> {
        let truths = self.truths.as_ref()?;
        Some(truths.of(&self.game.board))
    }

    fn say(&mut self, message: &str) {
        (self.message, self.is_success) = (message.to_owned(), false);
    }

    /// Shows the reason why there is no oracle.
    fn say_no_oracle(&mut self) {
        let shape = self.game.goal.shape();
        self.say(&format!(
            "{shape} boards have too many states for distances and hints. \
             `puzzledb solve` finds a solution and a lower bound."
        ));
    }

    /// Performs an action of the player.
    pub(super) fn act(&mut self, action: Action) -> Result<(), CliError> {
        let was_solving = match &mut self.mode {
            Mode::Drawing(_) if action == Action::Restart => false, // discards the pending draw
            Mode::Drawing(_) => return Ok(()),
            Mode::AskingDistance(_) => return self.type_distance(action),
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
            Action::Undo => self.change(Game::undo, "There is no move to take back.")?,
            Action::Redo => self.change(Game::redo, "There is no move to make again.")?,
            Action::Restart => self.begin(self.game.start)?,
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
        let (way, border) = WAYS[usize::from(mv.code())];
        let why_not = format!("No tile can slide {way}: the blank is in the {border}.");
        self.change(|game| game.slide(mv, MovedBy::Player), &why_not)
    }

    fn slide_cell(&mut self, cell: usize) -> Result<(), QueryError> {
        if let Some(mv) = self.game.move_of(cell) {
            return self.slide(mv);
        }
        let tile = self.game.board.tiles()[cell];
        if tile != 0 {
            self.say(&format!(
                "Tile {tile} cannot slide: it is not beside the blank."
            ));
        }
        Ok(())
    }

    /// Changes the board, requests the truth and updates the message; says why not if `make` returns false.
    fn change(
        &mut self,
        make: impl Fn(&mut Game) -> bool,
        why_not: &str,
    ) -> Result<(), QueryError> {
        if !make(&mut self.game) {
            self.say(why_not);
            return Ok(());
        }
        self.ask()?;
        if self.game.is_solved() {
            self.mode = Mode::Playing;
            self.say(&self.game.score.to_string());
            self.is_success = true;
        } else if !matches!(self.mode, Mode::Solving) {
            self.say("");
        }
        Ok(())
    }

    /// Performs an action that needs the oracle.
    fn use_oracle(&mut self, action: Action) -> Result<(), QueryError> {
        let Some(known) = self.known() else {
            self.say_no_oracle();
            return Ok(());
        };
        let closer = match known {
            Known::Truth(truth) => closer(truth).next().copied(),
            Known::NotYet | Known::GaveUp => None,
        };
        match (action, closer) {
            (Action::AskDistance, _) => self.mode = Mode::AskingDistance(String::new()),
            (Action::Truth, _) => self.shows_truth = !self.shows_truth,
            (_, None) => self.say(match known {
                Known::Truth(_) => "This is the goal already.",
                Known::NotYet => "The distance is not known yet: the search goes on.",
                Known::GaveUp => GAVE_UP,
            }),
            (Action::Hint, Some(ProbeMove { mv, tile, .. })) => {
                let (way, _) = WAYS[usize::from(mv.code())];
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

    /// Makes one move of a shortest solution.
    pub(super) fn next(&mut self) -> Result<(), QueryError> {
        let Some(Known::Truth(truth)) = self.known() else {
            return Ok(()); // the search has no answer yet
        };
        let Some(mv) = closer(truth).next().map(|step| step.mv) else {
            return Ok(());
        };
        self.change(|game| game.slide(mv, MovedBy::Oracle), "")
    }

    fn type_distance(&mut self, action: Action) -> Result<(), CliError> {
        let Mode::AskingDistance(typed) = &mut self.mode else {
            return Ok(());
        };
        match action {
            Action::Digit(digit) if typed.len() < 3 => typed.push(digit),
            Action::Erase => drop(typed.pop()),
            Action::Cancel => self.mode = Mode::Playing,
            Action::Enter if !typed.is_empty() => {
                let distance = Some(typed.parse().unwrap_or(u8::MAX));
                self.mode = Mode::Playing;
                if let Err(why) = self.draw(distance) {
                    self.say(&format!("{why}."));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The largest distance, if there is a table.
    pub(super) fn max_distance(&self) -> Option<u8> {
        let table = self.truths.as_ref()?.oracle.table()?;
        Some(table.header().max_distance())
    }

    /// Starts to draw a random board at a distance, or at any but 0; one at any is drawn at once if there is no table.
    fn draw(&mut self, distance: Option<u8>) -> Result<(), CliError> {
        let (seed, goal) = (self.seed, self.game.goal);
        let (shape, max) = (goal.shape(), self.max_distance().unwrap_or(u8::MAX));
        if distance > Some(max) {
            bail!("There is no such board: {shape} distances go up to {max}");
        }
        self.seed = seed.wrapping_add(1);
        let oracle = match &self.truths {
            Some(truths) if distance.is_some() || truths.oracle.table().is_some() => {
                truths.oracle.clone()
            }
            _ => return Ok(self.begin(random_board(&goal, seed))?),
        };
        let distances = distance.map_or(1..=u8::MAX, |distance| distance..=distance);
        let request = Request::new(distances, 1, seed);
        let drawing = move || oracle.generate(&request).map(|boards| boards[0]);
        self.mode = Mode::Drawing(std::thread::spawn(drawing));
        self.say("Drawing a board ... (s starts this one over)");
        Ok(())
    }

    /// Returns whether a thread works for the session.
    pub(super) fn is_waiting(&self) -> bool {
        let truths = self.truths.as_ref();
        let is_searching = truths.is_some_and(|truths| truths.search.is_some());
        is_searching || matches!(self.mode, Mode::Drawing(_))
    }

    /// Takes the results of threads; true if something changed.
    pub(super) fn poll(&mut self) -> Result<bool, QueryError> {
        let is_drawn = matches!(&self.mode, Mode::Drawing(board) if board.is_finished());
        if is_drawn && let Mode::Drawing(board) = std::mem::replace(&mut self.mode, Mode::Playing) {
            match joined(board) {
                Ok(board) => self.begin(board)?,
                Err(error) => self.say(&format!("No board was drawn: {error}.")),
            }
        }
        let truths = self.truths.as_mut();
        let has_answer = truths.map_or(Ok(false), Truths::poll)?;
        if has_answer {
            self.ask()?;
            if matches!(self.known(), Some(Known::GaveUp)) {
                if matches!(self.mode, Mode::Solving) {
                    self.mode = Mode::Playing;
                }
                self.say(GAVE_UP);
            }
        }
        Ok(is_drawn || has_answer)
    }
}

/// Message for a board whose search visited as many boards as it may.
const GAVE_UP: &str = "The distance is not known: the search took too long.";
