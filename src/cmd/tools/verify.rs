//! The tool `verify`: which lines have changed since they were read with their hashes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{answered_once, incomplete};
use super::names::{all, named, translated};
use super::read::{BUDGET, budget};
use super::stat::name_for_client;
use super::table::{Answer, Arguments, Body, VERIFY, VerifyArguments};
use crate::cmd::verify::VerifyRequest;
use crate::roots::call::Call;
use rread_answer::receipt::{Envelope, Mismatch, MismatchInfo, Moved, arrange};
use rread_answer::verify::Since;
use rread_answer::{AnswerOptions, PartData, Receipt, worded};
use rread_text::{Anchor, Error, Kind, Result};

/// Room for the facts beside the anchors and lines.
const FACTS: u64 = 400;

pub(super) fn run(call: &Arc<Call>, mut arguments: Arguments) -> Result<Answer> {
    let asked = VerifyArguments::read(&arguments)?;
    let name = all(asked.path.as_ref(), &[])?.remove(0);
    let file = named(call, &name)?;
    let files = [file.clone()];
    // The lists of anchors have the other half. Lines are escaped.
    let whole = budget(asked.max_bytes)?.unwrap_or(BUDGET);
    let room = whole / 2;
    let content = AnswerOptions { max_bytes: Some((room / 5 * 4).max(whole.min(FACTS))), ..call.content()? };
    let context = asked.context.unwrap_or(2);
    let (anchors, since) = compared(asked.anchors.clone(), asked.lines.0)?;
    let verify = |output| {
        VerifyRequest { file: file.path.clone(), anchors, from: None, since, context, content, output }.run()
    };
    let (part, error) = answered_once(verify).map_err(|error| translated(error, &files, &VERIFY))?;
    let PartData::Verified(mut found) = part.data else { return Err(incomplete()) };
    let mut file = part.file;
    let failure = error.clone();
    let is_damaged = error.filter(|error| error.kind != Kind::Mismatch);
    let (summary, differs) = (found.summary(), !found.mismatches.is_empty());
    let hard_links = name_for_client(&mut file.name, call, &files);
    // The anchors that are left stand in `next`, unless they are too many.
    let listed = asked.anchors.iter().map(|text| text.len() as u64 + 3).sum();
    let listed = if listed < room / 2 { listed } else { 0 };
    let rest = split_off(&mut found.mismatches, room.saturating_sub(FACTS + listed))?;
    let end = rest.first().map(|mismatch| mismatch.anchor);
    let left = end.zip(rest.last()).map(|(first, last)| format!("{}:{}", first.line, last.anchor.line));
    let next = left.or(found.next_range()).map(|lines| {
        let from = end.filter(|_| listed > 0).map_or(u64::MAX, |end| end.line);
        let is_left = |text: &&str| text.parse().is_ok_and(|anchor: Anchor| anchor.line >= from);
        let anchors: Vec<&str> = asked.anchors.iter().flat_map(|text| text.lines()).filter(is_left).collect();
        arguments.remove("anchors");
        let (name, value) =
            if anchors.is_empty() { ("lines", json!(lines)) } else { ("anchors", json!(anchors)) };
        arguments.insert(name.to_owned(), value);
        arguments
    });
    // Lines that moved alike are said once.
    let shown = found.moved_lines().filter(|(line, _)| end.is_none_or(|end| *line < end.line));
    let moved = Moved::of(shown);
    let is_shown = |(line, _): &(u64, u64)| moved.is_alone(*line) && end.is_none_or(|end| *line < end.line);
    let words = json!({
        "mismatches": differs.then(|| found.changed(false)),
        "remaps": Some(found.remaps(is_shown)).filter(|remaps| !remaps.is_empty()),
        "summary": summary,
        "hard_links": hard_links,
        "ok": !differs && is_damaged.is_none(),
        "more_mismatches": end.map(|_| rest.len()),
        "moved": moved.runs,
        "lines": Some(part.content).filter(|lines| !lines.is_empty()),
        "next": next,
        "error": is_damaged.map(|error| worded(&translated(error, &files, &VERIFY).message)),
    });
    let answer = arrange(KEYS, &*found.receipt(&file, false), &words)?;
    Ok(Answer::new(Body::Structured(Value::Object(answer)), failure))
}

/// The keys of the answer.
const KEYS: &str = "NAME total_lines checked summary mismatches remaps cut_by clipped_lines invalid_utf8 DECODING encoding \
    encoding_source encoding_guess bom time TRAFFIC notices damaged trailing_garbage guess_contradicted change hard_links ok \
    more_mismatches moved lines next error";

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

/// Splits off the anchors for which there is no room in bytes.
fn split_off(mismatches: &mut Vec<Mismatch>, room: u64) -> Result<Vec<Mismatch>> {
    let (mut bytes, mut before) = (0, None);
    for (at, mismatch) in mismatches.iter().enumerate() {
        let moved = mismatch.moved();
        let goes_on = moved.is_some() && before.map(|(from, to)| (from + 1, to + 1)) == moved;
        before = moved;
        bytes += match mismatch.now {
            // A run of lines that moved alike is said once.
            Some(_) if goes_on => 0,
            // Two strings of JSON, a colon and a comma.
            Some(now) if moved.is_some() => mismatch.anchor.to_string().len() + now.to_string().len() + 6,
            _ => MismatchInfo::new(mismatch, false).json()?.len() + 1,
        };
        // Without one, the next call would be the same.
        if at > 0 && bytes as u64 > room {
            return Ok(mismatches.split_off(at));
        }
    }
    Ok(Vec::new())
}
