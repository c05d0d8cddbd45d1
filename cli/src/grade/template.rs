//! A command line and a standard input with placeholders for the board, the goal and the submission.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::ValueEnum;
use regex_lite::{CaptureMatches, Captures, Match, Regex};

use puzzledb::puzzle::{Board, Numbering};

use super::excerpt::one_line;
use super::form::BoardForm;
use crate::error::{CliError, bail};

/// A program, its arguments and its standard input, in which `{board}`, `{board:spaced}`, `{board:commas}`,
/// `{board:rows}`, `{board:size-first}` and `{board:xy}` are replaced by the board in that [`BoardForm`], `{spaced}` and so on
/// likewise, `{board:file}`, `{board:file:spaced}` and so on by the path of a file that contains it, `{goal}` and so on
/// by the goal, and `{submission}` by the path of a submission.
///
/// ```
/// use puzzledb_cli::grade::Template;
///
/// let template = Template::new(["./solver", "--start={rows}"])?;
/// let (board, goal) = ("704851632".parse()?, "123456780".parse()?);
/// let folder = std::env::temp_dir();
/// assert_eq!(template.words(&board, &goal, &folder)?, ["./solver", "--start=704/851/632"]);
/// assert_eq!(template.input(&board, &goal, &folder)?, None);
/// let plain = Template::new(["./solver"])?;
/// assert_eq!(plain.input(&board, &goal, &folder)?.unwrap(), b"704851632\n");
/// let asked = plain.with_stdin(r"2\n{rows}\n3\n")?;
/// assert_eq!(asked.input(&board, &goal, &folder)?.unwrap(), b"2\n7 0 4\n8 5 1\n6 3 2\n3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[non_exhaustive]
pub struct Template {
    /// The program and its arguments.
    #[arg(skip)]
    words: Vec<OsString>,
    /// Text for standard input, with places for the board and with \n, \t and \\ for a line break, a tab and
    /// a backslash [default: {board}\n, if no argument has the board]
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| Ok::<_, Infallible>(stdin_text(text)))]
    stdin: Option<String>,
    /// Path of the submission that is graded.
    #[arg(skip)]
    pub submission: Option<PathBuf>,
    /// Numbering of the tiles and the blank in the boards that the program gets.
    #[arg(skip)]
    pub numbering: Numbering,
}

impl Template {
    /// A template from a program and its arguments.
    ///
    /// # Errors
    /// [`CliError::Usage`] if there is no program, or a placeholder such as `{board:row}` does not exist.
    pub fn new<T: Into<OsString>>(
        command: impl IntoIterator<Item = T>,
    ) -> Result<Template, CliError> {
        let words = command.into_iter().map(Into::into).collect();
        Template::default().with_command(words)
    }

    /// The template with this program and its arguments.
    pub(crate) fn with_command(mut self, words: Vec<OsString>) -> Result<Template, CliError> {
        self.words = words;
        self.checked()
    }

    /// The template with this text as standard input, in which `\n`, `\t` and `\\` stand for a line break, a tab and a
    /// backslash. A board in rows has a line for each. The name of a [`BoardForm`] stands for the board in that form.
    ///
    /// # Errors
    /// [`CliError::Usage`] if a placeholder does not exist, or the program does not get the board.
    pub fn with_stdin(mut self, text: &str) -> Result<Template, CliError> {
        self.stdin = Some(stdin_text(text));
        self.checked()
    }

    fn checked(self) -> Result<Template, CliError> {
        self.places()
            .try_for_each(|place| form_of(&place).map(drop))?;
        let why = if self.words.first().is_none_or(|program| program.is_empty()) {
            "no program to grade: write it after --, as in `puzzledb grade -- ./solver {board}`"
        } else if self.stdin.is_some() && !self.takes_board() {
            "the program does not get the board: neither its arguments nor its standard input have \
             {board} or another place for it"
        } else {
            return Ok(self);
        };
        Err(CliError::Usage(why.to_owned()))
    }

