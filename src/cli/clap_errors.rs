//! The message and the hint for a command line that clap refuses.

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::Arg;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::commands::{built_commands, is_command};
use super::habits::{self, is_program, known_elsewhere, ours};
use super::hints::advise;
use super::parser::{parse, shield_places};
use super::typed::{Token, TokenRole, TypedCommand, command_line, is_piped, missing_file, quote};
use crate::args::content::format_from_environment;
use crate::args::input::{is_number, names_file, without_blank};
use rread_answer::Format;
use rread_source::spelling::{near_miss, nearest};
use rread_text::{Error, Unit, listed, parse_list};

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

/// The error of clap in words of our own; `None` if the user asked for help or the version.
pub(crate) fn complaint(error: &clap::Error, args: &[OsString]) -> Option<Error> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return None;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Some(Error::usage("ACTION is missing: build, show, list or clear").hint("rread index list"));
    }
    let typed = TypedCommand::of(args);
    let mut complaint = match error.kind() {
        ErrorKind::InvalidSubcommand => return Some(unknown_command(error, args)),
        ErrorKind::UnknownArgument if typed.is_none() => without_command(error, args),
        ErrorKind::UnknownArgument => unknown_argument(error, typed.as_ref()),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => wrong_value(error, typed.as_ref()),
        ErrorKind::ArgumentConflict => conflict(error, typed.as_ref()),
        ErrorKind::MissingRequiredArgument => missing(error, typed.as_ref()),
        ErrorKind::InvalidUtf8 => Error::usage("an argument is not UTF-8; only FILE may have other bytes"),
        _ => Error::usage(sentence(&error.to_string())),
    };
    complaint.hint.get_or_insert_with(|| match command_of(args) {
        Some(command) => format!("rread {command} --help").into(),
        None => "rread --help".into(),
    });
    Some(advise(complaint, args))
}

/// A screen of help, where a person called the program without a command.
pub(crate) fn welcome() -> Option<&'static str> {
    let is_person = io::stdout().is_terminal() && io::stdin().is_terminal();
    is_person.then_some(
        "rread reads a slice of a text file of any size, and says exactly what it returned.

  rread lines app.log -20:             the last 20 lines; 100:120 are lines by number
  rread search -i error app.log -C 2   the lines that match, with two lines around each
  rread view app.log                   the file full-screen, with the keys of less

rread --help          all commands, ranges and exit codes
rread COMMAND --help  the options of a command
rread doctor          what this build has, and where it keeps files
",
    )
}

pub(crate) fn no_command() -> Error {
    let hint = if is_piped() { "rread lines -" } else { "rread --help" };
    Error::usage("COMMAND or FILE is missing").hint(hint)
}

/// The first sentence of clap, for errors that have no words of our own.
fn sentence(full: &str) -> String {
    let mut lines = full.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default().trim_start_matches("error: ").replace("' -", "'-");
    // "the following required arguments were not provided:" continues on the next line.
    if message.ends_with(':') { format!("{message} {}", lines.next().unwrap_or_default()) } else { message }
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    all(error, kind).join(", ").trim().to_owned()
}

fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn command_of(args: &[OsString]) -> Option<&str> {
    args.get(1)?.to_str().filter(|name| is_command(name))
}

fn unknown_command(error: &clap::Error, args: &[OsString]) -> Error {
    let name = context(error, ContextKind::InvalidSubcommand);
    if let Some(command) = command_of(args) {
        return Error::usage(format!("'{name}' is not an action of rread {command}"))
            .hint(format!("rread {command} --help"));
    }
    let mut rest: Vec<String> =
        args.iter().skip(2).map(|arg| without_blank(&arg.to_string_lossy()).to_owned()).collect();
    // A name that is not UTF-8 cannot be in a hint.
    let is_text = args.iter().skip(2).all(|arg| arg.to_str().is_some());
    let json = rest.pop_if(|word| word == "--json");
    if let Some(line) = ours(&name, &rest).filter(|_| is_text) {
        let line = json.iter().fold(line, |line, option| line + " " + option);
        return Error::usage(format!("'{name}' is not a command of rread")).hint(line);
    }
    if is_program(&name) {
        return Error::usage(format!("'{name}' is not a command of rread")).hint("rread --help");
    }
    let rest = rest.iter().chain(&json).map(String::as_str);
    let message = format!("'{name}' is neither a command nor a file");
    if let Some(command) = nearest(&name, built_commands().map(str::to_owned)) {
        return Error::usage(message).hint(command_line(&command, rest));
    }
    if parse_list(&name, Unit::Lines).is_ok() {
        return Error::usage(format!("FILE is missing before the range '{name}'")).hint(format!(
            "rread lines {} {}",
            missing_file(),
            quote(&name)
        ));
    }
    let parts = name.split_once(':').map_or(name.as_str(), |(file, _)| file);
    match near_miss(Path::new(parts)).and_then(|near| near.to_str().map(str::to_owned)) {
        Some(near) => {
            Error::usage(message).hint(command_line("lines", [near.as_str()].into_iter().chain(rest)))
        }
        None => Error::usage(message).hint("rread --help"),
    }
}

