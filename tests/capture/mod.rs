//! `rread capture` with real processes.
#![cfg(unix)]

mod ansi;
mod commands;
mod ended;
mod hints;
mod limits;
mod managed;
mod names;
mod sessions;
pub mod support;
