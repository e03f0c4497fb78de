//! Errors as JSON objects and as XML attributes.

use serde::Serialize;

use super::file::NameInfo;
use super::json::{Members, Receipt, json};
use crate::wording::{self, worded};
use rread_text::error::{Error, Result, printable};

/// Why there is no answer, or why it is not complete; on standard error.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "error"))]
pub(super) struct ErrorMembers {
    #[serde(flatten)]
    reason: Reason,
    /// The file as it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
}

/// What is wrong, and what to type instead.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Reason {
    /// What is wrong, in one sentence without the name of the file.
    error: String,
    /// The kind of failure. Exit codes: mismatch, no_match, timeout and no_rows 1; usage and invalid_range 2; not_found,
    /// permission, is_directory, special_file, io, locked and network 3; binary 4; out_of_range 5; invalid_text 6; changed 7; write 8.
    kind: &'static str,
    /// What to type instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
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
#[derive(Serialize)]
struct CaptureFailure<'a> {
    r#type: &'static str,
    fd: &'a str,
    hint: Option<String>,
}

pub fn error_facts(fd: &str, error: &Error) -> Members {
    let hint = wording::hint(error).map(|hint| printable(&hint));
    CaptureFailure { r#type: error.kind.name(), fd, hint }.members().unwrap_or_default()
}