/// An option comes first: the user may have meant `lines` without FILE.
fn without_command(error: &clap::Error, args: &[OsString]) -> Error {
    let mut lines = args.to_vec();
    lines.insert(1.min(lines.len()), OsString::from("lines"));
    let typed = TypedCommand::of(&lines).filter(|typed| {
        typed
            .tokens
            .iter()
            .all(|token| matches!(token.role, TokenRole::Known | TokenRole::Value | TokenRole::Word))
    });
    if let Some(line) = typed.as_ref().and_then(followed) {
        return Error::usage("a command is missing").hint(line);
    }
    match typed.as_ref().map(|typed| (typed, typed.words().next())) {
        Some((typed, None)) => {
            let words = [missing_file()].into_iter().chain(typed.texts());
            Error::usage("FILE is missing").hint(typed.with(words))
        }
        Some((_, Some(word))) => {
            Error::usage(format!("'{word}' is neither a command nor a file")).hint("rread --help")
        }
        None => unknown_argument(error, None),
    }
}

/// The file that `-f` means to follow, as in tail: it is no format.
fn followed(typed: &TypedCommand) -> Option<String> {
    let at = typed.tokens.iter().position(|token| token.text == "-f")?;
    let is_format = typed.tokens.get(at + 1).is_some_and(|next| !names_file(next.text.as_ref()));
    let files: Vec<&str> = typed.texts().into_iter().filter(|text| names_file(text.as_ref())).collect();
    let follows = typed.command == "lines" && !is_format && !files.is_empty();
    follows.then(|| command_line("follow", files))
}

fn unknown_argument(error: &clap::Error, typed: Option<&TypedCommand>) -> Error {
    let name = context(error, ContextKind::InvalidArg);
    let Some(typed) = typed else { return Error::usage(format!("rread has no option {name}")) };
    let command = &typed.command;
    if !name.starts_with('-') {
        return Error::usage(format!("unexpected argument '{name}' after rread {command}"));
    }
    let error = Error::usage(format!("rread {command} has no option {name}"));
    let bare = name.split('=').next().unwrap_or_default();
    let at = typed.tokens.iter().position(|token| token.text.split('=').next() == Some(bare));
    if let Some((why, hint)) = habits::explain_refusal(typed, bare) {
        let error = Error::usage(format!("rread {command} has no option {bare}: {why}"));
        return hint.into_iter().fold(error, |error: Error, hint| error.hint(hint));
    }
    if let Some(dashes) = typed.tokens.iter().position(|token| token.role == TokenRole::Dashes)
        && typed.option(bare).is_some()
    {
        return Error::usage(format!("{bare} is after --, where only names are")).hint(typed.without(dashes));
    }
    if let Some(at) = at.filter(|_| bare == "--page") {
        return error.hint(page_of(typed, at));
    }
    let Some(at) = at else { return error };
    if let Some(line) = line_of_other_name(typed, at, bare) {
        return error.hint(line);
    }
    let is_near = |near: &String| strsim::osa_distance(near, bare) <= if bare.len() < 6 { 1 } else { 2 };
    let near = nearest(bare, typed.options().filter(|_| bare.starts_with("--"))).filter(is_near);
    let begun: Vec<String> = typed.options().filter(|one| bare.len() > 5 && one.starts_with(bare)).collect();
    let near = near.or(if let [only] = &begun[..] { Some(only.clone()) } else { None });
    let line = near.and_then(|near| {
        let text = typed.tokens[at].text.replacen(bare, &near, 1);
        let next = typed.tokens.get(at + 1).map(|next| next.text.as_str());
        // A number after an option that takes no value is a value.
        let takes_none = typed.option(&near).is_some_and(|arg| !arg.get_action().takes_values());
        let is_value = takes_none && !text.contains('=') && next.is_some_and(is_number);
        let args = understood(
            typed,
            typed.texts().iter().enumerate().map(|(n, word)| if n == at { &text } else { *word }),
        );
        (!is_value && args).then(|| typed.replace(at, &text))
    });
    line.into_iter().fold(error, Error::hint)
}

