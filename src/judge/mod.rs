//! Judges answers about boards.
//!
//! An [`Answer`] is about one board, [`Oracle::judge`](crate::oracle::Oracle::judge) gives its [`Verdict`], and
//! [`Tally`] sums up many judgements. [`reading`] finds answers in the output of solvers.

mod answer;
mod apply;
mod claim_record;
mod judging;
pub mod reading;
mod replay;
mod tally;
mod tally_record;
mod verdict;

pub use answer::{Answer, Path, Reading};
pub use apply::ApplyError;
pub use claim_record::ClaimRecord;
pub use judging::{judge_by, judge_with_optimum};
pub use tally::{AtDistance, Tally};
pub use tally_record::{SummaryRecord, TallyRecord, TallyRow};
pub use verdict::{Judgement, Verdict};
