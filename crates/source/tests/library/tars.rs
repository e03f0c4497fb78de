//! Members of tar archives by their type.

use rread_source::archive::{Reading, Walk};
use rread_source::member_address::ArchiveKind;
use rread_source::member_metadata::EntryKind;
use rread_source::{MemorySource, open, read_full};

/// An archive with a member of 3 bytes, of the type `kind`, and a file after it.
fn tar(kind: u8) -> Vec<u8> {
    let member = |name: &[u8], kind: u8, text: &[u8]| {
        let mut header = vec![0; 512];
        header[..name.len()].copy_from_slice(name);
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", text.len()).as_bytes());
        header[136..148].copy_from_slice(b"00000000000\0");
        header[156] = kind;
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let padding = vec![0; 512 - text.len()];
        [&header[..], text, &padding].concat()
    };
    [&member(b"u.txt", kind, b"hi\n")[..], &member(b"after", b'0', b"ok\n"), &[0; 1024]].concat()
}

#[test]
fn unknown_types_are_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u.tar");
    for kind in (b'!'..=b'~').chain([0, 0x80, 0xFF]) {
        // Extended headers and labels describe other members; these have a meaning without data.
        if b"xXgLKV123456DS".contains(&kind) {
            continue;
        }
        let is_special = b"AEIMN".contains(&kind);
        let bytes = tar(kind);
        let source = MemorySource::new(bytes.clone());
        let mut walk = Walk::new(&source, ArchiveKind::Tar, &path, Reading::default()).unwrap();
        let first = walk.next().unwrap().unwrap();
        let expected = if is_special { (EntryKind::Other, 0) } else { (EntryKind::File, 3) };
        assert_eq!((first.listed.kind, first.listed.size), expected, "{}", char::from(kind));
        assert_eq!(walk.next().unwrap().unwrap().listed.name, b"after");
        std::fs::write(&path, bytes).unwrap();
        let address = format!("tar:{}/u.txt", path.display());
        match open(address.as_ref()) {
            Ok(source) => {
                let mut text = [0; 4];
                assert_eq!(read_full(&*source, &mut text, 0).unwrap(), 3);
                assert_eq!(&text, b"hi\n\0");
            }
            Err(error) => {
                assert!(is_special, "{error:?}");
                assert_eq!(error.message.plain(), "is a special member of the archive, not a file");
            }
        }
    }
}
