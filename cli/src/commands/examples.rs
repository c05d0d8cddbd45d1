//! Example command lines of commands, for their help and their manual pages.

/// All examples, those of a command in the order in which they are shown.
const ALL: &str = include_str!("examples.txt");

/// The examples of a command.
pub(super) fn of(command: &str) -> Vec<&'static str> {
    let names = |line: &&str| {
        let (_, after) = line.split_once("puzzledb ").unwrap_or_default();
        after.split(' ').next() == Some(command)
    };
    ALL.lines().filter(names).collect()
}

/// The examples as lines of a help.
pub(super) fn help(command: &str) -> Option<String> {
    let examples = of(command);
    (!examples.is_empty()).then(|| format!("Examples:\n  {}", examples.join("\n  ")))
}
