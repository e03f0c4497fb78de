//! The principal of requests to a store, for error messages.

use crate::error::{Error, Kind};
use crate::source::remote::failure;

#[derive(Debug)]
pub(in crate::source::remote) struct Principal {
    /// As in "requested with the keys of the profile 'default'".
    pub(in crate::source::remote) requested: String,
    /// The message if the credentials cannot be obtained.
    pub(super) lacking: String,
    /// The hint if access is denied.
    pub(in crate::source::remote) hint: &'static str,
}

impl Principal {
    /// A principal whose credentials come from `from` ("the keys of …").
    pub(super) fn with(from: &str, hint: &'static str) -> Self {
        Principal {
            requested: format!("requested with {from}"),
            lacking: format!("no request can be sent with {from}"),
            hint,
        }
    }

    pub(super) fn anonymous(hint: &'static str) -> Self {
        Principal {
            requested: "requested without credentials".to_owned(),
            lacking: "no request can be sent".to_owned(),
            hint,
        }
    }

    pub(super) fn lacking(self, lacking: impl Into<String>) -> Self {
        Principal { lacking: lacking.into(), ..self }
    }

    /// The error for a request that could not be signed.
    pub(in crate::source::remote) fn missing(&self, cause: &object_store::Error) -> Error {
        let cause = clipped(&failure::root(cause));
        Error::new(Kind::Permission, format!("{}: {cause}", self.lacking)).hint(self.hint)
    }
}

/// The start of a foreign message, on one line.
pub(super) fn clipped(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
