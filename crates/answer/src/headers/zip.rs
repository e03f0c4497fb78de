//! The number of members of a ZIP archive, from the record at its end (APPNOTE.TXT, 4.3.14 to 4.3.16).

use super::ends::FileEnds;
use super::types::FormatDetails;

const END: &[u8] = b"PK\x05\x06";
const LOCATOR: &[u8; 4] = b"PK\x06\x07";
const END_64: &[u8; 4] = b"PK\x06\x06";

const END_LENGTH: u64 = 22;
const LOCATOR_LENGTH: u64 = 20;

/// The number that stands for one in the record of ZIP64.
const IN_64: u16 = u16::MAX;

pub(super) fn details(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    Some(FormatDetails { format: Some("ZIP"), members: members(ends), ..FormatDetails::default() })
}

fn members(ends: &FileEnds<'_>) -> Option<u64> {
    let size = ends.size?;
    let known = if ends.tail.is_empty() { ends.head } else { ends.tail };
    let start = size.checked_sub(known.len() as u64)?;
    let fields = ends.fields(false);
    // The comment after the record may contain its signature: the length of the comment must lead to the end.
    let at = memchr::memmem::rfind_iter(known, END).map(|at| start + at as u64).find(|at| {
        let comment = fields.u16(at + 20).map(u64::from);
        comment.is_some_and(|comment| at + END_LENGTH + comment == size)
    })?;
    let members = fields.u16(at + 10)?;
    if members != IN_64 {
        return Some(u64::from(members));
    }
    let locator = at.checked_sub(LOCATOR_LENGTH)?;
    if ends.array(locator)? != *LOCATOR {
        return Some(u64::from(members));
    }
    let record = fields.u64(locator + 8)?;
    if ends.array(record)? != *END_64 { None } else { fields.u64(record.checked_add(32)?) }
}
