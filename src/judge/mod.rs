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
mod records;
mod replay;
mod tally;
mod verdict;

pub use answer::{Answer, Path, Reading};
pub use apply::ApplyError;
pub use other_reading::OtherReading;
pub use reading::ReadAs;
pub use tally::Tally;
pub use verdict::{Judgement, Verdict};

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::{
    claim_record::ClaimRecord,
    tally::{SummaryRecord, TallyRecord, TallyRow},
};
