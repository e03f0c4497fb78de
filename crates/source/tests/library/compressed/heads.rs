//! Heads of members: every header field, empty members, many of them, and text that looks like one.

use lz4_flex::frame::{BlockMode, BlockSize, FrameInfo};
use rread_source::Source;
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_testkit::bulk::{Style, text_of};
use rread_testkit::damaged::read;
use rread_testkit::pack::{self, Pack, bgzf, gzip, lz4, member, skippable, trailer, zstd};
use rread_testkit::rng::Rng;
use rread_testkit::sources::plain;

#[track_caller]
fn holds(packed: &[u8], format: CompressionFormat, text: &[u8]) {
    if format.is_recognised_by_content() {
        assert_eq!(CompressionFormat::of(&*plain(packed)).unwrap(), Some(format));
    }
    let read = read(packed, format, 70_000);
    assert!(read.damage.is_none(), "{:?}", read.damage);
    assert!(!read.garbage);
    assert!(read.text == text, "{} bytes of text instead of {}", read.text.len(), text.len());
}

#[test]
fn every_field_of_a_gzip_header_is_skipped() {
    for flags in 0..32 {
        holds(&member(b"text\n", flags, 6), CompressionFormat::Gzip, b"text\n");
    }
    // The longest extra field, and a name longer than one read.
    let long =
        [&[0x1F, 0x8B, 8, 12, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF][..], &[7; 65_535], &b"n".repeat(300_000), &[0]];
    let deflated = miniz_oxide::deflate::compress_to_vec(b"text\n", 6);
    holds(&[&long.concat()[..], &deflated, &trailer(b"text\n")].concat(), CompressionFormat::Gzip, b"text\n");
}

#[test]
fn zeros_after_the_data_are_padding() {
    for pack in pack::all() {
        for zeros in [4, 8, 512, 100_000] {
            let packed = [&pack.of(b"some text\n")[..], &vec![0; zeros]].concat();
            holds(&packed, pack.format(), b"some text\n");
        }
    }
}

#[test]
fn empty_members_add_no_text() {
    for pack in pack::all() {
        let empty = pack.of(b"");
        holds(&empty, pack.format(), b"");
        if pack != Pack::Lzma && pack.format().is_recognised_by_content() {
            let text = b"one\ntwo\n";
            holds(&[&empty[..], &pack.of(text), &empty, &empty].concat(), pack.format(), text);
            holds(&empty.repeat(500), pack.format(), b"");
        }
    }
}

#[test]
fn skippable_frames_may_be_anywhere() {
    let text = b"text\n";
    let skipped = [skippable(b""), skippable(&[7; 200_000])].concat();
    for (frame, format) in
        [(zstd(text, 1), CompressionFormat::Zstd), (lz4(text, FrameInfo::new()), CompressionFormat::Lz4)]
    {
        let all = [&skipped[..], &frame, &skipped, &skipped, &frame, &skipped].concat();
        holds(&all, format, &text.repeat(2));
        // The file ends inside a skippable frame.
        let cut = [&frame[..], &skipped[..skipped.len() - 1]].concat();
        assert!(read(&cut, format, 100).damage.is_some(), "{format:?}");
    }
}

#[test]
fn skippable_frames_alone_are_an_empty_text() {
    for skipped in [skippable(b""), skippable(b"abcd"), [skippable(&[7; 70_000]), skippable(b"x")].concat()] {
        holds(&skipped, CompressionFormat::Zstd, b"");
    }
}

#[test]
fn texts_of_every_kind_are_decoded() {
    let mut rng = Rng::new(8);
    let noise: Vec<u8> = (0..400_000).map(|_| rng.next().to_le_bytes()[0]).collect();
    let texts: [&[u8]; 6] = [
        b"\n",
        b"\r\n\r\n",
        &noise,
        &vec![b'x'; 3 << 20],
        &"é漢😀".as_bytes().repeat(40_000),
        &b"one\r\ntwo\r\n".repeat(30_000),
    ];
    for pack in pack::all() {
        for text in texts {
            holds(&pack.of(text), pack.format(), text);
        }
    }
}

#[test]
fn frames_of_lz4_may_differ_in_everything() {
    let text = text_of(&mut Rng::new(1), Style::Words, 700_000);
    let sizes = [BlockSize::Max64KB, BlockSize::Max4MB, BlockSize::Max256KB, BlockSize::Max1MB];
    let mut packed = Vec::new();
    for (size, next) in sizes.into_iter().zip(sizes.into_iter().cycle().skip(1)) {
        packed.extend(lz4(&text, FrameInfo::new().block_size(size).block_mode(BlockMode::Linked)));
        packed.extend(lz4(&text, FrameInfo::new().block_size(next).block_mode(BlockMode::Independent)));
    }
    holds(&packed, CompressionFormat::Lz4, &text.repeat(8));
}

#[test]
fn an_empty_block_of_lz4_is_not_the_end() {
    let frame = lz4(b"text\n", FrameInfo::new());
    let (head, rest) = frame.split_at(7);
    for empty in [&[0, 0, 0, 0x80][..], &[1, 0, 0, 0, 0]] {
        holds(&[head, empty, rest].concat(), CompressionFormat::Lz4, b"text\n");
    }
}

#[test]
fn text_that_begins_like_a_format_is_not_recognised() {
    let texts: [&[u8]; 9] = [
        b"\x1F\x8B\x07\0",
        b"\x1F\x8B\x08",
        b"BZh9 is how it begins\n",
        b"BZh",
        b"]\0\0\x80\0 is not lzma\n",
        b"(\xB5/",
        b"P*M\x18",
        b"\xFD7zXY\0",
        b"\x04\"M",
    ];
    for text in texts {
        assert_eq!(CompressionFormat::of(&*plain(text)).unwrap(), None, "{text:?}");
    }
}

/// The end marker of BGZF is an empty member, and the text is complete without it.
#[test]
fn bgzf_ends_with_or_without_its_marker() {
    let text = text_of(&mut Rng::new(1), Style::Words, 200_000);
    let packed = bgzf(&text);
    holds(&packed, CompressionFormat::Bgzf, &text);
    holds(
        &[&packed[..], &gzip(b"more", 1)].concat(),
        CompressionFormat::Bgzf,
        &[&text[..], b"more"].concat(),
    );
}

/// rread decodes only the text that a request needs.
#[test]
fn the_front_of_a_bomb_costs_nothing() {
    let zeros = vec![0; 8 << 20];
    for pack in [Pack::Gzip, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4] {
        let packed = pack.of(&zeros).repeat(128);
        let started = std::time::Instant::now();
        let source = Compressed::new(plain(&packed), pack.format()).unwrap();
        assert!(source.read_at(&mut [1; 4096], 0).unwrap() > 0);
        // An .xz file has the size of its text.
        assert_eq!(source.size(), (pack == Pack::Xz).then_some(1 << 30));
        assert!(started.elapsed().as_secs() < 2, "{pack:?}: {:?}", started.elapsed());
    }
}
