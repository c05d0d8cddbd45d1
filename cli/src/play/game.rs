//! One game: the board, the moves made so far, and the score.

use std::fmt;
use std::time::{Duration, Instant};

use crate::text::plural;
use puzzledb::puzzle::{Board, Move};

/// Maker of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovedBy {
    Player,
    Oracle,
}

/// A board being played. It does not depend on the terminal or on a database.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub start: Board,
    pub goal: Board,
    pub board: Board,
    /// The moves made, followed by undone moves that can be made again.
    history: Vec<(Move, MovedBy)>,
    pub score: Score,
    /// The hint for the current board, if one was given.
    pub hint: Option<Move>,
    /// Time of the first move.
    begun: Option<Instant>,
    /// The time until the goal was reached.
    took: Option<Duration>,
}

/// The figures of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    /// Moves from the start to the current board.
    pub moves: usize,
    /// The fewest moves from the start to the goal, if known.
    pub optimal: Option<u8>,
    /// Number of the moves that the oracle made.
    pub oracle_moves: usize,
    /// Boards for which a hint was given.
    pub hints: usize,
    /// Number of times that a move was undone.
    pub undone: usize,
}

impl Game {
    /// A game from `start` to `goal`, which have the same shape.
    pub(super) fn new(start: Board, goal: Board) -> Game {
        Game {
            start,
            goal,
            board: start,
            history: Vec::new(),
            score: Score::default(),
            hint: None,
            begun: None,
            took: None,
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.board == self.goal
    }

    /// Makes a move; false if the blank would leave the board. Undone moves can no longer be made
    /// again, unless the first of them is this move.
    pub(super) fn slide(&mut self, mv: Move, by: MovedBy) -> bool {
        let Some(next) = self.board.slide(mv) else {
            return false;
        };
        if self.history.get(self.score.moves) != Some(&(mv, by)) {
            self.history.truncate(self.score.moves);
            self.history.push((mv, by));
        }
        self.score.moves += 1;
        self.score.oracle_moves += usize::from(by == MovedBy::Oracle);
        self.set_board(next);
        true
    }

    /// The move that slides the tile in `cell`, if that cell is beside the blank.
    pub(super) fn move_of(&self, cell: usize) -> Option<Move> {
        let mut successors = self.board.successors();
        let slid = successors.find(|(_, next)| next.blank() == cell);
        slid.map(|(mv, _)| mv)
    }

    /// Undoes the last move; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(last) = self.score.moves.checked_sub(1) else {
            return false;
        };
        let (mv, by) = self.history[last];
        let before = self.board.slide(mv.opposite());
        self.score.moves = last;
        self.score.oracle_moves -= usize::from(by == MovedBy::Oracle);
        self.score.undone += 1;
        self.set_board(before.expect("a move that was made can be taken back"));
        true
    }

    /// Makes the move again that was undone last; false if there is none.
    pub(super) fn redo(&mut self) -> bool {
        let undone = self.history.get(self.score.moves).copied();
        undone.is_some_and(|(mv, by)| self.slide(mv, by))
    }

    /// Shows a hint for the current board; more hints for the same board are not counted.
    pub(super) fn give_hint(&mut self, mv: Move) {
        self.score.hints += usize::from(self.hint.is_none());
        self.hint = Some(mv);
    }

    /// Whole seconds since the first move, or from there to the goal; `None` before the first move.
    pub(super) fn seconds(&self) -> Option<u64> {
        let since = self.begun?.elapsed();
        Some(self.took.unwrap_or(since).as_secs())
    }

    fn set_board(&mut self, board: Board) {
        self.board = board;
        self.hint = None;
        let begun = *self.begun.get_or_insert_with(Instant::now);
        self.took = self.is_solved().then(|| begun.elapsed());
    }
}

impl fmt::Display for Score {
    /// The number of moves and the optimum, for a game that has reached its goal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solved in {}", plural(self.moves as u64, "move"))?;
        match self.optimal.map(usize::from) {
            Some(optimal) if optimal < self.moves => {
                write!(f, ": {optimal} would do, {} fewer.", self.moves - optimal)?;
            }
            Some(_) => f.write_str(", the fewest possible.")?,
            None => f.write_str(".")?,
        }
        let mut open = " (";
        for (count, noun, what) in [
            (self.oracle_moves, "move", "played for you"),
            (self.hints, "hint", "taken"),
            (self.undone, "move", "taken back"),
        ] {
            if count > 0 {
                write!(f, "{open}{} {what}", plural(count as u64, noun))?;
                open = ", ";
            }
        }
        f.write_str(if open == ", " { ")" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: &str) -> Game {
        let mut game = Game::new(start.parse().unwrap(), "123456780".parse().unwrap());
        game.score.optimal = Some(2);
        game
    }

    #[test]
    fn moves_are_undone_and_made_again() {
        let mut game = game("123405786");
        assert!(!game.undo() && !game.redo());
        assert!(
            game.slide(Move::Right, MovedBy::Player) && game.slide(Move::Down, MovedBy::Oracle)
        );
        assert!(game.is_solved() && !game.slide(Move::Down, MovedBy::Player));
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(game.board, game.start);
        assert!(game.redo() && game.redo() && !game.redo());
        let score = Score {
            moves: 2,
            optimal: Some(2),
            oracle_moves: 1,
            hints: 0,
            undone: 2,
        };
        assert_eq!((game.is_solved(), game.score), (true, score));
    }

    #[test]
    fn another_move_after_undo_forgets_what_was_undone() {
        let mut game = game("123405786");
        game.slide(Move::Right, MovedBy::Player);
        game.slide(Move::Down, MovedBy::Player);
        game.undo();
        game.undo();
        assert!(game.slide(Move::Up, MovedBy::Player) && !game.redo());
        assert_eq!(game.score.moves, 1);
        game.undo();
        game.slide(Move::Up, MovedBy::Player);
        assert_eq!(game.score.undone, 3);
    }

    #[test]
    fn a_hint_is_for_one_board_and_counted_once() {
        let mut game = game("123405786");
        game.give_hint(Move::Right);
        game.give_hint(Move::Right);
        assert_eq!((game.hint, game.score.hints), (Some(Move::Right), 1));
        game.slide(Move::Left, MovedBy::Player);
        assert_eq!((game.hint, game.score.hints), (None, 1));
    }

    #[test]
    fn the_score_names_the_optimum_and_every_help() {
        let mut game = game("123405786");
        game.slide(Move::Right, MovedBy::Player);
        game.slide(Move::Down, MovedBy::Player);
        let text = game.score.to_string();
        assert_eq!(text, "Solved in 2 moves, the fewest possible.");
        game.undo();
        game.give_hint(Move::Down);
        for mv in [Move::Up, Move::Down, Move::Down] {
            game.slide(mv, MovedBy::Oracle);
        }
        assert_eq!(
            game.score.to_string(),
            "Solved in 4 moves: 2 would do, 2 fewer. (3 moves played for you, 1 hint taken, \
             1 move taken back)"
        );
    }

    #[test]
    fn a_cell_slides_only_beside_the_blank() {
        let game = game("123405786");
        let moves: Vec<_> = (0..9).map(|cell| game.move_of(cell)).collect();
        let mut expected = [None; 9];
        for (cell, mv) in [
            (1, Move::Up),
            (3, Move::Left),
            (5, Move::Right),
            (7, Move::Down),
        ] {
            expected[cell] = Some(mv);
        }
        assert_eq!(moves, expected);
    }
}
