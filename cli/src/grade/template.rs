//! A command line with placeholders for the board and the goal.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use clap::ValueEnum;

use puzzledb::puzzle::{Board, Numbering};

use super::excerpt::one_line;
use super::form::BoardForm;

/// A program and its arguments, in which `{board}`, `{board:spaced}`, `{board:commas}`,
/// `{board:rows}` and `{board:size-first}` are replaced by the board in that [`BoardForm`],
/// `{board:file}`, `{board:file:spaced}` and so on by the path of a file that contains it, and
/// `{goal}` and so on by the goal.
///
/// ```
/// use puzzledb_cli::grade::Template;
///
/// let template = Template::new(["./solver", "--start={board:rows}"])?;
/// let (board, goal) = ("704851632".parse()?, "123456780".parse()?);
/// let arguments = template.arguments(&board, &goal, std::env::temp_dir().as_path())?;
/// assert_eq!(arguments, ["--start=704/851/632"]);
/// assert_eq!(template.input(&board), None);
/// let plain = Template::new(["./solver"])?;
/// assert_eq!(plain.input(&board).as_deref(), Some("704851632\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Template {
    program: OsString,
    arguments: Vec<OsString>,
    takes_board: bool,
    uses_files: bool,
    /// Form of the board on standard input. `None`: plain if no argument contains it, and otherwise not at all.
    pub stdin: Option<BoardForm>,
    /// Numbering of the tiles and the blank in the boards that the program gets.
    pub numbering: Numbering,
}

/// Error in the command of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// No program was named.
    #[error("no program to grade")]
    Empty,
    /// A placeholder that does not exist.
    #[error(
        "there is no {{{0}}}: the places are {{board}}, {{board:spaced}}, {{board:commas}}, \
         {{board:rows}} and {{board:size-first}}, as the path of a file {{board:file}}, \
         {{board:file:spaced}} and so on, and likewise {{goal}}"
    )]
    UnknownPlaceholder(String),
}

/// A part of an argument.
enum Piece<'a> {
    Text(&'a str),
    Placeholder(Placeholder),
}

struct Placeholder {
    is_board: bool,
    is_file: bool,
    form: BoardForm,
}

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
        let mut template = Template {
            program: program.unwrap_or_default(),
            arguments: words.collect(),
            takes_board: false,
            uses_files: false,
            stdin: None,
            numbering: Numbering::default(),
        };
        for argument in template.arguments.iter().filter_map(|a| a.to_str()) {
            for piece in pieces(argument)? {
                if let Piece::Placeholder(placeholder) = piece {
                    template.takes_board |= placeholder.is_board;
                    template.uses_files |= placeholder.is_file;
                }
            }
        }
        if template.program.is_empty() {
            Err(TemplateError::Empty)
        } else {
            Ok(template)
        }
    }

    /// The program.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Returns whether an argument is the path of a file that [`arguments`](Template::arguments) writes.
    pub fn uses_files(&self) -> bool {
        self.uses_files
    }

    /// The arguments for a board. The files for `{board:file}` and the like are written into `folder`.
    ///
    /// # Errors
    /// If such a file cannot be written.
    pub fn arguments(
        &self,
        board: &Board,
        goal: &Board,
        folder: impl AsRef<Path>,
    ) -> io::Result<Vec<OsString>> {
        let folder = folder.as_ref();
        let fill = |argument: &OsString| {
            let Some(Ok(pieces)) = argument.to_str().map(pieces) else {
                return Ok(argument.clone()); // not in Unicode: it has no placeholders
            };
            let mut filled = OsString::new();
            for piece in pieces {
                match piece {
                    Piece::Text(text) => filled.push(text),
                    Piece::Placeholder(placeholder) => {
                        filled.push(placeholder.value(board, goal, self.numbering, folder)?);
                    }
                }
            }
            Ok(filled)
        };
        self.arguments.iter().map(fill).collect()
    }

    /// Standard input for a board: the board and a newline; `None` if it does not contain the board.
    pub fn input(&self, board: &Board) -> Option<String> {
        let usual = (!self.takes_board).then_some(BoardForm::Plain);
        self.stdin
            .or(usual)
            .map(|form| form.text(board, self.numbering))
    }

    /// The command with its placeholders, in one line.
    pub fn text(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        one_line(words.join(" ").as_bytes())
    }
}

