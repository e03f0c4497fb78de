//! ZIP archives as real programs and mail gateways leave them: other bytes after the end, names in every encoding, the
//! methods of compression, parts of split archives.

use std::fs;
use std::path::{Path, PathBuf};

use rread_source::archive::Reading;
use rread_source::member_metadata::EntryKind;
use rread_source::{archive, open, read_full};
use rread_text::error::Error;
use tempfile::TempDir;

const TEXT: &[u8] = b"one\n";

/// A member to write, with fields that are right for a stored file.
#[derive(Clone)]
pub(super) struct Member<'a> {
    name: &'a [u8],
    pub(super) data: Vec<u8>,
    text: &'a [u8],
    pub(super) method: u16,
    flags: u16,
    extra: Vec<u8>,
    host: u8,
    attributes: u32,
    part: u16,
}

pub(super) fn member<'a>(name: &'a [u8], text: &'a [u8]) -> Member<'a> {
    let data = text.to_vec();
    Member { name, data, text, method: 0, flags: 0, extra: vec![], host: 3, attributes: 0, part: 0 }
}

fn u16s(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|number| u16::try_from(*number).unwrap().to_le_bytes()).collect()
}

fn u32s(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|number| u32::try_from(*number).unwrap().to_le_bytes()).collect()
}

impl Member<'_> {
    fn fields(&self) -> Vec<u8> {
        let head = u16s(&[20, usize::from(self.flags), usize::from(self.method), 0, 33]);
        let crc = crc32fast::hash(self.text).to_le_bytes();
        let sizes = u32s(&[self.data.len(), self.text.len()]);
        let lengths = u16s(&[self.name.len(), self.extra.len()]);
        [&head[..], &crc, &sizes, &lengths].concat()
    }
}

/// The members and their directory, and the offset of the directory.
fn body(members: &[Member<'_>]) -> (Vec<u8>, usize) {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let fields = member.fields();
        let last = [u16s(&[0, usize::from(member.part), 0]), member.attributes.to_le_bytes().to_vec()];
        directory.extend([b"PK\x01\x02\x14", &[member.host][..], &fields, &last.concat()].concat());
        directory.extend([&u32s(&[bytes.len()])[..], member.name, &member.extra].concat());
        bytes.extend([b"PK\x03\x04", &fields[..], member.name, &member.extra, &member.data].concat());
    }
    let offset = bytes.len();
    bytes.extend(directory);
    (bytes, offset)
}

fn end(part: usize, members: usize, length: usize, offset: usize, comment: usize) -> Vec<u8> {
    let numbers = u16s(&[part, part, members, members]);
    [b"PK\x05\x06", &numbers[..], &u32s(&[length, offset]), &u16s(&[comment])].concat()
}

