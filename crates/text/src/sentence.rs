//! Sentences for users in which calls, settings and files are data, so that each interface words them in its own way; and
//! names quoted for a shell.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::address;

/// A message or a hint. It has no [`Display`](fmt::Display), so that nobody shows it in the words of
/// no interface by mistake.
///
/// ```
/// use rread_text::sentence::{call, setting};
///
/// let sentence = setting("max-bytes").then(" 64 is the least, as in ").then(call("lines").file("app.log").with("max-bytes", 64));
/// assert_eq!(sentence.plain(), "max-bytes 64 is the least, as in lines app.log max-bytes=64");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Sentence(Vec<Part>);

/// A part of a sentence. Parts follow each other without blanks between them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Part {
    /// Words that are the same everywhere.
    Text(String),
    /// A part of a command line that only a shell can run.
    Shell(String),
    /// The name of a file.
    Path(PathBuf),
    /// The name of a setting, such as `max-bytes`.
    Setting(Cow<'static, str>),
    /// A call of this program.
    Call(Call),
}

/// A call of this program: a command, and its arguments in the order in which they are usually written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Call {
    /// The name of the command, such as `lines`.
    pub command: Cow<'static, str>,
    /// Files, words and settings.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Argument {
    /// The name of a file.
    Path(PathBuf),
    /// A range, a pattern or another word that has its meaning from its place.
    Word(String),
    /// A setting, and its value if it takes one.
    Setting(Cow<'static, str>, Option<String>),
}

/// A sentence that begins with the name of a setting.
pub fn setting(name: &'static str) -> Sentence {
    Part::Setting(name.into()).into()
}

/// A sentence that begins with the name of a file.
pub fn file(path: impl Into<PathBuf>) -> Sentence {
    Part::Path(path.into()).into()
}

/// The beginning of a command line for a shell.
pub fn shell(text: impl Into<String>) -> Sentence {
    Part::Shell(text.into()).into()
}

/// A call of `command`, without arguments.
pub fn call(command: &'static str) -> Call {
    Call { command: command.into(), arguments: Vec::new() }
}

/// The question whether `path` was meant.
pub fn did_you_mean(path: impl Into<PathBuf>) -> Sentence {
    Sentence::from("did you mean ").then(file(path)).then("?")
}

impl Sentence {
    /// Adds `next` at the end.
    pub fn then(mut self, next: impl Into<Sentence>) -> Self {
        self.0.extend(next.into().0);
        self
    }

    /// Pipes the output of this command line into a call that shows `range` of its lines; all of them if that is empty.
    pub fn piped_to_lines(self, range: &str) -> Self {
        let lines = call("lines").file("-");
        self.then(shell(" | ")).then(if range.is_empty() { lines } else { lines.word(range) })
    }

    /// The same sentence with the call that `map` makes of each one.
    pub fn map_calls(self, map: impl Fn(Call) -> Call) -> Self {
        let mapped = |part| match part {
            Part::Call(call) => Part::Call(map(call)),
            part => part,
        };
        Sentence(self.0.into_iter().map(mapped).collect())
    }

    /// The same sentence with the path that `map` makes of each one.
    pub fn map_paths(self, map: impl Fn(PathBuf) -> PathBuf) -> Self {
        let argument = |argument| match argument {
            Argument::Path(path) => Argument::Path(map(path)),
            argument => argument,
        };
        let mapped = |part| match part {
            Part::Path(path) => Part::Path(map(path)),
            Part::Call(Call { command, arguments }) => {
                Part::Call(Call { command, arguments: arguments.into_iter().map(argument).collect() })
            }
            part => part,
        };
        Sentence(self.0.into_iter().map(mapped).collect())
    }

    /// The parts in their order.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The words that name settings and calls without the signs of any interface: for programs without one, and tests.
    pub fn plain(&self) -> String {
        let words = self.0.iter().map(|part| match part {
            Part::Text(text) | Part::Shell(text) => text.clone(),
            Part::Path(path) => quoted(path),
            Part::Setting(name) => name.to_string(),
            Part::Call(call) => call.plain(),
        });
        words.collect()
    }
}

impl Call {
    /// Adds a file.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.arguments.push(Argument::Path(path.into()));
        self
    }

    /// Adds a word.
    pub fn word(mut self, word: impl fmt::Display) -> Self {
        self.arguments.push(Argument::Word(word.to_string()));
        self
    }

    /// Adds a setting that is on or off.
    pub fn on(mut self, name: &'static str) -> Self {
        self.arguments.push(Argument::Setting(name.into(), None));
        self
    }

    /// Adds a setting with its value.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.arguments.push(Argument::Setting(name.into(), Some(value.to_string())));
        self
    }

    /// Whether the setting is on.
    pub fn has(&self, name: &'static str) -> bool {
        self.arguments.contains(&Argument::Setting(name.into(), None))
    }

    /// The sentence that repeats a call: standard input has to be piped in again.
    pub fn again(self) -> Sentence {
        let is_piped = self.arguments.iter().any(|argument| *argument == Argument::Path("-".into()));
        let start = if is_piped { shell("COMMAND | ") } else { Sentence::default() };
        start.then(self)
    }

    fn plain(&self) -> String {
        let words = self.arguments.iter().map(|argument| match argument {
            Argument::Path(path) => format!(" {}", quoted(path)),
            Argument::Word(word) => format!(" {}", quoted_word(word)),
            Argument::Setting(name, None) => format!(" {name}"),
            Argument::Setting(name, Some(value)) => format!(" {name}={}", quoted_word(value)),
        });
        self.command.to_string() + &words.collect::<String>()
    }
}

