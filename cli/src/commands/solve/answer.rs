//! The answers to boards as text, in any format.

use std::fmt::{Display, Write};

use crate::form::{Form, push_json};
use crate::text::plural;
use puzzledb::oracle::{Bounds, Oracle, QueryError, SolutionRecord};
use puzzledb::puzzle::{Board, Move, Notation, letters};
use puzzledb::space::{MAX_DATABASE_CELLS, SpaceError};

use super::super::anytime::Budget;
use super::super::database::has_oracle;
use super::super::error::{CliError, Status, bail, print_note, with_goal};
use super::super::interrupt;
use super::super::render::{side_by_side, solutions_text, steps};
use super::Args;

/// Answers to boards in one form.
pub(super) struct Answers<'a> {
    pub args: &'a Args,
    pub form: Form,
    /// True for a stream of boards: the solutions of all states are counted at once, and no note explains an unsolvable
    /// board.
    pub stream: bool,
    /// Budget for boards whose optimum is in no table.
    pub budget: Budget,
}

/// Most states of a space whose solutions are all counted at once for a stream of boards: 16 MB and some
/// milliseconds.
const MOST_COUNTED_STATES: u64 = 2_000_000;

impl Answers<'_> {
    /// Appends the answer to a board to `out`.
    pub(super) fn answer(
        &self,
        oracle: &Oracle,
        board: &Board,
        out: &mut String,
    ) -> Result<Status, CliError> {
        if self.args.all && !has_oracle(board.shape()) {
            bail!(
                Usage,
                "all shortest solutions are found on boards of up to {MAX_DATABASE_CELLS} cells"
            );
        }
        match self.write(oracle, board, out) {
            Err(QueryError::Space(error @ SpaceError::Unsolvable { .. }))
                if self.form != Form::Text =>
            {
                if !self.stream {
                    print_note(with_goal(&error));
                }
                match self.form {
                    Form::Json => {
                        push_json(
                            &SolutionRecord::unsolvable(board, oracle.goal(), &error),
                            out,
                        );
                    }
                    Form::Csv => push_csv([board, &"unsolvable", &"", &""], out),
                    form => form.push_row([board as &dyn Display, &"unsolvable", &""], out),
                }
                Ok(Status::No)
            }
            written => Ok(written.map(|()| Status::Yes)?),
        }
    }

    fn write(&self, oracle: &Oracle, board: &Board, out: &mut String) -> Result<(), QueryError> {
        if self.args.all && self.form != Form::Json {
            for moves in oracle.solutions(board)? {
                self.push_row(board, &moves, moves.len(), out);
            }
            return Ok(());
        }
        let (found, solutions) = self.solve(oracle, board)?;
        match self.form {
            Form::Json => {
                let mut record = SolutionRecord::within(board, oracle.goal(), &found);
                record.solution_count = solutions;
                if self.args.all {
                    let all = oracle.solutions(board)?;
                    record.solutions = Some(all.map(|moves| letters(&moves)).collect());
                }
                push_json(&record, out);
            }
            _ if self.args.steps => steps(board, &found.moves, out),
            Form::Text => self.draw(board, &found, solutions, out),
            _ => self.push_row(board, &found.moves, found.at_least, out),
        }
        Ok(())
    }

    /// A solution, which is a shortest one up to 16 cells, and for some forms the number of shortest ones.
    pub(super) fn solve(
        &self,
        oracle: &Oracle,
        board: &Board,
    ) -> Result<(Bounds, Option<u64>), QueryError> {
        if !has_oracle(board.shape()) {
            interrupt::listen(); // Ctrl-C ends it with the best solution so far
            let found = self.budget.solve(board, oracle, !self.stream, None)?;
            return Ok((found, None));
        }
        let (moves, solutions) = match self.form {
            Form::Text | Form::Json => {
                let table = oracle.table().filter(|_| self.stream);
                if table.is_some_and(|table| table.ranking().states() <= MOST_COUNTED_STATES) {
                    oracle.count_all_solutions()?;
                }
                oracle.solve_and_count(board)?
            }
            _ => (oracle.solve(board)?, None),
        };
        let length = moves.len();
        Ok((Bounds::new(moves, length), solutions))
    }

    /// Appends a row: board, length, moves, and the proved bound of a length that is not proved to be the shortest.
    fn push_row(&self, board: &Board, moves: &[Move], at_least: usize, out: &mut String) {
        let (length, notation) = (moves.len(), self.args.moves);
        if self.form == Form::Csv {
            let moves = notation.text(board, moves);
            return push_csv([board, &length, &moves, &at_least], out);
        }
        let _ = write!(out, "{board}\t{length}\t");
        let _ = notation.write(board, moves, out);
        if at_least < length {
            let _ = write!(out, "\tat least {at_least}");
        }
        out.push('\n');
    }

    /// Draws a board beside the length of its solution, above the moves.
    fn draw(&self, board: &Board, found: &Bounds, solutions: Option<u64>, out: &mut String) {
        let length = plural(found.moves.len() as u64, "move");
        let text = match found.distance {
            _ if has_oracle(board.shape()) => format!("{length}\n{}", solutions_text(solutions)),
            Some(_) => format!("{length}, the fewest"),
            None => format!("{length}, at least {}", found.at_least),
        };
        let _ = writeln!(out, "{}\n", side_by_side(&board.grid(), &text));
        if found.moves.is_empty() {
            *out += "  It is the goal.\n";
            return;
        }
        let note = match self.args.moves {
            Notation::Blank => "the way the blank goes: Up, Down, Left, Right",
            Notation::Tile => "the way the tile goes: Up, Down, Left, Right",
            _ => "the tiles that slide",
        };
        let (line, bold) = (
            self.args.moves.text(board, &found.moves),
            anstyle::Style::new().bold(),
        );
        let _ = writeln!(out, "  {bold}{line}{bold:#}\n  ({note})");
    }
}

/// Appends a row of CSV, below a header.
fn push_csv(cells: [&dyn Display; 4], out: &mut String) {
    if out.is_empty() {
        Form::Csv.push_row(["board", "length", "moves", "at_least"], out);
    }
    Form::Csv.push_row(cells, out);
}
