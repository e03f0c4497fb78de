//! Objects whose members are rows: a row has the name of a key, its type, its words, and who shows it.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A key of receipts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: &'static str,
    pub brief: Brief,
    /// A receipt after another one of the same file has the key only if its value differs.
    pub is_of_file: bool,
    /// Formats other than JSON have words of their own for it, or none.
    pub is_worded: bool,
    pub tools: Tools,
}

/// Which receipts of --brief have a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brief {
    None,
    /// Those that distinguish one of several.
    OfMany,
    All,
}

/// Which tools of MCP show a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tools {
    None,
    /// Only `stat`.
    Stat,
    /// Those whose answers are objects: `stat`, `verify` and `image`.
    Objects,
    /// Also those with a line of facts.
    All,
}

impl Row {
    /// A key that every format shows, and --brief does not.
    pub const fn new(name: &'static str) -> Self {
        Row { name, brief: Brief::None, is_of_file: false, is_worded: false, tools: Tools::All }
    }

    pub const fn brief(self) -> Self {
        Row { brief: Brief::All, ..self }
    }

    pub const fn brief_of_many(self) -> Self {
        Row { brief: Brief::OfMany, ..self }
    }

    pub const fn of_file(self) -> Self {
        Row { is_of_file: true, ..self }
    }

    pub const fn worded(self) -> Self {
        Row { is_worded: true, ..self }
    }

    pub const fn no_tool(self) -> Self {
        Row { tools: Tools::None, ..self }
    }

    pub const fn only_stat(self) -> Self {
        Row { tools: Tools::Stat, ..self }
    }

    pub const fn only_objects(self) -> Self {
        Row { tools: Tools::Objects, ..self }
    }
}

/// An object with a row for each member.
pub trait Rows {
    /// Gives every member that is there to `to`, in order.
    fn each<T: Take>(&self, to: &mut T) -> Result<(), T::Error>;

