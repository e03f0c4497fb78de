//! The tool `capture`: runs a command and keeps its output, in a process of its own.

use std::io::Read;
use std::process::{self, Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::Signal;
use serde_json::Value;

use super::answered::{NextSlice, next_call};
use super::read::{BUDGET, budget};
use super::table::{Answer, Arguments, Body, CaptureArguments};
use crate::roots::call::Call;
use rread_answer::wording;
use rread_source::access::Watch;
use rread_source::interrupt::{self, Guard};
use rread_text::{Error, Kind, Result, inert};

const POLL: Duration = Duration::from_millis(5);

/// How long the command has to end after its time is up.
const LAST: Duration = Duration::from_millis(800);

pub(super) fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked = CaptureArguments::read(&arguments)?;
    if asked.command.0.first().is_none_or(String::is_empty) {
        return Err(Error::usage("no command was given").hint(r#"{"command": ["make", "test"]}"#));
    }
    let max_bytes = budget(asked.max_bytes)?.unwrap_or(BUDGET - 1000);
    let failed = |cause| Error::read("cannot run rread capture", &cause);
    let mut command = process::Command::new(std::env::current_exe().map_err(failed)?);
    command.args(["capture", "--json", "--always-zero", "--max-bytes", &max_bytes.to_string()]);
    command.args(asked.name.iter().map(|name| format!("--name={name}"))).arg("--").args(&asked.command.0);
    // Standard input carries the protocol.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    interrupt::watch();
    let started = Guard::make(|| {
        let child = command.spawn()?;
        let group = child.id();
        Ok((child, move || end(group, Signal::KILL)))
    });
    let (child, _guard) = started.map_err(failed)?;
    let (out, err, is_late) = wait(call, child)?;
    match serde_json::from_slice(&out) {
        Ok(answer) => Ok(shown(&answer, is_late.then(|| call.too_late()))),
        Err(_) => Err(refused(&err)),
    }
}

/// Waits for `child`; ends it, and everything that it started, if the call is cancelled. If the time is up, which is the third
/// value, `child` answers with what came so far.
fn wait(call: &Call, mut child: Child) -> Result<(Vec<u8>, Vec<u8>, bool)> {
    let failed = |cause| Error::read("cannot run rread capture", &cause);
    let (out, err) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let mut ended = None;
    while child.try_wait().map_err(failed)?.is_none() {
        if call.is_late() && ended.is_none() {
            end(child.id(), Signal::TERM);
            ended = Some(Instant::now());
        }
        if call.is_cancelled() || ended.is_some_and(|ended| ended.elapsed() > LAST) {
            end(child.id(), Signal::KILL);
            let _ = child.kill();
            let _ = child.wait();
            call.check().map_err(|cause| Error::read("", &cause))?;
        }
        thread::sleep(POLL);
    }
    Ok((out.join().unwrap_or_default(), err.join().unwrap_or_default(), ended.is_some()))
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        bytes
    })
}

#[cfg(unix)]
fn end(group: u32, signal: Signal) {
    use rustix::process::{Pid, kill_process_group};
    let group = i32::try_from(group).ok().and_then(Pid::from_raw);
    let _ = group.map(|group| kill_process_group(group, signal));
}

#[cfg(not(unix))]
enum Signal {
    TERM,
    KILL,
}

#[cfg(not(unix))]
fn end(_: u32, _: Signal) {}

fn refused(err: &[u8]) -> Error {
    // Notes come before it.
    let last = err.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or(err);
    let refused: Value = serde_json::from_slice(last).unwrap_or_default();
    let message = refused["error"].as_str().map_or_else(|| String::from_utf8_lossy(err), Into::into);
    let path = refused["path"].as_str().map_or(String::new(), |path| format!("{path}: "));
    Error::usage(format!("{path}{message}"))
}

/// Facts that the line of facts leaves out.
const HIDDEN: [&str; 6] = ["command", "content_bytes", "truncated", "actual_range", "message", "version"];

/// The `answer` of `rread capture --json` as text: one line of facts, then the output. `late` is the error of a call that took
/// too long.
fn shown(answer: &Value, late: Option<Error>) -> Answer {
    let mut others = answer["metadata"].as_object().cloned().unwrap_or_default();
    let next = others.shift_remove("next").and_then(|next| serde_json::from_value::<NextSlice>(next).ok());
    let mut facts: Vec<String> = late.iter().map(wording::line).collect();
    for (key, value) in &others {
        let is_hidden = HIDDEN.contains(&key.as_str()) || key == "signal" && late.is_some();
        if !is_hidden && !value.is_null() && *value != Value::Bool(false) {
            facts.push(format!("{key} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        }
    }
    // The exit code of `rread capture` is that of its command.
    let status = others.get("exit_status").and_then(Value::as_u64).and_then(|code| u8::try_from(code).ok());
    let status = status.filter(|code| *code != 0);
    let failed = status.map(|code| Error { exit: Some(code), ..Error::new(Kind::Io, "the command failed") });
    let handle = others.get("fd").and_then(Value::as_str).unwrap_or_default();
    let next = next.and_then(|next| next_call(handle, &next));
    facts.extend(next.map(|next| format!("next: read {}", inert(&Value::Object(next).to_string()))));
    Answer::new(
        Body::Text(format!("{}\n{}", facts.join(" | "), answer["content"].as_str().unwrap_or_default())),
        failed,
    )
}
