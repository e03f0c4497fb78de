//! The name and the time in the header of a gzip file (RFC 1952).

use std::time::{Duration, UNIX_EPOCH};

use super::ends::before_nul;
use super::types::FormatDetails;

const EXTRA: u8 = 4;
const NAME: u8 = 8;

/// The longest name that a file can have on Linux.
const LONGEST: usize = 255;

pub(super) fn details(head: &[u8]) -> Option<FormatDetails> {
    let (&[0x1F, 0x8B, 8, flags, a, b, c, d, _, _], mut rest) = head.split_first_chunk::<10>()? else {
        return None;
    };
    let time = u32::from_le_bytes([a, b, c, d]);
    let modified = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(u64::from(time)));
    let mut name = None;
    if flags & NAME != 0 {
        if flags & EXTRA != 0 {
            let (length, after) = rest.split_first_chunk()?;
            rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
        }
        name = before_nul(rest).filter(|name| (1..=LONGEST).contains(&name.len()));
    }
    Some(FormatDetails {
        format: Some("gzip"),
        // The standard says Latin-1, and gzip writes the bytes of the name.
        original_name: name.map(|name| match std::str::from_utf8(name) {
            Ok(name) => name.to_owned(),
            Err(_) => name.iter().map(|byte| char::from(*byte)).collect(),
        }),
        // 0 means that there is none.
        original_modified: (time != 0).then(|| modified.to_string()),
        ..FormatDetails::default()
    })
}
