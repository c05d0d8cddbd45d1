//! Boards as people write them.

use std::borrow::Cow;
use std::str::FromStr;

use crate::basics::text::beginning;

use super::board::{Board, BoardError, WORD_CELLS};
use super::numbering::Numbering;
use super::parse_error::ParseError;
use super::shape::{MAX_CELLS, Shape};

/// Reads a board as people write it.
///
/// Accepted: digits in one word; cells separated by spaces, commas, semicolons or newlines; rows
/// split by `/`; lists of JSON, Python or C++, nested or not, also in a line `int board[3][3] = {...};` of a program; a
/// matrix of LaTeX, `\begin{bmatrix}7 & 0 & 4 \\ ...`; letters (`a` = 10) or numbers above 9;
/// the blank as `0`, `_`, `.`, `x`, `X`, `*` or the word `blank`; the side length before a square
/// board, or rows and columns on a line of their own. The shape is `shape`, or else the square with that many cells, or else that of equally
/// long rows.
///
/// ```
/// use puzzledb::puzzle::parse_board;
///
/// for text in ["704851632", "7 _ 4, 8 5 1, 6 3 2", "[[7,0,4],[8,5,1],[6,3,2]]",
///              "704/851/632", "3\n7 0 4\n8 5 1\n6 3 2\n", "{{7,0,4},{8,5,1},{6,3,2}}"] {
///     assert_eq!(parse_board(text.as_bytes(), None)?.to_string(), "704851632");
/// }
/// let wide = parse_board(b"0937154826", Some("2x5".parse().unwrap()))?;
/// assert_eq!(wide.shape().to_string(), "2x5");
/// # Ok::<(), puzzledb::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// [`ParseError`] describes the fault in the text or in its board.
pub fn parse_board(text: &[u8], shape: Option<Shape>) -> Result<Board, ParseError> {
    Numbering { shape, blank: 0 }.board(text)
}

impl Numbering {
    /// Reads a board in any of the forms of [`parse_board`].
    ///
    /// # Errors
    /// [`ParseError`] describes the fault in the text.
    pub fn board(self, text: &[u8]) -> Result<Board, ParseError> {
        match parse_word(text, self.shape) {
            Some(board) if self.blank == 0 => Ok(board),
            _ => parse_as(text, self),
        }
    }
}

impl TryFrom<&[u8]> for Board {
    type Error = ParseError;

    /// Makes a square board from its cells, row by row, the blank 0.
    fn try_from(cells: &[u8]) -> Result<Board, ParseError> {
        let found = cells.len();
        let shape = Shape::square_of(found).ok_or(ParseError::NotSquare { found })?;
        Ok(Board::new(shape, cells)?)
    }
}

impl<const CELLS: usize> TryFrom<[u8; CELLS]> for Board {
    type Error = ParseError;

    /// Makes a square board from its cells, row by row, the blank 0.
    fn try_from(cells: [u8; CELLS]) -> Result<Board, ParseError> {
        Board::try_from(&cells[..])
    }
}

impl FromStr for Board {
    type Err = ParseError;

    /// Reads a square board in any of the forms of [`parse_board`].
    fn from_str(text: &str) -> Result<Board, ParseError> {
        parse_board(text.as_bytes(), None)
    }
}

/// Reads a board as [`parse_board`] does, for any number as the blank and without the fast path.
fn parse_as(text: &[u8], numbering: Numbering) -> Result<Board, ParseError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text); // a byte order mark
    let text = std::str::from_utf8(text).map_err(|e| ParseError::NotUtf8 {
        at: e.valid_up_to(),
    })?;
    let text = &*matrix(value(text));
    let tokens = SplitText::new(text, std::iter::once).board(numbering);
    let characters = SplitText::new(text, characters).board(numbering);
    // "1234/5678/9abc/def0" may be four numbers or sixteen cells: take the reading that is a board.
    match (tokens, characters) {
        (Ok(board), _) | (Err(_), Ok(board)) => Ok(board),
        (Err(error), Err(ParseError::NotSquare { .. })) if !is_count(&error) => Err(error),
        (Err(in_tokens), Err(in_characters)) => {
            let words = |token: &str| token.len() > 2 && !token.eq_ignore_ascii_case("blank");
            let compact = text.split(is_separator).any(words);
            Err(if compact { in_characters } else { in_tokens })
        }
    }
}

