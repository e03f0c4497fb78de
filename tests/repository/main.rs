//! The repository around the program: the shape of the source, generated files, packages, and the home of the user.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
// Several modules include the helper for homes.
#![allow(clippy::duplicate_mod)]

mod architecture;
mod circles;
#[cfg(unix)]
mod completions;
mod generated;
#[cfg(unix)]
mod home;
mod packaging;
mod panics;
#[cfg(unix)]
mod peers;
