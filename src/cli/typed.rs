//! A command line as it was typed: which words are names and ranges, and which are options and values.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::{Arg, Command};

use super::commands::parser_of;
use crate::args::input::without_blank;
use rread_text::range::parse_place;
use rread_text::{Place, Unit, address, parse_list, parse_mixed, quoted_word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenRole {
    Word,
    Known,
    Unknown,
    Value,
    Dashes,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) role: TokenRole,
}

pub(super) struct TypedCommand {
    pub(super) command: String,
    pub(super) tokens: Vec<Token>,
    parser: Command,
}

/// Commands to type have this in place of a header for web servers, whose value may be a secret.
const HEADER: &str = "NAME: VALUE";

/// `text`, a word after `previous`, without the value of a header, however the option is spelled.
fn without_secret(previous: &str, text: &str) -> String {
    let is_header = |option: &str| option.starts_with("--http-h") || matches!(option, "-H" | "--header");
    match text.split_once('=') {
        Some((option, _)) if option.starts_with("--http-h") => format!("{option}={HEADER}"),
        _ if is_header(previous) && text.contains(':') => HEADER.to_owned(),
        _ => text.to_owned(),
    }
}

impl TypedCommand {
    /// Classifies `args` by the options of their command; `None` without a command, or if a word is not UTF-8.
    pub(super) fn of(args: &[OsString]) -> Option<TypedCommand> {
        let mut command = args.get(1)?.to_str()?.to_owned();
        let mut parser = parser_of(&command)?.find_subcommand(&command)?.clone();
        let mut words = args.get(2..).unwrap_or_default();
        if let Some((action, rest)) = words.split_first()
            && let Some(below) = parser.find_subcommand(action).cloned()
        {
            (parser, words) = (below, rest);
            command = format!("{command} {}", action.to_str()?);
        }
        let mut typed = TypedCommand { command, tokens: Vec::new(), parser };
        let mut only_words = false;
        let mut takes_value = false;
        for arg in words {
            let text = without_blank(arg.to_str()?).to_owned();
            // A place from the end begins with a blank (`shield_places`), so it is not an option.
            let is_option = arg.to_str()?.starts_with('-') && text != "-";
            let role = match text.as_str() {
                _ if takes_value => TokenRole::Value,
                _ if only_words => TokenRole::Word,
                "--" => TokenRole::Dashes,
                option if is_option => typed.role_of(option),
                _ => TokenRole::Word,
            };
            takes_value = role == TokenRole::Known && typed.takes_value(&text);
            only_words |= role == TokenRole::Dashes;
            typed.tokens.push(Token { text, role });
        }
        Some(typed)
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter(|token| token.role == TokenRole::Word).map(|token| token.text.as_str())
    }

    pub(super) fn options(&self) -> impl Iterator<Item = String> {
        self.parser.get_arguments().filter_map(Arg::get_long).map(|long| format!("--{long}"))
    }

    pub(super) fn option(&self, text: &str) -> Option<&Arg> {
        let mut arguments = self.parser.get_arguments();
        if let Some(long) = text.strip_prefix("--") {
            let name = long.split('=').next();
            return arguments.find(|arg| arg.get_long() == name);
        }
        // In a row of short options, the last one takes the value.
        let last = self.shorts(text)?.last().copied()?;
        self.parser.get_arguments().find(|arg| arg.get_short() == Some(last))
    }

    /// The short options of a word such as `-nC3`, up to the one that takes the rest as its value.
    fn shorts(&self, text: &str) -> Option<Vec<char>> {
        let mut found = Vec::new();
        for c in text.strip_prefix('-')?.chars() {
            let arg = self.parser.get_arguments().find(|arg| arg.get_short() == Some(c))?;
            found.push(c);
            if arg.get_action().takes_values() {
                break;
            }
        }
        Some(found)
    }

    /// Whether the short option `letter` is one without a value; `None` if the command does not have it.
    pub(super) fn is_flag(&self, letter: char) -> Option<bool> {
        let found = self.parser.get_arguments().find(|arg| arg.get_short() == Some(letter));
        found.map(|arg| !arg.get_action().takes_values())
    }

    fn role_of(&self, text: &str) -> TokenRole {
        let is_known = text == "--help" || text == "-h" || self.option(text).is_some();
        if is_known { TokenRole::Known } else { TokenRole::Unknown }
    }

