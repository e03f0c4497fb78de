//! The answers of `stat` and `where`: what a file is, and where a line or a byte is in it; the members of `stat --list`, and
//! lines of names.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::content::{InvalidInfo, PageOfDocument};
use super::envelope::{Envelope, Markup};
use super::file::{EndInfo, FileDetails, FileInfo, LeftOut, NameInfo};
use super::json::{Members, Receipt, arrange};
use crate::wording::worded;
use rread_source::member_metadata::{EntryKind, Listed};
use rread_text::{Error, Result, printable};

/// What a file is: the answer of `stat`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "stat"))]
pub struct StatInfo {
    #[serde(flatten)]
    pub name: NameInfo,
    /// Whether the file is text, by its first 8 KiB.
    pub kind: &'static str,
    /// The media type, by the first 8 KiB.
    pub mime: &'static str,
    /// Whether other commands refuse the file without --text or --encode.
    pub binary: bool,
    /// How lines end: in the whole file with --count, otherwise in the first 8 KiB; left out of a binary file without
    /// --count. cr: there are carriage returns and no line feeds, so the text is one line.
    pub newline: Option<&'static str>,
    /// Whether the last character is a line feed; left out while the size of a stream is unknown.
    pub final_newline: Option<bool>,
    /// The number of lines; left out if only --count can find it.
    pub lines: Option<u64>,
    /// The number of lines if all are as long as those of the first 8 KiB; left out if the number is known.
    pub estimated_lines: Option<u64>,
    /// The bytes of the window of --since and --until, "START-END", with END after the last byte.
    pub range: Option<String>,
    /// The longest line; with --count.
    pub longest_line: Option<LongestLine>,
    /// The line ends of the whole file; with --count.
    pub newlines: Option<Newlines>,
    /// Sequences that are not valid in the encoding of the file; with --count.
    pub invalid_utf8: Option<InvalidInfo>,
    /// NUL characters; with --count, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nuls: Option<InvalidInfo>,
    /// Other control characters that are unusual in text: not those from backspace to carriage return, and not escape; with
    /// --count, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_characters: Option<InvalidInfo>,
    /// How many kinds of lines there are: lines with the same pattern; with --patterns. With other_lines, there are more.
    pub kinds: Option<u64>,
    /// The most frequent kinds, then the rarest; with --patterns. Other formats have a line for each in the content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternInfo>,
    /// Lines of kinds that came after 131,072 others, which are counted together; left out if there are none.
    pub other_lines: Option<u64>,
    /// The length of the list of patterns in bytes; JSON has no such list.
    pub content_bytes: Option<u64>,
    /// The pages of a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// The tables or sheets of the file as select sees them, a line for each: the columns, their types and an example. Other
    /// columns follow after 60.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// The command that shows the content of a binary file.
    pub hint: Option<String>,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    pub total: Option<u64>,
    /// When the file was modified, in UTC (RFC 3339). Of a member of an archive, as the archive records it; without Z, in
    /// the unknown zone of a ZIP archive.
    pub modified: Option<String>,
    /// The permissions, in octal.
    pub mode: Option<String>,
    #[serde(flatten)]
    pub object: ObjectInfo,
    #[serde(flatten)]
    pub details: FileDetails,
}

/// Lines that are alike but for what varies in them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "pattern"))]
pub struct PatternInfo {
    /// How many there are.
    pub count: u64,
    /// The number of the first.
    pub first_line: u64,
    /// The offset of the first.
    pub first_byte: u64,
    /// The time of the record of the first.
    pub first_time: Option<String>,
    /// The time of the record of the last.
    pub last_time: Option<String>,
    /// The line, with what varies masked.
    pub pattern: String,
    /// With --rarest: the first line.
    pub line: Option<String>,
}

/// The longest line: its number, and its bytes without the line end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "longest_line"))]
pub struct LongestLine {
    /// Its number, from 1.
    pub line: u64,
    /// Its bytes, without the line end.
    pub bytes: u64,
}