    /// The placeholders of the words, and of the text for standard input. A word that is not in Unicode has none.
    fn places(&self) -> impl Iterator<Item = Captures<'_>> {
        let words = self.words.iter().filter_map(|word| word.to_str());
        words.chain(self.stdin.as_deref()).flat_map(places)
    }

    fn takes_board(&self) -> bool {
        let is_it = |place: Captures<'_>| &place[0] != SUBMISSION && place.name("goal").is_none();
        self.places().any(is_it)
    }

    /// Returns whether a word is the path of a file that [`words`](Template::words) writes.
    pub fn uses_files(&self) -> bool {
        self.places().any(|place| place.name("file").is_some())
    }

    /// The first word that has `{submission}`: word 0 if the program is the submission, or in it.
    pub(crate) fn submission_word(&self) -> Option<usize> {
        let mut words = self.words.iter().map(|word| word.to_str());
        words.position(|word| word.is_some_and(|word| word.contains(SUBMISSION)))
    }

    /// The program and its arguments for a board. The files for `{board:file}` and the like are written into `folder`.
    ///
    /// # Errors
    /// If such a file cannot be written.
    pub fn words(
        &self,
        board: &Board,
        goal: &Board,
        folder: impl AsRef<Path>,
    ) -> io::Result<Vec<OsString>> {
        let fill = |word: &OsString| match word.to_str() {
            Some(text) => self.fill(text, [board, goal], folder.as_ref(), false),
            None => Ok(word.clone()),
        };
        self.words.iter().map(fill).collect()
    }

    /// Standard input for a board; `None` if there is none. Files are written as by [`words`](Template::words).
    ///
    /// # Errors
    /// As [`Template::words`].
    pub fn input(
        &self,
        board: &Board,
        goal: &Board,
        folder: impl AsRef<Path>,
    ) -> io::Result<Option<Vec<u8>>> {
        let usual = (!self.takes_board()).then_some("{board}\n");
        let text = self.stdin.as_deref().or(usual);
        let input = text.map(|text| self.fill(text, [board, goal], folder.as_ref(), true));
        Ok(input.transpose()?.map(OsString::into_encoded_bytes))
    }

    /// The command with its placeholders, in one line.
    pub fn text(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|w| w.to_string_lossy()).collect();
        one_line(words.join(" ").as_bytes())
    }

    /// Fills in the placeholders of a text. `in_lines`: boards have line breaks.
    fn fill(
        &self,
        text: &str,
        [board, goal]: [&Board; 2],
        folder: &Path,
        in_lines: bool,
    ) -> io::Result<OsString> {
        let (mut filled, mut from) = (OsString::new(), 0);
        for place in places(text) {
            let all = place.get(0).expect("the whole match");
            filled.push(&text[from..all.start()]);
            from = all.end();
            if all.as_str() == SUBMISSION {
                let path = self.submission.as_deref();
                filled.push(path.unwrap_or(Path::new(SUBMISSION)));
                continue;
            }
            let form = form_of(&place).map_err(io::Error::other)?;
            let is_goal = place.name("goal").is_some();
            let (board, name) = [(board, "board"), (goal, "goal")][usize::from(is_goal)];
            let lines = form.text(board, self.numbering);
            if place.name("file").is_some() {
                let path = folder.join(format!("{name}-{form}.txt"));
                std::fs::write(&path, lines)?;
                filled.push(path);
            } else if in_lines {
                filled.push(lines.trim_end());
            } else {
                filled.push(form.argument(board, self.numbering));
            }
        }
        filled.push(&text[from..]);
        Ok(filled)
    }
}

