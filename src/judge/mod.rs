//! Judges answers about boards.
//!
//! An [`Answer`] is about one board, [`Oracle::judge`](crate::oracle::Oracle::judge) gives its [`Verdict`], and
//! [`Tally`] sums up many judgements. [`reading`] finds answers in the output of solvers.

pub(crate) mod answer;
pub(crate) mod apply;
pub(crate) mod claim_record;
pub(crate) mod judging;
pub(crate) mod other_reading;
pub mod reading;
pub(crate) mod records;
pub(crate) mod replay;
pub(crate) mod tally;
pub(crate) mod verdict;

pub use answer::{Answer, Path, Reading};
pub use apply::ApplyError;
pub use claim_record::ClaimRecord;
pub use other_reading::OtherReading;
pub use reading::{ReadAs, held::Hold};
pub use records::{Claim, ClaimError};
pub use tally::{SummaryRecord, Tally, TallyRecord, TallyRow};
pub use verdict::{Judgement, Verdict};
