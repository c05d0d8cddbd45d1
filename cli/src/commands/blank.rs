//! `--blank` of commands that read boards.

/// The number that stands for the blank.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct BlankArg {
    /// The number that stands for the blank in boards, tile numbers and goals that are read: 9, or
    /// 8 where tiles are counted from 0, as in "0 1 2 3 4 5 6 8 7" (3x3); what is printed has 0
    #[arg(id = "blank", long = "blank", value_name = "N", default_value_t = 0)]
    pub number: u8,
}
