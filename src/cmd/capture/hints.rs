//! Hints for refused `capture` command lines, and their exit code if they have a CMD.

use std::ffi::OsString;

use clap::error::ContextKind;

use super::FAILED;
use crate::args::file::without_blank;
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
    let has_command = words.iter().position(|word| word == "--").is_some_and(|at| at + 1 < words.len());
    !names_action(words) && has_command
}

fn names_action(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| ACTIONS.iter().any(|action| word == action))
}

fn words_of_capture(args: &[OsString]) -> Option<&[OsString]> {
    args.get(2..).filter(|_| args[1] == "capture")
}

/// A command without the `--` that goes before it.
fn misplaced(error: &clap::Error, args: &[OsString]) -> Option<Error> {
    let words = words_of_capture(args).filter(|words| !names_action(words))?;
    let plain = |word: &OsString| without_blank(&word.to_string_lossy()).to_owned();
    let words: Vec<String> = words.iter().map(plain).collect();
    let about = error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand))?;
    let about = about.to_string();
    let at = words.iter().position(|word| *word == about).filter(|_| !about.starts_with('-'))?;
    let (options, rest) = words.split_at(at);
    let message = format!("'{about}' is not an action of capture; a command goes after --");
    Some(Error::usage(message).hint(meant(options, rest)))
}

fn meant(options: &[String], words: &[String]) -> String {
    let joined =
        |words: &[String]| -> String { words.iter().map(|word| format!(" {}", quoted_word(word))).collect() };
    let for_a_shell = |c: char| c.is_whitespace() || "|&;<>()$`*?'\"".contains(c);
    let shell = if words.len() == 1 && words[0].contains(for_a_shell) { " sh -c" } else { "" };
    format!("rread capture{} --{shell}{}", joined(options), joined(words))
}
