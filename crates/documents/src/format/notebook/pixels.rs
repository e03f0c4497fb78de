//! The width and height of a picture, from its header: of PNG, GIF and JPEG, which notebooks hold.

pub(super) fn pixels(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some((four(bytes, 16)?, four(bytes, 20)?)),
        [b'G', b'I', b'F', b'8', _, b'a', a, b, c, d, ..] => {
            Some((u16::from_le_bytes([*a, *b]).into(), u16::from_le_bytes([*c, *d]).into()))
        }
        [0xFF, 0xD8, rest @ ..] => jpeg(rest),
        _ => None,
    }
}

fn two(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn four(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The size is in the first frame header, after other segments.
fn jpeg(mut segments: &[u8]) -> Option<(u32, u32)> {
    loop {
        let (kind, length) = (*segments.get(1)?, two(segments, 2)?);
        // Three kinds between those of frames are tables.
        if matches!(kind, 0xC0..=0xCF) && !matches!(kind, 0xC4 | 0xC8 | 0xCC) {
            return Some((two(segments, 7)?.into(), two(segments, 5)?.into()));
        }
        segments = segments.get(2 + usize::from(length)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_the_size() {
        assert_eq!(pixels(b"GIF89a\x05\0\x02\x01rest"), Some((5, 258)));
        let jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC4\0\x02\xFF\xC2\0\x0B\x08\x01\x02\0\x03";
        assert_eq!(pixels(jpeg), Some((3, 258)));
        for length in 0..jpeg.len() {
            assert_eq!(pixels(&jpeg[..length]), None);
        }
        assert_eq!(pixels(b"\xFF\xD8\xFF\xE0\0\0\xFF\xE0"), None);
    }
}
