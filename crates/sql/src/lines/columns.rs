//! The columns of a table of lines or of records.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use crate::text::RowPlace;
pub(super) use crate::text::{LEVEL, TEXT, TIME};

/// The number of the first line.
pub(crate) const NUMBER: &str = RowPlace::Line.name();
/// Hidden columns: the first byte of a row, and the first after it.
pub(crate) const START: &str = RowPlace::Start.name();
pub(crate) const END: &str = RowPlace::End.name();

/// The name of the column of a value: not that of one of ours.
pub(super) fn name_of(key: &str) -> String {
    let own = [TEXT, NUMBER, TIME, LEVEL, START, END, "_file"];
    if own.contains(&key) { format!("{key}_2") } else { key.to_owned() }
}

/// The name of the value of a column.
pub(super) fn key_of(name: &str) -> &str {
    name.strip_suffix("_2").filter(|key| name_of(key) != *key).unwrap_or(name)
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineColumn {
    Number,
    Time,
    Level,
    Text,
    Start,
    End,
    /// A value that `--parse` finds, by its position there.
    Parsed(usize),
}

impl LineColumn {
    /// The place of a value of `--parse`.
    pub fn parsed(self) -> Option<usize> {
        match self {
            LineColumn::Parsed(nth) => Some(nth),
            _ => None,
        }
    }

    pub fn data_type(self) -> DataType {
        match self {
            LineColumn::Number | LineColumn::Start | LineColumn::End => DataType::Int64,
            LineColumn::Time => time_type(),
            LineColumn::Level | LineColumn::Text | LineColumn::Parsed(_) => DataType::Utf8View,
        }
    }
}

pub(super) fn time_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// The columns of a table, in their order.
#[derive(Clone, Debug)]
pub(crate) struct LinesColumns {
    pub schema: SchemaRef,
    pub columns: Vec<LineColumn>,
}

impl LinesColumns {
    /// The columns of lines, or of records; `hidden` are the hidden columns that the query names.
    pub fn of(is_log: bool, parsed: Vec<(String, DataType)>, hidden: &[LineColumn]) -> Self {
        let own: &[(&str, LineColumn)] = if is_log {
            &[
                (NUMBER, LineColumn::Number),
                (TIME, LineColumn::Time),
                (LEVEL, LineColumn::Level),
                (TEXT, LineColumn::Text),
            ]
        } else {
            &[(NUMBER, LineColumn::Number), (TEXT, LineColumn::Text)]
        };
        let mut fields: Vec<Field> =
            own.iter().map(|(name, column)| Field::new(*name, column.data_type(), true)).collect();
        let mut columns: Vec<LineColumn> = own.iter().map(|(_, column)| *column).collect();
        for (nth, (name, of)) in parsed.into_iter().enumerate() {
            fields.push(Field::new(name, of, true));
            columns.push(LineColumn::Parsed(nth));
        }
        for column in hidden {
            let name = if *column == LineColumn::Start { START } else { END };
            fields.push(Field::new(name, column.data_type(), true));
            columns.push(*column);
        }
        LinesColumns { schema: Arc::new(Schema::new(fields)), columns }
    }

    /// The names of the columns that `*` leaves out.
    pub fn hidden(&self) -> Vec<String> {
        let all = self.columns.iter().zip(self.schema.fields());
        let is_hidden = |column: &LineColumn| matches!(column, LineColumn::Start | LineColumn::End);
        all.filter(|(column, _)| is_hidden(column)).map(|(_, field)| field.name().clone()).collect()
    }
}
