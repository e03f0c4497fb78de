//! The file of an answer, which every envelope has, and the receipt of an answer in segments.

use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde::Serialize;

use super::content::SearchInfo;
use super::json::{Members, Receipt};
use rread_reader::Handle;
use rread_reader::index::Outcome;
use rread_source::{Change, TrailingGarbage};
use rread_text::{Error, Kind, Result, address, printable};

/// The notice of a capture whose shown text is not what is stored.
pub(super) const ESCAPES_REMOVED: &str = "escapes_removed";

/// The file that an answer is about. In JSON, its name comes first and its details last.
#[derive(Clone, Debug, Default)]
pub struct FileInfo {
    pub name: NameInfo,
    /// As it was named, byte by byte.
    pub path: PathBuf,
    /// Each envelope has it under its own name.
    pub size: Option<u64>,
    pub total_lines: Option<u64>,
    /// Of a capture.
    pub handle: Option<String>,
    /// What a search found in it.
    pub search: Option<SearchInfo>,
    pub details: FileDetails,
}

/// The name of a file, as answers show it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NameInfo {
    /// The file as it was named; - is standard input. What is not valid UTF-8 in it is U+FFFD, and path_base64 has the
    /// exact bytes.
    pub path: String,
    /// The exact bytes of a path that is not valid UTF-8 (RFC 4648, section 4); otherwise left out.
    pub path_base64: Option<String>,
}

/// The state of a file, what it cost to read, and how it is encoded and compressed.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct FileDetails {
    /// The state of the file when it was opened, for --expect: 16 characters (more from 4 TiB on), or the entity tag of an object
    /// without its quotes; null if the source has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Option<String>>,
    /// The times of the log: with --since and --until; stat, and select on a log, have them without.
    pub time: Option<TimeInfo>,
    /// The part of the line index in the answer: rread used it (hit), made it (built), made it cover more (extended), or there is
    /// none.
    pub index: Option<&'static str>,
    /// Bytes that rread read to find the range, in addition to those that it returned.
    pub bytes_scanned: Option<u64>,
    #[serde(flatten)]
    pub traffic: TrafficInfo,
    #[serde(flatten)]
    pub encoding: EncodingInfo,
    #[serde(flatten)]
    pub decoding: DecodingInfo,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "SignMembers"))]
    pub signs: Signs,
}

/// The cost of reading from a server.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct TrafficInfo {
    /// Requests to a server, repeated ones included. Left out of a receipt that comes before content that is too long to
    /// be held.
    pub requests: Option<u64>,
    /// Bytes of content that came from a server, before decompression.
    pub bytes_fetched: Option<u64>,
}

/// The decoding of a document or of a compressed file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct DecodingInfo {
    /// The format of a document whose text this is, such as pdf. Sizes, offsets and lines are those of the text.
    pub decoded: Option<&'static str>,
    /// Pages of the document that are pictures without text, as a scanner makes them, once rread has decoded it to its end.
    pub picture_pages: Option<u64>,
    /// The text is what a terminal shows in the end, as --plain says. Places are those of the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
    /// How the file is compressed. Sizes, offsets and lines are those of the text inside.
    pub compression: Option<&'static str>,
    /// The size of the compressed file in bytes, if known.
    pub compressed_size: Option<u64>,
    /// The size of the text in bytes, once rread has decoded it to its end.
    pub uncompressed_size: Option<u64>,
}

