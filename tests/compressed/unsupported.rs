//! Valid files that rread does not decode: the error says what they need and what to type, and never "damaged".

use std::fs;

use rread_source::Source;
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_testkit::lab::{Lab, Run};
use rread_testkit::pack::{lzma, xz};
use rread_testkit::sources::plain;
use rread_text::error::Error;

const TEXT: &[u8] = b"text\n";
const SIZE: u8 = 5;

/// `TEXT` as .xz whose block header asks for a dictionary of 1 GiB (section 3.1, and 5.3.1 for the byte).
fn large_xz() -> Vec<u8> {
    let mut bytes = xz(TEXT, 1);
    let sum_at = 12 + usize::from(bytes[12]) * 4;
    assert_eq!(bytes[14..16], [0x21, 1]);
    bytes[16] = 36;
    let sum = crc32fast::hash(&bytes[12..sum_at]).to_le_bytes();
    bytes[sum_at..sum_at + 4].copy_from_slice(&sum);
    bytes
}

fn large_lzma() -> Vec<u8> {
    let mut bytes = lzma(TEXT);
    bytes[1..5].copy_from_slice(&(1u32 << 30).to_le_bytes());
    bytes
}

/// A frame of one uncompressed block with a window of 256 MiB, or with the dictionary 7.
fn zstd(header: [u8; 2]) -> Vec<u8> {
    let rest = if header[0] == 0 { vec![] } else { vec![SIZE] };
    [&[0x28, 0xB5, 0x2F, 0xFD], &header[..], &rest, &[SIZE << 3 | 1, 0, 0], TEXT].concat()
}

fn lz4_with_dictionary() -> Vec<u8> {
    let descriptor = [0x61, 0x40, 7, 0, 0, 0];
    let sum = xxhash_rust::xxh32::xxh32(&descriptor, 0).to_le_bytes()[1];
    let block = [&[SIZE, 0, 0, 0x80], TEXT, &[0; 4]].concat();
    [&[0x04, 0x22, 0x4D, 0x18], &descriptor[..], &[sum], &block].concat()
}

#[test]
fn the_error_says_what_the_file_needs_and_what_to_type() {
    let lab = Lab::new();
    let memory = "needs more than 268435456 bytes of memory to decompress";
    let window = "needs a window of 268435456 bytes to decompress; the limit is 134217728";
    let dictionary = "needs a dictionary to decompress";
    for (packed, needs, command) in [
        (large_xz(), memory, "xz -dc"),
        (large_lzma(), memory, "xz -dc"),
        (zstd([0, 18 << 3]), window, "zstd -dc --long=31"),
        (zstd([0x21, 7]), dictionary, "zstd -dc -D DICTIONARY"),
        (lz4_with_dictionary(), dictionary, "lz4 -dc -D DICTIONARY"),
    ] {
        fs::write(lab.path("packed"), &packed).unwrap();
        let expected = format!("rread: packed: {needs}\nhint: {command} < packed | rread lines -\n");
        for request in ["lines packed 1", "bytes packed : --raw", "bytes packed : --salvage"] {
            let run = lab.line(request);
            assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
            assert_eq!(run.stderr, expected, "{request}");
        }
        for request in ["lines packed -1: --json", "stat packed --json", "stat packed --count --json"] {
            let run = lab.line(request);
            assert!(!run.to_string().contains("damaged"), "{run}");
        }
        let run = Run::of(lab.command().args(["lines", "-", "1"]).write_stdin(packed));
        assert!(run.stderr.ends_with(&format!("\nhint: COMMAND | {command} | rread lines -\n")), "{run}");
    }
}

#[test]
fn zlib_data_with_a_preset_dictionary_is_not_damaged() {
    let source = Compressed::new(plain(&[0x78, 0xBB, 0, 0, 0, 1, 3, 0]), CompressionFormat::Zlib).unwrap();
    let cause = source.read_at(&mut [0], 0).unwrap_err();
    let error = cause.get_ref().unwrap().downcast_ref::<Error>().unwrap();
    assert_eq!(error.message.plain(), "needs a dictionary to decompress");
    assert!(error.hint.as_ref().unwrap().plain().contains("zlib.decompressobj"), "{error:?}");
}
