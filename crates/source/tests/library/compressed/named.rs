//! Formats without a magic number: recognised by name, if the content can be decoded.

use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;
use rread_source::compressed::CompressionFormat;
use rread_testkit::pack::{NAMED, brotli};
use rread_testkit::rng::Rng;
use rread_testkit::sources::plain;
use rread_text::sniff::SAMPLE;

fn of_file(bytes: &[u8], name: &str) -> Option<CompressionFormat> {
    CompressionFormat::of_file(&*plain(bytes), Path::new(name)).unwrap()
}

fn noise(size: usize) -> Vec<u8> {
    let mut rng = Rng::new(7);
    (0..size).map(|_| rng.next().to_le_bytes()[0]).collect()
}

/// `text` in `format`, at several levels.
fn packed(format: CompressionFormat, text: &[u8]) -> Vec<Vec<u8>> {
    match format {
        CompressionFormat::Zlib => [1, 6, 10].map(|level| compress_to_vec_zlib(text, level)).to_vec(),
        CompressionFormat::Brotli => {
            [(0, 22), (1, 10), (2, 24), (3, 27)].map(|(level, window)| brotli(text, level, window)).to_vec()
        }
        _ => panic!("{format:?} has no packer here"),
    }
}

/// Texts whose sizes are around those of the steps in which a decoder is tried. Blocks that are not compressed are left
/// out: if they contain text, the file may be text itself.
#[test]
fn a_file_that_can_be_decoded_is_recognised_by_its_name() {
    let edges = [1, 4, 5, 40].map(|times| times * SAMPLE);
    let sizes = edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1]).chain([0, 1, 20]);
    for size in sizes {
        for text in [vec![b'\n'; size], b"line of text\n".repeat(size / 13), noise(size)] {
            for format in NAMED.map(|pack| pack.format()) {
                for (level, packed) in packed(format, &text).into_iter().enumerate() {
                    let what = format!("{size} bytes at level {level}");
                    for ending in format.endings() {
                        let name = format!("a.{}", ending.to_uppercase());
                        assert_eq!(of_file(&packed, &name), Some(format), "{name}: {what}");
                    }
                    assert_eq!(of_file(&packed, "a.log"), None, "{format:?}: {what}");
                }
            }
        }
    }
}

#[test]
fn a_name_alone_makes_no_format() {
    // The last two begin like zlib data, in text.
    let texts = [&b""[..], b"text\n", b"\x78", &noise(20_000), b"x^2 and more\n", &b"x\x01 y\n".repeat(9000)];
    for format in NAMED.map(|pack| pack.format()) {
        for bytes in texts {
            let name = format!("a.{}", format.endings()[0]);
            assert_eq!(of_file(bytes, &name), None, "{name}: {:?}", &bytes[..bytes.len().min(20)]);
        }
    }
    for (name, format) in [("a.br", CompressionFormat::Gzip), ("a.zz", CompressionFormat::Zstd)] {
        let pack = rread_testkit::pack::all().find(|pack| pack.format() == format).unwrap();
        assert_eq!(of_file(&pack.of(b"text\n"), name), Some(format), "{name}");
    }
}
