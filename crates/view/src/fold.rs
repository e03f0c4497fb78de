//! JSON lines as lines of a log: time, level and message first, then the other members as `key=value`.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::style::{DIM, Style, level_style, of_level};
use rread_text::json::{Member, members};

/// Names of members in any case; of several in one line, the first of the list counts.
const TIMES: &[&str] = &["time", "timestamp", "ts", "@timestamp", "date"];
const LEVELS: &[&str] = &["level", "severity", "lvl", "log.level", "loglevel", "levelname"];
const MESSAGES: &[&str] = &["msg", "message", "@message", "event", "text", "log"];

/// The text that is shown for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    pub text: Vec<u8>,
    /// The style of each part of the text, and where it ends.
    pub styles: Vec<(usize, Style)>,
    /// The style of the level.
    pub tint: Style,
    /// Whether the line has a time, a level or a message.
    pub is_record: bool,
    /// The origins of the text, in its order.
    parts: Vec<FoldedPart>,
}

/// A part of the text and of the line: the same bytes, or an escape sequence of JSON and its character.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FoldedPart {
    shown: Range<usize>,
    line: Range<usize>,
}

impl FoldedPart {
    /// An escape sequence is longer than its character.
    fn is_same(&self) -> bool {
        self.shown.len() == self.line.len()
    }
}

/// `line` as a line of a log; `None` if it is not an object in JSON with members.
pub fn fold(line: &[u8]) -> Option<Folded> {
    if !line.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    serde_json::from_slice::<IgnoredAny>(line).ok()?;
    let mut rest: Vec<Member<'_>> = members(line).collect();
    let is_scalar = |member: &Member<'_>| !matches!(member.value.first(), Some(b'{' | b'['));
    let time = take(&mut rest, TIMES, is_scalar);
    let level = take(&mut rest, LEVELS, is_scalar);
    let message = take(&mut rest, MESSAGES, |member| member.text().is_some());
    let is_record = time.is_some() || level.is_some() || message.is_some();
    if !is_record && rest.is_empty() {
        return None;
    }
    let level_tint = level.and_then(|level| of_level(level.text().unwrap_or(level.value)));
    let tint = level_tint.unwrap_or_else(|| level_style(line));
    let folded = Folded { text: Vec::new(), styles: Vec::new(), tint, is_record, parts: Vec::new() };
    let mut writer = Writer { line, folded };
    for member in [time, level, message].into_iter().flatten() {
        writer.blank();
        writer.content(&member);
    }
    writer.end_style(Style::default());
    for member in &rest {
        writer.member(member);
    }
    writer.end_style(if is_record { Style::with_flags(DIM) } else { Style::default() });
    Some(writer.folded)
}

/// Takes the member with the first of these names that there is.
fn take<'a>(
    members: &mut Vec<Member<'a>>,
    names: &[&str],
    is_wanted: impl Fn(&Member<'a>) -> bool,
) -> Option<Member<'a>> {
    let place = |name: &&str| {
        members
            .iter()
            .position(|member| member.key.eq_ignore_ascii_case(name.as_bytes()) && is_wanted(member))
    };
    let place = names.iter().find_map(place)?;
    Some(members.remove(place))
}

struct Writer<'a> {
    line: &'a [u8],
    folded: Folded,
}

impl Writer<'_> {
    fn blank(&mut self) {
        if !self.folded.text.is_empty() {
            self.folded.text.push(b' ');
        }
    }

    fn end_style(&mut self, style: Style) {
        self.folded.styles.push((self.folded.text.len(), style));
    }

    /// `span` of the line, shown as `text`.
    fn part(&mut self, text: &[u8], span: Range<usize>) {
        let start = self.folded.text.len();
        self.folded.text.extend_from_slice(text);
        self.folded.parts.push(FoldedPart { shown: start..self.folded.text.len(), line: span });
    }

    fn same(&mut self, span: Range<usize>) {
        if !span.is_empty() {
            self.part(&self.line[span.clone()], span);
        }
    }

    /// A number, or a string without its quotes and escapes.
    fn content(&mut self, member: &Member<'_>) {
        let end = member.value_at + member.value.len();
        if member.text().is_none() {
            return self.same(member.value_at..end);
        }
        let (mut at, end) = (member.value_at + 1, end - 1);
        while let Some(escape) = memchr::memchr(b'\\', &self.line[at..end]).map(|before| at + before) {
            self.same(at..escape);
            at = escape + escape_length(&self.line[escape..end]);
            // The collectors of containers keep the newline of each line.
            if at == end && self.line[escape..at] == *b"\\n" {
                return;
            }
            let quoted = [b"\"", &self.line[escape..at], b"\""].concat();
            match serde_json::from_slice::<String>(&quoted) {
                Ok(text) => self.part(text.as_bytes(), escape..at),
                // Half of a surrogate pair.
                Err(_) => self.same(escape..at),
            }
        }
        self.same(at..end);
    }

    /// `key=value`, both without quotes where that is plain.
    fn member(&mut self, member: &Member<'_>) {
        self.blank();
        let (key_at, value_at) = (member.key_at, member.value_at);
        self.plain(member.key, key_at - 1..key_at + member.key.len() + 1);
        self.folded.text.push(b'=');
        let value = value_at..value_at + member.value.len();
        match member.text() {
            Some(text) => self.plain(text, value),
            None => self.same(value),
        }
    }

    /// The string at `span`, without its quotes unless `text` in them needs them.
    fn plain(&mut self, text: &[u8], span: Range<usize>) {
        let is_plain =
            !text.is_empty() && text.iter().all(|byte| *byte > b' ' && !matches!(byte, b'"' | b'=' | b'\\'));
        self.same(if is_plain { span.start + 1..span.end - 1 } else { span });
    }
}

/// The length of the escape sequence at the start of `text`: a pair of surrogates is one.
fn escape_length(text: &[u8]) -> usize {
    let is_pair = |text: &[u8]| {
        matches!(
            text,
            [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', _, _, b'\\', b'u', ..]
        )
    };
    let length = match text {
        _ if is_pair(text) => 12,
        [_, b'u', ..] => 6,
        _ => 2,
    };
    length.min(text.len())
}

impl Folded {
    /// The places in the text that come from these places of the line, in order.
    pub fn map(&self, places: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut shown = Vec::new();
        for part in &self.parts {
            let from = places.partition_point(|place| place.end <= part.line.start);
            for place in places[from..].iter().take_while(|place| place.start < part.line.end) {
                let (start, end) = (place.start.max(part.line.start), place.end.min(part.line.end));
                let to_text = |at: usize| part.shown.start + at - part.line.start;
                shown.push(if part.is_same() { to_text(start)..to_text(end) } else { part.shown.clone() });
            }
        }
        shown
    }

    /// The place in the text of what is at `at` of the line; the start, if that is not shown.
    pub fn map_offset(&self, at: usize) -> usize {
        self.map(std::slice::from_ref(&(at..at + 1))).first().map_or(0, |place| place.start)
    }
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
