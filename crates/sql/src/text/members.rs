//! Finds members of JSON objects that are not columns.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use datafusion::arrow::datatypes::{DataType, Fields};

use rread_text::json::{Name as Found, each_member, items, key};

/// Columns, and the members within them.
#[derive(Debug)]
pub(super) enum Known {
    /// Accepts any content: the column reads it as a whole, or the row fails.
    All,
    Items(Box<Known>),
    Members {
        members: Vec<(String, Known)>,
        /// The names as they are mostly written.
        keys: Vec<Option<Box<[u8]>>>,
        places: HashMap<String, usize>,
    },
}

#[derive(Debug, Default)]
pub(super) struct Unknown {
    /// Members inside unknown members do not count.
    pub count: u64,
    pub first: Option<String>,
    /// A member inside another object cannot become a column.
    pub is_inside: bool,
    /// Members that an object has again.
    pub repeated: u64,
    pub first_repeated: Option<String>,
    /// The starts of the first values with unknown and with repeated members.
    pub start: usize,
    pub start_repeated: usize,
}

impl Unknown {
    /// Looks at the value that begins at `start`.
    pub fn begin(&mut self, start: usize) {
        if self.first.is_none() {
            self.start = start;
        }
        if self.first_repeated.is_none() {
            self.start_repeated = start;
        }
    }

    /// Looks into the value of a known member, and names what is found there by its path.
    fn inside<T>(&mut self, name: &str, is_again: bool, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.first.is_some();
        let repeated_before = self.first_repeated.is_some();
        if is_again {
            self.repeated += 1;
            if !repeated_before {
                self.first_repeated = Some(String::new());
            }
        }
        let looked = look(self);
        if let (false, Some(first)) = (before, &mut self.first) {
            *first = format!("{name}.{first}");
            self.is_inside = true;
        }
        if let (false, Some(first)) = (repeated_before, &mut self.first_repeated) {
            *first = if first.is_empty() { name.to_owned() } else { format!("{name}.{first}") };
        }
        looked
    }
}

/// The members of one object that have come.
#[derive(Default)]
struct Seen {
    first: u64,
    others: Vec<u64>,
}

impl Seen {
    /// Whether `place` has come before.
    fn has(&mut self, place: usize) -> bool {
        let (word, bit) = (place / 64, 1 << (place % 64));
        let bits = match word.checked_sub(1) {
            None => &mut self.first,
            Some(word) => {
                if self.others.len() <= word {
                    self.others.resize(word + 1, 0);
                }
                &mut self.others[word]
            }
        };
        let has = *bits & bit != 0;
        *bits |= bit;
        has
    }
}

impl Known {
    pub fn of(fields: &Fields) -> Self {
        let places = fields.iter().enumerate().map(|(place, field)| (field.name().clone(), place)).collect();
        let members =
            fields.iter().map(|field| (field.name().clone(), Known::of_value(field.data_type()))).collect();
        let keys = fields.iter().map(|field| key(field.name())).collect();
        Known::Members { members, keys, places }
    }

    fn of_value(data_type: &DataType) -> Self {
        match data_type {
            DataType::Struct(fields) => Known::of(fields),
            DataType::List(item) => match Known::of_value(item.data_type()) {
                // Without known members, the items need no check.
                Known::All => Known::All,
                known => Known::Items(Box::new(known)),
            },
            _ => Known::All,
        }
    }

