//! Pictures cut or changed at every byte of their headers: no panic, and no wrong fact without an error.

use super::pictures::{facts, samples};

#[test]
fn a_picture_cut_anywhere_is_the_same_and_incomplete_or_an_error_or_none() {
    for sample in samples() {
        let whole = facts(&sample.bytes).unwrap().unwrap();
        for cut in 0..sample.bytes.len() {
            let what = format!("{} {} cut at {cut}", sample.format, sample.mode);
            match facts(&sample.bytes[..cut]) {
                Ok(None) => assert!(cut < 18, "{what}: not recognised"),
                Ok(Some(picture)) => {
                    assert_eq!((picture.width, picture.height), (whole.width, whole.height), "{what}");
                    assert_eq!(picture.mode, whole.mode, "{what}");
                    // What follows the data of a TIFF, and the padding of the others, is no loss.
                    let is_end = cut + 1 >= sample.bytes.len() || sample.format == "TIFF";
                    assert!(picture.complete != Some(true) || is_end, "{what}: passes for complete");
                }
                Err(error) => assert!(error.message.plain().starts_with("is a "), "{what}: {error}"),
            }
        }
    }
}

#[test]
fn a_byte_changed_anywhere_in_the_header_does_no_harm() {
    for sample in samples() {
        for at in 0..sample.bytes.len().min(700) {
            for flip in [0x01, 0x80, 0xFF] {
                let mut bytes = sample.bytes.clone();
                bytes[at] ^= flip;
                let found = facts(&bytes);
                // The header of a PNG has a checksum.
                if sample.format == "PNG" && (8..33).contains(&at) {
                    assert!(found.is_err(), "{} {at} {flip}: {found:?}", sample.mode);
                }
            }
        }
    }
}

#[test]
fn noise_after_every_signature_does_no_harm() {
    let noise = super::pictures::noise(1 << 16);
    let starts: [&[u8]; 9] = [
        b"\x89PNG\r\n\x1A\n",
        b"\xFF\xD8\xFF",
        b"GIF89a",
        b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0",
        b"RIFF\0\0\0\0WEBPVP8X",
        b"II*\0\x08\0\0\0",
        b"MM\0*\0\0\0\x08",
        b"II+\0\x08\0\0\0",
        b"<svg ",
    ];
    for start in starts {
        for from in (0..1 << 15).step_by(97) {
            let _ = facts(&[start, &noise[from..from + 3000]].concat());
        }
    }
}
