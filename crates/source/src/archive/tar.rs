//! Walks the headers of a tar archive: V7, ustar, GNU and pax (POSIX.1-2017, "pax", and GNU tar, "Basic Tar Format").

use super::entry::{Data, Entry, Piece, damage_error, read, sum};
use super::pax::Pax;
use super::sparse;
use super::tar_header::{BLOCK, HEADER, Header, before_nul, has_checksum, number};
use crate::Source;
use crate::member_metadata::{EntryKind, Modified, Recorded};
use rread_text::error::{Error, Result};

/// The longest extended header: paths are at most some thousand bytes long.
const LONGEST: u64 = 1 << 20;

/// Types that are not files: access lists and attributes of Solaris, inodes of star, parts of a file that another volume
/// begins, and the names of old GNU archives.
const SPECIAL: &[u8] = b"AEIMN";

pub(super) struct TarWalk<'a> {
    source: &'a dyn Source,
    /// The offset of the next header.
    pub(super) at: u64,
    /// The time of all further members that have none of their own. Other attributes are those of one member.
    modified: Option<Modified>,
}

impl<'a> TarWalk<'a> {
    pub(super) fn new(source: &'a dyn Source) -> Self {
        TarWalk { source, at: 0, modified: None }
    }

    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        let mut pax = Pax { modified: self.modified, ..Pax::default() };
        let mut is_extended = false;
        loop {
            let Some(header) = self.header()? else {
                return if is_extended { Err(self.cut_off()) } else { Ok(None) };
            };
            let data = self.at + BLOCK;
            let stored = number(&header[124..136]).ok_or_else(|| damage_error("a size is invalid"));
            match header[156] {
                b'x' | b'X' => pax.update(&self.extension(data, stored?)?)?,
                b'g' => {
                    let mut global = Pax::default();
                    global.update(&self.extension(data, stored?)?)?;
                    self.modified = global.modified.or(self.modified);
                    pax.modified = self.modified;
                }
                b'L' => pax.path = Some(before_nul(&self.extension(data, stored?)?).to_owned()),
                b'K' => pax.link = Some(before_nul(&self.extension(data, stored?)?).to_owned()),
                // The label of a volume.
                b'V' => self.at = next_header(data, stored?)?,
                kind => return self.entry(&header, kind, pax, data).map(Some),
            }
            is_extended = !matches!(header[156], b'g' | b'V');
        }
    }

    /// The header at this offset; `None` at the end of the archive.
    fn header(&self) -> Result<Option<Header>> {
        let mut header = [0; HEADER];
        let got = read(self.source, &mut header, self.at)?;
        if got == 0 && self.source.size().is_none_or(|size| size == self.at) {
            return Ok(None);
        }
        if got < header.len() && self.at > 0 {
            return Err(self.cut_off());
        }
        if header == [0; HEADER] {
            return Ok(None);
        }
        if has_checksum(&header) {
            return Ok(Some(header));
        }
        Err(match self.at {
            0 => Error::usage("is not a tar archive"),
            at => damage_error(format!("the header at byte {at} has a wrong checksum")),
        })
    }

    fn cut_off(&self) -> Error {
        damage_error(format!("it ends before byte {}", self.at + BLOCK))
    }

    /// The data of a header that describes the next one.
    fn extension(&mut self, data: u64, size: u64) -> Result<Vec<u8>> {
        if size > LONGEST {
            return Err(damage_error(format!(
                "the header at byte {} has {size} bytes of attributes",
                self.at
            )));
        }
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        let got = read(self.source, &mut bytes, data)?;
        if got < bytes.len() {
            return Err(self.cut_off());
        }
        self.at = next_header(data, size)?;
        Ok(bytes)
    }

    fn entry(&mut self, header: &Header, kind: u8, pax: Pax, data: u64) -> Result<Entry> {
        let name = pax.path.clone().unwrap_or_else(|| header_name(header));
        let target = || pax.link.clone().unwrap_or_else(|| before_nul(&header[157..257]).to_owned());
        let declared = number(&header[124..136]).ok_or_else(|| damage_error("a size is invalid"))?;
        let kind = match kind {
            0 | b'0' | b'7' | b'S' if !(kind == 0 && name.ends_with(b"/")) => EntryKind::File,
            b'1' => EntryKind::HardLink(target()),
            b'2' => EntryKind::SymbolicLink(Some(target())),
            b'3' | b'4' => EntryKind::Device,
            0 | b'5' | b'D' => EntryKind::Directory,
            b'6' => EntryKind::Fifo,
            kind if SPECIAL.contains(&kind) => EntryKind::Other,
            // As POSIX asks.
            _ => EntryKind::File,
        };
        // Links, devices and directories have no data, whatever size they declare; GNU dumps of directories have.
        let has_data = matches!(kind, EntryKind::File | EntryKind::Other) || header[156] == b'D';
        let stored = if has_data { pax.size.unwrap_or(declared) } else { 0 };
        let mut entry = Entry {
            name,
            other_name: None,
            size: if kind == EntryKind::File { stored } else { 0 },
            kind,
            recorded: Recorded {
                modified: pax.modified.or_else(|| seconds(&header[136..148])).unwrap_or(Modified::Unknown),
                mode: number(&header[100..108]).and_then(|mode| u32::try_from(mode & 0o7777).ok()),
            },
            data: Data::Span { start: data },
        };
        let mut content = data;
        if header[156] == b'S' {
            (entry.size, entry.data, content) = sparse::of_gnu(self.source, header, data)?;
        } else if entry.kind == EntryKind::File && pax.is_sparse() {
            (entry.name, entry.size, entry.data) =
                sparse::of_pax(self.source, &pax, entry.name, data, stored)?;
        }
        self.at = next_header(content, stored)?;
        if self.source.size().is_some_and(|size| size < content.saturating_add(stored)) {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            return Err(damage_error(format!("it ends inside {name}")));
        }
        if let Data::Sparse(pieces) = &entry.data {
            check_pieces(pieces, entry.size, content, stored)?;
        }
        Ok(entry)
    }
}

/// Pieces must ascend, lie inside the file, and have their data inside the member.
fn check_pieces(pieces: &[Piece], size: u64, content: u64, stored: u64) -> Result<()> {
    let mut end = 0;
    for piece in pieces {
        let is_ordered = piece.offset >= end;
        let data_end = sum(piece.start, piece.length)?;
        end = sum(piece.offset, piece.length)?;
        if !is_ordered || end > size || data_end > sum(content, stored)? {
            return Err(damage_error("the map of a sparse file is invalid"));
        }
    }
    Ok(())
}

fn next_header(data: u64, size: u64) -> Result<u64> {
    sum(data, sum(size, BLOCK - 1)? / BLOCK * BLOCK)
}

/// A time, which may be before 1970.
fn seconds(field: &[u8]) -> Option<Modified> {
    if field.first() == Some(&0xFF) {
        let low = field.last_chunk::<8>().map(|bytes| i64::from_be_bytes(*bytes))?;
        return Some(Modified::Utc(low, 0));
    }
    number(field).and_then(|seconds| i64::try_from(seconds).ok()).map(|seconds| Modified::Utc(seconds, 0))
}

fn header_name(header: &Header) -> Vec<u8> {
    let name = before_nul(&header[..100]);
    // GNU headers have other fields where ustar has the prefix.
    let prefix = if &header[257..263] == b"ustar\0" { before_nul(&header[345..500]) } else { b"" };
    if prefix.is_empty() { name.to_owned() } else { [prefix, b"/", name].concat() }
}
