//! Answers of commands in memory, and the parts that tools take from them.

use serde_json::{Map, Value, json};

use crate::args::OutputArgs;
use crate::mcp::call::json_to;
use crate::output::Memory;
use rread_text::error::{Error, Kind, Result};

/// Runs `command` with options that write to memory. Returns its answer, and the error that the answer reports.
pub(super) fn answered(command: impl FnOnce(OutputArgs) -> Result<()>) -> Result<(Value, Option<Error>)> {
    let memory = Memory::default();
    let outcome = command(json_to(&memory));
    let written = memory.take();
    match (outcome, serde_json::from_slice(&written)) {
        (Ok(()), Ok(answer)) => Ok((answer, None)),
        // A part that failed is reported in its place.
        (Err(error), Ok(answer)) => Ok((answer, Some(error))),
        (Err(error), Err(_)) => Err(error),
        (Ok(()), Err(cause)) => Err(Error::new(Kind::Io, format!("the answer is incomplete: {cause}"))),
    }
}

pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

pub(super) fn number(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

/// The arguments of `read` that return the slice after `metadata`, without those that stay the same.
pub(super) fn next(name: &str, metadata: &Value) -> Option<Map<String, Value>> {
    let next = metadata.get("next").filter(|next| next.is_object())?;
    let (command, range) = (text(next, "command")?, text(next, "range")?);
    let mut arguments = Map::new();
    arguments.insert("path".to_owned(), json!(name));
    match command {
        "lines" | "bytes" => {
            arguments.insert(command.to_owned(), json!(range));
            let is_bounded = next.get("bounded") == Some(&json!(true));
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

/// Removes the members `names` of an object, and those that are null.
pub(super) fn without(mut value: Value, names: &[&str]) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|name, value| !names.contains(&name.as_str()) && !value.is_null());
    }
    value
}
