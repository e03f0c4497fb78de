//! The facts that the header of a binary file states, beyond its media type.

mod elf;
mod ends;
mod executable;
mod gzip;
mod other;
mod types;
mod zip;

use rread_text::sniff::is_tar;

pub use ends::FileEnds;
pub use types::FormatDetails;

/// The details of the file with these ends; empty if its header states none.
pub fn format_details(ends: &FileEnds<'_>) -> FormatDetails {
    let found = match ends.head {
        [0x7F, b'E', b'L', b'F', ..] => elf::details(ends),
        [b'M', b'Z', ..] => executable::pe(ends),
        [0xFE, 0xED, 0xFA, 0xCE | 0xCF, ..] | [0xCE | 0xCF, 0xFA, 0xED, 0xFE, ..] => executable::mach_o(ends),
        [0xCA, 0xFE, 0xBA, 0xBE, ..] => executable::java_or_fat(ends),
        [0, b'a', b's', b'm', ..] => executable::wasm(ends),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => zip::details(ends),
        [0x1F, 0x8B, 8, ..] => gzip::details(ends.head),
        [b'%', b'P', b'D', b'F', b'-', ..] => other::pdf(ends),
        [b't', b't', b'c', b'f', ..] => other::fonts(ends),
        head if head.starts_with(other::SQLITE) => other::sqlite(ends),
        head if is_tar(head) => other::tar(head),
        _ => None,
    };
    found.unwrap_or_default()
}

/// Adds the name and the time that the header of a gzip file states.
pub fn with_gzip(details: FormatDetails, head: &[u8]) -> FormatDetails {
    let gzip = gzip::details(head).unwrap_or_default();
    FormatDetails { original_name: gzip.original_name, original_modified: gzip.original_modified, ..details }
}
