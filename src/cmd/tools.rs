//! The tools for agents: `rread mcp` serves them, `rread call` runs one, `rread --schema tools` lists them.

mod answered;
mod capture;
mod follow;
mod image;
mod names;
mod read;
mod search;
#[cfg(feature = "sql")]
mod select;
mod stat;
pub(crate) mod table;
mod verify;

use std::sync::Arc;

use serde_json::json;

use crate::roots::call::Call;
use rread_text::Result;
use table::{Answer, Arguments, Tool};

type Run = fn(&Arc<Call>, Arguments) -> Result<Answer>;

/// The tools of this build, and what answers them. `capture` runs commands; the others only read.
const ROWS: &[(&Tool, Run)] = &[
    (&table::READ, read::run),
    (&table::SEARCH, search::run),
    (&table::STAT, stat::run),
    (&table::VERIFY, verify::run),
    (&table::IMAGE, image::run),
    (&table::FOLLOW, follow::run),
    #[cfg(feature = "sql")]
    (&table::SELECT, select::run),
    (&table::CAPTURE, capture::run),
];

pub(crate) fn all() -> impl Iterator<Item = &'static Tool> {
    ROWS.iter().map(|(tool, _)| *tool)
}

/// The answer to a call of `tool`; an error is in the words of the client.
pub(crate) fn call(tool: &Tool, call: &Arc<Call>, mut arguments: Arguments) -> Result<Answer> {
    // The tool does not see the secrets of URLs, so its answer cannot show them.
    arguments = call.hide_secrets(arguments)?;
    let answer = tool.check(&mut arguments).and_then(|()| {
        let row = ROWS.iter().find(|(known, _)| known.name == tool.name);
        row.map_or_else(|| Err(answered::incomplete()), |(_, run)| run(call, arguments))
    });
    answer.map_err(|error| names::translated(error, &[], tool))
}

/// The tools in the form of function calling, one on a line; vendors have different names for `parameters`.
pub(crate) fn as_functions() -> String {
    let function = |tool: &Tool| {
        json!({"name": tool.name, "description": tool.description, "parameters": tool.input()}).to_string()
    };
    format!("[{}]\n", all().map(function).collect::<Vec<_>>().join(",\n"))
}
