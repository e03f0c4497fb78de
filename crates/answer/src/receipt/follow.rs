//! The records of `follow`, one JSON object a line.

use super::file::NameInfo;
use crate::rows::rows;

rows! {
    /// What was appended to a followed file: whole lines, unless the writer stopped in one for 200 ms.
    #[derive(Clone, Debug)]
    pub struct Batch<'a>: "follow_batch" {
        flat pub name: &'a NameInfo,
        /// The text.
        pub content: String,
        /// Where the content is in the file.
        pub actual_range: FollowedRange,
        /// The state of the file, for --expect, if the content ends where the file ends.
        pub version?: Option<String>,
    }

    /// The bytes of a batch, and its lines if their numbers are known.
    #[derive(Clone, Copy, Debug)]
    pub struct FollowedRange: "FollowedRange" {
        /// The first byte.
        pub start_byte: u64,
        /// Past the last byte.
        pub end_byte: u64,
        /// The number of the first line.
        pub start_line?: Option<u64>,
        /// The number of the last line.
        pub end_line?: Option<u64>,
    }

    /// What happened to the name of a followed file.
    #[derive(Clone, Copy, Debug)]
    pub struct FollowEvent<'a>: "follow_event" {
        flat pub name: &'a NameInfo,
        /// The name means a new file (rotated), the file was cut or rewritten (truncated), the name is back (appeared), or no
        /// file has it (gone). After the first three, offsets and lines begin again, unless the file that is back is the same.
        pub event: &'static str = ["rotated", "truncated", "appeared", "gone"],
    }

    /// The last record of `follow`.
    #[derive(Clone, Copy, Debug)]
    pub struct FollowEnd: "follow_end" {
        /// Always end.
        pub event: &'static str = ["end"],
        /// A line matched, every file has a record at or after --until, the time was over, a budget was used up, the process of --pid ended, or all streams did (eof).
        pub reason: &'static str = ["match", "until", "timeout", "max_bytes", "max_lines", "process", "eof"],
    }
}
