//! The answers of `stat --list` and of lists: members of archives, and lines of names.

use serde::Serialize;

use super::file::LeftOut;
use super::file::NameInfo;
use rread_source::member_metadata::{EntryKind, Listed};
use rread_text::error::printable;

/// A member of an archive.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "member"))]
pub struct MemberInfo {
    /// The name in the archive. What is not valid UTF-8 in it is U+FFFD, and name_base64 has the exact bytes.
    pub name: String,
    /// The exact bytes of a name that is not valid UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_base64: Option<String>,
    /// What the member is; rread reads files and hard links.
    pub kind: &'static str,
    /// Bytes of the content.
    pub size: u64,
    /// When the member was modified, in UTC (RFC 3339); without Z, in the unknown zone of a ZIP archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The permissions, in octal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The target of a link, if its header has it.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// Whether --max-lines left out members.
    pub truncated: bool,
    /// The --offset of the next member; left out unless members were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// The command that reads the first file of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The length of the list in bytes, in frontmatter.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct FilesFound {
    /// The number of files that have a line, also of those that a budget left out.
    pub files: u64,
    /// The number of matches in all of them.
    pub matches: u64,
    /// The number of lines that have them.
    pub matched_lines: u64,
    /// The files that the search did not read, by the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The formats of documents among the files, of which the text was searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decoded: Vec<&'static str>,
    /// The length of the content in bytes.
    pub content_bytes: u64,
    /// Whether a budget left out lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
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
