//! The tables of a file for `rread stat`, as `select` sees them.

use std::path::Path;
use std::sync::Arc;

use rread_answer::ReadOptions;
use rread_documents::sheets::Sheet;
use rread_reader::Reader;
use rread_source::access::OpensMember;
use rread_source::compressed::recognition::ending;
use rread_source::sqlite::Database;
use rread_sql::overview;
use rread_text::Result;

/// Endings of files that are tables; in other text, a table is a guess.
const ENDINGS: [&str; 9] = ["csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "parquet", "parq"];

/// A line for each table of a file; none if it is no table that can be read.
pub(super) fn tables(
    path: &Path,
    member: Option<&Arc<dyn OpensMember>>,
    reader: &Reader,
    options: &ReadOptions,
) -> Vec<String> {
    let is_workbook = reader.document().is_some_and(|document| document.has_sheets());
    let is_remote = reader.source().info().object.is_some();
    if is_remote || !is_workbook && !is_database(reader) && !ENDINGS.contains(&&*ending(path)) {
        return Vec::new();
    }
    let found = || -> Result<Vec<String>> {
        // As `select` does, which queries a database and not its text.
        let mut options = options.clone();
        options.source.access.sheet = Some(Sheet::First);
        let reader = Arc::new(options.open_member(path, member)?);
        match Database::of(reader.source(), path, &options.source.access)? {
            Some(database) => overview::tables_of_database(&database),
            None => overview::tables(&reader, path),
        }
    };
    // The facts of a file that has no table are those of its text.
    found().unwrap_or_default()
}

fn is_database(reader: &Reader) -> bool {
    reader.document().is_some_and(|document| document.mime() == "application/vnd.sqlite3")
}
