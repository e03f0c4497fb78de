//! The principal of requests to a store, for error messages.

use super::network_errors;
use rread_text::error::{Error, Kind};
use rread_text::sentence::{Sentence, setting};

#[derive(Debug)]
pub(super) struct Principal {
    /// As in "requested with the keys of the profile 'default'".
    pub(super) requested: String,
    pub(super) lacking: String,
    pub(super) hint: Sentence,
}

impl Principal {
    /// A principal whose credentials come from `from` ("the keys of …").
    pub(super) fn with(from: &str, hint: &str) -> Self {
        Principal {
            requested: format!("requested with {from}"),
            lacking: format!("no request can be sent with {from}"),
            hint: or_anonymous(hint),
        }
    }

    pub(super) fn anonymous(hint: &str) -> Self {
        Principal {
            requested: "requested without credentials".to_owned(),
            lacking: "no request can be sent".to_owned(),
            hint: hint.into(),
        }
    }

    /// Where the credentials come from, such as "the keys of …"; `None` without any.
    pub(super) fn from(&self) -> Option<&str> {
        self.requested.strip_prefix("requested with ")
    }

    pub(super) fn lacking(self, lacking: impl Into<String>) -> Self {
        Principal { lacking: lacking.into(), ..self }
    }

    pub(super) fn missing(&self, cause: &object_store::Error) -> Error {
        let cause = clip(cause);
        Error::new(Kind::Permission, format!("{}: {cause}", self.lacking)).hint(self.hint.clone())
    }
}

/// How to get credentials, or to do without.
pub(super) fn or_anonymous(hint: &str) -> Sentence {
    Sentence::from(format!("{hint}, or ")).then(setting("anonymous")).then(" for public objects")
}

/// The start of a foreign message, on one line.
pub(super) fn clip(cause: &object_store::Error) -> String {
    let text = network_errors::root(cause);
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
