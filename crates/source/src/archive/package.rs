//! Office files and books, which are ZIP archives: the members of their directories say what they are.

use std::path::Path;

use super::entry::{Entry, Reading};
use super::walk::kind_of_head;
use super::zip::{ZipWalk, content};
use crate::member_address::ArchiveKind;
use crate::{Source, read_full};
use rread_text::sniff::{self, Content, SAMPLE};

/// How far a stream is read to find its directory.
const MAX_STREAM: u64 = 64 << 20;

/// The most members to look at. No office file or book has so many, and other archives have millions.
const MAX_MEMBERS: usize = 10_000;

/// The start and the end of the main part's name, as nearly all programs write it, perhaps with a number between them.
const MAIN_PARTS: [(&str, &str, &str); 4] = [
    ("word/document", ".xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xl/workbook", ".xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xl/workbook", ".bin", "application/vnd.ms-excel.sheet.binary.macroenabled.12"),
    ("ppt/presentation", ".xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
];

/// The types of main parts with other names, without what follows them, such as `document.main+xml` or `.macroEnabled.main+xml`.
const MAIN_TYPES: [(&str, &str); 4] = [
    ("wordprocessingml.", MAIN_PARTS[0].2),
    ("spreadsheetml.", MAIN_PARTS[1].2),
    ("ms-excel.sheet.binary", MAIN_PARTS[2].2),
    ("presentationml.presentation", MAIN_PARTS[3].2),
];

/// Types in the member `mimetype`, or in a manifest, with what may follow: `-template`, `-master`.
const DECLARED: [&str; 5] = [
    "application/epub+zip",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.graphics",
];

/// The media type of `source`, which begins with `head` and is `content`: that of the office file or book in a ZIP archive,
/// in whatever order its members are.
pub fn mime(source: &dyn Source, head: &[u8], content: Content) -> &'static str {
    let is_zip =
        content == Content::Binary && (head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x07\x08PK"));
    if !is_zip {
        return sniff::mime(head, content);
    }
    match (package_type(source), sniff::mime(head, content)) {
        (Some(Some(mime)), _) => mime,
        // A plain archive may have a folder with the name that office files have for theirs.
        (Some(None), mime) if mime.starts_with("application/vnd.openxmlformats") => "application/zip",
        (_, mime) => mime,
    }
}

/// Media types of files whose members are what a reader wants: an office document is a ZIP archive too.
const ARCHIVES: [&str; 3] = ["application/x-tar", "application/zip", "application/java-archive"];

/// The kind of the archive that `source` is by its first bytes.
pub(crate) fn kind_of_archive(source: &dyn Source) -> Option<ArchiveKind> {
    let mut head = [0; SAMPLE];
    // The first 512 bytes decide for most files.
    let got = read_full(source, &mut head[..512], 0).ok()?;
    let kind = kind_of_head(&head[..got])?;
    let got = read_full(source, &mut head, 0).ok()?;
    let is_archive = ARCHIVES.contains(&mime(source, &head[..got], Content::Binary));
    is_archive.then_some(kind)
}

/// The media type of the office file or book that `source` is, perhaps with other bytes before it.
pub fn package_mime(source: &dyn Source) -> Option<&'static str> {
    package_type(source).flatten()
}

/// The members that say what a package is.
#[derive(Default)]
struct Signs {
    main: Option<&'static str>,
    is_office: bool,
    is_book: bool,
    mimetype: Option<Entry>,
    content_types: Option<Entry>,
    manifest: Option<Entry>,
}

/// The type of a package, none of an archive of anything else; `None` without a directory, or for a stream that is too long to
/// look for it.
fn package_type(source: &dyn Source) -> Option<Option<&'static str>> {
    let is_long = || !matches!(read_full(source, &mut [0], MAX_STREAM), Ok(0));
    if source.size().is_none() && is_long() {
        return None;
    }
    let mut walk = ZipWalk::new(source, Path::new(""), Reading::default()).ok()?;
    let mut signs = Signs::default();
    for _ in 0..MAX_MEMBERS {
        let Ok(Some(entry)) = walk.next() else { break };
        signs.note(entry);
        if signs.is_office && signs.main.is_some() {
            break;
        }
    }
    Some(signs.mime(source))
}

impl Signs {
    fn note(&mut self, entry: Entry) {
        // Some programs write names with other letters, or with a slash at the start.
        let name = String::from_utf8_lossy(&entry.listed.name).to_ascii_lowercase().replace('\\', "/");
        match name.trim_start_matches('/') {
            "mimetype" => self.mimetype = Some(entry),
            "meta-inf/container.xml" => self.is_book = true,
            "meta-inf/manifest.xml" => self.manifest = Some(entry),
            "_rels/.rels" => self.is_office = true,
            "[content_types].xml" => (self.is_office, self.content_types) = (true, Some(entry)),
            name => {
                let is_number = |between: &str| between.bytes().all(|byte| byte.is_ascii_digit());
                let is_main = |(start, ending, _): &&(&str, &str, &str)| {
                    let between = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(ending));
                    between.is_some_and(is_number)
                };
                self.main = self.main.or_else(|| Some(MAIN_PARTS.iter().find(is_main)?.2));
            }
        }
    }

    fn mime(&self, source: &dyn Source) -> Option<&'static str> {
        let text = |entry: &Option<Entry>| content(source, entry.as_ref()?);
        if let Some(declared) = text(&self.mimetype).and_then(|text| find_declared(text.trim_ascii())) {
            return Some(declared);
        }
        if self.is_office && self.main.is_some() {
            return self.main;
        }
        if let Some(types) = text(&self.content_types)
            && let Some(mime) = main_type(&types)
        {
            return Some(mime);
        }
        // Other formats have a container, too, and name themselves.
        if self.is_book && self.mimetype.is_none() {
            return Some(DECLARED[0]);
        }
        let manifest = text(&self.manifest)?;
        let start = memchr::memmem::find(&manifest, b"application/vnd.oasis.opendocument.")?;
        find_declared(&manifest[start..])
    }
}

fn find_declared(text: &[u8]) -> Option<&'static str> {
    DECLARED.into_iter().find(|mime| text.starts_with(mime.as_bytes()))
}

/// The type of the main part that `[Content_Types].xml` declares.
fn main_type(types: &[u8]) -> Option<&'static str> {
    let before = |end: usize| {
        types[..end].iter().rposition(|byte| matches!(byte, b'"' | b'\'')).map(|quote| &types[quote..end])
    };
    memchr::memmem::find_iter(types, b".main").find_map(|end| {
        let declared = before(end)?;
        MAIN_TYPES
            .iter()
            .find(|(name, _)| memchr::memmem::find(declared, name.as_bytes()).is_some())
            .map(|(_, mime)| *mime)
    })
}
