//! The results of a search in many files.

use serde_json::{Map, Value, json};

use super::answered::{number, object};
use super::collector::{Collected, CollectedPart, Members};
use super::names::Named;
use crate::mcp::tool::Arguments;
use crate::mcp::walk::Walked;
use crate::wording::worded;
use rread_text::error::{Error, Kind};

/// The room for a file that cannot be searched.
const ENTRY: u64 = 160;
/// Files that cannot be searched are named up to this number.
const NAMED: usize = 5;

/// How many files and directories are left out, by the reason.
#[derive(Default)]
pub(super) struct LeftOut {
    binary: u64,
    hidden: u64,
    ignored: u64,
    special: u64,
    unlisted: u64,
}

impl LeftOut {
    pub(super) fn add(&mut self, walked: &Walked) {
        self.hidden += walked.hidden;
        self.ignored += walked.ignored;
        self.special += walked.special;
        self.unlisted += walked.unlisted;
    }

    /// The numbers that are not zero.
    fn numbers(&self) -> Map<String, Value> {
        let all = [
            ("binary", self.binary),
            ("hidden", self.hidden),
            ("ignored", self.ignored),
            ("special", self.special),
            ("unreadable_directories", self.unlisted),
        ];
        let some = all.into_iter().filter(|(_, number)| *number > 0);
        some.map(|(name, number)| (name.to_owned(), json!(number))).collect()
    }
}

/// The results so far.
#[derive(Default)]
pub(super) struct Found {
    entries: Vec<Value>,
    matched: u64,
    pub(super) searched: u64,
    pub(super) left: u64,
    skipped: Vec<Value>,
    more_skipped: u64,
    left_out: LeftOut,
    pub(super) next: Option<Arguments>,
}

impl Found {
    pub(super) fn within(left: u64, left_out: LeftOut) -> Self {
        Found { left, left_out, ..Found::default() }
    }

    pub(super) fn add(&mut self, entry: Option<Map<String, Value>>, answer: &Collected) {
        self.matched += answer.files.first().and_then(|found| number(found, "matched_lines")).unwrap_or(0);
        if let Some(entry) = entry {
            self.push(Value::Object(entry));
        }
    }

    pub(super) fn push(&mut self, entry: Value) {
        self.left = self.left.saturating_sub(entry.to_string().len() as u64);
        self.entries.push(entry);
    }

    /// Binary files are only counted.
    pub(super) fn skip(&mut self, file: &Named, error: &Error) {
        if error.kind == Kind::Binary {
            self.left_out.binary += 1;
            return;
        }
        if self.skipped.len() < NAMED {
            self.left = self.left.saturating_sub(ENTRY);
            self.skipped.push(json!({"path": file.name, "error": worded(&error.message)}));
        } else {
            self.more_skipped += 1;
        }
    }

    pub(super) fn into_answer(self, names_only: bool) -> Value {
        let is_cut = self.entries.iter().any(|entry| entry.get("next").is_some());
        let mut answer = Map::new();
        if !names_only {
            answer.insert("matched_lines".to_owned(), json!(self.matched));
        }
        answer.insert("files_searched".to_owned(), json!(self.searched));
        let left_out = self.left_out.numbers();
        let is_all_read = self.skipped.is_empty() && self.left_out.unlisted == 0;
        answer.insert("complete".to_owned(), json!(self.next.is_none() && !is_cut && is_all_read));
        if !left_out.is_empty() {
            answer.insert("left_out".to_owned(), Value::Object(left_out));
        }
        answer.insert("files".to_owned(), Value::Array(self.entries));
        if !self.skipped.is_empty() {
            answer.insert("skipped".to_owned(), Value::Array(self.skipped));
            answer.extend(
                (self.more_skipped > 0).then(|| ("more_skipped".to_owned(), json!(self.more_skipped))),
            );
        }
        answer.extend(self.next.map(|next| ("next".to_owned(), Value::Object(next))));
        Value::Object(answer)
    }
}

/// The page of a document, the sheet and its header row, if all parts are on one; otherwise one text for all pages.
pub(super) fn pages(parts: &[CollectedPart]) -> Map<String, Value> {
    const KEYS: [&str; 3] = ["page", "sheet", "header_row"];
    let mut pages: Vec<(&Members, u64, u64)> = Vec::new();
    for CollectedPart { receipt, .. } in parts {
        let range = object(receipt, "actual_range");
        let Some((_, range)) = number(receipt, "page").zip(range) else { continue };
        let (first, last) =
            (number(range, "start_line").unwrap_or(0), number(range, "end_line").unwrap_or(0));
        match pages.last_mut() {
            Some((of, _, end)) if of.get("page") == receipt.get("page") => *end = last,
            _ => pages.push((receipt, first, last)),
        }
    }
    let mut members = Map::new();
    if let [(receipt, ..)] = pages[..] {
        let known = KEYS.iter().filter_map(|key| Some(((*key).to_owned(), receipt.get(*key)?.clone())));
        members.extend(known);
    } else if !pages.is_empty() {
        let one = |(receipt, first, last): &(&Members, u64, u64)| {
            let [page, sheet, header] = KEYS.map(|key| receipt.get(key));
            let word = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            let sheet = word(sheet).map_or(String::new(), |sheet| format!(" {sheet}"));
            let header = word(header).map_or(String::new(), |header| format!(" ({header})"));
            let page = page.map_or(String::new(), Value::to_string);
            if first == last {
                format!("{page}{sheet}{header}: {first}")
            } else {
                format!("{page}{sheet}{header}: {first}-{last}")
            }
        };
        let pages: Vec<String> = pages.iter().map(one).collect();
        members.insert("on_pages".to_owned(), json!(pages.join("; ")));
    }
    members
}
