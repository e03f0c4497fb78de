//! Workbooks whose members have other names than their reader looks for: it compares letters and slashes exactly.

use std::borrow::Cow;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::protocol::Failure;

/// The members that the reader of OpenDocument looks for. Without the first, it refuses the workbook.
const LOOKED_FOR: [&str; 4] = ["mimetype", "content.xml", "META-INF/manifest.xml", "meta.xml"];

const SPREADSHEET: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// The workbook `bytes` of OpenDocument, with the member that says so.
pub(super) fn of_opendocument(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    let expected = |name: &str| LOOKED_FOR.into_iter().find(|of| of.eq_ignore_ascii_case(name));
    renamed(bytes, |name| expected(name).map_or_else(|| name.to_owned(), str::to_owned), Some(SPREADSHEET))
}

/// The binary workbook `bytes`.
pub(super) fn of_binary(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    renamed(bytes, str::to_owned, None)
}

/// `bytes` with the names that `rename` returns, with plain slashes between their parts, and with `mimetype` if
/// it is missing. Without a change, they are not copied.
fn renamed<'a>(
    bytes: &'a [u8],
    rename: impl Fn(&str) -> String,
    mimetype: Option<&str>,
) -> Result<Cow<'a, [u8]>, Failure> {
    let mut from = ZipArchive::new(Cursor::new(bytes))?;
    let new = |name: &str| rename(name.replace('\\', "/").trim_start_matches('/'));
    let names: Vec<String> = from.file_names().filter_map(Result::ok).map(Cow::into_owned).collect();
    let mimetype = mimetype.filter(|_| !names.iter().any(|name| new(name) == LOOKED_FOR[0]));
    if mimetype.is_none() && names.iter().all(|name| new(name) == *name) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut to = ZipWriter::new(Cursor::new(Vec::with_capacity(bytes.len())));
    if let Some(mimetype) = mimetype {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        to.start_file(LOOKED_FOR[0], options)?;
        to.write_all(mimetype.as_bytes())?;
    }
    for index in 0..from.len() {
        let member = from.by_index_raw(index)?;
        let name = new(&member.name()?);
        // Two members may have names that become one: the first counts.
        match to.raw_copy_file_rename(member, name) {
            Ok(()) | Err(zip::result::ZipError::InvalidArchive(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Cow::Owned(to.finish()?.into_inner()))
}
