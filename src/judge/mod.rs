//! Judges answers about boards.
//!
//! An [`Answer`] is about one board, [`Oracle::judge`](crate::oracle::Oracle::judge) gives its [`Verdict`], and
//! [`Tally`] sums up many judgements. [`reading`] finds answers in the output of solvers.

mod answer;
mod apply;
mod claim_record;
mod judging;
mod other_reading;
pub mod reading;
pub(crate) mod records;
mod replay;
mod tally;
mod verdict;

pub use answer::{Answer, Path, Reading};
pub use claim_record::ClaimRecord;
pub use other_reading::OtherReading;
pub use reading::ReadAs;
pub use records::{Claim, ClaimError};
pub use tally::{SummaryRecord, Tally, TallyRecord, TallyRow};
pub use verdict::{Judgement, Verdict};
