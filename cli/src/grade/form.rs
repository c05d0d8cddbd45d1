//! Forms in which a board is written for a program.

use std::fmt;

use clap::ValueEnum;

use puzzledb::puzzle::{Board, Numbering};

/// Form in which a board is written for a program, in an argument or in a text of several lines.
///
/// ```
/// use puzzledb_cli::grade::BoardForm;
/// use puzzledb::puzzle::Numbering;
///
/// let (board, zero) = ("704851632".parse()?, Numbering::default()); // 0 is the blank
/// assert_eq!(BoardForm::Rows.argument(&board, zero), "704/851/632");
/// assert_eq!(BoardForm::Rows.text(&board, zero), "7 0 4\n8 5 1\n6 3 2\n");
/// assert_eq!(BoardForm::SizeFirst.text(&board, zero), "3\n7 0 4\n8 5 1\n6 3 2\n");
/// assert_eq!(BoardForm::Xy.argument(&board, zero), "1,0 2,1 2,2 1,2 2,0 1,1 0,2 0,0 0,1");
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
#[non_exhaustive]
pub enum BoardForm {
    /// `704851632`
    Plain,
    /// `7 0 4 8 5 1 6 3 2`
    Spaced,
    /// `7,0,4,8,5,1,6,3,2`
    Commas,
    /// `704/851/632`; in a text, a line for each row, with spaces
    Rows,
    /// `3 7 0 4 8 5 1 6 3 2`, for a board that is not square `2 3 1 2 3 4 5 0`; in a text, a line for the
    /// size and one for each row
    SizeFirst,
    /// `1,0 2,1 2,2`...: column and row, from 0, of each number in turn, that of the blank too; in a text, a line for each
    Xy,
}

impl BoardForm {
    /// The board in one line without a line break, for an argument.
    pub fn argument(self, board: &Board, numbering: Numbering) -> String {
        if self != BoardForm::Rows {
            return self.lines(board, numbering).join(" ");
        }
        let numbers = numbering.numbers(board);
        let rows = numbers.chunks(board.shape().cols()).map(word);
        rows.collect::<Vec<_>>().join("/")
    }

    /// The board as a text that ends with a line break, for a file or standard input.
    pub fn text(self, board: &Board, numbering: Numbering) -> String {
        self.lines(board, numbering).join("\n") + "\n"
    }

    fn lines(self, board: &Board, numbering: Numbering) -> Vec<String> {
        let (numbers, cols) = (numbering.numbers(board), board.shape().cols());
        let rows = numbers.chunks(cols).map(|row| cells(row, " "));
        match self {
            BoardForm::Plain => vec![word(&numbers)],
            BoardForm::Spaced => vec![cells(&numbers, " ")],
            BoardForm::Commas => vec![cells(&numbers, ",")],
            BoardForm::Rows => rows.collect(),
            BoardForm::SizeFirst => [size(board)].into_iter().chain(rows).collect(),
            BoardForm::Xy => {
                let mut places: Vec<_> = numbers.iter().zip(0..).collect();
                places.sort_unstable();
                let place = |(_, cell)| format!("{},{}", cell % cols, cell / cols);
                places.into_iter().map(place).collect()
            }
        }
    }
}

/// `704851632`, with letters for 10 to 24, or with spaces where there are larger tiles.
fn word(numbers: &[u32]) -> String {
    let letters = numbers.iter().map(|&number| char::from_digit(number, 25));
    let word: Option<String> = letters.collect();
    word.unwrap_or_else(|| cells(numbers, " "))
}

/// `7 0 4 8 5 1 6 3 2`
fn cells(numbers: &[u32], separator: &str) -> String {
    let cells: Vec<String> = numbers.iter().map(u32::to_string).collect();
    cells.join(separator)
}

/// `3`, or `2 3` for a board that is not square.
fn size(board: &Board) -> String {
    match (board.shape().rows(), board.shape().cols()) {
        (rows, cols) if rows == cols => rows.to_string(),
        (rows, cols) => format!("{rows} {cols}"),
    }
}

impl fmt::Display for BoardForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.pad(value.expect("no form is hidden").get_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzledb::puzzle::{Shape, UsualGoal};

    #[test]
    fn numbers_of_two_digits_and_boards_that_are_not_square_are_written_too() {
        let fifteen = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
        assert_eq!(
            BoardForm::Rows.argument(&fifteen, Numbering::default()),
            "1234/5678/9abc/def0"
        );
        let spaced = BoardForm::Spaced.argument(&fifteen, Numbering::default());
        assert!(spaced.ends_with("9 10 11 12 13 14 15 0"), "{spaced}");
        let flat = UsualGoal::Last.board(Shape::new(2, 3).unwrap());
        assert_eq!(
            BoardForm::SizeFirst.argument(&flat, Numbering::default()),
            "2 3 1 2 3 4 5 0"
        );
        assert_eq!(
            BoardForm::SizeFirst.text(&flat, Numbering::default()),
            "2 3\n1 2 3\n4 5 0\n"
        );
        assert_eq!(
            BoardForm::Commas.text(&flat, Numbering::default()),
            "1,2,3,4,5,0\n"
        );
    }

    #[test]
    fn names_read_back_as_they_are_written() {
        for form in BoardForm::value_variants() {
            assert_eq!(BoardForm::from_str(&form.to_string(), false), Ok(*form));
        }
        assert!(BoardForm::from_str("row", false).is_err());
    }
}
