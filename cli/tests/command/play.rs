//! Promise: `play` is a game for every terminal: its keys act as labelled, it fits the size, and the
//! terminal is whole afterwards, whatever ended it.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::process::{Pid, Signal, kill_process};

use crate::run::{built, run};
use crate::wait::{failed, patience, until};
use crate::watched_files;

/// Game in a terminal of its own.
struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    modes: String,
}

fn modes(pty: &Pty) -> String {
    format!("{:?}", rustix::termios::tcgetattr(pty).unwrap())
}

fn play_command(dir: &Path, args: &[&str]) -> Command {
    Command::new(env!("CARGO_BIN_EXE_puzzledb"))
        .arg("play")
        .args(args)
        .env("PUZZLEDB_DIR", dir)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE")
}

impl Terminal {
    /// Starts the game in 80 columns and 24 rows.
    fn play(args: &[&str]) -> Terminal {
        let dir = built();
        Terminal::start(play_command(dir.path(), args))
            .see("moves     0")
            .see("q quit")
    }

    fn start(command: Command) -> Terminal {
        let (pty, end) = open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let modes = modes(&pty);
        let child = command.spawn(end).unwrap();
        let pty = Arc::new(pty);
        let (send, output) = channel();
        let reader = Arc::clone(&pty);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = (&*reader).read(&mut buffer) {
                if count == 0 || send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let parser = vt100::Parser::default();
        Terminal {
            pty,
            child,
            output,
            parser,
            modes,
        }
    }

    fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    fn press(self, keys: &str) -> Terminal {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
        self
    }

    fn resize(mut self, rows: u16, columns: u16) -> Terminal {
        let size = |side| NonZeroU16::new(side).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).unwrap();
        self
    }

    /// Waits until the text is on the screen.
    fn see(self, text: &str) -> Terminal {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    fn wait(mut self, what: &str, there: impl Fn(&vt100::Screen) -> bool) -> Terminal {
        let deadline = Instant::now() + patience();
        while !there(self.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(end) => {
                    failed(what);
                    panic!("no {what:?} ({end}) in\n{}", self.screen().contents())
                }
            }
        }
        self
    }

    fn signal(self, signal: Signal) -> Terminal {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self
    }

    /// Waits for the end and checks that the terminal is as it was before. Returns the exit code and the
    /// text on the screen.
    fn end(mut self) -> (Option<i32>, String) {
        let deadline = Instant::now() + patience();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(end) => {
                    failed("the end of a game");
                    panic!("it goes on: {end}\n{}", self.screen().contents())
                }
            }
        }
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!((screen.fgcolor(), screen.bold()), Default::default());
        assert_eq!(modes(&self.pty), self.modes);
        (self.child.wait().unwrap().code(), screen.contents())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const UP: &str = "\x1b[A";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

#[test]
fn keys_slide_undo_and_reach_the_goal() {
    let terminal = Terminal::play(&["123405786", "--truth"]).see("distance  2");
    let terminal = terminal
        .press(RIGHT)
        .see("moves     1  0:0")
        .see("distance  3");
    let terminal = terminal
        .see("0:01")
        .press("u")
        .see("moves     0")
        .see("distance  2");
    let terminal = terminal.press("u").see("no move to take back");
    let terminal = terminal.press("U").see("moves     1").press("\x7f");
    let terminal = terminal.see("moves     0").press("h").see("moves     1");
    let terminal = terminal.press("h").see("No tile can slide left");
    let terminal = terminal
        .press(UP)
        .see("Solved in 2 moves, the fewest possible.");
    let terminal = terminal.see("2 moves taken back");
    let (code, text) = terminal.press("q").end();
    assert_eq!(code, Some(0));
    assert!(text.starts_with("123405786: Solved in 2 moves"), "{text}");
}

