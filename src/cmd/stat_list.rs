//! `rread stat --list`: the members of an archive.

use std::ffi::OsString;
use std::path::Path;

use data_encoding::BASE64;

use rread_answer::content::CutBy;
use rread_answer::deliver::Held;
use rread_answer::hints::searched;
use rread_answer::receipt::{MemberInfo, MembersInfo, member_line};
use rread_answer::wording::command_line;
use rread_answer::{
    Budget, Format, Frame, List, NameInfo, OutputOptions, ReadOptions, Receipt, Response, Section, Shape,
    respond,
};
use rread_source::archive::{MemberPattern, Reading, Walk, kind_of};
use rread_source::compressed::recognition::foreign_decompression;
use rread_source::member_address::is_member;
use rread_source::member_metadata::{EntryKind, Listed};
use rread_source::members::Members;
use rread_source::stdin::warn;
use rread_source::{Decoding, Paged, Source, members};
use rread_text::{Address, Error, Kind, Result, call, quoted, shell};

const MEMBERS: List = List { member: "members", element: "archive_members" };

/// A list for people comes in pieces of so many bytes, each with its receipt.
const PIECE: usize = 64 << 10;

/// Lists the members of the archive `path` from `first` on, within the budget. The path may be that of a member, or a pattern.
pub(super) fn list(
    path: &Path,
    options: &ReadOptions,
    (output, is_brief): (&OutputOptions, bool),
    (first, left): (u64, Budget),
) -> Result<()> {
    let about = |error: Error| searched(error, &call("stat").on("list")).about(path);
    let access = options.access(path)?;
    let asked = members::to_list(path, &access).map_err(about)?;
    let file;
    let (walk, kind, archive, pattern) = match &asked {
        Some(Members { archive, pattern }) => (archive.walk(), archive.kind(), archive.shown_path(), pattern),
        None => {
            file = options.open(path)?;
            let kind = kind_of(file.source(), path).map_err(about)?;
            let kind = kind.ok_or_else(|| no_archive(path, file.source()))?;
            let walk = Walk::new(file.source(), kind, path, Reading::of(&access));
            (walk, kind, path.to_owned(), &MemberPattern::All)
        }
    };
    respond(output, Shape { is_brief, ..Shape::default() }, |response| {
        let mut shown = ListAnswer {
            path: &archive,
            archive: kind.name(),
            prefix: if is_member(&archive) { "" } else { kind.prefix() },
            pattern,
            response,
            first,
            left,
            cut_by: None,
            number: 0,
            listed: 0,
            text: String::new(),
            next: None,
            hint: None,
        };
        shown.walk(walk.map_err(about)?)?;
        if let (MemberPattern::Glob { text, .. }, 0, None) = (pattern, shown.number, &shown.next) {
            let message = format!("no member of the archive matches '{}'", String::from_utf8_lossy(text));
            return Err(about(
                Error::new(Kind::NotFound, message).hint(call("stat").file(&archive).on("list")),
            ));
        }
        shown.end()
    })
}

/// The answer so far.
struct ListAnswer<'a> {
    path: &'a Path,
    archive: &'static str,
    /// The prefix that addresses of members have before the path.
    prefix: &'static str,
    /// Which members are listed.
    pattern: &'a MemberPattern,
    response: &'a mut Response,
    first: u64,
    left: Budget,
    cut_by: Option<CutBy>,
    /// The number of the last member, shown or not.
    number: u64,
    listed: u64,
    /// The lines that are not written yet.
    text: String,
    /// The number of the first member that was left out.
    next: Option<u64>,
    hint: Option<String>,
}

impl ListAnswer<'_> {
    fn walk(&mut self, mut walk: Walk<'_>) -> Result<()> {
        loop {
            match walk.next_listed() {
                Ok(Some(member)) => {
                    if !self.add(member)? {
                        return Ok(());
                    }
                }
                Ok(None) => return Ok(()),
                // The members before the damage are listed.
                Err(error) if self.number > 0 => {
                    self.response.remember(error.about(self.path));
                    return Ok(());
                }
                Err(error) => return Err(error.about(self.path)),
            }
        }
    }

    /// Whether each member is a line; programs get an object for each.
    fn has_lines(&self) -> bool {
        matches!(self.response.format, Format::Frontmatter | Format::Text | Format::Raw)
    }

    fn start(&mut self) -> Result<()> {
        let (has_content, is_brief) = (self.has_lines(), self.response.is_brief);
        let list = (!has_content).then_some(MEMBERS);
        self.response.start(Frame { list, has_content, of_files: !has_content, is_brief, ..Frame::default() })
    }

    /// Shows `member`, if it is one of those to show. Returns whether others may follow.
    fn add(&mut self, member: Listed) -> Result<bool> {
        if !self.pattern.lists(&member.name) {
            return Ok(true);
        }
        self.number += 1;
        if self.number < self.first {
            return Ok(true);
        }
        let info = member_info(&member);
        let line = if self.has_lines() { member_line(&member) + "\n" } else { info.json()? };
        let cut = self.left.exceeded(line.as_bytes());
        if cut.is_some() && self.number > self.first {
            (self.next, self.cut_by) = (Some(self.number), cut);
            return Ok(false);
        }
        self.left.bytes = self.left.bytes.map(|left| left.saturating_sub(line.len() as u64));
        self.left.lines = self.left.lines.map(|left| left.saturating_sub(1));
        if self.hint.is_none() {
            self.hint = reading(self.path, self.prefix, &member);
        }
        self.listed += 1;
        if self.has_lines() {
            self.text += &line;
            if self.text.len() >= PIECE {
                self.piece()?;
            }
            return Ok(true);
        }
        self.start()?;
        self.response.part(Box::new(info), Vec::new())?;
        Ok(true)
    }

    /// Writes the lines so far, after a receipt of their own.
    fn piece(&mut self) -> Result<()> {
        self.start()?;
        let text = std::mem::take(&mut self.text);
        let info = self.info(Some(text.len() as u64));
        self.listed = 0;
        self.response.part(Box::new(info), vec![Section::content(&mut Held(text.into_bytes()))])
    }

    fn info(&self, content_bytes: Option<u64>) -> MembersInfo {
        let next = self.next.filter(|_| content_bytes.is_some());
        MembersInfo {
            name: NameInfo::of(self.path),
            archive: self.archive,
            listed: self.listed,
            truncated: self.next.is_some(),
            next_offset: self.next,
            cut_by: self.cut_by.map(CutBy::key),
            next: next
                .map(|next| command_line(&call("stat").with("offset", next).on("list").file(self.path))),
            hint: self.hint.clone(),
            content_bytes,
        }
    }

    fn end(mut self) -> Result<()> {
        if !self.has_lines() {
            self.start()?;
            let info = self.info(None);
            return self.response.summary(Box::new(info));
        }
        if !self.response.has_begun() || !self.text.is_empty() {
            self.piece()?;
        }
        if let Some(next) = self.next.filter(|_| !self.response.format.has_receipt()) {
            self.response.out.flush()?;
            warn(self.path, &format!("more members follow: --offset {next}"));
        }
        Ok(())
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
    let document = source.info().decoding.and_then(Decoding::document);
    if document.is_some_and(Paged::has_sheets) {
        return Error::usage("has sheets or tables and no members; a line with # and the name begins each")
            .about(path)
            .hint(call("search").word("^# ").file(path));
    }
    let error = Error::usage("is not a tar or ZIP archive").about(path);
    // It may be one in a format that other programs decompress.
    error.hint(match foreign_decompression(source, path).ok().flatten() {
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