/// Returns the list behind the first `=` of a line of a program, as in `board = [[7, 0, 4], ...]`; without one, the text.
fn value(text: &str) -> &str {
    let Some((_, right)) = text.split_once('=') else {
        return text;
    };
    let begin = right.find(['[', '{']).or_else(|| right.find('('));
    let list = &right[begin.unwrap_or(right.len())..];
    let mut open = 0;
    let end = list.find(|c: char| {
        open += i32::from("[{(".contains(c)) - i32::from("]})".contains(c));
        open == 0
    });
    end.map_or(text, |end| &list[..=end])
}

/// Returns the rows of a matrix of LaTeX, as `7 & 0 & 4 / ...`; without one, the text.
fn matrix(text: &str) -> Cow<'_, str> {
    let body = text.split_once("\\begin{").and_then(|(_, matrix)| {
        let (_, body) = matrix.split_once('}')?;
        Some(body.split_once("\\end{")?.0)
    });
    body.map_or(Cow::Borrowed(text), |body| {
        let rows = body.trim_end().trim_end_matches('\\');
        Cow::Owned(
            rows.replace("\\\\", "/")
                .replace('&', " ")
                .replace("\\square", "0"),
        )
    })
}

/// The characters of a token, each a cell; the word for the blank is one.
fn characters(token: &str) -> impl Iterator<Item = &str> {
    let is_blank = token.eq_ignore_ascii_case("blank");
    token.split_inclusive(move |_| !is_blank)
}

/// Returns whether the number of cells is the only fault.
fn is_count(error: &ParseError) -> bool {
    matches!(
        error,
        ParseError::NotSquare { .. } | ParseError::Board(BoardError::WrongCount { .. })
    )
}

/// The number that each byte stands for as a cell; 255 if it stands for none.
const CELL: [u8; 256] = {
    let mut table = [255; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'o' => byte - b'a' + 10,
            b'A'..=b'O' => byte - b'A' + 10,
            b'_' | b'.' | b'x' | b'X' | b'*' => 0,
            _ => 255,
        };
        byte += 1;
    }
    table
};

/// The fast path for the usual case, a single word without an error; `None` for anything else.
#[inline]
fn parse_word(text: &[u8], shape: Option<Shape>) -> Option<Board> {
    let text = text.trim_ascii();
    let shape = shape.or_else(|| Shape::square_of(text.len()))?;
    if text.len() != shape.cells() || text.len() > WORD_CELLS {
        return None;
    }
    let mut tiles = [0; MAX_CELLS];
    let mut seen = 0u32;
    for (tile, &byte) in tiles.iter_mut().zip(text) {
        *tile = CELL[byte as usize];
        seen |= 1 << (*tile & 31); // 255 sets bit 31, which no tile has
    }
    (seen == (1 << shape.cells()) - 1).then(|| Board::from_permutation(shape, tiles))
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;/[](){}\"'".contains(c)
}

fn ends_row(c: char) -> bool {
    matches!(c, '/' | '\n' | ']' | ')' | '}')
}

/// A text split into cells: either each token is a cell, or each character of it.
struct SplitText<'a> {
    cells: Vec<&'a str>,
    /// Number of cells in each row that has any.
    rows: Vec<usize>,
    /// True if rows are separated by slashes or brackets.
    rows_are_marked: bool,
    /// The first token, if it is a single digit: it may be the side length.
    lead: Option<usize>,
}

