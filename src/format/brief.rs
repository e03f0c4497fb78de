//! Removes keys that repeat an earlier receipt of the file, and with --brief all that is not needed to continue.

use serde_json::{Map, Value};

use super::renderer::Frame;
use crate::receipt::{Envelope, Facts};
use rread_text::error::{Error, Kind, Result};

/// The keys of a brief receipt: where one is, how to go on, and what is out of the ordinary.
const ESSENTIAL: &[&str] = &[
    "fd",
    "exit_status",
    "signal",
    "kept_to",
    "binary",
    "actual_range",
    "lines",
    "total_lines",
    "matches",
    "summary",
    "mismatches",
    "remaps",
    "affected_ranges",
    "error",
    "kind",
    "damaged",
    "encoding_hint",
    "invalid_utf8",
    "truncated",
    "cut_by",
    "clipped_lines",
    "next",
    "notices",
    "change",
    "last_page",
    "evicted",
];

/// The keys that distinguish one document of several, or one file.
const OF_MANY: &[&str] = &["path", "path_base64", "content_bytes", "files"];

/// Leaves out of the receipts for people what need not be said.
#[derive(Default)]
pub(super) struct Essential {
    is_brief: bool,
    is_list: bool,
    path: Option<Value>,
    /// What was said of this file so far.
    said: Vec<(&'static str, Value)>,
}

impl Essential {
    pub(super) fn new(frame: &Frame) -> Self {
        let is_list = frame.list.is_some();
        Essential { is_brief: frame.is_brief, is_list, ..Essential::default() }
    }

    /// `is_list`: other content follows, so that the receipt has to say where its own ends.
    pub(super) fn facts(&mut self, mut facts: Facts, envelope: &dyn Envelope, is_list: bool) -> Facts {
        let keys = envelope.keys_of_file();
        let path = facts.0.iter().find(|(key, _)| *key == "path").map(|(_, path)| path.clone());
        if path != self.path {
            self.said.clear();
            self.path = path;
        }
        facts.0.retain(|fact| !keys.contains(&fact.0) || !self.said.contains(fact));
        for (key, value) in facts.0.iter().filter(|(key, _)| keys.contains(key)) {
            self.said.retain(|(said, _)| said != key);
            self.said.push((key, value.clone()));
        }
        if self.is_brief {
            let has_lines = facts.0.iter().any(|(key, _)| *key == "lines");
            let is_list = is_list || self.is_list;
            facts.0.retain(|(key, _)| is_essential(key, is_list) || *key == "range" && !has_lines);
            facts.0.iter_mut().filter(|(key, _)| *key == "mismatches").for_each(|(_, list)| drop_moved(list));
        }
        facts
    }
}

fn is_essential(key: &str, is_list: bool) -> bool {
    ESSENTIAL.contains(&key) || is_list && OF_MANY.contains(&key)
}

/// Leaves out the anchors of lines that moved: `remaps` has them with their new ones.
fn drop_moved(mismatches: &mut Value) {
    if let Value::Array(mismatches) = mismatches {
        mismatches.retain(|mismatch| mismatch["status"] != "moved");
    }
}

/// The members of a receipt that are essential; lines stand without their bytes.
pub(super) fn essential_json(receipt: String, frame: &Frame) -> Result<String> {
    if !frame.is_brief {
        return Ok(receipt);
    }
    let unreadable =
        |cause: serde_json::Error| Error::new(Kind::Io, format!("cannot write the answer: {cause}"));
    let mut members: Map<String, Value> = serde_json::from_str(&receipt).map_err(unreadable)?;
    shorten(&mut members, frame.of_files);
    serde_json::to_string(&members).map_err(unreadable)
}

fn shorten(members: &mut Map<String, Value>, of_files: bool) {
    members.retain(|key, value| {
        let is_unknown = value.is_null() && key != "total_lines";
        is_essential(key, of_files) && key != "content_bytes" && !is_unknown
    });
    if let Some(Value::Object(range)) = members.get_mut("actual_range")
        && range.get("start_line").is_some_and(|line| !line.is_null())
    {
        range.retain(|key, _| key.ends_with("_line"));
    }
    members.entry("mismatches").and_modify(drop_moved);
    if let Some(Value::Array(files)) = members.get_mut("files") {
        files.iter_mut().filter_map(Value::as_object_mut).for_each(|file| shorten(file, true));
    }
}
