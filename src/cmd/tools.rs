//! The tools for agents: `rread mcp` serves them, `rread call` runs one, `rread --schema tools` lists them.

mod answered;
mod archive_name;
pub(crate) mod arguments;
mod capture;
mod collector;
mod follow;
mod hint;
mod image;
mod names;
mod names_of_other_tools;
mod read;
mod search;
mod search_results;
#[cfg(feature = "sql")]
mod select;
mod stat;
mod text_renderer;
mod verify;

use serde_json::json;

use arguments::Tool;

/// The tools of this build. `capture` runs commands; the others only read.
pub(crate) const TOOLS: &[&Tool] = &[
    &read::TOOL,
    &search::TOOL,
    &stat::TOOL,
    &verify::TOOL,
    &image::TOOL,
    &follow::TOOL,
    #[cfg(feature = "sql")]
    &select::TOOL,
    &capture::TOOL,
];

/// The tools in the form of function calling, one on a line; vendors have different names for `parameters`.
pub(crate) fn as_functions() -> String {
    let function = |tool: &&Tool| {
        json!({"name": tool.name, "description": tool.description, "parameters": tool.input()}).to_string()
    };
    format!("[{}]\n", TOOLS.iter().map(function).collect::<Vec<_>>().join(",\n"))
}
