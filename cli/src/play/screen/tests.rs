use std::io::Read;

use pty_process::blocking::{Command, open};

use super::*;

#[test]
#[ignore = "the other test runs it in a terminal"]
#[should_panic]
fn panic_on_the_screen() {
    let _screen = Screen::new().unwrap();
    panic!("something went wrong");
}

#[test]
fn a_panic_gives_the_terminal_back_and_its_message_stays() {
    let (mut terminal, end) = open().unwrap();
    terminal.resize(pty_process::Size::new(24, 80)).unwrap();
    let before = rustix::termios::tcgetattr(&terminal).unwrap();
    let name = "play::screen::tests::panic_on_the_screen";
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", name, "--nocapture"])
        .env("RUST_BACKTRACE", "0")
        .spawn(end)
        .unwrap();
    let mut out = Vec::new();
    let _ = terminal.read_to_end(&mut out); // ends with an error when the child is gone
    assert!(child.wait().unwrap().success());
    let mut parser = vt100::Parser::default(); // 80 x 24
    parser.process(&out);
    let screen = parser.screen();
    let text = String::from_utf8_lossy(&out);
    assert!(text.contains("\x1b[?1049h"), "it was taken: {text}");
    assert!(screen.contents().contains("something went wrong"), "{text}");
    assert!(!screen.alternate_screen() && !screen.hide_cursor());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    let after = rustix::termios::tcgetattr(&terminal).unwrap();
    assert_eq!(format!("{after:?}"), format!("{before:?}"));
}
