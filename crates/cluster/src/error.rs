//! Errors and counts of workers on their way to a client. An error is a detail of the status of a response, with a type of its
//! own: it keeps its kind, its sentences and its hints.

use std::error::Error as Cause;
use std::sync::PoisonError;

use rread_sql::datafusion::error::DataFusionError;
use rread_sql::files::{FilesTable, ReadCounts};
use rread_sql::text::LeftOut;
use serde::{Deserialize, Serialize};

use rread_source::object::Traffic;
use rread_text::error::{Error, Kind};
use rread_text::sentence::{Part, Sentence};

/// The type of an error of ours among the errors of the engine, which are details of the status.
const TYPE: &str = "rread.Error";

/// Characters of a sentence of a worker, and of a hint; and bytes of an address.
const MAX_TEXT: usize = 2000;
const MAX_HINT: usize = 200;
const MAX_ADDRESS: usize = 300;

/// An error as it is sent.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SentError {
    pub error: Error,
    /// The address of the worker that is lost.
    pub lost: Option<String>,
}

impl SentError {
    pub fn of(error: Error) -> Self {
        SentError { error, lost: None }
    }

    /// An error of the engine that has this one as its cause.
    pub fn engine(&self) -> DataFusionError {
        // A name of a file that is not text cannot be sent.
        let text = serde_json::to_string(self).unwrap_or_else(|_| self.error.message.plain());
        DataFusionError::Execution(text).context(TYPE)
    }

    /// The error of ours among the causes of one of the engine.
    pub fn find(error: &DataFusionError) -> Option<Self> {
        let mut cause: Option<&(dyn Cause + 'static)> = Some(error);
        while let Some(error) = cause {
            if let Some(DataFusionError::Context(name, detail)) = error.downcast_ref()
                && name == TYPE
                && let DataFusionError::Execution(text) = &**detail
            {
                let SentError { error, lost } = serde_json::from_str(text).ok()?;
                let lost = lost.filter(|address| address.len() <= MAX_ADDRESS);
                return Some(SentError { error: from_network(error), lost });
            }
            cause = error.source();
        }
        None
    }
}

/// `error` without what a worker must not decide: success, and commands that the user would type.
fn from_network(error: Error) -> Error {
    let kind = if error.kind.exit_code() < Kind::Usage.exit_code() { Kind::Io } else { error.kind };
    let path = error.path.filter(|path| path.as_os_str().len() <= MAX_TEXT);
    let plain = error.message.plain();
    let message = if plain.len() <= MAX_TEXT { error.message } else { shortened(&plain).into() };
    Error { kind, message, hint: error.hint.filter(is_option), path, exit: None }
}

/// Whether `hint` is an option and plain words, and so no command.
fn is_option(hint: &Sentence) -> bool {
    let is_plain = |text: &str| {
        text.len() <= MAX_HINT && text.chars().all(|char| char.is_alphanumeric() || " ,.:='_-".contains(char))
    };
    let is_word = |part: &Part| matches!(part, Part::Text(text) if is_plain(text));
    let is_setting = |part: &Part| matches!(part, Part::Setting(name) if is_plain(name));
    let parts = hint.parts();
    parts.first().is_some_and(is_setting) && parts.iter().all(|part| is_word(part) || is_setting(part))
}

/// `text` of a worker, without the rest of a long one.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `error` of a worker for its client.
pub(crate) fn sendable(error: DataFusionError) -> DataFusionError {
    match error.find_root() {
        DataFusionError::External(cause) => match cause.downcast_ref::<Error>() {
            Some(own) => SentError::of(own.clone()).engine(),
            None => error,
        },
        _ => error,
    }
}

/// The counts of one read of a table.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Report {
    /// The number of the table on the client.
    pub id: u64,
    read: ReadCounts,
    left_out: LeftOut,
    pub requests: u64,
    pub bytes_fetched: u64,
}

impl Report {
    /// The counts of `table` so far.
    pub fn of(id: u64, table: &FilesTable, traffic: Traffic) -> Self {
        let Traffic { requests, bytes_fetched, .. } = traffic;
        let left_out = table.left_out.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Report { id, read: table.reads.counts().clone(), left_out, requests, bytes_fetched }
    }

    /// Adds the counts to those of `table`.
    pub fn add_to(self, table: &FilesTable) {
        table.reads.counts().add(self.read);
        table.left_out.lock().unwrap_or_else(PoisonError::into_inner).add(self.left_out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_sql::external;
    use rread_text::error::Kind;
    use rread_text::sentence::{call, setting};
    use std::sync::Arc;

    #[test]
    fn an_error_is_the_same_after_its_way() {
        let hint = setting("types").then(" a:text, or ").then(setting("skip-bad"));
        let error = Error::new(Kind::InvalidText, "line 7: \"x\" is not a number").hint(hint);
        let error = error.at("a b.csv".as_ref());
        let on_its_way = sendable(external(error.clone()));
        // Each stage between wraps it again.
        let wrapped = DataFusionError::Shared(Arc::new(on_its_way.context("stage 1")));
        let found = SentError::find(&wrapped).unwrap().error;
        assert_eq!((found.kind, &found.message, &found.hint), (error.kind, &error.message, &error.hint));
        assert_eq!((&found.path, found.exit), (&error.path, error.exit));
    }

    #[test]
    fn a_worker_decides_neither_success_nor_what_is_typed() {
        let of = |error: Error| SentError::find(&sendable(external(error))).unwrap().error;
        for kind in [Kind::BrokenPipe, Kind::NoMatch, Kind::NoRows, Kind::Timeout, Kind::Io, Kind::Usage] {
            let error = of(Error { exit: Some(0), ..Error::new(kind, "x") });
            assert!(error.exit_code() >= 2, "{kind:?}");
        }
        let shell = rread_text::sentence::shell;
        let hints: [Sentence; 6] = [
            shell("curl x | sh"),
            "curl x | sh".into(),
            call("capture").word("--").word("sh").into(),
            setting("skip-bad").then("; curl x | sh"),
            setting("a; b"),
            setting("a").then("b ".repeat(300)),
        ];
        for hint in hints {
            assert_eq!(of(Error::new(Kind::Io, "x").hint(hint.clone())).hint, None, "{hint:?}");
        }
        let long = of(Error::new(Kind::Io, "é".repeat(1 << 20)).at("p".repeat(1 << 20).as_ref()));
        assert!(long.message.plain().chars().count() == MAX_TEXT + 1 && long.path.is_none());
    }

    #[test]
    fn what_is_no_error_stays_text() {
        for text in ["", "x", "{}", "{\"kind\":1}", TYPE] {
            let plain = DataFusionError::Execution(text.to_owned());
            assert!(SentError::find(&plain).is_none(), "{text:?}");
            assert!(SentError::find(&plain.context(TYPE)).is_none(), "{text:?}");
        }
    }
}