/// The encoding of a file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct EncodingInfo {
    /// The encoding of the file, if it is not UTF-8. unknown-8bit is text that is not in UTF-8, UTF-16 or UTF-32, nor
    /// evidently in another encoding, or has escape sequences of ISO-2022 or HZ; rread reads it as UTF-8.
    pub encoding: Option<String>,
    /// How rread found the encoding: by the byte order mark (bom), from the first 8 KiB (content), as the one that is
    /// evident (guess), by the charset of its Content-Type (server), or by
    /// its name on the command line (option).
    pub encoding_source: Option<&'static str>,
    /// The most likely encoding of text that is unknown-8bit, from its first 8 KiB.
    pub encoding_guess: Option<String>,
    /// The option that reads the text in the guessed encoding, such as -E windows-1250; a whole command if another program
    /// has to convert it.
    pub encoding_hint: Option<String>,
    /// How --encode wrote the content: base64 (RFC 4648, section 4, with padding) or hex (two lower-case digits a byte),
    /// or hexdump (rows of 16 bytes with their offsets, as hexdump -v -C).
    pub encode: Option<&'static str>,
    /// Whether the file starts with a byte order mark.
    pub bom: Option<bool>,
}

/// Where the readable text of a damaged compressed file ends, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "damaged"))]
pub struct Damaged {
    /// Bytes of text before the damage.
    pub offset: u64,
    /// The reason, in a sentence.
    pub reason: String,
}

/// The first place that a guess does not explain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "guess_contradicted"))]
pub struct Contradicted {
    /// The guess, with its value, such as encoding windows-1252.
    pub guess: String,
    /// The line of the place, if known.
    pub first_line: Option<u64>,
    /// The offset of the place in the file, if known.
    pub first_byte: Option<u64>,
    /// The command that reads the file otherwise.
    pub hint: Option<String>,
}

/// The checksums of a slice; the worst state comes last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    /// Or the format has none.
    #[default]
    Right,
    Unread,
    /// One is wrong, or damage ended the slice.
    Damaged,
}

/// Signs that an answer may be less than it seems.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(into = "SignMembers")]
pub struct Signs {
    pub change: Option<Change>,
    /// Why rread would not detect a change.
    pub unverified: Option<&'static str>,
    pub trailing_garbage: Option<TrailingGarbage>,
    /// The command that reads it, if it is compressed data.
    pub trailing_hint: Option<String>,
    /// The user gave --salvage: damage counts as the end of the file.
    pub is_salvaged: bool,
    pub checked: Checked,
    pub damage: Option<Damaged>,
    /// The answer reports damage wherever it is.
    pub shows_damage: bool,
    /// Of a picture.
    pub is_incomplete: bool,
    /// Records of a log contradict the order of their times.
    pub is_unordered: bool,
    /// An end of the window is a time that a clock showed twice, or never.
    pub is_ambiguous: bool,
    /// This is the text of a capture without its escape sequences.
    pub is_stripped: bool,
    /// The archive has several members of the name.
    pub has_duplicates: bool,
    /// Pages of a document are pictures without text.
    pub has_pictures: bool,
    /// Parts of a document have no text.
    pub has_left_out: bool,
    /// A document does not say which characters some glyphs are.
    pub has_unknown_glyphs: bool,
    /// The first record of a table is taken for names, but may be a row.
    pub is_header_assumed: bool,
    /// The first bytes are lines of UTF-8, but the user named an encoding of wider units.
    pub is_encoding_doubtful: bool,
    /// Some of several files are read in an encoding that nobody named.
    pub is_encoding_guessed: bool,
    /// The encoding that nobody named. Receipts have it beside its source.
    pub guessed_encoding: Option<String>,
    /// The first place that does not fit a guess.
    pub contradicted: Option<Contradicted>,
}

