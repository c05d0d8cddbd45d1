//! The event loop: shows the session and acts on keys until the player quits.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::keys::{Action, Keys, action};
use super::screen::Screen;
use super::session::{Mode, Session};
use super::view::view;
use crate::error::CliError;

/// Settings of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Choice of the tile or the blank for the arrow keys.
    pub keys: Keys,
    /// Time between two moves when a solution is played.
    pub delay: Duration,
    /// Called at least twenty times a second; the game ends when it returns true.
    pub interrupted: fn() -> bool,
}

/// Plays in this process's terminal until the player quits. Returns the last game's score as a line of
/// text if that game reached its goal.
///
/// # Errors
/// [`CliError`]; the terminal is restored in every case.
pub fn play(mut session: Session, settings: &Settings) -> Result<Option<String>, CliError> {
    let mut screen = Screen::new()?;
    let events = events();
    loop {
        let size = screen.size()?;
        let frame = view(&session, size);
        screen.show(&frame)?;
        let is_resized = || Ok(screen.size()? != size);
        match wait(&mut session, &events, settings, is_resized)? {
            None | Some(Action::Redraw) => {}
            Some(Action::Quit) => break,
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
    let (start, score) = (session.game.start, session.game.score);
    Ok((session.game.is_solved() && score.moves > 0).then(|| format!("{start}: {score}")))
}

/// The longest wait for an event before signals and the session's threads are checked again.
const TICK: Duration = Duration::from_millis(50);

/// The longest wait while a thread works: its answer mostly comes at once.
const SHORT_TICK: Duration = Duration::from_millis(5);

/// Waits for an action of the player. `None` if the screen must be drawn again: the session has changed by itself, or
/// the terminal was resized. (The size is compared here because a resize during the start sends its event before the
/// events are read.)
fn wait(
    session: &mut Session,
    events: &Receiver<io::Result<Event>>,
    settings: &Settings,
    resized: impl Fn() -> io::Result<bool>,
) -> Result<Option<Action>, CliError> {
    let next_move = Instant::now() + settings.delay;
    let shown = session.game.seconds();
    loop {
        if (settings.interrupted)() {
            return Err(CliError::Interrupted);
        }
        if session.poll()? || resized()? || session.game.seconds() != shown {
            return Ok(None);
        }
        let mut longest = match session.is_waiting() {
            true => SHORT_TICK,
            false => TICK,
        };
        if matches!(session.mode, Mode::Solving) {
            longest = longest.min(next_move.saturating_duration_since(Instant::now()));
            if longest.is_zero() {
                session.next()?;
                return Ok(None);
            }
        }
        match events.recv_timeout(longest) {
            Ok(event) => {
                let asking = matches!(session.mode, Mode::AskingDistance(_));
                let wanted = action(&event?, settings.keys, asking);
                if wanted.is_some() {
                    return Ok(wanted);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(CliError::Interrupted),
        }
    }
}

/// The terminal's events. They are read on a thread of their own because the read blocks when a key's escape
/// sequence is incomplete, and forever when the terminal has gone away; signals must be seen even then.
fn events() -> Receiver<io::Result<Event>> {
    let (send, receive) = channel();
    std::thread::spawn(move || while send.send(event::read()).is_ok() {});
    receive
}
