//! Finds members of JSON objects that are not columns.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use super::json_members::{Name as Found, each_member, key};
use datafusion::arrow::datatypes::{DataType, Fields};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

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
}

impl Unknown {
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
                    let place = places.get(name).copied();
                    if place.is_none() {
                        unknown.count += 1;
                        unknown.first.get_or_insert_with(|| name.to_owned());
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
                    known => known.check(value.as_bytes(), unknown).ok(),
                })?;
            }
            take(place, value)
        })
    }

    /// Adds the unknown members of `text` to `unknown`. Fails if `text` is not one well-formed JSON value.
    pub fn check(&self, text: &[u8], unknown: &mut Unknown) -> serde_json::Result<()> {
        let mut json = serde_json::Deserializer::from_slice(text);
        FindUnknown { known: self, unknown }.deserialize(&mut json)?;
        json.end()
    }
}

struct FindUnknown<'a> {
    known: &'a Known,
    unknown: &'a mut Unknown,
}

/// Without escapes, it borrows.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for FindUnknown<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        match self.known {
            Known::All => value.deserialize_ignored_any(IgnoredAny).map(drop),
            _ => value.deserialize_any(self),
        }
    }
}

/// Arrow's decoder checks scalars.
macro_rules! ignore {
    ($($visit:ident: $scalar:ty),*) => { $(fn $visit<E>(self, _: $scalar) -> Result<(), E> { Ok(()) })* };
}

impl<'de> Visitor<'de> for FindUnknown<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Known::Members { members, places, .. } = self.known else {
            return IgnoredAny.visit_map(map).map(drop);
        };
        // Members usually come in the order of the columns.
        let (mut next, mut seen) = (0, Seen::default());
        while let Some(Name(name)) = map.next_key()? {
            let is_next = members.get(next).is_some_and(|(expected, _)| *expected == name);
            let place = if is_next { Some(next) } else { places.get(&*name).copied() };
            let Some((place, (name, known))) = place.and_then(|place| Some((place, members.get(place)?)))
            else {
                self.unknown.count += 1;
                self.unknown.first.get_or_insert_with(|| name.into_owned());
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let is_again = seen.has(place);
            self.unknown
                .inside(name, is_again, |unknown| map.next_value_seed(FindUnknown { known, unknown }))?;
            next = place + 1;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Known::Items(known) = self.known else { return IgnoredAny.visit_seq(items).map(drop) };
        while items.next_element_seed(FindUnknown { known, unknown: self.unknown })?.is_some() {}
        Ok(())
    }

    ignore!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
