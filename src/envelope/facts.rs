//! Envelopes as keys and values, in the order they are shown, and their YAML and JSON.

use std::path::Path;

use data_encoding::BASE64;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::address;

/// A value in an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Words.
    Text(String),
    /// A number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// Several words.
    List(Vec<String>),
    /// Named numbers.
    Map(Vec<(&'static str, u64)>),
    /// That there is nothing to say.
    Nothing,
    /// Facts of their own.
    Record(Facts),
    /// Several of them, and the word for one.
    Records(&'static str, Vec<Facts>),
    /// Words that stand for others; the word for such a pair, for what stands, and for what it stands for.
    Pairs([&'static str; 3], Vec<(String, String)>),
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Fact::Text(text) => serializer.serialize_str(text),
            Fact::Number(n) => serializer.serialize_u64(*n),
            Fact::Flag(flag) => serializer.serialize_bool(*flag),
            Fact::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Fact::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Fact::Nothing => serializer.serialize_none(),
            Fact::Record(facts) => facts.serialize(serializer),
            Fact::Records(_, records) => records.serialize(serializer),
            Fact::Pairs(_, pairs) => serializer.collect_map(pairs.iter().map(|(from, to)| (from, to))),
        }
    }
}

/// An envelope as a list of keys and values, in the order they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(Vec<(&'static str, Fact)>);

impl Facts {
    /// Adds any fact.
    pub fn put(&mut self, key: &'static str, fact: Fact) {
        self.0.push((key, fact));
    }

    /// Adds records, each of which is called `each`.
    pub fn records(&mut self, key: &'static str, each: &'static str, records: Vec<Facts>) {
        self.put(key, Fact::Records(each, records));
    }

    /// Adds a number; one that is not known is left out, unless the key has `always` to be there.
    pub fn known(&mut self, key: &'static str, value: Option<u64>, always: bool) {
        let fact = value.map_or(Fact::Nothing, Fact::Number);
        self.0.extend((always || value.is_some()).then_some((key, fact)));
    }

    /// Adds words.
    pub fn text(&mut self, key: &'static str, value: impl Into<String>) {
        self.0.push((key, Fact::Text(value.into())));
    }

    /// Adds words, if there are any to say.
    pub fn words(&mut self, key: &'static str, value: Option<&str>) {
        self.0.extend(value.map(|text| (key, Fact::Text(text.to_owned()))));
    }

    /// Adds a number, if it is known.
    pub fn number(&mut self, key: &'static str, value: impl Into<Option<u64>>) {
        self.0.extend(value.into().map(|n| (key, Fact::Number(n))));
    }

    /// Adds a yes or no.
    pub fn flag(&mut self, key: &'static str, value: bool) {
        self.0.push((key, Fact::Flag(value)));
    }

    /// Adds a yes, and nothing for no.
    pub(crate) fn if_true(&mut self, key: &'static str, value: bool) {
        if value {
            self.flag(key, true);
        }
    }

    /// Adds several words.
    pub fn list(&mut self, key: &'static str, items: Vec<String>) {
        self.0.push((key, Fact::List(items)));
    }

    /// Adds named numbers.
    pub fn map(&mut self, key: &'static str, entries: Vec<(&'static str, u64)>) {
        self.0.push((key, Fact::Map(entries)));
    }

    /// Adds a path; one that is not UTF-8 lossily, with its exact bytes beside it.
    pub fn path(&mut self, path: &Path) {
        self.text("path", address::shown(path));
        if let Some(exact) = path_base64(path) {
            self.text("path_base64", exact);
        }
    }

    /// The keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Fact)> {
        self.0.iter().map(|(key, fact)| (*key, fact))
    }

    /// As YAML, a line for each key with one value, however long that is and whatever is in it.
    pub fn to_yaml(&self) -> anyhow::Result<String> {
        let options = serde_yaml::ser_options! { prefer_block_scalars: false };
        let mut yaml = serde_yaml::to_string_with_options(self, options)?;
        if !yaml.ends_with('\n') {
            yaml.push('\n');
        }
        Ok(yaml)
    }

    /// As one JSON object.
    pub fn to_json(&self) -> anyhow::Result<String> {
        json(self)
    }
}

/// `value` as JSON on which no terminal acts: delete and the C1 controls, which stand in strings only, are escaped like the
/// other control characters.
pub(super) fn json(value: &impl Serialize) -> anyhow::Result<String> {
    let acts = |c: char| ('\x7f'..='\u{9f}').contains(&c);
    let text = serde_json::to_string(value)?;
    if !text.contains(acts) {
        return Ok(text);
    }
    let escaped = |c: char| if acts(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Ok(text.chars().map(escaped).collect())
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.iter().try_for_each(|(key, fact)| map.serialize_entry(key, fact))?;
        map.end()
    }
}

/// The exact bytes of a path that is not UTF-8.
pub(super) fn path_base64(path: &Path) -> Option<String> {
    path.to_str().is_none().then(|| BASE64.encode(path.as_os_str().as_encoded_bytes()))
}
