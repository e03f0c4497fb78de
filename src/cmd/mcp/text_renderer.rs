//! Answers as text: a line of facts for each part, then its content.

use std::path::Path;

use serde_json::Value;

use super::answered::{next, number};
use super::collector::{Collected, Members};
use super::hint::translated;
use super::names::{Named, name_of};
use super::tool_names::READ;
use crate::mcp::call::Call;
use crate::wording::{self, worded};
use rread_text::error::{Error, counted};

/// An error and its hint.
pub(super) fn told(error: &Error) -> String {
    let hint = wording::hint(error).map_or(String::new(), |hint| format!(" (hint: {hint})"));
    wording::line(error) + &hint
}

/// The text of an answer.
pub(super) struct Text<'a> {
    pub(super) call: &'a Call,
    pub(super) files: &'a [Named],
    /// Arguments that the following call repeats.
    pub(super) repeated: Members,
    /// The most bytes of all parts together.
    pub(super) room: usize,
    pub(super) parts: usize,
    pub(super) failed: usize,
    /// The place of the first part for which there was no room, and how many there are.
    pub(super) left_out: Option<(String, u64)>,
    pub(super) text: String,
}

impl Text<'_> {
    pub(super) fn answer(&mut self, answer: Collected) {
        let is_one_of_many = answer.parts.len() > 1;
        for part in answer.parts {
            let path = part.receipt.get("path");
            let file = answer.files.iter().find(|file| file.get("path") == path);
            let facts = Facts { part: part.receipt, file };
            self.part(facts, &part.content, part.error, is_one_of_many);
        }
        if let Some((first, count)) = self.left_out.take() {
            let parts = counted(count, "more part");
            self.text += &format!("{parts} from {first} on: no room; ask for the rest in another call\n");
        }
    }

    fn part(&mut self, mut facts: Facts<'_>, content: &str, error: Option<Error>, is_one_of_many: bool) {
        let shown = facts.text("path").unwrap_or_default();
        let name = name_of(self.files, &shown).unwrap_or(&shown).to_owned();
        self.parts += 1;
        if let Some(error) = error {
            self.failed += 1;
            let (kind, error) = (error.kind.name(), translated(error, self.files, &READ));
            self.text += &format!("{name} | {kind}: {}\n", worded(&error.message));
            return;
        }
        let (next, eof) = (next(&name, &facts.part), facts.take("eof"));
        facts.take("next");
        let mut line = vec![name.clone()];
        line.extend(place(&mut facts));
        if let Some((_, count)) = &mut self.left_out {
            *count += 1;
            return;
        }
        if is_one_of_many {
            line.push(format!("{} follow", counted(content.len() as u64, "byte")));
        }
        line.extend(signs(facts));
        let path = self.files.iter().find(|file| file.name == name).map(|file| file.path.as_path());
        let links = self.call.links(path.unwrap_or(Path::new("")));
        line.extend(links.map(|links| format!("hard link, one of {links} names")));
        match next {
            Some(mut next) => {
                next.extend(self.repeated.clone());
                line.push(format!("next: {}", Value::Object(next)));
            }
            None if eof == Some(Value::Bool(true)) => line.push("end of file".to_owned()),
            None => {}
        }
        let facts = line.join(" | ");
        if self.parts > 1 && self.text.len() + facts.len() + content.len() > self.room {
            self.left_out = Some((line[..line.len().min(2)].join(" | "), 1));
            return;
        }
        self.text += &facts;
        self.text.push('\n');
        self.text += content;
        if is_one_of_many && !content.is_empty() && !content.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// The facts of a part: those that the line has words for are taken, and the others follow as names and values.
struct Facts<'a> {
    part: Members,
    /// What the answer says once for all parts of a file.
    file: Option<&'a Members>,
}

impl Facts<'_> {
    fn take(&mut self, name: &str) -> Option<Value> {
        let own = self.part.shift_remove(name);
        own.or_else(|| self.file?.get(name).cloned())
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.take(name)?.as_str().map(str::to_owned)
    }

    fn number(&mut self, name: &str) -> Option<u64> {
        self.take(name)?.as_u64()
    }
}

/// Which part of the file this is.
fn place(facts: &mut Facts<'_>) -> Vec<String> {
    let mut words = Vec::new();
    let of = |total: Option<u64>| total.map_or(String::new(), |total| format!(" of {total}"));
    let (page, pages) = (facts.number("page"), facts.number("pages"));
    words.extend(page.map(|page| format!("page {page}{}", of(pages))));
    let (total_lines, size) = (facts.number("total_lines"), facts.number("file_size"));
    let Some(Value::Object(range)) = facts.take("actual_range") else { return words };
    let lines = number(&range, "start_line").zip(number(&range, "end_line"));
    // Nothing was delivered if the range ends before it starts.
    let lines = lines.filter(|(start, end)| start <= end);
    words.extend(lines.map(|(start, end)| format!("lines {start}-{end}{}", of(total_lines))));
    let bytes = number(&range, "start_byte").zip(number(&range, "end_byte"));
    words.extend(bytes.map(|(start, end)| format!("bytes {start}-{end}{}", of(size))));
    words
}

/// The facts that a reader of the content needs.
fn signs(mut facts: Facts<'_>) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(facts.text("cut_by").map(|budget| format!("cut by {budget}")));
    words.extend(facts.number("clipped_lines").map(|lines| format!("{} clipped", counted(lines, "line"))));
    words.extend(facts.text("compression").map(|format| format!("decompressed {format}")));
    let encoding = facts.text("encoding").filter(|name| *name != "utf-8");
    let source = facts.text("encoding_source");
    let guessed = if source.as_deref() == Some("guess") { ", a guess" } else { "" };
    words.extend(encoding.map(|encoding| format!("encoding {encoding}{guessed}")));
    let invalid = facts.take("invalid_utf8");
    let invalid = invalid.as_ref().and_then(|invalid| number(invalid.as_object()?, "count"));
    words.extend(invalid.map(|count| format!("{} replaced", counted(count, "invalid sequence"))));
    words.extend(facts.text("encoding_guess").map(|guess| format!("try encoding {guess}")));
    let rest = facts.part.iter().filter(|(_, value)| **value != Value::Bool(false));
    words.extend(rest.map(|(name, value)| format!("{name} {value}")));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_of_the_file_are_found_wherever_they_are() {
        let members = |value: Value| value.as_object().cloned().unwrap();
        let file = members(json!({"path": "f", "file_size": 9, "total_lines": 3, "notices": ["changed"]}));
        let part = members(json!({"path": "f", "total_lines": 2, "header_lines": 1, "damaged": false}));
        let mut facts = Facts { part, file: Some(&file) };
        let got = (facts.text("path"), facts.number("total_lines"), facts.number("file_size"));
        assert_eq!(got, (Some("f".to_owned()), Some(2), Some(9)));
        assert_eq!(signs(facts), ["header_lines 1"]);
    }
}
