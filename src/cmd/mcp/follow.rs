//! The tool `follow`: waits for lines that match, in a file that grows.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::hint::translated;
use super::names::{Meaning, all, meaning};
use super::search;
use super::tool_names::FOLLOW;
use crate::args::InputArgs;
use crate::mcp::arguments::{self, flag, words};
use crate::mcp::call::Call;
use crate::mcp::tool::{Answer, Arguments, Tool};
use rread_reader::search::pattern::Pattern;
use rread_source::access::Watch;
use rread_text::error::{Error, Kind, Result};

/// How often the file is looked at.
const POLL: Duration = Duration::from_millis(100);

/// The seconds that a call waits, if it does not say, and at most.
const SECONDS: (u64, u64) = (30, 3600);

pub(super) const TOOL: Tool = Tool {
    name: "follow",
    title: "Wait for a line",
    description: "Wait until a line that matches is appended to a file, which may be rotated meanwhile.",
    input: r#"{"type":"object","additionalProperties":false,"required":["path","pattern"],"properties":{
"path":{"type":"string"},
"pattern":{"type":"string"},
"ignore_case":{"type":"boolean"},
"timeout":{"type":"integer","description":"Seconds (30)"},
"from":{"type":"integer","description":"Byte, from next (the end)"}}}"#,
    output: None,
    only_reads: true,
    run: |call, arguments| run(call, arguments).map_err(|error| translated(error, &[], &FOLLOW)),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FollowArguments {
    #[serde(deserialize_with = "words")]
    path: Option<String>,
    #[serde(deserialize_with = "words")]
    pattern: Option<String>,
    #[serde(deserialize_with = "flag")]
    ignore_case: bool,
    #[serde(deserialize_with = "arguments::number")]
    timeout: Option<u64>,
    #[serde(deserialize_with = "arguments::number")]
    from: Option<u64>,
}

fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked: FollowArguments = arguments::parse(arguments, &TOOL)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    let Some(pattern) = asked.pattern.clone() else {
        return Err(Error::usage("no pattern was given").hint(r#"{"path": "app.log", "pattern": "ERROR"}"#));
    };
    Pattern { patterns: vec![pattern.clone()], ..Pattern::default() }.check(true)?;
    let Meaning::Place(place) = meaning(call, &name)? else {
        return Err(Error::usage("cannot be followed: only files grow").at(Path::new(&name)));
    };
    let path = place.path();
    let deadline = Instant::now() + Duration::from_secs(asked.timeout.unwrap_or(SECONDS.0).min(SECONDS.1));
    let state = || call.permissions.roots.state(&path);
    let first = state().map_err(|error| error.at(Path::new(&name)))?;
    let mut id = first.id;
    let mut at = match asked.from {
        Some(from) => from,
        None => whole_lines(call, &path, first.size)?,
    };
    loop {
        call.check().map_err(|cause| Error::read("", &cause))?;
        match state() {
            Ok(now) => {
                if now.id != id || now.size < at {
                    (id, at) = (now.id, 0);
                }
                let end = if now.size > at { whole_lines(call, &path, now.size)? } else { at };
                if end > at
                    && let Some(found) = search(call, &asked, &name, &pattern, at..end)?
                {
                    return Ok(answer(&asked, &name, &pattern, end, Some(found)));
                }
                at = end.max(at);
            }
            // Between the two steps of a rotation, no file has the name.
            Err(error) if error.kind == Kind::NotFound => {}
            Err(error) => return Err(error.at(Path::new(&name))),
        }
        if Instant::now() >= deadline {
            return Ok(answer(&asked, &name, &pattern, at, None));
        }
        sleep(POLL);
    }
}

/// The end of the last whole line in the first `size` bytes.
fn whole_lines(call: &Arc<Call>, path: &Path, size: u64) -> Result<u64> {
    let input = InputArgs { source: call.source(), ..InputArgs::default() };
    let reader = input.open(path)?;
    if reader.decoding().is_some() {
        return Err(Error::usage("cannot be followed: its text is decoded").at(path));
    }
    reader.line_start(size.min(reader.source().size().unwrap_or(size)))
}

/// The result of the tool `search` for the file, if lines in `span` match.
fn search(
    call: &Arc<Call>,
    asked: &FollowArguments,
    name: &str,
    pattern: &str,
    span: Range<u64>,
) -> Result<Option<Value>> {
    let range = format!("b{}:{}", span.start, span.end);
    let arguments = json!({"pattern": pattern, "path": name, "ignore_case": asked.ignore_case, "in": range});
    let Value::Object(arguments) = arguments else { return Ok(None) };
    let Answer::Structured(mut found) = (search::TOOL.run)(call, arguments)? else { return Ok(None) };
    let file = found["files"].as_array_mut().and_then(|files| files.pop());
    Ok(file.filter(|file| file["lines"].is_string()))
}

fn answer(asked: &FollowArguments, name: &str, pattern: &str, at: u64, found: Option<Value>) -> Answer {
    let mut next = json!({"path": name, "pattern": pattern, "from": at});
    if asked.ignore_case {
        next["ignore_case"] = json!(true);
    }
    let mut answer = json!({"path": name, "matched": found.is_some()});
    for key in ["matched_lines", "lines"] {
        if let Some(value) = found.as_ref().and_then(|found| found.get(key)) {
            answer[key] = value.clone();
        }
    }
    // Lines that the budget of the answer cut off come first.
    let cut = found.as_ref().and_then(|found| found.get("next"));
    if let Some(cut) = cut {
        answer["more"] = json!({"search": cut});
    }
    answer["next"] = next;
    Answer::Structured(answer)
}
