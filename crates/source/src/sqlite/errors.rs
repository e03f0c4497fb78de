//! Converts SQLite errors to user messages.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use rread_text::error::{Error, Kind};
use rread_text::sentence::{call, file, shell};

pub(super) fn of(cause: &rusqlite::Error, path: &Path) -> Error {
    let sqlite3 = |command: &str| shell("sqlite3 ").then(file(path)).then(shell(format!(" '{command}'")));
    // SQLITE_READONLY_RECOVERY, SQLITE_READONLY_ROLLBACK and SQLITE_CANTOPEN_DIRTYWAL.
    if let Some(264 | 776 | 1294) = cause.sqlite_error().map(|error| error.extended_code) {
        let message = "a write to the database was interrupted; opening it for writing repairs it";
        return Error::new(Kind::Io, message).hint(sqlite3("PRAGMA schema_version"));
    }
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let message = "the database is locked by another process and was not released within a second";
            Error::new(Kind::Locked, message).hint(shell("fuser ").then(file(path)))
        }
        Some(ErrorCode::NotADatabase) => not_a_database(path),
        Some(ErrorCode::DatabaseCorrupt) => {
            Error::new(Kind::Io, damage_message(cause)).hint(sqlite3("PRAGMA integrity_check"))
        }
        Some(ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied) => {
            Error::new(Kind::Permission, format!("cannot read the database: {}", words(cause)))
        }
        _ => Error::new(Kind::Io, format!("cannot read the database: {}", words(cause)))
            .hint(sqlite3("PRAGMA integrity_check")),
    }
}

pub(super) fn not_a_database(path: &Path) -> Error {
    Error::usage(format!("{} is not an SQLite database, or it is encrypted", path.display()))
        .hint(call("stat").file(path))
}

/// The error for a read that failed inside a value.
pub(super) fn read(cause: &rusqlite::Error) -> io::Error {
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => io::Error::new(io::ErrorKind::InvalidData, damage_message(cause)),
        _ => io::Error::other(words(cause)),
    }
}

fn damage_message(cause: &rusqlite::Error) -> String {
    format!("the database is damaged: {}", words(cause))
}

/// SQLite's own message, without the SQL statement.
pub(super) fn words(cause: &rusqlite::Error) -> String {
    match cause {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqliteFailure(error, None) => {
            rusqlite::ffi::code_to_str(error.extended_code).to_owned()
        }
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}
