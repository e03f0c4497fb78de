//! Extended attributes of a tar member (POSIX.1-2017, "pax Extended Header").

use super::entry::{MOST_PIECES, damage_error};
use crate::member_metadata::Modified;
use rread_text::error::Result;

#[derive(Clone, Debug, Default)]
pub(super) struct Pax {
    pub(super) path: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) modified: Option<Modified>,
    /// The name and the size of a sparse file, and its map: offsets and lengths in turn.
    pub(super) sparse_name: Option<Vec<u8>>,
    pub(super) sparse_size: Option<u64>,
    pub(super) sparse_map: Option<Vec<u64>>,
    /// Whether the map is before the data (version 1.0).
    pub(super) has_map_in_data: bool,
}

impl Pax {
    pub(super) fn is_sparse(&self) -> bool {
        self.has_map_in_data || self.sparse_map.is_some()
    }

    /// Adds the records `LENGTH KEY=VALUE\n` of a header.
    pub(super) fn update(&mut self, mut records: &[u8]) -> Result<()> {
        let invalid = || damage_error("an extended header is invalid");
        while !records.is_empty() && records[0] != 0 {
            let blank = records.iter().take(20).position(|byte| *byte == b' ').ok_or_else(invalid)?;
            let length = usize::try_from(decimal(&records[..blank]).ok_or_else(invalid)?).ok();
            let (record, rest) = length
                .filter(|length| *length > blank)
                .and_then(|length| records.split_at_checked(length))
                .ok_or_else(invalid)?;
            let pair = record[blank + 1..].strip_suffix(b"\n").ok_or_else(invalid)?;
            let equals = pair.iter().position(|byte| *byte == b'=').ok_or_else(invalid)?;
            self.set(&pair[..equals], &pair[equals + 1..])?;
            records = rest;
        }
        Ok(())
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        let number = || match decimal(value) {
            None if !value.is_empty() => Err(damage_error("a number in an extended header is invalid")),
            number => Ok(number),
        };
        match key {
            b"path" => self.path = text(),
            b"linkpath" => self.link = text(),
            b"size" => self.size = number()?,
            b"mtime" => self.modified = time(value),
            b"GNU.sparse.name" => self.sparse_name = text(),
            b"GNU.sparse.size" | b"GNU.sparse.realsize" => self.sparse_size = number()?,
            b"GNU.sparse.major" => self.has_map_in_data = value == b"1",
            b"GNU.sparse.map" => {
                let numbers: Option<Vec<u64>> = value.split(|byte| *byte == b',').map(decimal).collect();
                self.sparse_map =
                    Some(numbers.ok_or_else(|| damage_error("the map of a sparse file is invalid"))?);
            }
            // Version 0.0 has a record for each number.
            b"GNU.sparse.offset" | b"GNU.sparse.numbytes" => {
                self.sparse_map.get_or_insert_default().extend(number()?);
            }
            _ => {}
        }
        if self.sparse_map.as_ref().is_some_and(|map| map.len() > 2 * MOST_PIECES) {
            return Err(damage_error("the map of a sparse file is invalid"));
        }
        Ok(())
    }
}

pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok().filter(|text| !text.starts_with('+'))?.parse().ok()
}

/// Seconds since 1970, with an optional fraction.
fn time(value: &[u8]) -> Option<Modified> {
    let text = std::str::from_utf8(value).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: i64 = whole.parse().ok()?;
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let nanoseconds: u32 = digits.parse().ok()?;
    Some(match whole.starts_with('-') && nanoseconds > 0 {
        true => Modified::Utc(seconds.checked_sub(1)?, 1_000_000_000 - nanoseconds),
        false => Modified::Utc(seconds, nanoseconds),
    })
}
