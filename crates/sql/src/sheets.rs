//! The tables that a query may name: that of the file, and the other sheets of a workbook.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::datatypes::Field;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::error::Result as EngineResult;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use super::files::open::{OpenTable, open_file};
use super::plans::has_node;
use super::request::QueryRequest;
use super::table::workbook;
use super::text::type_name;
use rread_reader::Reader;
use rread_text::{Encoding, Result};

/// Names that every table of a file has: `t` and `s3object`.
const FIXED_NAMES: usize = 2;

/// The tables by name. A sheet is opened once the query names it.
pub(super) struct Tables<'a> {
    /// The file and its name, if the table is one file.
    file: Option<(&'a Arc<Reader>, &'a Path)>,
    request: &'a QueryRequest,
    table: &'a OpenTable,
    /// Tables beside that of the file, by name.
    others: &'a [(String, OpenTable)],
    names: Vec<(String, Place)>,
    /// The sheet that is the table of the file.
    chosen: Option<usize>,
    sheets: RefCell<Sheets>,
}

/// The place of the table of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    File,
    /// A sheet of the file.
    Sheet(usize),
    /// Beside the file.
    Other(usize),
}

/// The sheets that a query names.
#[derive(Default)]
pub(super) struct Sheets {
    pub is_any_named: bool,
    /// The names of table `t`.
    own: Vec<String>,
    /// Whether the query reads it.
    pub is_own_read: bool,
    /// Sheets opened beside table `t`.
    pub opened: BTreeMap<usize, OpenTable>,
}

impl<'a> Tables<'a> {
    pub fn new(
        file: Option<(&'a Arc<Reader>, &'a Path)>,
        request: &'a QueryRequest,
        table: &'a OpenTable,
        others: &'a [(String, OpenTable)],
    ) -> Self {
        let own = names_of(file.map_or(Path::new("-"), |(_, path)| path));
        let mut names: Vec<_> = own.into_iter().map(|name| (name, Place::File)).collect();
        let workbook = file.and_then(|(reader, _)| workbook(reader));
        let chosen = workbook.as_ref().map(|workbook| workbook.chosen);
        // A sheet comes before the file of the same name, but not before t.
        let of_file = names.split_off(FIXED_NAMES);
        names.extend(others.iter().enumerate().map(|(index, (name, _))| (name.clone(), Place::Other(index))));
        for (index, sheet) in workbook.into_iter().flat_map(|workbook| workbook.sheets).enumerate() {
            let is_free = |(name, place): &(String, Place)| match place {
                Place::Other(_) => !name.eq_ignore_ascii_case(&sheet.name),
                Place::File | Place::Sheet(_) => *name != sheet.name,
            };
            if names.iter().all(is_free) {
                names.push((sheet.name, Place::Sheet(index)));
            }
        }
        for (stem, _) in of_file {
            if names.iter().all(|(name, _)| name.to_lowercase() != stem.to_lowercase()) {
                names.push((stem, Place::File));
            }
        }
        Tables { file, request, table, others, names, chosen, sheets: RefCell::default() }
    }

    pub fn names(&self) -> Vec<String> {
        self.names.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The columns of the table `name`.
    pub fn columns(&self, name: &str) -> Result<Vec<String>> {
        let place = self.names.iter().find(|(of, _)| of == name).map_or(Place::File, |(_, place)| *place);
        let provider = self.provider(place)?;
        Ok(provider.schema().fields().iter().map(|field| field.name().clone()).collect())
    }

    /// The names and types of the columns of the table `name`, in any case; `None` if there is none.
    pub fn described(&self, name: &str) -> Result<Option<Vec<(String, String)>>> {
        let Some((_, place)) = self.names.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)) else {
            return Ok(None);
        };
        let schema = self.provider(*place)?.schema();
        let describe = |field: &Arc<Field>| (field.name().clone(), type_name(field.data_type()));
        Ok(Some(schema.fields().iter().map(describe).collect()))
    }

    fn provider(&self, place: Place) -> Result<Arc<dyn TableProvider>> {
        let sheet = match place {
            Place::Other(index) => return Ok(Arc::clone(&self.others[index].1.provider)),
            Place::Sheet(index) => Some(index),
            Place::File => None,
        };
        let mut sheets = self.sheets.borrow_mut();
        sheets.is_any_named |= sheet.is_some();
        let other = sheet.filter(|_| sheet != self.chosen).zip(self.file);
        let other = other.and_then(|(index, (reader, path))| Some((index, reader.document()?, path)));
        let Some((index, document, path)) = other else { return Ok(Arc::clone(&self.table.provider)) };
        if let Some(table) = sheets.opened.get(&index) {
            return Ok(Arc::clone(&table.provider));
        }
        let reader = Arc::new(Reader::of_text(document.sheet(index), Encoding::Utf8));
        // --schema is about the columns of t.
        let request = QueryRequest { types: None, ..self.request.clone() };
        let table = block_in_place(|| Handle::current().block_on(open_file(&reader, path, &request)))?;
        let provider = Arc::clone(&table.provider);
        sheets.opened.insert(index, table);
        Ok(provider)
    }

    /// Registers every table that the query may name now.
    pub fn register(self, context: &SessionContext) -> EngineResult<Sheets> {
        let mut sheets = self.sheets.into_inner();
        for (name, place) in self.names {
            let provider = match place {
                Place::Other(index) => &self.others[index].1.provider,
                Place::Sheet(index) if Some(index) != self.chosen => match sheets.opened.get(&index) {
                    Some(table) => &table.provider,
                    None => continue,
                },
                Place::File | Place::Sheet(_) => {
                    sheets.own.push(name.clone());
                    &self.table.provider
                }
            };
            context.register_table(TableReference::bare(name), Arc::clone(provider))?;
        }
        Ok(sheets)
    }
}

impl Sheets {
    /// Whether `plan` reads table `t`.
    pub fn reads_own(&self, plan: &LogicalPlan) -> EngineResult<bool> {
        let is_own = |table: &str| self.own.iter().any(|name| name == table);
        let reads_own = |node: &LogicalPlan| matches!(node, LogicalPlan::TableScan(scan) if is_own(scan.table_name.table()));
        Ok(self.opened.is_empty() || has_node(plan, reads_own)?)
    }

    /// Bytes read of the sheets that are not the table of the file.
    pub fn bytes(&self) -> u64 {
        self.opened.values().map(|table| table.reads.bytes()).sum()
    }
}

/// The names of the table of the file at `path`.
fn names_of(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split(['.', '?', '#', '=']).next().unwrap_or_default();
    let mut names = vec!["t".to_owned(), "s3object".to_owned()];
    if !stem.is_empty() && !names.iter().any(|name| name.eq_ignore_ascii_case(stem)) && stem != "-" {
        names.push(stem.to_owned());
    }
    names
}