/// Whether rread takes the option that stands in the place of a wrong one: another word may be wrong too.
fn understood<'w>(typed: &'w TypedCommand, words: impl Iterator<Item = &'w str>) -> bool {
    let args = ["rread"].into_iter().chain(typed.command.split(' ')).chain(words).map(OsString::from);
    match parse(&shield_places(args)) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation),
    }
}

/// The command line with the option that another program calls `name`, or the command that does what it says.
fn line_of_other_name(typed: &TypedCommand, at: usize, name: &str) -> Option<String> {
    let text = &typed.tokens[at].text;
    let joined = text.split_once('=').map(|(_, value)| value);
    let value = joined.or_else(|| typed.tokens.get(at + 1).map(|next| next.text.trim()));
    let mut rest: Vec<&str> = typed.texts();
    rest.drain(at..(at + 1 + usize::from(joined.is_none() && value.is_some())).min(rest.len()));
    match (typed.command.as_str(), name) {
        ("lines" | "page" | "view", "--grep" | "--search" | "--pattern" | "--match") => {
            let words = [value?].into_iter().chain(rest);
            return Some(command_line("search", words));
        }
        ("lines" | "search" | "view", "--follow") => {
            let files = typed.words().filter(|word| names_file(word.as_ref()));
            return Some(command_line("follow", files));
        }
        _ => {}
    }
    known_elsewhere(&typed.command, name).find_map(|ours| {
        let (option, takes) = ours.strip_suffix('=').map_or((ours, false), |option| (option, true));
        let mut new: Vec<&str> = option.split(' ').collect();
        new.extend(value.filter(|_| takes));
        match &new[..] {
            ["-f", "json"] => new = vec!["--json"],
            ["-f", "raw"] => new = vec!["--raw"],
            _ => {}
        }
        let mut words = typed.texts();
        words.splice(
            at..at + 1 + usize::from(takes && joined.is_none() && value.is_some()),
            new.iter().copied(),
        );
        let is_ours = typed.option(new[0]).is_some() && (!takes || value.is_some());
        (is_ours && understood(typed, words.iter().copied())).then(|| typed.with(words.iter().copied()))
    })
}

/// The command for the page of a document that the option at `at` names.
fn page_of(typed: &TypedCommand, at: usize) -> String {
    let text = &typed.tokens[at].text;
    let next = || typed.tokens.get(at + 1).map(|next| next.text.trim());
    let page = text.split_once('=').map(|(_, page)| page).or_else(next).unwrap_or("1");
    let is_file = |word: &&str| names_file(word.as_ref());
    let file = typed.words().find(is_file).unwrap_or("FILE");
    command_line("page", [file, page])
}

