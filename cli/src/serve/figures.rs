//! Figures that are computed once for each database: statistics and bounds of searches.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use puzzledb::oracle::StatsRecord;
use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, Effort, GoalTest, HeuristicName};

use super::problem::Problem;

/// The figures of one database, kept as long as it is served: a file that replaces it has others.
#[derive(Debug)]
pub(super) struct Figures {
    /// By the goal.
    pub stats: Once<Board, Arc<StatsRecord>>,
    pub efforts: Once<EffortKey, Effort>,
}

/// Key of the bounds of a search: the board, the goal and the method.
type EffortKey = (Board, Board, (Algorithm, GoalTest, HeuristicName));

/// Statistics that are kept: each has some kilobytes.
const STATS: usize = 16;

/// Bounds that are kept. The name of a heuristic can have as many bytes as a request's path and query: 1 MiB in all.
const EFFORTS: usize = 256;

impl Figures {
    pub(super) fn new() -> Figures {
        Figures {
            stats: Once::new(STATS),
            efforts: Once::new(EFFORTS),
        }
    }
}

/// Answers that are computed once, also where several requests need them at the same time. Above `most` answers, the
/// least recently requested one is dropped.
pub(super) struct Once<Q, A> {
    most: usize,
    answers: Mutex<Answers<Q, A>>,
}

struct Answers<Q, A> {
    /// Number of questions so far.
    asked: u64,
    /// Number of the last question for each key, and the answer once it is computed.
    kept: HashMap<Q, (u64, Arc<OnceCell<A>>)>,
}

impl<Q: Clone + Eq + Hash, A: Clone> Once<Q, A> {
    fn new(most: usize) -> Once<Q, A> {
        let answers = Answers {
            asked: 0,
            kept: HashMap::new(),
        };
        Once {
            most,
            answers: Mutex::new(answers),
        }
    }

    /// The answer to a question, computed unless it is known. A request that comes while another one computes it waits
    /// for that one, and computes it if that fails.
    pub(super) async fn get(
        &self,
        question: Q,
        compute: impl Future<Output = Result<A, Problem>>,
    ) -> Result<A, Problem> {
        let answer = self.place(question);
        answer.get_or_try_init(|| compute).await.cloned()
    }

    fn place(&self, question: Q) -> Arc<OnceCell<A>> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.asked += 1;
        let now = answers.asked;
        let kept = &mut answers.kept;
        if !kept.contains_key(&question) && kept.len() >= self.most {
            let oldest = kept.iter().min_by_key(|(_, (asked, _))| *asked);
            let oldest = oldest.map(|(question, _)| question.clone());
            oldest.and_then(|oldest| kept.remove(&oldest));
        }
        let (asked, answer) = kept.entry(question).or_default();
        *asked = now;
        Arc::clone(answer)
    }
}

impl<Q, A> fmt::Debug for Once<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once")
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn run<T>(test: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(test)
    }

    #[test]
    fn an_answer_is_computed_once_also_for_those_who_ask_at_the_same_time() {
        let (once, computed) = (Once::new(2), Cell::new(0));
        let ask = |fails: bool| {
            let (once, computed) = (&once, &computed);
            once.get("question", async move {
                computed.set(computed.get() + 1);
                tokio::task::yield_now().await;
                if fails {
                    Err(Problem::busy("not now"))
                } else {
                    Ok(computed.get())
                }
            })
        };
        run(async {
            let (failed, second, third) = tokio::join!(ask(true), ask(false), ask(false));
            assert!(failed.is_err());
            assert_eq!((second.unwrap(), third.unwrap()), (2, 2));
            assert_eq!(ask(false).await.unwrap(), 2);
        });
    }

    #[test]
    fn the_answer_that_was_asked_for_the_longest_time_ago_is_forgotten() {
        let (once, computed) = (Once::new(2), Cell::new(String::new()));
        let ask = |question: char| {
            let (once, computed) = (&once, &computed);
            once.get(question, async move {
                computed.set(computed.take() + &question.to_string());
                Ok(())
            })
        };
        run(async {
            for question in "abacabcc".chars() {
                ask(question).await.unwrap();
            }
        });
        // `c` takes the place of `b`, `b` that of `c`, and `c` that of `a`.
        assert_eq!(computed.take(), "abcbc");
        assert_eq!(once.answers.lock().unwrap().kept.len(), 2);
    }
}
