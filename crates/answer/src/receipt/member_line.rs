//! A member of an archive on one line: size, time and name, in columns.

use rread_source::member_metadata::{EntryKind, Listed};
use rread_text::error::printable;

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
