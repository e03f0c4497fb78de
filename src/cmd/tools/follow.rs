//! The tool `follow`: waits for lines that match, in a file that grows.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::names::{Meaning, all, meaning};
use super::search;
use super::table::{Answer, Arguments, Body, FollowArguments};
use crate::roots::FileState;
use crate::roots::call::Call;
use rread_answer::Receipt;
use rread_reader::{Case, LineMatcher, Pattern};
use rread_source::access::Watch;
use rread_text::{Encoding, Error, Kind, Result};

/// The most bytes of a file that was replaced that are looked at.
const REST: u64 = 16 << 20;

/// How often the file is looked at.
const POLL: Duration = Duration::from_millis(100);

/// How long a call waits if it does not say, and at most.
const WAIT: Duration = Duration::from_secs(30);
const MAX_WAIT: Duration = Duration::from_secs(3600);

/// Where a call begins: an offset, and the file that it is in, as `next` has them.
struct From {
    at: u64,
    file: Option<String>,
}

impl From {
    fn parse(text: &str) -> Result<Self> {
        let (at, file) = text.split_once('@').map_or((text, None), |(at, file)| (at, Some(file.to_owned())));
        let wrong = |_| {
            Error::usage(format!("from '{text}' is not an offset")).hint("leave it out, or take that of next")
        };
        Ok(From { at: at.trim().parse().map_err(wrong)?, file })
    }
}

/// The file of `state`, as `from` names it.
fn name_of(state: &FileState) -> String {
    format!("{:x}-{:x}", state.id.0, state.id.1)
}

pub(super) fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked = FollowArguments::read(&arguments)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    if asked.pattern.0.is_empty() {
        return Err(Error::usage("no pattern was given").hint(r#"{"path": "app.log", "pattern": "ERROR"}"#));
    }
    of_search(call, &asked).check(true)?;
    let Meaning::Place(place) = meaning(call, &name)? else {
        return Err(Error::usage("cannot be followed: only files grow").at(Path::new(&name)));
    };
    let path = place.path();
    let deadline = Instant::now() + asked.timeout.unwrap_or(WAIT).min(MAX_WAIT);
    let state = || call.permissions.roots.state(&path);
    let mut held = state().map_err(|error| error.at(Path::new(&name)))?;
    let (mut end, mut encoding) = whole_lines(call, &path, held.size)?;
    let mut at = match asked.from.as_deref().map(From::parse).transpose()? {
        // The name has another file than at the end of the call before.
        Some(from) if from.file.as_ref().is_some_and(|file| *file != name_of(&held)) => 0,
        Some(from) => from.at,
        None => end,
    };
    let mut next = arguments;
    let mut answer = |at: u64, held: &FileState, found| {
        next.insert("from".to_owned(), json!(format!("{at}@{}", name_of(held))));
        answer(next.clone(), found)
    };
    loop {
        call.check().map_err(|cause| Error::read("", &cause))?;
        if end > at
            && let Some(found) = search(call, &asked, &name, at..end)?
        {
            return answer(end, &held, Some(found));
        }
        at = end.max(at);
        if Instant::now() >= deadline {
            return answer(at, &held, None);
        }
        sleep(POLL);
        let now = match state() {
            Ok(now) => now,
            // Between the two steps of a rotation, no file has the name.
            Err(error) if error.kind == Kind::NotFound => continue,
            Err(error) => return Err(error.at(Path::new(&name))),
        };
        if now.id != held.id {
            // Lines that came last before the name got another file.
            let rest = held.rest(at, REST)?;
            let found = matching(&of_search(call, &asked), encoding, &rest)?;
            (held, at) = (now, 0);
            if let Some(found) = found {
                return answer(at, &held, Some(found));
            }
        } else {
            at = if now.size < at { 0 } else { at };
            held = now;
        }
        (end, encoding) = if held.size > at { whole_lines(call, &path, held.size)? } else { (at, encoding) };
    }
}

/// The lines in `text`, the end of a file, that match; without numbers.
fn matching(pattern: &Pattern, encoding: Encoding, text: &[u8]) -> Result<Option<Value>> {
    let (mut lines, mut count) = (String::new(), 0u64);
    LineMatcher::new(pattern, encoding, true)?.lines(text, 0, &mut |_, line| {
        lines += &String::from_utf8_lossy(line);
        count += 1;
        Ok(true)
    })?;
    Ok((count > 0).then(|| json!({"matched_lines": count, "lines": lines})))
}

fn of_search(call: &Arc<Call>, asked: &FollowArguments) -> Pattern {
    let case = if asked.ignore_case { Case::Insensitive } else { Case::Sensitive };
    let patterns = asked.pattern.0.clone();
    Pattern { patterns, case, client: Some(Arc::clone(call) as _), ..Pattern::default() }
}

/// The end of the last whole line in the first `size` bytes, and the encoding of the file.
fn whole_lines(call: &Arc<Call>, path: &Path, size: u64) -> Result<(u64, Encoding)> {
    let reader = call.read_options()?.open(path)?;
    if reader.decoding().is_some() {
        return Err(Error::usage("cannot be followed: its text is decoded").at(path));
    }
    let size = size.min(reader.source().size().unwrap_or(size));
    Ok((reader.line_start(size)?, reader.encoding()))
}

/// The result of the tool `search` for the file, if lines in `span` match.
fn search(call: &Arc<Call>, asked: &FollowArguments, name: &str, span: Range<u64>) -> Result<Option<Value>> {
    let range = format!("b{}:{}", span.start, span.end);
    let arguments = json!({"pattern": asked.pattern.joined(), "path": name, "ignore_case": asked.ignore_case, "in": range, "context": asked.context.unwrap_or(0)});
    let Value::Object(arguments) = arguments else { return Ok(None) };
    let Body::Structured(mut found) = search::run(call, arguments)?.body else { return Ok(None) };
    let file = found["files"].as_array_mut().and_then(|files| files.pop());
    Ok(file.filter(|file| file["lines"].is_string()))
}

/// `next` is the call that goes on; lines that the budget of the answer cut off come first.
fn answer(next: Arguments, found: Option<Value>) -> Result<Answer> {
    let failure = found.is_none().then(|| Error::new(Kind::Timeout, "no line came that matches"));
    let (matched, found) = (found.is_some(), found.unwrap_or_default());
    let more = found.get("next").map(|cut| json!({"search": cut}));
    let (lines, count) = (&found["lines"], &found["matched_lines"]);
    let answer = json!({"path": next["path"], "matched": matched, "matched_lines": count, "lines": lines, "more": more, "next": next});
    Ok(Answer::new(Body::Structured(Value::Object(answer.known()?)), failure))
}
