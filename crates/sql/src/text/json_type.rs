//! The combined type of JSON values.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field};

use super::members::decoded;
use super::types::ScalarType;
use rread_text::json::{items, members};

/// Lists and objects deeper than this are text.
const DEPTH: usize = 100;

#[derive(Debug)]
pub(super) enum JsonType {
    Scalar(ScalarType),
    List(Box<JsonType>),
    Object(MemberTypes),
}

impl Default for JsonType {
    fn default() -> Self {
        JsonType::Scalar(ScalarType::Null)
    }
}

#[derive(Debug, Default)]
pub(super) struct MemberTypes {
    places: HashMap<String, usize>,
    members: Vec<(String, JsonType)>,
}

impl MemberTypes {
    fn member(&mut self, name: String) -> &mut JsonType {
        let place = *self.places.entry(name.clone()).or_insert(self.members.len());
        if place == self.members.len() {
            self.members.push((name, JsonType::default()));
        }
        &mut self.members[place].1
    }

    pub fn columns(&self) -> impl Iterator<Item = (String, DataType)> {
        self.members.iter().map(|(name, json_type)| (name.clone(), json_type.column_type()))
    }
}

impl JsonType {
    /// Combines the type with that of `value`, which is well-formed JSON. A list or an object mixed with another kind
    /// of value becomes text.
    pub fn add(&mut self, value: &[u8]) {
        self.add_at(value, 0);
    }

    fn add_at(&mut self, value: &[u8], depth: usize) {
        if depth == DEPTH {
            return self.scalar(ScalarType::Text);
        }
        match value.first() {
            Some(b'{') => {
                if self.is_null() {
                    *self = JsonType::Object(MemberTypes::default());
                }
                let JsonType::Object(types) = self else { return self.scalar(ScalarType::Text) };
                for member in members(value) {
                    if let Some(name) = decoded(member.key) {
                        types.member(name.into_owned()).add_at(member.value, depth + 1);
                    }
                }
            }
            Some(b'[') => {
                if self.is_null() {
                    *self = JsonType::List(Box::default());
                }
                let JsonType::List(item) = self else { return self.scalar(ScalarType::Text) };
                items(value).for_each(|value| item.add_at(value, depth + 1));
            }
            Some(b'"') if self.is_text() => {}
            Some(b'"') => {
                let inside = value.get(1..value.len().saturating_sub(1)).and_then(decoded);
                self.scalar(inside.map_or(ScalarType::Text, |text| ScalarType::of_json_text(&text)));
            }
            Some(b't' | b'f') => self.scalar(ScalarType::Boolean),
            Some(b'n') | None => {}
            Some(_) => self.scalar(ScalarType::of_json_number(&String::from_utf8_lossy(value))),
        }
    }

    fn scalar(&mut self, scalar: ScalarType) {
        *self = JsonType::Scalar(match self {
            JsonType::Scalar(combined) => combined.and(scalar),
            JsonType::List(_) | JsonType::Object(_) => ScalarType::Text,
        });
    }

    fn is_text(&self) -> bool {
        matches!(self, JsonType::Scalar(ScalarType::Text))
    }

    fn is_null(&self) -> bool {
        matches!(self, JsonType::Scalar(ScalarType::Null))
    }

    /// The type of a column; that of nulls if there is no value.
    pub fn column_type(&self) -> DataType {
        if self.is_null() { DataType::Null } else { self.data_type() }
    }

    fn data_type(&self) -> DataType {
        match self {
            JsonType::Scalar(combined) => combined.data_type(),
            JsonType::List(item) => DataType::List(Arc::new(Field::new_list_field(item.data_type(), true))),
            JsonType::Object(members) => DataType::Struct(
                members.members.iter().map(|(name, of)| Field::new(name, of.data_type(), true)).collect(),
            ),
        }
    }
}
