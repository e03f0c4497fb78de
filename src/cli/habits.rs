//! Habits of other tools: the command line that somebody meant who typed `10..20`, `--tail 20` or the range first.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use super::parse;
use super::typed::{Role, Token, Typed};
use crate::cmd::names_file;
use crate::error::{Error, Kind, Result};
use crate::range::{Place, Range, Unit, parse_list, parse_mixed, parse_place};

/// Lines that `head` and `tail` print unless told otherwise.
const USUAL: &str = "10";

/// Refuses `-n 20`, which means how many lines to others, and to us that line 20 is to be numbered.
///
/// # Errors
/// `usage`, with the command line that gives that many lines.
pub(crate) fn check(args: &[OsString]) -> Result<()> {
    let is_lines = args.get(1).is_some_and(|command| command == "lines");
    let before_dashes = || args.iter().take_while(|arg| *arg != "--");
    let counted =
        || before_dashes().zip(before_dashes().skip(1)).find(|(n, count)| *n == "-n" && is_count(count));
    let Some((_, count)) = is_lines.then(counted).flatten() else { return Ok(()) };
    // `lines -n 7` and `lines f -n 7` where 7 is the name of a file.
    if names_file(count) {
        return Ok(());
    }
    let count = count.to_string_lossy();
    let error =
        Error::usage(format!("'-n {count}' is not {count} lines: -n numbers lines, and RANGES says which"));
    Err(advised(error, args))
}

fn is_count(word: &OsString) -> bool {
    word.to_str().is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
}

/// The error, with the command line that was meant in its hint, if that can be told.
pub(crate) fn advised(error: Error, args: &[OsString]) -> Error {
    if !matches!(error.kind, Kind::Usage | Kind::InvalidRange | Kind::NotFound) {
        return error;
    }
    let Some(typed) = Typed::of(args) else { return error };
    let Some(unit) = Grammar::of(&typed.command) else { return error };
    // A file that is not there is an error of another kind, unless a range stands in its place.
    let is_lone_range = || {
        let words: Vec<&str> = typed.words().collect();
        matches!(words[..], [word] if unit.takes(word) && !names_file(word.as_ref()))
    };
    if error.kind == Kind::NotFound && !is_lone_range() {
        return error;
    }
    match Meant::of(&typed, unit).line(&typed, unit) {
        Some(line) => error.hint(line),
        None if error.hint.is_none() && error.kind == Kind::InvalidRange => {
            let file = typed.words().next().unwrap_or("FILE").to_owned();
            let file =
                file.split(':').next().filter(|name| names_file(name.as_ref())).unwrap_or(&file).to_owned();
            error.hint(typed.with([file.as_str(), unit.example()]))
        }
        None => error,
    }
}

/// What the last word of a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grammar {
    Lines,
    Bytes,
    Mixed,
    Page,
}

impl Grammar {
    fn of(command: &str) -> Option<Self> {
        match command {
            "lines" => Some(Grammar::Lines),
            "bytes" => Some(Grammar::Bytes),
            "ranges" => Some(Grammar::Mixed),
            "page" => Some(Grammar::Page),
            _ => None,
        }
    }

    fn takes(self, text: &str) -> bool {
        let ranges: Result<Vec<Range>> = match self {
            Grammar::Lines => parse_list(text, Unit::Lines),
            Grammar::Bytes => parse_list(text, Unit::Bytes),
            Grammar::Mixed => parse_mixed(text),
            Grammar::Page => {
                return parse_place(text, Unit::Bytes).is_ok_and(|place| place != Place::Front(0));
            }
        };
        ranges.is_ok()
    }

    fn example(self) -> &'static str {
        match self {
            Grammar::Lines | Grammar::Mixed => "100:120",
            Grammar::Bytes => "0:4096",
            Grammar::Page => "1",
        }
    }

    /// The range that `text` was meant to be; `text` itself, if it is one.
    fn meant(self, text: &str) -> Option<String> {
        let text = text.trim();
        if self.takes(text) {
            return Some(text.to_owned());
        }
        if self == Grammar::Page || !text.contains(|c: char| c.is_ascii_digit() || c == '$') {
            return None;
        }
        readings(text).into_iter().find(|reading| self.takes(reading))
    }
}

