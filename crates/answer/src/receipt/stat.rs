//! The answer of `stat`: what a file is.

use super::content::InvalidInfo;
use super::envelope::plain;
use super::facts::{Key, keys};
use super::file::{DecodingInfo, EncodingInfo, FileDetails, NameInfo, TrafficInfo};
use super::verification::Pairs;
use crate::headers::FormatDetails;
use crate::rows::rows;

rows! {
    /// What a file is: the answer of `stat`.
    #[derive(Default)]
    pub struct StatInfo: "stat" {
        flat pub name: NameInfo,
        /// Whether the file is text, by its first 8 KiB.
        pub kind: &'static str = ["text", "binary"] [brief],
        /// The media type, by the first 8 KiB.
        pub mime: &'static str,
        /// Whether other commands refuse the file without --text or --encode.
        pub binary: bool,
        /// How lines end: in the whole file with --count, otherwise in the first 8 KiB; left out of a binary file without
        /// --count. cr: there are carriage returns and no line feeds, so the text is one line.
        pub newline?: Option<&'static str> = ["lf", "crlf", "mixed", "cr", "none"],
        /// Whether the last character is a line feed; left out while the size of a stream is unknown.
        pub final_newline?: Option<bool>,
        /// The number of lines; left out if only --count can find it.
        pub lines?: Option<u64> [brief],
        /// The number of lines if all are as long as those of the first 8 KiB; left out if the number is known.
        pub estimated_lines?: Option<u64> [brief],
        /// The bytes of the window of --since and --until, "START-END", with END after the last byte.
        pub range?: Option<String> [brief],
        /// The longest line; with --count.
        pub longest_line?: Option<LongestLine> [brief],
        /// The line ends of the whole file; with --count.
        pub newlines?: Option<Newlines> [brief],
        /// Sequences that are not valid in the encoding of the file; with --count.
        pub invalid_utf8?: Option<InvalidInfo> [brief],
        /// How many kinds of lines there are: lines with the same pattern; with --patterns. With other_lines, there are more.
        pub kinds?: Option<u64> [brief],
        /// The most frequent kinds, then the rarest; with --patterns. Other formats have a line for each in the content.
        pub patterns?: Vec<PatternInfo> [brief worded],
        /// Lines of kinds that came after 131,072 others, which are counted together; left out if there are none.
        pub other_lines?: Option<u64> [brief],
        /// The length of the list of patterns in bytes; JSON has no such list.
        pub content_bytes?: Option<u64> [brief_of_many],
        /// The width of a picture in pixels.
        pub width?: Option<u64>,
        /// The height of a picture in pixels.
        pub height?: Option<u64>,
        /// The facts that the header of a binary file, or of the gzip file around a text, states beyond the media type.
        pub format_details?: FormatDetails,
        /// The pages of a document.
        pub pages?: Option<u64> [brief],
        /// The command that shows the content of a binary file.
        pub hint?: Option<String> [brief],
        /// The size of the file in bytes; left out while the size of a stream is unknown.
        pub total?: Option<u64> [brief],
        /// When the file was modified, in UTC (RFC 3339). Of a member of an archive, as the archive records it; without Z, in
        /// the unknown zone of a ZIP archive.
        pub modified?: Option<String>,
        /// The permissions, in octal.
        pub mode?: Option<String>,
        flat pub object: ObjectInfo,
        flat pub details: FileDetails,
    }

    /// Lines that are alike but for what varies in them.
    pub struct PatternInfo: "pattern" {
        /// How many there are.
        pub count: u64,
        /// The number of the first.
        pub first_line: u64,
        /// The offset of the first.
        pub first_byte: u64,
        /// The time of the record of the first.
        pub first_time?: Option<String>,
        /// The time of the record of the last.
        pub last_time?: Option<String>,
        /// The line, with what varies masked.
        pub pattern: String,
    }

    /// The longest line: its number, and its bytes without the line end.
    pub struct LongestLine: "longest_line" {
        /// Its number, from 1.
        pub line: u64,
        /// Its bytes, without the line end.
        pub bytes: u64,
    }

    /// How many lines end with `\n` alone, and how many with `\r\n`.
    pub struct Newlines: "newlines" {
        /// Lines that end with `\n` alone.
        pub lf: u64,
        /// Lines that end with `\r\n`.
        pub crlf: u64,
    }

    /// What a server reports about an object.
    #[derive(Default)]
    pub struct ObjectInfo {
        /// The media type, as the server names it.
        pub content_type?: Option<String>,
        /// The encoding of the content, as the server names it.
        pub content_encoding?: Option<String>,
        /// The storage class.
        pub storage_class?: Option<String>,
        /// The version of the object in a store that keeps versions.
        pub version_id?: Option<String>,
        /// The entity tag, as the server sends it.
        pub etag?: Option<String>,
        /// The metadata that the owner of the object gave it.
        pub metadata?: Option<Pairs>,
    }
}

const STAT: &[Key] = keys![
    ..NameInfo [kind mime binary] ..EncodingInfo [newline final_newline lines estimated_lines longest_line newlines
    invalid_utf8 kinds other_lines
    content_bytes width height format_details hint pages range total] ..DecodingInfo [damaged time modified mode]
    ..ObjectInfo [version index bytes_scanned] ..TrafficInfo [notices change]
];

rows! {
    /// One of several files that cannot be examined, and why.
    pub struct StatError: "stat_error" {
        flat pub name: NameInfo,
        /// What is wrong, in one sentence without the name of the file.
        pub error: String [brief],
        /// The kind of failure.
        pub error_kind: &'static str [brief],
    }
}

plain! { "file_stat" StatInfo STAT, StatError }
