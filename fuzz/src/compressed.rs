//! Compressed streams with anything in them: the right text or its right beginning and a complaint, as the formats' own
//! decoders have it.

use std::io::Read;

use rread_source::compressed::damage::Damage;
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_source::{Decoding, Source};

use crate::input::Input;
use crate::mutate::mutated;
use rread_testkit::pack::{PACKS, Pack};
use rread_testkit::sources::{Act, Scripted, plain};

/// So much text is read at most: what a few bytes can become has no end.
const MOST: usize = 1 << 20;

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let step = [1, 100, 5000, 70_000][input.below(4)];
    if input.one_in(3) {
        let bytes = input.rest();
        if let Ok(Some(format)) = CompressionFormat::of(&*plain(bytes)) {
            check(bytes, format, step);
        }
        return;
    }
    let pack = input.pick(&PACKS);
    let (mut rng, text) = (input.rng(), input.rest());
    let text = if rng.one_in(2) { text.repeat(1 + rng.below(200)) } else { text.to_vec() };
    let packed = pack.of(&text[..text.len().min(MOST / 2)]);
    let text = &text[..text.len().min(MOST / 2)];
    let other = rng.pick(&PACKS).of(b"of another\n");
    let changed = mutated(&mut rng, &packed, &other);
    if packed == changed {
        assert_eq!(read(&packed, pack.format(), step).text, text);
    } else if let Ok(Some(format)) = CompressionFormat::of(&*plain(&changed)) {
        check(&changed, format, step);
        if format == pack.format() {
            cut(&packed, pack, text, &mut rng);
        }
    }
}

/// What reading to the end, or to the most that is read, gave.
struct Found {
    text: Vec<u8>,
    /// Whether there was no end to it.
    is_long: bool,
    damage: Option<Damage>,
    garbage: bool,
}

fn read(packed: &[u8], format: CompressionFormat, step: usize) -> Found {
    let most = if step == 1 { 3 } else { usize::MAX };
    let stored = Scripted::new(packed, move |_, _| Act::Short(most));
    let source = match Compressed::new(Box::new(stored), format) {
        Ok(source) => source,
        Err(error) => panic!("{format:?}: {error}"),
    };
    let mut text = Vec::new();
    let mut buffer = vec![0; step];
    let damage = loop {
        if text.len() > MOST {
            break None;
        }
        match source.read_at(&mut buffer, text.len() as u64) {
            Ok(0) => break None,
            Ok(got) => text.extend(&buffer[..got]),
            Err(cause) => {
                let damage = cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>()).cloned();
                // Changed bytes may ask for a window or a dictionary that rread does not have.
                assert!(
                    damage.is_some() || cause.to_string().contains("to decompress"),
                    "{format:?}: {cause}"
                );
                let (input, text) = (0, text.len() as u64);
                let refused =
                    || Damage { format: format.name(), input, text, unsound: text, what: cause.to_string() };
                break Some(damage.unwrap_or_else(refused));
            }
        }
    };
    let is_long = text.len() > MOST;
    if let Some(damage) = &damage {
        assert_eq!(damage.text, text.len() as u64, "{damage}");
        assert!(damage.input <= packed.len() as u64, "{damage}");
        assert!(source.read_at(&mut buffer, damage.text).is_err(), "{damage}: and then not");
    } else if !is_long {
        assert_eq!(source.size(), Some(text.len() as u64));
    }
    again(&source, &text, format);
    Found { text, is_long, damage, garbage: source.trailing_garbage().is_some() }
}

/// What was given once is given again, from any place.
fn again(source: &Compressed, text: &[u8], format: CompressionFormat) {
    for at in [text.len() / 2, text.len() / 3, 0] {
        let mut buffer = [0; 50];
        let Ok(got) = source.read_at(&mut buffer, at as u64) else {
            assert!(at >= text.len(), "{format:?}: {at} of {} cannot be read again", text.len());
            continue;
        };
        let there = &text[at..(at + got).min(text.len())];
        assert_eq!(&buffer[..there.len()], there, "{format:?}: at {at}");
    }
}

/// What is said to be all right is what the decoder of the format gives, and what comes before damage is its beginning.
fn check(packed: &[u8], format: CompressionFormat, step: usize) {
    let found = read(packed, format, step);
    let Some((expected, is_right)) = reference(packed, format) else { return };
    let (ours, theirs) = (&found.text, &expected);
    let common = ours.len().min(theirs.len());
    let is_silent = found.damage.is_none() && !found.garbage;
    // In front of a wrong checksum may stand wrong bytes, and no two decoders agree what those are.
    if found.damage.is_none() {
        assert!(ours[..common] == theirs[..common], "{format:?}: not the text");
    }
    if is_silent && !found.is_long && is_right {
        assert_eq!(ours.len(), theirs.len(), "{format:?}: not all of the text");
    }
    if is_silent && !found.is_long && !is_right {
        assert!(
            is_lenient(format, packed),
            "{format:?}: nothing said, but the decoder of the format refuses it"
        );
    }
}

/// Formats without a checksum or with padding that other decoders do not know: for bzip2, only where a stream follows it.
fn is_lenient(format: CompressionFormat, packed: &[u8]) -> bool {
    let has_padding = || packed.windows(4).any(|bytes| bytes == b"\0BZh");
    matches!(
        format,
        CompressionFormat::Lzma
            | CompressionFormat::Lz4
            | CompressionFormat::Gzip
            | CompressionFormat::Bgzf
            | CompressionFormat::Xz
    ) || format == CompressionFormat::Bzip2 && has_padding()
}

/// The text by another way to decode it, and whether it was right to its end.
fn reference(packed: &[u8], format: CompressionFormat) -> Option<(Vec<u8>, bool)> {
    let mut decoder: Box<dyn Read + '_> = match format {
        CompressionFormat::Gzip | CompressionFormat::Bgzf => {
            Box::new(flate2::bufread::MultiGzDecoder::new(packed))
        }
        CompressionFormat::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(packed).ok()?),
        CompressionFormat::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        CompressionFormat::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(packed)),
        _ => return None,
    };
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    while text.len() <= MOST + 70_000 {
        match decoder.read(&mut buffer) {
            Ok(0) => return Some((text, true)),
            Ok(got) => text.extend(&buffer[..got]),
            Err(_) => return Some((text, false)),
        }
    }
    Some((text, true))
}

/// A file that is cut off gives its beginning, and says so if the cut is not between two members.
fn cut(packed: &[u8], pack: Pack, text: &[u8], rng: &mut rread_testkit::rng::Rng) {
    let at = 1 + rng.below(packed.len() - 1);
    let found = read(&packed[..at], pack.format(), 4096);
    assert!(text.starts_with(&found.text), "{pack:?} cut at {at}");
    let is_one =
        matches!(pack, Pack::Gzip | Pack::GzipStored | Pack::Zstd | Pack::Xz | Pack::Bzip2 | Pack::Lz4);
    assert!(!is_one || found.damage.is_some(), "{pack:?} cut at {at} of {}: nothing said", packed.len());
}
