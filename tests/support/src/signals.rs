//! Signals that the caller of the tests ignores, as `nohup` does and a shell does for programs that it puts into the background.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Lets programs that the tests start react to signals as usual, although the caller ignores them.
///
/// A program inherits what its parent ignores, but not what its parent handles. So this process handles these signals,
/// by doing nothing, which is all that it did. Only Linux reports what is ignored; elsewhere nothing changes.
pub fn not_ignored() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if mask >> (signal - 1) & 1 == 1 {
                signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).unwrap();
            }
        }
    });
}