/// The members of an envelope that [`Signs`] become.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignMembers {
    /// The compressed file is damaged: where the readable text ends, and why. With --salvage that is the end of the file;
    /// otherwise a slice that reaches the damage, or does not agree with its checksum, comes with exit code 3.
    pub(super) damaged: Option<Damaged>,
    /// changed: the file changed while rread read it. trailing_garbage: rread ignored extra bytes after the compressed
    /// data. unverified: nothing that the server sends would let rread detect a change during the read. checksum_unread:
    /// rread did not read the checksum of compressed text. damaged: the file is damaged elsewhere, or --salvage reads it up
    /// to the damage. incomplete: the picture ends early. unordered: times of the log are out of order by more than --slack,
    /// or there is more than a year of them without years, so records may be missing; --scan looks at every record.
    /// ambiguous_time: a clock showed an end of the window twice, or never, so all records are in it that can be meant.
    /// escapes_removed: escape sequences, overwritten progress or overstrikes of a capture are left out; --ansi keep shows
    /// them.
    /// duplicate_name: the archive has several members of this name, and rread reads the last.
    /// pictures: rread met pages of a document that are pictures without text; other programs, such as ocrmypdf, read text
    /// in pictures. left_out: rread left out parts of a document that are damaged or have a form that it does not know, or
    /// the log of a database that is not a file of its own, which may have its last changes.
    /// unknown_glyphs: a document has no readable map from some glyphs to characters, so they are U+FFFD.
    /// header_assumed: select took the first record of a table for the names of its columns, but it may be a row.
    /// encoding_doubtful: the first bytes are lines of UTF-8, but --encoding names an encoding with units of two or four
    /// bytes, and rread reads them in it. encoding_guessed: select reads some of several files in an encoding that is
    /// evident from their first 8 KiB.
    /// guess_contradicted: the text does not fit what rread guessed of it; guess_contradicted has the place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<&'static str>,
    /// The first place where the text does not fit what rread guessed of it, and the command that reads it otherwise.
    pub guess_contradicted: Option<Contradicted>,
    /// The compressed format of the extra bytes after the compressed data, which rread ignored.
    pub(super) trailing_garbage: Option<&'static str>,
    /// The command that reads the extra bytes.
    pub(super) trailing_hint: Option<String>,
    /// How the file changed while rread read it.
    pub(super) change: Option<&'static str>,
}

impl From<Signs> for SignMembers {
    fn from(signs: Signs) -> Self {
        let is_damaged = signs.damage.is_some();
        let is_met = signs.checked == Checked::Damaged;
        let notices = [
            (signs.change.is_some(), "changed"),
            (signs.trailing_garbage.is_some(), "trailing_garbage"),
            (signs.unverified.is_some(), "unverified"),
            (signs.checked == Checked::Unread && !(is_damaged && signs.is_salvaged), "checksum_unread"),
            // The error about damage in the way of the slice says more.
            (is_damaged && (signs.is_salvaged || !is_met), "damaged"),
            (signs.is_incomplete, "incomplete"),
            (signs.is_unordered, "unordered"),
            (signs.is_ambiguous, "ambiguous_time"),
            (signs.is_stripped, ESCAPES_REMOVED),
            (signs.has_duplicates, "duplicate_name"),
            (signs.has_pictures, "pictures"),
            (signs.has_left_out, "left_out"),
            (signs.has_unknown_glyphs, "unknown_glyphs"),
            (signs.is_header_assumed, "header_assumed"),
            (signs.is_encoding_doubtful, "encoding_doubtful"),
            (signs.is_encoding_guessed, "encoding_guessed"),
            (signs.contradicted.is_some(), "guess_contradicted"),
        ];
        SignMembers {
            notices: notices.into_iter().filter_map(|(holds, notice)| holds.then_some(notice)).collect(),
            guess_contradicted: signs.contradicted,
            trailing_garbage: signs.trailing_garbage.and_then(|garbage| garbage.compression),
            trailing_hint: signs.trailing_hint,
            change: signs.change.map(Change::name),
            damaged: signs.damage.filter(|_| signs.is_salvaged || is_met || signs.shows_damage),
        }
    }
}

impl FileDetails {
    /// Whether nothing has to be said of the file but what was found in it.
    pub fn is_ordinary(&self) -> bool {
        let signs = SignMembers::from(self.signs.clone());
        let is_sound = signs.notices.is_empty() && signs.damaged.is_none() && signs.change.is_none();
        is_sound && self.encoding.encoding_hint.is_none()
    }

    /// Without what tools for agents do not show.
    pub fn for_tools(mut self) -> Self {
        (self.index, self.bytes_scanned, self.signs.trailing_hint) = (None, None, None);
        self
    }

