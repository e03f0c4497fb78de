//! Keys and values in the order in which people read them: what frontmatter, YAML and XML show of an envelope.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::keys::Key;
use rread_text::error::{Error, Kind, Result};

/// The members of a struct, by name.
pub(super) type Members = Map<String, Value>;

/// The keys and values of an envelope, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts(pub(crate) Vec<(&'static str, Value)>);

impl Facts {
    /// Leaves out keys without a value.
    pub(crate) fn known(facts: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Facts(facts.into_iter().filter(|(_, value)| !value.is_null()).collect())
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// People see a flag only if it is true.
pub(super) fn said(flag: bool) -> Value {
    if flag { Value::Bool(true) } else { Value::Null }
}

/// The members of a struct, in the order of its fields.
pub(super) fn members(fields: &impl Serialize) -> Result<Members> {
    match value(fields)? {
        Value::Object(members) => Ok(members),
        _ => Ok(Members::new()),
    }
}

pub(super) fn value(fact: &impl Serialize) -> Result<Value> {
    serde_json::to_value(fact).map_err(unwritable)
}

/// The facts that `keys` name, in their order; those of `own` replace members.
pub(super) fn arranged(
    keys: &[Key],
    mut members: Members,
    own: impl IntoIterator<Item = (&'static str, Value)>,
) -> Facts {
    members.extend(own.into_iter().map(|(key, value)| (key.to_owned(), value)));
    Facts::known(keys.iter().filter_map(|key| Some((key.brief, members.remove(key.brief)?))))
}

/// YAML with a line for each key with one value, however long it is.
pub fn yaml(facts: &impl Serialize) -> Result<String> {
    let options = serde_yaml::ser_options! { prefer_block_scalars: false };
    let mut yaml = serde_yaml::to_string_with_options(facts, options).map_err(unwritable)?;
    if !yaml.ends_with('\n') {
        yaml.push('\n');
    }
    Ok(yaml)
}

/// JSON on which no terminal acts: delete and the C1 controls, which stand in strings only, are escaped like the other
/// control characters.
pub fn json(value: &impl Serialize) -> Result<String> {
    let acts = |c: char| ('\x7f'..='\u{9f}').contains(&c);
    let text = serde_json::to_string(value).map_err(unwritable)?;
    if !text.contains(acts) {
        return Ok(text);
    }
    let escaped = |c: char| if acts(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Ok(text.chars().map(escaped).collect())
}

/// No value of ours causes this.
fn unwritable(cause: impl std::fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot write the receipt: {cause:#}"))
}