fn wrong_value(error: &clap::Error, typed: Option<&TypedCommand>) -> Error {
    let option = context(error, ContextKind::InvalidArg);
    let name = option.split([' ', '=', '[']).next().unwrap_or_default().to_owned();
    let value = context(error, ContextKind::InvalidValue);
    let valid = all(error, ContextKind::ValidValue);
    let is_long = name.starts_with('-');
    let message = match (value.is_empty(), valid.is_empty()) {
        (true, true) => format!("{name} needs a value"),
        (true, false) => format!("{name} needs a value: {}", listed(&valid, "or")),
        (false, false) => format!("'{value}' is not a value of {name}: {}", listed(&valid, "or")),
        (false, true) => format!("{name}: {}", reason(error, &value, &option)).replace(": must", " must"),
    };
    let message = if is_long { message } else { message.replacen(&format!("{name}: "), "", 1) };
    let complaint = Error::usage(message);
    let Some(typed) = typed.filter(|_| is_long) else { return complaint };
    let is_it = |text: &str| typed.option(text).and_then(Arg::get_long) == name.strip_prefix("--");
    let is_option = |token: &Token| token.role == TokenRole::Known && is_it(&token.text);
    // If an option is given twice, correct the one with the wrong value.
    let wrong = |(at, token): (usize, &Token)| {
        let next = typed.tokens.get(at + 1).filter(|next| next.role == TokenRole::Value);
        let given = next.map_or(token.text.as_str(), |next| next.text.as_str());
        is_option(token)
            && (value.is_empty() && next.is_none_or(|next| next.text.is_empty())
                || !value.is_empty() && given.ends_with(&value))
    };
    let Some(at) = typed.tokens.iter().enumerate().position(wrong) else { return complaint };
    let sample = nearest(&value, valid.iter().cloned()).or(valid.first().cloned());
    let sample = sample.unwrap_or_else(|| sample_of(&name, &option).to_owned());
    let has_next = typed.tokens.get(at + 1).is_some_and(|next| next.role == TokenRole::Value);
    let text = &typed.tokens[at].text;
    // A number of matches from the end.
    if let Some(count) = value.strip_prefix('-').filter(|count| name == "--max-count" && is_number(count)) {
        let line = typed.replace(at, &format!("--last={count}"));
        let value = format!(" {value}");
        return complaint.hint(if has_next { line.replacen(&value, "", 1) } else { line });
    }
    let is_given = |option: &str| typed.tokens.iter().any(|token| token.text == option);
    if name == "--format" && typed.command == "select" && matches!(&*value, "table" | "csv" | "jsonl") {
        let mut words = typed.texts();
        words.splice(at..=at + usize::from(has_next), ["--output", &value]);
        return complaint.hint(typed.with(words));
    }
    if let Some(line) = followed(typed).filter(|_| name == "--format") {
        return complaint.hint(line);
    }
    if name == "--format" && (is_given("--json") || is_given("--raw")) {
        return complaint.hint(typed.without(at));
    }
    let line = match text.split_once('=') {
        // The value was left out, and the FILE after it taken for one.
        None if has_next && valid.is_empty() && names_file(value.as_ref()) => typed.insert_after(at, &sample),
        _ if has_next => typed.replace(at + 1, &sample),
        Some((option, _)) => typed.replace(at, &format!("{option}={sample}")),
        None if value.is_empty() => typed.insert_after(at, &sample),
        None => typed.replace(at, &text.replace(&value, &sample)),
    };
    complaint.hint(line)
}

/// Why the value is wrong, in words of our own instead of those of std or clap.
fn reason(error: &clap::Error, value: &str, option: &str) -> String {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    if let Some((_, range)) = cause.split_once(" is not in ") {
        let open = |end: &&str| end.len() < 10;
        let (least, most) = range.split_once("..").unwrap_or((range, ""));
        let most = Some(most.trim_start_matches('=')).filter(open).filter(|most| !most.is_empty());
        return match most {
            Some(most) => format!("'{value}' is not a whole number from {least} to {most}"),
            None => format!("'{value}' is too small; the minimum is {least}"),
        };
    }
    if cause.contains("too large to fit") || is_number(value) && cause.contains("number would be") {
        return format!("'{value}' is too large");
    }
    if cause.contains("invalid digit") || cause.contains("cannot parse integer") {
        return format!("'{value}' is not a whole number");
    }
    if option.contains("<AGE>") {
        return format!("'{value}' is not an age such as 30d or 12h");
    }
    if cause.is_empty() { format!("'{value}' is not a valid value") } else { cause }
}

/// Options, and a value of each.
const SAMPLES: &str = "--context:3 --before-context:3 --after-context:3 --thumbnail:512 --max-bytes:8K \
    --max-tokens:2000 --page-size:16K --header:1 --hash-width:6 --encoding:utf-16le --expect:VERSION --from:- --colors:match:fg:red";

fn sample_of(name: &str, option: &str) -> &'static str {
    let mut samples = SAMPLES.split(' ').filter_map(|pair| pair.split_once(':'));
    match samples.find(|(known, _)| *known == name) {
        Some((_, sample)) => sample,
        None if name == "--since" && option.contains("<VERSION>") => "VERSION",
        None if option.contains("<AGE>") => "30d",
        None if option.contains("<DURATION>") => "5s",
        None => "10",
    }
}