impl<'a> SplitText<'a> {
    fn new<Cells: Iterator<Item = &'a str>>(
        text: &'a str,
        split: impl Fn(&'a str) -> Cells,
    ) -> SplitText<'a> {
        let tokens = |row: &'a str| row.split(is_separator).filter(|token| !token.is_empty());
        let (mut cells, mut rows) = (Vec::new(), Vec::new());
        for row in text.split(ends_row) {
            let before = cells.len();
            cells.extend(tokens(row).flat_map(&split));
            rows.extend(Some(cells.len() - before).filter(|&row| row > 0));
        }
        let lead = tokens(text).next().filter(|token| token.len() == 1);
        SplitText {
            cells,
            rows,
            rows_are_marked: text.contains(['/', ']', ')', '}']),
            lead: lead.and_then(|token| token.parse().ok()),
        }
    }

    fn board(mut self, numbering: Numbering) -> Result<Board, ParseError> {
        if self.cells.is_empty() {
            return Err(ParseError::Empty);
        }
        let shape = self.shape(numbering.shape)?;
        let found = self.cells.len();
        if found != shape.cells() {
            return Err(BoardError::WrongCount { shape, found }.into());
        }
        let fits = self.rows.len() == shape.rows() && self.rows_agree().is_some();
        if self.rows_are_marked && self.rows.len() > 1 && !fits {
            let rows = self.rows;
            return Err(ParseError::OtherRows { rows, shape });
        }
        let numbers: Result<Vec<u32>, ParseError> =
            (0..).zip(&self.cells).map(|(i, c)| number(i, c)).collect();
        numbering.board_of(shape, &numbers?)
    }

    /// The shape of the board; removes the cells before the board that name it.
    fn shape(&mut self, named: Option<Shape>) -> Result<Shape, ParseError> {
        let found = self.cells.len();
        if let Some(shape) = named.filter(|shape| found == shape.cells()) {
            return Ok(shape);
        }
        let is_meant = |(_, shape): &(_, Shape)| named.is_none_or(|named| named == *shape);
        if let Some((header, shape)) = self.header().filter(is_meant) {
            self.cells.drain(..header);
            self.rows[0] -= header;
            self.rows.retain(|&row| row > 0);
            return Ok(shape);
        }
        named
            .or_else(|| Shape::square_of(found))
            .or_else(|| self.rows_agree())
            .ok_or(ParseError::NotSquare { found })
    }

    /// The number of the first cells that name the shape of the others, and that shape: the side of a square, or rows and
    /// columns alone in the first row.
    fn header(&self) -> Option<(usize, Shape)> {
        let square = Shape::square_of(self.cells.len() - 1);
        if let Some(shape) = square.filter(|shape| self.lead == Some(shape.rows())) {
            return Some((1, shape));
        }
        let (2, [rows, cols, ..]) = (*self.rows.first()?, self.cells.as_slice()) else {
            return None;
        };
        let shape = Shape::new(rows.parse().ok()?, cols.parse().ok()?).ok()?;
        let fits = match &self.rows[1..] {
            [all] => *all == shape.cells(),
            rows => rows.len() == shape.rows() && rows.iter().all(|&row| row == shape.cols()),
        };
        fits.then_some((2, shape))
    }

    /// The shape that the rows make, if all have the same length.
    fn rows_agree(&self) -> Option<Shape> {
        let &cols = self.rows.first()?;
        let even = self.rows.iter().all(|&row| row == cols);
        even.then(|| Shape::new(self.rows.len(), cols).ok())?
    }
}

/// The number in one cell.
fn number(cell: usize, text: &str) -> Result<u32, ParseError> {
    if text.eq_ignore_ascii_case("blank") {
        return Ok(0);
    }
    if let [byte] = text.as_bytes()
        && CELL[*byte as usize] != 255
    {
        return Ok(CELL[*byte as usize].into());
    }
    let digits = text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    let parsed = if digits { text.parse().ok() } else { None };
    parsed.ok_or_else(|| ParseError::NotACell {
        text: beginning(text, 20),
        cell,
    })
}

#[cfg(test)]
mod tests;
