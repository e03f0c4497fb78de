//! Facts that archives record about their members.

use jiff::Timestamp;
use jiff::civil::DateTime;

/// A member, as a list shows it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The name, in UTF-8 if the archive says its encoding.
    pub name: Vec<u8>,
    /// The bytes of the name in the header, if they are others.
    pub other_name: Option<Vec<u8>>,
    /// The kind of the member.
    pub kind: EntryKind,
    /// The bytes of the content; 0 for a directory or a link.
    pub size: u64,
    /// The time and the permissions.
    pub recorded: Recorded,
    /// Whether the content is encrypted.
    pub is_encrypted: bool,
}

/// The kind of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, with its target if that is in the header.
    SymbolicLink(Option<Vec<u8>>),
    /// The name of another member that has the content.
    HardLink(Vec<u8>),
    /// A block or character device.
    Device,
    /// A named pipe.
    Fifo,
    /// Something that only some archivers know.
    Other,
}

impl EntryKind {
    /// The word for receipts.
    pub fn name(&self) -> &'static str {
        match self {
            EntryKind::File => "file",
            EntryKind::Directory => "directory",
            EntryKind::SymbolicLink(_) => "symlink",
            EntryKind::HardLink(_) => "hardlink",
            EntryKind::Device => "device",
            EntryKind::Fifo => "fifo",
            EntryKind::Other => "other",
        }
    }
}

/// The time and the permissions of a member.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// When it was modified.
    pub modified: Modified,
    /// The permissions, if the archive has them.
    pub mode: Option<u32>,
}

/// When a member was modified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modified {
    /// The archive does not say.
    Unknown,
    /// Seconds and nanoseconds since 1970.
    Utc(i64, u32),
    /// Date and time of MS-DOS, in an unknown zone.
    Dos {
        /// Years since 1980, month and day, in 7, 4 and 5 bits.
        date: u16,
        /// Hours, minutes and half seconds, in 5, 6 and 5 bits.
        time: u16,
    },
}

impl Recorded {
    /// The permissions in octal.
    pub fn mode(&self) -> Option<String> {
        self.mode.map(|mode| format!("{mode:04o}"))
    }
}

impl Modified {
    /// The time in RFC 3339; without a zone if that is unknown.
    pub fn text(self) -> Option<String> {
        match self {
            Modified::Unknown => None,
            Modified::Utc(seconds, nanoseconds) => {
                let time = Timestamp::new(seconds, i32::try_from(nanoseconds).ok()?).ok()?;
                Some(time.to_string())
            }
            Modified::Dos { date, time } => {
                let part =
                    |bits: u16, from: u16, count: u16| i8::try_from(bits >> from & ((1 << count) - 1)).ok();
                let year = i16::try_from(1980 + (date >> 9)).ok()?;
                let (month, day) = (part(date, 5, 4)?, part(date, 0, 5)?);
                let (hour, minute, second) = (part(time, 11, 5)?, part(time, 5, 6)?, part(time, 0, 5)? * 2);
                DateTime::new(year, month, day, hour, minute, second, 0).ok().map(|time| time.to_string())
            }
        }
    }
}
