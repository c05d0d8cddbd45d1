//! The number of this process among those that were started together, and whether it reports errors for all.

/// The number of this process among those that were started together, as launchers give it.
pub(super) fn number() -> Option<u32> {
    let names = [
        "OMPI_COMM_WORLD_RANK",
        "PMIX_RANK",
        "PMI_RANK",
        "SLURM_PROCID",
    ];
    let value = names.iter().find_map(std::env::var_os)?;
    value.to_str()?.parse().ok()
}

/// Returns whether this process reports an error that stops all of them before the start: always, unless `--mpi` is
/// among the arguments. In the other processes it returns after a moment: the first one that ends would end them all.
pub(super) fn is_reporting_rank() -> bool {
    let is_one_of_many = std::env::args_os().any(|argument| argument == "--mpi");
    let reports = !is_one_of_many || matches!(number(), None | Some(0));
    if !reports {
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    reports
}
