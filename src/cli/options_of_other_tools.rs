//! Habits of other tools: the right command line for `10..20`, `--tail 20` or a range before FILE.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use super::full_command_hint::completed;
use super::parser::{parse, shield_places};
use super::ranges_of_other_tools::{Grammar, span};
use super::typed::{Token, TokenRole, TypedCommand};
use crate::args::file::{is_number, names_file};
use crate::wording::{self, worded};
use rread_text::error::{Error, Kind, Result};

/// The number of lines that `head` and `tail` print by default.
const USUAL: &str = "10";

/// Refuses `-n 20`: other tools mean 20 lines, but in rread it would number the lines and read line 20.
pub(crate) fn check(args: &[OsString]) -> Result<()> {
    if args.get(1).is_none_or(|command| command != "lines") {
        return Ok(());
    }
    let before_dashes = args.split(|arg| arg == "--").next().unwrap_or_default();
    let mut after_n =
        before_dashes.windows(2).filter(|pair| pair[0] == "-n").filter_map(|pair| pair[1].to_str());
    let Some(count) = after_n.find(|count| is_number(count)) else { return Ok(()) };
    // In `lines f -n 7`, 7 may be the name of a file.
    if names_file(count.as_ref()) {
        return Ok(());
    }
    let error = Error::usage(format!(
        "'-n {count}' does not mean {count} lines: -n numbers the lines, and RANGES selects them"
    ));
    Err(advise(error, args))
}

/// The error with the intended command line as its hint, if rread recognises it.
pub(crate) fn advise(error: Error, args: &[OsString]) -> Error {
    if !matches!(error.kind, Kind::Usage | Kind::InvalidRange | Kind::NotFound | Kind::Changed) {
        return error;
    }
    let Some(typed) = TypedCommand::of(args) else { return error };
    let line = completed(&error, &typed);
    // A habit explains two numbers better than a lone byte does.
    if let Some(line) = line.as_ref().filter(|_| error.kind != Kind::InvalidRange) {
        return error.hint(line.as_str());
    }
    if error.kind == Kind::Changed {
        return error;
    }
    let Some(grammar) = Grammar::of(&typed.command) else {
        let is_where = typed.command == "where" && error.kind == Kind::InvalidRange;
        return if is_where { error.hint(example_of(&typed, "--line 10")) } else { error };
    };
    // A missing file is not a habit, unless its name is a range.
    let is_lone_range = || {
        let words: Vec<&str> = typed.words().collect();
        matches!(words[..], [word] if grammar.takes(word) && !names_file(word.as_ref()))
    };
    if error.kind == Kind::NotFound && !is_lone_range() {
        return error;
    }
    let is_twice = worded(&error.message).starts_with(TWICE);
    let has_list = typed.tokens.iter().any(|token| token.text.starts_with("--from"));
    // The list was read: its content is wrong, not the command.
    if has_list && !is_twice {
        return error;
    }
    if let Some(line) = Meant::of(&typed, grammar, is_twice).line(&typed, grammar).or(line) {
        return error.hint(line);
    }
    let is_of_range = error.kind == Kind::InvalidRange || grammar == Grammar::Page && error.hint.is_none();
    let is_general =
        wording::hint(&error).is_none_or(|hint| GENERAL.iter().any(|known| hint.starts_with(known)));
    if is_of_range && is_general && !has_list {
        return error.hint(example_of(&typed, grammar.example()));
    }
    error
}

const TWICE: &str = "ranges were given both";

/// The start of hints that only show the form of a range.
const GENERAL: [&str; 2] = ["write 100:120, ", "write 0:4096, "];

/// The command line with `example` after its files.
fn example_of(typed: &TypedCommand, example: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for (n, word) in typed.words().enumerate() {
        let name = word.split(':').next().unwrap_or(word);
        match (names_file(word.as_ref()), names_file(name.as_ref())) {
            (true, _) => words.push(word),
            (false, true) => words.push(name),
            (false, false) if n == 0 => words.push(word),
            (false, false) => {}
        }
    }
    words.extend(example.split(' '));
    if typed.command != "where" {
        words.extend(options_but_places(typed));
    }
    typed.with(words)
}

