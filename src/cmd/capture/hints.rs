//! Hints for refused `capture` command lines, and their exit code if they have a CMD.

use std::ffi::OsString;

use clap::Args;
use clap::error::ContextKind;

use super::{CaptureCommand, FAILED};
use crate::args::file::without_blank;
use rread_reader::capture::Handle;
use rread_text::error::Error;
use rread_text::quote::quoted_word;

const ACTIONS: [&str; 4] = ["list", "save", "drop", "help"];

/// The error for a command line that clap refused; `usual` makes it unless the mistake is one of `capture`.
pub(crate) fn complaint(
    error: &clap::Error,
    args: &[OsString],
    usual: impl FnOnce(&clap::Error) -> Option<Error>,
) -> Option<Error> {
    let complaint = misplaced(error, args).or_else(|| usual(error))?;
    Some(if runs_a_command(args) { complaint.exiting(FAILED) } else { complaint })
}

/// With a CMD, the exit code has to differ from the exit codes of CMD.
fn runs_a_command(args: &[OsString]) -> bool {
    let Some(words) = words_of_capture(args) else { return false };
    let is_action = words.first().is_some_and(|word| ACTIONS.iter().any(|action| word == action));
    let has_command = words.iter().position(|word| word == "--").is_some_and(|at| at + 1 < words.len());
    !is_action && has_command
}

fn words_of_capture(args: &[OsString]) -> Option<&[OsString]> {
    args.get(2..).filter(|_| args[1] == "capture")
}

/// A command without the `--` that goes before it, or another tool's word for an action.
fn misplaced(error: &clap::Error, args: &[OsString]) -> Option<Error> {
    let words = words_of_capture(args)?;
    let at = first_after_options(words)?;
    let plain = |word: &OsString| without_blank(&word.to_string_lossy()).to_owned();
    let words: Vec<String> = words.iter().map(plain).collect();
    let (options, rest) = words.split_at(at);
    let about = error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand))?;
    if about.to_string() != rest[0] {
        return None;
    }
    let message = format!("'{}' is not an action of capture; a command goes after --", rest[0]);
    Some(Error::usage(message).hint(meant(options, rest)))
}

/// The index of the first word that is neither an option nor its value; `None` if `--` comes first.
fn first_after_options(words: &[OsString]) -> Option<usize> {
    let parser = CaptureCommand::augment_args(clap::Command::new("capture"));
    let takes_next = |word: &str| {
        parser.get_arguments().any(|arg| {
            let long = word.strip_prefix("--");
            let short = word.strip_prefix('-').and_then(|name| name.parse::<char>().ok());
            let is_it =
                (long.is_some() && arg.get_long() == long) || (short.is_some() && arg.get_short() == short);
            is_it && arg.get_action().takes_values()
        })
    };
    let mut at = 0;
    loop {
        match &*words.get(at)?.to_string_lossy() {
            "--" => return None,
            word if word.len() > 1 && word.starts_with('-') => at += 1 + usize::from(takes_next(word)),
            _ => return Some(at),
        }
    }
}

fn meant(options: &[String], words: &[String]) -> String {
    let joined =
        |words: &[String]| -> String { words.iter().map(|word| format!(" {}", quoted_word(word))).collect() };
    let rest = &words[1..];
    let are_handles = !rest.is_empty() && rest.iter().all(|word| Handle::parse(word).is_some());
    match words[0].as_str() {
        "ls" if rest.is_empty() => return "rread capture list".to_owned(),
        "clear" if rest.is_empty() => return "rread capture drop --all".to_owned(),
        "rm" | "remove" | "delete" if are_handles => return format!("rread capture drop{}", joined(rest)),
        _ => {}
    }
    let for_a_shell = |c: char| c.is_whitespace() || "|&;<>()$`*?'\"".contains(c);
    let shell = if rest.is_empty() && words[0].contains(for_a_shell) { " sh -c" } else { "" };
    format!("rread capture{} --{shell}{}", joined(options), joined(words))
}