/// What `text`, which is not a range, may mean, the likeliest first.
fn readings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // sed: 10,12p  10,+5p  10,$  $p
    let script = text.strip_suffix('p').unwrap_or(text);
    if script != text || script.contains('$') {
        found.push(match script.split_once(',') {
            Some((start, "$")) => format!("{start}:"),
            Some((start, more)) if more.starts_with('+') => {
                let count = more[1..].parse::<u64>().unwrap_or(0).saturating_add(1);
                format!("{start}:+{count}")
            }
            Some((start, end)) => format!("{start}:{end}"),
            None => script.replace('$', "-1"),
        });
    }
    // Rust, Perl, and what looks like a dash.
    for sign in ["..=", "...", "..", "–", "—", "~", ";", " - ", " "] {
        if let Some((start, end)) = text.split_once(sign) {
            found.push(format!("{}:{}", start.trim(), end.trim()));
        }
    }
    // 1,000:+1
    found.extend(without_thousands(text));
    // Links to GitHub: #L10-L20
    if text.trim_start_matches('#').starts_with('L') {
        found.push(text.replace(['#', 'L'], "").replace('-', ":"));
    }
    if let Some((start, end)) = text.split_once("--") {
        found.push(format!("{start}:-{end}"));
    }
    // `tail -n +5`, and a sign that is not needed.
    if let Some(rest) = text.strip_prefix('+') {
        found.extend([format!("{rest}:"), rest.to_owned()]);
    }
    if let Some(count) = text.strip_prefix(":+") {
        found.push(format!("1:+{count}"));
    }
    // The wrong way round.
    if let Some((end, start)) = text.split_once([':', '-']) {
        found.push(format!("{start}:{end}"));
    }
    found
}

/// `text` without the commas between thousands, if all its commas are such.
fn without_thousands(text: &str) -> Option<String> {
    let is_grouped = |number: &str| {
        let mut groups = number.split(',');
        let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
        first && groups.all(|group| group.len() == 3)
    };
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || c == ',')).filter(|n| !n.is_empty());
    (text.contains(',') && numbers.all(is_grouped)).then(|| text.replace(',', ""))
}

/// What was meant, piece by piece.
#[derive(Default)]
struct Meant {
    files: Vec<String>,
    ranges: Vec<String>,
    start: Option<String>,
    end: Option<String>,
    options: Vec<String>,
    /// Whether anything has to be typed in another way.
    differs: bool,
}

impl Meant {
    fn of(typed: &Typed, grammar: Grammar) -> Self {
        let mut meant = Meant::default();
        let mut tokens = typed.tokens.iter().peekable();
        let mut dashed = false;
        while let Some(Token { text, role }) = tokens.next() {
            let next =
                tokens.peek().filter(|token| token.role == Role::Word).map(|token| token.text.as_str());
            match role {
                Role::Dashes => dashed = true,
                // After `--` an option is a name.
                Role::Word if dashed && text.starts_with("--") && typed.option(text).is_some() => {
                    meant.options.push(text.clone());
                    meant.differs = true;
                }
                Role::Word => meant.word(text, grammar),
                Role::Known
                    if text == "-n"
                        && next.is_some_and(|next| is_plain(next))
                        && typed.command == "lines" =>
                {
                    meant.count("--head", next.unwrap_or_default());
                    tokens.next();
                }
                Role::Unknown if names_file(text.as_ref()) => {
                    meant.files.push(format!("./{text}"));
                    meant.differs = true;
                }
                Role::Unknown if meant.habit(text, next, grammar) => {
                    if !text.contains('=') && next.is_some_and(|next| takes_next(text, next, grammar)) {
                        tokens.next();
                    }
                }
                Role::Known | Role::Unknown | Role::Value => meant.options.push(text.clone()),
            }
        }
        meant
    }

    fn word(&mut self, text: &str, grammar: Grammar) {
        if names_file(text.as_ref()) {
            // What would be taken for an option is a path.
            self.files.push(if text.starts_with('-') && text != "-" {
                format!("./{text}")
            } else {
                text.to_owned()
            });
            return;
        }
        match grammar.meant(text) {
            Some(range) => {
                // FILE comes first.
                self.differs |= range != text.trim() || self.files.is_empty();
                self.ranges.push(range);
            }
            None => {
                self.differs |= !self.ranges.is_empty() && grammar != Grammar::Mixed;
                self.files.push(text.to_owned());
            }
        }
    }

    fn count(&mut self, option: &str, count: &str) {
        let is_tail = matches!(option, "--tail" | "--last");
        self.ranges.push(if is_tail { format!("-{count}:") } else { format!(":{count}") });
        self.differs = true;
    }

