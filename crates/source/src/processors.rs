//! How many threads work side by side.

use std::sync::LazyLock;
use std::thread::available_parallelism;

/// The processors that this process may use, at least 1.
pub fn processors() -> usize {
    // The system is asked by three files of /proc and /sys, which takes longer than to open a file of a table.
    static COUNT: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    *COUNT
}
