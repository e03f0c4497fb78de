//! A command line that the parser refuses, in words of our own.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ErrorKind};

use crate::cmd::format_from_environment;
use crate::error::Error;
use crate::render::Format;

/// Whether errors are to be JSON, as far as a command line that could not be parsed tells.
pub(crate) fn wants_json(args: &[OsString]) -> bool {
    let args = args.iter().take_while(|arg| *arg != "--");
    let mut format = None;
    let mut previous: &OsStr = OsStr::new("");
    for arg in args {
        let text = arg.to_string_lossy();
        match text.strip_prefix("--format=").or_else(|| text.strip_prefix("-f")) {
            Some(value) if !value.is_empty() => format = Some(value.trim_start_matches('=') == "json"),
            _ if previous == "--format" || previous == "-f" => format = Some(text == "json"),
            _ if text == "--json" => format = Some(true),
            _ if text == "--raw" || text == "--xml" => format = Some(false),
            _ => {}
        }
        previous = arg;
    }
    format.unwrap_or_else(|| matches!(format_from_environment(), Ok(Format::Json)))
}

/// What clap has to complain about, in one sentence; `None` when it is help or the version that was asked for.
pub(crate) fn complaint(error: &clap::Error) -> Option<Error> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return None;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Some(
            Error::usage("an action is missing").hint("build, show, list or clear: rread index --help"),
        );
    }
    let full = error.to_string();
    let mut lines = full.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut message = lines.next().unwrap_or_default().trim_start_matches("error: ").replace("' -", "'-");
    // "the following required arguments were not provided:" goes on in the next line.
    if message.ends_with(':') {
        message = format!("{message} {}", lines.next().unwrap_or_default());
    }
    let context = |kind| error.get(kind).map(ToString::to_string);
    let hint = context(ContextKind::SuggestedArg)
        .or_else(|| context(ContextKind::SuggestedSubcommand))
        .or_else(|| context(ContextKind::SuggestedValue))
        .map(|near| format!("did you mean {near}?"));
    let valid = context(ContextKind::ValidValue).map(|values| format!("one of {values}"));
    let usage = context(ContextKind::Usage).map(|usage| usage.replace("Usage: ", ""));
    let usage = usage.and_then(|usage| usage.lines().next().map(str::to_owned));
    let command = context(ContextKind::InvalidArg).filter(|word| !word.starts_with('-'));
    if let Some(command) = command.filter(|_| full.contains("rread capture [OPTIONS]")) {
        return Some(
            Error::usage(format!("{message}: CMD stands behind --"))
                .hint(format!("rread capture -- {}", crate::source::open::quoted_word(&command))),
        );
    }
    let help = full.contains("rread").then_some("rread --help").map(str::to_owned);
    let complaint = Error::usage(message);
    match hint.or(valid).or(usage).or(help) {
        Some(hint) => Some(complaint.hint(hint)),
        None => Some(complaint.hint("rread --help")),
    }
}