/// The texts and placeholders of an argument. Other braces are text, with a meaning for the program.
fn pieces(argument: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let (mut rest, mut from) = (argument, 0);
    while let Some(open) = rest[from..].find('{').map(|at| from + at) {
        let inside = rest[open + 1..].split_once('}').map(|(inside, _)| inside);
        match inside.map(Placeholder::parse).transpose()?.flatten() {
            Some(placeholder) => {
                let length = inside.map_or(0, str::len) + 2;
                pieces.push(Piece::Text(&rest[..open]));
                pieces.push(Piece::Placeholder(placeholder));
                (rest, from) = (&rest[open + length..], 0);
            }
            None => from = open + 1,
        }
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

impl Placeholder {
    /// Reads the text between braces; `None` if it does not name the board or the goal.
    fn parse(text: &str) -> Result<Option<Placeholder>, TemplateError> {
        let mut words = text.split(':');
        let is_board = match words.next() {
            Some("board") => true,
            Some("goal") => false,
            _ => return Ok(None),
        };
        let mut words: Vec<&str> = words.collect();
        let is_file = words.first() == Some(&"file");
        if is_file {
            words.remove(0);
        }
        let form = match words[..] {
            [] => Some(BoardForm::Plain),
            [form] if form != "plain" => BoardForm::from_str(form, false).ok(),
            _ => None,
        };
        let form = form.ok_or_else(|| TemplateError::UnknownPlaceholder(text.to_owned()))?;
        Ok(Some(Placeholder {
            is_board,
            is_file,
            form,
        }))
    }

    fn value(
        &self,
        board: &Board,
        goal: &Board,
        numbering: Numbering,
        folder: &Path,
    ) -> io::Result<OsString> {
        let (board, name) = if self.is_board {
            (board, "board")
        } else {
            (goal, "goal")
        };
        if !self.is_file {
            return Ok(self.form.argument(board, numbering).into());
        }
        let path = folder.join(format!("{name}-{}.txt", self.form));
        std::fs::write(&path, self.form.text(board, numbering))?;
        Ok(path.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "{board:size-first}",
            "{print {board}}",
            "{board",
        ])
        .unwrap();
        assert_eq!(
            template
                .arguments(&board, &goal, Path::new("/no/such/folder"))
                .unwrap(),
            [
                "704851632,123456780",
                "7 0 4 8 5 1 6 3 2",
                "123/456/780",
                "1,2,3,4,5,6,7,8,0",
                "{print $1}",
                "3 7 0 4 8 5 1 6 3 2",
                "{print 704851632}",
                "{board"
            ]
        );
    }

    #[test]
    fn a_place_that_does_not_exist_is_refused() {
        let refused = |words: &[&str]| Template::new(words.iter().copied()).unwrap_err();
        assert_eq!(refused(&[]), TemplateError::Empty);
        assert_eq!(
            refused(&["x", "{board:row}"]).to_string(),
            "there is no {board:row}: the places are {board}, {board:spaced}, {board:commas}, \
             {board:rows} and {board:size-first}, as the path of a file {board:file}, \
             {board:file:spaced} and so on, and likewise {goal}"
        );
    }

    #[test]
    fn a_goal_alone_leaves_the_board_to_standard_input() {
        let board = "704851632".parse().unwrap();
        let template = Template::new(["x", "{goal}"]).unwrap();
        assert_eq!(template.input(&board).as_deref(), Some("704851632\n"));
    }

    #[test]
    fn files_contain_the_board_and_the_goal_in_the_form_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let (board, goal) = ("704851632".parse().unwrap(), "123456780".parse().unwrap());
        let template = Template::new([
            "x",
            "{board:file}",
            "{board:file:spaced}",
            "{goal:file:rows}",
            "{board:file:size-first}",
        ]);
        let template = template.unwrap();
        assert!(template.uses_files() && template.input(&board).is_none());
        let paths = template.arguments(&board, &goal, folder.path()).unwrap();
        let contents: Vec<String> = paths
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        assert_eq!(
            contents,
            [
                "704851632\n",
                "7 0 4 8 5 1 6 3 2\n",
                "1 2 3\n4 5 6\n7 8 0\n",
                "3\n7 0 4\n8 5 1\n6 3 2\n"
            ]
        );
        let nowhere = folder.path().join("none");
        assert!(template.arguments(&board, &goal, &nowhere).is_err());
    }

    #[test]
    fn standard_input_has_the_form_that_is_asked_for_whatever_the_arguments_have() {
        let board = "704851632".parse().unwrap();
        let mut template = Template::new(["x", "{board}"]).unwrap();
        template.stdin = Some(BoardForm::SizeFirst);
        let input = template.input(&board);
        assert_eq!(input.as_deref(), Some("3\n7 0 4\n8 5 1\n6 3 2\n"));
    }
}
