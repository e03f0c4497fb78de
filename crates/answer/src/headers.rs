//! The facts that the header of a binary file states, beyond its media type.

use std::time::{Duration, UNIX_EPOCH};

use rread_text::sniff::is_tar;
use serde::Serialize;

/// The facts that the header of a binary file states. What lies outside the first and last bytes of the file is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "format_details"))]
pub struct FormatDetails {
    /// The format: ELF, PE, Mach-O, Java class, WebAssembly, ZIP, tar, gzip, SQLite, PDF or a collection of fonts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// The version of the format: of PDF, WebAssembly, and of Java for class files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// 32 or 64, for machine code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u8>,
    /// The order of bytes in a number, for machine code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_order: Option<&'static str>,
    /// The processor, or its number in hexadecimal; all of a Mach-O file for several, with commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The kind of machine code: executable, shared object, relocatable, core dump, DLL and others; the flavour of tar.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The program that links it when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<String>,
    /// Whether an ELF file has no table of symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripped: Option<bool>,
    /// The members of a ZIP archive, or the fonts of a collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
    /// The name of the first member of a tar archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_member: Option<String>,
    /// Bytes in a page of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_size: Option<u32>,
    /// The pages of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// The encoding of the texts in a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// The version that an application gave its database (PRAGMA user_version); left out if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_version: Option<i32>,
    /// The number of the application that made the database (PRAGMA application_id); left out if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application_id: Option<u32>,
    /// The name of the file before gzip compressed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_name: Option<String>,
    /// When that file was modified, in UTC (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_modified: Option<String>,
}

impl FormatDetails {
    fn of(format: &'static str) -> Self {
        FormatDetails { format: Some(format), ..FormatDetails::default() }
    }

    /// Whether the header states nothing.
    pub fn is_empty(&self) -> bool {
        *self == FormatDetails::default()
    }
}

/// The first and last bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileEnds<'a> {
    /// The first bytes.
    pub head: &'a [u8],
    /// The last bytes; empty if they are not known.
    pub tail: &'a [u8],
    /// The size of the file in bytes, if known.
    pub size: Option<u64>,
}

impl<'a> FileEnds<'a> {
    /// The bytes at `offset`, if they are among the known ones.
    fn bytes(&self, offset: u64, length: usize) -> Option<&'a [u8]> {
        let within = |bytes: &'a [u8], start: u64| {
            let from = usize::try_from(offset.checked_sub(start)?).ok()?;
            bytes.get(from..from.checked_add(length)?)
        };
        let tail_start = || self.size?.checked_sub(self.tail.len() as u64);
        within(self.head, 0).or_else(|| within(self.tail, tail_start()?))
    }

    /// Whether `bytes` stand at `offset`.
    fn has(&self, offset: u64, bytes: &[u8]) -> Option<()> {
        (self.bytes(offset, bytes.len())? == bytes).then_some(())
    }
}

/// Numbers in one byte order.
struct Numbers<'a> {
    ends: FileEnds<'a>,
    is_big_endian: bool,
}

impl Numbers<'_> {
    /// The number in `length` bytes at `offset`.
    fn get(&self, offset: u64, length: usize) -> Option<u64> {
        let bytes = self.ends.bytes(offset, length)?.iter();
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_big_endian { bytes.fold(0, join) } else { bytes.rev().fold(0, join) })
    }

    fn u16(&self, offset: u64) -> Option<u64> {
        self.get(offset, 2)
    }

    fn u32(&self, offset: u64) -> Option<u32> {
        self.get(offset, 4).and_then(|number| u32::try_from(number).ok())
    }
}

