//! Workbooks with names or contents of members that their reader refuses or drops, rewritten for it.

use std::borrow::Cow;
use std::io::{BufRead as _, BufReader, Cursor, Read, Write as _};

use memchr::{memmem, memrchr};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::decode::docx::raised_by;
use crate::decode::zip_xml::{Package, Part, parse};
use crate::protocol::Failure;

/// The members that the reader of OpenDocument looks for. Without the first, it refuses the workbook.
const OPENDOCUMENT: [&str; 4] = ["mimetype", "content.xml", "META-INF/manifest.xml", "meta.xml"];

const SPREADSHEET: &str = "application/vnd.oasis.opendocument.spreadsheet";

const SHARED_STRINGS: &str = "xl/sharedStrings.xml";

/// Relations to macro sheets, which make the reader refuse the workbook, as relations to dialog sheets: neither has values.
const MACRO_SHEETS: [(&str, &str); 3] = [
    ("\"macrosheets/", "\"dialogsheets/"),
    ("/xlMacrosheet\"", "/dialogsheet\""),
    ("/xlIntlMacrosheet\"", "/dialogsheet\""),
];

/// The workbook `bytes` of OpenDocument.
pub(super) fn of_opendocument(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    let (mut contents, mut package) = (Vec::new(), Package::open(bytes)?);
    if package.member(OPENDOCUMENT[0])?.is_none() {
        contents.push((OPENDOCUMENT[0].to_owned(), SPREADSHEET.into()));
    }
    let expected = |name: &str| {
        let expected = OPENDOCUMENT.into_iter().find(|of| of.eq_ignore_ascii_case(name));
        expected.map_or_else(|| name.to_owned(), str::to_owned)
    };
    add_damaged(&mut package, &mut contents)?;
    rewrite(bytes, expected, &contents)
}

/// The workbook `bytes` of Office Open XML, binary or not, whose relations to its sheets are in the member `relations`.
pub(super) fn of_office<'a>(bytes: &'a [u8], relations: &'static str) -> Result<Cow<'a, [u8]>, Failure> {
    let mut package = Package::open(bytes)?;
    let mut contents = Vec::new();
    let text = package.read(relations)?.unwrap_or_default();
    if let Ok(text) = str::from_utf8(&text) {
        let new = MACRO_SHEETS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        if new != *text {
            contents.push((relations.to_owned(), new.into_bytes()));
        }
    }
    let strings = package.read(SHARED_STRINGS)?.unwrap_or_default();
    if memchr::memmem::find(&strings, b"vertAlign").is_some() {
        // The reader of the workbook reports the damage.
        contents.extend(with_scripts(&strings).ok().map(|strings| (SHARED_STRINGS.to_owned(), strings)));
    }
    drop(strings);
    for name in package.names().into_iter().filter(|name| name.starts_with("xl/worksheets/")) {
        // Only a sheet with blanks is in memory.
        let sheet = |package: &mut Package<'_>, keep: &mut dyn FnMut(&[u8])| {
            package.member(&name).ok().flatten().is_some_and(|sheet| without_blanks(sheet, keep))
        };
        let mut kept = Vec::new();
        if sheet(&mut package, &mut |_| {}) && sheet(&mut package, &mut |part| kept.extend(part)) {
            contents.push((name, kept));
        }
    }
    // The reader of XML does not come to the end of a member.
    if relations.ends_with(".bin.rels") {
        add_damaged(&mut package, &mut contents)?;
    }
    rewrite(bytes, str::to_owned, &contents)
}

