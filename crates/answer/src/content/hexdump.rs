//! The rows of a hex dump, as `hexdump -v -C` prints them, with the colors of hexyl.

/// Bytes in a row.
pub(super) const ROW: usize = 16;

const OFFSET_DIGITS: u32 = 8;

/// Past the offset: two blanks, the cells of the bytes in two groups, and the bytes between bars.
const TEMPLATE: [u8; 71] = *b"                                                    |................|\n";

/// Where the first cell and the first character are in the template.
const CELLS: usize = 2;
const SHOWN_AT: usize = 53;

const HEX: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};

const SHOWN: [u8; 256] = {
    let mut table = [b'.'; 256];
    let mut byte = 0x20;
    while byte < 0x7F {
        table[byte as usize] = byte;
        byte += 1;
    }
    table
};

/// The colors of offsets and of the classes of bytes, as in hexyl.
const GREY: &str = "\x1b[90m";
const CYAN: &str = "\x1b[36m";
const GREEN: &str = "\x1b[32m";
const MAGENTA: &str = "\x1b[35m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[39m";

fn color_of(byte: u8) -> &'static str {
    match byte {
        0 => GREY,
        b'!'..=b'~' => CYAN,
        _ if byte.is_ascii_whitespace() => GREEN,
        _ if byte.is_ascii() => MAGENTA,
        _ => YELLOW,
    }
}

fn offset_digits(offset: u64) -> u32 {
    offset.checked_ilog2().map_or(1, |bits| bits / 4 + 1).max(OFFSET_DIGITS)
}

/// The length of the line that ends a dump.
pub(super) fn end_length(end: u64) -> u64 {
    u64::from(offset_digits(end)) + 1
}

fn row_length(at: u64, bytes: usize) -> u64 {
    u64::from(offset_digits(at)) + (TEMPLATE.len() - ROW + bytes) as u64
}

/// The offset and the number of bytes of every row.
fn rows(at: u64, bytes: usize) -> impl Iterator<Item = (u64, usize)> {
    (0..bytes).step_by(ROW).map(move |from| (at + from as u64, ROW.min(bytes - from)))
}

/// The length of the rows of `bytes` bytes, without colors.
pub(super) fn length(at: u64, bytes: usize) -> u64 {
    rows(at, bytes).map(|(at, bytes)| row_length(at, bytes)).sum()
}

/// How many of `bytes` bytes fit into `room` with whole rows and the line at the end.
pub(super) fn fitting(at: u64, bytes: usize, room: u64) -> usize {
    let (mut used, mut fitting) = (0, 0);
    for (at, bytes) in rows(at, bytes) {
        used += row_length(at, bytes);
        if used + end_length(at + bytes as u64) > room {
            break;
        }
        fitting += bytes;
    }
    fitting
}

/// Appends the rows of `bytes`, which are at `at`.
pub(super) fn append(text: &mut Vec<u8>, at: u64, bytes: &[u8], color: bool) {
    for ((at, _), row) in rows(at, bytes.len()).zip(bytes.chunks(ROW)) {
        if color {
            append_painted(text, at, row);
        } else {
            append_row(text, at, row);
        }
    }
}

/// Appends the line at the end: the offset after the last byte.
pub(super) fn append_end(text: &mut Vec<u8>, end: u64, color: bool) {
    if color {
        text.extend_from_slice(GREY.as_bytes());
    }
    append_offset(text, end);
    if color {
        text.extend_from_slice(RESET.as_bytes());
    }
    text.push(b'\n');
}

fn append_row(text: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    append_offset(text, at);
    let mut row = TEMPLATE;
    // A whole row has a known length, which lets the compiler unroll the loop.
    match bytes.as_array::<ROW>() {
        Some(bytes) => fill(&mut row, bytes),
        None => fill(&mut row, bytes),
    }
    let end = SHOWN_AT + bytes.len();
    row[end..end + 2].copy_from_slice(b"|\n");
    text.extend_from_slice(&row[..end + 2]);
}

#[inline]
fn fill(row: &mut [u8; TEMPLATE.len()], bytes: &[u8]) {
    for (index, byte) in bytes.iter().enumerate() {
        let cell = cell(index);
        row[cell..cell + 2].copy_from_slice(&HEX[usize::from(*byte)]);
        row[SHOWN_AT + index] = SHOWN[usize::from(*byte)];
    }
}

/// Where the cell of a byte of the row begins in the template.
fn cell(index: usize) -> usize {
    CELLS + 3 * index + usize::from(index >= ROW / 2)
}

fn append_offset(text: &mut Vec<u8>, offset: u64) {
    let bytes = offset.to_be_bytes();
    let digits: [[u8; 2]; 8] = bytes.map(|byte| HEX[usize::from(byte)]);
    let skipped = digits.as_flattened().len() - offset_digits(offset) as usize;
    text.extend_from_slice(&digits.as_flattened()[skipped..]);
}

/// As [`append_row`], with a color before every run of bytes of one class.
fn append_painted(text: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let mut plain = Vec::with_capacity(2 * TEMPLATE.len());
    append_row(&mut plain, at, bytes);
    let offset = offset_digits(at) as usize;
    let (digits, row) = plain.split_at(offset);
    for part in [GREY.as_bytes(), digits, RESET.as_bytes()] {
        text.extend_from_slice(part);
    }
    let mut copied = 0;
    let cells = |index| cell(index)..cell(index) + 2;
    let shown = |index| SHOWN_AT + index..SHOWN_AT + index + 1;
    for column in [&cells as &dyn Fn(usize) -> std::ops::Range<usize>, &shown] {
        let mut last = "";
        for (index, byte) in bytes.iter().enumerate() {
            let (color, place) = (color_of(*byte), column(index));
            if color != last {
                text.extend_from_slice(&row[copied..place.start]);
                text.extend_from_slice(color.as_bytes());
                copied = place.start;
                last = color;
            }
            text.extend_from_slice(&row[copied..place.end]);
            copied = place.end;
        }
        text.extend_from_slice(RESET.as_bytes());
    }
    text.extend_from_slice(&row[copied..]);
}