    pub fn with(&self, checked: Checked) -> Self {
        let mut details = self.clone();
        details.signs.checked = checked;
        details
    }
}

impl NameInfo {
    /// Whether a file can be opened by the path as it is shown on one line.
    pub fn is_plain(&self) -> bool {
        self.path_base64.is_none() && printable(&self.path) == self.path
    }

    pub fn of(path: &Path) -> Self {
        let bytes = || BASE64.encode(path.as_os_str().as_encoded_bytes());
        NameInfo {
            path: address::display(path).into_owned(),
            path_base64: path.to_str().is_none().then(bytes),
        }
    }
}

impl FileInfo {
    pub fn named(path: &Path) -> Self {
        FileInfo {
            name: NameInfo::of(path),
            path: path.to_owned(),
            handle: Handle::from_path(path).map(|handle| handle.to_string()),
            ..FileInfo::default()
        }
    }

    /// The attributes of a list of parts of the file.
    pub fn list_members(&self) -> Result<Members> {
        let mut members = self.name.members()?;
        members.extend(EndInfo::from(self).members()?);
        Ok(members)
    }

    /// One of several files that could not be opened.
    pub fn unopened(path: &Path) -> Self {
        let details = FileDetails {
            version: Some(None),
            index: Some(Outcome::None.name()),
            bytes_scanned: Some(0),
            ..FileDetails::default()
        };
        FileInfo { details, ..FileInfo::named(path) }
    }
}

/// The receipt of an answer in segments: the file that they come from.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "file"))]
pub struct WholeFile<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
    file_size: Option<u64>,
    /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
    total_lines: Option<u64>,
    /// What a search found.
    #[serde(flatten)]
    search: Option<&'a SearchInfo>,
    /// Whether a budget cut any of the segments.
    truncated: Option<bool>,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// The receipt of an answer about several files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "files"))]
pub struct WholeFiles<'a> {
    /// Every file, in the order of the answer.
    pub files: Vec<WholeFile<'a>>,
    /// The matches in all files, of a search that shows no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<u64>,
    /// The lines that match in all files, of a search that shows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_lines: Option<u64>,
    /// The files that a search did not read, by the reason.
    pub left_out: Option<&'a LeftOut>,
    /// Whether a budget cut any of the segments.
    pub truncated: bool,
}

impl<'a> WholeFile<'a> {
    pub fn of(file: &'a FileInfo, truncated: Option<bool>) -> Self {
        let FileInfo { name, size, total_lines, search, details, .. } = file;
        let search = search.as_ref();
        WholeFile { name, file_size: *size, total_lines: *total_lines, search, truncated, details }
    }
}

/// The times of a log, in the zone of times without one; seconds since boot if the log has these.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "time"))]
pub struct TimeInfo {
    /// The time of the first record.
    pub first: String,
    /// The time of the last record; left out by stat if the last 16 KiB have none, or if reading them would cost more
    /// than that, and by select without a window if the end of the text is not at hand.
    pub last: Option<String>,
    /// The start of the window, as --since was understood.
    pub since: Option<String>,
    /// The end of the window, as --until was understood; no record at this time is in it.
    pub until: Option<String>,
    /// The command that reads the end of the log, if the window begins after the last record; of select, the options that
    /// read only the window of a condition on _time.
    pub hint: Option<String>,
    /// The names of the formats, with commas between, or that of --time-format.
    pub format: String,
    /// guess: rread found the formats in the text. given: --time-format names it.
    pub source: &'static str,
    /// The zone of times without one.
    pub zone: String,
    /// The word in the place of a zone that all records have, if rread does not know it: their times are in the zone above.
    pub zone_unread: Option<String>,
}

/// The size of the file, as far as it is known.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct EndInfo {
    /// The size of the file in bytes; left out while the size of a stream is unknown.
    total: Option<u64>,
    /// The number of lines of the file; left out if no line index has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
}

