//! The seeds of the target `plans` are plans of this version, which a worker takes.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use rread_fuzz::plans::{check, seeds};

#[test]
fn a_worker_takes_the_plans_of_the_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/plans");
    let hint = "cargo run --manifest-path fuzz/Cargo.toml --features cluster --example plans";
    for (name, _) in seeds().unwrap() {
        let seed = fs::read(folder.join(&name)).unwrap();
        assert_eq!(check(&seed), Ok(()), "{name}: {hint}");
    }
}
