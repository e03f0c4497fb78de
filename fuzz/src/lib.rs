//! Fuzz targets as plain functions: libFuzzer calls them from `fuzz_targets/`, `cargo test` from `tests/seeds.rs`.
//!
//! Each takes bytes and panics if the program is wrong about them. The naive models that judge are those of the program's
//! own tests.
#![cfg(unix)]
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod archives;
mod captures;
mod compressed;
#[cfg(any(feature = "cluster", feature = "documents"))]
mod contained;
mod detect;
#[cfg(feature = "documents")]
mod documents;
mod edges;
mod encodings;
mod from;
mod hashlines;
mod index;
mod input;
pub mod mutate;
mod pictures;
#[cfg(feature = "cluster")]
pub mod plans;
mod program;
mod range;
mod search;
mod viewer;
mod writers;
mod zip;

pub use program::before_panics;

/// Something of the program that is fed with bytes.
pub struct Target {
    /// Its name, which is that of its folder of seeds too.
    pub name: &'static str,
    /// Panics if the program is wrong about these bytes.
    pub run: fn(&[u8]),
    /// How many changed copies of the seeds `cargo test` runs.
    pub rounds: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "archives", run: archives::run, rounds: 600 },
    Target { name: "captures", run: captures::run, rounds: 800 },
    Target { name: "compressed", run: compressed::run, rounds: 1200 },
    Target { name: "detect", run: detect::run, rounds: 6000 },
    #[cfg(feature = "documents")]
    Target { name: "documents", run: documents::pdf, rounds: 1500 },
    #[cfg(feature = "documents")]
    Target { name: "documents-office", run: documents::office, rounds: 1000 },
    #[cfg(feature = "documents")]
    Target { name: "documents-text", run: documents::text, rounds: 1500 },
    // Two cells far apart can take more memory than there is: changed copies are for libFuzzer, which goes on.
    #[cfg(feature = "documents")]
    Target { name: "documents-xls", run: documents::xls, rounds: 0 },
    Target { name: "edges", run: edges::run, rounds: 600 },
    Target { name: "encodings", run: encodings::run, rounds: 4000 },
    Target { name: "from", run: from::run, rounds: 800 },
    Target { name: "hashlines", run: hashlines::run, rounds: 1000 },
    Target { name: "index", run: index::run, rounds: 500 },
    Target { name: "pictures", run: pictures::run, rounds: 3000 },
    #[cfg(feature = "cluster")]
    Target { name: "plans", run: plans::run, rounds: 1500 },
    Target { name: "range", run: range::run, rounds: 2000 },
    // Each run of the program keeps the parser of its many options in memory, which a process would give back at its end.
    Target { name: "search", run: search::run, rounds: 150 },
    Target { name: "viewer", run: viewer::run, rounds: 1000 },
    Target { name: "writers", run: writers::run, rounds: 400 },
];

/// The target called `name`.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target {name}"))
}
