//! The interface for agents: the guide, the tools, walks by `next`, and XML that parsers read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
#![cfg(unix)]

mod economy;
mod guide;
mod hints;
mod pages;
#[path = "../shared/receipts.rs"]
mod receipts;
#[allow(dead_code)]
mod rng;
#[path = "../shared/sample.rs"]
mod sample;
#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;
mod tasks;
mod tools;
mod walks;
mod xml;

use support::home;
