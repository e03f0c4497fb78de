//! Walks the headers of a tar archive: V7, ustar, GNU and pax (POSIX.1-2017, "pax", and GNU tar, "Basic Tar Format").

use super::entry::{Data, Entry, damage_error, read, sum};
use crate::Source;
use crate::member_metadata::{EntryKind, Listed, Modified, Recorded};
use rread_text::error::{Error, Result};

/// The longest extended header: paths are at most some thousand bytes long.
const MAX_HEADER: u64 = 1 << 20;

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
            let data = self.at + TAR_BLOCK;
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
        damage_error(format!("it ends before byte {}", self.at + TAR_BLOCK))
    }

    /// The offset after the blocks with the rest of the map of a sparse file in the old format, which begins in its header.
    fn after_map(&self, header: &Header, mut data: u64) -> Result<u64> {
        let mut has_more = header[482] != 0;
        while has_more {
            let mut block = [0; HEADER];
            if read(self.source, &mut block, data)? < block.len() {
                return Err(self.cut_off());
            }
            has_more = block[504] != 0;
            data = sum(data, TAR_BLOCK)?;
        }
        Ok(data)
    }

    /// The data of a header that describes the next one.
    fn extension(&mut self, data: u64, size: u64) -> Result<Vec<u8>> {
        if size > MAX_HEADER {
            let at = self.at;
            return Err(damage_error(format!("the header at byte {at} has {size} bytes of attributes")));
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
            // POSIX requires it.
            _ => EntryKind::File,
        };
        // Links, devices and directories have no data, whatever size they declare; GNU dumps of directories have.
        let has_data = matches!(kind, EntryKind::File | EntryKind::Other) || header[156] == b'D';
        let stored = if has_data { pax.size.unwrap_or(declared) } else { 0 };
        let listed = Listed {
            name,
            other_name: None,
            size: if kind == EntryKind::File { stored } else { 0 },
            kind,
            recorded: Recorded {
                modified: pax.modified.or_else(|| seconds(&header[136..148])).unwrap_or(Modified::Unknown),
                mode: number(&header[100..108]).and_then(|mode| u32::try_from(mode & 0o7777).ok()),
            },
            is_encrypted: false,
        };
        let mut entry = Entry { listed, data: Data::Span { start: data } };
        let mut content = data;
        if header[156] == b'S' {
            entry.listed.size = number(&header[483..495]).ok_or_else(|| damage_error("a size is invalid"))?;
            entry.data = Data::Sparse;
            content = self.after_map(header, data)?;
        } else if entry.listed.kind == EntryKind::File && pax.is_sparse {
            entry.listed.name = pax.sparse_name.unwrap_or(entry.listed.name);
            entry.listed.size = pax.sparse_size.unwrap_or(entry.listed.size);
            entry.data = Data::Sparse;
        }
        self.at = next_header(content, stored)?;
        if self.source.size().is_some_and(|size| size < content.saturating_add(stored)) {
            let name = String::from_utf8_lossy(&entry.listed.name).into_owned();
            return Err(damage_error(format!("it ends inside {name}")));
        }
        Ok(entry)
    }
}

fn next_header(data: u64, size: u64) -> Result<u64> {
    sum(data, sum(size, TAR_BLOCK - 1)? / TAR_BLOCK * TAR_BLOCK)
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

pub(super) const HEADER: usize = 512;

/// Headers and data begin at multiples of this.
pub(super) const TAR_BLOCK: u64 = HEADER as u64;

pub(super) type Header = [u8; HEADER];

pub(super) fn is_tar(header: &[u8]) -> bool {
    header.first_chunk().is_some_and(|header: &Header| header[0] != 0 && has_checksum(header))
}

/// The checksum counts its own field as blanks. Old programs summed signed bytes.
pub(super) fn has_checksum(header: &Header) -> bool {
    let bytes =
        header.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { b' ' } else { *byte });
    let (mut unsigned, mut signed) = (0u64, 0i64);
    for byte in bytes {
        unsigned += u64::from(byte);
        signed += i64::from(byte.cast_signed());
    }
    number(&header[148..156]).is_some_and(|sum| sum == unsigned || i64::try_from(sum) == Ok(signed))
}

/// An octal number, or a binary one if the first bit is set.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && *first >= 0x80
    {
        let start = u64::from(first & 0x7F);
        return rest.iter().try_fold(start, |sum, byte| Some(sum.checked_mul(256)? + u64::from(*byte)));
    }
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default().trim_ascii();
    text.iter().try_fold(0u64, |sum, digit| {
        let digit = (b'0'..=b'7').contains(digit).then(|| u64::from(digit - b'0'))?;
        sum.checked_mul(8)?.checked_add(digit)
    })
}

pub(super) fn before_nul(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[derive(Clone, Debug, Default)]
pub(super) struct Pax {
    pub(super) path: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) modified: Option<Modified>,
    /// Whether it is a sparse file, and its name and size.
    is_sparse: bool,
    sparse_name: Option<Vec<u8>>,
    sparse_size: Option<u64>,
}

impl Pax {
    /// Adds the records `LENGTH KEY=VALUE\n` of a header.
    pub(super) fn update(&mut self, mut records: &[u8]) -> Result<()> {
        let invalid = || damage_error("an extended header is invalid");
        while !records.is_empty() && records[0] != 0 {
            let blank = records.iter().take(20).position(|byte| *byte == b' ').ok_or_else(invalid)?;
            let length = usize::try_from(decimal(&records[..blank]).ok_or_else(invalid)?).ok();
            let (record, rest) = length
                .filter(|length| *length > blank)
                .and_then(|length| records.split_at_checked(length))
                .ok_or_else(invalid)?;
            let pair = record[blank + 1..].strip_suffix(b"\n").ok_or_else(invalid)?;
            let equals = pair.iter().position(|byte| *byte == b'=').ok_or_else(invalid)?;
            self.set(&pair[..equals], &pair[equals + 1..])?;
            records = rest;
        }
        Ok(())
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        let number = || match decimal(value) {
            None if !value.is_empty() => Err(damage_error("a number in an extended header is invalid")),
            number => Ok(number),
        };
        match key {
            b"path" => self.path = text(),
            b"linkpath" => self.link = text(),
            b"size" => self.size = number()?,
            b"mtime" => self.modified = time(value),
            b"GNU.sparse.name" => self.sparse_name = text(),
            b"GNU.sparse.size" | b"GNU.sparse.realsize" => self.sparse_size = number()?,
            _ => {}
        }
        self.is_sparse |= key.starts_with(b"GNU.sparse.");
        Ok(())
    }
}

pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok().filter(|text| !text.starts_with('+'))?.parse().ok()
}

/// Seconds since 1970, with an optional fraction.
fn time(value: &[u8]) -> Option<Modified> {
    let text = std::str::from_utf8(value).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: i64 = whole.parse().ok()?;
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let nanoseconds: u32 = digits.parse().ok()?;
    Some(match whole.starts_with('-') && nanoseconds > 0 {
        true => Modified::Utc(seconds.checked_sub(1)?, 1_000_000_000 - nanoseconds),
        false => Modified::Utc(seconds, nanoseconds),
    })
}