fn conflict(error: &clap::Error, typed: Option<&TypedCommand>) -> Error {
    let plain = |text: &String| text.split(' ').next().unwrap_or_default().to_owned();
    let one = plain(&context(error, ContextKind::InvalidArg));
    let others: Vec<String> = all(error, ContextKind::PriorArg).iter().map(plain).collect();
    let complaint = Error::usage(format!("{one} cannot be used with {}", others.join(", ")));
    let last = |typed: &TypedCommand| {
        let is_it = |token: &Token| {
            let arg = typed.option(&token.text).filter(|_| token.role == TokenRole::Known);
            arg.and_then(Arg::get_long) == one.strip_prefix("--") && one.starts_with("--")
        };
        typed.tokens.iter().rposition(is_it)
    };
    let without = typed.and_then(|typed| Some(typed.without(last(typed)?)));
    without.into_iter().fold(complaint, Error::hint)
}

/// The file of the first `--table`.
fn file_of_table(typed: &TypedCommand) -> Option<&str> {
    let is_it = |token: &&Token| typed.option(&token.text).and_then(Arg::get_long) == Some("table");
    let at = typed.tokens.iter().position(|token| token.role == TokenRole::Known && is_it(&token))?;
    let value = typed.tokens.get(at + 1).filter(|next| next.role == TokenRole::Value);
    value.map_or(typed.tokens[at].text.as_str(), |value| &value.text).rsplit_once('=').map(|(_, file)| file)
}

fn missing(error: &clap::Error, typed: Option<&TypedCommand>) -> Error {
    let names = all(error, ContextKind::InvalidArg);
    let bare = |name: &String| name.replace(['<', '>'], "").replace("...", "").replace('|', " or ");
    let plain: Vec<String> = names.iter().map(bare).collect();
    // The only word is the query. Every file may be one of `--table`.
    let is_query = |word: &str| word.contains(' ') && !names_file(word.as_ref());
    if let Some(typed) = typed.filter(|typed| plain == ["SQL"] && typed.words().all(is_query)) {
        let complaint = Error::usage("FILE is missing, which is the table t");
        return complaint.hint(typed.prepend(file_of_table(typed).unwrap_or(missing_file())));
    }
    let is = if plain.len() > 1 { "are" } else { "is" };
    let complaint = Error::usage(format!("{} {is} missing", plain.join(" and ")));
    // After the dashes, an option would be a name.
    let has_dashes = |typed: &&TypedCommand| typed.tokens.iter().any(|token| token.role == TokenRole::Dashes);
    let Some(typed) = typed.filter(|typed| !has_dashes(typed)) else { return complaint };
    let mut words = typed.texts();
    let is_given =
        |words: &[&str], option: &str| words.iter().any(|word| word.split('=').next() == Some(option));
    for name in &plain {
        let mut parts = name.split(' ');
        match (name.as_str(), parts.next().unwrap_or_default(), parts.next()) {
            // Standard input has no index.
            ("FILE", ..) if typed.command.starts_with("index") => words.insert(0, "FILE"),
            ("FILE", ..) => words.insert(0, missing_file()),
            ("SQL", ..) => words.push("SELECT * FROM t LIMIT 10"),
            ("ANCHOR", ..) => words.push("12#a1b2c3"),
            (_, option, _) if option.starts_with("--") && is_given(&words, option) => {}
            (_, option, Some(value)) if option.starts_with("--") => {
                words.extend([option, sample_of(option, &format!("<{value}>"))]);
            }
            (_, option, None) if option.starts_with("--") => words.push(option),
            _ => return complaint,
        }
    }
    complaint.hint(typed.with(words))
}

#[cfg(test)]
mod tests {
    use super::super::parser::parse;
    use super::*;

    #[test]
    fn the_program_has_one_name_whatever_its_file_has() {
        for file in ["rread.exe", "rr", "rread"] {
            let refused = |line: &str| -> String {
                let args: Vec<OsString> =
                    [file].into_iter().chain(line.split(' ')).map(OsString::from).collect();
                complaint(&parse(&args).unwrap_err(), &args).unwrap().hint.unwrap().plain()
            };
            assert_eq!(refused("lines f --frob"), "rread lines --help");
            assert_eq!(refused("--frob"), "rread --help");
        }
    }
}
