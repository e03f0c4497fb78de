//! Finds the value of an address, or reports what is there instead.

use super::address::{Target, ValueKey, percent_encode};
use super::archive;
use super::search::{FoundValue, Search, join_names};
use super::table::{Filter, SqlColumn, SqlTable};
use crate::near_miss::nearest;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{call, did_you_mean};

impl Search<'_> {
    pub(super) fn find(&self) -> Result<FoundValue> {
        match &self.address.target {
            Target::Nothing => Err(self.no_value_error()?),
            Target::Member(name) => archive::find(self, name),
            Target::Value(query) => self.value(query),
        }
    }

    fn value(&self, query: &ValueKey) -> Result<FoundValue> {
        let Some(name) = &query.table else { return Err(self.no_value_error()?) };
        let Some(table) = self.check(SqlTable::find(self.connection, name))? else {
            return Err(self.no_table(name)?);
        };
        self.refuse_others(&table)?;
        let filter = self.row(&table, query)?;
        let column = self.column(&table, query)?;
        let cells = self.check(table.cells(self.connection, &filter, &column.name))?;
        let [cell] = &cells[..] else {
            return Err(match cells.len() {
                0 => {
                    let keys: Vec<_> = query.keys.iter().map(|key| String::from_utf8_lossy(key)).collect();
                    let message = format!("table {} has no row with the key {}", table.name, keys.join(", "));
                    Error::new(Kind::NotFound, message).hint(self.select(&table))
                }
                _ => Error::usage("the key matches more than one row: as a text, and as a number or a blob"),
            });
        };
        let identity = [
            &[table.name.as_bytes(), column.name.as_bytes()],
            &query.keys.iter().map(Vec::as_slice).collect::<Vec<_>>()[..],
        ]
        .concat()
        .join(&0);
        let (storage, size) = self.storage(&table, &filter, &column.name, cell)?;
        Ok(FoundValue { storage, size, zlib_size: None, recorded: None, name: identity })
    }

    /// Refuses views and virtual tables: only tables have rows with a key.
    fn refuse_others(&self, table: &SqlTable) -> Result<()> {
        let what = match table.kind.as_str() {
            "view" => "a view",
            "virtual" => "a virtual table",
            _ => return Ok(()),
        };
        Err(Error::usage(format!("{} is {what}; rread reads only rows of tables", table.name))
            .hint(self.select(table)))
    }

    fn row(&self, table: &SqlTable, query: &ValueKey) -> Result<Filter> {
        let key: Vec<&str> = table.key().into_iter().map(|column| column.name.as_str()).collect();
        let key = if key.is_empty() { table.rowid.into_iter().collect() } else { key };
        if query.keys.len() == key.len() && !key.is_empty() {
            return Ok(Filter::of_keys(key.into_iter(), &query.keys));
        }
        let columns: Vec<String> = key.iter().map(|name| format!("key=({name})")).collect();
        let message = format!(
            "the primary key of table {} is {}, but {} given",
            table.name,
            key.join(", "),
            match query.keys.len() {
                0 => "no key is".to_owned(),
                1 => "1 key is".to_owned(),
                several => format!("{several} keys are"),
            }
        );
        let table = percent_encode(table.name.as_bytes());
        Err(Error::usage(message).hint(self.address.call(&format!("?table={table}&{}", columns.join("&")))))
    }

    fn column<'t>(&self, table: &'t SqlTable, query: &ValueKey) -> Result<&'t SqlColumn> {
        let names = || table.columns.iter().map(|column| column.name.clone());
        let Some(name) = &query.column else {
            return table.only_content().ok_or_else(|| {
                let first = names().find(|name| table.key().iter().all(|key| key.name != *name));
                let columns = names().collect::<Vec<_>>().join(", ");
                let message = format!("table {} has several columns ({columns}): name one", table.name);
                let name = first.unwrap_or_else(|| "COLUMN".to_owned());
                Error::usage(message).hint(call("stat").file(self.with_column(query, &name)))
            });
        };
        table.column(name).ok_or_else(|| {
            let columns = names().collect::<Vec<_>>().join(", ");
            let message = format!("table {} has no column {name}: it has {columns}", table.name);
            let near = nearest(name, names());
            let hint = near.map(|near| did_you_mean(self.with_column(query, &near)));
            Error { hint, ..Error::new(Kind::NotFound, message) }
        })
    }

    fn with_column(&self, query: &ValueKey, column: &str) -> String {
        let keys: String = query.keys.iter().map(|key| format!("&key={}", percent_encode(key))).collect();
        let table = percent_encode(query.table.as_deref().unwrap_or_default().as_bytes());
        self.address.path(&format!("?table={table}{keys}&column={}", percent_encode(column.as_bytes())))
    }

    fn no_table(&self, name: &str) -> Result<Error> {
        let names = self.check(SqlTable::names(self.connection))?;
        let error = Error::new(Kind::NotFound, format!("there is no table {name}: {}", join_names(&names)));
        let hint = nearest(name, names.into_iter()).map(|near| {
            let query = format!("?table={}&key=KEY", percent_encode(near.as_bytes()));
            did_you_mean(self.address.path(&query))
        });
        Ok(Error { hint, ..error })
    }

    /// The error for an address that names only a database.
    fn no_value_error(&self) -> Result<Error> {
        if let Some(error) = archive::contents(self)? {
            return Ok(error);
        }
        let names = self.check(SqlTable::names(self.connection))?;
        let error = Error::usage(format!("is a database; name a value in it: {}", join_names(&names)));
        Ok(error.hint(self.example(&names)))
    }
}
