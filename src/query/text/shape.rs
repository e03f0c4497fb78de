//! The combined type of JSON values.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The type of all values seen so far.
#[derive(Debug, Default)]
pub(super) enum Shape {
    #[default]
    Null,
    Boolean,
    Int64,
    /// Whole numbers larger than that; a float64 would lose digits.
    Large,
    Float64,
    Text,
    List(Box<Shape>),
    Object(Members),
}

/// The members of objects, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct Members {
    places: HashMap<String, usize>,
    members: Vec<(String, Shape)>,
}

impl Members {
    fn member(&mut self, name: String) -> Option<&mut Shape> {
        let place = *self.places.entry(name.clone()).or_insert(self.members.len());
        if place == self.members.len() {
            self.members.push((name, Shape::Null));
        }
        self.members.get_mut(place).map(|(_, shape)| shape)
    }

    pub fn columns(&self) -> impl Iterator<Item = (String, DataType)> {
        self.members.iter().map(|(name, shape)| (name.clone(), shape.data_type()))
    }
}

impl Shape {
    /// Merges a scalar: different numbers become a number, all other mixtures text.
    fn scalar(&mut self, scalar: Shape) {
        use Shape::{Boolean, Float64, Int64, Large, Null, Text};
        *self = match (std::mem::take(self), scalar) {
            (Null, scalar) => scalar,
            (Boolean, Boolean) => Boolean,
            (Int64, Int64) => Int64,
            (Int64 | Large, Int64 | Large) => Large,
            (Int64 | Large | Float64, Int64 | Large | Float64) => Float64,
            _ => Text,
        };
    }

    /// Nulls alone are text, because the type of later values is unknown.
    pub fn data_type(&self) -> DataType {
        match self {
            Shape::Null | Shape::Text => DataType::Utf8View,
            Shape::Boolean => DataType::Boolean,
            Shape::Int64 => DataType::Int64,
            Shape::Large => DataType::Decimal128(38, 0),
            Shape::Float64 => DataType::Float64,
            Shape::List(item) => DataType::List(Arc::new(Field::new_list_field(item.data_type(), true))),
            Shape::Object(members) => DataType::Struct(
                members.columns().map(|(name, data_type)| Field::new(name, data_type, true)).collect(),
            ),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Shape {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Shape {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.scalar(Shape::Boolean);
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.scalar(Shape::Int64);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.scalar(if i64::try_from(value).is_ok() { Shape::Int64 } else { Shape::Large });
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.scalar(Shape::Float64);
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.scalar(Shape::Text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if matches!(self, Shape::Null) {
            *self = Shape::List(Box::default());
        }
        let Shape::List(item) = self else {
            self.scalar(Shape::Text);
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        while items.next_element_seed(&mut **item)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        if matches!(self, Shape::Null) {
            *self = Shape::Object(Members::default());
        }
        let Shape::Object(members) = self else {
            self.scalar(Shape::Text);
            while pairs.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        while let Some(name) = pairs.next_key::<String>()? {
            match members.member(name) {
                Some(shape) => pairs.next_value_seed(shape)?,
                None => {
                    pairs.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
