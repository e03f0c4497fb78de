//! The facts that headers state: what real programs wrote, and that damaged headers claim nothing new.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use rread_answer::headers::{FileEnds, format_details};
use rread_testkit::formats::{elf, fat, gzip, pe, sqlite, tar, zip, zip64};
use rread_text::sniff::SAMPLE;
use serde_json::{Map, Value, json};

const TAIL: usize = 16 << 10;

fn ends(file: &[u8]) -> FileEnds<'_> {
    let tail = file.len().saturating_sub(TAIL);
    FileEnds { head: &file[..file.len().min(SAMPLE)], tail: &file[tail..], size: Some(file.len() as u64) }
}

fn facts(ends: &FileEnds<'_>) -> Map<String, Value> {
    serde_json::to_value(format_details(ends)).unwrap().as_object().unwrap().clone()
}

fn details(file: &[u8]) -> Value {
    Value::Object(facts(&ends(file)))
}

fn samples() -> Vec<(Vec<u8>, Value)> {
    vec![
        (
            elf(),
            json!({"format": "ELF", "bits": 64, "byte_order": "little", "machine": "aarch64", "type": "shared object",
                "interpreter": "/lib/ld-musl.so", "stripped": false}),
        ),
        (
            pe(),
            json!({"format": "PE", "bits": 64, "byte_order": "little", "machine": "aarch64", "type": "DLL"}),
        ),
        (fat(), json!({"format": "Mach-O", "machine": "x86-64, aarch64"})),
        (
            b"\xCF\xFA\xED\xFE\x0C\0\0\x01\0\0\0\0\x02\0\0\0".to_vec(),
            json!({"format": "Mach-O", "bits": 64, "byte_order": "little", "machine": "aarch64", "type": "executable"}),
        ),
        (b"\xCA\xFE\xBA\xBE\0\0\0\x41".to_vec(), json!({"format": "Java class", "version": "21"})),
        (b"\xCA\xFE\xBA\xBE\0\0\0\x30".to_vec(), json!({"format": "Java class", "version": "1.4"})),
        (b"\0asm\x01\0\0\0".to_vec(), json!({"format": "WebAssembly", "version": "1", "type": "module"})),
        (zip(3, b""), json!({"format": "ZIP", "members": 3})),
        (zip(3, b"PK\x05\x06 in a comment, and more"), json!({"format": "ZIP", "members": 3})),
        (zip64(), json!({"format": "ZIP", "members": 0x20000})),
        (
            gzip(),
            json!({"format": "gzip", "original_name": "a\u{e9}.log", "original_modified": "2033-05-18T03:33:20Z"}),
        ),
        (
            sqlite(),
            json!({"format": "SQLite", "page_size": 4096, "pages": 12, "encoding": "utf-16le", "user_version": -2, "application_id": 9}),
        ),
        (b"%PDF-1.7\n\xFF".to_vec(), json!({"format": "PDF", "version": "1.7"})),
        (b"ttcf\0\x02\0\0\0\0\0\x05".to_vec(), json!({"format": "font collection", "members": 5})),
        (tar(), json!({"format": "tar", "type": "ustar", "first_member": "var/log/app.log"})),
    ]
}

#[test]
fn headers_state_their_facts() {
    for (file, expected) in samples() {
        assert_eq!(details(&file), expected);
    }
    for other in [&b"MZ is text"[..], b"\x7FELF", b"PK", b"", b"\xCA\xFE\xBA\xBE", &[0; 9000], b"%PDF-x.7"] {
        assert_eq!(details(other), json!({}), "{other:02x?}");
    }
}

/// A fact of the bytes that are left is a fact of the whole file.
#[test]
fn a_cut_header_claims_nothing_new() {
    for (file, expected) in samples() {
        for cut in 0..file.len() {
            let head = FileEnds { head: &file[..cut], tail: &[], size: None };
            for (key, value) in facts(&head) {
                assert_eq!(value, expected[&key], "{key} at {cut} of {expected}");
            }
            let tail = FileEnds {
                head: &file[..file.len().min(4)],
                tail: &file[cut..],
                size: Some(file.len() as u64),
            };
            for (key, value) in facts(&tail) {
                assert_eq!(value, expected[&key], "{key} after {cut} of {expected}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    /// Numbers that lie may make other claims, but none outside the file, and no panic.
    #[test]
    fn any_header_is_survived(
        which in 0..samples().len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
        size in prop::option::of(any::<u64>()),
    ) {
        let (mut file, _) = samples().swap_remove(which);
        for (at, byte) in changes {
            *at.get_mut(&mut file) = byte;
        }
        let cut = cut.index(file.len());
        for size in [Some(file.len() as u64), size] {
            for ends in [
                FileEnds { head: &file, tail: &file[cut..], size },
                FileEnds { head: &file[..cut], tail: &[], size },
            ] {
                for text in facts(&ends).values().filter_map(Value::as_str) {
                    prop_assert!(text.len() <= file.len() * 16, "{text}");
                }
            }
        }
    }

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600), which in 0..samples().len()) {
        let (file, _) = samples().swap_remove(which);
        let magic = file.len().min(16);
        let bytes = [&file[..magic], &bytes].concat();
        facts(&ends(&bytes));
    }
}

/// The standard output of `program`; `None` if it is not installed.
fn output(program: &str, args: &[&str], file: &Path) -> Option<String> {
    match Command::new(program).args(args).arg(file).output() {
        Ok(output) if output.status.success() => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

/// The programs of this system, as `readelf` describes them.
#[test]
fn programs_are_described_as_readelf_does() {
    let mut programs: Vec<PathBuf> =
        fs::read_dir("/usr/bin").into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    let mut seen = 0;
    for program in programs.iter().step_by(programs.len() / 25 + 1) {
        let Ok(bytes) = fs::read(program) else { continue };
        if !bytes.starts_with(b"\x7FELF") {
            continue;
        }
        let Some(told) = output("readelf", &["-hlSW"], program) else { return };
        let found = details(&bytes);
        let interpreter = told.split("Requesting program interpreter: ").nth(1);
        let interpreter = interpreter.and_then(|rest| rest.split(']').next());
        assert_eq!(found["interpreter"].as_str(), interpreter, "{}", program.display());
        let line = |key: &str| told.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap().trim();
        assert_eq!(found["bits"], if line("Class:") == "ELF64" { 64 } else { 32 }, "{}", program.display());
        let machine = line("Machine:").to_ascii_lowercase();
        assert!(machine.contains(found["machine"].as_str().unwrap()), "{machine}: {found}");
        if let Some(stripped) = found["stripped"].as_bool() {
            assert_eq!(stripped, !told.contains(" SYMTAB "), "{}", program.display());
        }
        seen += 1;
    }
    if seen == 0 {
        eprintln!("skipped: there are no ELF programs");
    }
}
