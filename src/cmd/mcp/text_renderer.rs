//! Answers as text: a line of facts for each part, then its content.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::answered::{next, number, text, without};
use super::hint::with_arguments;
use super::names::{Named, name_of};
use crate::mcp::call::Call;
use rread_text::error::{Error, counted};

/// An error and its hint.
pub(super) fn told(error: &Error) -> String {
    error.hint.as_ref().map_or_else(|| error.to_string(), |hint| format!("{error} (hint: {hint})"))
}

/// The text of an answer.
pub(super) struct Text<'a> {
    pub(super) call: &'a Call,
    pub(super) files: &'a [Named],
    /// Arguments that the following call repeats.
    pub(super) repeated: Map<String, Value>,
    pub(super) parts: usize,
    pub(super) failed: usize,
    pub(super) text: String,
}

impl Text<'_> {
    pub(super) fn answer(&mut self, answer: &Value) {
        match answer.get("segments").and_then(Value::as_array) {
            Some(segments) => {
                let of_answer = answer.get("metadata").unwrap_or(&Value::Null);
                segments.iter().for_each(|segment| self.part(segment, of_answer, segments.len() > 1));
            }
            None => self.part(answer, &Value::Null, false),
        }
    }

    fn part(&mut self, part: &Value, of_answer: &Value, is_one_of_many: bool) {
        let metadata = &with_file(part.get("metadata").unwrap_or(&Value::Null), of_answer);
        let shown = text(metadata, "path").unwrap_or_default();
        let name = name_of(self.files, shown).unwrap_or(shown).to_owned();
        self.parts += 1;
        if let Some(error) = text(part, "error") {
            self.failed += 1;
            let kind = text(part, "kind").unwrap_or_default();
            let message = with_arguments(error);
            self.text += &format!("{name} | {kind}: {message}\n");
            return;
        }
        let mut facts = vec![name.clone()];
        facts.extend(place(metadata));
        if is_one_of_many {
            facts.extend(
                number(metadata, "content_bytes").map(|bytes| format!("{} follow", counted(bytes, "byte"))),
            );
        }
        facts.extend(signs(metadata));
        let path = self.files.iter().find(|file| file.name == name).map(|file| file.path.as_path());
        let links = self.call.links(path.unwrap_or(Path::new("")));
        facts.extend(links.map(|links| format!("hard link, one of {links} names")));
        match next(&name, metadata) {
            Some(mut next) => {
                next.extend(self.repeated.clone());
                facts.push(format!("next: {}", Value::Object(next)));
            }
            None if metadata.get("eof") == Some(&json!(true)) => facts.push("end of file".to_owned()),
            None => {}
        }
        let content = text(part, "content").unwrap_or_default();
        self.text += &facts.join(" | ");
        self.text.push('\n');
        self.text += content;
        if is_one_of_many && !content.is_empty() && !content.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// `metadata` of a part, with the facts about its file that only the answer has.
fn with_file(metadata: &Value, of_answer: &Value) -> Value {
    let path = metadata.get("path");
    let file = match of_answer.get("files").and_then(Value::as_array) {
        Some(files) => files.iter().find(|file| path.is_some() && file.get("path") == path),
        None => Some(of_answer),
    };
    let mut whole = metadata.as_object().cloned().unwrap_or_default();
    for name in ["path", "file_size", "total_lines", "compression", "encoding", "encoding_guess"] {
        if let (Some(fact), None) = (file.and_then(|file| file.get(name)), whole.get(name)) {
            whole.insert(name.to_owned(), fact.clone());
        }
    }
    Value::Object(whole)
}

/// Which part of the file this is.
fn place(metadata: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    let range = metadata.get("actual_range").unwrap_or(&Value::Null);
    let of = |total: Option<u64>| total.map_or(String::new(), |total| format!(" of {total}"));
    if let Some(page) = number(metadata, "page") {
        facts.push(format!("page {page}{}", of(number(metadata, "pages"))));
    }
    let lines = number(range, "start_line").zip(number(range, "end_line"));
    // Nothing was delivered if the range ends before it starts.
    let lines = lines.filter(|(start, end)| start <= end);
    facts.extend(
        lines.map(|(start, end)| format!("lines {start}-{end}{}", of(number(metadata, "total_lines")))),
    );
    let bytes = number(range, "start_byte").zip(number(range, "end_byte"));
    facts.extend(
        bytes.map(|(start, end)| format!("bytes {start}-{end}{}", of(number(metadata, "file_size")))),
    );
    facts
}

/// The facts that a reader of the content needs.
fn signs(metadata: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    facts.extend(text(metadata, "cut_by").map(|budget| format!("cut by {budget}")));
    facts
        .extend(number(metadata, "clipped_lines").map(|lines| format!("{} clipped", counted(lines, "line"))));
    facts.extend(text(metadata, "compression").map(|format| format!("decompressed {format}")));
    let encoding = text(metadata, "encoding").filter(|name| *name != "utf-8");
    facts.extend(encoding.map(|encoding| format!("encoding {encoding}")));
    if let Some(invalid) = metadata.get("invalid_utf8").and_then(|invalid| number(invalid, "count")) {
        facts.push(format!("{} replaced", counted(invalid, "invalid sequence")));
    }
    let guess = text(metadata, "encoding_guess");
    facts.extend(guess.map(|guess| format!("try encoding {guess}")));
    let known = [
        "path",
        "path_base64",
        "file_size",
        "total_lines",
        "requested_range",
        "actual_range",
        "boundary_adjustments",
        "is_partial",
        "percent_of_file",
        "content_bytes",
        "cut_by",
        "clipped_lines",
        "truncated",
        "eof",
        "next",
        "version",
        "index",
        "bytes_scanned",
        "compression",
        "compressed_size",
        "uncompressed_size",
        "encoding",
        "encoding_source",
        "encoding_guess",
        "encoding_hint",
        "invalid_utf8",
        "page",
        "pages",
        "continued",
        "time",
        "bom",
        "checked_bytes",
        "encode",
        "requests",
        "bytes_fetched",
        "etag",
        "checks",
    ];
    if let Value::Object(rest) = without(metadata.clone(), &known) {
        facts.extend(
            rest.iter()
                .filter(|(_, value)| **value != json!(false))
                .map(|(name, value)| format!("{name} {value}")),
        );
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_file_are_found_wherever_they_are() {
        let part = json!({"actual_range": {"start_line": 1, "end_line": 2}});
        let of_answer = json!({"path": "f", "file_size": 9, "total_lines": 3, "truncated": true});
        let whole = with_file(&part, &of_answer);
        assert_eq!(
            (&whole["path"], &whole["total_lines"], whole.get("truncated")),
            (&json!("f"), &json!(3), None)
        );
        let files = json!({"files": [{"path": "e", "file_size": 1}, {"path": "f", "file_size": 2}]});
        assert_eq!(with_file(&json!({"path": "f"}), &files)["file_size"], 2);
        assert_eq!(with_file(&json!({"path": "f", "file_size": null}), &files)["file_size"], Value::Null);
    }
}
