//! A value of a row of a database.

/// A value of a row, with the type that it has there: columns of SQLite have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SqliteValue<'a> {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text, in UTF-8 unless the writer broke it.
    Text(&'a [u8]),
    /// Bytes.
    Blob(&'a [u8]),
}
