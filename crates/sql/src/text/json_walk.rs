//! Walks through well-formed JSON text without decoding it.

use std::borrow::Cow;

use super::arrays::elements;
use super::brackets::string_end;

/// The names and the values of the members of `object`, a well-formed JSON object. Leaves out names that are not text.
pub(super) fn members(object: &[u8]) -> impl Iterator<Item = (Cow<'_, str>, &[u8])> {
    // The parts between commas are `"name": value`.
    elements(object).into_iter().filter_map(|member| {
        let member = member.trim_ascii();
        let Ok(end) = string_end(member, 1) else { return None };
        let (name, rest) = member.split_at_checked(end)?;
        let value = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii();
        Some((decoded(name)?, value))
    })
}

/// The items of `list`, a well-formed JSON array.
pub(super) fn items(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    elements(list).into_iter().map(<[u8]>::trim_ascii)
}

/// `text` is a JSON string with its quotes.
fn decoded(text: &[u8]) -> Option<Cow<'_, str>> {
    if memchr::memchr(b'\\', text).is_some() {
        return serde_json::from_slice(text).ok().map(Cow::Owned);
    }
    let inside = text.get(1..text.len().checked_sub(1)?)?;
    std::str::from_utf8(inside).ok().map(Cow::Borrowed)
}