/// How many lines end with `\n` alone, and how many with `\r\n`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "newlines"))]
pub struct Newlines {
    /// Lines that end with `\n` alone.
    pub lf: u64,
    /// Lines that end with `\r\n`.
    pub crlf: u64,
}

/// What a server reports about an object.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ObjectInfo {
    /// The media type, as the server names it.
    pub content_type: Option<String>,
    /// The encoding of the content, as the server names it.
    pub content_encoding: Option<String>,
    /// The storage class.
    pub storage_class: Option<String>,
    /// The version of the object in a store that keeps versions.
    pub version_id: Option<String>,
    /// The entity tag, as the server sends it.
    pub etag: Option<String>,
    /// The metadata that the owner of the object gave it.
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, String>>"))]
    pub metadata: Option<Members>,
}

/// The order for people.
pub(super) const STAT: &str = "NAME kind mime binary ENCODING newline final_newline lines estimated_lines longest_line newlines \
    invalid_utf8 nuls control_characters kinds other_lines content_bytes hint pages tables range total DECODING damaged time \
    modified mode content_type content_encoding storage_class version_id etag metadata version index bytes_scanned TRAFFIC \
    notices guess_contradicted change";

pub(super) const STAT_BRIEF: &str =
    "lines estimated_lines range longest_line newlines kinds patterns other_lines pages tables hint total";

/// One of several files that cannot be examined, and why.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "stat_error"))]
pub struct StatError {
    #[serde(flatten)]
    pub name: NameInfo,
    /// What is wrong, in one sentence without the name of the file.
    pub error: String,
    /// The kind of failure.
    pub error_kind: &'static str,
}

impl StatError {
    pub fn of(path: &Path, error: &Error) -> Self {
        let error_kind = error.kind.name();
        StatError { name: NameInfo::of(path), error: worded(&error.message), error_kind }
    }
}

/// Where a byte is: the answer of `where --byte`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "where_byte"))]
pub struct ByteInfo {
    #[serde(flatten)]
    pub name: NameInfo,
    /// The requested offset, from the start of the file.
    pub byte: u64,
    /// The number of the line that holds the byte; the line feed belongs to its line.
    pub line: u64,
    /// The position of the byte in its line, in bytes, from 1.
    pub column: u64,
    /// The offset of the first byte of the line.
    pub line_start: u64,
    #[serde(flatten)]
    pub page: PageOfDocument,
    #[serde(flatten)]
    pub end: EndInfo,
    #[serde(flatten)]
    pub details: FileDetails,
}

/// Where a line is: the answer of `where --line`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "where_line"))]
pub struct LineInfo {
    #[serde(flatten)]
    pub name: NameInfo,
    /// The number of the line, from the start of the file; left out if it is unknown.
    pub line: Option<u64>,
    /// The offset of the first byte of the line.
    pub byte: u64,
    /// The offset of the first byte of the line and the offset after its last, its line feed included.
    pub range: String,
    #[serde(flatten)]
    pub page: PageOfDocument,
    #[serde(flatten)]
    pub end: EndInfo,
    #[serde(flatten)]
    pub details: FileDetails,
}

/// The order for people.
pub(super) const BYTE: &str = "NAME byte line column line_start page SHEET on_pages total total_lines DECODING damaged version \
    index bytes_scanned TRAFFIC notices guess_contradicted change";

/// The order for people.
pub(super) const LINE: &str = "NAME line byte range page SHEET on_pages total total_lines DECODING damaged time version index \
    bytes_scanned TRAFFIC notices guess_contradicted change";

