//! Archives that lie: sizes, checksums, methods, encryption, and bytes changed at random.

use std::fs;
use std::io;

use predicates::str::contains;
use proptest::prelude::*;
use rread::internals::source::Source;
use rread::internals::source::archive::Walk;
use rread::internals::source::inside::ArchiveKind;

use super::packed::sh;
use super::support::Sandbox;

struct Bytes(Vec<u8>);

impl Source for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let got = buffer.len().min(self.0.len() - from);
        buffer[..got].copy_from_slice(&self.0[from..from + got]);
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }
}

/// The archives that are changed, of a text of some kilobytes.
fn archives() -> &'static [Vec<u8>] {
    static ARCHIVES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let sandbox = Sandbox::with("f", "text of a member\n".repeat(300));
        let made = sh(
            &sandbox,
            "cp f g && truncate -s 1M h && printf x >> h && zip -q a.zip f g && tar cf a.tar f g && \
             tar -S --format=pax -cf s.tar h f && tar -S --format=gnu -cf o.tar h f",
        );
        if !made {
            return Vec::new();
        }
        ["a.zip", "a.tar", "s.tar", "o.tar"].map(|name| fs::read(sandbox.path(name)).unwrap()).into()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Every walk ends, with members or an error.
    #[test]
    fn changed_archives_are_walked_to_an_end(
        which in 0..4usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let Some(archive) = archives().get(which) else { return Ok(()) };
        let mut bytes = archive.clone();
        for (at, byte) in changes {
            // Headers are at the front or at the end.
            let at = at.index(bytes.len().min(2048));
            let at = if at < 1024 { at } else { bytes.len() - (2048 - at) };
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let source = Bytes(bytes);
        for kind in [ArchiveKind::Tar, ArchiveKind::Zip] {
            let Ok(mut walk) = Walk::new(&source, kind) else { continue };
            let mut members = 0;
            while let Ok(Some(_)) = walk.next() {
                members += 1;
                prop_assert!(members <= 1 << 16, "a walk without an end");
            }
        }
    }
}

/// A changed archive gives the bytes that were packed, or an error: a deflated member has a checksum.
#[test]
fn a_changed_zip_never_gives_other_bytes() {
    let text = "text of a member\n".repeat(300);
    let Some(archive) = archives().first() else { return };
    let sandbox = Sandbox::new();
    for at in (0..archive.len()).step_by(7) {
        let mut bytes = archive.clone();
        bytes[at] ^= 0x41;
        sandbox.file("a.zip", &bytes);
        let run = sandbox.line("bytes zip:a.zip/f --raw");
        match run.code {
            0 => assert_eq!(run.text(), text, "byte {at}"),
            2 | 3 => {}
            code => panic!("exit code {code} after byte {at}: {run}"),
        }
    }
    for size in (0..archive.len()).step_by(13) {
        sandbox.file("a.zip", &archive[..size]);
        assert!([2, 3].contains(&sandbox.line("bytes zip:a.zip/f --raw").code), "cut at {size}");
    }
}

/// The directory declares fewer bytes than the data decodes to, or more.
#[test]
fn a_declared_size_is_checked() {
    let Some(archive) = archives().first() else { return };
    let sandbox = Sandbox::new();
    let central = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    for size in [1u32, 100, 5099, 5101, 1 << 30] {
        let mut bytes = archive.clone();
        bytes[central + 24..central + 28].copy_from_slice(&size.to_le_bytes());
        sandbox.file("a.zip", &bytes);
        let run = sandbox.line("bytes zip:a.zip/f --raw");
        assert_eq!(run.code, 3, "{size}: {run}");
        run.says(contains("damaged"));
    }
}

#[test]
fn other_methods_and_encrypted_members_are_refused() {
    let sandbox = Sandbox::with("f", "text\n".repeat(100));
    if sh(&sandbox, "zip -q -P secret e.zip f") {
        let run = sandbox.line("lines zip:e.zip/f").refused(3);
        run.says(contains("is encrypted in the archive, and rread does not decrypt"));
        let listed = sandbox.line("stat e.zip --list --json").ok().json();
        assert_eq!(listed["members"][0]["encrypted"], true);
    }
    sandbox.file(
        "make.py",
        "import zipfile\nz = zipfile.ZipFile('b.zip', 'w', zipfile.ZIP_BZIP2); z.write('f'); z.close()",
    );
    if sh(&sandbox, "python3 make.py") {
        sandbox
            .line("lines zip:b.zip/f")
            .refused(3)
            .says(contains("is compressed with bzip2 in the archive"));
    }
}

#[test]
fn content_whose_checksum_is_not_compared_has_a_notice() {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", "needle one\nneedle two\n".repeat(50));
    if !sh(
        &sandbox,
        "zip -q0 stored.zip a.txt && zip -q deflated.zip a.txt && tar czf a.tar.gz a.txt && tar cf a.tar a.txt",
    ) {
        return;
    }
    let mut wrong = fs::read(sandbox.path("a.tar.gz")).unwrap();
    let crc = wrong.len() - 6;
    wrong[crc] ^= 1;
    sandbox.file("wrong.tar.gz", wrong);
    for (member, has_notice) in [
        ("zip:stored.zip/a.txt", true),
        ("tar:wrong.tar.gz/a.txt", true),
        ("zip:deflated.zip/a.txt", false),
        ("tar:a.tar.gz/a.txt", false),
        ("tar:a.tar/a.txt", false),
    ] {
        for call in [&["lines", member, "2:3", "--json"][..], &["search", "one", member, "--json"]] {
            let answer = sandbox.run(call).ok().json();
            let notices = answer["metadata"]["notices"].to_string();
            assert_eq!(notices.contains("checksum_unread"), has_notice, "{call:?}: {answer}");
        }
    }
}