    pub(super) fn takes_value(&self, text: &str) -> bool {
        let has_it = match text.strip_prefix("--") {
            Some(long) => long.contains('='),
            None => self.shorts(text).is_none_or(|shorts| shorts.len() + 1 < text.chars().count()),
        };
        !has_it && self.option(text).is_some_and(|arg| arg.get_action().takes_values())
    }

    pub(super) fn texts(&self) -> Vec<&str> {
        self.tokens.iter().map(|token| token.text.as_str()).collect()
    }

    pub(super) fn with<'t>(&self, words: impl IntoIterator<Item = &'t str>) -> String {
        command_line(&self.command, words)
    }

    pub(super) fn replace(&self, at: usize, new: &str) -> String {
        let mut words = self.texts();
        words[at] = new;
        self.with(words)
    }

    pub(super) fn insert_after(&self, at: usize, new: &str) -> String {
        let mut words = self.texts();
        words.insert(at + 1, new);
        self.with(words)
    }

    pub(super) fn prepend(&self, word: &str) -> String {
        self.with([word].into_iter().chain(self.texts()))
    }

    /// With an option, quoted where it has to be, after the other words, but before `--`, after which it would be a name.
    pub(super) fn append_option(&self, option: &str) -> String {
        let words = self.texts();
        let dashes = self.tokens.iter().position(|token| token.role == TokenRole::Dashes);
        let (before, after) = words.split_at(dashes.unwrap_or(words.len()));
        // One format takes the place of another.
        let before = before.iter().filter(|word| option != "--raw" || !matches!(**word, "--json" | "--xml"));
        let after = after.iter().map(|word| format!(" {}", quote(word)));
        format!("{} {option}{}", self.with(before.copied()), after.collect::<String>())
    }

    pub(super) fn without(&self, at: usize) -> String {
        let has_value = self.tokens.get(at + 1).is_some_and(|next| next.role == TokenRole::Value);
        let mut words = self.texts();
        words.drain(at..=at + usize::from(has_value));
        self.with(words)
    }
}

/// `rread COMMAND WORDS`, quoted for a shell.
pub(super) fn command_line<'t>(command: &str, words: impl IntoIterator<Item = &'t str>) -> String {
    let (mut line, mut previous) = (format!("rread {command}"), "");
    for word in words {
        line += &format!(" {}", quote(&without_secret(previous, word)));
        previous = word;
    }
    line
}

/// The command line of another program, whose output rread reads.
pub(super) fn piped(program: &str, rest: &[String]) -> String {
    let words = rest.iter().map(|word| format!(" {}", quote(word)));
    format!("{program}{} | rread lines -", words.collect::<String>())
}

/// `word` quoted for a shell, without the secrets of a URL.
pub(super) fn quote(word: &str) -> String {
    quoted_word(&address::display(Path::new(word)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Lines,
    Bytes,
    Mixed,
    Page,
}

impl Grammar {
    pub(super) fn of(command: &str) -> Option<Self> {
        match command {
            "lines" => Some(Grammar::Lines),
            "bytes" => Some(Grammar::Bytes),
            "ranges" => Some(Grammar::Mixed),
            "page" => Some(Grammar::Page),
            _ => None,
        }
    }

    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            Grammar::Lines => parse_list(text, Unit::Lines).is_ok(),
            Grammar::Bytes => parse_list(text, Unit::Bytes).is_ok(),
            Grammar::Mixed => parse_mixed(text).is_ok(),
            Grammar::Page => parse_place(text, Unit::Bytes).is_ok_and(|place| place != Place::Front(0)),
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Grammar::Lines | Grammar::Mixed => ":20",
            Grammar::Bytes => "0:4096",
            Grammar::Page => "1",
        }
    }
}

pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal() && !rread_source::stdin::stdin_was_closed()
}

/// The FILE to suggest if none was typed.
pub(super) fn missing_file() -> &'static str {
    if is_piped() { "-" } else { "FILE" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_type_show_no_header() {
        for words in [
            &["--http-header", "Authorization: Bearer secret"][..],
            &["--http-header=A: secret"],
            &["--http-headers", "A: secret"],
            &["-H", "A: secret"],
            &["--header", "A:secret"],
        ] {
            let line = [&["rread", "lines", "https://host/x"][..], words, &["5"]].concat();
            let typed = TypedCommand::of(&line.iter().map(OsString::from).collect::<Vec<_>>()).unwrap();
            let shown = typed.with(typed.texts());
            assert!(!shown.contains("secret") && shown.contains("VALUE"), "{shown}");
        }
    }
}
