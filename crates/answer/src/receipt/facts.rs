//! Receipts as JSON, and as keys and values in the order in which people read them: for frontmatter, YAML and XML.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::rows::{Row, Rows, Take};
use rread_text::error::{Error, Kind, Result};

/// The members of a receipt in JSON.
pub trait Receipt {
    fn json(&self) -> Result<String>;

    /// The members that `keeps` keeps, in the order of JSON.
    fn members(&self, keeps: &dyn Fn(&Row) -> bool) -> Result<Facts>;

    /// All members, those without their values that other formats word.
    fn facts(&self) -> Result<Facts>;
}

impl<R: Rows + Serialize> Receipt for R {
    fn json(&self) -> Result<String> {
        json(self)
    }

    fn members(&self, keeps: &dyn Fn(&Row) -> bool) -> Result<Facts> {
        let mut kept = Kept { keeps, is_worded: false, members: Vec::new() };
        self.each(&mut kept)?;
        Ok(Facts(kept.members))
    }

    fn facts(&self) -> Result<Facts> {
        let mut kept = Kept { keeps: &|_| true, is_worded: true, members: Vec::with_capacity(32) };
        self.each(&mut kept)?;
        Ok(Facts(kept.members))
    }
}

struct Kept<'k> {
    keeps: &'k dyn Fn(&Row) -> bool,
    is_worded: bool,
    members: Vec<(Row, Value)>,
}

impl Take for Kept<'_> {
    type Error = Error;

    fn take(&mut self, row: &'static Row, value: &impl Serialize) -> Result<()> {
        if (self.keeps)(row) {
            let is_left_out = self.is_worded && row.is_worded;
            let value = if is_left_out { Ok(Value::Null) } else { serde_json::to_value(value) };
            self.members.push((*row, value.map_err(unwritable)?));
        }
        Ok(())
    }
}

/// Keys and values, in order.
#[derive(Clone, Debug, Default)]
pub struct Facts(pub Vec<(Row, Value)>);

impl Facts {
    /// Leaves out keys without a value.
    pub fn known(facts: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let known = facts.into_iter().filter(|(_, value)| !value.is_null());
        Facts(known.map(|(name, value)| (Row::new(name), value)).collect())
    }

    /// The facts that `keys` name, in their order. A value of `own` replaces that of the member, and keeps its row.
    pub(super) fn arranged<const N: usize>(
        mut self,
        keys: &[Key],
        mut own: [(&'static str, Value); N],
    ) -> Self {
        let mut facts = Facts(Vec::with_capacity(self.0.len()));
        let mut add = |name: &'static str, json: &str| {
            let own = own.iter_mut().find(|(key, _)| *key == name);
            let wanted = if own.is_some() { json } else { name };
            let member = self.0.iter_mut().find(|(row, _)| row.name == wanted);
            let (row, value) = match (own, member) {
                (Some((_, value)), Some((row, _))) => (Row { name, ..*row }, value.take()),
                (Some((_, value)), None) => (Row::new(name), value.take()),
                (None, Some((row, value))) => (*row, value.take()),
                (None, None) => return,
            };
            if !value.is_null() {
                facts.0.push((row, value));
            }
        };
        for key in keys {
            match key {
                Key::One { name, json } => add(name, json),
                Key::Group(each_row) => each_row(&mut |row| add(row.name, row.name)),
            }
        }
        facts
    }

    /// With --brief: lines stand without their bytes, and `remaps` has the anchors of lines that moved.
    pub fn shorten(&mut self) {
        let has_lines = self.0.iter().any(|(row, _)| row.name == "lines");
        self.0.retain(|(row, _)| row.name != "range" || !has_lines);
        for (row, value) in &mut self.0 {
            match (row.name, value) {
                ("actual_range", Value::Object(range))
                    if range.get("start_line").is_some_and(|n| !n.is_null()) =>
                {
                    range.retain(|key, _| key.ends_with("_line"));
                }
                ("mismatches", Value::Array(mismatches)) => {
                    mismatches.retain(|mismatch| mismatch["status"] != "moved");
                    // The anchors have both hashes.
                    for mismatch in mismatches.iter_mut().filter_map(Value::as_object_mut) {
                        mismatch.retain(|key, _| key != "expected" && key != "actual");
                    }
                }
                _ => {}
            }
        }
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(row, value)| (row.name, value)))
    }
}

/// What stands in the order of frontmatter and XML.
pub enum Key {
    One {
        name: &'static str,
        /// The member of JSON with the same fact.
        json: &'static str,
    },
    /// The rows of a struct, in their order.
    Group(fn(&mut dyn FnMut(&'static Row))),
}

/// `range = actual_range` is the key `range`, which JSON calls `actual_range`; `..NameInfo` are the rows of `NameInfo`.
macro_rules! keys {
    ($($(..$group:ident)* [$($name:ident $(= $json:ident)?)*])*) => {
        &[$(
            $($crate::receipt::facts::Key::Group(<$group as $crate::rows::Rows>::each_row),)*
            $(keys!(@one $name $($json)?),)*
        )*]
    };
    (@one $name:ident) => { keys!(@one $name $name) };
    (@one $name:ident $json:ident) => {
        $crate::receipt::facts::Key::One { name: stringify!($name), json: stringify!($json) }
    };
}
pub(super) use keys;

/// People see a flag only if it is true.
pub(super) fn said(flag: bool) -> Value {
    if flag { Value::Bool(true) } else { Value::Null }
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
