//! Removes keys that repeat an earlier receipt of the file, and with --brief all that is not needed to continue.

use serde_json::Value;

use super::renderer::Frame;
use crate::receipt::{Envelope, FileInfo, Markup, Members, Receipt, keys};
use rread_text::error::Result;

/// The keys that --brief shows of every receipt that has them.
pub const BRIEF: &str = "error kind total_lines actual_range page sheet header_row on_pages matches cut_by clipped_lines \
    invalid_utf8 truncated next encoding_hint damaged notices trailing_garbage trailing_hint change";

/// The keys that distinguish one of several receipts.
pub const OF_MANY: [&str; 3] = ["path", "path_base64", "content_bytes"];

/// Leaves out of the receipts for people what need not be said.
#[derive(Default)]
pub(super) struct Essential {
    is_brief: bool,
    is_list: bool,
    path: Option<Value>,
    /// What was said of this file so far.
    said: Members,
}

impl Essential {
    pub(super) fn new(frame: &Frame) -> Self {
        let is_list = frame.list.is_some();
        Essential { is_brief: frame.is_brief, is_list, ..Essential::default() }
    }

    /// `is_list`: other content follows, so that the receipt has to say where its own ends.
    pub(super) fn people(
        &mut self,
        envelope: &dyn Envelope,
        file: &FileInfo,
        markup: Markup,
        is_list: bool,
    ) -> Result<Members> {
        let mut members = envelope.people(file, markup, self.is_brief)?;
        let path = members.get("path").cloned();
        if path != self.path {
            self.said.clear();
            self.path = path;
        }
        for key in keys(envelope.said_once()) {
            match members.get(key) {
                Some(value) if self.said.get(key) == Some(value) => drop(members.shift_remove(key)),
                Some(value) => drop(self.said.insert(key.to_owned(), value.clone())),
                None => {}
            }
        }
        if self.is_brief {
            members.retain(|key, _| is_essential(key, envelope.brief(), is_list || self.is_list));
        }
        Ok(members)
    }
}

fn is_essential(key: &str, own: &'static str, is_list: bool) -> bool {
    keys(BRIEF).chain(keys(own)).any(|shown| shown == key) || is_list && OF_MANY.contains(&key)
}

/// The members of JSON that are essential, `own` beside those of every receipt. A string shows its own length, and lines
/// stand without their bytes.
pub(super) fn essential(receipt: &dyn Receipt, own: &'static str, of_files: bool) -> Result<Members> {
    let mut members = receipt.members()?;
    members.retain(|key, _| is_essential(key, own, of_files) && key != "content_bytes");
    if let Some(Value::Object(range)) = members.get_mut("actual_range")
        && range.get("start_line").is_some_and(|line| !line.is_null())
    {
        range.retain(|key, _| key.ends_with("_line"));
    }
    Ok(members)
}
