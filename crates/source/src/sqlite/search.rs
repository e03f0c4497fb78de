//! A search in one database, and what it can find.

use rusqlite::Connection;

use super::address::{DatabaseAddress, percent_encode};
use super::errors;
use super::table::{Cell, Filter, SqlTable, identifier, is_utf16};
use crate::member_metadata::Recorded;
use rread_text::error::{Error, Kind, Result, counted};
use rread_text::quote::quoted_word;
use rread_text::sentence::{Call, Sentence, file, shell};

/// The longest value, in bytes, that is read whole if SQLite cannot read it in pieces.
const WHOLE: u64 = 64 << 20;

pub(super) struct FoundValue {
    pub(super) storage: Storage,
    pub(super) size: u64,
    /// The decoded size of zlib data.
    pub(super) zlib_size: Option<u64>,
    /// The time and the permissions of a file in an archive.
    pub(super) recorded: Option<Recorded>,
    /// Identifies it among all values of the database.
    pub(super) name: Vec<u8>,
}

pub(super) enum Storage {
    Blob { table: String, column: String, rowid: i64 },
    Memory(Vec<u8>),
}

pub(super) struct Search<'a> {
    pub(super) connection: &'a Connection,
    pub(super) address: &'a DatabaseAddress,
}

impl Search<'_> {
    pub(super) fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T> {
        result.map_err(|cause| errors::of(&cause, &self.address.database))
    }

    /// How to read `cell`, which `filter` found in `column`, and its length.
    pub(super) fn storage(
        &self,
        table: &SqlTable,
        filter: &Filter,
        column: &str,
        cell: &Cell,
    ) -> Result<(Storage, u64)> {
        let what = || format!("column {column} of table {}", table.name);
        match (cell.kind.as_str(), cell.rowid) {
            ("null", _) => Err(Error::new(Kind::NotFound, format!("{} is NULL in that row", what()))
                .hint(self.select(table))),
            // SQLite would return text as UTF-16 if the database stores it so; the user's text is UTF-8.
            ("text" | "blob", Some(rowid))
                if table.has_pieces()
                    && (cell.kind == "blob" || !self.check(is_utf16(self.connection))?) =>
            {
                let storage = Storage::Blob { table: table.name.clone(), column: column.to_owned(), rowid };
                Ok((storage, cell.size))
            }
            ("text" | "blob", _) if cell.size <= WHOLE => {
                let bytes = self.check(table.bytes(self.connection, filter, &identifier(column)))?;
                let size = bytes.len() as u64;
                Ok((Storage::Memory(bytes), size))
            }
            ("text" | "blob", _) => {
                let message = format!(
                    "{} has {} bytes in that row, which SQLite can only read at once; the limit is then {WHOLE} bytes",
                    what(),
                    cell.size
                );
                Err(Error::new(Kind::Io, message).hint(self.select(table)))
            }
            (kind, _) => {
                let a = if kind == "integer" { "an" } else { "a" };
                let message =
                    format!("{} is {a} {kind} in that row; rread reads only texts and blobs", what());
                Err(Error::usage(message).hint(self.select(table)))
            }
        }
    }

    /// A hint with the address of a value in one of the tables.
    pub(super) fn example(&self, names: &[String]) -> Call {
        let table = names.first().map_or_else(|| "TABLE".to_owned(), |name| percent_encode(name.as_bytes()));
        self.address.call(&format!("?table={table}&key=KEY&column=COLUMN"))
    }

    pub(super) fn select(&self, table: &SqlTable) -> Sentence {
        let sql = format!("SELECT * FROM {} LIMIT 10", identifier(&table.name));
        shell("sqlite3 ").then(file(&self.address.database)).then(shell(format!(" {}", quoted_word(&sql))))
    }
}

pub(super) fn join_names(names: &[String]) -> String {
    if names.is_empty() {
        return "it has no tables".to_owned();
    }
    let more = if names.len() > 10 { ", …" } else { "" };
    let first = names[..names.len().min(10)].join(", ");
    format!("it has {}: {first}{more}", counted(names.len() as u64, "table"))
}
