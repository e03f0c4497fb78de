//! The command line: what was typed, and the parser of the subcommand that it names.

mod agent;
mod commands;
mod complaint;
mod completed;
mod habits;
mod pager;
mod parser;
mod programs;
mod readings;
mod typed;

pub(crate) use agent::agent_guide;
pub(crate) use commands::built;
pub(crate) use complaint::{complaint, no_command, wants_json};
pub(crate) use habits::{advised, check};
pub use parser::Cli;
pub(crate) use parser::{SchemaOf, parse, shield_places, with_command};
