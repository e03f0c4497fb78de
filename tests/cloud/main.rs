//! Tests of object stores and HTTP: real servers on this machine, and one that misbehaves in every way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
// Servers and helpers offer more than the tests of one feature use.
#![allow(dead_code)]

mod content;
mod credentials;
mod http;

mod faulty;
#[path = "../reader/naive.rs"]
mod naive;
#[path = "../compressed/pack.rs"]
mod pack;
mod proxy;
mod servers;
#[path = "../reader/suite.rs"]
mod suite;
#[path = "../cli/support.rs"]
mod support;
#[cfg(feature = "sql")]
#[path = "../select/tables.rs"]
mod tables;
#[path = "../reader/text.rs"]
mod text;

mod conformance;
mod faults;
mod same;
#[cfg(feature = "sql")]
mod select;
mod tls;
mod valid;
mod wire;
