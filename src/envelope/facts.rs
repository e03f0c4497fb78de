//! Keys and values in the order that people read them: what frontmatter, YAML and XML show of an envelope.

use serde::Serialize;
use serde_json::{Map, Value};

use super::keys::Key;
use crate::error::{Error, Kind, Result};

/// The keys and values of an envelope, in order.
pub type Facts = Map<String, Value>;

/// The members of `value`, a struct, in the order of its fields.
pub(crate) fn members(value: &impl Serialize) -> Result<Facts> {
    match serde_json::to_value(value).map_err(unwritable)? {
        Value::Object(members) => Ok(members),
        _ => Ok(Facts::new()),
    }
}

/// The facts that `keys` name, in their order; a fact without a value is left out.
pub(crate) fn arranged(keys: &[Key], mut facts: Facts) -> Facts {
    let known = keys.iter().filter_map(|key| facts.remove_entry(key.brief));
    known.filter(|(_, value)| !value.is_null()).collect()
}

/// YAML with a line for each key with one value, however long it is.
pub fn yaml(facts: &Facts) -> Result<String> {
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
