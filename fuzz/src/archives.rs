//! Archives with anything in them: every walk ends after work in proportion to the archive, and a listed member can be
//! read with the declared size, or is refused.
//!
//! The first byte of an input says how the rest becomes an archive.

use std::collections::HashMap;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rread_source::access::Access;
use rread_source::archive::{Entry, Reading, Walk, kind_of};
use rread_source::member_address::ArchiveKind;
use rread_source::member_metadata::EntryKind;
use rread_source::open::open_as;
use rread_source::{Decoding, Source};

use crate::mutate::mutated;
use crate::program::Folder;
use crate::zip::{Member, zip};
use rread_testkit::pack::PACKS;
use rread_testkit::rng::Rng;

/// The most bytes that are read of a member, and the most members that are read.
const MOST: usize = 1 << 20;
const MOST_MEMBERS: usize = 6;

const BLOCK: usize = 512;

pub fn run(data: &[u8]) {
    let Some((how, rest)) = data.split_first() else { return };
    match how % 4 {
        // t, q, z and w.
        0 => {
            let tar = with_checksums(rest);
            check(&tar, &tar);
        }
        1 => {
            let Some((pack, rest)) = rest.split_first() else { return };
            let tar = with_checksums(rest);
            check(&PACKS[usize::from(*pack) % PACKS.len()].of(&tar), &tar);
        }
        2 => check(rest, rest),
        _ => written(rest),
    }
}

/// The tar archive `bytes` with right checksums in its headers, so that changes of other fields are seen.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let (mut tar, mut at) = (bytes.to_vec(), 0);
    while let Some(header) = tar.get_mut(at..at + BLOCK).filter(|header| header.iter().any(|byte| *byte != 0))
    {
        header[148..156].fill(b' ');
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let digits = header[124..136].iter().take_while(|byte| (b'0'..=b'7').contains(byte));
        let size = digits.fold(0usize, |size, digit| size.saturating_mul(8) + usize::from(digit - b'0'));
        at = at.saturating_add(BLOCK).saturating_add(size.min(bytes.len()).next_multiple_of(BLOCK));
    }
    tar
}

/// Checks the archive `file`, which is `archive` without its compression.
fn check(file: &[u8], archive: &[u8]) {
    for kind in [ArchiveKind::Tar, ArchiveKind::Zip] {
        let source = Counting { bytes: archive, read: AtomicU64::new(0) };
        let (entries, is_whole) = walked(&source, kind, archive.len());
        let read = source.read.load(Ordering::Relaxed);
        assert!(read <= 8 * archive.len() as u64 + 4096, "{read} bytes read of {}", archive.len());
        let _ = kind_of(&source, Path::new("a"));
        if entries.is_empty() {
            continue;
        }
        let opened = Opened::new(file, kind);
        if file != archive {
            let unpacked = open_as(&opened.file, &Access::default()).unwrap();
            let (again, _) = walked(&*unpacked, kind, archive.len());
            // A decoder does not know its size before its end, where a walk of a cut archive ends.
            assert!(again.len() >= entries.len(), "{} members of {}", again.len(), entries.len());
            assert!(again.iter().zip(&entries).all(|(again, entry)| again.listed.name == entry.listed.name));
        }
        let mut last = HashMap::new();
        for entry in &entries {
            last.insert(plain(&entry.listed.name), entry);
        }
        let mut names: Vec<_> = last.into_iter().filter(|(name, _)| !name.is_empty()).collect();
        names.sort_by_key(|(name, _)| *name);
        for (name, entry) in names.into_iter().take(MOST_MEMBERS) {
            member(&opened, kind, name, entry, is_whole);
        }
    }
}

/// The members of an archive, and whether no damage ended the walk.
fn walked(source: &dyn Source, kind: ArchiveKind, length: usize) -> (Vec<Entry>, bool) {
    let mut entries = Vec::new();
    let Ok(mut walk) = Walk::new(source, kind, Path::new("a"), Reading::default()) else {
        return (entries, false);
    };
    loop {
        match walk.next() {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => return (entries, true),
            Err(_) => return (entries, false),
        }
        assert!(entries.len() <= length / 46, "{kind:?}: {} members in {length} bytes", entries.len());
    }
}

fn plain(mut name: &[u8]) -> &[u8] {
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    while let Some(rest) = name.strip_suffix(b"/") {
        name = rest;
    }
    name
}