fn options_but_places(typed: &TypedCommand) -> Vec<&str> {
    let mut tokens = typed.tokens.iter().peekable();
    let mut words = Vec::new();
    while let Some(Token { text, role }) = tokens.next() {
        match role {
            TokenRole::Known if PLACES.iter().any(|place| text.starts_with(place)) => {
                tokens.next_if(|token| token.role == TokenRole::Value);
            }
            TokenRole::Known | TokenRole::Value => words.push(text.as_str()),
            TokenRole::Word | TokenRole::Unknown | TokenRole::Dashes => {}
        }
    }
    words
}

const PLACES: [&str; 6] = ["--offset", "--limit", "--start-byte", "--end-byte", "--all", "--from"];

#[derive(Default)]
struct Meant {
    files: Vec<String>,
    ranges: Vec<String>,
    start: Option<String>,
    end: Option<String>,
    options: Vec<String>,
    differs: bool,
}

impl Meant {
    fn of(typed: &TypedCommand, grammar: Grammar, is_twice: bool) -> Self {
        let mut meant = Meant::default();
        let mut tokens = typed.tokens.iter().peekable();
        let (mut dashed, mut dropped) = (false, false);
        while let Some(Token { text, role }) = tokens.next() {
            let next = tokens.peek().filter(|token| token.role == TokenRole::Word);
            let next = next.map(|token| token.text.as_str());
            match role {
                TokenRole::Dashes => dashed = true,
                TokenRole::Known if is_twice && PLACES.iter().any(|place| text.starts_with(place)) => {
                    tokens.next_if(|token| token.role == TokenRole::Value);
                    meant.differs = true;
                    dropped = true;
                }
                // After `--`, clap takes an option for a name.
                TokenRole::Word if dashed && text.starts_with("--") && typed.option(text).is_some() => {
                    meant.options.push(text.clone());
                    meant.differs = true;
                }
                TokenRole::Word => meant.word(text, grammar),
                TokenRole::Known
                    if text == "-n" && next.is_some_and(is_number) && typed.command == "lines" =>
                {
                    meant.count("--head", next.unwrap_or_default());
                    tokens.next();
                }
                TokenRole::Unknown if names_file(text.as_ref()) => {
                    meant.files.push(format!("./{text}"));
                    meant.differs = true;
                }
                TokenRole::Unknown if meant.habit(text, next, grammar) => {
                    if !text.contains('=') && next.is_some_and(|next| takes_next(text, next, grammar)) {
                        tokens.next();
                    }
                }
                TokenRole::Known | TokenRole::Unknown | TokenRole::Value => meant.options.push(text.clone()),
            }
        }
        if is_twice && !dropped && grammar != Grammar::Mixed {
            meant.ranges.clear();
            meant.differs = true;
        }
        meant
    }

    fn word(&mut self, text: &str, grammar: Grammar) {
        let is_file = names_file(text.as_ref());
        // Two lone numbers are a range; one is an error that names its two readings.
        let lone = Some(text.to_owned()).filter(|text| grammar == Grammar::Bytes && is_number(text));
        let meant = || lone.or_else(|| grammar.find_reading(text));
        if let Some(range) = (!is_file).then(meant).flatten() {
            // `-20` before FILE is the last 20 lines, as in tail.
            let is_tail = self.files.is_empty() && grammar == Grammar::Lines;
            let is_tail = is_tail && range.strip_prefix('-').is_some_and(is_number);
            let range = if is_tail { format!("{range}:") } else { range };
            self.differs |= range != text.trim() || self.files.is_empty();
            return self.range(range, grammar);
        }
        self.differs |= !self.ranges.is_empty() && grammar != Grammar::Mixed;
        let attached = text.split_once(':').filter(|(name, _)| !is_file && names_file(name.as_ref()));
        if let Some((name, ranges)) = attached
            && let Some(range) = grammar.find_reading(ranges)
        {
            self.differs = true;
            self.files.push(name.to_owned());
            self.range(range, grammar);
        } else if is_file && text.starts_with('-') && text != "-" {
            // `./` keeps a name that begins with a dash from being an option.
            self.files.push(format!("./{text}"));
        } else {
            self.files.push(text.to_owned());
        }
    }

