//! The media type of classified content, by magic numbers.

use super::content::{BOM, Content, SAMPLE};

/// Types that `infer` does not recognise reliably: the offset, the magic bytes, the media type. The bytes are from
/// the specifications; unregistered types have the name that `file` or shared-mime-info uses.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"PAR1", "application/vnd.apache.parquet"),
    (0, b"ARROW1\0\0", "application/vnd.apache.arrow.file"),
    (0, b"ORC\x0A", "application/vnd.apache.orc"),
    (0, b"Obj\x01", "application/vnd.apache.avro"),
    (0, b"\x89HDF\r\n\x1A\n", "application/x-hdf5"),
    (0, b"\x93NUMPY", "application/x-npy"),
    (0, b"\x80\x04\x95", "application/x-python-pickle"),
    (0, b"\x80\x05\x95", "application/x-python-pickle"),
    (0, b"\xDE\x12\x04\x95", "application/x-gettext-translation"),
    (0, b"\x95\x04\x12\xDE", "application/x-gettext-translation"),
    (0, b"DIRC\0\0\0", "application/x-git-index"),
    (0, b"PACK\0\0\0", "application/x-git-pack"),
    (0, b"\xFFtOc\0\0\0\x02", "application/x-git-pack-index"),
    (0, b"LPKSHHRH", "application/x-systemd-journal"),
    (0, b"ElfFile\0", "application/x-ms-evtx"),
    (0, b"\xD4\xC3\xB2\xA1", "application/vnd.tcpdump.pcap"),
    (0, b"\xA1\xB2\xC3\xD4", "application/vnd.tcpdump.pcap"),
    (0, b"\x0A\x0D\x0D\x0A", "application/x-pcapng"),
    (0, b"bplist00", "application/x-bplist"),
    (0, b"TZif", "application/tzif"),
    (0, b"\x1A\x01", "application/x-terminfo"),
    (0, b"\x1E\x02", "application/x-terminfo"),
    (30, b"META-INF/", "application/java-archive"),
    (0, b"\x5D\0\0", "application/x-lzma"),
    (0, b"\x1F\x8B", "application/gzip"),
    (0, b"\x89LZO\0\r\n\x1A\n", "application/x-lzop"),
    (0, b"LRZI\0", "application/x-lrzip"),
    (0, b"\xFF\x06\0\0sNaPpY", "application/x-snappy-framed"),
    (0, b"x\x9C", "application/zlib"),
    (0, b"x\xDA", "application/zlib"),
    (0, b"x\x5E", "application/zlib"),
    (0, b"P4\n", "image/x-portable-bitmap"),
    (0, b"P5\n", "image/x-portable-graymap"),
    (0, b"P6\n", "image/x-portable-pixmap"),
    (0, b"\x76\x2F\x31\x01", "image/x-exr"),
    (0, b"\x01\xDA\0", "image/x-sgi"),
    (0, b"\x01\xDA\x01", "image/x-sgi"),
    (0, b"\x59\xA6\x6A\x95", "image/x-sun-raster"),
    (0, b".snd\0\0\0", "audio/basic"),
];

const TEXTS: &[(&[u8], &str)] = &[(b"{\\rtf", "application/rtf"), (b"%!PS-Adobe-", "application/postscript")];

/// The media type of binary content that no magic number names.
pub const UNNAMED: &str = "application/octet-stream";

/// The media type of a file that begins with `head`; text without a more special type is `text/plain`.
pub fn mime(head: &[u8], content: Content) -> &'static str {
    let head = &head[..head.len().min(SAMPLE)];
    if content == Content::Binary { binary_mime(head) } else { text_mime(head) }
}

fn binary_mime(head: &[u8]) -> &'static str {
    let by_magic = MAGIC.iter().find(|(at, magic, _)| head.get(*at..).is_some_and(|h| h.starts_with(magic)));
    match by_magic {
        Some((.., mime)) => mime,
        None if is_python_bytecode(head) => "application/x-python-bytecode",
        None if is_tar(head) => "application/x-tar",
        // `infer` takes any file that begins with 0 and 2 for an Itanium object file.
        None if head.starts_with(&[0, 2]) => UNNAMED,
        None => infer::get(head).map_or(UNNAMED, |kind| kind.mime_type()),
    }
}

fn text_mime(head: &[u8]) -> &'static str {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    if let Some((_, mime)) = TEXTS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return mime;
    }
    if root_element(head).is_some_and(|name| matches!(name, b"svg" | b"svg:svg")) {
        return "image/svg+xml";
    }
    infer::get(head)
        .filter(|kind| kind.matcher_type() == infer::MatcherType::Text)
        .map_or("text/plain", |kind| kind.mime_type())
}

/// A `.pyc` file begins with a version number, 62211 or 3000 to 4095, and `\r\n`.
fn is_python_bytecode(head: &[u8]) -> bool {
    matches!(head, [_, 0x0B..=0x0F | 0xF3, b'\r', b'\n', ..])
}

/// The header of every kind of tar holds the sum of its 512 bytes, in octal; Unix V7 has no magic number.
pub fn is_tar(head: &[u8]) -> bool {
    let Some((header, _)) = head.split_at_checked(512) else { return false };
    let (before, field, after) = (&header[..148], &header[148..156], &header[156..]);
    let digits = field.trim_ascii_start().iter().take_while(|byte| (b'0'..=b'7').contains(byte));
    let stored = digits.fold(0, |sum, digit| sum * 8 + u32::from(digit - b'0'));
    let sum = before.iter().chain(after).map(|byte| u32::from(*byte)).sum::<u32>() + 8 * u32::from(b' ');
    header[0] != 0 && stored == sum
}

fn root_element(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.trim_ascii_start().strip_prefix(b"<")?;
    loop {
        let end: &[u8] = match rest {
            [b'?', ..] => b"?>",
            [b'!', b'-', b'-', ..] => b"-->",
            // A document type may declare entities between brackets.
            [b'!', ..] if memchr::memchr2(b'[', b'>', rest).is_some_and(|at| rest[at] == b'[') => b"]>",
            [b'!', ..] => b">",
            _ => break,
        };
        let past = memchr::memmem::find(rest, end)? + end.len();
        rest = rest[past..].trim_ascii_start().strip_prefix(b"<")?;
    }
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b":_-.".contains(byte)).count();
    Some(&rest[..name])
}
