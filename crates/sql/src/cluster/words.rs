//! Errors on their way between processes: they keep their kind, their sentences and their hints.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use datafusion::error::DataFusionError;
use serde::{Deserialize, Serialize};

use rread_text::error::{Error, Kind};
use rread_text::sentence::{Argument, Call, Part, Sentence};

/// Before and after an error in the text of one of the engine: the engine sends the text of other errors alone.
const MARK: char = '\u{1}';

/// How many different settings and commands are taken from other processes.
const MOST_NAMES: usize = 256;

/// An error as it is sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct SentError {
    kind: Kind,
    message: Vec<SentPart>,
    hint: Option<Vec<SentPart>>,
    path: Option<String>,
    exit: Option<u8>,
    /// The address of the worker that is lost.
    pub lost: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum SentPart {
    Text(String),
    Shell(String),
    Path(String),
    Setting(String),
    Call(String, Vec<SentArgument>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum SentArgument {
    Path(String),
    Word(String),
    Setting(String, Option<String>),
}

impl SentError {
    pub fn of(error: &Error) -> Self {
        SentError {
            kind: error.kind,
            message: sent(&error.message),
            hint: error.hint.as_ref().map(sent),
            path: error.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            exit: error.exit,
            lost: None,
        }
    }

    pub fn error(self) -> Error {
        Error {
            kind: self.kind,
            message: sentence(self.message),
            hint: self.hint.map(sentence),
            path: self.path.map(PathBuf::from),
            exit: self.exit.filter(|code| *code <= 8),
        }
    }

    /// An error of the engine, whose text has this one.
    pub fn engine(&self) -> DataFusionError {
        let json = serde_json::to_string(self).unwrap_or_default();
        DataFusionError::Execution(format!("{MARK}{json}{MARK}"))
    }

    /// The error in the text of one of the engine.
    pub fn find(error: &DataFusionError) -> Option<Self> {
        let text = error.to_string();
        text.split(MARK).skip(1).find_map(|part| serde_json::from_str(part).ok())
    }
}

/// `error` of a worker for its client.
pub(super) fn marked(error: DataFusionError) -> DataFusionError {
    let root = error.find_root();
    match root {
        DataFusionError::External(cause) => match cause.downcast_ref::<Error>() {
            Some(own) => SentError::of(own).engine(),
            None => error,
        },
        _ => error,
    }
}

fn sent(sentence: &Sentence) -> Vec<SentPart> {
    let part = |part: &Part| match part {
        Part::Text(text) => SentPart::Text(text.clone()),
        Part::Shell(text) => SentPart::Shell(text.clone()),
        Part::Path(path) => SentPart::Path(path.to_string_lossy().into_owned()),
        Part::Setting(name) => SentPart::Setting((*name).to_owned()),
        Part::Call(call) => {
            let argument = |argument: &Argument| match argument {
                Argument::Path(path) => SentArgument::Path(path.to_string_lossy().into_owned()),
                Argument::Word(word) => SentArgument::Word(word.clone()),
                Argument::Setting(name, value) => SentArgument::Setting((*name).to_owned(), value.clone()),
            };
            SentPart::Call(call.command.to_owned(), call.arguments.iter().map(argument).collect())
        }
    };
    sentence.parts().iter().map(part).collect()
}

fn sentence(parts: Vec<SentPart>) -> Sentence {
    let part = |part: SentPart| match part {
        SentPart::Text(text) => Part::Text(text),
        SentPart::Shell(text) => Part::Shell(text),
        SentPart::Path(path) => Part::Path(path.into()),
        SentPart::Setting(name) => match known(&name) {
            Some(name) => Part::Setting(name),
            None => Part::Text(name),
        },
        SentPart::Call(command, arguments) => match call(&command, &arguments) {
            Some(call) => Part::Call(call),
            None => Part::Text(command),
        },
    };
    parts.into_iter().map(part).fold(Sentence::default(), Sentence::then)
}

fn call(command: &str, arguments: &[SentArgument]) -> Option<Call> {
    let argument = |argument: &SentArgument| {
        Some(match argument {
            SentArgument::Path(path) => Argument::Path(path.into()),
            SentArgument::Word(word) => Argument::Word(word.clone()),
            SentArgument::Setting(name, value) => Argument::Setting(known(name)?, value.clone()),
        })
    };
    Some(Call { command: known(command)?, arguments: arguments.iter().map(argument).collect::<Option<_>>()? })
}

/// The name of a setting or a command. Names live as long as the process, so only few are taken, and only short ones.
fn known(name: &str) -> Option<&'static str> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    if name.is_empty() || name.len() > 32 || !name.chars().all(is_name) {
        return None;
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(name) {
        return Some(name);
    }
    if names.len() >= MOST_NAMES {
        return None;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::external;
    use rread_text::sentence::{call, setting};
    use std::sync::Arc;

    #[test]
    fn an_error_is_the_same_after_its_way() {
        let hint = setting("skip-bad").then(" or ").then(call("lines").file("a b.csv").word("7:").on("raw"));
        let error = Error::new(Kind::InvalidText, "line 7: \"x\" is not a number").hint(hint);
        let error = Error { exit: Some(3), ..error.at("a b.csv".as_ref()) };
        let on_its_way = marked(external(error.clone()));
        // Each stage between wraps it again.
        let wrapped = DataFusionError::Shared(Arc::new(on_its_way.context("stage 1")));
        let found = SentError::find(&wrapped).unwrap().error();
        assert_eq!((found.kind, &found.message, &found.hint), (error.kind, &error.message, &error.hint));
        assert_eq!((&found.path, found.exit), (&error.path, error.exit));
    }

    #[test]
    fn what_is_no_error_stays_text() {
        for text in ["", "x", "\u{1}", "\u{1}{}\u{1}", "\u{1}{\"kind\":1}\u{1}", "a\u{1}b\u{1}c"] {
            assert!(SentError::find(&DataFusionError::Execution(text.to_owned())).is_none(), "{text:?}");
        }
        assert_eq!(known("Not a name"), None);
        assert_eq!(known(&"x".repeat(33)), None);
    }
}