/// Splits a command line into words by spaces, unless these are in quotation marks, `"` or `'`.
pub(crate) fn words_of(line: &str) -> Result<Vec<OsString>, CliError> {
    let pattern = |text| Regex::new(text).expect("the pattern is valid");
    let word = pattern(r#"(?:[^\s"']|"[^"]*"|'[^']*')+"#);
    let in_marks = pattern(r#""([^"]*)"|'([^']*)'"#);
    if word.replace_all(line, "").contains(['"', '\'']) {
        bail!("a quotation mark of the command is not closed: {line}");
    }
    let without_marks = |word: Match<'_>| in_marks.replace_all(word.as_str(), "$1$2").into_owned();
    let words = word.find_iter(line).map(without_marks);
    Ok(words.map(OsString::from).collect())
}

/// The text for standard input that an option gives.
fn stdin_text(text: &str) -> String {
    match BoardForm::from_str(text, false) {
        Ok(BoardForm::Plain) => "{board}\n".to_owned(),
        Ok(form) => format!("{{{form}}}\n"),
        Err(_) => text
            .split(r"\\")
            .map(|part| part.replace(r"\n", "\n").replace(r"\t", "\t"))
            .collect::<Vec<_>>()
            .join(r"\"),
    }
}

/// The place of a submission's path.
const SUBMISSION: &str = "{submission}";

/// The placeholders of a text. Other braces are text, with a meaning for the program.
fn places(text: &str) -> CaptureMatches<'static, '_> {
    static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
        let board = r"(?:board|(?<goal>goal))(?<file>:file)?(?::(?<form>[^{}]*))?|(?<short>spaced|commas|rows|size-first|xy)";
        let pattern = Regex::new(&format!(r"\{{(?:submission|{board})\}}"));
        pattern.expect("the pattern is valid")
    });
    PLACEHOLDER.captures_iter(text)
}

/// The form of the board at a place.
fn form_of(place: &Captures<'_>) -> Result<BoardForm, CliError> {
    let Some(name) = place.name("form").or(place.name("short")) else {
        return Ok(BoardForm::Plain);
    };
    match BoardForm::from_str(name.as_str(), false) {
        Ok(form) if form != BoardForm::Plain => Ok(form),
        _ => bail!(
            "there is no {}: the places are {{board}}, {{board:spaced}}, {{board:commas}}, \
             {{board:rows}}, {{board:size-first}} and {{board:xy}}, as the path of a file {{board:file}}, \
             {{board:file:spaced}} and so on, and likewise {{goal}}",
            &place[0]
        ),
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
            "{spaced}/{goal:rows}",
            "{submission}",
            "{board",
        ])
        .unwrap();
        assert_eq!(
            template.words(&board, &goal, "/no/such/folder").unwrap(),
            [
                "x",
                "704851632,123456780",
                "7 0 4 8 5 1 6 3 2",
                "123/456/780",
                "1,2,3,4,5,6,7,8,0",
                "{print $1}",
                "3 7 0 4 8 5 1 6 3 2",
                "{print 704851632}",
                "7 0 4 8 5 1 6 3 2/123/456/780",
                "{submission}",
                "{board"
            ]
        );
    }

    #[test]
    fn a_place_that_does_not_exist_is_refused() {
        let refused = |words: &[&str]| Template::new(words.iter().copied()).unwrap_err();
        assert!(refused(&[]).to_string().starts_with("no program to grade"));
        assert_eq!(
            refused(&["x", "{board:row}"]).to_string(),
            "there is no {board:row}: the places are {board}, {board:spaced}, {board:commas}, \
             {board:rows}, {board:size-first} and {board:xy}, as the path of a file {board:file}, \
             {board:file:spaced} and so on, and likewise {goal}"
        );
    }

    #[test]
    fn a_goal_alone_leaves_the_board_to_standard_input() {
        let board = "704851632".parse().unwrap();
        let template = Template::new(["x", "{goal}"]).unwrap();
        let input = template.input(&board, &board, "").unwrap().unwrap();
        assert_eq!(input, b"704851632\n");
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
        assert!(template.uses_files());
        assert_eq!(template.input(&board, &goal, &folder).unwrap(), None);
        let paths = template.words(&board, &goal, &folder).unwrap();
        let contents: Vec<String> = paths[1..]
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
        assert!(template.words(&board, &goal, &nowhere).is_err());
    }

    /// Standard input of a program that has the board in its arguments too.
    fn input(stdin: &str) -> String {
        let (board, goal) = ("704851632".parse().unwrap(), "123456780".parse().unwrap());
        let template = Template::new(["x", "{board}"]).unwrap();
        let template = template.with_stdin(stdin).unwrap();
        String::from_utf8(template.input(&board, &goal, "").unwrap().unwrap()).unwrap()
    }

    #[test]
    fn standard_input_is_a_text_with_the_places_of_the_command() {
        for (text, expected) in [
            ("plain", "704851632\n"),
            ("size-first", "3\n7 0 4\n8 5 1\n6 3 2\n"),
            (r"2\n{rows}\n3\n", "2\n7 0 4\n8 5 1\n6 3 2\n3\n"),
            (r"{board}\t{goal:commas}", "704851632\t1,2,3,4,5,6,7,8,0"),
            (r"\\n\\\n{x}\x", "\\n\\\n{x}\\x"),
            ("", ""),
        ] {
            assert_eq!(input(text), expected, "{text}");
        }
        let template = |word: &str| Template::new(["x", word]).unwrap();
        let refused = template("{goal}").with_stdin("row").unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("the program does not get the board")
        );
        assert!(template("{goal}").with_stdin("{rows}").is_ok());
        assert!(template("{board}").with_stdin("{goal:row}").is_err());
    }

    #[test]
    fn a_command_line_is_split_before_its_places_are_filled() {
        let line = r#"  a 'b "c' "d'{submission}"/e'' ""  {submission}{board}	f\g "#;
        let mut template = Template::new(words_of(line).unwrap()).unwrap();
        assert_eq!(template.submission_word(), Some(2));
        template.submission = Some("it's {goal} \" x".into());
        let board = "123456780".parse().unwrap();
        assert_eq!(
            template.words(&board, &board, "").unwrap(),
            [
                "a",
                "b \"c",
                "d'it's {goal} \" x/e",
                "",
                "it's {goal} \" x123456780",
                r"f\g"
            ]
        );
        let open = words_of("a 'b").unwrap_err();
        assert!(open.to_string().ends_with("is not closed: a 'b"));
        let spaced = words_of("python3 '{submission}/my solver.py' {board}").unwrap();
        assert_eq!(spaced, ["python3", "{submission}/my solver.py", "{board}"]);
    }
}
