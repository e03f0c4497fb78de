//! The index of a compressed file: no answer is wrong, however the file or the index changes.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;

use rread_reader::reader::{Reader, Tuning};
use rread_source::open::open;
use rread_testkit::ask::B;
use rread_testkit::bulk::{Style, modified, set_modified, settle, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::pack::{PACKS, Pack, gzip, zstd};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;

/// Checks ranges against `text`; the requests make and use the index.
#[track_caller]
fn is_right(lab: &Lab, name: &str, text: &[u8], case: &str) {
    let size = text.len();
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    // Bytes first: line requests would compare the file with the index.
    let all = lab.line(&format!("bytes {name} 0: --raw")).ok();
    assert!(all.stdout == text, "{case}: {} bytes instead of {size}", all.stdout.len());
    for at in [size / 2, size - size / 3, size / 7, size.saturating_sub(5000)] {
        let got = lab.line(&format!("bytes {name} {at}:+3000 --raw --align none")).ok();
        assert!(got.stdout == text[at..size.min(at + 3000)], "{case}: bytes at {at}");
    }
    for n in [lines.len(), lines.len() / 2, 1] {
        let got = lab.line(&format!("lines {name} {n} --raw")).ok();
        assert!(got.stdout == lines[n - 1], "{case}: line {n}");
    }
    let stat = lab.json(&format!("stat {name}"));
    assert!(stat["lines"].is_null() || stat["lines"] == lines.len(), "{case}: {stat}");
    assert!(stat["total"].is_null() || stat["total"] == size, "{case}: {stat}");
}

fn index(lab: &Lab) {
    lab.line("index build packed --json").ok();
}

fn words(seed: u64, size: usize) -> Vec<u8> {
    text_of(&mut Rng::new(seed), Style::Words, size)
}

#[test]
fn files_that_change_are_read_as_they_are() {
    let packs = [Pack::Gzip, Pack::Bgzf, Pack::ZstdFrames, Pack::Xz, Pack::Lz4Frames, Pack::Bzip2Streams];
    for pack in packs.into_iter().step_by(cases(1, 2)) {
        let (text, other) = (words(1, 1_500_000), words(2, 1_300_000));
        let lab = Lab::with("packed", pack.of(&text));
        let case = |what: &str| format!("{pack:?}, {what}");
        index(&lab);
        is_right(&lab, "packed", &text, &case("as it was"));

        let more = [&text[..], b"one more line\n"].concat();
        let mut end = OpenOptions::new().append(true).open(lab.path("packed")).unwrap();
        end.write_all(&pack.of(b"one more line\n")).unwrap();
        drop(end);
        settle();
        is_right(&lab, "packed", &more, &case("with a member more"));

        index(&lab);
        fs::rename(lab.path("packed"), lab.path("renamed")).unwrap();
        is_right(&lab, "renamed", &more, &case("renamed"));

        lab.file("packed", pack.of(&other));
        is_right(&lab, "packed", &other, &case("replaced"));
        settle();
        index(&lab);
        fs::write(lab.path("packed"), pack.of(&text)).unwrap();
        is_right(&lab, "packed", &text, &case("rewritten"));
    }
}

/// Replaces the bytes in place and restores the modification time.
fn overwrite(lab: &Lab, from: &str, to: &str, bytes: &[u8]) {
    let path = lab.path(from);
    let before = modified(&path);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
    file.write_all_at(bytes, 0).unwrap();
    drop(file);
    set_modified(&path, before);
    if from != to {
        fs::rename(&path, lab.path(to)).unwrap();
    }
    settle();
}

/// `index show` reports what the next look-up does.
#[test]
fn the_index_of_a_renamed_compressed_file_is_stale() {
    let lab = Lab::with("packed", gzip(&words(3, 200_000), 6));
    index(&lab);
    let shown = |name: &str| lab.line(&format!("index show {name} --json")).ok().json();
    let before = shown("packed");
    assert_eq!((&before["state"], &before["total"]), (&"fresh".into(), &200_000.into()), "{before}");
    settle();
    fs::rename(lab.path("packed"), lab.path("renamed")).unwrap();
    let after = shown("renamed");
    assert_eq!((&after["state"], &after["total"]), (&"stale".into(), &serde_json::Value::Null), "{after}");
    let answer = lab.line("lines renamed 5 --json").ok().json();
    assert_ne!(answer["metadata"]["index"], "hit");
}

/// The name may differ too: only the content shows the change.
#[test]
fn another_text_of_the_same_size_and_time_is_detected() {
    for name in ["packed", "renamed"] {
        // Short, so that no block of the line index is full; and long.
        for size in [20_000, 3_000_000] {
            // All lines have one length, so line numbers alone do not show the change.
            let lines = |seed: u64, size: usize| {
                let mut text = words(seed, size / 40 * 40);
                text.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
                text.iter_mut().skip(39).step_by(40).for_each(|byte| *byte = b'\n');
                text
            };
            let (text, other) = (lines(1, size), lines(2, size + size / 50));
            let (first, second) = (gzip(&text, 6), gzip(&other, 6));
            let length = first.len().max(second.len()) + 100;
            let lab = Lab::with("packed", padded(&first, length));
            index(&lab);
            overwrite(&lab, "packed", name, &padded(&second, length));
            is_right(&lab, name, &other, &format!("{name}, {size}"));
        }
    }
}

/// `member` with a name in its header that makes it `length` bytes long.
fn padded(member: &[u8], length: usize) -> Vec<u8> {
    let name = [vec![b'n'; length - member.len() - 1], vec![0]].concat();
    [&[0x1F, 0x8B, 8, 8], &member[4..10], &name, &member[10..]].concat()
}

#[test]
fn a_small_change_before_a_checkpoint_is_detected() {
    let mut text = words(1, 4_000_000);
    let lab = Lab::with("packed", gzip(&text, 0));
    index(&lab);
    let at = (text.len() * 2 / 3..).find(|at| text[*at].is_ascii_lowercase()).unwrap();
    text[at] = if text[at] == b'a' { b'b' } else { b'a' };
    overwrite(&lab, "packed", "renamed", &gzip(&text, 0));
    is_right(&lab, "renamed", &text, "one letter changed");
}

#[test]
fn any_byte_of_the_index_may_be_wrong() {
    let text = words(5, 3_000_000);
    let lab = Lab::with("packed", gzip(&text, 6));
    index(&lab);
    let (name, kept) = (lab.index(), fs::read(lab.index()).unwrap());
    let mut rng = Rng::new(7);
    let at = |offset: u64| {
        let reader = Reader::new(open(&lab.path("packed")).unwrap(), Tuning::default()).unwrap();
        reader.use_index(&lab.path("packed"), &rread_reader::index::Policy { write: false, ..lab.policy() });
        let mut buffer = vec![0; 2000];
        reader.read_exact(&mut buffer, offset).unwrap();
        assert_eq!(reader.size().unwrap(), text.len() as u64);
        buffer
    };
    for n in 0..cases(160, 40) {
        let mut bytes = kept.clone();
        let place = if n < 60 { bytes.len() - 1 - rng.below(400) } else { rng.below(bytes.len()) };
        let case = match n % 4 {
            0 | 1 => {
                bytes[place] ^= 1 << rng.below(8);
                format!("byte {place} flipped")
            }
            2 => {
                bytes.truncate(place);
                format!("cut at {place}")
            }
            _ => {
                bytes.extend(b"garbage");
                let end = bytes.len() - rng.below(20);
                bytes.truncate(end);
                "bytes appended".to_owned()
            }
        };
        fs::write(&name, bytes).unwrap();
        let offset = rng.below(text.len() - 2000);
        assert!(at(offset as u64) == text[offset..offset + 2000], "{case}");
    }
    fs::write(&name, &kept).unwrap();
    is_right(&lab, "packed", &text, "the intact index");
}

#[test]
fn the_bytes_and_the_text_of_one_file_have_an_index_each() {
    let text = words(5, 400_000);
    for pack in PACKS.into_iter().step_by(cases(1, 3)) {
        let packed = pack.of(&text);
        let lab = Lab::with("packed", &packed);
        let newlines = packed.iter().filter(|byte| **byte == b'\n').count();
        for _ in 0..2 {
            let raw = lab.json("where packed --byte 3000 --no-decompress");
            let before = packed[..3000].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(raw["line"], before + 1, "{pack:?}");
            let last = lab.json("lines packed -1 --no-decompress --encode hex");
            let unterminated = usize::from(packed.last() != Some(&b'\n'));
            let total_lines = &last["metadata"]["total_lines"];
            assert!(
                total_lines.is_null() || *total_lines == newlines + unterminated,
                "{pack:?}: {total_lines}"
            );
            is_right(&lab, "packed", &text, &format!("{pack:?}"));
        }
        assert_eq!(lab.cached().len(), 2, "{pack:?}: {:?}", lab.cached());
    }
}

/// It decodes at most the text between two checkpoints.
#[test]
fn the_second_look_up_decodes_little() {
    let text = words(5, B * 160);
    let members: Vec<u8> = text.chunks(500_000).flat_map(|piece| zstd(piece, 1)).collect();
    for packed in [gzip(&text, 6), members] {
        let lab = Lab::with("packed", packed);
        let line = |n: usize| text.split_inclusive(|byte| *byte == b'\n').nth(n - 1).unwrap();
        let first = lab.line("lines packed 100000 --raw").ok();
        assert!(first.stdout == line(100_000));
        // The first receipt reads on to the checksum; the index keeps the result.
        lab.outcome("lines packed 100000");
        let (outcome, scanned) = lab.outcome("lines packed 100001");
        assert_eq!(outcome, "hit");
        assert!(scanned <= 2 * B as u64, "{scanned}");
    }
}
