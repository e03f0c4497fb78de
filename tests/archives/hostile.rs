//! Archives that lie: sizes, checksums, methods, encryption, and bytes changed at random.

use std::fs;
use std::path::Path;

use predicates::str::contains;
use proptest::prelude::*;
use rread_source::MemorySource;
use rread_source::access::Access;
use rread_source::archive::{Reading, Walk};
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
        let kinds = [(ArchiveKind::Tar, false), (ArchiveKind::Zip, false), (ArchiveKind::Zip, true)];
        for (kind, salvage) in kinds {
            let reading = Reading::of(&Access { salvage, ..Access::default() });
            let Ok(mut walk) = Walk::new(&source, kind, Path::new("a"), reading) else { continue };
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
        run.says(contains("hint: 7z x -so -spd -- b.zip f | rread lines - 1:20"));
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
            let run = sandbox.line(&words.replace("FILE", member)).complained();
            // The text of a stored member is there.
            let is_silent = member.starts_with("tar:") || words.starts_with("stat");
            assert_eq!((run.code, run.stdout.is_empty()), (3, is_silent), "{run}");
            assert_eq!(run.to_string().matches("rread: ").count(), 1, "one sentence: {run}");
            run.says(contains("checksum of the"));
        }
        let call = ["lines", member, "2:3", "--salvage", "--json"];
        let notice = if member.starts_with("zip:") { "damaged" } else { "checksum_unread" };
        assert!(notices(&sandbox, &call).contains(notice), "{member}");
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
    assert!(wrong.stdout == text);
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

/// Makes archives whose first member has a wrong checksum, with the method `m`, and a member after it.
const WRONG: &str = "import gzip, sys, zipfile
for name, method, text in [('stored', 0, b'needle a\\n'), ('deflated', 8, b'needle a\\n'), ('long', 0, b'needle a\\n' * 100000), \
    ('gz', 0, gzip.compress(b'needle a\\n')), ('longgz', 0, gzip.compress(b'needle a\\n' * 100000))]:
  file = name + '.zip'
  with zipfile.ZipFile(file, 'w', method) as z:
    z.writestr('a.txt', text)
    z.writestr('b.txt', 'needle b\\n')
  b = bytearray(open(file, 'rb').read())
  b[14] ^= 255
  b[b.rfind(b'PK\\1\\2', 0, b.rfind(b'PK\\1\\2')) + 16] ^= 255
  open(file, 'wb').write(b)
";

#[test]
fn a_member_with_a_wrong_checksum_is_shown_and_its_damage_is_said() {
    let sandbox = Sandbox::with("make.py", WRONG);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    for name in ["stored", "deflated", "gz", "long", "longgz"] {
        let lines = if name.starts_with("long") { 100_000 } else { 1 };
        for call in ["search needle FILE.zip -f text", "search needle FILE.zip --raw", "lines FILE.zip --raw"]
        {
            let run = sandbox.line(&call.replace("FILE", name));
            let count = run.text().lines().filter(|line| line.ends_with("needle a")).count();
            assert_eq!((run.code, count), (3, lines), "{call} {name}");
            assert!(run.text().ends_with("needle b\n"), "{call} {name}");
            run.says(contains("damaged"));
        }
        for call in ["-c needle", "needle --json", "needle --xml"] {
            let run = sandbox.line(&format!("search {call} {name}.zip"));
            assert!(run.code == 3 && run.text().contains("a.txt") && run.text().contains("b.txt"), "{run}");
        }
        let address = format!("zip:{name}.zip/a.txt");
        for call in [
            "lines FILE --raw",
            "lines FILE",
            "lines FILE --json",
            "page FILE -1 --raw",
            "lines FILE -1: -f text",
        ] {
            let run = sandbox.line(&call.replace("FILE", &address));
            // The end of a long member is read alone, and other damage hides it.
            let is_cut = call.contains("-1") && name != "stored";
            if call.contains("-1") && name == "long" {
                continue;
            }
            assert_eq!(run.code, 3, "{run}");
            assert!(is_cut || run.text().contains("needle a"), "{run}");
        }
        let salvaged = sandbox.run(["search", "-c", "needle", &address, "--salvage", "-f", "text"]).ok();
        assert_eq!(salvaged.text(), format!("{lines}\n"));
    }
}

/// Archives without their directory: of every method, with sizes before and after the members.
const CUT: &str = "import io, zipfile
class Pipe(io.RawIOBase):
  def __init__(self, file): self.file = file
  def writable(self): return True
  def write(self, bytes): return self.file.write(bytes)
for name, method, piped in [('stored', 0, 0), ('deflated', 8, 0), ('sent', 8, 1), ('sentstored', 0, 1)]:
  with open('whole.zip', 'wb') as f:
    with zipfile.ZipFile(Pipe(f) if piped else f, 'w', method) as z:
      z.writestr('one.log', 'one needle\\n' * 20000)
      z.writestr('two.log', 'two needle\\n' * 20000)
  b = open('whole.zip', 'rb').read()
  end = b.rfind(b'PK\\1\\2', 0, b.rfind(b'PK\\1\\2'))
  for cut, at in [('end', end), ('directory', end + 60), ('member', end - (b.rfind(b'PK\\3\\4') + 30) // 2 if method else end - 1000)]:
    open(f'{name}-{cut}.zip', 'wb').write(b[:at])
";

#[test]
fn an_archive_without_its_directory_is_read_by_salvage() {
    let sandbox = Sandbox::with("make.py", CUT);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    for name in ["stored", "deflated", "sent", "sentstored"] {
        for cut in ["end", "directory", "member"] {
            let file = format!("{name}-{cut}.zip");
            for (call, hint) in [("search needle", "search needle"), ("lines", "lines"), ("page", "lines")] {
                let run = sandbox.line(&format!("{call} {file}")).refused(3);
                run.says(contains("the archive is damaged"))
                    .says(contains(format!("rread {hint} {file} --salvage")));
            }
            for name in [file.clone(), format!("zip:{file}/*.log")] {
                let run = sandbox.line(&format!("stat {name} --list")).refused(3);
                run.says(contains(format!("rread stat --list {file} --salvage")));
            }
            let found = sandbox.line(&format!("search -c needle {file} --salvage -f text"));
            let counts: Vec<&str> =
                found.text().lines().map(|line| line.rsplit(':').next().unwrap()).collect();
            assert_eq!(counts[0], "20000", "{file} {found}");
            let second: u32 = counts[1].parse().unwrap();
            assert!(if cut == "member" { second < 20_000 } else { second == 20_000 }, "{file} {found}");
            let list = sandbox.line(&format!("stat {file} --list --salvage -f text")).ok();
            assert!(list.text().contains(" one.log\n") && list.text().contains(" two.log\n"), "{list}");
            let line = sandbox.line(&format!("lines zip:{file}/one.log -1: --raw --salvage")).ok();
            assert_eq!(line.text(), "one needle\n", "{file}");
            let piped =
                sandbox.piped("search -c needle - --salvage -f text", fs::read(sandbox.path(&file)).unwrap());
            assert!(piped.text().starts_with("zip:-/one.log:20000\n"), "{piped}");
        }
    }
    // In a directory too, it is not taken for a binary file.
    let run = sandbox.line("search -z nothing . -f text");
    assert_eq!(run.code, 3, "{run}");
    run.says(contains("-end.zip: note: the archive is damaged"));
}
