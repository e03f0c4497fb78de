//! Damaged files: the text before the damage is right, and damage never passes for text.

use std::path::Path;

use rread_source::compressed::CompressionFormat;
use rread_testkit::damaged::read;
use rread_testkit::pack::{self, Pack};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources::plain;
use rread_testkit::text;

fn small_texts() -> [Vec<u8>; 3] {
    let words = text::of_length(&mut Rng::new(4), 700);
    [b"a\n".to_vec(), words, b"0123456789\n".repeat(40)]
}

#[test]
fn a_file_that_is_cut_off_is_reported() {
    for pack in pack::all() {
        for text in small_texts() {
            let packed = pack.of(&text);
            // The offsets where a cut is not detected: between members.
            let mut silent = Vec::new();
            for at in 0..packed.len() {
                let cut = read(&packed[..at], pack.format(), 300);
                assert!(text.starts_with(&cut.text), "{pack:?} cut at {at}");
                assert!(!cut.garbage, "{pack:?} cut at {at} of {}: called garbage", packed.len());
                if cut.damage.is_none() {
                    silent.push(at);
                }
            }
            let allowed = match pack {
                Pack::Gzip
                | Pack::GzipStored
                | Pack::Zstd
                | Pack::Xz
                | Pack::Lzma
                | Pack::Bzip2
                | Pack::Lz4
                | Pack::Zlib
                | Pack::Brotli => 1,
                // Between members, and anywhere in padding.
                Pack::GzipMembers | Pack::Bgzf | Pack::Bzip2Streams => 5,
                Pack::ZstdFrames | Pack::Lz4Frames => 9,
                Pack::XzStreams => 3 * 9,
            };
            assert!(silent.len() <= allowed, "{pack:?} cut at any of {silent:?}: nothing said");
        }
    }
}

/// One wrong bit: the text is right, or there is an error, or the format has no checksum.
#[test]
fn a_flipped_bit_never_passes_for_text() {
    for pack in pack::all() {
        let name = pack.file_name();
        for text in small_texts() {
            let packed = pack.of(&text);
            let mut silent = Vec::new();
            // The size of a skippable frame has no checksum: a wrong one may skip a frame of text.
            let is_size =
                |at: usize| (4..8).any(|n| at >= n && packed[at - n..].starts_with(b"\x5A\x2A\x4D\x18"));
            for at in (0..packed.len()).filter(|at| !is_size(*at)) {
                // In a sample, every bit has its turn.
                for bit in (0..8).filter(|bit| cases(true, *bit == at % 8)) {
                    let mut packed = packed.clone();
                    packed[at] ^= 1 << bit;
                    let named = Path::new(&name);
                    if CompressionFormat::of_file(&*plain(&packed), named).unwrap() != Some(pack.format()) {
                        continue;
                    }
                    let read = read(&packed, pack.format(), 4096);
                    if read.damage.is_none() && !read.garbage && read.text != text {
                        silent.push((at, bit));
                    }
                }
            }
            assert!(silent.is_empty() || !pack.has_checksum(), "{pack:?} of {}: {silent:?}", packed.len());
        }
    }
}

#[test]
fn a_hundred_wrong_bytes_do_no_harm() {
    let packs: Vec<Pack> = pack::all().collect();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let pack = rng.pick(&packs);
        let text = text::of_length(&mut rng, 3000);
        let mut packed = pack.of(&text);
        for _ in 0..1 + rng.below(100) {
            let at = 4 + rng.below(packed.len() - 4);
            packed[at] = rng.next().to_le_bytes()[0];
        }
        let read = read(&packed, pack.format(), 1 + rng.below(5000));
        let right = read.text == text || read.damage.is_some() || read.garbage || !pack.has_checksum();
        assert!(right, "seed {seed}, {pack:?}");
    }
}

/// The library of the format compares the sizes only if the last block of a frame has text.
#[test]
fn a_frame_of_zstd_with_less_text_than_its_header_says_is_damaged() {
    let frame = |size: u8, raw: &str| {
        let empty_last_block = [1, 0, 0];
        let header = [u8::try_from(raw.len() << 3).unwrap(), 0, 0];
        let block = [&header[..], raw.as_bytes()].concat();
        [&[0x28, 0xB5, 0x2F, 0xFD, 0x20, size], &block[..], &empty_last_block].concat()
    };
    for (size, is_right) in [(5, true), (4, false), (6, false), (0, false)] {
        for step in [1, 4096] {
            let packed = [frame(5, "text\n"), frame(size, "more\n"), frame(4, "last")].concat();
            let read = read(&packed, CompressionFormat::Zstd, step);
            assert_eq!(read.damage.is_none(), is_right, "{size}: {:?}", read.damage);
            assert!(!is_right || read.text == b"text\nmore\nlast", "{size}");
        }
    }
}

#[test]
fn zeros_after_the_data_are_padding_and_other_bytes_are_garbage() {
    for pack in pack::all() {
        let text = b"some text\nand more\n";
        for (after, garbage) in
            [(&b"garbage"[..], true), (b"\n", true), (b"not of this file, and longer than a header", true)]
        {
            let read = read(&[&pack.of(text)[..], after].concat(), pack.format(), 100);
            assert!(read.damage.is_none(), "{pack:?} {after:?}: {:?}", read.damage);
            assert_eq!((&read.text[..], read.garbage), (&text[..], garbage), "{pack:?} {after:?}");
        }
        let read = read(&[&pack.of(text)[..], &[0; 5000]].concat(), pack.format(), 100);
        assert_eq!(&read.text[..], text, "{pack:?}");
        assert!(!read.garbage, "{pack:?}");
    }
}