/// Gives a sheet to `keep` without the blanks around its values, which their reader takes for a part of them, as they are of
/// texts; returns whether there are some, if all of it can be read.
fn without_blanks(sheet: impl Read, keep: &mut dyn FnMut(&[u8])) -> bool {
    let (mut sheet, mut part) = (BufReader::new(sheet), Vec::new());
    let (mut is_text, mut has_blanks) = (false, false);
    while let Ok(length) = sheet.read_until(b'>', &mut part) {
        let (value, tag) = part.split_at(memrchr(b'<', &part).unwrap_or(0));
        let name = tag.split(|byte| b" \t\r\n>".contains(byte)).next().unwrap_or_default();
        // Elements may have a prefix.
        let local = name.rsplit(|byte| b"</:".contains(byte)).next().unwrap_or_default();
        is_text = if local == b"c" { memmem::find(tag, b"str").is_some() } else { is_text };
        let is_value = local == b"v" && name.starts_with(b"</") && !is_text;
        let kept = if is_value { value.trim_ascii() } else { value };
        has_blanks |= kept.len() < value.len();
        [kept, tag].into_iter().for_each(&mut *keep);
        if length == 0 {
            return has_blanks;
        }
        part.clear();
    }
    false
}

/// Adds the members with wrong checksums, which the reader refuses, to `contents`: a new one gets its own.
fn add_damaged(package: &mut Package<'_>, contents: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    for name in package.damaged_members() {
        if contents.iter().all(|(of, _)| *of != name) {
            let content = package.read(&name)?.unwrap_or_default();
            contents.push((name, content));
        }
    }
    Ok(())
}

/// The shared strings `xml` with raised and lowered runs as characters of their own: the reader joins them to their base.
fn with_scripts(xml: &[u8]) -> Result<Vec<u8>, Failure> {
    let (mut new, mut string) = (b"<sst>".to_vec(), String::new());
    let (mut script, mut run, mut is_reading) = (None, None::<(String, bool)>, false);
    parse(xml, |part| {
        match part {
            Part::Start("si", _) => (script, string) = (None, String::new()),
            Part::Start("r", _) => script = None,
            Part::Start("vertAlign", attributes) => {
                script = raised_by("vertAlign", &attributes.get("val").unwrap_or_default());
            }
            Part::Start("rPh", _) => is_reading = true,
            Part::End("rPh") => is_reading = false,
            Part::Start("t", attributes) if !is_reading => {
                run = Some((String::new(), attributes.get("space").as_deref() == Some("preserve")));
            }
            Part::Text(text) => run.iter_mut().for_each(|(run, _)| run.push_str(text)),
            Part::End("t") => {
                let Some((run, is_kept)) = run.take() else { return Ok(()) };
                let run = if is_kept { run.as_str() } else { run.trim_matches([' ', '\t', '\r', '\n']) };
                match script {
                    Some(script) => script.push(&mut string, run),
                    None => string.push_str(run),
                }
            }
            Part::End("si") => {
                let text = quick_xml::escape::escape(&string);
                write!(new, "<si><t xml:space=\"preserve\">{text}</t></si>")?;
            }
            _ => {}
        }
        Ok(())
    })?;
    new.extend(b"</sst>");
    Ok(new)
}

/// `bytes` with the names that `rename` returns, with plain slashes between their parts, and with `contents` in place of
/// the members of these names. Without a change, they are not copied.
fn rewrite<'a>(
    bytes: &'a [u8],
    rename: impl Fn(&str) -> String,
    contents: &[(String, Vec<u8>)],
) -> Result<Cow<'a, [u8]>, Failure> {
    let mut from = ZipArchive::new(Cursor::new(bytes))?;
    let new = |name: &str| rename(name.replace('\\', "/").trim_start_matches('/'));
    let is_same = from.file_names().filter_map(Result::ok).all(|name| new(&name) == name);
    if is_same && contents.is_empty() {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut to = ZipWriter::new(Cursor::new(Vec::with_capacity(bytes.len())));
    for (name, content) in contents {
        to.start_file(name.as_str(), SimpleFileOptions::default())?;
        to.write_all(content)?;
    }
    for index in 0..from.len() {
        let member = from.by_index_raw(index)?;
        let name = new(&member.name()?);
        if contents.iter().any(|(of, _)| of.eq_ignore_ascii_case(&name)) {
            continue;
        }
        // Two members may have names that become one: the first counts.
        match to.raw_copy_file_rename(member, name) {
            Ok(()) | Err(zip::result::ZipError::InvalidArchive(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Cow::Owned(to.finish()?.into_inner()))
}
