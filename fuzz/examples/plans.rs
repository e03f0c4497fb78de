//! Writes the seeds of the target `plans` into the folder that is named: what clients of this version send.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "fuzz/seeds/plans".into()));
    for (name, bytes) in rread_fuzz::plans::seeds().unwrap() {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}
