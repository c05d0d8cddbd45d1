//! `--blank` of commands that read boards.

/// The number that stands for the blank.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct BlankArg {
    /// The number that stands for the blank in the boards, tile numbers and goals that are read: 9,
    /// or 8 where tiles are counted from 0 (3x3). What is printed has 0 for the blank
    #[arg(id = "blank", long = "blank", value_name = "N", default_value_t = 0)]
    pub number: u8,
}