    /// Takes an option that other tools have; `false` where it means nothing here.
    fn habit(&mut self, text: &str, next: Option<&str>, grammar: Grammar) -> bool {
        if grammar == Grammar::Page {
            return false;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, next.filter(|next| takes_next(text, next, grammar))),
        };
        // -n20
        let attached = name.strip_prefix("-n").filter(|count| is_plain(count));
        match (name, value, attached) {
            (_, _, Some(count)) => self.count("--head", count),
            ("--head" | "--tail" | "--first" | "--last" | "--top", value, _) => {
                self.count(name, value.unwrap_or(USUAL));
            }
            ("--lines" | "--line" | "--range" | "--line-range" | "-r", Some(value), _) => {
                let Some(range) = grammar.meant(value) else { return false };
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

    /// The command line, if it differs from what was typed and the program understands it.
    fn line(mut self, typed: &Typed, grammar: Grammar) -> Option<String> {
        if self.start.is_some() || self.end.is_some() {
            let [start, end] = [&self.start, &self.end].map(|place| place.clone().unwrap_or_default());
            self.ranges.push(format!("{start}:{end}"));
        }
        let is_placeholder = self.files.is_empty();
        if is_placeholder {
            self.files.push(if is_piped() { "-" } else { "FILE" }.to_owned());
            self.differs = true;
        }
        let ranges = match &self.ranges[..] {
            [start, end] if is_plain(start) && is_plain(end) && grammar != Grammar::Mixed => {
                vec![span(start, end)]
            }
            [_, _, ..] if grammar == Grammar::Page => return None,
            [_, _, ..] if grammar != Grammar::Mixed => vec![self.ranges.join(",")],
            _ => self.ranges.clone(),
        };
        self.differs |= ranges != self.ranges;
        let words: Vec<&str> =
            [&self.files, &ranges, &self.options].into_iter().flatten().map(String::as_str).collect();
        // A hint that gives the next error would be worse than none.
        let understood = || {
            let args = ["rread", &typed.command].into_iter().chain(words.iter().copied());
            let args = super::shield_places(args.map(OsString::from));
            parse(&args).is_ok() && ranges.iter().all(|range| grammar.takes(range))
        };
        (self.differs && understood()).then(|| typed.with(words.iter().copied()))
    }
}

/// Whether the habit `option` has its value in `next`.
fn takes_next(option: &str, next: &str, grammar: Grammar) -> bool {
    let is_range = matches!(option, "--lines" | "--line" | "--range" | "--line-range" | "-r");
    !option.starts_with("-n") && (is_plain(next) || is_range && grammar.meant(next).is_some())
}

/// `10:20` for `10 20`, and `100:+20` for `100 20`.
fn span(start: &str, end: &str) -> String {
    match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(a), Ok(b)) if a > b => format!("{start}:+{end}"),
        _ => format!("{start}:{end}"),
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether something is piped into standard input.
pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal() && !crate::stdio::was_closed(crate::stdio::Stream::Input)
}

/// What FILE stands for where none was typed.
pub(super) fn missing_file() -> &'static str {
    if is_piped() { "-" } else { "FILE" }
}

/// The lines that `text` was meant to say, in the grammar of ranges.
pub(super) fn lines_meant(text: &str) -> Option<String> {
    Grammar::Lines.meant(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_habit_has_its_range() {
        for (typed, meant) in [
            ("10..20", "10:20"),
            ("10..=20", "10:20"),
            ("10,12p", "10:12"),
            ("10p", "10"),
            ("10,+5p", "10:+6"),
            ("10,$p", "10:"),
            ("$", "-1"),
            ("1,000:+1", "1000:+1"),
            ("1,000", "1000"),
            ("1,000:2,000", "1000:2000"),
            ("#L10-L20", "10:20"),
            ("10–20", "10:20"),
            ("5--7", "5:-7"),
            ("+5", "5:"),
            (":+5", "1:+5"),
            ("20:10", "10:20"),
            ("10 20", "10:20"),
            ("10,20", "10,20"),
            ("-20:", "-20:"),
        ] {
            assert_eq!(Grammar::Lines.meant(typed).as_deref(), Some(meant), "{typed}");
        }
        for nothing in ["abc", "4K", "0", "", "app.log", "1__0"] {
            assert_eq!(Grammar::Lines.meant(nothing), None, "{nothing}");
        }
        assert_eq!(Grammar::Bytes.meant("0..4096").as_deref(), Some("0:4096"));
    }
}
