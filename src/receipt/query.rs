//! The receipt of `select`: the query, its columns, and which rows are given.

use serde::Serialize;
use serde_json::Value;

use super::content::InvalidInfo;
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, arranged, json, members, said};
use super::file::{FileDetails, FileInfo, NameInfo};
use super::keys::QUERY;
use rread_text::error::Result;

/// The query, its table, and the returned rows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct QueryInfo {
    /// The query as it was given.
    pub(crate) query: String,
    /// The kind of table in the file.
    #[cfg_attr(test, schemars(extend("enum" = ["csv", "json", "jsonl", "parquet", "sheet"])))]
    pub(crate) input: &'static str,
    /// The sheet of the workbook that is the table t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sheet: Option<String>,
    /// Other visible sheets that have values, if neither --sheet nor the query names one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) other_sheets: Vec<String>,
    /// How the rows are written.
    #[cfg_attr(test, schemars(extend("enum" = ["csv", "jsonl", "json", "table"])))]
    pub(crate) output: &'static str,
    /// The columns of the rows, in order.
    pub(crate) columns: Vec<ColumnInfo>,
    /// Rows that --offset left out at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// How many rows were returned.
    pub(crate) rows_returned: u64,
    /// The length of the content in bytes of UTF-8.
    pub(crate) content_bytes: u64,
    /// Whether there are more rows.
    pub(crate) truncated: bool,
    /// The budget that left them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("enum" = ["max_rows", "max_bytes"])))]
    pub(crate) cut_by: Option<&'static str>,
    /// How to go on: the same query with --offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<NextRows>,
    /// Sequences that are not valid in the encoding of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) invalid_utf8: Option<InvalidInfo>,
    /// Records that --skip-bad left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped_rows: Option<u64>,
    /// What is wrong with the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_skipped: Option<String>,
    /// Values of JSON members that appear only after the first MiB, and so are not columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unknown_members: Option<u64>,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_unknown: Option<String>,
    /// Bytes that the query wrote to temporary files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes_spilled: Option<u64>,
}

/// A column.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "column"))]
pub(crate) struct ColumnInfo {
    /// The name of the column.
    pub(crate) name: String,
    /// The type of its values, as --schema names it, or as Arrow does.
    pub(crate) r#type: String,
}

/// How to go on: the rows after those that were returned.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next_rows"))]
pub(crate) struct NextRows {
    /// The command that takes the offset.
    #[cfg_attr(test, schemars(extend("const" = "select")))]
    pub(crate) command: &'static str,
    /// The value for --offset.
    pub(crate) offset: u64,
}

/// The query, its table, and the returned rows.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "select"))]
pub(super) struct QueryMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(flatten)]
    query: &'a QueryInfo,
    #[serde(flatten)]
    details: &'a FileDetails,
}

impl QueryInfo {
    fn members<'a>(&'a self, file: &'a FileInfo) -> QueryMembers<'a> {
        QueryMembers { name: &file.name, total: file.size, query: self, details: &file.details }
    }
}

impl Envelope for QueryInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "select_result"
    }

    fn json(&self, file: &FileInfo) -> Result<String> {
        json(&self.members(file))
    }

    fn brief(&self, file: &FileInfo, markup: Markup) -> Result<Facts> {
        let mut facts = members(&self.members(file))?;
        if markup == Markup::Yaml {
            let line = |column: &ColumnInfo| Value::from(format!("{} {}", column.name, column.r#type));
            facts.insert("columns".to_owned(), self.columns.iter().map(line).collect());
        }
        let next = self.next.map(|next| format!("select --offset {}", next.offset));
        Ok(arranged(QUERY, facts, [("truncated", said(self.truncated)), ("next", next.into())]))
    }
}
