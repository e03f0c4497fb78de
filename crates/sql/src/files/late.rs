//! The look at a file that is opened only for its rows: it has the kind and the columns of those before.

use std::sync::Arc;

use super::columns::{FoundColumns, TableKind};
use super::head::{Head, HeadTable, Look, NAMES, changed, table};
use crate::request::QueryRequest;
use crate::stream::TableFile;
use crate::table::FoundHead;
use crate::text::TextSchema;
use rread_text::error::Result;
use rread_text::layout::Input;

/// How such files are looked at.
#[derive(Debug)]
pub(crate) struct LateLook {
    pub request: QueryRequest,
    pub union: bool,
    /// The first file that was looked at.
    pub first: TableKind,
}

impl LateLook {
    /// Files beside `first`, the first one that was looked at.
    pub fn of(request: &QueryRequest, union: bool, first: &Head) -> Self {
        // A short file among logs is one.
        let input = match first.input() {
            input @ (Input::Log | Input::Lines) => Some(input),
            _ => request.input,
        };
        let request = QueryRequest { types: None, input, ..request.clone() };
        LateLook { request, union, first: TableKind::of(first) }
    }

    /// The table in the file of `head`, which is a table like the first; `None` if it is empty.
    pub async fn look(
        &self,
        head: &Head,
        columns: &FoundColumns,
        file: &Arc<TableFile>,
    ) -> Result<Option<HeadTable>> {
        if let Look::Again(size) = head.look {
            let request = QueryRequest { input: head.asked, ..self.request.clone() };
            return table(file, &head.path, &request, size).await?.map(Some).ok_or_else(changed);
        }
        let Some(found) = table(file, &head.path, &self.request, NAMES).await? else { return Ok(None) };
        let look = Look::Table(Box::new(found));
        let own = Head { path: head.path.clone(), look, ..Head::unseen(head.place) };
        let kind = TableKind::of(&own);
        self.first.refuse_other(&kind, &self.request.sql)?;
        if !self.union && !self.first.has_members {
            self.first.refuse_other_columns(&kind)?;
        }
        let Look::Table(found) = own.look else { return Ok(None) };
        Ok(Some(with_columns(*found, columns)))
    }
}

/// A file whose records name their values has the columns of the table: other members are unknown, and counted.
fn with_columns(found: HeadTable, columns: &FoundColumns) -> HeadTable {
    match found.found {
        Some(FoundHead::Text(text))
            if matches!(text.input, Input::Json | Input::Jsonl) && !text.table.arrays =>
        {
            let schema = Arc::clone(&columns.schema);
            let unknown = vec![false; schema.fields().len()];
            let inferred = columns.inferred.clone();
            let own = TextSchema { schema: Arc::clone(&schema), inferred, unknown, ..text.table.clone() };
            let text = crate::table::TextHead { table: own, ..text };
            HeadTable { schema, found: Some(FoundHead::Text(text)) }
        }
        other => HeadTable { schema: found.schema, found: other },
    }
}
