//! The combined type of JSON values.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::scalar_type::ScalarType;

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
        self.members.iter().map(|(name, json_type)| (name.clone(), json_type.data_type()))
    }
}

impl JsonType {
    /// A list or an object mixed with a scalar becomes text.
    fn scalar<E>(&mut self, scalar: ScalarType) -> Result<(), E> {
        *self = JsonType::Scalar(match self {
            JsonType::Scalar(combined) => combined.and(scalar),
            JsonType::List(_) | JsonType::Object(_) => ScalarType::Text,
        });
        Ok(())
    }

    fn is_null(&self) -> bool {
        matches!(self, JsonType::Scalar(ScalarType::Null))
    }

    pub fn data_type(&self) -> DataType {
        match self {
            JsonType::Scalar(combined) => combined.data_type(),
            JsonType::List(item) => DataType::List(Arc::new(Field::new_list_field(item.data_type(), true))),
            JsonType::Object(members) => DataType::Struct(
                members.columns().map(|(name, data_type)| Field::new(name, data_type, true)).collect(),
            ),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut JsonType {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut JsonType {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.scalar(ScalarType::Boolean)
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.scalar(ScalarType::Int64)
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.scalar(if i64::try_from(value).is_ok() { ScalarType::Int64 } else { ScalarType::Large })
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.scalar(ScalarType::Float64)
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.scalar(ScalarType::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if self.is_null() {
            *self = JsonType::List(Box::default());
        }
        let JsonType::List(item) = self else {
            IgnoredAny.visit_seq(items)?;
            return self.scalar(ScalarType::Text);
        };
        while items.next_element_seed(&mut **item)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        if self.is_null() {
            *self = JsonType::Object(MemberTypes::default());
        }
        let JsonType::Object(members) = self else {
            IgnoredAny.visit_map(pairs)?;
            return self.scalar(ScalarType::Text);
        };
        while let Some(name) = pairs.next_key()? {
            pairs.next_value_seed(members.member(name))?;
        }
        Ok(())
    }
}
