//! Sentences for users in which calls, settings and files are data, so that each interface words them in its own way.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::quote::{quoted, quoted_word};

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

/// Pipes `path` through the command `filter` into a call that shows lines. Other programs read only plain files; `read` is
/// the call that reads the others for them.
pub fn pipe_through(path: &Path, filter: &str, is_plain: bool, read: Call) -> Sentence {
    let input = match (path == Path::new("-"), is_plain) {
        (true, _) => shell(format!("COMMAND | {filter}")),
        (false, true) => shell(format!("{filter} < ")).then(file(path)),
        (false, false) => Sentence::from(read).then(shell(format!(" | {filter}"))),
    };
    input.piped_to_lines("")
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
