//! The terminal: put into raw mode for the game, and restored at every end of it.

use std::io::{self, IsTerminal, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::adapter::strip_str;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};

use super::view::Frame;
use crate::error::{CliError, bail};

/// Whether the terminal is in raw mode and on the alternate screen.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal in raw mode on the alternate screen. It is restored when this is dropped, and before a
/// panic prints its message.
#[derive(Debug)]
pub(super) struct Screen {
    out: Stdout,
    colors: bool,
}

/// Checks that there is a terminal that can be played on.
///
/// # Errors
/// [`CliError::Usage`]
pub fn check_terminal() -> Result<(), CliError> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!(
            "play needs a terminal for its keys and its picture: run it without pipes or redirections"
        );
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("play cannot draw here: this terminal cannot move its cursor (TERM=dumb)");
    }
    Ok(())
}

impl Screen {
    /// Enters raw mode and the alternate screen.
    pub(super) fn new() -> io::Result<Screen> {
        give_back_before_panics();
        let out = io::stdout();
        let colors = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
        let mut screen = Screen { out, colors };
        screen.take()?;
        Ok(screen)
    }

    fn take(&mut self) -> io::Result<()> {
        TAKEN.store(true, Ordering::SeqCst);
        terminal::enable_raw_mode()?;
        execute!(self.out, EnterAlternateScreen, EnableMouseCapture, Hide)
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(usize, usize)> {
        let (width, height) = terminal::size()?;
        if width == 0 || height == 0 {
            return Ok((80, 24)); // the terminal does not report its size
        }
        Ok((width.into(), height.into()))
    }

    /// Shows a frame of the terminal's size with a single write, so that it does not flicker.
    pub(super) fn show(&mut self, frame: &Frame) -> io::Result<()> {
        let mut bytes = Vec::new();
        queue!(bytes, BeginSynchronizedUpdate)?;
        for (y, line) in (0..).zip(&frame.lines) {
            queue!(bytes, MoveTo(0, y), Clear(ClearType::CurrentLine))?;
            match self.colors {
                true => write!(bytes, "{line}")?,
                false => write!(bytes, "{}", strip_str(line))?,
            }
        }
        queue!(bytes, EndSynchronizedUpdate)?;
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// Stops the process group as Ctrl-Z does; returns when the shell continues it.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_terminal_back();
        #[cfg(unix)]
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.take()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_terminal_back();
    }
}

/// Restores the terminal if it is taken. Doing that twice would move the cursor over text printed since.
pub fn give_terminal_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = execute!(out, DisableMouseCapture, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// Restores the terminal before a panic prints its message, which would vanish with the alternate screen.
fn give_back_before_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_terminal_back();
            usual(info);
        }));
    });
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