#[test]
fn a_board_is_read_with_another_number_for_the_blank() {
    let terminal = Terminal::play(&["123495786", "--blank", "9", "--truth"]).see("distance  2");
    assert_eq!(terminal.press("q").end().0, Some(0));
}

#[test]
fn arrows_can_mean_the_blank_and_a_click_its_tile() {
    let terminal = Terminal::play(&["123405786", "--keys", "blank", "--truth"]);
    let terminal = terminal.press(RIGHT).see("distance  1");
    let terminal = terminal.press("j").see("Solved in 2 moves");
    let terminal = terminal.press("s").see("moves     0");
    let row = terminal
        .screen()
        .contents()
        .lines()
        .position(|l| l.contains("│   4"));
    let click = |column: usize, row: usize| format!("\x1b[<0;{};{}M", column + 1, row + 1);
    let row = row.unwrap() + 1; // the lower half of the tile with the 4
    let terminal = terminal.press(&click(6, row)).see("distance  3");
    let terminal = terminal.press(&click(24, row)).see("Tile 5 cannot slide");
    assert_eq!(terminal.press("q").end().0, Some(0));
}

#[test]
fn a_hint_leads_closer_and_the_truth_is_hidden_until_its_key_is_pressed() {
    let is_hidden = |terminal: &Terminal| {
        let shown = terminal.screen().contents();
        let secret = ["closer", "farther", "22 from", "distance  2"];
        assert!(!secret.iter().any(|word| shown.contains(word)), "{shown}");
        assert!(shown.contains("optimal   hidden"), "{shown}");
    };
    let terminal = Terminal::play(&["536407182"]).see("distance  hidden");
    is_hidden(&terminal);
    let terminal = terminal
        .press("?")
        .see("Hint: slide tile 8 up.")
        .see("│ hint");
    is_hidden(&terminal);
    let terminal = terminal.press("k").see("moves     1");
    is_hidden(&terminal);
    let terminal = terminal.press("t").see("distance  21").see("closer");
    let terminal = terminal.press("t").see("distance  hidden");
    is_hidden(&terminal);
    let terminal = terminal.press("t").see("optimal   22 from the start");
    assert_eq!(terminal.press("q").end().0, Some(0));
    let shown = Terminal::play(&["536407182", "--truth"]).see("distance  22");
    let shown = shown.see("closer").see("farther");
    let hidden = shown.press("t").see("distance  hidden");
    assert_eq!(hidden.press("q").end().0, Some(0));
}

#[test]
fn the_solution_is_played_paused_and_played_to_the_end() {
    let terminal = Terminal::play(&["867254301", "--delay", "20"]);
    let terminal = terminal.press(" ").see("Playing a shortest solution");
    let terminal = terminal.see("moves     3").press(" ").see("Paused");
    let terminal = terminal
        .press("n")
        .press(" ")
        .see("Solved in 31 moves, the fewest possible.");
    assert_eq!(
        terminal.see("(31 moves played for you)").press("q").end().0,
        Some(0)
    );
}

#[test]
fn boards_are_drawn_at_a_distance_and_again_for_a_seed() {
    let terminal =
        Terminal::play(&["--distance", "31", "--seed", "1", "--truth"]).see("optimal   31");
    let terminal = terminal.press("d").see("Distance, 0 to 31: _");
    let terminal = terminal
        .press("40\r")
        .see("There is no such board: 3x3 distances go up to 31.");
    let terminal = terminal.press("d7\r").see("optimal   7 from the start");
    let (first, other) = (
        Terminal::play(&["--seed", "5"]),
        Terminal::play(&["--seed", "5"]),
    );
    assert_eq!(first.screen().contents(), other.screen().contents());
    let start = terminal.screen().contents();
    let terminal = terminal.press("r").wait("another board", |screen| {
        let now = screen.contents();
        now.contains("puzzledb play ") && now.lines().next() != start.lines().next()
    });
    assert_eq!(terminal.press("q").end().0, Some(0));
}