/// Pipes `path` through the command `filter` into a call that shows lines.
pub fn pipe_through(path: &Path, filter: &str, is_plain: bool, read: Call) -> Sentence {
    filtered(path, filter, is_plain, read.into()).piped_to_lines("")
}

/// The command `filter` with the input `path`. Other programs read only plain files; `read` reads the others for them.
fn filtered(path: &Path, filter: &str, is_plain: bool, read: Sentence) -> Sentence {
    match (path == Path::new("-"), is_plain) {
        (true, _) => shell(format!("COMMAND | {filter}")),
        (false, true) => shell(format!("{filter} < ")).then(file(path)),
        (false, false) => read.then(shell(format!(" | {filter}"))),
    }
}

/// Whether other programs can read `path` too.
pub fn is_plain_file(path: &Path) -> bool {
    path != Path::new("-") && path.symlink_metadata().is_ok()
}

/// The command line that `run` makes with the file `path`. If other programs cannot read that, it is about a copy, which the
/// command `filter` (if it is not empty) decompresses.
pub fn through_copy(path: &Path, filter: &str, run: impl FnOnce(Sentence) -> Sentence) -> Sentence {
    if is_plain_file(path) && filter.is_empty() {
        return run(file(path));
    }
    let name = path.file_stem().filter(|_| !filter.is_empty()).map_or(path, Path::new);
    let ending = name.extension().and_then(|ending| ending.to_str());
    // A part of a URL may be a secret.
    let ending = ending.filter(|ending| ending.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let copy = ending.map_or("COPY".to_owned(), |ending| format!("COPY.{ending}"));
    let read = call("bytes").file(path).on("raw").on("text").on("no-decompress").again();
    let bytes = if filter.is_empty() { read } else { filtered(path, filter, is_plain_file(path), read) };
    bytes.then(shell(format!(" > {copy} && "))).then(run(file(copy)))
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Part::Text(text).into()
    }
}

impl From<Part> for Sentence {
    fn from(part: Part) -> Self {
        Sentence(vec![part])
    }
}

impl From<Call> for Sentence {
    fn from(call: Call) -> Self {
        Part::Call(call).into()
    }
}

/// Quotes `path`, without its secrets.
pub fn quoted(path: &Path) -> String {
    #[cfg(unix)]
    if path.to_str().is_none() {
        let name = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
        return if name.starts_with(b"-") { printed(&[b"./", name].concat()) } else { printed(name) };
    }
    let text = address::display(path);
    // A program would read such a name as an option; `-` is standard input.
    if text != "-" && text.starts_with('-') { quoted_word(&format!("./{text}")) } else { quoted_word(&text) }
}

/// Quotes one word of a command.
pub fn quoted_word(word: &str) -> String {
    // cmd and PowerShell take \ for the part of a name that it is there, and cmd has no single quotes.
    let plain = |c: char| c.is_alphanumeric() || "._-/+,@%=:".contains(c) || cfg!(windows) && c == '\\';
    // zsh replaces `=ls` by the path of ls.
    let is_plain = !word.is_empty() && !word.starts_with('=') && word.chars().all(plain);
    if is_plain { word.to_owned() } else { in_quotes(word) }
}

/// `json`, the same value, in which a shell finds no command either: all texts of JSON stand between double quotes.
pub fn inert(json: &str) -> String {
    json.replace('$', r"\u0024").replace('`', r"\u0060")
}

/// Quotes bytes that one line of UTF-8 cannot show. `$'…'` would be shorter, but dash does not know it: for dash, a `\'` in it
/// ends the quotes, and it runs the rest of the name. Here only letters, digits and octal numbers stand between the quotes.
#[cfg(unix)]
fn printed(name: &[u8]) -> String {
    let end = name.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    let mut text = String::from("\"$(printf '");
    for (at, byte) in name[..end].iter().enumerate() {
        // printf reads a first `-` as an option.
        let is_plain =
            byte.is_ascii_alphanumeric() || b" ._/-:=@,+".contains(byte) && (at, *byte) != (0, b'-');
        // Three digits always end: a digit after them is not read as a fourth.
        text += &if is_plain { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
    }
    // `$(…)` takes the newlines at its end away; IFS ends with one in every shell.
    text + "')" + &"${IFS#??}".repeat(name.len() - end) + "\""
}

/// Whether `c` is a blank that looks like another, has no width or turns the direction of the text: a reader cannot type it again.
#[cfg(unix)]
fn is_invisible(c: char) -> bool {
    c.is_whitespace() && c != ' '
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn in_quotes(text: &str) -> String {
    // Messages have one line, so they cannot show these characters as they are.
    #[cfg(unix)]
    if text.chars().any(|c| c.is_control() || is_invisible(c)) {
        return printed(text.as_bytes());
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
