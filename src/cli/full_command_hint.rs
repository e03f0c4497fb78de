//! Hints that name a file, an option or a range, as the whole command line to type.

use std::path::Path;

use super::options_of_grep::without_extended;
use super::typed::{Token, TokenRole, TypedCommand};
use rread_reader::search::pattern::escaped;
use rread_source::member_address::is_inside_file;
use rread_source::near_miss::{matching, near_miss};
use rread_text::error::{Error, Kind};
use rread_text::sentence::{Part, call};

/// The command line with what the hint of `error` adds; `None` if it is a command already, or another sentence.
pub(super) fn completed(error: &Error, typed: &TypedCommand) -> Option<String> {
    match (error.kind, error.hint.as_ref()?.parts()) {
        (Kind::NotFound, [_, Part::Path(near), ..]) => with_near_name(error.path.as_deref()?, near, typed),
        (Kind::Changed, [Part::Setting(name), ..]) if name == "expect" => {
            Some(typed.append_option("--expect-prefix"))
        }
        (Kind::Changed, _) => without_expect(typed),
        (Kind::Usage, [Part::Setting(name), ..]) if name == "encoding" && typed.command == "search" => {
            without_extended(typed).or_else(|| with_label(error, typed))
        }
        (Kind::Usage, [Part::Shell(command), ..])
            if typed.command == "search" && command.contains("iconv -f") =>
        {
            without_extended(typed)
        }
        (Kind::Usage, [Part::Setting(name), ..]) if name == "encoding" => with_label(error, typed),
        (Kind::Usage, [Part::Setting(name)]) if name == "raw" => Some(typed.append_option("--raw")),
        (Kind::Usage, [Part::Call(search), _]) if *search == call("search").on("fixed-strings") => {
            if typed.command == "search" {
                Some(typed.prepend("-F"))
            } else {
                with_value(typed, &["--until-match", "--pattern", "-p"], escaped)
            }
        }
        (Kind::InvalidRange, [Part::Text(text)]) => with_one_byte(text.strip_prefix("write ")?, typed),
        _ => None,
    }
}

/// The command line with the label that the hint has.
fn with_label(error: &Error, typed: &TypedCommand) -> Option<String> {
    let [_, Part::Text(label)] = error.hint.as_ref()?.parts() else { return None };
    with_value(typed, &["-E", "--encoding"], |_| label.trim().to_owned())
}

/// The command line with the value of the option that has one of `names` made `new`.
fn with_value(typed: &TypedCommand, names: &[&str], new: impl Fn(&str) -> String) -> Option<String> {
    for (at, token) in typed.tokens.iter().enumerate() {
        if let Some((name, value)) = token.text.split_once('=').filter(|(name, _)| names.contains(name)) {
            return Some(typed.replace(at, &format!("{name}={}", new(value))));
        }
        if names.contains(&token.text.as_str()) {
            let value = typed.tokens.get(at + 1)?;
            return Some(typed.replace(at + 1, &new(&value.text)));
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
        (true, false) => vec![near_miss(missing).filter(|near| !names(typed, near))?],
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

/// Whether the command line has the file already.
fn names(typed: &TypedCommand, file: &Path) -> bool {
    typed.words().any(|word| Path::new(word) == file)
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