    /// Calls `to` with every row, in order.
    fn each_row(to: &mut dyn FnMut(&'static Row));

    /// Adds the members to a JSON Schema.
    #[cfg(test)]
    fn describe(object: &mut schema::Object<'_>);
}

/// Takes the members of an object.
pub trait Take {
    type Error;

    fn take(&mut self, row: &'static Row, value: &impl Serialize) -> Result<(), Self::Error>;
}

/// A member that is left out if there is nothing in it.
pub trait Optional {
    /// The type of a member that is there.
    #[cfg_attr(not(test), allow(dead_code))]
    type Value;

    fn is_absent(&self) -> bool;
}

impl<T> Optional for Option<T> {
    type Value = T;

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Optional for Vec<T> {
    type Value = Vec<T>;

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Optional for bool {
    type Value = bool;

    fn is_absent(&self) -> bool {
        !self
    }
}

impl<R: Rows> Rows for Option<R> {
    fn each<T: Take>(&self, to: &mut T) -> Result<(), T::Error> {
        self.as_ref().map_or(Ok(()), |rows| rows.each(to))
    }

    fn each_row(to: &mut dyn FnMut(&'static Row)) {
        R::each_row(to);
    }

    #[cfg(test)]
    fn describe(object: &mut schema::Object<'_>) {
        object.optionally(R::describe);
    }
}

impl<R: Rows> Rows for &R {
    fn each<T: Take>(&self, to: &mut T) -> Result<(), T::Error> {
        R::each(self, to)
    }

    fn each_row(to: &mut dyn FnMut(&'static Row)) {
        R::each_row(to);
    }

    #[cfg(test)]
    fn describe(object: &mut schema::Object<'_>) {
        R::describe(object);
    }
}

/// Declares structs of rows.
///
/// `name: T` is always there, and `name?: T` is left out if it is absent ([`Optional`]). `flat name: T` has the rows of `T`
/// in its place, and `skip name: T` is not a member. `name as "key"` names the key. `= ["a", "b"]` are all its values, and
/// `= "a"` is the only one. The words in brackets are methods of [`Row`]. The literal after the struct is its name in the
/// JSON Schema; without one the schema stands where it is used.
macro_rules! rows {
    (@fields $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* flat $vis:vis $field:ident: $type:ty, $($rest:tt)*) => {
        rows! { @fields $head [$($done)* {flat [$($doc)*] [$vis] $field [] [$type] [] []}] $($rest)* }
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* skip $vis:vis $field:ident: $type:ty, $($rest:tt)*) => {
        rows! { @fields $head [$($done)* {skip [$($doc)*] [$vis] $field [] [$type] [] []}] $($rest)* }
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $vis:vis $field:ident $(as $key:literal)? ?: $type:ty
        $(= $values:tt)? $([$($flag:ident)*])?, $($rest:tt)*) => {
        rows! { @fields $head [$($done)* {optional [$($doc)*] [$vis] $field [$($key)?] [$type] [$($values)?] [$($($flag)*)?]}]
            $($rest)* }
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $vis:vis $field:ident $(as $key:literal)? : $type:ty
        $(= $values:tt)? $([$($flag:ident)*])?, $($rest:tt)*) => {
        rows! { @fields $head [$($done)* {always [$($doc)*] [$vis] $field [$($key)?] [$type] [$($values)?] [$($($flag)*)?]}]
            $($rest)* }
    };
    (@fields {[$($doc:literal)*] [$($derive:ident)*] [$vis:vis] $name:ident [$($life:tt)*] [$($schema:literal)?]}
        [$({$mode:ident [$($words:literal)*] [$own:vis] $field:ident [$($key:literal)?] [$type:ty] [$($values:tt)?]
            [$($flag:ident)*]})*]) => {
        $(#[doc = $doc])*
        #[derive($($derive),*)]
        $vis struct $name $($life)* { $($(#[doc = $words])* $own $field: $type,)* }

        impl $($life)* $crate::rows::Rows for $name $($life)* {
            fn each<T: $crate::rows::Take>(&self, to: &mut T) -> std::result::Result<(), T::Error> {
                $(rows!(@take $mode to, &self.$field, rows!(@row $field [$($key)?] $($flag)*));)*
                Ok(())
            }

            fn each_row(to: &mut dyn FnMut(&'static $crate::rows::Row)) {
                $(rows!(@each_row $mode to, [$type], rows!(@row $field [$($key)?] $($flag)*));)*
            }

            #[cfg(test)]
            fn describe(object: &mut $crate::rows::schema::Object<'_>) {
                $(rows!(@describe $mode object, [$type], rows!(@row $field [$($key)?] $($flag)*), [$($words),*], [$($values)?]);)*
            }
        }

        impl $($life)* serde::Serialize for $name $($life)* {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                $crate::rows::serialize(self, serializer)
            }
        }

        #[cfg(test)]
        impl $($life)* schemars::JsonSchema for $name $($life)* {
            fn inline_schema() -> bool {
                concat!($($schema)?).is_empty()
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                concat!($($schema)?).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::rows::schema::Object::of::<Self>(generator, &[$($doc),*])
            }
        }
    };
    (@row $field:ident [$key:literal] $($flag:ident)*) => {{
        const ROW: &$crate::rows::Row = &$crate::rows::Row::new($key)$(.$flag())*;
        ROW
    }};
    (@row $field:ident [] $($flag:ident)*) => {{
        const ROW: &$crate::rows::Row = &$crate::rows::Row::new(stringify!($field))$(.$flag())*;
        ROW
    }};
    (@take skip $to:ident, $value:expr, $row:expr) => {};
    (@take flat $to:ident, $value:expr, $row:expr) => { $crate::rows::Rows::each($value, $to)? };
    (@take always $to:ident, $value:expr, $row:expr) => { $to.take($row, $value)? };
    (@take optional $to:ident, $value:expr, $row:expr) => {
        if !$crate::rows::Optional::is_absent($value) { $to.take($row, $value)?; }
    };
    (@each_row skip $to:ident, $($rest:tt)*) => {};
    (@each_row flat $to:ident, [$type:ty], $row:expr) => { <$type as $crate::rows::Rows>::each_row($to) };
    (@each_row $mode:ident $to:ident, [$type:ty], $row:expr) => { $to($row) };
    (@describe skip $object:ident, $($rest:tt)*) => {};
    (@describe flat $object:ident, [$type:ty], $($rest:tt)*) => { <$type as $crate::rows::Rows>::describe($object) };
    (@describe optional $object:ident, [$type:ty], $row:expr, $words:expr, $values:tt) => {
        $object.member::<<$type as $crate::rows::Optional>::Value>($row, false, &$words, rows!(@values $values))
    };
    (@describe always $object:ident, [$type:ty], $row:expr, $words:expr, $values:tt) => {
        $object.member::<$type>($row, true, &$words, rows!(@values $values))
    };
    (@values []) => { None };
    (@values [$values:tt]) => { Some(serde_json::json!($values)) };
    ($($(#[doc = $doc:literal])* $(#[derive($($derive:ident),*)])? $vis:vis struct $name:ident $(<$life:lifetime>)?
        $(: $schema:literal)? { $($fields:tt)* })*) => {
        $(rows! {
            @fields {[$($doc)*] [$($($derive)*)?] [$vis] $name [$(<$life>)?] [$($schema)?]} [] $($fields)*
        })*
    };
}
pub(crate) use rows;

pub fn serialize<S: Serializer>(rows: &impl Rows, serializer: S) -> Result<S::Ok, S::Error> {
    struct Members<M>(M);
    impl<M: SerializeMap> Take for Members<M> {
        type Error = M::Error;

        fn take(&mut self, row: &'static Row, value: &impl Serialize) -> Result<(), M::Error> {
            self.0.serialize_entry(row.name, value)
        }
    }
    let mut members = Members(serializer.serialize_map(None)?);
    rows.each(&mut members)?;
    members.0.end()
}

/// JSON Schemas of objects with rows.
#[cfg(test)]
pub mod schema {
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value};

    use super::{Brief, Row, Rows};

    pub struct Object<'g> {
        generator: &'g mut SchemaGenerator,
        properties: Map<String, Value>,
        required: Vec<&'static str>,
        is_optional: bool,
        /// Only the keys that --brief shows.
        is_brief: bool,
    }

    impl<'g> Object<'g> {
        pub fn of<R: Rows>(generator: &'g mut SchemaGenerator, words: &[&str]) -> Schema {
            let mut object = Object::new(generator);
            R::describe(&mut object);
            object.finish(words)
        }

        pub fn new(generator: &'g mut SchemaGenerator) -> Self {
            let (properties, required) = (Map::new(), Vec::new());
            Object { generator, properties, required, is_optional: false, is_brief: false }
        }

        pub fn finish(self, words: &[&str]) -> Schema {
            let mut schema = json_schema!({ "type": "object", "properties": self.properties });
            if !self.required.is_empty() {
                schema.insert("required".to_owned(), self.required.into());
            }
            schema.insert("description".to_owned(), sentence(words).into());
            schema
        }

        /// Adds those members that --brief shows.
        pub fn briefly<R: Rows>(&mut self) {
            self.is_brief = true;
            self.optionally(R::describe);
            self.is_brief = false;
        }

        /// Adds the members of an object that may be absent.
        pub fn optionally(&mut self, describe: impl FnOnce(&mut Self)) {
            let is_optional = std::mem::replace(&mut self.is_optional, true);
            describe(self);
            self.is_optional = is_optional;
        }

        pub fn remove(&mut self, name: &str) {
            self.properties.shift_remove(name);
        }

        pub fn member<T: JsonSchema>(
            &mut self,
            row: &'static Row,
            is_required: bool,
            words: &[&str],
            values: Option<Value>,
        ) {
            if self.is_brief && row.brief == Brief::None {
                return;
            }
            let mut schema = self.generator.subschema_for::<T>();
            schema.insert("description".to_owned(), sentence(words).into());
            if let Some(values) = values {
                schema.insert(if values.is_array() { "enum" } else { "const" }.to_owned(), values);
            }
            self.properties.insert(row.name.to_owned(), schema.into());
            if is_required && !self.is_optional {
                self.required.push(row.name);
            }
        }
    }

    fn sentence(lines: &[&str]) -> String {
        lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}