#[test]
fn other_shapes_and_goals_are_played_with_a_table_and_without() {
    let terminal = Terminal::play(&[
        "--shape",
        "2x4",
        "--distance",
        "5",
        "--goal",
        "first",
        "--truth",
    ]);
    let terminal = terminal
        .see("--shape 2x4 --goal 01234567")
        .see("distance  5");
    assert_eq!(terminal.press("q").end().0, Some(0));
    let terminal = Terminal::play(&[
        "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15",
        "--delay",
        "20",
        "--truth",
    ]);
    let terminal = terminal
        .see("distance  2")
        .press("?")
        .see("Hint: slide tile 14 left.");
    let terminal = terminal
        .press(" ")
        .see("Solved in 2 moves, the fewest possible.");
    let terminal = terminal.press("d17\r").see("optimal   17 from the start");
    assert_eq!(terminal.press("q").end().0, Some(0));
    let board: String = (1..=23).map(|tile| format!("{tile} ")).collect();
    let terminal = Terminal::play(&[&format!("{board} 0 24")]);
    let terminal = terminal
        .see("distance  unknown")
        .see("5x5 boards have too many states for distances and hints.")
        .see("finds a solution and a lower bound.");
    let terminal = terminal.press(LEFT).see("Solved in 1 move.");
    let terminal = terminal.press("?").see("5x5 boards have too many states");
    assert_eq!(terminal.press("q").end().0, Some(0));
}

#[test]
fn it_follows_the_size_of_the_terminal() {
    let terminal = Terminal::play(&["536407182", "--truth"]).see("╭───────╮");
    let terminal = terminal
        .resize(18, 60)
        .see("╭────╮")
        .see("- closer  + farther");
    let terminal = terminal
        .resize(9, 30)
        .wait("tiles without boxes", |screen| {
            let shown = screen.contents();
            shown.contains("4-  ·   7-") && !shown.contains('╭')
        });
    let terminal = terminal
        .resize(10, 20)
        .wait("a compact board", |screen| {
            screen.contents().contains("optimal   22")
        })
        .resize(5, 24)
        .see("too\nsmall: it has 24 x 5")
        .see("19 x\n8.");
    let terminal = terminal
        .press("k")
        .resize(24, 80)
        .see("moves     1")
        .see("╭───────╮");
    assert_eq!(terminal.press("q").end().0, Some(0));
}

#[test]
fn the_terminal_is_whole_after_ctrl_c_and_after_signals() {
    assert_eq!(
        Terminal::play(&["536407182"]).press("\x03").end().0,
        Some(130)
    );
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let terminal = Terminal::play(&["536407182"]).press("?").see("Hint");
        assert_eq!(terminal.signal(signal).end().0, Some(130));
    }
    let halfway = Terminal::play(&["867254301"]).press(" ").see("moves     1");
    assert_eq!(halfway.signal(Signal::TERM).end().0, Some(130));
    let half_a_key = Terminal::play(&["536407182"])
        .press("\x1b[")
        .signal(Signal::TERM);
    assert_eq!(half_a_key.end().0, Some(130));
    let suspended = Terminal::play(&["536407182"])
        .press("\x1ak")
        .see("moves     1");
    assert_eq!(suspended.press("q").end().0, Some(0));
}

#[test]
fn it_ends_when_its_terminal_goes_away() {
    let dir = built();
    let (mut pty, end) = open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let mut child = play_command(dir.path(), &["536407182"]).spawn(end).unwrap();
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&shown).contains("quit") {
        let count = pty.read(&mut buffer).unwrap();
        shown.extend(&buffer[..count]);
    }
    drop(pty);
    until("it ends without a terminal", || {
        child.try_wait().unwrap().is_some()
    });
}

