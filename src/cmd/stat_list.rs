//! `rread stat --list`: the members of an archive.

use std::ffi::OsString;
use std::path::Path;

use data_encoding::BASE64;

use crate::answer::deliver::Response;
use crate::args::{InputArgs, OutputArgs};
use crate::format::{Frame, List};
use crate::hints;
use crate::receipt::{MemberInfo, MembersInfo, NameInfo};
use rread_source::Source;
use rread_source::archive::{Walk, kind_of};
use rread_source::compressed::foreign;
use rread_source::member_metadata::{EntryKind, Listed};
use rread_source::{member_address, sqlite};
use rread_text::address::Address;
use rread_text::error::{Error, Result};
use rread_text::quote::quoted;
use rread_text::sentence::{call, shell};

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
    let kind = kind_of(source, path).map_err(about)?;
    let (name, prefix) = kind.map_or(("sqlar", "sqlite:"), |kind| (kind.name(), kind.prefix()));
    let frame = Frame { list: Some(MEMBERS), ..Frame::default() };
    let response = Response::new(output, false, false)?;
    let shown = ListAnswer {
        path,
        prefix,
        response,
        frame,
        first,
        most,
        number: 0,
        listed: 0,
        next: None,
        hint: None,
    };
    match kind {
        Some(kind) => shown.walk(Walk::new(source, kind, path).map_err(about)?)?.end(name),
        None if member_address::is_database(source) && source.info().file.is_some() => {
            let mut shown = shown;
            match sqlite::list(path, &mut |member| shown.add(member)).map_err(about)? {
                true => shown.end(name),
                false => Err(no_archive(path, source)),
            }
        }
        None => Err(no_archive(path, source)),
    }
}

/// The answer so far.
struct ListAnswer<'a> {
    path: &'a Path,
    /// The prefix of the addresses of members.
    prefix: &'static str,
    response: Response<'a>,
    frame: Frame,
    first: u64,
    most: Option<u64>,
    /// The number of the last member, shown or not.
    number: u64,
    listed: u64,
    /// The number of the first member that was left out.
    next: Option<u64>,
    hint: Option<String>,
}

impl ListAnswer<'_> {
    fn walk(mut self, mut walk: Walk<'_>) -> Result<Self> {
        loop {
            match walk.next() {
                Ok(Some(entry)) => {
                    if !self.add(entry.into_listed())? {
                        return Ok(self);
                    }
                }
                Ok(None) => return Ok(self),
                // The members before the damage are listed.
                Err(error) if self.number > 0 => {
                    self.response.remember(error.about(self.path));
                    return Ok(self);
                }
                Err(error) => return Err(error.about(self.path)),
            }
        }
    }

    /// Shows `member`, if it is one of those to show. Returns whether others may follow.
    fn add(&mut self, member: Listed) -> Result<bool> {
        self.number += 1;
        if self.number < self.first {
            return Ok(true);
        }
        if self.most.is_some_and(|most| self.listed >= most) {
            self.next = Some(self.number);
            return Ok(false);
        }
        self.response.start(self.frame.clone())?;
        if self.hint.is_none() {
            self.hint = reading(self.path, self.prefix, &member);
        }
        self.response.part(Box::new(member_info(&member)), Vec::new())?;
        self.listed += 1;
        Ok(true)
    }

    fn end(mut self, archive: &'static str) -> Result<()> {
        self.response.start(self.frame)?;
        let (name, truncated) = (NameInfo::of(self.path), self.next.is_some());
        let (listed, next_offset, hint) = (self.listed, self.next, self.hint);
        self.response.summary(Box::new(MembersInfo {
            name,
            archive,
            listed,
            truncated,
            next_offset,
            hint,
        }))?;
        self.response.finish()
    }
}

/// The command that reads `member`, if it is a file that rread can read.
fn reading(path: &Path, prefix: &str, member: &Listed) -> Option<String> {
    // Only members of archives in files can be read.
    let is_in_file = path != Path::new("-") && Address::of(path).is_none();
    let is_file = member.kind.name() == "file" && !member.is_encrypted && is_in_file;
    let name = std::str::from_utf8(&member.name).ok().filter(|_| is_file)?;
    let mut address = OsString::from(prefix);
    address.push(path);
    address.push(format!("/{name}"));
    Some(format!("rread lines {} 1:20", quoted(Path::new(&address))))
}

fn no_archive(path: &Path, source: &dyn Source) -> Error {
    let error = Error::usage("is not a tar, ZIP or SQLite archive").about(path);
    // It may be one in a format that other programs decompress.
    let decompression = foreign::decompression(source, path).ok().flatten().filter(|_| !hints::is_ours(path));
    error.hint(match decompression {
        Some(command) => command.then(shell(" | ")).then(call("stat").file("-").on("list")),
        None => call("stat").file(path).into(),
    })
}

fn member_info(member: &Listed) -> MemberInfo {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let header_name = member.other_name.as_ref().unwrap_or(&member.name);
    let is_text = std::str::from_utf8(header_name).is_ok();
    MemberInfo {
        name: text(&member.name),
        name_base64: (!is_text).then(|| BASE64.encode(header_name)),
        kind: member.kind.name(),
        size: member.size,
        modified: member.recorded.modified.text(),
        mode: member.recorded.mode(),
        target: match &member.kind {
            EntryKind::SymbolicLink(Some(target)) | EntryKind::HardLink(target) => Some(text(target)),
            _ => None,
        },
        encrypted: member.is_encrypted,
    }
}
