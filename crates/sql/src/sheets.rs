//! The tables that a query may name: that of the file, and the other sheets of a workbook.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::datatypes::Field;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::error::Result as EngineResult;
use datafusion::prelude::SessionContext;
use tokio::task::block_in_place;

use super::detect;
use super::request::QueryRequest;
use super::sheet_table::workbook;
use super::stream::TableFile;
use super::table::{self, OpenTable};
use super::text::type_name;
use rread_reader::reader::Reader;
use rread_text::encoding::Encoding;
use rread_text::error::Result;

/// Names that every table of a file has: `t` and `s3object`.
const FIXED_NAMES: usize = 2;

/// The tables by name. A sheet is opened once the query names it.
pub(super) struct Tables<'a> {
    /// The file and its name, if the table is one file.
    file: Option<(&'a Arc<TableFile>, &'a Path)>,
    request: &'a QueryRequest,
    table: &'a OpenTable,
    /// Names, each with the sheet of that name; the others are names of the table of the file.
    names: Vec<(String, Option<usize>)>,
    /// The sheet that is the table of the file.
    chosen: Option<usize>,
    sheets: RefCell<Sheets>,
}

/// The sheets that a query names.
#[derive(Default)]
pub(super) struct Sheets {
    pub is_any_named: bool,
    /// Sheets opened beside table `t`.
    opened: BTreeMap<usize, (Arc<TableFile>, Arc<dyn TableProvider>)>,
}

impl<'a> Tables<'a> {
    pub fn new(
        file: Option<(&'a Arc<TableFile>, &'a Path)>,
        request: &'a QueryRequest,
        table: &'a OpenTable,
    ) -> Self {
        let mut names: Vec<(String, Option<usize>)> =
            detect::names(file.map_or(Path::new("-"), |(_, path)| path))
                .into_iter()
                .map(|name| (name, None))
                .collect();
        let workbook = file.and_then(|(file, _)| workbook(&file.reader));
        let chosen = workbook.as_ref().map(|workbook| workbook.chosen);
        // A sheet comes before the file of the same name, but not before t.
        let of_file = names.split_off(FIXED_NAMES);
        for (index, sheet) in workbook.into_iter().flat_map(|workbook| workbook.sheets).enumerate() {
            if names.iter().all(|(name, _)| *name != sheet.name) {
                names.push((sheet.name, Some(index)));
            }
        }
        for (stem, _) in of_file {
            if names.iter().all(|(name, _)| name.to_lowercase() != stem.to_lowercase()) {
                names.push((stem, None));
            }
        }
        Tables { file, request, table, names, chosen, sheets: RefCell::default() }
    }

    pub fn names(&self) -> Vec<String> {
        self.names.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The columns of the table `name`.
    pub fn columns(&self, name: &str) -> Result<Vec<String>> {
        let sheet = self.names.iter().find(|(of, _)| of == name).and_then(|(_, sheet)| *sheet);
        let provider = self.provider(sheet)?;
        Ok(provider.schema().fields().iter().map(|field| field.name().clone()).collect())
    }

    /// The names and types of the columns of the table `name`, in any case; `None` if there is none.
    pub fn described(&self, name: &str) -> Result<Option<Vec<(String, String)>>> {
        let Some((_, sheet)) = self.names.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)) else {
            return Ok(None);
        };
        let schema = self.provider(*sheet)?.schema();
        let describe = |field: &Arc<Field>| (field.name().clone(), type_name(field.data_type()));
        Ok(Some(schema.fields().iter().map(describe).collect()))
    }

    fn provider(&self, sheet: Option<usize>) -> Result<Arc<dyn TableProvider>> {
        let mut sheets = self.sheets.borrow_mut();
        sheets.is_any_named |= sheet.is_some();
        let other = sheet.filter(|_| sheet != self.chosen).zip(self.file);
        let other = other.and_then(|(index, (file, path))| Some((index, file.reader.document()?, path)));
        let Some((index, document, path)) = other else { return Ok(Arc::clone(&self.table.provider)) };
        if let Some((_, provider)) = sheets.opened.get(&index) {
            return Ok(Arc::clone(provider));
        }
        let file = TableFile::new(&Arc::new(Reader::of_text(document.sheet(index), Encoding::Utf8)));
        // --schema is about the columns of t.
        let request = QueryRequest { types: None, ..self.request.clone() };
        let provider = block_in_place(|| table::text(&file, path, &request))?.provider;
        sheets.opened.insert(index, (file, Arc::clone(&provider)));
        Ok(provider)
    }

    /// Registers every table that the query may name now.
    pub fn register(self, context: &SessionContext) -> EngineResult<Sheets> {
        let sheets = self.sheets.into_inner();
        for (name, sheet) in self.names {
            let other = sheet.filter(|_| sheet != self.chosen);
            let provider = match other.map(|index| sheets.opened.get(&index)) {
                None => &self.table.provider,
                Some(Some((_, provider))) => provider,
                Some(None) => continue,
            };
            context.register_table(TableReference::bare(name), Arc::clone(provider))?;
        }
        Ok(sheets)
    }
}

impl Sheets {
    /// Bytes read of the sheets that are not the table of the file.
    pub fn bytes(&self) -> u64 {
        self.opened.values().map(|(file, _)| file.bytes()).sum()
    }
}
