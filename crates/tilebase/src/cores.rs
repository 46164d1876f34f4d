//! How many threads a machine is good for.

/// Number of cores that this process may use.
pub fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
