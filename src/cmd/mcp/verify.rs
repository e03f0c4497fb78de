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
use crate::wording::worded;
use rread_answer::rows::Tools;
use rread_text::error::{Error, Kind, Result};

/// The most ranges of lines that the next call names apart.
const RANGES: usize = 20;

/// Room for the facts beside the anchors and lines.
const FACTS: u64 = 400;

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
    // The lists of anchors have the other half. Lines are escaped.
    let whole = budget(asked.max_bytes)?.unwrap_or(BUDGET);
    let room = whole / 2;
    let content = ContentArgs { max_bytes: Some((room / 5 * 4).max(whole.min(FACTS))), ..call.content() };
    let context = asked.context.unwrap_or(2);
    let (anchors, since) = compared(asked.anchors, asked.lines)?;
    let verify = |output| {
        VerifyArgs { file: file.path.clone(), anchors, from: None, since, context, content, output }.run()
    };
    let (part, error) =
        answered_once(Tools::Objects, verify).map_err(|error| translated(error, &files, &VERIFY))?;
    let mut entry = part.receipt;
    let mut next = next(&name, &entry);
    if let Some(Value::String(lines)) = next.as_mut().and_then(|next| next.get_mut("lines")) {
        *lines = few_ranges(lines);
    }
    let repeated = [("context", asked.context), ("max_bytes", asked.max_bytes)];
    for (argument, number) in repeated.into_iter().filter_map(|(argument, it)| Some((argument, it?))) {
        next = next.map(|next| next.into_iter().chain([(argument.to_owned(), json!(number))]).collect());
    }
    entry.shift_remove("next");
    let is_damaged = error.filter(|error| error.kind != Kind::Mismatch);
    let mismatches = entry.get("mismatches").and_then(Value::as_array).map_or(0, Vec::len);
    rename(&mut entry, call, &files);
    entry.insert("ok".to_owned(), json!(mismatches == 0 && is_damaged.is_none()));
    keep_within(&mut entry, room.saturating_sub(FACTS));
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

/// Keeps the anchors for which there is room in bytes, and says where the others begin.
fn keep_within(entry: &mut Members, room: u64) {
    let Some(Value::Array(mismatches)) = entry.get_mut("mismatches") else { return };
    let (mut bytes, mut before) = (0, None);
    let fits = mismatches.iter().position(|mismatch| {
        let now = mismatch["now"].as_str();
        let moved = now.filter(|_| mismatch["status"] == "moved").and_then(line_of);
        let moved = mismatch["line"].as_u64().zip(moved);
        let goes_on = moved.is_some() && before.map(|(from, to)| (from + 1, to + 1)) == moved;
        before = moved;
        bytes += match moved {
            // A run of lines that moved alike is said once.
            Some(_) if goes_on => 0,
            Some(_) => mismatch["anchor"].to_string().len() + mismatch["now"].to_string().len() + 2,
            None => mismatch.to_string().len() + 1,
        };
        bytes as u64 > room
    });
    let Some(fits) = fits else { return };
    let rest = mismatches.split_off(fits);
    let (first, line) = (rest[0]["anchor"].clone(), rest[0]["line"].as_u64());
    if let Some(Value::Object(remaps)) = entry.get_mut("remaps") {
        remaps.retain(|anchor, _| line_of(anchor) < line);
    }
    entry.insert("more_mismatches".to_owned(), json!(rest.len()));
    let first = first.as_str().unwrap_or_default();
    entry.insert("hint".to_owned(), json!(format!("compare the anchors from {first} on in another call")));
}

/// `lines`, of which the last ranges are one range if there are many.
fn few_ranges(lines: &str) -> String {
    let ranges: Vec<&str> = lines.split(',').collect();
    match ranges.get(RANGES..) {
        Some([first, .., last]) => {
            let start = first.split(':').next().unwrap_or_default();
            let end = last.rsplit(':').next().unwrap_or_default();
            [&ranges[..RANGES], &[&*format!("{start}:{end}")]].concat().join(",")
        }
        _ => lines.to_owned(),
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
