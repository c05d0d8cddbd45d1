//! Reading claims from what solvers print.
//!
//! Five kinds of claims are read:
//!
//! 1. **Records**, exactly: a JSON object, alone or in a line with its board, a line that begins with the board, a
//!    planner's plan. A table is read as a file of its own.
//! 2. **Boards by position**: cells of which all but one are the tiles; a symbol, a word for the blank, or the gap is the
//!    blank. Boards a move apart are a chain, from the start to the goal or back. What stands between two of them is no move.
//!    A text with a row that is in no board has no chain.
//! 3. **Directions**: a list behind a label, lines with one step each, or a line alone. Tile numbers are lists too.
//! 4. **A length** behind a label or in a sentence. One in the clause of a list, or behind the label of a length or cost,
//!    belongs to the list and must agree with it. Where several algorithms are named, or one and it stands before the
//!    list, one that does not agree leaves a doubt.
//! 5. **No solution**, unless a word for a limit stands in the line: then the search was given up.
//!
//! Four rules decide:
//!
//! 1. The last record, labelled list, chain of two moves or more, or run of four steps or more that solve the board
//!    decides, and after it the statement that there is no solution. A run stands in a line or in neighbouring lines.
//!    Hints, examples, scrambles, thoughts and quotations are no answers. Of several algorithms the last answers.
//! 2. Without any of them, a shorter list without a label decides if it solves the board.
//! 3. Only the unmistakable is accused: directions read whole behind a label of an answer, or as the whole text; three
//!    boards or more behind such a label that begin at the start and break, if no label names a step of a search. Numbers
//!    alone never are.
//! 4. A length alone counts only where no line may be a step that was not understood, and no boards are left over. All
//!    else is silence.
//!
//! Where the reader is silent, a person decides: [`ReadAs`] holds it to one kind.
//!
//! * `boards`: the last chain from the start to the goal, else all boards behind the last start.
//! * `lines`: the steps of all lines that have one.
//! * `last`: the last line, or what stands behind its last colon or equals sign.
//! * `length`: the last length, and no path.
//! * `label`: the last label with moves behind it.
//!
//! A later statement that there is no solution counts for each of them. The readings that are shown for a text in which
//! no answer was found are these.
//!
//! All words are in one table, `words`. A text is read line by line, in time in proportion to it. Of a line of more than
//! 1 MiB only the end is read, and no heading is about it.

mod boards;
mod clauses;
pub(crate) mod decision;
mod held;
mod lengths;
mod lex;
mod lists;
mod parts;
mod scan;
mod words;

pub use self::decision::find_answer;
pub use self::held::ReadAs;
pub(super) use self::{
    lengths::{is_unsolvable, sense_of},
    lex::{Kind, Token, lex, whole_number},
    parts::{claims, heading},
    words::{Sense, meaning},
};

#[cfg(test)]
mod tests;
