//! `puzzledb generate`

use std::ops::RangeInclusive;

use puzzledb::ask::{DrawnRecord, Generate};
use puzzledb::search::Difficulty;
use puzzledb::space::GoalClass;

use super::args::distances;
use super::boards::writer;
use super::database::Databases;
use super::error::{Result, Status, print_note};
use super::output::Output;
use super::watch::check_files;
use crate::form::Form;

/// Draw boards at a chosen distance
///
/// The boards are all different, every set of them is equally likely, and equal seeds draw equal
/// boards on every machine.
///
/// Boards at a distance of a shape of up to 16 cells without a database are listed near the goal, on 4x4 up
/// to 14 moves away. Farther away they are found by walks, each distance proved by a search, and not all
/// boards are equally likely; on 4x4 the walks come to distances of 75.
///
/// Without a distance boards of any shape are drawn, up to 8x8; those without a database can come twice, as
/// those of --walk can, which needs none without --rate.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Boards at this distance, or at these: 25..31
    #[arg(long, short, value_name = "D", value_parser = distances, conflicts_with_all = ["min", "max"])]
    distance: Option<RangeInclusive<u8>>,
    #[command(flatten)]
    question: Generate,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    let mut question = args.question.clone();
    if let Some(at) = &args.distance {
        (question.min, question.max) = (Some(*at.start()), Some(*at.end()));
    }
    let goal = databases.goal(question.shape)?;
    let seed = question.seed();
    let has_distances = question.is_at_distance() || question.rate;
    // A table that takes long to make is not worth it for boards at no certain distance.
    let is_soon = |class: GoalClass| class.is_small() || databases.library().find(&goal).is_some();
    let is_free = question.walk.is_none() && GoalClass::of(&goal).is_ok_and(is_soon);
    let oracle = (has_distances || is_free).then(|| databases.exact_oracle(&goal));
    let oracle = oracle.transpose()?;
    let boards = question.draw(&goal, seed, oracle.as_ref())?;
    check_files()?;
    if question.seed.is_none() {
        print_note(format!("--seed {seed} draws the same again"));
    }
    // Boards alone are for other commands to read, and lines for people have no blank line between them.
    let form = (args.output.asked()).unwrap_or(if question.rate { Form::Tsv } else { Form::Text });
    let rows = if form == Form::Text { Form::Tsv } else { form };
    let oracle = oracle.as_ref().filter(|oracle| {
        (has_distances || oracle.table().is_some()) && form != Form::Text && !question.unsolvable
    });
    let (mut write, mut text) = (writer(rows), String::new());
    for board in boards {
        let distance = oracle.map(|oracle| oracle.distance(&board));
        let rated = oracle.filter(|_| question.rate);
        let rated = rated.map(|oracle| Difficulty::of(oracle, &board));
        let drawn = DrawnRecord::new(board, goal, distance.transpose()?, seed, rated.transpose()?);
        match form {
            Form::Text => text += &format!("{board}\n"),
            form => form.push(&drawn, &mut text),
        }
        if text.len() >= MOST_WAITING {
            write(&text)?;
            text.clear();
        }
    }
    write(&text)?;
    Ok(Status::Yes)
}

/// Bytes of boards that are printed at a time.
const MOST_WAITING: usize = 64 << 10;
