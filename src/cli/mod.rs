//! The command line: what was typed, and the parser of the subcommand that it names.

mod clap_errors;
mod commands;
mod habits;
mod hints;
mod parser;
mod typed;

pub(crate) use clap_errors::{complaint, no_command, wants_json, welcome};
pub(crate) use commands::agent_guide;
pub(crate) use habits::of_other_tools;
pub use habits::{HABITS, Habit};
pub(crate) use hints::{advise, check};
pub use parser::Cli;
pub(crate) use parser::{SchemaOf, parse, shield_places, with_command};
