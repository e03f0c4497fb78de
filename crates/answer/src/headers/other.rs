//! Databases, documents, fonts and tar archives.

use super::ends::{FileEnds, before_nul};
use super::types::FormatDetails;

pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// The header of a database (SQLite, "Database File Format", 1.3).
pub(super) fn sqlite(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let fields = ends.fields(true);
    let page_size = match fields.u16(16)? {
        1 => 65_536,
        size => u32::from(size),
    };
    if !page_size.is_power_of_two() || page_size < 512 {
        return None;
    }
    // Older versions of SQLite leave an old number of pages there; then the counters differ.
    let is_current = fields.u32(24)? == fields.u32(92)?;
    let encoding = match fields.u32(56)? {
        1 => Some("utf-8"),
        2 => Some("utf-16le"),
        3 => Some("utf-16be"),
        _ => None,
    };
    Some(FormatDetails {
        format: Some("SQLite"),
        page_size: Some(page_size),
        pages: fields.u32(28).filter(|pages| is_current && *pages > 0),
        encoding,
        user_version: fields.u32(60).map(u32::cast_signed).filter(|version| *version != 0),
        application_id: fields.u32(68).filter(|id| *id != 0),
        ..FormatDetails::default()
    })
}

pub(super) fn pdf(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let [major, b'.', minor] = ends.array(5)? else { return None };
    let is_number = major.is_ascii_digit() && minor.is_ascii_digit();
    is_number.then(|| FormatDetails {
        format: Some("PDF"),
        version: Some(format!("{}.{}", char::from(major), char::from(minor))),
        ..FormatDetails::default()
    })
}

/// A collection of TrueType or OpenType fonts.
pub(super) fn fonts(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    Some(FormatDetails {
        format: Some("font collection"),
        members: Some(u64::from(ends.fields(true).u32(8)?)),
        ..FormatDetails::default()
    })
}

/// The first header of a tar archive (POSIX pax, "ustar Interchange Format").
pub(super) fn tar(head: &[u8]) -> Option<FormatDetails> {
    let (header, _) = head.split_first_chunk::<512>()?;
    let magic = &header[257..265];
    let (kind, prefix) = match magic {
        b"ustar  \0" => ("GNU", &[][..]),
        _ if magic.starts_with(b"ustar\0") => ("ustar", &header[345..500]),
        _ => ("V7", &[][..]),
    };
    let text = |field| String::from_utf8_lossy(before_nul(field).unwrap_or(field)).into_owned();
    let (name, prefix) = (text(&header[..100]), text(prefix));
    let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
    // The header before a long name or extended attributes belongs to the member after it.
    let is_member = matches!(header[156], 0 | b'0'..=b'7' | b'S' | b'D');
    Some(FormatDetails {
        format: Some("tar"),
        kind: Some(if matches!(header[156], b'x' | b'g') { "pax" } else { kind }),
        first_member: is_member.then_some(name),
        ..FormatDetails::default()
    })
}
