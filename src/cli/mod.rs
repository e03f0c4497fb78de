//! The command line: what was typed, and the parser of the subcommand that it names.

mod agent;
mod clap_errors;
mod commands;
mod full_command_hint;
mod names_of_other_tools;
mod options_of_grep;
mod options_of_other_tools;
mod pager;
mod parser;
mod patterns_of_grep;
mod ranges_of_other_tools;
mod scripts_of_other_tools;
mod typed;
mod words_of_other_tools;
mod words_of_tail;

pub(crate) use agent::agent_guide;
pub(crate) use clap_errors::{complaint, no_command, wants_json, welcome};
pub(crate) use commands::built_commands;
pub(crate) use options_of_other_tools::{advise, check};
pub use parser::Cli;
pub(crate) use parser::{SchemaOf, parse, shield_places, with_command};
pub(crate) use patterns_of_grep::of_grep;
pub(crate) use words_of_tail::of_tail;
