//! Names of algorithms and heuristics on the command line.

use std::error::Error;

use clap::{ArgMatches, Args};

use puzzledb::UnknownName;
use puzzledb::ask::Search;
use puzzledb::internals::split_outside_brackets;
use puzzledb::search::{Algorithm, HeuristicName, HeuristicNameError};
use serde_json::json;

use crate::form::Form;

/// Values of an option, separated by commas, or all. The parser of arguments takes it for one value.
pub(in super::super) type List<T> = Vec<T>;

/// Reads names of algorithms.
pub(super) fn algorithms(text: &str) -> Result<List<Algorithm>, UnknownName> {
    match text.trim() {
        "all" => Ok(Algorithm::all().collect()),
        names => names.split(',').map(str::parse).collect(),
    }
}

/// Reads names of heuristics. A part without a letter goes on with the patterns before it, as in
/// `patterns:1-8,9-15`.
pub(in super::super) fn heuristics(text: &str) -> Result<List<HeuristicName>, HeuristicNameError> {
    if text.trim() == "all" {
        return Ok(HeuristicName::all().collect());
    }
    parts(text).iter().map(|part| part.parse()).collect()
}

/// The names in a list with commas between them.
pub(in super::super) fn parts(text: &str) -> Vec<String> {
    let goes_on = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let parts: Vec<&str> = split_outside_brackets(text, ',').collect();
    let names = parts.chunk_by(|_, next| goes_on(next) && !next.contains('*'));
    names.map(|parts| parts.join(",")).collect()
}

/// The names of algorithms and heuristics, for the help.
pub(in super::super) fn names() -> String {
    let algorithms: Vec<&str> = Algorithm::all().map(Algorithm::name).collect();
    let algorithms = algorithms.join(", ");
    format!(
        "Algorithms: {algorithms} (dijkstra is ucs).\n\n{}",
        heuristic_names()
    )
}

/// The names of heuristics, for the help.
pub(in super::super) fn heuristic_names() -> String {
    let heuristics: Vec<String> = HeuristicName::all().map(|name| name.to_string()).collect();
    format!(
        "Heuristics: {}, pattern:TILES as in pattern:1234, a pattern database of these tiles, and \
         patterns:TILES as in patterns:7-8 or patterns:1-8,9-15, the sum of additive ones, from the file of \
         `build --patterns` or made in memory; and expressions, as in max(2*misplaced,manhattan) or manhattan+3*sequence. `puzzledb search --list` says what each is.",
        heuristics.join(", ")
    )
}

/// Each algorithm and each heuristic with a line about it, and each parameter.
pub(super) fn list() -> String {
    let algorithms = Algorithm::all().map(|name| (name.to_string(), name.about().to_owned()));
    let patterns = ["pattern:1234", "patterns:7-8"].map(|name| name.parse().expect("a name"));
    let heuristics = HeuristicName::all().chain(patterns);
    let heuristics = heuristics.map(|name| (name.to_string(), name.about().to_owned()));
    let lists = [
        ("Algorithms", algorithms.collect()),
        ("Heuristics", heuristics.collect()),
        ("Parameters of --set", parameters()),
    ];
    let list = |(heading, names): (&str, Vec<(String, String)>)| {
        let rows = names
            .iter()
            .map(|(name, about)| json!({ heading: name, "": about }));
        let mut out = String::new();
        Form::Text.push_table(rows, &mut out);
        out
    };
    lists.map(list).join("\n")
}

/// The parameters that one algorithm has, each an option that the help leaves out, with a line about it.
fn parameters() -> Vec<(String, String)> {
    let options = options();
    let hidden = options.get_arguments().filter(|its| its.is_hide_set());
    let described = hidden.map(|option| {
        let (name, about) = (option.get_long(), option.get_help());
        let about = about.map(ToString::to_string).unwrap_or_default();
        (name.unwrap_or_default().to_owned(), about)
    });
    described.collect()
}

/// The options of a search.
fn options() -> clap::Command {
    Search::augment_args(clap::Command::new("search").no_binary_name(true))
}

/// Reads the text of a `--set`: a parameter and a value of it.
pub(super) fn setting(text: &str) -> Result<ArgMatches, String> {
    let read = options().try_get_matches_from([format!("--{text}")]);
    read.map_err(|error| match error.source() {
        Some(why) => why.to_string(),
        None => {
            let names: Vec<String> = parameters().into_iter().map(|(name, _)| name).collect();
            let names = names.join(", ");
            format!("{text:?} is not NAME=VALUE with one of the names {names}")
        }
    })
}
