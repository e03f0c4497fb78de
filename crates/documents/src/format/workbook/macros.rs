//! Binary workbooks with macro sheets, which their reader refuses whole.

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::format::zip_xml::Package;
use crate::protocol::Failure;

/// The relations of the workbook to its sheets.
const RELATIONS: &str = "xl/_rels/workbook.bin.rels";

/// The workbook `bytes` with its macro sheets as dialog sheets, which have no values either and which every reader knows.
pub(super) fn without_macro_sheets(bytes: &[u8], package: &mut Package<'_>) -> Result<Vec<u8>, Failure> {
    let mut relations = String::new();
    if let Some(mut member) = package.member(RELATIONS)? {
        member.read_to_string(&mut relations)?;
    }
    if !relations.contains("\"macrosheets/") {
        return Ok(bytes.to_vec());
    }
    let relations = relations.replace("\"macrosheets/", "\"dialogsheets/");
    let mut from = ZipArchive::new(Cursor::new(bytes))?;
    let mut to = ZipWriter::new(Cursor::new(Vec::with_capacity(bytes.len())));
    for index in 0..from.len() {
        let member = from.by_index_raw(index)?;
        if member.name()? == RELATIONS {
            drop(member);
            to.start_file(RELATIONS, SimpleFileOptions::default())?;
            to.write_all(relations.as_bytes())?;
        } else {
            to.raw_copy_file(member)?;
        }
    }
    Ok(to.finish()?.into_inner())
}
