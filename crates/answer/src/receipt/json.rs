//! Receipts as JSON, and as members in the order in which people read them.

use serde::Serialize;
use serde_json::{Map, Value};

use rread_text::{Error, Kind, Result};

/// Names and values, in order.
pub type Members = Map<String, Value>;

/// Keys that a receipt has although their value is null: the fact is not known, or an end is open. A receipt leaves out every
/// other key with null.
const NULL_IS_SAID: &str = "actual column end_adjustment_reason end_byte end_line file_size is_partial pages \
    percent_of_file start_adjustment_reason start_byte start_line total_lines version";

pub(super) fn null_is_said(key: &str) -> bool {
    NULL_IS_SAID.split(' ').any(|known| known == key)
}

/// The members of a receipt in JSON.
pub trait Receipt {
    fn json(&self) -> Result<String>;

    fn members(&self) -> Result<Members>;

    /// The members that are not null.
    fn known(&self) -> Result<Members> {
        let mut members = self.members()?;
        members.retain(|_, value| !value.is_null());
        Ok(members)
    }
}

impl<T: Serialize> Receipt for T {
    fn json(&self) -> Result<String> {
        json(self)
    }

    fn members(&self) -> Result<Members> {
        match value(self)? {
            Value::Object(members) => Ok(members),
            _ => Err(unwritable("it is not an object")),
        }
    }
}

fn value(facts: &impl Serialize) -> Result<Value> {
    let mut value = serde_json::to_value(facts).map_err(unwritable)?;
    drop_unsaid(&mut value);
    Ok(value)
}

fn drop_unsaid(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, value| !value.is_null() || null_is_said(name));
            members.values_mut().for_each(drop_unsaid);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_unsaid),
        _ => {}
    }
}

/// Keys that stand together in the order of most receipts.
const GROUPS: [(&str, &str); 5] = [
    ("NAME", "path path_base64"),
    ("SHEET", "sheet header_row"),
    ("DECODING", "decoded plain picture_pages compression compressed_size uncompressed_size"),
    ("ENCODING", "encoding encoding_source encoding_guess encoding_hint encode bom"),
    ("TRAFFIC", "requests bytes_fetched"),
];

/// The keys that `words` name, one by one or by the name of a group.
pub fn keys(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split_ascii_whitespace().flat_map(|word| {
        let group = GROUPS.iter().find(|(name, _)| *name == word);
        group.map_or(word, |(_, keys)| keys).split_ascii_whitespace()
    })
}

/// Flags that people see only if they are true.
const IF_TRUE: [&str; 3] = ["continued", "eof", "truncated"];

/// The members of `receipt`, and in their place `words`, which people read in place of those of JSON, as `order` names them;
/// without those that are null.
pub fn arrange(order: &'static str, receipt: &(impl Receipt + ?Sized), words: &Value) -> Result<Members> {
    let mut members = receipt.members()?;
    // A key with null hides the member.
    let mut words = words.as_object().cloned().unwrap_or_default();
    words.values_mut().for_each(drop_unsaid);
    members.extend(words);
    let ordered = keys(order).filter_map(|name| members.remove_entry(name));
    let is_said = |name: &str, value: &Value| {
        let is_false = *value == Value::Bool(false) && IF_TRUE.contains(&name);
        !(value.is_null() || is_false)
    };
    Ok(ordered.filter(|(name, value)| is_said(name, value)).collect())
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
pub fn json(facts: &impl Serialize) -> Result<String> {
    let acts = |c: char| ('\x7f'..='\u{9f}').contains(&c);
    let text = value(facts)?.to_string();
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_is_said_where_it_means_that_nobody_knows() {
        let facts = json!({"path": "a", "hint": null, "version": null, "list": [{"end_line": null, "note": null}, null]});
        assert_eq!(json(&facts).unwrap(), r#"{"path":"a","version":null,"list":[{"end_line":null},null]}"#);
        assert_eq!(facts.known().unwrap().keys().collect::<Vec<_>>(), ["path", "list"]);
    }

    #[test]
    fn words_for_people_replace_facts_and_hide_them() {
        let facts = json!({"path": "a", "lines": {"start": 1}, "truncated": false, "eof": true, "page": 3, "total": null});
        let words = json!({"lines": "1-2", "page": null});
        let members = arrange("page total eof truncated lines NAME", &facts, &words).unwrap();
        assert_eq!(Value::Object(members).to_string(), r#"{"eof":true,"lines":"1-2","path":"a"}"#);
    }
}
