//! Searches of compressed text by several decoders find what one decoder finds.

use std::ops::ControlFlow;

use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;

use super::matcher::LineMatcher;
use super::pattern::Pattern;
use super::scan::Search;
use super::worker::Wants;
use crate::reader::{Reader, Tuning};
use rread_source::compressed::{Checkpoints, Compressed, CompressionFormat};
use rread_source::{Decoding, MemorySource, Source};
use rread_text::Encoding;

const SIZE: usize = 7 << 19;

fn gzip(text: &[u8], level: u8) -> Vec<u8> {
    let mut bytes = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    bytes.extend(compress_to_vec(text, level));
    bytes.extend(crc32fast::hash(text).to_le_bytes());
    bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    bytes
}

fn compressed(packed: &[u8]) -> Compressed {
    Compressed::new(Box::new(MemorySource::new(packed)), CompressionFormat::Gzip).unwrap()
}

fn reader(source: Box<dyn Source>) -> Reader {
    let reader = Reader::new(source, Tuning { block: 4096, ..Tuning::default() }).unwrap();
    reader.end_at_damage();
    reader
}

/// The checkpoints that reading all of `packed` leaves.
fn checkpoints(packed: &[u8]) -> Checkpoints {
    let source = compressed(packed);
    let (mut buffer, mut at) = (vec![0; 1 << 16], 0);
    while let Ok(got) = source.read_at(&mut buffer, at) {
        at += got as u64;
        if got == 0 {
            break;
        }
    }
    source.checkpoints()
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    hits: Vec<(u64, u64, u64, u64)>,
    newlines: u64,
    is_unterminated: bool,
}

fn search(reader: &Reader) -> Answer {
    let pattern = Pattern { patterns: vec!["needle|^$".to_owned()], ..Pattern::default() };
    let matcher = LineMatcher::new(&pattern, Encoding::Utf8, false).unwrap();
    let wants = Wants { hits: true, text: true, numbers: true, matches: true, from: 0 };
    let mut hits = Vec::new();
    let searched = Search { reader, matcher, wants }.run(0..u64::MAX, 0, &mut |found, text| {
        for hit in found {
            let held = hit.text.clone().map(|range| &text[range]);
            assert!(held.is_none_or(|line| line.len() as u64 == hit.next - hit.start));
            hits.push((hit.start, hit.next, hit.newlines, hit.matches));
        }
        Ok(ControlFlow::Continue(()))
    });
    let searched = searched.unwrap().unwrap();
    Answer { hits, newlines: searched.newlines, is_unterminated: searched.is_unterminated }
}

/// Lines of all lengths, some longer than a stripe.
fn text(seed: u64) -> Vec<u8> {
    let (mut text, mut state) = (Vec::with_capacity(SIZE), seed | 1);
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    while text.len() < SIZE {
        let length = match random(1000) {
            0 => random(1 << 20),
            1..100 => 0,
            _ => random(300),
        };
        // Text that hardly compresses has many blocks.
        for _ in 0..length / 4 {
            let bits = random(1 << 24);
            text.extend([0, 6, 12, 18].map(|at| b'!' + u8::try_from(bits >> at & 63).unwrap()));
        }
        text.extend(if random(50) == 0 { &b" needle\n"[..] } else { b"\n" });
    }
    text.truncate(SIZE);
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn several_decoders_find_what_one_finds(seed: u64, shift in 0usize..4, level in prop::sample::select(vec![0u8, 0, 0, 1])) {
        let mut text = text(seed);
        // The blocks of stored data have the same edges whatever the text is.
        for (n, start) in checkpoints(&gzip(&text, level)).starts().into_iter().enumerate() {
            // A line begins before the edge, at it, or after it.
            let at = usize::try_from(start).unwrap() + 1 - (shift + n) % 4;
            text[at..at + 8].copy_from_slice(b"\nneedle\n");
        }
        let packed = gzip(&text, level);
        let source = compressed(&packed);
        source.set_checkpoints(checkpoints(&packed));
        prop_assert!(source.starts(1).len() > 1);
        prop_assert_eq!(search(&reader(Box::new(source))), search(&reader(Box::new(MemorySource::new(text)))));
    }

    #[test]
    fn damage_since_the_checkpoints_changes_no_answer(seed: u64, at: prop::sample::Index, level in 0u8..3) {
        let mut packed = gzip(&text(seed), level);
        let source_checkpoints = checkpoints(&packed);
        let last = source_checkpoints.last_raw_offset();
        let at = at.index(packed.len() - 8);
        packed[at] ^= 0x10;
        let (alone, many) = (compressed(&packed), compressed(&packed));
        many.set_checkpoints(source_checkpoints);
        let (alone, many) = (reader(Box::new(alone)), reader(Box::new(many)));
        prop_assert_eq!(search(&many), search(&alone), "byte {}", at);
        if (at as u64) < last {
            prop_assert_eq!(format!("{:?}", many.damage()), format!("{:?}", alone.damage()));
        }
    }
}
