//! Tests object stores and HTTP, on real servers and on one that misbehaves in every way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
// The tests of one feature do not use all servers and helpers.
#![allow(dead_code)]
// The program and the viewer have the same home.
#![allow(clippy::duplicate_mod)]

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
#[cfg(all(unix, feature = "view"))]
#[path = "../view/terminal.rs"]
mod terminal;
#[path = "../reader/text.rs"]
mod text;

mod conformance;
mod faults;
mod same;
#[cfg(feature = "sql")]
mod select;
mod tls;
mod valid;
#[cfg(all(unix, feature = "view"))]
mod view;
mod window;
mod wire;
