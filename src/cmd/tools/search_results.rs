//! The results of a search in many files.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::answered::{Collected, CollectedPart};
use super::arguments::{Answer, Arguments, Body};
use super::names::Named;
use super::stat::refused;
use crate::roots::walk::Walked;
use rread_answer::receipt::{MatchedLines, Members, PageLines, PageOfDocument, PartData, SheetOfWorkbook};
use rread_answer::wording::worded;
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
    failure: Option<Error>,
}

impl Found {
    pub(super) fn within(left: u64, left_out: LeftOut) -> Self {
        Found { left, left_out, ..Found::default() }
    }

    pub(super) fn add(&mut self, entry: Option<Members>, answer: &Collected) {
        let found = answer.files.first().and_then(|file| file.search.as_ref());
        self.matched += found.map_or(0, |found| found.matched_lines);
        if let Some(entry) = entry {
            self.push(Value::Object(entry));
        }
    }

    pub(super) fn push(&mut self, entry: Value) {
        self.left = self.left.saturating_sub(entry.to_string().len() as u64);
        self.entries.push(entry);
    }

    /// Adds a file that the client named and that cannot be searched.
    pub(super) fn refuse(&mut self, name: &str, error: Error) {
        self.push(refused(name, &error));
        self.failure.get_or_insert(error);
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

    /// If every file was left out, the argument with which some are searched; `None` in it if fewer arguments do, since the call
    /// `narrows` the files by their names.
    pub(super) fn nothing_searched(&self, narrows: bool) -> Option<Option<&'static str>> {
        let LeftOut { binary, hidden, ignored, .. } = self.left_out;
        let reasons = [(ignored, "no_ignore"), (hidden, "hidden"), (binary, "text")];
        if self.searched > 0 || !self.entries.is_empty() || !self.skipped.is_empty() {
            return None;
        }
        let argument = reasons.into_iter().find(|(count, _)| *count > 0).map(|(_, argument)| argument);
        if narrows { Some(None) } else { argument.map(Some) }
    }

    /// `wider` is the call that searches files if all were left out.
    pub(super) fn into_answer(self, names_only: bool, wider: Option<String>) -> Answer {
        let is_none = self.entries.is_empty().then(|| Error::new(Kind::NoMatch, "no line matches"));
        let failure = self.failure.or(is_none);
        let is_part = |entry: &Value| entry.get("next").is_some() || entry.get("truncated").is_some();
        let is_cut = self.entries.iter().any(is_part);
        let mut answer = Map::new();
        if !names_only {
            answer.insert("matched_lines".to_owned(), json!(self.matched));
        }
        answer.insert("files_searched".to_owned(), json!(self.searched));
        let left_out = self.left_out.numbers();
        let is_all_read = self.skipped.is_empty() && self.left_out.unlisted == 0;
        answer.insert(
            "complete".to_owned(),
            json!(self.next.is_none() && !is_cut && is_all_read && wider.is_none()),
        );
        if !left_out.is_empty() {
            answer.insert("left_out".to_owned(), Value::Object(left_out));
        }
        answer.extend(wider.map(|call| ("hint".to_owned(), json!(call))));
        answer.insert("files".to_owned(), Value::Array(self.entries));
        if !self.skipped.is_empty() {
            answer.insert("skipped".to_owned(), Value::Array(self.skipped));
            answer.extend(
                (self.more_skipped > 0).then(|| ("more_skipped".to_owned(), json!(self.more_skipped))),
            );
        }
        answer.extend(self.next.map(|next| ("next".to_owned(), Value::Object(next))));
        Answer::new(Body::Structured(Value::Object(answer)), failure)
    }
}

/// The page of a document, the sheet and its header row, if all parts are on one; otherwise one text for all pages.
#[derive(Default, Serialize)]
pub(super) struct FoundPages {
    page: Option<u64>,
    #[serde(flatten)]
    sheet: SheetOfWorkbook,
    on_pages: Option<String>,
}

pub(super) fn pages(parts: &[CollectedPart]) -> FoundPages {
    let mut pages: Vec<PageLines> = Vec::new();
    for page in parts.iter().flat_map(pages_of) {
        match pages.last_mut().filter(|last| last.page == page.page) {
            Some(last) => last.lines = from_first_to_last(last.lines.take(), page.lines),
            None => pages.push(page),
        }
    }
    if let [page] = &pages[..] {
        return FoundPages { page: Some(page.page), sheet: page.sheet.clone(), on_pages: None };
    }
    let several = PageOfDocument { on_pages: pages, ..PageOfDocument::default() };
    FoundPages { on_pages: several.in_one_line(), ..FoundPages::default() }
}

/// The pages of a part, with their lines.
fn pages_of(part: &CollectedPart) -> Vec<PageLines> {
    let PartData::Matched(MatchedLines { page: found, actual_range, .. }) = &part.data else {
        return Vec::new();
    };
    let (first, last) = (actual_range.start_line, actual_range.end_line);
    let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
    let one = found.page.map(|page| PageLines { page, sheet: found.sheet.clone(), lines: Some(lines) });
    one.into_iter().chain(found.on_pages.iter().cloned()).collect()
}

/// `3-9` of `3-4` and `8-9`.
fn from_first_to_last(first: Option<String>, last: Option<String>) -> Option<String> {
    let (first, last) = first.zip(last)?;
    let start = first.split('-').next()?;
    Some(format!("{start}-{}", last.rsplit('-').next()?))
}