/// The facts in the header of a picture, and the kind of content.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ImageInfo {
    /// The format, by content.
    pub format: &'static str,
    /// The media type of the format.
    pub mime: &'static str,
    /// Pixels from left to right as they are stored; of an SVG in CSS pixels, left out if it has no size.
    pub width: Option<u64>,
    /// Pixels from top to bottom as they are stored; of an SVG in CSS pixels, left out if it has no size.
    pub height: Option<u64>,
    /// The type of the pixels, as Pillow names it; left out if Pillow has no name for it, and of an SVG.
    pub mode: Option<&'static str>,
    /// How to rotate the stored picture, as an Exif number from 2 to 8; left out if it needs no rotation. From 5 on,
    /// exchange width and height.
    pub orientation: Option<u64>,
    /// How many pictures an animated GIF, PNG or WebP has, or pages a TIFF, if that is cheap to find.
    pub frames: Option<u64>,
    /// The page of a TIFF, if it is not the first.
    pub page: Option<u64>,
    /// The length of the content in bytes; left out without content.
    pub content_bytes: Option<u64>,
    /// Whether the content is the exact bytes of the file; left out of a picture that ends early.
    pub exact: Option<bool>,
    /// The media type of the thumbnail.
    pub thumbnail_mime: Option<&'static str>,
    /// The thumbnail that the content is.
    pub thumbnail: Option<ThumbnailInfo>,
}

/// The size of a thumbnail in pixels, and of its file in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "thumbnail"))]
pub struct ThumbnailInfo {
    /// Pixels from left to right.
    pub width: u64,
    /// Pixels from top to bottom.
    pub height: u64,
    /// Bytes of its file.
    pub bytes: u64,
}

/// The receipt of a picture.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "image"))]
pub struct ImageMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_size: Option<u64>,
    #[serde(flatten)]
    image: &'a ImageInfo,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// The order for people.
pub(super) const IMAGE: &str = "NAME format mime width height mode orientation frames page file_size DECODING content_bytes exact \
    thumbnail_mime thumbnail version notices guess_contradicted change";

impl ImageInfo {
    pub fn members<'a>(&'a self, file: &'a FileInfo) -> ImageMembers<'a> {
        ImageMembers { name: &file.name, file_size: file.size, image: self, details: &file.details }
    }
}

impl Envelope for ImageInfo {
    fn element(&self, _: &FileInfo) -> &'static str {
        "image_content"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, _: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn people(&self, file: &FileInfo, _: Markup, _: bool) -> Result<Members> {
        arrange(IMAGE, &self.members(file), &Value::Object(Members::new()))
    }
}

/// A member of an archive.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "member"))]
pub struct MemberInfo {
    /// The name in the archive. What is not valid UTF-8 in it is U+FFFD, and name_base64 has the exact bytes.
    pub name: String,
    /// The exact bytes of a name that is not valid UTF-8, in base64.
    pub name_base64: Option<String>,
    /// What the member is; rread reads files and hard links.
    pub kind: &'static str,
    /// Bytes of the content.
    pub size: u64,
    /// When the member was modified, in UTC (RFC 3339); without Z, in the unknown zone of a ZIP archive.
    pub modified: Option<String>,
    /// The permissions, in octal.
    pub mode: Option<String>,
    /// The target of a link, if its header has it.
    pub target: Option<String>,
    /// Whether the content is encrypted; left out if it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub encrypted: bool,
}

/// The archive of the members, after them.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "members"))]
pub struct MembersInfo {
    #[serde(flatten)]
    pub name: NameInfo,
    /// The kind of archive.
    pub archive: &'static str,
    /// The number of members in the answer; in a long list, of those that follow.
    pub listed: u64,
    /// Whether a budget left out members.
    pub truncated: bool,
    /// The --offset of the next member; left out unless members were left out.
    pub next_offset: Option<u64>,
    /// The budget.
    pub cut_by: Option<&'static str>,
    /// How to go on, for people: the whole command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The command that reads the first file of the list.
    pub hint: Option<String>,
    /// The length of the list in bytes, in frontmatter.
    pub content_bytes: Option<u64>,
}

