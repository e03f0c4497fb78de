//! Tells the program its target, and links the build with SQL at a fixed address.

use std::env::{var, var_os};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RREAD_PIE");
    let target = var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=RREAD_TARGET={target}");
    // At a random address, the engine's 245,000 pointers are corrected at each start, which takes longer than most reads: docs/dev/decisions.md.
    let loads_faster_fixed = var_os("CARGO_FEATURE_SQL").is_some() && target.ends_with("-linux-gnu");
    if loads_faster_fixed && var_os("RREAD_PIE").is_none() {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
