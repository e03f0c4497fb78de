//! Hints with the whole command line to type: for a range, a name or an option that is wrong.

use std::ffi::OsString;
use std::path::Path;

use super::habits::{self, Role, without_extended};
use super::parser::{parse, shield_places};
use super::typed::{Grammar, Token, TokenRole, TypedCommand, command_line, missing_file, quote};
use crate::args::input::{is_number, names_file};
use rread_answer::wording::{self, worded};
use rread_reader::search::pattern::{escaped, has_look_around};
use rread_source::member_address::is_inside_file;
use rread_source::open::member_after_colon;
use rread_source::spelling::{matching, near_miss};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{Part, call};
use rread_text::timestamp::is_time_of_day;

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
    use Kind::{Changed, InvalidRange, InvalidText, NotFound, Usage};
    if !matches!(error.kind, Usage | InvalidRange | InvalidText | NotFound | Changed) {
        return error;
    }
    let Some(typed) = TypedCommand::of(args) else { return error };
    if let Some(line) = with_member(&typed).or_else(|| swapped(&error, &typed)) {
        return error.hint(line);
    }
    let line = completed(&error, &typed);
    // A habit explains two numbers better than a lone byte does.
    if let Some(line) = line.as_ref().filter(|_| error.kind != Kind::InvalidRange) {
        return error.hint(line.as_str());
    }
    if matches!(error.kind, Changed | InvalidText) {
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
    if let Some(line) = of_other_command(&typed, |_| false) {
        return error.hint(line);
    }
    let line = Meant::of(&typed, grammar, is_twice).line(&typed, grammar).or(line);
    if let Some(line) = line.or_else(|| of_other_command(&typed, |word| !grammar.takes(word))) {
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

/// The line of another command, or of another option, that does what was typed, also for a word that `is_no_range`.
fn of_other_command(typed: &TypedCommand, is_no_range: impl Fn(&str) -> bool) -> Option<String> {
    // As less is told to follow, or to begin at the end.
    if typed.words().any(|word| matches!(word, "+F" | "+G")) {
        let words = typed.words().filter(|word| matches!(*word, "+F" | "+G") || names_file(word.as_ref()));
        return Some(command_line("view", words));
    }
    let (files, others): (Vec<&str>, Vec<&str>) = typed.words().partition(|word| names_file(word.as_ref()));
    let [word] = others[..] else { return None };
    let has = |names: &[&str]| typed.tokens.iter().any(|token| names.contains(&&*token.text));
    let line = |command, words: &[&str]| {
        let options = options_but_places(typed);
        Some(command_line(command, words.iter().chain(&files).chain(&options).copied()))
    };
    // It may be the value of an option that there is not.
    let is_word = is_no_range(word) && typed.tokens.iter().all(|token| token.role != TokenRole::Unknown);
    match word {
        _ if typed.command != "lines" || files.is_empty() => None,
        time if is_word && is_time_of_day(time) => line("lines", &["--since", time]),
        word if is_word && word.chars().all(char::is_alphabetic) => line("search", &[word]),
        // The last lines of all files together.
        count if is_number(count) && has(&["--merge"]) && has(&["--last", "--tail"]) => {
            line("search", &["--last", count, ""])
        }
        _ => None,
    }
}

/// The address of a member in the place of `backup.tar.gz:etc/hosts`.
fn with_member(typed: &TypedCommand) -> Option<String> {
    let mut tokens = typed.tokens.iter().enumerate().filter(|(_, token)| token.role == TokenRole::Word);
    let (at, member) =
        tokens.find_map(|(at, token)| Some((at, member_after_colon(Path::new(&token.text))?)))?;
    Some(typed.replace(at, member.to_str()?))
}

/// `search FILE PATTERN` with its words in the other order.
fn swapped(error: &Error, typed: &TypedCommand) -> Option<String> {
    let words: Vec<usize> =
        (0..typed.tokens.len()).filter(|at| typed.tokens[*at].role == TokenRole::Word).collect();
    let [file, pattern] = words[..] else { return None };
    let mut texts = typed.texts();
    let is_meant = typed.command == "search"
        && error.kind == Kind::NotFound
        && names_file(texts[file].as_ref())
        && error.path.as_deref() == Some(Path::new(texts[pattern]));
    texts.swap(file, pattern);
    is_meant.then(|| typed.with(texts))
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

/// The files, ranges and options that a command line means.
#[derive(Default)]
struct Meant {
    files: Vec<String>,
    ranges: Vec<String>,
    options: Vec<String>,
    /// Whether they are not what was typed.
    differs: bool,
}

impl Meant {
    fn of(typed: &TypedCommand, grammar: Grammar, is_twice: bool) -> Self {
        let mut meant = Meant::default();
        let rows = if grammar == Grammar::Page { "" } else { &typed.command };
        let mut words = habits::rewritten(rows, typed).into_iter().peekable();
        let mut dropped = false;
        while let Some(word) = words.next() {
            let text = &*word.text;
            match word.role {
                Role::Known if is_twice && PLACES.iter().any(|place| text.starts_with(place)) => {
                    words.next_if(|next| next.role == Role::Option);
                    dropped = true;
                }
                Role::Name if text == "--" => {}
                // After `--`, clap takes an option for a name.
                Role::Name if text.starts_with("--") && typed.option(text).is_some() => {
                    meant.options.push(word.text);
                    meant.differs = true;
                }
                Role::Range => {
                    meant.ranges.push(habits::range(text, grammar).unwrap_or(word.text));
                    meant.differs = true;
                }
                Role::Typed
                    if text.starts_with('-') && text != "-" && habits::range(text, grammar).is_none() =>
                {
                    meant.options.push(word.text);
                }
                Role::Typed | Role::Name => meant.word(text, grammar),
                Role::Known | Role::Option => meant.options.push(word.text),
            }
        }
        meant.differs |= dropped;
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
        let meant = || lone.or_else(|| habits::range(text, grammar));
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
            && let Some(range) = habits::range(ranges, grammar)
        {
            self.differs = true;
            self.files.push(name.to_owned());
            self.range(range, grammar);
        } else if is_file && text.starts_with('-') && text != "-" {
            // `./` keeps a name that begins with a dash from being an option.
            self.files.push(format!("./{text}"));
            self.differs = true;
        } else {
            self.files.push(text.to_owned());
        }
    }

    /// In `ranges`, the ranges after a file belong to this file.
    fn range(&mut self, range: String, grammar: Grammar) {
        let keeps_place = grammar == Grammar::Mixed && !self.files.is_empty();
        if keeps_place { &mut self.files } else { &mut self.ranges }.push(range);
    }

    /// The command line, if it differs from what was typed and rread understands it.
    fn line(mut self, typed: &TypedCommand, grammar: Grammar) -> Option<String> {
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

/// `10:20` for `10 20`, and `100:+20` for `100 20`.
fn span(start: &str, end: &str) -> String {
    match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(a), Ok(b)) if a > b => format!("{start}:+{end}"),
        _ => format!("{start}:{end}"),
    }
}

/// The command line with what the hint of `error` adds; `None` if it is a command already, or another sentence.
pub(super) fn completed(error: &Error, typed: &TypedCommand) -> Option<String> {
    match (error.kind, error.hint.as_ref()?.parts()) {
        (Kind::NotFound, [_, Part::Path(near), ..]) => with_near_name(error.path.as_deref()?, near, typed),
        (Kind::Changed, [Part::Setting(name), ..]) if name == "expect" => {
            Some(typed.append_option("--expect-prefix"))
        }
        (Kind::Changed, _) => without_expect(typed),
        (Kind::Usage, [Part::Setting(name), rest @ ..]) if name == "encoding" => {
            let search = without_extended(typed).filter(|_| typed.command == "search");
            // The label that the hint has.
            let [Part::Text(label)] = rest else { return search };
            search.or_else(|| with_value(typed, &["-E", "--encoding"], |_| label.trim().to_owned()))
        }
        (Kind::Usage, [Part::Shell(command), ..])
            if typed.command == "search" && command.contains("iconv -f") =>
        {
            without_extended(typed)
        }
        (Kind::Usage, [Part::Setting(name)]) if name == "raw" => Some(typed.append_option("--raw")),
        (Kind::InvalidText, [Part::Text(what), Part::Setting(name), Part::Text(value)]) => {
            Some(what.clone() + &typed.append_option(&format!("--{name}{value}")))
        }
        (Kind::Usage, [Part::Call(search), _]) if *search == call("search").on("fixed-strings") => {
            match typed.command.as_str() {
                "search" => without_look_around(typed).or_else(|| Some(typed.prepend("-F"))),
                _ => with_value(typed, &["--until-match", "--pattern", "-p"], escaped),
            }
        }
        (Kind::InvalidRange, [Part::Text(text)]) => with_one_byte(text.strip_prefix("write ")?, typed),
        _ => None,
    }
}

/// All lines with their numbers, through a program that has look-around; a number would hide the beginning of a line. What
/// says which files are read stays, the flags that both have go there, and all else is left out.
fn without_look_around(typed: &TypedCommand) -> Option<String> {
    let typed_pattern = &typed.tokens.iter().find(|token| has_look_around(&token.text))?.text;
    let names_pattern = |token: &&Token| token.text.starts_with("-e") || token.text.starts_with("--regexp");
    // grep -P takes one pattern.
    if typed.tokens.iter().filter(names_pattern).count() > 1 {
        return None;
    }
    let pattern = typed_pattern.trim_start_matches("--regexp=").trim_start_matches("-e");
    let form = if pattern.starts_with('^') { "raw" } else { "text" };
    let (mut words, mut flags, mut is_kept) = (vec!["-f", form, ""], String::new(), true);
    for token in typed.tokens.iter().filter(|token| token.text != *typed_pattern) {
        let text = token.text.as_str();
        is_kept |= token.role != TokenRole::Value;
        if token.role == TokenRole::Known {
            let option = typed.option(text)?;
            let short = || option.get_short().into_iter().collect();
            let letters: String = if text.starts_with("--") { short() } else { text[1..].to_owned() };
            if !letters.is_empty() && letters.chars().all(|letter| "ciovwx".contains(letter)) {
                flags += &format!("-{letters} ");
            }
            is_kept = option.get_help_heading().is_some_and(|of| INPUT_HEADINGS.contains(&of));
        }
        words.extend(is_kept.then_some(text));
    }
    Some(format!("{} | grep -P {flags}{}", typed.with(words), quote(pattern)))
}

/// Options that say which files are read, and how.
const INPUT_HEADINGS: [&str; 3] = ["Files below a directory", "Time", "Input"];

/// The command line with the value of the option that has one of `names` made `new`.
fn with_value(typed: &TypedCommand, names: &[&str], new: impl Fn(&str) -> String) -> Option<String> {
    for (at, token) in typed.tokens.iter().enumerate() {
        if let Some((name, value)) = token.text.split_once('=').filter(|(name, _)| names.contains(name)) {
            return Some(typed.replace(at, &format!("{name}={}", new(value))));
        }
        if names.contains(&token.text.as_str()) {
            return typed.tokens.get(at + 1).map(|value| typed.replace(at + 1, &new(&value.text)));
        }
    }
    None
}

/// A hint names so many files at most.
const MOST_FILES: usize = 10;

fn with_near_name(missing: &Path, near: &Path, typed: &TypedCommand) -> Option<String> {
    let matching = matching(missing);
    // A path below a file means the file, or a member of it.
    let is_below_a_file =
        near.to_string_lossy().ends_with(&*missing.to_string_lossy()) || missing.starts_with(near);
    let near = match (matching.is_empty(), is_below_a_file) {
        (true, true) => vec![near.to_owned()],
        (true, false) => {
            vec![near_miss(missing).filter(|near| typed.words().all(|word| Path::new(word) != near))?]
        }
        (false, _) => matching,
    };
    let missing = missing.to_str().filter(|_| near.len() <= MOST_FILES)?;
    let mut words = typed.tokens.iter().enumerate().filter(|(_, token)| token.role == TokenRole::Word);
    let (at, ranges) = words.find_map(|(at, token)| {
        let ranges = token.text.strip_prefix(missing)?;
        (ranges.is_empty() || ranges.starts_with(':')).then_some((at, ranges))
    })?;
    let named = near.iter().map(|near| {
        let near = near.to_str()?;
        // `./` keeps a name that begins with a dash from being an option.
        let dashed = if near.starts_with('-') { "./" } else { "" };
        Some(format!("{dashed}{near}{ranges}"))
    });
    let mut named: Vec<String> = named.collect::<Option<_>>()?;
    // A colon may be part of the name of a member, so its ranges are a word of their own.
    if let ([member], Some(ranges)) = (&mut named[..], ranges.strip_prefix(':'))
        && near.iter().all(|near| is_inside_file(near))
    {
        member.truncate(member.len() - ranges.len() - 1);
        named.push(ranges.to_owned());
    }
    let texts = typed.texts();
    let names = named.iter().map(String::as_str);
    Some(typed.with(texts[..at].iter().copied().chain(names).chain(texts[at + 1..].iter().copied())))
}

/// The lone place of a byte as the range of one byte, such as `7:+1`.
fn with_one_byte(range: &str, typed: &TypedCommand) -> Option<String> {
    let place = range.strip_suffix(":+1")?;
    let is_it = |text: &str| text.split(',').any(|part| part.trim() == place);
    let at = typed.tokens.iter().position(|token| token.role == TokenRole::Word && is_it(&token.text))?;
    let parts = typed.tokens[at].text.split(',');
    let parts: Vec<&str> = parts.map(|part| if part.trim() == place { range } else { part }).collect();
    Some(typed.replace(at, &parts.join(",")))
}

/// The call that reads the file as it is now; its receipt has the new version.
fn without_expect(typed: &TypedCommand) -> Option<String> {
    let mut words = Vec::new();
    let mut tokens = typed.tokens.iter();
    while let Some(Token { text, role }) = tokens.next() {
        match (role, text.as_str()) {
            (TokenRole::Known, "--expect") => drop(tokens.next()),
            (TokenRole::Known, "--expect-prefix") => {}
            (TokenRole::Known, option) if option.starts_with("--expect=") => {}
            (_, word) => words.push(word),
        }
    }
    (words.len() < typed.tokens.len()).then(|| typed.with(words))
}
