//! The answer of `stat --list`: the members of an archive.

use super::envelope::plain;
use super::file::NameInfo;
use crate::rows::rows;

rows! {
    /// A member of an archive.
    #[derive(Default)]
    pub struct MemberInfo: "member" {
        /// The name in the archive. What is not valid UTF-8 in it is U+FFFD, and name_base64 has the exact bytes.
        pub name: String [brief],
        /// The exact bytes of a name that is not valid UTF-8, in base64.
        pub name_base64?: Option<String> [brief],
        /// What the member is; rread reads files and hard links.
        pub kind: &'static str = ["file", "directory", "symlink", "hardlink", "device", "fifo", "other"] [brief],
        /// Bytes of the content.
        pub size: u64 [brief],
        /// When the member was modified, in UTC (RFC 3339); without Z, in the unknown zone of a ZIP archive.
        pub modified?: Option<String>,
        /// The permissions, in octal.
        pub mode?: Option<String>,
        /// The target of a link, if its header has it.
        pub target?: Option<String> [brief],
        /// Whether the content is encrypted; left out if it is not.
        pub encrypted?: bool [brief],
    }
}

rows! {
    /// The archive of the members, after them.
    #[derive(Default)]
    pub struct MembersInfo: "members" {
        flat pub name: NameInfo,
        /// The kind of archive.
        pub archive: &'static str = ["tar", "ZIP", "sqlar"],
        /// The number of members in the answer; in a long list, of those that follow.
        pub listed: u64 [brief],
        /// Whether --max-lines left out members.
        pub truncated: bool [brief],
        /// The --offset of the next member; left out unless members were left out.
        pub next_offset?: Option<u64> [brief],
        /// The command that reads the first file of the list.
        pub hint?: Option<String>,
        /// The length of the list in bytes, in frontmatter.
        pub content_bytes?: Option<u64> [brief_of_many],
    }
}

rows! {
    /// A list of lines: names of files, or types of files.
    #[derive(Default)]
    pub struct ListInfo: "listed" {
        /// The number of lines in the content.
        pub listed: u64,
        /// The number of all lines.
        pub total: u64,
        /// The length of the content in bytes.
        pub content_bytes: u64,
        /// Whether a budget left out lines.
        pub truncated: bool,
    }
}

rows! {
    /// What a search found in several files, one line for each in the content: its name, or its name and its count.
    #[derive(Default)]
    pub struct FilesFound {
        /// The number of files that have a line, also of those that a budget left out.
        pub files: u64,
        /// The number of matches in all of them.
        pub matches: u64,
        /// The number of lines that have them.
        pub matched_lines: u64,
        /// The formats of documents among the files, of which the text was searched.
        pub decoded?: Vec<&'static str>,
        /// The length of the content in bytes.
        pub content_bytes: u64,
        /// Whether a budget left out lines.
        pub truncated?: bool,
    }
}

plain! { "files_found" FilesFound }
plain! { "list" ListInfo }
plain! { "member" MemberInfo }
plain! { "archive" MembersInfo }