    /// In `ranges`, the ranges after a file belong to this file.
    fn range(&mut self, range: String, grammar: Grammar) {
        let keeps_place = grammar == Grammar::Mixed && !self.files.is_empty();
        if keeps_place { &mut self.files } else { &mut self.ranges }.push(range);
    }

    fn count(&mut self, option: &str, count: &str) {
        let is_tail = matches!(option, "--tail" | "--last");
        self.ranges.push(if is_tail { format!("-{count}:") } else { format!(":{count}") });
        self.differs = true;
    }

    /// Understands an option of another tool; `false` if it has no equivalent.
    fn habit(&mut self, text: &str, next: Option<&str>, grammar: Grammar) -> bool {
        if grammar == Grammar::Page {
            return false;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, next.filter(|next| takes_next(text, next, grammar))),
        };
        let attached = name.strip_prefix("-n").filter(|count| is_number(count));
        match (name, value, attached) {
            (_, _, Some(count)) => self.count("--head", count),
            ("--head" | "--tail" | "--first" | "--last" | "--top", value, _) => {
                self.count(name, value.unwrap_or(USUAL));
            }
            ("--lines" | "--line" | "--range" | "--line-range" | "-r", Some(value), _) => {
                let Some(range) = grammar.find_reading(value) else { return false };
                self.ranges.push(range);
            }
            ("--start" | "--start-line" | "--from" | "--begin", Some(value), _) => {
                self.start = Some(value.to_owned())
            }
            ("--end" | "--end-line" | "--to" | "--until", Some(value), _) => {
                self.end = Some(value.to_owned())
            }
            _ => return false,
        }
        self.differs = true;
        true
    }

    /// The command line, if it differs from what was typed and rread understands it.
    fn line(mut self, typed: &TypedCommand, grammar: Grammar) -> Option<String> {
        if self.start.is_some() || self.end.is_some() {
            let [start, end] = [&self.start, &self.end].map(|place| place.clone().unwrap_or_default());
            self.ranges.push(format!("{start}:{end}"));
        }
        if self.files.is_empty() {
            self.files.push(missing_file().to_owned());
            self.differs = true;
        }
        let ranges = match &self.ranges[..] {
            [start, end] if is_number(start) && is_number(end) && grammar != Grammar::Mixed => {
                vec![span(start, end)]
            }
            [_, _, ..] if grammar == Grammar::Page => return None,
            [_, _, ..] if grammar != Grammar::Mixed => vec![self.ranges.join(",")],
            _ => self.ranges.clone(),
        };
        self.differs |= ranges != self.ranges;
        let words: Vec<&str> =
            [&self.files, &ranges, &self.options].into_iter().flatten().map(String::as_str).collect();
        // A hint that leads to the next error is worse than no hint.
        let understood = || {
            let args = ["rread", &typed.command].into_iter().chain(words.iter().copied());
            let args = shield_places(args.map(OsString::from));
            parse(&args).is_ok() && ranges.iter().all(|range| grammar.takes(range))
        };
        (self.differs && understood()).then(|| typed.with(words.iter().copied()))
    }
}

/// Whether `next` is the value of the foreign option `option`.
fn takes_next(option: &str, next: &str, grammar: Grammar) -> bool {
    let is_range = matches!(option, "--lines" | "--line" | "--range" | "--line-range" | "-r");
    !option.starts_with("-n") && (is_number(next) || is_range && grammar.find_reading(next).is_some())
}

pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal() && !rread_source::stdio::stdin_was_closed()
}

/// The FILE to suggest if none was typed.
pub(super) fn missing_file() -> &'static str {
    if is_piped() { "-" } else { "FILE" }
}
