//! Computes a text of any size from the offset, so that tests check slices by arithmetic.

/// Bytes per line, with its newline.
pub const LINE: u64 = 64;

/// Line `number` (from 0): its number in 20 digits, characters of two, three and four bytes, and dots. A replaced
/// text has letters instead of digits, so that no line is in both.
fn line(number: u64, replaced: bool) -> Vec<u8> {
    let mut line = format!("{number:020} é漢😀 ").into_bytes();
    line.resize(63, b'.');
    line.push(b'\n');
    if replaced {
        line.iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| *byte += b'A' - b'0');
    }
    line
}

/// The `count` bytes at `offset`.
pub fn slice(offset: u64, count: u64, replaced: bool) -> Vec<u8> {
    let (first, after) = (offset / LINE, (offset + count).div_ceil(LINE));
    let lines: Vec<u8> = (first..after).flat_map(|number| line(number, replaced)).collect();
    let skipped = usize::try_from(offset % LINE).unwrap();
    lines[skipped..][..usize::try_from(count).unwrap()].to_vec()
}

/// The first `size` bytes; the last line may be cut.
pub fn text(size: u64) -> Vec<u8> {
    slice(0, size, false)
}

#[test]
fn slices_are_those_of_the_whole() {
    for replaced in [false, true] {
        let whole = slice(0, 300, replaced);
        for from in 0..=300 {
            for to in from..=300 {
                let (start, end) = (usize::try_from(from).unwrap(), usize::try_from(to).unwrap());
                assert_eq!(slice(from, to - from, replaced), whole[start..end]);
            }
        }
    }
    assert_eq!(text(640).iter().filter(|byte| **byte == b'\n').count(), 10);
    assert_eq!(slice(1 << 50, 21, false), b"00000017592186044416 ");
}