#[test]
fn colours_are_those_that_were_wished_for_and_never_alone() {
    let colored = |screen: &vt100::Screen| {
        let mut cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
        cells.any(|(row, column)| {
            let cell = screen.cell(row, column).unwrap();
            cell.fgcolor() != vt100::Color::Default || cell.bold()
        })
    };
    let dir = built();
    let start = |args: &[&str], no_color: bool| {
        let mut command = play_command(dir.path(), args).arg("--truth");
        if no_color {
            command = command.env("NO_COLOR", "1");
        }
        let terminal = Terminal::start(command).see("q quit");
        for word in ["closer", "farther"] {
            assert!(terminal.screen().contents().contains(word));
        }
        terminal
    };
    for (args, no_color, expected) in [
        (&["536407182"][..], false, true),
        (&["536407182"], true, false),
        (&["536407182", "--color", "never"], false, false),
        (&["536407182", "--color", "always"], true, true),
    ] {
        let terminal = start(args, no_color);
        assert_eq!(colored(terminal.screen()), expected, "{args:?} {no_color}");
        assert_eq!(terminal.press("q").end().0, Some(0));
    }
}

#[test]
fn what_cannot_be_played_is_an_error_before_the_screen_is_taken() {
    let dir = built();
    let ran = run(dir.path(), &["play"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("play needs a terminal"), "{}", ran.err);
    for (args, term, code, message) in [
        (&["123456870"][..], "xterm", 1, "cannot be solved"),
        (&["12345678"], "xterm", 2, "8 cells"),
        (&["--distance", "32"], "xterm", 2, "go up to 31"),
        (
            &["--distance", "9", "--shape", "5x5"],
            "xterm",
            2,
            "at most 16 cells",
        ),
        (&[], "dumb", 2, "TERM=dumb"),
    ] {
        let command = play_command(dir.path(), args).env("TERM", term);
        let (ended, shown) = Terminal::start(command).end();
        assert_eq!(ended, Some(code), "{args:?}: {shown}");
        let shown = shown.replace('\n', "");
        assert!(shown.contains(message), "{args:?}: {shown}");
    }
}

/// Starts a game on a large database in a folder. Returns the path of the file, which is mapped.
fn by_a_mapped_file(dir: &Path) -> (PathBuf, Terminal) {
    let path = watched_files::large(dir);
    let command = play_command(dir, &[watched_files::BOARD]);
    let terminal = Terminal::start(command.args(["--shape", "3x4", "--truth"])).see("distance  1");
    (path, terminal)
}

/// SIGBUS cannot be prevented by a check beforehand.
#[test]
fn a_database_that_is_cut_short_ends_the_game_and_gives_the_terminal_back() {
    let dir = tempfile::tempdir().unwrap();
    let (path, terminal) = by_a_mapped_file(dir.path());
    let file = std::fs::File::options().write(true).open(path);
    file.unwrap().set_len(4096).unwrap();
    let (code, text) = terminal.press(LEFT).press(RIGHT).end();
    assert_eq!(code, Some(3), "{text}");
    let text = text.replace('\n', "");
    let read = text.contains("cannot be read any more");
    assert!(read || text.contains("was changed or replaced"), "{text}");
}

#[test]
fn a_database_that_is_changed_ends_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let (path, terminal) = by_a_mapped_file(dir.path());
    watched_files::touch(&path);
    let (code, text) = terminal.end();
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.replace('\n', "").contains("was changed or replaced"),
        "{text}"
    );
}

#[test]
fn the_still_in_the_documentation_is_the_game() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/games.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let section = readme.split("\n## Play\n").nth(1).unwrap();
    let still = section.split("```text\n").nth(1).unwrap();
    let still = still.split("```").next().unwrap();
    let lines = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines();
        lines.map(|line| line.trim_end().to_owned()).collect()
    };
    Terminal::play(&["536407182"])
        .press("k?")
        .wait(still, |screen| {
            let shown = screen.contents();
            let at_once =
                |shown: String, second| shown.replace(&format!("  0:0{second}"), "  0:00");
            lines(&(1..10).fold(shown, at_once)) == lines(still)
        });
}
