//! Answers of commands in memory, and the parts that tools take from them.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::collector::{Collected, CollectedPart, Collector};
use rread_answer::continuation::Next;
use rread_answer::format::Format;
use rread_answer::options::OutputOptions;
use rread_answer::receipt::Members;
use rread_text::error::{Error, Kind, Result};

/// Runs `command` with options that collect its answer. Returns the answer, and the error that the answer
/// reports.
pub(super) fn answered(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(Collected, Option<Error>)> {
    let collector = Collector::default();
    let output = OutputOptions {
        format: Format::Json,
        renders: Some(Arc::new(collector.clone())),
        ..OutputOptions::default()
    };
    let outcome = command(output);
    match (outcome, collector.take()) {
        (Ok(()), Some(answer)) => Ok((answer, None)),
        // A part that failed is reported in its place.
        (Err(error), Some(answer)) => Ok((answer, Some(error))),
        (Err(error), None) => Err(error),
        (Ok(()), None) => Err(incomplete()),
    }
}

/// The answer of a command that is about one file and has one part.
pub(super) fn answered_once(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(CollectedPart, Option<Error>)> {
    let (mut answer, error) = answered(command)?;
    Ok((answer.parts.pop().ok_or_else(incomplete)?, error))
}

pub(super) fn incomplete() -> Error {
    Error::new(Kind::Io, "the answer is incomplete")
}

/// The arguments of `read` that return the slice `next`, without those that stay the same.
pub(super) fn next_call(name: &str, next: &NextSlice) -> Option<Members> {
    let mut arguments = Members::new();
    arguments.insert("path".to_owned(), json!(name));
    match &*next.command {
        command @ ("lines" | "bytes") => {
            arguments.insert(command.to_owned(), json!(next.range));
            arguments.extend(next.bounded.then(|| ("bounded".to_owned(), json!(true))));
        }
        "page" => {
            arguments.insert("page".to_owned(), json!(next.range.parse::<u64>().ok()?));
            arguments.extend(next.page_size.map(|size| ("page_size".to_owned(), json!(size))));
        }
        _ => return None,
    }
    Some(arguments)
}

/// The slice that follows, from memory or from the JSON of another process.
#[derive(Deserialize)]
pub(super) struct NextSlice {
    command: String,
    range: String,
    page_size: Option<u64>,
    #[serde(default)]
    bounded: bool,
}

impl From<Next> for NextSlice {
    fn from(next: Next) -> Self {
        let (page_size, bounded) = (next.page_size(), next.is_bounded());
        NextSlice { command: next.command().to_owned(), range: next.argument(), page_size, bounded }
    }
}
