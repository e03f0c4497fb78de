//! The tool `verify`: which lines have changed since they were read with their hashes.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::answered::{answered_once, next};
use super::collector::Members;
use super::hint::translated;
use super::names::{all, named};
use super::read::{BUDGET, budget};
use super::stat::rename;
use super::tool_names::VERIFY;
use crate::args::ContentArgs;
use crate::cmd::verify::{Since, VerifyArgs};
use crate::mcp::arguments::{self, list, words};
use crate::mcp::call::Call;
use crate::mcp::tool::{Answer, Arguments, Tool};
use crate::receipt::{Moved, line_of};
use crate::rows::Tools;
use crate::wording::worded;
use rread_text::error::{Error, Kind, Result};

pub(super) const TOOL: Tool = Tool {
    name: "verify",
    title: "Verify lines",
    description: "Check that lines are as they were read with hash. Reports moved, changed and gone lines, new anchors (remaps), \
        and changed lines as they are now.",
    input: r#"{"type":"object","additionalProperties":false,"required":["path"],"properties":{
"path":{"type":"string","description":"File"},
"anchors":{"type":"array","items":{"type":"string"},"description":"12#a1b2c3, from read with hash"},
"lines":{"type":"string","description":"Or 110:120, as last read with hash"},
"context":{"type":"integer","description":"Lines around them (2)"},
"max_bytes":{"type":"integer"}}}"#,
    output: Some(r#"{"type":"object","required":["path","ok","checked"]}"#),
    only_reads: true,
    run: |call, arguments| run(call, arguments).map_err(|error| translated(error, &[], &VERIFY)),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct VerifyArguments {
    #[serde(deserialize_with = "words")]
    path: Option<String>,
    #[serde(deserialize_with = "list")]
    anchors: Vec<String>,
    #[serde(deserialize_with = "words")]
    lines: Option<String>,
    #[serde(deserialize_with = "arguments::number")]
    context: Option<u64>,
    #[serde(deserialize_with = "arguments::number")]
    max_bytes: Option<u64>,
}

fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked: VerifyArguments = arguments::parse(arguments, &TOOL)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    let file = named(call, &name)?;
    let files = [file.clone()];
    let max_bytes = Some(budget(asked.max_bytes)?.unwrap_or(BUDGET / 2));
    let content = ContentArgs { max_bytes, ..call.content() };
    let context = asked.context.unwrap_or(2);
    let (anchors, since) = compared(asked.anchors, asked.lines)?;
    let verify = |output| {
        VerifyArgs { file: file.path.clone(), anchors, from: None, since, context, content, output }.run()
    };
    let (part, error) =
        answered_once(Tools::Objects, verify).map_err(|error| translated(error, &files, &VERIFY))?;
    let mut entry = part.receipt;
    let next = next(&name, &entry);
    entry.shift_remove("next");
    let is_damaged = error.filter(|error| error.kind != Kind::Mismatch);
    let mismatches = entry.get("mismatches").and_then(Value::as_array).map_or(0, Vec::len);
    rename(&mut entry, call, &files);
    entry.insert("ok".to_owned(), json!(mismatches == 0 && is_damaged.is_none()));
    say_moves_once(&mut entry);
    if mismatches == 0 {
        entry.retain(|_, value| !matches!(value, Value::Array(list) if list.is_empty()));
    }
    if !part.content.is_empty() {
        entry.insert("lines".to_owned(), json!(part.content));
    }
    entry.extend(next.map(|next| ("next".to_owned(), Value::Object(next))));
    entry.extend(
        is_damaged
            .map(|error| ("error".to_owned(), json!(worded(&translated(error, &files, &VERIFY).message)))),
    );
    Ok(Answer::Structured(Value::Object(entry)))
}

/// The anchors, or the lines and when they were read.
fn compared(anchors: Vec<String>, lines: Option<String>) -> Result<(Vec<String>, Option<Since>)> {
    match lines {
        Some(_) if !anchors.is_empty() => {
            Err(Error::usage("anchors and lines are two ways to say what is compared")
                .hint("give one of them"))
        }
        Some(lines) => Ok((vec![lines], Some(Since::Last))),
        None => Ok((anchors, None)),
    }
}

/// Puts runs of lines that moved alike in the place of their anchors.
fn say_moves_once(entry: &mut Members) {
    let line = |value: &Value| value.as_str().and_then(line_of);
    let remaps = entry.get("remaps").and_then(Value::as_object);
    let lines = remaps.into_iter().flatten().filter_map(|(from, to)| Some((line_of(from)?, line(to)?)));
    let moved = Moved::of(lines);
    if let Some(Value::Object(remaps)) = entry.get_mut("remaps") {
        remaps.retain(|anchor, _| moved.is_alone(anchor));
    }
    if let Some(Value::Array(mismatches)) = entry.get_mut("mismatches") {
        mismatches.retain(|mismatch| mismatch["status"] != "moved");
    }
    entry.extend(moved.runs.map(|runs| ("moved".to_owned(), json!(runs))));
    entry.retain(|name, value| !matches!((name.as_str(), value), ("remaps", Value::Object(remaps)) if remaps.is_empty()));
}