fn zip_with(members: &[Member<'_>], part: usize, comment: &[u8], declared: usize) -> Vec<u8> {
    let (bytes, offset) = body(members);
    let end = end(part, members.len(), bytes.len() - offset, offset, declared);
    [&bytes[..], &end, comment].concat()
}

pub(super) fn zip(members: &[Member<'_>]) -> Vec<u8> {
    zip_with(members, 0, b"", 0)
}

/// A folder with the archive `a.zip`.
struct Archive {
    folder: TempDir,
    name: &'static str,
}

impl Archive {
    fn new(bytes: &[u8]) -> Self {
        Archive::named("a.zip", bytes)
    }

    fn named(name: &'static str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        Archive { folder, name }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// The text of the member `name`, or the message of the error.
    fn read(&self, name: impl AsRef<[u8]>) -> Result<Vec<u8>, String> {
        self.open(name).map_err(|error| error.message.plain())
    }

    fn open(&self, name: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
        use std::os::unix::ffi::OsStrExt;
        let path = self.path();
        let address = [b"zip:", path.as_os_str().as_encoded_bytes(), b"/", name.as_ref()].concat();
        let source = open(Path::new(std::ffi::OsStr::from_bytes(&address)))?;
        let mut text = vec![0; 1 << 20];
        let got = read_full(&*source, &mut text, 0).map_err(|cause| Error::read("cannot read", &cause))?;
        text.truncate(got);
        // The end is where the checksum is compared.
        read_full(&*source, &mut [0], got as u64).map_err(|cause| Error::read("cannot read", &cause))?;
        Ok(text)
    }

    fn list(&self) -> Result<Vec<(String, EntryKind)>, Error> {
        let (path, mut list) = (self.path(), Vec::new());
        let source = open(&path)?;
        let kind = archive::kind_of(&*source, &path)?.ok_or_else(|| Error::usage("no archive"))?;
        let mut walk = archive::Walk::new(&*source, kind, &path, Reading::default())?;
        while let Some(entry) = walk.next()? {
            list.push((String::from_utf8_lossy(&entry.listed.name).into_owned(), entry.listed.kind));
        }
        Ok(list)
    }
}

/// Each archive has the member `a.txt`, and is followed by anything.
#[test]
fn bytes_after_the_end_change_nothing() {
    let (inner, other) = (zip(&[member(b"inner.txt", b"inner\n")]), zip(&[member(b"a.txt", b"other\n")]));
    let outer = [member(b"a.txt", TEXT), member(b"i.zip", &inner)];
    let plain = zip(&outer);
    let record = plain[plain.len() - 22..].to_vec();
    let prefix = b"#!/bin/sh\nexec unzip $0\n";
    let commented = |comment: &[u8]| zip_with(&outer, 0, comment, comment.len());
    let archives = [
        ("nothing", plain.clone()),
        ("a comment", commented(b"a comment")),
        ("a long comment", commented(&[b'x'; 65_535])),
        ("a comment with the signature", commented(b"PK\x05\x06 is a signature")),
        ("a comment with an empty archive", commented(&end(0, 0, 0, 0, 0))),
        ("a comment with the same record", commented(&record)),
        ("a comment with an archive", commented(&other)),
        ("a comment that is cut off", zip_with(&outer, 0, b"short", 1000)),
        ("a comment that is longer than it declares", zip_with(&outer, 0, b"a comment", 3)),
    ];
    let line = b"-- \nThis message was checked for viruses.\n";
    let after: [&[u8]; 7] = [b"", b"\n", b"\0", &[0; 512], line, b"PK\x05\x06", &[b'x'; 30_000]];
    for (what, archive) in archives {
        for after in after {
            for before in [&b""[..], prefix] {
                // No reader looks further back.
                if archive.len() - plain.len() + after.len() > 65_535 {
                    continue;
                }
                let archive = Archive::new(&[before, &archive, after].concat());
                let what = format!("{what}, {} bytes before and {} after", before.len(), after.len());
                assert_eq!(archive.read("a.txt").as_deref(), Ok(TEXT), "{what}");
                let names: Vec<String> = archive.list().unwrap().into_iter().map(|(name, _)| name).collect();
                assert_eq!(names, ["a.txt", "i.zip"], "{what}");
            }
        }
    }
}

#[test]
fn an_archive_in_a_stored_member_is_not_taken_for_the_archive() {
    let inner = zip(&[member(b"inner.txt", b"inner\n")]);
    let (bytes, offset) = body(&[member(b"a.txt", TEXT), member(b"i.zip", &inner)]);
    // The outer directory and its record are cut off, so only the inner ones are left, and something after them.
    for cut in [offset + 5, offset + 60] {
        let archive = Archive::new(&bytes[..cut]);
        let message = archive.read("inner.txt").unwrap_err();
        assert!(message.contains("it has no directory at its end"), "{cut}: {message}");
    }
    // An archive after another one is that of a program that extracts itself.
    for after in [&b""[..], b"\n"] {
        let both = [&zip(&[member(b"a.txt", TEXT)])[..], &inner, after].concat();
        assert_eq!(Archive::new(&both).read("inner.txt").as_deref(), Ok(&b"inner\n"[..]));
    }
}

#[test]
fn empty_archives_and_bytes_before_the_record_are_read() {
    for after in [&b""[..], &[0; 512]] {
        let archive = Archive::new(&[&end(0, 0, 0, 0, 0)[..], after].concat());
        assert_eq!(archive.list().unwrap(), []);
        assert!(archive.read("a").unwrap_err().contains("there is no a in the archive"));
    }
    let (bytes, offset) = body(&[member(b"a.txt", TEXT)]);
    let record = end(0, 1, bytes.len() - offset, offset, 0);
    let archive = Archive::new(&[&bytes[..], b"a signature", &record].concat());
    assert_eq!(archive.read("a.txt").as_deref(), Ok(TEXT));
}

fn unicode(of: &[u8], name: &str) -> Vec<u8> {
    let field = [&[1][..], &crc32fast::hash(of).to_le_bytes(), name.as_bytes()].concat();
    [&u16s(&[0x7075, field.len()])[..], &field].concat()
}

#[test]
fn a_name_is_found_by_its_characters_and_by_its_bytes() {
    let old = &b"Gr\x94\xE1e.txt"[..];
    let cases = [
        (old, 0, vec![], "Größe.txt"),
        (old, 0, unicode(old, "Größe.txt"), "Größe.txt"),
        (b"Gr__e.txt", 0, unicode(b"Gr__e.txt", "Größe.txt"), "Größe.txt"),
        ("Größe.txt".as_bytes(), 1 << 11, vec![], "Größe.txt"),
        ("Größe.txt".as_bytes(), 0, vec![], "Größe.txt"),
        (old, 0, unicode(b"another name", "Größe.txt"), "Größe.txt"),
        (b"d\x81/\x8E", 0, vec![], "dü/Ä"),
    ];
    for (bytes, flags, extra, name) in cases {
        let archive = Archive::new(&zip(&[Member { flags, extra, ..member(bytes, TEXT) }]));
        assert_eq!(archive.list().unwrap(), [(name.to_owned(), EntryKind::File)]);
        for spelling in [name.as_bytes(), bytes] {
            assert_eq!(archive.read(spelling).as_deref(), Ok(TEXT), "{bytes:?} as {spelling:?}");
        }
    }
    // A name wins over the bytes of another name, wherever it is in the archive.
    let named = member(b"x", b"the name\n");
    let bytes = Member { extra: unicode(b"x", "y"), ..member(b"x", b"the bytes\n") };
    for members in [[named.clone(), bytes.clone()], [bytes, named]] {
        let archive = Archive::new(&zip(&members));
        assert_eq!(archive.read("x").as_deref(), Ok(&b"the name\n"[..]));
        assert_eq!(archive.read("y").as_deref(), Ok(&b"the bytes\n"[..]));
    }
}

#[test]
fn deflated_members_are_decompressed_and_checked() {
    let long: Vec<u8> = (0..60_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
    for text in [&b""[..], b"1", TEXT, &long] {
        let data = miniz_oxide::deflate::compress_to_vec(text, 6);
        let whole = Member { method: 8, data: data.clone(), ..member(b"a", text) };
        let what = format!("{} bytes", text.len());
        assert_eq!(Archive::new(&zip(std::slice::from_ref(&whole))).read("a").as_deref(), Ok(text), "{what}");
        // The container has another checksum or another size.
        for other in [&[text, b"x"].concat()[..], &text[..text.len().saturating_sub(1)]] {
            // Nothing is read of a member that is declared to be empty.
            if other == text || other.is_empty() {
                continue;
            }
            let message =
                Archive::new(&zip(&[Member { text: other, ..whole.clone() }])).read("a").unwrap_err();
            assert!(message.contains("damaged"), "{what}: {message}");
        }
        let other: Vec<u8> = text.iter().map(|byte| byte ^ 1).collect();
        if other != text {
            let message =
                Archive::new(&zip(&[Member { text: &other, ..whole.clone() }])).read("a").unwrap_err();
            assert!(message.contains("checksum"), "{what}: {message}");
        }
        // The data is cut off, or changed.
        let cut = Member { data: data[..data.len().saturating_sub(10)].to_vec(), ..whole.clone() };
        if !text.is_empty() {
            assert!(Archive::new(&zip(&[cut])).read("a").is_err(), "{what}");
        }
    }
}

#[test]
fn other_methods_have_a_command() {
    for (method, name) in [
        (1, "shrink"),
        (6, "implode"),
        (9, "deflate64"),
        (12, "bzip2"),
        (93, "zstd"),
        (98, "ppmd"),
        (77, "method 77"),
    ] {
        let archive = Archive::new(&zip(&[Member { method, ..member(b"a b", TEXT) }]));
        let error = archive.open("a b").unwrap_err();
        assert!(
            error.message.plain().starts_with(&format!("is compressed with {name} in the archive")),
            "{error:?}"
        );
        let command = format!("7z x -so -spd -- {} 'a b' | lines - 1:20", archive.path().display());
        assert_eq!(error.hint.unwrap().plain(), command);
    }
}

#[test]
fn a_part_of_a_split_archive_is_named() {
    let members = [member(b"a", TEXT), member(b"b", TEXT)];
    for (file, bytes) in [
        ("s.zip", zip_with(&members, 1, b"", 0)),
        ("s.zip", zip_with(&members, 11, b"c", 1)[30..].to_vec()),
        ("s.zip", [&zip_with(&members, 1, b"", 0)[..], b"\n"].concat()),
        ("s.z01", [b"PK\x07\x08", &body(&members).0[..70]].concat()),
        ("s.z02", vec![b'x'; 1000]),
        ("s", [b"PK\x07\x08", &body(&members).0[..70]].concat()),
    ] {
        let archive = Archive::named(file, &bytes);
        let error = archive.open("a").unwrap_err();
        assert_eq!(
            error.message.plain(),
            "is a part of a split archive; rread reads whole archives",
            "{file}"
        );
        let folder = archive.folder.path().display();
        assert_eq!(error.hint.unwrap().plain(), format!("zip -s 0 {folder}/s.zip --out {folder}/all.zip"));
        if !file.ends_with("z02") {
            assert!(archive.list().unwrap_err().message.plain().contains("split archive"), "{file}");
        }
    }
    // A whole archive whose record has another number.
    let all = members.map(|member| Member { part: 1, ..member });
    assert_eq!(Archive::new(&zip_with(&all, 1, b"", 0)).read("a").as_deref(), Ok(TEXT));
}

#[test]
fn directories_of_dos_are_directories_and_encrypted_ones_are_refused() {
    let dos = |name, text, host| Member { host, attributes: 0x10, ..member(name, text) };
    for (entry, kind) in [
        (dos(b"d", b"", 0), EntryKind::Directory),
        (dos(b"d", b"", 10), EntryKind::Directory),
        (dos(b"d", b"", 3), EntryKind::Directory),
        (dos(b"d", TEXT, 0), EntryKind::File),
        (Member { attributes: 0x20, ..dos(b"d", b"", 0) }, EntryKind::File),
        (Member { attributes: 0o100_644 << 16 | 0x10, ..dos(b"d", b"", 3) }, EntryKind::File),
    ] {
        assert_eq!(Archive::new(&zip(&[entry])).list().unwrap(), [("d".to_owned(), kind)]);
    }
    // Headers are masked, and the directory is not legible.
    let (mut bytes, offset) = body(&[Member { flags: 1 | 1 << 13, ..member(b"a", TEXT) }]);
    bytes[offset..].fill(0xA5);
    bytes.extend(end(0, 1, bytes.len() - offset, offset, 0));
    let message = Archive::new(&bytes).read("a").unwrap_err();
    assert!(message.contains("its directory is invalid at byte"), "{message}");
}

/// Thousands of false records cost little.
#[test]
fn false_records_before_the_right_one_are_passed_over() {
    let (bytes, offset) = body(&[member(b"a.txt", TEXT)]);
    let record = end(0, 1, bytes.len() - offset, offset, 0);
    for after in [end(0, 3, 40, 20, 0).repeat(900), end(0, 3, 40, 20, 65_535).repeat(900)] {
        let archive = Archive::new(&[&bytes[..], &record, &after].concat());
        assert_eq!(archive.read("a.txt").as_deref(), Ok(TEXT));
    }
}
