//! The terminal, taken over for the game and given back whole on every way out.

use std::io::{self, IsTerminal, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};

use super::super::error::CliError;
use super::view::Frame;

/// Is the terminal taken over?
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the game has it; it is given back when this is dropped, and before a panic
/// says what happened.
#[derive(Debug)]
pub(super) struct Screen {
    out: Stdout,
    colors: bool,
}

/// Is there a terminal that can be played on?
pub(super) fn check() -> Result<(), CliError> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(CliError::Usage(
            "play needs a terminal for its keys and its picture: run it without pipes or \
             redirections"
                .into(),
        ));
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Err(CliError::Usage(
            "play cannot draw here: this terminal says that it only prints lines (TERM=dumb)"
                .into(),
        ));
    }
    Ok(())
}

impl Screen {
    /// Takes the terminal over.
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
            return Ok((80, 24)); // a terminal that does not know its size
        }
        Ok((width.into(), height.into()))
    }

    /// Shows a picture of the terminal's size.
    pub(super) fn show(&mut self, frame: &Frame) -> io::Result<()> {
        queue!(self.out, BeginSynchronizedUpdate)?;
        for (y, line) in (0..).zip(&frame.lines) {
            queue!(self.out, MoveTo(0, y), Clear(ClearType::CurrentLine))?;
            for span in line {
                let style = if self.colors { span.style } else { Default::default() };
                write!(self.out, "{style}{}{style:#}", span.text)?;
            }
        }
        queue!(self.out, EndSynchronizedUpdate)?;
        self.out.flush()
    }

    /// Gives the terminal to the shell until it lets the game go on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        #[cfg(unix)]
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.take()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, once: a second time would move the cursor over what was written since.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// A panic's message would be lost with the alternate screen.
fn give_back_before_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            usual(info);
        }));
    });
}
