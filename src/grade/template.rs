//! A command line with placeholders for the board and the goal.

use std::ffi::{OsStr, OsString};

use crate::puzzle::Board;

use super::excerpt::one_line;

/// A program and its arguments, in which `{board}`, `{board:spaced}`, `{board:commas}`,
/// `{board:rows}` are replaced by the board, and `{goal}` and so on by the goal.
///
/// ```
/// use puzzledb::grade::Template;
///
/// let template = Template::new(["./solver", "--start={board:rows}"])?;
/// let board = "704851632".parse()?;
/// let arguments = template.arguments(&board, &"123456780".parse()?);
/// assert_eq!(arguments, ["--start=704/851/632"]);
/// assert_eq!(template.input(&board), None);
/// let plain = Template::new(["./solver"])?;
/// assert_eq!(plain.input(&board).as_deref(), Some("704851632\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    program: OsString,
    arguments: Vec<OsString>,
    takes_board: bool,
}

/// Why there is no [`Template`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// No program was named.
    #[error("no program to grade")]
    Empty,
    /// A placeholder that does not exist.
    #[error(
        "there is no {{{0}}}: the places are {{board}}, {{board:spaced}}, {{board:commas}} and \
         {{board:rows}}, and likewise {{goal}}"
    )]
    UnknownPlaceholder(String),
}

/// The end of a placeholder, and how it writes a board.
type Format = (&'static str, fn(&Board) -> String);

const FORMATS: [Format; 4] = [
    ("", Board::to_string),
    (":spaced", |board| cells(board, " ")),
    (":commas", |board| cells(board, ",")),
    (":rows", rows),
];

impl Template {
    /// A template from a program and its arguments.
    ///
    /// # Errors
    /// [`TemplateError`] if there is no program, or a placeholder such as `{board:row}` does not exist.
    pub fn new<T: Into<OsString>>(
        command: impl IntoIterator<Item = T>,
    ) -> Result<Template, TemplateError> {
        let mut words = command.into_iter().map(Into::into);
        let program = words.next().filter(|p| !p.is_empty());
        let arguments: Vec<OsString> = words.collect();
        let mut takes_board = false;
        for argument in arguments.iter().filter_map(|a| a.to_str()) {
            for placeholder in argument.split('{').skip(1) {
                let Some((placeholder, _)) = placeholder.split_once('}') else {
                    continue;
                };
                let colon = placeholder.find(':').unwrap_or(placeholder.len());
                let (what, format) = placeholder.split_at(colon);
                if !["board", "goal"].contains(&what) {
                    continue; // braces that mean something to the program
                }
                if !FORMATS.iter().any(|(name, _)| *name == format) {
                    return Err(TemplateError::UnknownPlaceholder(placeholder.to_owned()));
                }
                takes_board |= what == "board";
            }
        }
        Ok(Template {
            program: program.ok_or(TemplateError::Empty)?,
            arguments,
            takes_board,
        })
    }

    /// The program.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The arguments for a board.
    pub fn arguments(&self, board: &Board, goal: &Board) -> Vec<OsString> {
        let fill = |argument: &OsString| match argument.to_str() {
            Some(text) if text.contains('{') => filled(text, board, goal).into(),
            _ => argument.clone(),
        };
        self.arguments.iter().map(fill).collect()
    }

    /// Standard input for a board: the board and a newline, or `None` if an argument contains the board.
    pub fn input(&self, board: &Board) -> Option<String> {
        (!self.takes_board).then(|| format!("{board}\n"))
    }

    /// The command with its placeholders, in one line.
    pub fn text(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        one_line(words.join(" ").as_bytes())
    }
}

fn filled(text: &str, board: &Board, goal: &Board) -> String {
    let mut text = text.to_owned();
    for (format, write) in FORMATS {
        text = text.replace(&format!("{{board{format}}}"), &write(board));
        text = text.replace(&format!("{{goal{format}}}"), &write(goal));
    }
    text
}

/// `7 0 4 8 5 1 6 3 2`
fn cells(board: &Board, separator: &str) -> String {
    let cells: Vec<String> = board.tiles().iter().map(u8::to_string).collect();
    cells.join(separator)
}

/// `704/851/632`
fn rows(board: &Board) -> String {
    let (word, cols) = (board.to_string(), board.shape().cols());
    let rows: Vec<&str> = (0..word.len())
        .step_by(cols)
        .map(|i| &word[i..i + cols])
        .collect();
    rows.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Shape, UsualGoal};

    #[test]
    fn every_place_is_filled_and_other_braces_are_left_alone() {
        let (board, goal) = (
            "704851632".parse().unwrap(),
            "123456780".parse::<Board>().unwrap(),
        );
        let template = Template::new([
            "x",
            "{board},{goal}",
            "{board:spaced}",
            "{goal:rows}",
            "{goal:commas}",
            "{print $1}",
            "{board",
        ])
        .unwrap();
        assert_eq!(
            template.arguments(&board, &goal),
            [
                "704851632,123456780",
                "7 0 4 8 5 1 6 3 2",
                "123/456/780",
                "1,2,3,4,5,6,7,8,0",
                "{print $1}",
                "{board"
            ]
        );
        let fifteen = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
        assert_eq!(rows(&fifteen), "1234/5678/9abc/def0");
        assert!(cells(&fifteen, " ").ends_with("9 10 11 12 13 14 15 0"));
    }

    #[test]
    fn a_place_that_does_not_exist_is_refused() {
        let refused = |words: &[&str]| Template::new(words.iter().copied()).unwrap_err();
        assert_eq!(refused(&[]), TemplateError::Empty);
        assert_eq!(
            refused(&["x", "{board:row}"]).to_string(),
            "there is no {board:row}: the places are {board}, {board:spaced}, {board:commas} and \
             {board:rows}, and likewise {goal}"
        );
    }

    #[test]
    fn a_goal_alone_leaves_the_board_to_standard_input() {
        let board = "704851632".parse().unwrap();
        let template = Template::new(["x", "{goal}"]).unwrap();
        assert_eq!(template.input(&board).as_deref(), Some("704851632\n"));
    }
}