/// A list of lines: names of files, or types of files.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "listed"))]
pub struct ListInfo {
    /// The number of lines in the content.
    pub listed: u64,
    /// The number of all lines.
    pub total: u64,
    /// The length of the content in bytes.
    pub content_bytes: u64,
    /// Whether a budget left out lines.
    pub truncated: bool,
}

/// What a search found in several files, one line for each in the content: its name, or its name and its count.
#[derive(Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct FilesFound {
    /// The number of files that have a line, also of those that a budget left out.
    pub files: u64,
    /// The number of matches in all of them.
    pub matches: u64,
    /// The number of lines that have them.
    pub matched_lines: u64,
    /// The files that the search did not read, by the reason.
    pub left_out: Option<LeftOut>,
    /// The formats of documents among the files, of which the text was searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decoded: Vec<&'static str>,
    /// The length of the content in bytes.
    pub content_bytes: u64,
    /// Whether a budget left out lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The budget.
    pub cut_by: Option<&'static str>,
}

/// The length of a time in seconds, in UTC.
const TIME: usize = 20;

/// The kind of members with content.
const FILE: &str = "file";

/// The line without its end. Only files have a size.
pub fn member_line(member: &Listed) -> String {
    let is_file = member.kind.name() == FILE;
    let size = if is_file { member.size.to_string() } else { "-".to_owned() };
    let time = member.recorded.modified.text().map_or_else(|| "-".to_owned(), |time| in_seconds(&time));
    let text = |name: &[u8]| printable(&String::from_utf8_lossy(name));
    let mut line = format!("{size:>10} {time:TIME$} {}", text(&member.name));
    line += &match &member.kind {
        EntryKind::Directory if !member.name.ends_with(b"/") => "/".to_owned(),
        EntryKind::Directory | EntryKind::SymbolicLink(None) => String::new(),
        EntryKind::SymbolicLink(Some(target)) => format!(" -> {}", text(target)),
        EntryKind::HardLink(target) => format!(" link to {}", text(target)),
        kind if kind.name() == FILE => String::new(),
        kind => format!(" ({})", kind.name()),
    };
    if member.is_encrypted {
        line += " (encrypted)";
    }
    line
}

/// A time without its fraction of a second.
fn in_seconds(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) if fraction.ends_with('Z') => format!("{seconds}Z"),
        Some((seconds, _)) => seconds.to_owned(),
        None => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_source::member_metadata::{Modified, Recorded};

    #[test]
    fn a_line_has_the_size_the_time_and_the_name() {
        let target = || b"a".to_vec();
        let second = Modified::Utc(0, 5);
        let dos = Modified::Dos { date: 33, time: 1 << 11 };
        for (name, kind, modified, is_encrypted, line) in [
            ("a b", EntryKind::File, second, false, "        12 1970-01-01T00:00:00Z a b"),
            ("a", EntryKind::File, dos, true, "        12 1980-01-01T01:00:00  a (encrypted)"),
            ("a", EntryKind::File, Modified::Unknown, false, "        12 -                    a"),
            ("d", EntryKind::Directory, second, false, "         - 1970-01-01T00:00:00Z d/"),
            ("d/", EntryKind::Directory, second, false, "         - 1970-01-01T00:00:00Z d/"),
            (
                "l",
                EntryKind::SymbolicLink(Some(target())),
                second,
                false,
                "         - 1970-01-01T00:00:00Z l -> a",
            ),
            ("l", EntryKind::SymbolicLink(None), second, false, "         - 1970-01-01T00:00:00Z l"),
            (
                "h",
                EntryKind::HardLink(target()),
                second,
                false,
                "         - 1970-01-01T00:00:00Z h link to a",
            ),
            ("p\n", EntryKind::Fifo, second, false, "         - 1970-01-01T00:00:00Z p\\n (fifo)"),
        ] {
            let recorded = Recorded { modified, mode: None };
            let name = name.as_bytes().to_vec();
            let member = Listed { name, other_name: None, kind, size: 12, recorded, is_encrypted };
            assert_eq!(member_line(&member), line);
        }
    }
}