/// Reads the member `name`, of which `entry` is the last.
fn member(opened: &Opened, kind: ArchiveKind, name: &[u8], entry: &Entry, is_whole: bool) {
    if name.len() > 4000 {
        return;
    }
    let path = opened.address(name);
    let stored = open_as(&path, &Access { raw: true, ..Access::default() });
    let is_file = entry.listed.kind == EntryKind::File;
    let stored = match stored {
        Ok(stored) => stored,
        Err(error) => {
            // tar has no methods and no encryption: only damage after a member hides it, or that it is sparse.
            let said = error.message.plain();
            let is_plain = is_file && is_whole && !said.contains("is a sparse file");
            assert!(!is_plain || kind == ArchiveKind::Zip, "{path:?}: {said}");
            return;
        }
    };
    assert!(is_whole, "{path:?} of a damaged archive");
    assert!(
        is_file || matches!(entry.listed.kind, EntryKind::HardLink(_)),
        "{path:?} is a {}",
        entry.listed.kind.name()
    );
    let size = stored.size().unwrap();
    match whole(&*stored) {
        Ok(bytes) => assert_eq!(bytes.len() as u64, size.min(MOST as u64), "{path:?}"),
        // A stored member may have a wrong checksum.
        Err(cause) => assert_eq!(kind, ArchiveKind::Zip, "{path:?}: {cause}"),
    }
    if kind == ArchiveKind::Tar && is_file {
        assert_eq!(size, entry.listed.size, "{path:?}");
    }
    let contained = stored.info().contained;
    assert!(contained.is_none_or(|contained| contained.text_size == entry.listed.size));
    let Ok(source) = open_as(&path, &Access::default()) else { return };
    let is_compressed = source.info().decoding.map(Decoding::format);
    let is_own = is_compressed.is_none() || contained.is_some() && is_compressed == Some("deflate");
    match whole(&*source) {
        Ok(bytes) if is_own && is_file => {
            assert_eq!(bytes.len() as u64, entry.listed.size.min(MOST as u64), "{path:?}");
        }
        _ => {}
    }
}

/// The first bytes of `source`, up to the most.
fn whole(source: &dyn Source) -> io::Result<Vec<u8>> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 5000]);
    while bytes.len() < MOST {
        let wanted = buffer.len().min(MOST - bytes.len());
        match source.read_at(&mut buffer[..wanted], bytes.len() as u64)? {
            0 => break,
            got => bytes.extend(&buffer[..got]),
        }
    }
    Ok(bytes)
}

/// An archive of texts is read as it was written; a changed one gives these texts or errors.
fn written(data: &[u8]) {
    let Some((seed, rest)) = data.split_at_checked(2) else { return };
    let mut rng = Rng::new(u64::from(u16::from_le_bytes([seed[0], seed[1]])));
    let lines: Vec<&[u8]> = rest.split(|byte| *byte == b'\n').collect();
    let members: Vec<(Vec<u8>, Vec<u8>)> =
        (0..).zip(lines.chunks(2).take(20)).map(|(n, lines)| named(&mut rng, n, lines)).collect();
    let deflated = rng.below(1 << 20);
    let list: Vec<Member<'_>> = (0..)
        .zip(&members)
        .map(|(n, (name, content))| Member { name, content, is_deflated: deflated >> n & 1 == 1 })
        .collect();
    let archive = zip(&list);
    expect(&archive, &members, true);
    let changed = mutated(&mut rng, &archive, rest);
    check(&changed, &changed);
    expect(&changed, &members, false);
}

/// A member of a line for the name and a line for the content, each name once.
fn named(rng: &mut Rng, n: usize, lines: &[&[u8]]) -> (Vec<u8>, Vec<u8>) {
    let name = lines[0].iter().copied().filter(|byte| ![0, b'/'].contains(byte)).take(200);
    let content = lines.get(1).copied().unwrap_or_default().repeat(1 + rng.below(100));
    (name.chain(format!("-{n}").bytes()).collect(), content[..content.len().min(MOST)].to_vec())
}

fn expect(archive: &[u8], members: &[(Vec<u8>, Vec<u8>)], is_right: bool) {
    let opened = Opened::new(archive, ArchiveKind::Zip);
    for (name, content) in members {
        let bytes = open_as(&opened.address(name), &Access::default())
            .map_err(|error| io::Error::other(error.message.plain()))
            .and_then(|source| {
                let format = source.info().decoding.map(Decoding::format);
                let is_own = format.is_none_or(|format| format == "deflate");
                whole(&*source).map(|bytes| is_own.then_some(bytes))
            });
        match bytes {
            // A text that was compressed itself is not that text.
            Ok(None) => {}
            Ok(Some(bytes)) if is_right => assert!(bytes == *content, "{name:?}"),
            Ok(Some(bytes)) => {
                let is_one = bytes.is_empty() || members.iter().any(|(_, content)| *content == bytes);
                assert!(is_one, "{name:?}: other bytes than those written");
            }
            Err(cause) => assert!(!is_right, "{name:?}: {cause}"),
        }
    }
}

/// An archive in a file, and the start of addresses of its members.
struct Opened {
    file: PathBuf,
    prefix: Vec<u8>,
}

impl Opened {
    fn new(bytes: &[u8], kind: ArchiveKind) -> Self {
        static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);
        let file = FOLDER.file("a", bytes);
        let kind = if kind == ArchiveKind::Tar { "tar:" } else { "zip:" };
        let prefix = [kind.as_bytes(), file.as_os_str().as_encoded_bytes(), b"/"].concat();
        Opened { file, prefix }
    }

    fn address(&self, name: &[u8]) -> PathBuf {
        let address = [&self.prefix, name].concat();
        Path::new(&std::ffi::OsString::from_vec(address)).to_owned()
    }
}

/// Bytes that count how many of them were read.
struct Counting<'a> {
    bytes: &'a [u8],
    read: AtomicU64,
}

impl Source for Counting<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let got = buffer.len().min(self.bytes.len() - from);
        buffer[..got].copy_from_slice(&self.bytes[from..from + got]);
        self.read.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }
}
