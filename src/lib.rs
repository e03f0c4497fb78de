//! Reads a slice of a text file of any size and says exactly what it returned.
//!
//! The modules, lowest first: [`error`]; [`range`] (what was asked); [`utf8`], [`newline`], [`sniff`] and
//! [`encoding`] (what bytes are, in memory); [`stdio`]; [`source`] (bytes that can be read again from anywhere); [`store`] and [`index`] (what is
//! remembered of files between runs); [`reader`] (the only code that
//! looks for lines and characters); [`selection`] (from ranges to slices); [`output`]; [`body`] (from slices to
//! content); [`image`] (what pictures say of themselves, and smaller ones); [`next`] (how to go on); [`report`] (the envelope); [`render`] (the formats); [`cmd`] (the
//! subcommands); [`cli`]; [`generate`]. A module names only those before it.

pub mod body;
pub mod cli;
pub mod cmd;
pub mod encoding;
pub mod error;
pub mod generate;
pub mod image;
pub mod index;
pub mod newline;
pub mod next;
pub mod output;
pub mod range;
pub mod reader;
pub mod render;
pub mod report;
pub mod selection;
pub mod sniff;
pub mod source;
pub mod stdio;
pub mod store;
pub mod utf8;

use std::ffi::OsString;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::path::Path;

use clap::{CommandFactory, FromArgMatches};

use cli::{Cli, complaint, shield_places, wants_json};
use error::{Error, Result, printable};
use output::Out;
use render::Format;

/// The JSON Schema of every answer and of errors.
pub const SCHEMA: &str = include_str!("schema.json");

/// Runs the program on `args`, the first of which is its name; returns the exit code.
///
/// The answer goes to standard output, errors to standard error: this is the only place that prints them.
pub fn run(args: impl Iterator<Item = OsString>) -> u8 {
    let args = shield_places(args);
    // Neither is of use again, and taking them apart costs more than it gives back.
    let mut command = ManuallyDrop::new(Cli::command());
    let parsed = command.try_get_matches_from_mut(&args).map(ManuallyDrop::new);
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches));
    let (json, result) = match parsed {
        Ok(cli) => {
            let format = cli.command.as_ref().map(|command| command.output().format());
            let format = format.unwrap_or_else(cmd::format_from_environment);
            (matches!(format, Ok(Format::Json)), answer(cli))
        }
        Err(error) => match complaint(&error) {
            Some(complaint) => (wants_json(&args), Err(complaint)),
            None => (false, print(error.to_string().as_bytes())),
        },
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            complain(&error, json);
            error.kind.exit_code()
        }
    }
}

fn answer(cli: Cli) -> Result<()> {
    match cli {
        Cli { schema: true, .. } => print(SCHEMA.as_bytes()),
        Cli { generate: Some(what), .. } => print(&generate::generate(&what)?),
        Cli { command: Some(command), .. } => command.run(),
        Cli { command: None, .. } => Err(Error::usage("no command was given").hint("rread --help")),
    }
}

fn print(text: &[u8]) -> Result<()> {
    let mut out = Out::stdout()?;
    out.write(text)?;
    out.flush()
}

/// Tells of a failure on standard error. That this may fail too changes nothing.
fn complain(error: &Error, json: bool) {
    if error.kind == error::Kind::BrokenPipe {
        return;
    }
    let hint = error.hint.as_deref().map_or(String::new(), |hint| format!("hint: {}\n", printable(hint)));
    let text =
        if json { format!("{}\n", report::error_json(error)) } else { format!("rread: {error}\n{hint}") };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Tells on standard error what an answer without a receipt cannot say itself.
pub(crate) fn warn(path: &Path, note: &str) {
    let _ = io::stderr()
        .write_all(format!("rread: {}: note: {}\n", printable(&path.to_string_lossy()), note).as_bytes());
}