/// The details of the file with these ends; empty if its header states none.
pub fn format_details(ends: &FileEnds<'_>) -> FormatDetails {
    let [little, big] = [false, true].map(|is_big_endian| Numbers { ends: *ends, is_big_endian });
    let details = match ends.head {
        [0x7F, b'E', b'L', b'F', _, 2, ..] => elf(&big),
        [0x7F, b'E', b'L', b'F', _, 1, ..] => elf(&little),
        [b'M', b'Z', ..] => pe(&little),
        [0xFE, 0xED, 0xFA, 0xCE | 0xCF, ..] => mach_o(&big),
        [0xCE | 0xCF, 0xFA, 0xED, 0xFE, ..] => mach_o(&little),
        [0xCA, 0xFE, 0xBA, 0xBE, ..] => java_or_fat(&big),
        [0, b'a', b's', b'm', ..] => wasm(&little),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => {
            Some(FormatDetails { members: zip_members(&little), ..FormatDetails::of("ZIP") })
        }
        [0x1F, 0x8B, 8, ..] => gzip(ends.head),
        [b'%', b'P', b'D', b'F', b'-', major, b'.', minor, ..]
            if major.is_ascii_digit() && minor.is_ascii_digit() =>
        {
            let version = Some(format!("{}.{}", char::from(*major), char::from(*minor)));
            Some(FormatDetails { version, ..FormatDetails::of("PDF") })
        }
        [b't', b't', b'c', b'f', ..] => big
            .get(8, 4)
            .map(|fonts| FormatDetails { members: Some(fonts), ..FormatDetails::of("font collection") }),
        head if head.starts_with(b"SQLite format 3\0") => sqlite(&big),
        head if is_tar(head) => tar(head),
        _ => None,
    };
    details.unwrap_or_default()
}

/// Adds the name and the time that the header of a gzip file states.
pub fn with_gzip(details: FormatDetails, head: &[u8]) -> FormatDetails {
    let gzip = gzip(head).unwrap_or_default();
    FormatDetails { original_name: gzip.original_name, original_modified: gzip.original_modified, ..details }
}

/// `e_machine` of ELF, with the names of Linux.
const ELF_MACHINES: &str = "0x2 sparc 0x3 x86 0x4 m68k 0x8 mips 0xf parisc 0x12 sparc32plus 0x14 powerpc 0x15 powerpc64 0x16 s390 \
    0x28 arm 0x2a sh 0x2b sparc64 0x32 ia64 0x3e x86-64 0x53 avr 0x5d arc 0x5e xtensa 0x69 msp430 0xb7 aarch64 0xbd microblaze \
    0xbe cuda 0xe0 amdgpu 0xf3 riscv 0xf7 bpf 0xfc csky 0x102 loongarch 0x9026 alpha";

/// `Machine` of the COFF header (PE format, "Machine types").
const PE_MACHINES: &str = "0x14c x86 0x1c0 arm 0x1c4 arm 0x200 ia64 0xebc efi-bytecode 0x5032 riscv32 0x5064 riscv64 \
    0x6264 loongarch64 0x8664 x86-64 0xa641 arm64ec 0xaa64 aarch64";

/// `cputype` of Mach-O (mach/machine.h).
const MACH_MACHINES: &str = "0x7 x86 0xc arm 0x12 powerpc 0x1000007 x86-64 0x100000c aarch64 0x1000012 powerpc64 \
    0x200000c aarch64-32";

/// The name that a table has for `number`, or the number.
fn machine(table: &str, number: u64) -> String {
    let number = format!("{number:#x}");
    let mut words = table.split(' ');
    let name = words.find(|word| *word == number).and_then(|_| words.next());
    name.map_or(number, str::to_owned)
}

