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
use super::drawn::{drawn, exact_text, steps};

/// Form of the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub notation: Notation,
    /// Whether every optimal solution is written.
    pub all: bool,
    /// Whether every board on the way is drawn.
    pub steps: bool,
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

impl Format {
    /// Appends the answer to a board to `out`.
    pub(super) fn answer(
        &self,
        oracle: &Oracle,
        board: &Board,
        out: &mut String,
    ) -> Result<Status, CliError> {
        let written = if has_oracle(board.shape()) {
            self.write(oracle, board, out)
        } else if self.all {
            bail!(
                Usage,
                "all shortest solutions are found on boards of up to {MAX_DATABASE_CELLS} cells"
            );
        } else {
            interrupt::listen(); // Ctrl-C ends it with the best solution so far
            self.write_best(board, oracle, out)
        };
        match written {
            Err(QueryError::Space(error @ SpaceError::Unsolvable { .. }))
                if self.form != Form::Text =>
            {
                if !self.stream {
                    print_note(with_goal(&error));
                }
                self.write_unsolvable(board, oracle.goal(), &error, out);
                Ok(Status::No)
            }
            written => Ok(written.map(|()| Status::Yes)?),
        }
    }

    fn write(&self, oracle: &Oracle, board: &Board, out: &mut String) -> Result<(), QueryError> {
        if self.form == Form::Json {
            push_json(&self.record(oracle, board)?, out);
            return Ok(());
        }
        if self.all {
            for moves in oracle.solutions(board)? {
                self.write_line(board, &moves, None, out);
            }
        } else if self.form == Form::Text {
            let (moves, solutions) = oracle.solve_and_count(board)?;
            let text = exact_text(&moves, solutions);
            *out += &drawn(board, &moves, &text, self.notation);
        } else {
            let moves = oracle.solve(board)?;
            if self.steps {
                steps(board, &moves, out)
            } else {
                self.write_line(board, &moves, None, out)
            }
        }
        Ok(())
    }

    /// Searches as long as it may, and writes the best solution that it finds.
    fn write_best(
        &self,
        board: &Board,
        oracle: &Oracle,
        out: &mut String,
    ) -> Result<(), QueryError> {
        let found = self.budget.solve(board, oracle, !self.stream, None)?;
        match self.form {
            Form::Json => push_json(&SolutionRecord::within(board, oracle.goal(), &found), out),
            _ if self.steps => steps(board, &found.moves, out),
            Form::Text => {
                let text = length_text(&found);
                *out += &drawn(board, &found.moves, &text, self.notation);
            }
            _ => {
                let bound = found.distance.is_none().then_some(found.at_least);
                self.write_line(board, &found.moves, bound, out);
            }
        }
        Ok(())
    }

    /// Writes a row: board, length, moves, and the proved bound of a length that is not proved to be the shortest.
    fn write_line(&self, board: &Board, moves: &[Move], bound: Option<usize>, out: &mut String) {
        let length = moves.len();
        if self.form == Form::Csv {
            let moves = self.notation.text(board, moves);
            let bound = bound.unwrap_or(length);
            return write_csv([board, &length, &moves, &bound], out);
        }
        let _ = write!(out, "{board}\t{length}\t");
        let _ = self.notation.write(board, moves, out);
        let _ = match bound {
            Some(bound) => writeln!(out, "\tat least {bound}"),
            None => writeln!(out),
        };
    }

    fn record(&self, oracle: &Oracle, board: &Board) -> Result<SolutionRecord, QueryError> {
        let table = oracle.table().filter(|_| self.stream);
        if table.is_some_and(|table| table.ranking().states() <= MOST_COUNTED_STATES) {
            oracle.count_all_solutions()?;
        }
        let mut record = SolutionRecord::solve(oracle, board)?;
        if self.all {
            let all = oracle.solutions(board)?;
            record.solutions = Some(all.map(|moves| letters(&moves)).collect());
        }
        Ok(record)
    }

    fn write_unsolvable(&self, board: &Board, goal: &Board, why: &SpaceError, out: &mut String) {
        if self.form == Form::Json {
            return push_json(&SolutionRecord::unsolvable(board, goal, why), out);
        }
        if self.form == Form::Csv {
            return write_csv([board, &"unsolvable", &"", &""], out);
        }
        let _ = writeln!(out, "{board}\tunsolvable\t");
    }
}

/// Writes a row of CSV, below a header.
fn write_csv(cells: [&dyn Display; 4], out: &mut String) {
    if out.is_empty() {
        Form::Csv.push_row(["board", "length", "moves", "at_least"], out);
    }
    Form::Csv.push_row(cells, out);
}

/// The length of a solution and the proved bound: `118 moves, at least 104`.
fn length_text(found: &Bounds) -> String {
    let moves = plural(found.moves.len() as u64, "move");
    if found.distance.is_some() {
        return format!("{moves}, the fewest");
    }
    format!("{moves}, at least {}", found.at_least)
}