impl From<&FileInfo> for EndInfo {
    fn from(file: &FileInfo) -> Self {
        EndInfo { total: file.size, total_lines: file.total_lines }
    }
}

/// Files that could not be read are named up to this number.
const MAX_NAMED: usize = 5;

/// The files that a search did not read, by the reason; a directory that is left out counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "left_out"))]
pub struct LeftOut {
    /// The number of binary files.
    #[serde(skip_serializing_if = "is_zero")]
    pub binary: u64,
    /// The number of archives; -z searches them.
    #[serde(skip_serializing_if = "is_zero")]
    pub archives: u64,
    /// The number of files that are larger than --max-filesize.
    #[serde(skip_serializing_if = "is_zero")]
    pub too_large: u64,
    /// The number of files without the times that --since and --until need.
    #[serde(skip_serializing_if = "is_zero")]
    pub without_times: u64,
    /// The number of files and directories whose name begins with a dot.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// The number of files and directories that .gitignore and the like name.
    #[serde(skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// The number of symbolic links; -L follows them.
    #[serde(skip_serializing_if = "is_zero")]
    pub links: u64,
    /// The first files and directories that cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// How many more of them there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_unreadable: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The receipt after those of the files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct LeftOutOfSearch {
    /// The files that the search did not read, by the reason.
    pub left_out: LeftOut,
    /// No content follows.
    pub content_bytes: u64,
}

impl LeftOut {
    pub fn is_empty(&self) -> bool {
        *self == LeftOut::default()
    }

    /// Whether files are left out that no rule and no name leaves out.
    pub fn has_gaps(&self) -> bool {
        let rules =
            LeftOut { hidden: self.hidden, ignored: self.ignored, links: self.links, ..LeftOut::default() };
        *self != rules
    }

    /// Counts a file below a directory that is not searched because of `error`; false if it is an error to report. Of text that
    /// cannot be read, only what lacks the times that a window needs is none.
    pub fn add(&mut self, path: &str, error: &Error, is_archive: bool, needs_times: bool) -> bool {
        match error.kind {
            Kind::Binary if is_archive => self.archives += 1,
            Kind::Binary => self.binary += 1,
            Kind::InvalidText if needs_times => self.without_times += 1,
            _ => {
                self.add_unreadable(path);
                return false;
            }
        }
        true
    }

    pub fn add_unreadable(&mut self, path: &str) {
        match self.unreadable.len() < MAX_NAMED {
            true => self.unreadable.push(path.to_owned()),
            false => self.more_unreadable += 1,
        }
    }

    /// The sum in words: `2 binary files, 1 archive (-z)`; with `all`, also what rules and names leave out.
    pub fn words(&self, all: bool) -> String {
        let unreadable = self.unreadable.len() as u64 + self.more_unreadable;
        let names: Vec<String> = self.unreadable.iter().map(|name| printable(name)).collect();
        let more = if self.more_unreadable > 0 { ", …" } else { "" };
        let unread = format!("that cannot be read ({}{more})", names.join(", "));
        let (hidden, ignored) = ("hidden (--hidden)", "that .gitignore names (--no-ignore)");
        let rows = [
            (self.binary, "binary file", "binary files (--binary searches them)"),
            (self.archives, "archive (-z searches it)", "archives (-z searches them)"),
            (self.too_large, "file that is too large", "files that are too large"),
            (self.without_times, "file without times", "files without times"),
            (unreadable, &unread, &unread),
            (if all { self.hidden } else { 0 }, hidden, hidden),
            (if all { self.ignored } else { 0 }, ignored, ignored),
            (if all { self.links } else { 0 }, "symbolic link (-L)", "symbolic links (-L)"),
        ];
        let rows = rows.iter().filter(|(count, ..)| *count > 0);
        let word = |(count, one, several): &(u64, &str, &str)| {
            format!("{count} {}", if *count == 1 { one } else { several })
        };
        rows.map(word).collect::<Vec<_>>().join(", ")
    }
}
