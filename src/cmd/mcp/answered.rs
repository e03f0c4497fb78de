//! Answers of commands in memory, and the parts that tools take from them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::collector::{Collected, CollectedPart, Collector, Members};
use crate::args::OutputArgs;
use rread_answer::rows::Tools;
use rread_text::error::{Error, Kind, Result};

/// Runs `command` with options that collect the members for `tools`. Returns its answer, and the error that the answer
/// reports.
pub(super) fn answered(
    tools: Tools,
    command: impl FnOnce(OutputArgs) -> Result<()>,
) -> Result<(Collected, Option<Error>)> {
    let collector = Collector::new(tools);
    let output =
        OutputArgs { json: true, renders: Some(Arc::new(collector.clone())), ..OutputArgs::default() };
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
    tools: Tools,
    command: impl FnOnce(OutputArgs) -> Result<()>,
) -> Result<(CollectedPart, Option<Error>)> {
    let (mut answer, error) = answered(tools, command)?;
    Ok((answer.parts.pop().ok_or_else(incomplete)?, error))
}

fn incomplete() -> Error {
    Error::new(Kind::Io, "the answer is incomplete")
}

pub(super) fn text<'v>(members: &'v Members, name: &str) -> Option<&'v str> {
    members.get(name)?.as_str()
}

pub(super) fn number(members: &Members, name: &str) -> Option<u64> {
    members.get(name)?.as_u64()
}

pub(super) fn object<'v>(members: &'v Members, name: &str) -> Option<&'v Members> {
    members.get(name)?.as_object()
}

/// The arguments of `read` that return the slice after `receipt`, without those that stay the same.
pub(super) fn next(name: &str, receipt: &Members) -> Option<Members> {
    let next = object(receipt, "next")?;
    let (command, range) = (text(next, "command")?, text(next, "range")?);
    let mut arguments = Members::new();
    arguments.insert("path".to_owned(), json!(name));
    match command {
        "lines" | "bytes" => {
            arguments.insert(command.to_owned(), json!(range));
            let is_bounded = next.get("bounded") == Some(&Value::Bool(true));
            arguments.extend(is_bounded.then(|| ("bounded".to_owned(), json!(true))));
        }
        "page" => {
            arguments.insert("page".to_owned(), json!(range.parse::<u64>().ok()?));
            arguments.extend(number(next, "page_size").map(|size| ("page_size".to_owned(), json!(size))));
        }
        _ => return None,
    }
    Some(arguments)
}
