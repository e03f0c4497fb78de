//! Removes keys that repeat an earlier receipt of the file, and with --brief all that is not needed to continue.

use serde_json::Value;

use super::renderer::Frame;
use crate::receipt::{Envelope, Facts, Receipt};
use crate::rows::{Brief, Row};
use rread_text::error::Result;

/// Leaves out of the receipts for people what need not be said.
#[derive(Default)]
pub(super) struct Essential {
    is_brief: bool,
    is_list: bool,
    path: Option<Value>,
    /// What was said of this file so far.
    said: Vec<(Row, Value)>,
}

impl Essential {
    pub(super) fn new(frame: &Frame) -> Self {
        let is_list = frame.list.is_some();
        Essential { is_brief: frame.is_brief, is_list, ..Essential::default() }
    }

    /// `is_list`: other content follows, so that the receipt has to say where its own ends.
    pub(super) fn facts(&mut self, mut facts: Facts, envelope: &dyn Envelope, is_list: bool) -> Facts {
        let path = facts.0.iter().find(|(row, _)| row.name == "path").map(|(_, path)| path.clone());
        if path != self.path {
            self.said.clear();
            self.path = path;
        }
        if envelope.follows_its_file() {
            facts.0.retain(|fact| !fact.0.is_of_file || !self.said.contains(fact));
            for (row, value) in facts.0.iter().filter(|(row, _)| row.is_of_file) {
                self.said.retain(|(said, _)| said != row);
                self.said.push((*row, value.clone()));
            }
        }
        if self.is_brief {
            facts.0.retain(|(row, _)| is_essential(row, is_list || self.is_list));
            facts.shorten();
        }
        facts
    }
}

fn is_essential(row: &Row, is_list: bool) -> bool {
    row.brief == Brief::All || is_list && row.brief == Brief::OfMany
}

/// The members of JSON that are essential. A string shows its own length.
pub(super) fn essential(receipt: &dyn Receipt, of_files: bool) -> Result<Facts> {
    let mut facts = receipt.members(&|row| is_essential(row, of_files) && row.name != "content_bytes")?;
    facts.shorten();
    Ok(facts)
}
