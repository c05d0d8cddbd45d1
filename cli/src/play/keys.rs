//! Keys and clicks, and the actions that they stand for.

use clap::ValueEnum;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::event::{MouseButton, MouseEventKind};

use puzzledb::puzzle::Move;

/// Choice of the tile or the blank, which an arrow key moves in its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Keys {
    /// The tile, into the blank
    #[default]
    Tile,
    /// The blank
    Blank,
}

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Move the blank in this direction.
    Slide(Move),
    /// A click at a column and a row of the terminal.
    Click(u16, u16),
    /// Slide the tile in this cell.
    Cell(usize),
    Hint,
    Undo,
    Redo,
    /// One move of a shortest solution.
    Next,
    /// Play a shortest solution, or pause.
    Solve,
    Restart,
    /// A new random board.
    Random,
    /// A random board at a distance that the player types.
    AskDistance,
    /// Show or hide the distance and the marks on tiles.
    Truth,
    /// A digit of the distance that is being typed.
    Digit(char),
    Erase,
    Enter,
    Cancel,
    /// Draw the screen again.
    Redraw,
    /// Stop the process (SIGTSTP), so that the shell takes over until it is continued.
    Suspend,
    Quit,
    Interrupt,
}

/// The action of an event; `None` if it has none. `asking` is true while a distance is typed.
pub(super) fn action(event: &Event, keys: Keys, asking: bool) -> Option<Action> {
    let key = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            return Some(Action::Click(mouse.column, mouse.row));
        }
        _ => return None,
    };
    let slide = |direction: Move| match keys {
        Keys::Tile => Action::Slide(direction.opposite()),
        Keys::Blank => Action::Slide(direction),
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match (key.code, control, asking) {
        // Some terminals send Ctrl-H for Backspace.
        (KeyCode::Backspace, false, true) | (KeyCode::Char('h'), true, true) => Action::Erase,
        (KeyCode::Backspace, false, false) | (KeyCode::Char('h'), true, false) => Action::Undo,
        (KeyCode::Char('c'), true, _) => Action::Interrupt,
        (KeyCode::Char('l'), true, _) => Action::Redraw,
        (KeyCode::Char('r'), true, _) => Action::Redo,
        (KeyCode::Char('z'), true, _) if cfg!(unix) => Action::Suspend,
        (_, true, _) => return None,
        (KeyCode::Char(digit), _, true) if digit.is_ascii_digit() => Action::Digit(digit),
        (KeyCode::Enter, _, true) => Action::Enter,
        (KeyCode::Esc, _, true) => Action::Cancel,
        (_, _, true) => return None,
        (KeyCode::Up | KeyCode::Char('k'), ..) => slide(Move::Up),
        (KeyCode::Down | KeyCode::Char('j'), ..) => slide(Move::Down),
        (KeyCode::Left | KeyCode::Char('h'), ..) => slide(Move::Left),
        (KeyCode::Right | KeyCode::Char('l'), ..) => slide(Move::Right),
        (KeyCode::Char('?'), ..) => Action::Hint,
        (KeyCode::Char('u'), ..) => Action::Undo,
        (KeyCode::Char('U'), ..) => Action::Redo,
        (KeyCode::Char('n'), ..) => Action::Next,
        (KeyCode::Char(' '), ..) => Action::Solve,
        (KeyCode::Char('s'), ..) => Action::Restart,
        (KeyCode::Char('r'), ..) => Action::Random,
        (KeyCode::Char('d'), ..) => Action::AskDistance,
        (KeyCode::Char('t'), ..) => Action::Truth,
        (KeyCode::Char('q'), ..) => Action::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEvent;

    #[test]
    fn an_arrow_moves_the_tile_or_the_blank() {
        for (code, way) in [
            (KeyCode::Up, Move::Up),
            (KeyCode::Char('j'), Move::Down),
            (KeyCode::Char('h'), Move::Left),
            (KeyCode::Right, Move::Right),
        ] {
            let event = Event::Key(code.into());
            let meant = |keys| action(&event, keys, false);
            assert_eq!(meant(Keys::Blank), Some(Action::Slide(way)));
            assert_eq!(meant(Keys::Tile), Some(Action::Slide(way.opposite())));
        }
    }

    #[test]
    fn while_a_number_is_typed_only_its_keys_and_ctrl_c_count() {
        let meant = |key: KeyEvent| action(&Event::Key(key), Keys::Tile, true);
        assert_eq!(meant(KeyCode::Char('7').into()), Some(Action::Digit('7')));
        assert_eq!(meant(KeyCode::Char('q').into()), None);
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(meant(ctrl_c), Some(Action::Interrupt));
    }
}
