//! Errors as JSON objects and as XML attributes.

use super::facts::{Facts, json};
use super::file::NameInfo;
use crate::rows::rows;
use crate::wording::{self, worded};
use rread_text::error::{Error, Result, printable};

#[cfg(test)]
const KINDS: [&str; 18] = [
    "usage",
    "invalid_range",
    "not_found",
    "permission",
    "is_directory",
    "special_file",
    "io",
    "network",
    "locked",
    "binary",
    "out_of_range",
    "invalid_text",
    "changed",
    "mismatch",
    "no_match",
    "timeout",
    "no_rows",
    "write",
];

rows! {
    /// Why there is no answer, or why it is not complete; on standard error.
    pub(super) struct ErrorMembers: "error" {
        flat reason: Reason,
        /// The file as it was named.
        path?: Option<String>,
        /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
        path_base64?: Option<String>,
    }

    /// What is wrong, and what to type instead.
    pub(super) struct Reason {
        /// What is wrong, in one sentence without the name of the file.
        error: String [brief],
        /// The kind of failure. Exit codes: mismatch, no_match, timeout and no_rows 1; usage and invalid_range 2; not_found,
        /// permission, is_directory, special_file, io, locked and network 3; binary 4; out_of_range 5; invalid_text 6; changed 7; write 8.
        kind: &'static str = KINDS [brief],
        /// What to type instead.
        hint?: Option<String>,
    }
}

pub(super) fn reason(error: &Error) -> Reason {
    Reason { error: worded(&error.message), kind: error.kind.name(), hint: wording::hint(error) }
}

pub fn error_json(error: &Error) -> String {
    let name = error.path.as_deref().map(NameInfo::of);
    let (path, path_base64) = name.map_or((None, None), |name| (Some(name.path), name.path_base64));
    json(&ErrorMembers { reason: reason(error), path, path_base64 }).unwrap_or_default()
}

/// The members of a segment without content.
pub fn error_members(error: &Error) -> Result<String> {
    let object = json(&reason(error))?;
    Ok(object.trim_start_matches('{').trim_end_matches('}').to_owned())
}

/// The attributes of a failure to do with the capture `fd`.
pub fn error_facts(fd: &str, error: &Error) -> Facts {
    let hint = wording::hint(error).map(|hint| printable(&hint));
    Facts::known([("type", error.kind.name().into()), ("fd", fd.into()), ("hint", hint.into())])
}
