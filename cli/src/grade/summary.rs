//! Figures of grades, by distance and by outcome.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use puzzledb::oracle::Optimum;

use super::outcome::{Grade, Outcome};

/// Figures of a set of boards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// The number of boards.
    pub boards: u64,
    /// Boards with a right answer: a shortest solution, or rightly `unsolvable`; where the optimum is
    /// unknown, any solution.
    pub right: u64,
    /// Boards with an answer in a form that was not understood, which is neither right nor wrong.
    pub not_understood: u64,
    /// Mean number of moves above the optimum, over the answers that reach the goal; `None` without any.
    pub mean_excess: Option<f64>,
    /// Mean time in seconds over all boards, including programs that were killed.
    pub mean_seconds: f64,
    /// The longest time in seconds.
    pub max_seconds: f64,
    /// Mean CPU time in seconds over the boards where it is known; `None` if it never is.
    pub mean_cpu_seconds: Option<f64>,
    /// The longest CPU time in seconds; `None` if none is known.
    pub max_cpu_seconds: Option<f64>,
    /// The largest peak memory in bytes; `None` if none is known.
    pub max_memory: Option<u64>,
}

impl Figures {
    /// The figures of these grades.
    pub fn new<'a>(grades: impl IntoIterator<Item = &'a Grade>) -> Figures {
        let grades: Vec<&Grade> = grades.into_iter().collect();
        let mean = |sum: f64, of: usize| (of > 0).then(|| sum / of as f64);
        let excess: Vec<u64> = grades.iter().filter_map(|g| Some(g.solved()?.1)).collect();
        let all = excess.iter().copied().fold(0, u64::saturating_add);
        let cpu: Vec<Duration> = grades.iter().filter_map(|g| g.cpu).collect();
        let seconds = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
        let times: Vec<Duration> = grades.iter().map(|grade| grade.time).collect();
        let is_unread = |grade: &&&Grade| grade.outcome == Outcome::NotUnderstood;
        Figures {
            boards: grades.len() as u64,
            right: grades.iter().filter(|g| g.outcome.is_right()).count() as u64,
            not_understood: grades.iter().filter(is_unread).count() as u64,
            mean_excess: mean(all as f64, excess.len()),
            mean_seconds: mean(seconds(&times), times.len()).unwrap_or(0.0),
            max_seconds: times.iter().max().map_or(0.0, Duration::as_secs_f64),
            mean_cpu_seconds: mean(seconds(&cpu), cpu.len()),
            max_cpu_seconds: cpu.iter().max().map(Duration::as_secs_f64),
            max_memory: grades.iter().filter_map(|grade| grade.memory).max(),
        }
    }

    /// The percentage of right answers; `None` if there are some whose form was not understood.
    pub fn percent(&self) -> Option<f64> {
        let percent = 100.0 * self.right as f64 / self.boards.max(1) as f64;
        (self.not_understood == 0).then_some(percent)
    }
}

/// A summary of grades.
///
/// ```
/// use puzzledb_cli::grade::Summary;
///
/// assert!(Summary::new(&[]).by_distance.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// All boards.
    pub all: Figures,
    /// The boards of each distance, then the unsolvable ones, then those whose distance is unknown.
    pub by_distance: Vec<(Optimum, Figures)>,
    /// Number of boards with each outcome, the most frequent first.
    pub by_outcome: Vec<(&'static str, u64)>,
}

impl Summary {
    /// The summary of these grades.
    pub fn new(grades: &[Grade]) -> Summary {
        let mut distances: BTreeMap<Optimum, Vec<&Grade>> = BTreeMap::new();
        let mut outcomes: BTreeMap<&'static str, u64> = BTreeMap::new();
        for grade in grades {
            distances.entry(grade.optimum).or_default().push(grade);
            *outcomes.entry(grade.outcome.label()).or_default() += 1;
        }
        let mut by_outcome: Vec<_> = outcomes.into_iter().collect();
        by_outcome.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let figures = |(optimum, grades): (_, Vec<_>)| (optimum, Figures::new(grades));
        Summary {
            all: Figures::new(grades),
            by_distance: distances.into_iter().map(figures).collect(),
            by_outcome,
        }
    }
}
