//! Parses an address in a database: the path of the database, then the value inside it.

use std::fs;
use std::path::PathBuf;

use data_encoding::HEXLOWER_PERMISSIVE;

use crate::member_address::prefixes;
use crate::near_miss::near_miss;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{Call, call, did_you_mean, file, shell};

const FORM: &str = "sqlite:DATABASE?table=TABLE&key=KEY&column=COLUMN";

#[derive(Debug)]
pub(super) struct DatabaseAddress {
    pub(super) database: PathBuf,
    pub(super) target: Target,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    Nothing,
    Member(Vec<u8>),
    Value(ValueKey),
}

/// One value of a table; parts may be missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ValueKey {
    pub(super) table: Option<String>,
    /// The values of the primary key, one per column, in order.
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) column: Option<String>,
}

impl DatabaseAddress {
    /// Parses `rest`, the address after `sqlite:`. The database is the longest prefix that is a regular file.
    pub(super) fn parse(rest: &[u8]) -> Result<Self> {
        let found = prefixes(rest, b"?")
            .rev()
            .find_map(|(database, rest)| database.is_file().then(|| (database.to_owned(), rest)));
        match found {
            Some((database, rest)) => Ok(DatabaseAddress { database, target: Target::parse(rest)? }),
            None => Err(no_database(rest)),
        }
    }

    pub(super) fn call(&self, rest: &str) -> Call {
        call("stat").file(self.path(rest))
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("sqlite:{}{rest}", self.database.display())
    }
}

impl Target {
    fn parse(rest: &[u8]) -> Result<Self> {
        match rest {
            [b'?', query @ ..] => ValueKey::parse(query).map(Target::Value),
            [_, name @ ..] if !name.is_empty() => Ok(Target::Member(name.to_owned())),
            _ => Ok(Target::Nothing),
        }
    }
}

impl ValueKey {
    fn parse(text: &[u8]) -> Result<Self> {
        let mut query = ValueKey::default();
        for part in text.split(|byte| *byte == b'&').filter(|part| !part.is_empty()) {
            let equals = part.iter().position(|byte| *byte == b'=').unwrap_or(part.len());
            let value = percent_decode(part.get(equals + 1..).unwrap_or_default())?;
            let name = || String::from_utf8_lossy(&value).into_owned();
            let given_before = match &part[..equals] {
                b"table" => query.table.replace(name()).is_some(),
                b"column" => query.column.replace(name()).is_some(),
                b"key" => {
                    query.keys.push(value);
                    false
                }
                other => {
                    let other = String::from_utf8_lossy(other);
                    let message = format!(
                        "'{other}' is not a parameter of an address; the parameters are table, key and column"
                    );
                    return Err(Error::usage(message).hint(FORM));
                }
            };
            if given_before {
                let name = String::from_utf8_lossy(&part[..equals]);
                return Err(Error::usage(format!("{name} is given twice")).hint(FORM));
            }
        }
        Ok(query)
    }
}

/// `text` without percent-encoding (RFC 3986, section 2.1). A `+` stays a `+`.
fn percent_decode(mut text: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    while let Some((byte, rest)) = text.split_first() {
        if *byte != b'%' {
            bytes.push(*byte);
            text = rest;
            continue;
        }
        let Some(byte) = rest.get(..2).and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits).ok()) else {
            let start = String::from_utf8_lossy(&text[..text.len().min(3)]);
            return Err(Error::usage(format!("'{start}' is not a percent-encoded byte"))
                .hint("write %25 for %, %26 for &, %20 for a space"));
        };
        bytes.extend(byte);
        text = &rest[2..];
    }
    Ok(bytes)
}

/// `text` with percent-encoding where an address needs it.
pub(super) fn percent_encode(text: &[u8]) -> String {
    let mut out = String::new();
    for byte in text {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'@' => {
                out.push(char::from(*byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn no_database(rest: &[u8]) -> Error {
    if rest.is_empty() {
        return Error::usage("does not name a database")
            .hint(call("lines").file("sqlite:archive.sqlar/path/in/it"));
    }
    for (database, _) in prefixes(rest, b"?") {
        if let Err(cause) = fs::metadata(database) {
            let error = Error::read(&format!("cannot open the database {}", database.display()), &cause);
            let hint = near_miss(database).map(|near| did_you_mean(format!("sqlite:{}", near.display())));
            return Error { hint, ..error };
        }
    }
    let path = String::from_utf8_lossy(rest);
    Error::new(Kind::NotFound, format!("does not name a database: {path} is not a regular file"))
        .hint(shell("ls -l ").then(file(&*path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> ValueKey {
        ValueKey::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn addresses_are_parsed() {
        let parse = |text: &str| Target::parse(text.as_bytes()).unwrap();
        assert_eq!(parse(""), Target::Nothing);
        assert_eq!(parse("/"), Target::Nothing);
        assert_eq!(parse("/a?table=x%20"), Target::Member(b"a?table=x%20".to_vec()));
        let Target::Value(found) = parse("?table=a%20%26b&key=%FFk=+&column=%25") else { panic!() };
        assert_eq!((found.table.as_deref(), found.column.as_deref()), (Some("a &b"), Some("%")));
        assert_eq!(found.keys, [b"\xFFk=+".to_vec()]);
        assert_eq!(
            query("key=1&key=&key"),
            ValueKey { keys: vec![b"1".to_vec(), vec![], vec![]], ..query("") }
        );
    }

    #[test]
    fn invalid_parameters_are_refused() {
        for text in ["tables=x", "table=a&table=b", "key=%", "key=%4", "key=%zz", "column=a&column=a", "x"] {
            assert!(ValueKey::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn encoding_round_trips() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(percent_decode(percent_encode(&all).as_bytes()).unwrap(), all);
    }
}
