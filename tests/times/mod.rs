//! `--since` and `--until`: against a filter that looks at every record, in files of any kind and size.

#![cfg(unix)]

mod commands;
mod kinds;
mod merge;
mod naive;
mod reports;
mod stat;
