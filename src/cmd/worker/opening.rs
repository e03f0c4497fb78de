//! The facts that a client and a worker exchange beside the plan: how files are opened, and the version.

use serde::{Deserialize, Serialize};

use rread_text::error::{Error, Result};

/// The options with which a client opens files.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenedAs {
    pub(crate) encoding: Option<String>,
    pub(crate) salvage: bool,
    pub(crate) no_decompress: bool,
    pub(crate) anonymous: bool,
    pub(crate) sheet: Option<String>,
}

impl OpenedAs {
    pub(crate) fn words(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(super) fn of(words: &str) -> Result<Self> {
        serde_json::from_str(words)
            .map_err(|cause| Error::usage(format!("the options of the client: {cause}")))
    }
}

/// The version that both sides have.
pub(crate) fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
