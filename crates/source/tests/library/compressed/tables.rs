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

fn frame(text: &[u8], has_size: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    if has_size {
        encoder.set_pledged_src_size(Some(text.len() as u64)).unwrap();
    }
    encoder.include_contentsize(has_size).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Frames of `texts`, and a table with these `sizes`.
fn seekable<'a>(texts: impl Iterator<Item = &'a [u8]>, sizes: &[usize], say: bool) -> Vec<u8> {
    let frames: Vec<Vec<u8>> = texts.map(|text| frame(text, say)).collect();
    let mut table = Vec::new();
    for (frame, size) in frames.iter().zip(sizes) {
        table.extend(u32::try_from(frame.len()).unwrap().to_le_bytes());
        table.extend(u32::try_from(*size).unwrap().to_le_bytes());
    }
    table.extend(u32::try_from(frames.len()).unwrap().to_le_bytes());
    table.push(0);
    table.extend(0x8F92_EAB1u32.to_le_bytes());
    let mut packed = frames.concat();
    packed.extend(0x184D_2A5Eu32.to_le_bytes());
    packed.extend(u32::try_from(table.len()).unwrap().to_le_bytes());
    packed.extend(table);
    packed
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
fn a_seek_table_has_the_size_and_all_checkpoints() {
    let text = long_text(7, 1_050_000);
    for say in [true, false] {
        let sizes: Vec<usize> = text.chunks(FRAME).map(<[u8]>::len).collect();
        let source = open(&seekable(text.chunks(FRAME), &sizes, say), CompressionFormat::Zstd);
        assert_eq!(source.size(), Some(text.len() as u64));
        for offset in [1_049_000, 5, 99_990, 100_000, 777_777] {
            let end = text.len().min(offset + 150_000);
            assert!(at(&source, offset, end - offset).unwrap() == text[offset..end], "{say}, {offset}");
        }
    }
}

#[test]
fn a_wrong_seek_table_causes_no_wrong_byte() {
    let text = long_text(8, 1_050_000);
    let right: Vec<usize> = text.chunks(FRAME).map(<[u8]>::len).collect();
    let changes: [&[(usize, isize)]; 5] =
        [&[(0, 1000), (1, -1000)], &[(4, 1)], &[(10, -500)], &[(10, 500)], &[(0, -1)]];
    for (change, say) in changes.iter().flat_map(|change| [(change, true), (change, false)]) {
        let mut sizes = right.clone();
        change.iter().for_each(|(frame, by)| sizes[*frame] = sizes[*frame].checked_add_signed(*by).unwrap());
        let packed = seekable(text.chunks(FRAME), &sizes, say);
        for offset in [0, 99_000, 110_000, 450_000, 1_049_000] {
            let source = open(&packed, CompressionFormat::Zstd);
            // Fewer bytes are right too: an error follows if the table promises more.
            if let Ok(bytes) = at(&source, offset, 2000) {
                assert!(text[offset..].starts_with(&bytes), "{change:?}, {say}, {offset}");
            }
        }
        let whole = at(&open(&packed, CompressionFormat::Zstd), 0, text.len() + 1000);
        assert!(whole.is_ok_and(|bytes| text.starts_with(&bytes)), "{change:?}, {say}");
        // The size is right, or reading its last byte fails.
        let source = open(&packed, CompressionFormat::Zstd);
        let end = source.size().map_or(text.len(), |size| usize::try_from(size).unwrap());
        let last = at(&source, end - 1, 1);
        assert!(
            last.is_err() || source.size().is_none_or(|size| size == text.len() as u64),
            "{change:?}, {say}"
        );
    }
}

/// Otherwise the table is not trusted, and decoding starts at the front.
#[test]
fn headers_must_confirm_frames_of_different_sizes() {
    let text = long_text(9, 300_000);
    let parts = || [&text[..1000], &text[1000..200_000], &text[200_000..]].into_iter();
    let sizes: Vec<usize> = parts().map(<[u8]>::len).collect();
    for (say, size) in [(true, Some(300_000)), (false, None)] {
        let source = open(&seekable(parts(), &sizes, say), CompressionFormat::Zstd);
        assert_eq!(source.size(), size);
        assert!(at(&source, 199_000, 2000).unwrap() == text[199_000..201_000]);
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