/// The word that a table has for `number`.
fn kind(table: &[(u64, &'static str)], number: u64) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

const ELF_KINDS: &[(u64, &str)] =
    &[(1, "relocatable"), (2, "executable"), (3, "shared object"), (4, "core dump")];

const MACH_KINDS: &[(u64, &str)] = &[
    (1, "relocatable"),
    (2, "executable"),
    (4, "core dump"),
    (6, "shared object"),
    (7, "dynamic linker"),
    (8, "bundle"),
    (10, "debug symbols"),
    (11, "kernel extension"),
];

/// The most headers of segments and sections of ELF to look at.
const MAX_ELF_HEADERS: u64 = 256;
const INTERPRETER: u64 = 3;
const SYMBOL_TABLE: u64 = 2;

/// ELF (System V ABI, chapters 4 and 5).
fn elf(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    let [class, _, version]: [u8; 3] = numbers.ends.bytes(4, 3)?.try_into().ok()?;
    // The length of a word, and the offset of the counts of headers.
    let (word, counts) = match class {
        1 => (4, 42),
        2 => (8, 54),
        _ => return None,
    };
    let kind = kind(ELF_KINDS, numbers.u16(16)?);
    let machine = Some(machine(ELF_MACHINES, numbers.u16(18)?));
    let is_whole = version == 1 && kind != Some("core dump");
    Some(FormatDetails {
        bits: Some(8 * word),
        byte_order: Some(if numbers.is_big_endian { "big" } else { "little" }),
        machine,
        kind,
        interpreter: elf_interpreter(numbers, word.into(), counts),
        stripped: if is_whole { is_stripped(numbers, word.into(), counts) } else { None },
        ..FormatDetails::of("ELF")
    })
}

fn elf_interpreter(numbers: &Numbers<'_>, word: usize, counts: u64) -> Option<String> {
    let (start, size) = (numbers.get(24 + word as u64, word)?, numbers.u16(counts)?);
    let count = numbers.u16(counts + 2)?.min(MAX_ELF_HEADERS);
    let mut headers = (0..count).map(|index| start.saturating_add(index * size));
    let found = headers.find_map(|at| match numbers.get(at, 4) {
        Some(INTERPRETER) => Some(Some(at)),
        Some(_) => None,
        None => Some(None),
    })??;
    let field = |index: u64| numbers.get(found.checked_add(index * word as u64)?, word);
    let text = numbers.ends.bytes(field(1)?, usize::try_from(field(4)?).ok()?)?;
    let text = before_nul(text).filter(|text| !text.is_empty() && text.len() < 4096)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Whether no section has symbols; `None` if the headers of sections are not among the known bytes.
fn is_stripped(numbers: &Numbers<'_>, word: usize, counts: u64) -> Option<bool> {
    let start = numbers.get(24 + 2 * word as u64, word)?;
    let (size, count) = (numbers.u16(counts + 4)?, numbers.u16(counts + 6)?);
    if start == 0 {
        return Some(true);
    }
    // 0 sections at an offset means more than 65,279.
    if count == 0 || count > MAX_ELF_HEADERS || size < 8 {
        return None;
    }
    let kind = |index| numbers.get(start.checked_add(index * size)?.checked_add(4)?, 4);
    let kinds = (0..count).map(kind).collect::<Option<Vec<_>>>()?;
    Some(!kinds.contains(&SYMBOL_TABLE))
}

fn pe(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    let start = numbers.get(0x3C, 4)?;
    numbers.ends.has(start, b"PE\0\0")?;
    let flags = numbers.u16(start + 22)?;
    let kinds = [(0x2000, "DLL"), (2, "executable")];
    Some(FormatDetails {
        bits: match numbers.u16(start + 24) {
            Some(0x10B) => Some(32),
            Some(0x20B) => Some(64),
            _ => None,
        },
        byte_order: Some("little"),
        machine: Some(machine(PE_MACHINES, numbers.u16(start + 4)?)),
        kind: kinds.into_iter().find(|(flag, _)| flags & flag != 0).map(|(_, kind)| kind),
        ..FormatDetails::of("PE")
    })
}

fn mach_o(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    let is_64 = numbers.u32(0)? == 0xFEED_FACF;
    Some(FormatDetails {
        bits: Some(if is_64 { 64 } else { 32 }),
        byte_order: Some(if numbers.is_big_endian { "big" } else { "little" }),
        kind: kind(MACH_KINDS, numbers.get(12, 4)?),
        machine: Some(machine(MACH_MACHINES, numbers.get(4, 4)?)),
        ..FormatDetails::of("Mach-O")
    })
}

/// Class files and Mach-O files of several processors begin with the same number. The latter have fewer processors than
/// the oldest class file has as its major version.
fn java_or_fat(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    let major = numbers.u16(6)?;
    if let Some(version) = major.checked_sub(44).filter(|version| *version > 0) {
        // Java 1.0.2 to 1.4 had other numbers.
        let version = if version < 5 { format!("1.{version}") } else { version.to_string() };
        return Some(FormatDetails { version: Some(version), ..FormatDetails::of("Java class") });
    }
    let count = numbers.get(4, 4).filter(|count| *count > 0)?;
    let machines = (0..count).map(|index| Some(machine(MACH_MACHINES, numbers.get(8 + 20 * index, 4)?)));
    Some(FormatDetails {
        machine: Some(machines.collect::<Option<Vec<_>>>()?.join(", ")),
        ..FormatDetails::of("Mach-O")
    })
}

fn wasm(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    Some(FormatDetails {
        kind: kind(&[(0, "module"), (1, "component")], numbers.u16(6)?),
        version: Some(numbers.u16(4)?.to_string()),
        ..FormatDetails::of("WebAssembly")
    })
}

/// The members of an archive, from the record at its end (APPNOTE.TXT, 4.3.14 to 4.3.16).
fn zip_members(numbers: &Numbers<'_>) -> Option<u64> {
    let FileEnds { head, tail, size } = numbers.ends;
    let (size, known) = (size?, if tail.is_empty() { head } else { tail });
    let start = size.checked_sub(known.len() as u64)?;
    // The comment after the record may contain its signature: the length of the comment must lead to the end.
    let is_end = |at: &u64| numbers.u16(at + 20).is_some_and(|comment| at + 22 + comment == size);
    let at = memchr::memmem::rfind_iter(known, b"PK\x05\x06").map(|at| start + at as u64).find(is_end)?;
    let members = numbers.u16(at + 10)?;
    // The number that stands for one in the record of ZIP64, which a locator leads to.
    if members != u64::from(u16::MAX) {
        return Some(members);
    }
    let locator = at.checked_sub(20)?;
    if numbers.ends.bytes(locator, 4)? != b"PK\x06\x07" {
        return Some(members);
    }
    let record = numbers.get(locator + 8, 8)?;
    numbers.ends.has(record, b"PK\x06\x06")?;
    numbers.get(record.checked_add(32)?, 8)
}

/// The longest name that a file can have on Linux.
const MAX_NAME_BYTES: usize = 255;

/// The name and the time in the header of a gzip file (RFC 1952).
fn gzip(head: &[u8]) -> Option<FormatDetails> {
    let (&[0x1F, 0x8B, 8, flags, a, b, c, d, _, _], mut rest) = head.split_first_chunk::<10>()? else {
        return None;
    };
    let time = u32::from_le_bytes([a, b, c, d]);
    let modified = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(u64::from(time)));
    let (has_extra, has_name) = (flags & 4 != 0, flags & 8 != 0);
    if has_name && has_extra {
        let (length, after) = rest.split_first_chunk()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    let name = before_nul(rest).filter(|name| has_name && (1..=MAX_NAME_BYTES).contains(&name.len()));
    Some(FormatDetails {
        // The standard says Latin-1, and gzip writes the bytes of the name.
        original_name: name.map(|name| match std::str::from_utf8(name) {
            Ok(name) => name.to_owned(),
            Err(_) => name.iter().map(|byte| char::from(*byte)).collect(),
        }),
        // 0 means that there is none.
        original_modified: (time != 0).then(|| modified.to_string()),
        ..FormatDetails::of("gzip")
    })
}

/// The text before the first NUL; `None` if there is no NUL.
fn before_nul(bytes: &[u8]) -> Option<&[u8]> {
    bytes.iter().position(|byte| *byte == 0).map(|nul| &bytes[..nul])
}

/// The header of a database (SQLite, "Database File Format", 1.3).
fn sqlite(numbers: &Numbers<'_>) -> Option<FormatDetails> {
    let page_size = numbers.u16(16).map(|size| if size == 1 { 65_536 } else { size })?;
    if !page_size.is_power_of_two() || page_size < 512 {
        return None;
    }
    // Older versions of SQLite leave an old number of pages there; then the counters differ.
    let is_current = numbers.u32(24)? == numbers.u32(92)?;
    Some(FormatDetails {
        page_size: u32::try_from(page_size).ok(),
        pages: numbers.u32(28).filter(|pages| is_current && *pages > 0),
        encoding: kind(&[(1, "utf-8"), (2, "utf-16le"), (3, "utf-16be")], numbers.get(56, 4)?),
        user_version: numbers.u32(60).map(u32::cast_signed).filter(|version| *version != 0),
        application_id: numbers.u32(68).filter(|id| *id != 0),
        ..FormatDetails::of("SQLite")
    })
}

/// The first header of a tar archive (POSIX pax, "ustar Interchange Format").
fn tar(head: &[u8]) -> Option<FormatDetails> {
    let (header, _) = head.split_first_chunk::<512>()?;
    let magic = &header[257..265];
    let (kind, prefix) = match magic {
        b"ustar  \0" => ("GNU", &[][..]),
        _ if magic.starts_with(b"ustar\0") => ("ustar", &header[345..500]),
        _ => ("V7", &[][..]),
    };
    let text = |field| String::from_utf8_lossy(before_nul(field).unwrap_or(field)).into_owned();
    let (name, prefix) = (text(&header[..100]), text(prefix));
    let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
    // The header before a long name or extended attributes belongs to the member after it.
    let is_member = matches!(header[156], 0 | b'0'..=b'7' | b'S' | b'D');
    Some(FormatDetails {
        kind: Some(if matches!(header[156], b'x' | b'g') { "pax" } else { kind }),
        first_member: is_member.then_some(name),
        ..FormatDetails::of("tar")
    })
}
