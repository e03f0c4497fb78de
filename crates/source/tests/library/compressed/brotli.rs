//! brotli: every level and window, damage anywhere, and windows that are too large.

use rread_source::Source;
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_testkit::bulk::{Style, text_of};
use rread_testkit::damaged::read;
use rread_testkit::pack::brotli;
use rread_testkit::rng::Rng;
use rread_testkit::sources::{Act, Scripted, plain};
use rread_text::error::Error;

/// The text up to the damage, if the file comes in reads of `most` bytes.
fn decoded(packed: &[u8], most: usize) -> Vec<u8> {
    let stored = Scripted::new(packed, move |_, _| Act::Short(most));
    let source = Compressed::new(Box::new(stored), CompressionFormat::Brotli).unwrap();
    let (mut text, mut buffer) = (Vec::new(), [0; 999]);
    while let Ok(got @ 1..) = source.read_at(&mut buffer, text.len() as u64) {
        text.extend(&buffer[..got]);
    }
    text
}

#[test]
fn every_level_and_window_is_decoded() {
    let text = text_of(&mut Rng::new(1), Style::Words, 5000);
    let noise: Vec<u8> = (0..5000_u32).map(|n| Rng::new(n.into()).next().to_le_bytes()[0]).collect();
    for level in 0..=11 {
        for window in [10, 17, 24, 27] {
            for text in [&text, &noise] {
                let read = read(&brotli(text, level, window), CompressionFormat::Brotli, 5000);
                assert!(read.damage.is_none() && !read.garbage && read.text == *text, "{level}, {window}");
            }
        }
    }
}

/// The library keeps the text of a call that fails, so a call has little input: here the text of a KiB has less than 8.
#[test]
fn the_text_before_damage_is_returned() {
    let text = text_of(&mut Rng::new(5), Style::Words, 40_000);
    for window in [10, 22] {
        let packed = brotli(&text, 5, window);
        for at in (3..packed.len()).step_by(packed.len() / 20) {
            let mut packed = packed.clone();
            packed[at] ^= 0x10;
            let (found, exact) = (decoded(&packed, usize::MAX), decoded(&packed, 1));
            let common = found.len().min(exact.len());
            assert!(found[..common] == exact[..common], "window {window}, damaged at {at}: another text");
            assert!(exact.len() - common < 8 << 10, "window {window}, damaged at {at}: {common} bytes");
        }
    }
}

#[test]
fn a_window_over_the_limit_needs_another_program() {
    for exponent in [28_u8, 30] {
        let source = Compressed::new(plain(&[0x11, exponent, 0, 0]), CompressionFormat::Brotli).unwrap();
        let cause = source.read_at(&mut [0], 0).unwrap_err();
        let error = cause.get_ref().unwrap().downcast_ref::<Error>().unwrap();
        let window = 1_u64 << exponent;
        let expected = format!("needs a window of {window} bytes to decompress; the limit is 134217728");
        assert_eq!(error.message.plain(), expected);
        assert!(error.hint.as_ref().unwrap().plain().contains("brotli -dc"), "{error:?}");
    }
    for exponent in [0, 9, 31, 63] {
        assert!(read(&[0x11, exponent, 0, 0], CompressionFormat::Brotli, 9).damage.is_some(), "{exponent}");
    }
}
