//! The fields of a tar header.

pub(super) const HEADER: usize = 512;

/// Headers and data begin at multiples of this.
pub(super) const BLOCK: u64 = HEADER as u64;

pub(super) type Header = [u8; HEADER];

pub(super) fn is_tar(header: &[u8]) -> bool {
    header.first_chunk().is_some_and(|header: &Header| header[0] != 0 && has_checksum(header))
}

/// The checksum counts its own field as blanks. Old programs summed signed bytes.
pub(super) fn has_checksum(header: &Header) -> bool {
    let bytes =
        header.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { b' ' } else { *byte });
    let (mut unsigned, mut signed) = (0u64, 0i64);
    for byte in bytes {
        unsigned += u64::from(byte);
        signed += i64::from(byte.cast_signed());
    }
    number(&header[148..156]).is_some_and(|sum| sum == unsigned || i64::try_from(sum) == Ok(signed))
}

/// An octal number, or a binary one if the first bit is set.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && *first >= 0x80
    {
        let start = u64::from(first & 0x7F);
        return rest.iter().try_fold(start, |sum, byte| Some(sum.checked_mul(256)? + u64::from(*byte)));
    }
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default().trim_ascii();
    text.iter().try_fold(0u64, |sum, digit| {
        let digit = (b'0'..=b'7').contains(digit).then(|| u64::from(digit - b'0'))?;
        sum.checked_mul(8)?.checked_add(digit)
    })
}

pub(super) fn before_nul(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}
