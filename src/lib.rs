//! The program `rread`: reads a slice of a text file of any size and says exactly what it returned.
//!
//! **Commands fill envelopes, and renderers write them.** No renderer reads a file, and no command writes a format. What
//! reads is in the crates below: `rread_text`, `rread_documents`, `rread_source`, `rread_reader`, `rread_sql` and `rread_answer`. Programs
//! that read should use those; this crate has only [`run`] and [`prepare`] for `main`, and two texts.
//!
//! All reading is positioned (`read_at`), not a `BufReader` over one seek position: several threads scan the same open
//! file at once, and no read depends on where another one left off.
//!
//! Modules, lowest first; each uses only those before it: `progress`, `standard`, `args`, `roots`, `cmd`, `cli`, `generate`.

mod args;
mod cli;
mod cmd;
mod generate;
mod progress;
mod roots;
mod standard;

use std::ffi::OsString;

use cli::{
    Cli, SchemaOf, advise, agent_guide, check, complaint, no_command, of_other_tools, parse, shield_places,
    wants_json, welcome, with_command,
};
use format::Format;
use rread_answer::format;
use rread_text::Result;
use standard::{complain, note, note_as_json};

/// For the tests of the program, the fuzz targets and the benchmarks. It may change at any time.
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($module:ident)*) => { $(#[allow(missing_docs)] pub mod $module { pub use crate::$module::*; })* };
    }
    open!(cli generate);
    #[cfg(all(feature = "cluster", feature = "fuzzing"))]
    #[allow(missing_docs)]
    pub mod worker {
        pub use crate::cmd::worker::run::opening_below;
    }
}

pub use rread_answer::SCHEMA;

/// The guide for agents, in one page.
pub const AGENT_GUIDE: &str = include_str!("agent.txt");

/// Runs the program on `args`, the first of which is its name; returns the exit code.
///
/// The answer goes to standard output, errors to standard error: this is the only place that prints them.
pub fn run(args: impl Iterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.collect();
    #[cfg(feature = "documents")]
    if let Some(job) = rread_source::document::Job::of_args(&args) {
        // Nobody reads the words of a decoder that fails.
        std::panic::set_hook(Box::new(|_| std::process::exit(rread_source::document::PANICKED)));
        return job.run();
    }
    #[cfg(unix)]
    rread_source::interrupt::end_with(end);
    let args = with_command(shield_places(of_other_tools(args).into_iter()));
    rread_source::stdin::show_notes_with(if wants_json(&args) { note_as_json } else { note });
    if let Some(guide) = agent_guide(&args, AGENT_GUIDE) {
        let format = if wants_json(&args) { Format::Json } else { Format::default() };
        return finish(format, guide.and_then(|text| print(text.as_bytes())));
    }
    if is_version_as_json(&args) {
        return finish(Format::Json, cmd::doctor::version_json().and_then(|text| print(text.as_bytes())));
    }
    let (format, result) = match parse(&args) {
        Ok(cli) => {
            let format = cli.command.as_ref().map(|command| command.output().format());
            let format = format.unwrap_or_else(args::content::format_from_environment);
            let answered = check(&args).and_then(|()| dispatch(cli));
            (format.unwrap_or_default(), answered.map_err(|error| advise(error, &args)))
        }
        Err(error) => match cmd::capture::complaint(&error, &args, |error| complaint(error, &args)) {
            Some(complaint) if wants_json(&args) => (Format::Json, Err(complaint)),
            Some(complaint) => (Format::default(), Err(complaint)),
            None => (Format::default(), print(error.to_string().as_bytes())),
        },
    };
    finish(format, result)
}

/// Whether `args` ask for the version in JSON.
fn is_version_as_json(args: &[OsString]) -> bool {
    let is_version = |word: &OsString| word == "--version" || word == "-V";
    let is_format = |word: &OsString| word == "json" || word.to_string_lossy().starts_with('-');
    let mut words = args.iter().skip(1);
    args.iter().any(is_version) && words.all(is_format) && wants_json(args)
}

/// Reports an error; returns the exit code.
fn finish(format: Format, result: Result<u8>) -> u8 {
    result.unwrap_or_else(|error| {
        complain(&error, format);
        error.exit_code()
    })
}

/// Prepares the process: a file size limit is an error of writing, not a signal; refused memory ends the program with
/// exit code 3, and a panic in any thread with one sentence and exit code 70.
pub fn prepare() {
    #[cfg(unix)]
    rread_source::limits::outlive();
    standard::explain_panics();
}

/// Ends the process as `signal` does.
#[cfg(unix)]
fn end(signal: i32, is_second: bool) {
    if is_second {
        // As shells say it after SIGINT.
        signal_hook::low_level::exit(130);
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

fn dispatch(cli: Cli) -> Result<u8> {
    match cli {
        Cli { schema: Some(SchemaOf::Answers), .. } => print(SCHEMA.as_bytes()),
        Cli { schema: Some(SchemaOf::Tools), .. } => print(cmd::tools::as_functions().as_bytes()),
        Cli { help_agent: true, .. } => print(AGENT_GUIDE.as_bytes()),
        Cli { generate: Some(what), .. } => print(&generate::generate(&what)?),
        Cli { command: Some(command), .. } => command.run(),
        Cli { command: None, .. } => match welcome() {
            Some(text) => print(text.as_bytes()),
            None => Err(no_command()),
        },
    }
}

fn print(text: &[u8]) -> Result<u8> {
    let mut out = crate::standard::stdout()?;
    out.write(text)?;
    out.flush().map(|()| 0)
}
