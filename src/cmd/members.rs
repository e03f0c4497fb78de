//! `rread stat --list`: the members of an archive.

use std::ffi::OsString;
use std::path::Path;

use data_encoding::BASE64;
use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::answer::deliver::Response;
use crate::args::{InputArgs, OutputArgs};
use crate::envelope::{MemberInfo, MembersInfo, NameInfo};
use crate::error::{Error, Result};
use crate::format::{Frame, List};
use crate::quote::quoted;
use crate::source::archive::{Entry, EntryKind, Modified, Walk, kind_of};
use crate::source::inside::ArchiveKind;

const MEMBERS: List = List { member: "members", element: "archive_members" };

/// Lists the members of the archive `path` from `first` on, at most `most`.
pub(super) fn list(
    path: &Path,
    input: &InputArgs,
    output: &OutputArgs,
    (first, most): (u64, Option<u64>),
) -> Result<()> {
    let reader = input.open(path)?;
    let source = reader.source();
    let about = |error: Error| error.about(path);
    let kind = kind_of(source).map_err(about)?.ok_or_else(|| no_archive(path))?;
    let mut walk = Walk::new(source, kind).map_err(about)?;
    let mut response = Response::new(output, false, false)?;
    let frame = Frame { list: Some(MEMBERS), has_summary: true, ..Frame::default() };
    let (mut number, mut listed, mut truncated) = (0, 0, false);
    let mut hint = None;
    loop {
        let entry = match walk.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            // The members before the damage are listed.
            Err(error) if number > 0 => {
                response.remember(error.about(path));
                break;
            }
            Err(error) => return Err(error.about(path)),
        };
        number += 1;
        if number < first {
            continue;
        }
        if most.is_some_and(|most| listed >= most) {
            truncated = true;
            break;
        }
        response.start(frame.clone())?;
        hint = hint.or_else(|| reading(path, kind, &entry));
        response.part(Box::new(member_info(&entry)), Vec::new())?;
        listed += 1;
    }
    response.start(frame)?;
    let next_offset = truncated.then(|| first + listed);
    let name = NameInfo::of(path);
    let archive = kind.name();
    response.summary(Box::new(MembersInfo { name, archive, listed, truncated, next_offset, hint }))?;
    response.finish()
}

/// The command that reads the member `entry`, if it is a file that rread can read.
fn reading(path: &Path, kind: ArchiveKind, entry: &Entry) -> Option<String> {
    let is_file = entry.kind.name() == "file" && !entry.is_encrypted() && path != Path::new("-");
    let name = std::str::from_utf8(&entry.name).ok().filter(|_| is_file)?;
    let mut address = OsString::from(kind.prefix());
    address.push(path);
    address.push(format!("/{name}"));
    Some(format!("rread lines {} 1:20", quoted(Path::new(&address))))
}

fn no_archive(path: &Path) -> Error {
    Error::usage("is not a tar or ZIP archive").hint(format!("rread stat {}", quoted(path))).about(path)
}

fn member_info(entry: &Entry) -> MemberInfo {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let is_text = std::str::from_utf8(&entry.name).is_ok();
    MemberInfo {
        name: text(&entry.name),
        name_base64: (!is_text).then(|| BASE64.encode(&entry.name)),
        kind: entry.kind.name(),
        size: entry.size,
        modified: modified(entry.modified),
        mode: entry.mode.map(|mode| format!("{mode:04o}")),
        target: match &entry.kind {
            EntryKind::SymbolicLink(Some(target)) | EntryKind::HardLink(target) => Some(text(target)),
            _ => None,
        },
        encrypted: entry.is_encrypted(),
    }
}

fn modified(time: Modified) -> Option<String> {
    match time {
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
