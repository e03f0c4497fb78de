//! Reads the arguments of a tool: numbers may be strings, and unknown names are errors.

use std::fmt;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::{Map, Value};

use super::names_of_other_tools::translated;
use super::tool::{Arguments, Tool};
use rread_source::spelling::nearest;
use rread_text::error::{Error, Result};

/// `arguments` as the struct of `tool`. A `null` is as good as no argument.
pub(crate) fn parse<T: DeserializeOwned>(mut arguments: Arguments, tool: &Tool) -> Result<T> {
    arguments.retain(|_, value| !value.is_null());
    let input: Value = serde_json::from_str(tool.input).unwrap_or_default();
    let names: Vec<String> =
        input["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
    if let Some(unknown) = arguments.keys().find(|name| !names.contains(name)) {
        let error = Error::usage(format!("there is no argument '{unknown}'"));
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(ours) = translated(&arguments, &known) {
            return Err(error.hint(format!("{} {}", tool.name, Value::Object(ours))));
        }
        let all = names.join(", ");
        return Err(error.hint(match nearest(unknown, names.into_iter()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("the arguments are {all}"),
        }));
    }
    serde_json::from_value(Value::Object(arguments))
        .map_err(|cause| Error::usage(format!("the arguments are wrong: {cause}")))
}

/// Accepts 5 and "5".
pub(crate) fn number<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<Option<u64>, D::Error> {
    integer(input)?.map(|number| u64::try_from(number).map_err(|_| negative(number))).transpose()
}

fn negative<E: de::Error>(number: i64) -> E {
    E::invalid_value(de::Unexpected::Signed(number), &"a number from 0 on")
}

/// Accepts -1 and "-1".
pub(crate) fn integer<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<Option<i64>, D::Error> {
    let text = words(input)?;
    let parsed = text.map(|text| text.trim().replace('_', "").parse().map_err(|_| not_a_number(&text)));
    parsed.transpose()
}

fn not_a_number<E: de::Error>(text: &str) -> E {
    E::invalid_value(de::Unexpected::Str(text), &"a whole number")
}

/// Accepts true and "true".
pub(crate) fn flag<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<bool, D::Error> {
    match words(input)?.as_deref() {
        Some("true") => Ok(true),
        Some("false" | "") | None => Ok(false),
        Some(other) => Err(de::Error::invalid_value(de::Unexpected::Str(other), &"true or false")),
    }
}

/// Accepts "5:10", and 5 for a text that is a number.
pub(crate) fn words<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<Option<String>, D::Error> {
    input.deserialize_any(Words).map(Some)
}

struct Words;

impl Visitor<'_> for Words {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<String, E> {
        Ok(number.to_string())
    }

    /// Some clients have only floating numbers.
    fn visit_f64<E: de::Error>(self, number: f64) -> std::result::Result<String, E> {
        if number.fract() == 0.0 {
            return Ok(format!("{number:.0}"));
        }
        Err(E::invalid_value(de::Unexpected::Float(number), &self))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> std::result::Result<String, E> {
        Ok(value.to_string())
    }
}

/// Accepts ["a", "b"], and "a" for ["a"].
pub(crate) fn list<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<Vec<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum List {
        One(String),
        Many(Vec<String>),
    }
    let list: List = de::Deserialize::deserialize(input)
        .map_err(|_| de::Error::custom("expected a list of texts, such as [\"a\", \"b\"]"))?;
    Ok(match list {
        // Some clients send a list as its JSON text.
        List::One(text) => serde_json::from_str(&text).unwrap_or_else(|_| vec![text]),
        List::Many(many) => many,
    })
}
