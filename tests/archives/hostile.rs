//! Archives that lie: sizes, checksums, methods, encryption, and bytes changed at random.

use std::fs;
use std::path::Path;

use predicates::str::contains;
use proptest::prelude::*;
use rread_source::MemorySource;
use rread_source::archive::Walk;
use rread_source::member_address::ArchiveKind;
use rread_testkit::sandbox::Sandbox;

use super::packed::sh;

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
        let source = MemorySource::new(bytes);
        for kind in [ArchiveKind::Tar, ArchiveKind::Zip] {
            let Ok(mut walk) = Walk::new(&source, kind, Path::new("a")) else { continue };
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
    // The directory declares that the stored member is compressed with PPMd.
    if sh(&sandbox, "zip -q0 b.zip f") {
        let mut bytes = fs::read(sandbox.path("b.zip")).unwrap();
        let central = bytes.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        bytes[central + 10] = 98;
        sandbox.file("b.zip", bytes);
        let run = sandbox.line("lines zip:b.zip/f").refused(3);
        let run = run.says(contains("is compressed with ppmd in the archive"));
        run.says(contains("hint: 7z x -so -- b.zip f | rread lines - 1:20"));
    }
}

/// A text in archives of every kind, some of them with a wrong checksum; false if a program is missing.
fn sums(sandbox: &Sandbox, lines: usize) -> bool {
    sandbox.file("a.txt", "needle one\nneedle two\n".repeat(lines / 2));
    let line = "zip -q0 stored.zip a.txt && zip -q deflated.zip a.txt && tar czf a.tar.gz a.txt && tar cf a.tar a.txt";
    if !sh(sandbox, line) {
        return false;
    }
    let wrong = |name: &str, of: &str, place: &dyn Fn(&[u8]) -> usize| {
        let mut bytes = fs::read(sandbox.path(of)).unwrap();
        let at = place(&bytes);
        bytes[at] ^= 1;
        sandbox.file(name, bytes);
    };
    wrong("wrong.tar.gz", "a.tar.gz", &|bytes| bytes.len() - 6);
    wrong("wrong.zip", "stored.zip", &|bytes| {
        bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap() + 16
    });
    true
}

/// The notices of a read that must succeed.
fn notices(sandbox: &Sandbox, words: &[&str]) -> String {
    sandbox.run(words).ok().json()["metadata"]["notices"].to_string()
}

#[test]
fn checksums_around_a_member_are_compared() {
    let sandbox = Sandbox::new();
    if !sums(&sandbox, 100) {
        return;
    }
    for member in ["zip:stored.zip/a.txt", "zip:deflated.zip/a.txt", "tar:a.tar.gz/a.txt", "tar:a.tar/a.txt"]
    {
        for call in [&["lines", member, "2:3", "--json"][..], &["search", "one", member, "--json"]] {
            assert_eq!(notices(&sandbox, call), "null", "{call:?}");
        }
    }
    for member in ["zip:wrong.zip/a.txt", "tar:wrong.tar.gz/a.txt"] {
        for words in
            ["lines FILE", "lines FILE 2:3 --raw", "search one FILE", "bytes FILE -10:", "stat FILE --count"]
        {
            let run = sandbox.line(&words.replace("FILE", member)).refused(3);
            assert_eq!(run.to_string().matches("rread: ").count(), 1, "one sentence: {run}");
            run.says(contains("checksum of the"));
        }
        let call = ["lines", member, "2:3", "--salvage", "--json"];
        assert!(notices(&sandbox, &call).contains("checksum_unread"), "{member}");
    }
}

/// A part of a long stored member is read without the rest, so its checksum is not known.
#[test]
fn a_part_of_a_stored_member_has_a_notice() {
    let sandbox = Sandbox::new();
    if !sums(&sandbox, 200_000) {
        return;
    }
    for archive in ["zip:stored.zip/a.txt", "zip:wrong.zip/a.txt"] {
        for words in [["lines", archive, "2:3", "--json"], ["bytes", archive, "-10:", "--json"]] {
            assert_eq!(notices(&sandbox, &words), r#"["checksum_unread"]"#, "{words:?}");
        }
    }
    let text = fs::read(sandbox.path("a.txt")).unwrap();
    let whole = sandbox.line("bytes zip:stored.zip/a.txt --raw").ok();
    assert!(whole.stdout == text);
    let wrong = sandbox.line("bytes zip:wrong.zip/a.txt --raw");
    assert_eq!(wrong.code, 3);
    assert!(text.starts_with(&wrong.stdout) && wrong.stdout.len() < text.len());
    wrong.says(contains("the checksum of the member is wrong"));
    let salvaged = sandbox.line("bytes zip:wrong.zip/a.txt --raw --salvage").ok();
    assert!(salvaged.stdout == text);
}

/// An empty member has a checksum too, which no read meets.
#[test]
fn an_empty_stored_member_with_a_checksum_is_damaged() {
    let sandbox = Sandbox::with("e", "");
    if !sh(&sandbox, "zip -q0 e.zip e") {
        return;
    }
    assert_eq!(sandbox.line("bytes zip:e.zip/e --raw").ok().text(), "");
    let mut bytes = fs::read(sandbox.path("e.zip")).unwrap();
    let central = bytes.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    bytes[central + 16] ^= 1;
    sandbox.file("e.zip", bytes);
    sandbox.line("bytes zip:e.zip/e --raw").refused(3).says(contains("checksum"));
}

/// A compressed archive that is cut in its first header is damaged, and not a file of another kind.
#[test]
fn a_compressed_archive_that_is_cut_is_damaged() {
    let sandbox = Sandbox::with("f", "text\n".repeat(100));
    if !sh(&sandbox, "tar czf a.tar.gz f") {
        return;
    }
    let bytes = fs::read(sandbox.path("a.tar.gz")).unwrap();
    let mut whole = 0;
    for size in 20..bytes.len() {
        sandbox.file("cut.tar.gz", &bytes[..size]);
        let run = sandbox.line("lines tar:cut.tar.gz/f --json");
        if run.code == 0 {
            // Only zeros after the last member are missing, and the checksum.
            assert!(size > bytes.len() / 2, "cut at {size} of {}", bytes.len());
            assert_eq!(run.json()["metadata"]["notices"], serde_json::json!(["checksum_unread"]));
            whole += 1;
            continue;
        }
        sandbox.line("lines tar:cut.tar.gz/f").refused(3).says(contains("damaged"));
        let list = sandbox.line("stat cut.tar.gz --list");
        assert_eq!(list.code, 3, "cut at {size}: {list}");
        list.says(contains("damaged"));
    }
    assert!(whole < bytes.len() / 2, "{whole} of {}", bytes.len());
}

/// Attributes of all members cost nothing for each of them: only the time is one.
#[test]
fn global_attributes_are_those_of_no_single_member() {
    let sandbox = Sandbox::with("f", "text\n");
    sandbox.file(
        "make.py",
        "import tarfile\nt = tarfile.open('g.tar', 'w', format=tarfile.PAX_FORMAT, pax_headers={'path': 'other', 'mtime': '5', 'GNU.sparse.map': '1,2'})\n\
         i = tarfile.TarInfo('f'); t.addfile(i); t.close()",
    );
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    let listed = sandbox.line("stat g.tar --list --json").ok().json();
    assert_eq!(listed["members"][0]["name"], "f", "{listed}");
    assert_eq!(listed["members"][0]["modified"], "1970-01-01T00:00:05Z", "{listed}");
}