    /// Passes the places and the values of the known members of `text`, a JSON object, and adds the others to `unknown`. `None`
    /// if something in it is unusual, or `take` returns it: then what was passed means nothing.
    pub fn walk<'t>(
        &self,
        text: &'t str,
        unknown: &mut Unknown,
        mut take: impl FnMut(usize, &'t str) -> Option<()>,
    ) -> Option<()> {
        let Known::Members { members, keys, places } = self else { return None };
        // Members usually come in the order of the columns.
        let (next, mut seen) = (Cell::new(0), Seen::default());
        let expected = |text: &[u8]| {
            let key = keys.get(next.get())?.as_ref()?;
            text.starts_with(key).then(|| (key.len(), next.get()))
        };
        each_member(text, expected, |name, value| {
            let place = match name {
                Found::Expected(place) => Some(place),
                Found::Other(name) => {
                    let name = decoded(name.as_bytes())?;
                    let place = places.get(&*name).copied();
                    if place.is_none() {
                        unknown.count += 1;
                        unknown.first.get_or_insert_with(|| name.into_owned());
                    }
                    place
                }
            };
            let Some((place, (name, known))) = place.and_then(|place| Some((place, members.get(place)?)))
            else {
                return Some(());
            };
            next.set(place + 1);
            let is_again = seen.has(place);
            if is_again || !matches!(known, Known::All) {
                unknown.inside(name, is_again, |unknown| match known {
                    Known::All => Some(()),
                    known => known.check(value, unknown),
                })?;
            }
            take(place, value)
        })
    }

    /// Adds the unknown members of `value`, which is well-formed, to `unknown`.
    fn check(&self, value: &str, unknown: &mut Unknown) -> Option<()> {
        match self {
            Known::Members { .. } if value.starts_with('{') => self.walk(value, unknown, |_, _| Some(())),
            Known::Items(known) => items(value.as_bytes())
                .try_for_each(|item| known.check(std::str::from_utf8(item).ok()?, unknown)),
            _ => Some(()),
        }
    }
}

/// The name of a member, which is written as `key` between its quotes.
pub(super) fn decoded(key: &[u8]) -> Option<Cow<'_, str>> {
    let text = std::str::from_utf8(key).ok()?;
    if memchr::memchr(b'\\', key).is_none() {
        return Some(Cow::Borrowed(text));
    }
    serde_json::from_str(&format!("\"{text}\"")).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_accepts_is_what_serde_accepts() {
        let texts = [
            "{}",
            " {\"a\":1}\r",
            "{\"a\":[1,-2.5e+3,{\"b\":null}],\"c\":\"x\\\"y\"}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":1e}",
            "{\"a\":-}",
            "{\"a\":1,}",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1} x",
            "{\"a\":tru}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\\ud83d\\ude00\"}",
            "{\"a\":\"\\ud83d\\u0041\"}",
            "{\"a\":\"\\ude00\"}",
            "{\"a\":\"\\u+123\"}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":\"12345678\t\"}",
            "{\"a\":\"12345678901234567890",
            "[1]",
            "1",
            "",
            "{\"a\":[1,]}",
            "{\"a\":{\"b\":1,}}",
            "{\"a\":{}  ,  \"b\" : [ ] }",
            "{\"\\u0061\":1}",
            "{\"a\":\"\u{7f}ż日\"}",
            "{\"a\":1e5,\"b\":0,\"c\":-0.0}",
            "{\"a\":truefalse}",
            "{\"a\":1 2}",
        ];
        for text in texts {
            let (mut found, keys) = (Vec::new(), [key("a"), key("b"), key("c")]);
            let expected = |text: &[u8]| {
                let key = keys.iter().flatten().find(|key| text.starts_with(key))?;
                Some((key.len(), char::from(key[1]).to_string()))
            };
            let accepted = each_member(text, expected, |name, value| {
                let name = match name {
                    Found::Expected(name) => name,
                    Found::Other(name) => decoded(name.as_bytes())?.into_owned(),
                };
                found.push((name, serde_json::from_str::<serde_json::Value>(value).ok()?));
                Some(())
            });
            let serde = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
            let expected = serde.ok().map(|map| map.into_iter().collect::<Vec<_>>());
            assert_eq!(accepted.map(|()| found), expected, "{text}");
        }
        for depth in [100, 126, 127, 200] {
            let deep = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            let accepted = each_member(&deep, |_| None::<(usize, ())>, |_, _| Some(()));
            assert_eq!(
                accepted.is_some(),
                serde_json::from_str::<serde_json::Value>(&deep).is_ok(),
                "{depth}"
            );
        }
        assert_eq!(key("a\"b"), None);
    }
}
