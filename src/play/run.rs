//! Playing: what the player does, and what is shown, until there is enough.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::error::PlayError;
use super::keys::{Action, Keys, action};
use super::screen::Screen;
use super::session::{Mode, Session};
use super::view::view;

/// How a session is played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What arrow keys move.
    pub keys: Keys,
    /// Time between the moves of a solution that is played.
    pub delay: Duration,
    /// Options of the command that begins this game again, for the title.
    pub options: String,
    /// Asked twenty times a second whether to end the game.
    pub interrupted: fn() -> bool,
}

/// Plays in this process's terminal until the player quits; the score, in a line, if the last game ended
/// at the goal.
///
/// # Errors
/// [`PlayError`]; the terminal is given back on every way out.
pub fn play(mut session: Session, settings: &Settings) -> Result<Option<String>, PlayError> {
    session.options.clone_from(&settings.options);
    show_and_act(&mut session, settings)?;
    let (start, score) = (session.game.start(), session.game.score());
    Ok((session.game.is_solved() && score.moves > 0).then(|| format!("{start}: {score}")))
}

/// Shows the session and does what the player wants, until that is to quit.
fn show_and_act(session: &mut Session, settings: &Settings) -> Result<(), PlayError> {
    let mut screen = Screen::new()?;
    let events = events();
    loop {
        let size = screen.size()?;
        let frame = view(session, size);
        screen.show(&frame)?;
        let wanted = wait(session, &events, settings, || Ok(screen.size()? != size))?;
        match wanted {
            None => {}
            Some(Action::Quit) => return Ok(()),
            Some(Action::Interrupt) => return Err(PlayError::Interrupted),
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
    settings: &Settings,
    resized: impl Fn() -> io::Result<bool>,
) -> Result<Option<Action>, PlayError> {
    let next_move = Instant::now() + settings.delay;
    loop {
        if (settings.interrupted)() {
            return Err(PlayError::Interrupted);
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
                let wanted = action(&event?, settings.keys, asking);
                if wanted.is_some() {
                    return Ok(wanted);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(PlayError::Interrupted),
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
