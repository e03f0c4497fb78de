//! Checkpoints inside one frame or stream, and the tables of blocks in files: right and wrong ones.

use std::io::Write;

use rread_source::compressed::{Checkpoints, Compressed, CompressionFormat};
use rread_source::file::FileSource;
use rread_source::{Source, read_full};
use rread_testkit::bulk::{STYLES, text_of};
use rread_testkit::rng::Rng;
use rread_testkit::sources::plain;

const FRAME: usize = 100_000;

fn long_text(seed: u64, size: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let style = rng.pick(&STYLES);
        let length = 1 + rng.below(400_000);
        bytes.extend(text_of(&mut rng, style, length));
    }
    bytes.truncate(size);
    bytes
}

fn at(source: &dyn Source, offset: usize, wanted: usize) -> std::io::Result<Vec<u8>> {
    let mut buffer = vec![0; wanted];
    let got = read_full(source, &mut buffer, offset as u64)?;
    buffer.truncate(got);
    Ok(buffer)
}

fn open(packed: &[u8], format: CompressionFormat) -> Compressed {
    Compressed::new(plain(packed), format).unwrap()
}

#[test]
fn decoding_resumes_inside_a_zstd_frame() {
    for (seed, level, checksum) in [(1, 1, true), (1, 1, false), (2, 2, true)] {
        let text = long_text(seed, 40 << 20);
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), level).unwrap();
        encoder.include_checksum(checksum).unwrap();
        encoder.window_log(19).unwrap();
        encoder.write_all(&text).unwrap();
        let packed = encoder.finish().unwrap();
        let first = open(&packed, CompressionFormat::Zstd);
        assert_eq!(at(&first, text.len() - 5, 10).unwrap(), text[text.len() - 5..]);
        let mut kept = tempfile::tempfile().unwrap();
        first.checkpoints().write(&mut kept).unwrap();
        let kept = Checkpoints::read(FileSource::new(kept).unwrap(), 0).unwrap();
        let checkpoint = kept.before(text.len() as u64).unwrap();
        assert!(
            kept.len() > 1 && checkpoint.state.is_some() && checkpoint.text_offset > 16 << 20,
            "{}",
            kept.len()
        );
        let again = open(&packed, CompressionFormat::Zstd);
        again.set_checkpoints(kept);
        let mut rng = Rng::new(1);
        for _ in 0..12 {
            let offset = rng.below(text.len());
            let end = text.len().min(offset + 300_000);
            assert!(
                at(&again, offset, end - offset).unwrap() == text[offset..end],
                "level {level}, {offset}"
            );
        }
        // From a checkpoint to the end, past the checksum.
        assert!(at(&again, 30 << 20, text.len()).unwrap() == text[30 << 20..], "level {level}");
    }
}

#[test]
fn xz_blocks_after_a_damaged_one_are_readable() {
    let text = long_text(10, 600_000);
    let streams: Vec<Vec<u8>> =
        text.chunks(FRAME).map(|part| rread_testkit::pack::Pack::Xz.of(part)).collect();
    let mut packed = streams.concat();
    let middle = streams[0].len() + streams[1].len() / 2;
    packed[middle] ^= 0x10;
    let source = open(&packed, CompressionFormat::Xz);
    assert_eq!(source.size(), Some(text.len() as u64));
    for _ in 0..2 {
        assert!(at(&source, 550_000, 1000).unwrap() == text[550_000..551_000]);
        assert!(at(&source, 10, 1000).unwrap() == text[10..1010]);
        // The checksum comes after the text of the block.
        assert!(at(&source, 199_999, 10).is_err());
    }
    let mut all = vec![0; text.len()];
    let got = read_full(&source, &mut all, 0).unwrap();
    assert!((FRAME..2 * FRAME).contains(&got) && all[..FRAME] == text[..FRAME], "{got}");
    assert!(source.read_at(&mut [0; 10], got as u64).is_err());
}

#[test]
fn an_xz_index_with_an_impossible_block_is_not_believed() {
    let header = b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F";
    // A stream without blocks, whose index has one of this many bytes; the fields of records are of one byte each.
    for (records, is_right) in [(&[0u8, 0][..], true), (&[0, 1, 0, 0], false), (&[0, 1, 4, 0], false)] {
        let mut index = records.to_vec();
        index.resize(index.len().next_multiple_of(4), 0);
        index.extend(crc32fast::hash(&index).to_le_bytes());
        let size = u32::try_from(index.len() / 4 - 1).unwrap().to_le_bytes();
        let fields = [&size[..], &[0, 4]].concat();
        let footer = [&crc32fast::hash(&fields).to_le_bytes()[..], &fields, b"YZ"].concat();
        let source = open(&[&header[..], &index, &footer].concat(), CompressionFormat::Xz);
        assert_eq!(at(&source, 0, 1).is_ok(), is_right, "{records:?}");
    }
}
