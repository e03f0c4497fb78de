//! What the tests of all packages, the fuzz targets and the benchmarks share.
//!
//! It must not need the package `rread`: the inline tests of that package use it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::missing_panics_doc, clippy::missing_errors_doc)]
// `new` here makes folders and processes: nobody wants a default one. `Rng::next` is not an iterator's.
#![allow(clippy::new_without_default, clippy::should_implement_trait)]

#[cfg(feature = "reader")]
pub mod ask;
pub mod bulk;
#[cfg(feature = "reader")]
pub mod damaged;
#[cfg(feature = "reader")]
pub mod decoded;
pub mod formats;
#[cfg(feature = "program")]
pub mod home;
#[cfg(feature = "program")]
pub mod lab;
#[cfg(feature = "reader")]
pub mod naive;
#[cfg(feature = "packers")]
pub mod pack;
#[cfg(feature = "program")]
pub mod receipts;
pub mod rng;
pub mod sample;
#[cfg(feature = "program")]
pub mod sandbox;
#[cfg(all(unix, feature = "program"))]
mod signals;
#[cfg(feature = "program")]
pub mod snapshot;
#[cfg(feature = "reader")]
pub mod sources;
#[cfg(feature = "reader")]
pub mod suite;
#[cfg(all(unix, feature = "program"))]
pub mod terminal;
pub mod text;
pub mod tokens;
