//! The members of a JSON line that may hold its time.

use super::pattern::may_begin;
use crate::json::members;

/// The names of members that hold the time in most logs of JSON lines; of several, the first.
const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// Longer keys are not those of times.
const MAX_KEY: usize = 40;

/// No time is longer.
const MAX_VALUE: usize = 128;

/// The name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberName {
    bytes: [u8; MAX_KEY],
    length: usize,
}

impl MemberName {
    fn new(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_KEY];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        Some(MemberName { bytes, length: name.len() })
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The place of the name in the list of those that most logs have.
    pub(super) fn known(&self) -> Option<usize> {
        MEMBERS.iter().position(|name| name.as_bytes() == self.as_bytes())
    }

    /// Whether the name says that the time is not the one of writing.
    pub(super) fn names_other(&self) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        let has = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
        [&b"expir"[..], b"birth", b"until", b"due", b"valid", b"deadline", b"next"].iter().any(has)
    }

    /// Whether the name says that it is a time: a number with another name is rather an identifier.
    pub(super) fn names_time(&self) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        let has = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
        [&b"time"[..], b"date", b"stamp", b"epoch"].iter().any(has)
            || [&b"ts"[..], b"at", b"when", b"t"]
                .iter()
                .any(|end| name.ends_with(end) && (name.len() == end.len() || end.len() == 2))
    }
}

/// A long line of JSON with its members that may hold the time alone; `None` if it has none.
pub fn time_members(line: &[u8]) -> Option<Vec<u8>> {
    let mut kept = b"{".to_vec();
    for member in members(line).filter(|member| member.value.len() <= MAX_VALUE + 2) {
        let is_known = MEMBERS.iter().any(|name| name.as_bytes() == member.key);
        let may_be_time = kept.len() <= 8 * MAX_VALUE
            && member.key.len() <= MAX_KEY
            && may_begin(member.text().unwrap_or(member.value));
        if is_known || may_be_time {
            kept.extend([b"\"", member.key, b"\":", member.value, b","].concat());
        }
    }
    *kept.last_mut().filter(|last| **last == b',')? = b'}';
    Some(kept)
}

/// The value of a member: a string without its quotes, or a number.
pub(super) struct Value<'a>(&'a [u8]);

impl Value<'_> {
    /// Passes the value to `parse`, a string without the escapes of one byte. Signs and blanks are read as `\u002B`.
    pub fn read<T>(&self, parse: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if !self.0.contains(&b'\\') {
            return parse(self.0);
        }
        // Times are ASCII; PHP writes their slashes as `\/`. No time is longer.
        let mut text = [0; 64];
        let is_kept = |at: &usize| self.0[*at] != b'\\' || self.0.get(*at + 1) == Some(&b'u');
        let kept = (0..self.0.len()).filter(is_kept);
        let length = text.iter_mut().zip(kept).map(|(to, from)| *to = self.0[from]).count();
        parse(&text[..length])
    }
}

/// The value of the member `name`, if it is a string or a number. `line` may be cut after it.
pub(super) fn member<'a>(line: &'a [u8], name: &[u8]) -> Option<Value<'a>> {
    values(line).find_map(|(key, value)| (key == name).then_some(value))
}

/// The members that may hold a time, with their values.
pub(super) fn named_values(line: &[u8]) -> impl Iterator<Item = (MemberName, Value<'_>)> {
    values(line).filter_map(|(key, value)| Some((MemberName::new(key)?, value)))
}

fn values(line: &[u8]) -> impl Iterator<Item = (&[u8], Value<'_>)> {
    let is_scalar = |value: &[u8]| !matches!(value.first(), Some(b'{' | b'['));
    members(line)
        .filter(move |member| is_scalar(member.value))
        .map(|member| (member.key, Value(member.text().unwrap_or(member.value))))
}

/// Whether a line is an object of JSON: its text is not looked at for times, but its members are.
pub(super) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}
