//! What the reader must find, computed by slicing the whole text in memory: slow, short and plain.

use rread_reader::reader::Tuning;
use rread_reader::reader::encoding::Align;
use rread_reader::reader::full_scan::{FullScan, Invalid, Longest};
use rread_reader::selection::Context;
use rread_text::hashline::{self, HashStyle};
use rread_text::range::{Form, Place, Range, Unit};

use crate::rng::Rng;
use crate::text::BLOCKS;

/// A whole text and its line boundaries; the last one is its end.
pub struct Whole<'a> {
    pub bytes: &'a [u8],
    pub bounds: Vec<u64>,
}

/// The expected result of a range of lines or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Slice { start: u64, end: u64, first_line: Option<u64>, exact: bool },
    OutOfRange,
    Crossed,
}

impl<'a> Whole<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut bounds = vec![0];
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            bounds.push(bounds[bounds.len() - 1] + line.len() as u64);
        }
        Whole { bytes, bounds }
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub fn lines(&self) -> u64 {
        self.bounds.len() as u64 - 1
    }

    /// The offset after so many lines, or the end.
    pub fn after(&self, lines: u64) -> u64 {
        self.bounds[usize::try_from(lines.min(self.lines())).unwrap()]
    }

    /// The offset where the last so many lines begin, or the start.
    pub fn before_last(&self, lines: u64) -> u64 {
        self.after(self.lines().saturating_sub(lines))
    }

    pub fn newlines_before(&self, offset: u64) -> u64 {
        let end = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        self.bytes[..end].iter().filter(|b| **b == b'\n').count() as u64
    }

    /// First and past-the-last offset of every valid character.
    fn characters(&self) -> Vec<(u64, u64)> {
        let mut all = Vec::new();
        let mut at = 0;
        for chunk in self.bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                all.push((at, at + c.len_utf8() as u64));
                at += c.len_utf8() as u64;
            }
            at += chunk.invalid().len() as u64;
        }
        all
    }

    pub fn align(&self, start: u64, end: u64, align: Align) -> (u64, u64) {
        let characters = self.characters();
        let split = |at: u64| characters.iter().copied().find(|(from, to)| *from < at && at < *to);
        if start >= end {
            return (start, end);
        }
        match align {
            Align::None => (start, end),
            Align::Expand => (split(start).map_or(start, |c| c.0), split(end).map_or(end, |c| c.1)),
            Align::Shrink => {
                let start = split(start).map_or(start, |c| c.1);
                (start, split(end).map_or(end, |c| c.0).max(start))
            }
        }
    }

    pub fn full_scan(&self) -> FullScan {
        let mut longest = Longest::default();
        for (index, line) in self.bytes.split_inclusive(|b| *b == b'\n').enumerate() {
            let bytes = line.strip_suffix(b"\n").unwrap_or(line).len() as u64;
            if index == 0 || bytes > longest.bytes {
                longest = Longest { line: index as u64 + 1, bytes };
            }
        }
        let crlf = self.bytes.windows(2).filter(|pair| pair == b"\r\n").count() as u64;
        let lf = self.newlines_before(self.size()) - crlf;
        let has_returns = lf + crlf == 0 && self.bytes.contains(&b'\r');
        let bytes = || self.bytes.iter().enumerate().map(|(at, byte)| (at as u64, char::from(*byte)));
        let (invalid, odd) = (invalid(self.bytes, 0), odd(bytes));
        FullScan { lines: self.lines(), lf, crlf, has_returns, longest, invalid, odd }
    }

    /// The expected result of `range`.
    pub fn locate(&self, range: Range, context: Context) -> Expected {
        let total = if range.unit == Unit::Lines { self.lines() } else { self.size() };
        let first = u64::from(range.unit == Unit::Lines);
        let at = |place: Place| match place {
            Place::Front(n) => n - first,
            Place::Back(n) => total.saturating_sub(n),
        };
        let (place, end) = match range.form {
            Form::One(place) => (Some(place), at(place).saturating_add(1)),
            Form::Counted(place, count) => (Some(place), at(place).saturating_add(count)),
            Form::Between(place, None) => (place, total),
            // The range includes its last line, so its number is that of the boundary after it.
            Form::Between(place, Some(Place::Front(n))) => (place, n),
            Form::Between(place, Some(Place::Back(n))) => (place, total.saturating_sub(n)),
        };
        let start = place.map_or(0, at);
        let lone = matches!(range.form, Form::One(Place::Front(_)));
        if start > total || (lone && start == total && self.size() > 0) {
            return Expected::OutOfRange;
        }
        if let Form::Between(Some(Place::Back(_)), Some(Place::Front(_))) = range.form
            && end < start
        {
            return Expected::Crossed;
        }
        let moved = matches!(place, Some(Place::Back(n)) if n > total);
        let exact = !moved && end <= total;
        let end = end.min(total).max(start);
        if range.unit == Unit::Bytes {
            return Expected::Slice { start, end, first_line: None, exact };
        }
        let (mut from, mut to) = (start, end);
        if start < end {
            from = start.saturating_sub(context.before);
            to = end.saturating_add(context.after).min(total);
        }
        Expected::Slice {
            start: self.after(from),
            end: self.after(to),
            first_line: Some(from + 1),
            exact: exact && (from, to) == (start, end),
        }
    }
}

/// Invalid sequences in `bytes`, which begin at file offset `from`, as the standard library counts them.
pub fn invalid(bytes: &[u8], from: u64) -> Invalid {
    let mut found = Invalid::default();
    let mut at = from;
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len() as u64;
        if !chunk.invalid().is_empty() {
            found.count += 1;
            found.first_byte.get_or_insert(at);
        }
        at += chunk.invalid().len() as u64;
    }
    found
}

/// The NULs and the other control characters that are unusual in text.
pub fn odd<I: Iterator<Item = (u64, char)>>(characters: impl Fn() -> I) -> [Invalid; 2] {
    let is_control = |c: char| matches!(c, '\x01'..='\x07' | '\x0e'..='\x1a' | '\x1c'..='\x1f' | '\x7f');
    [false, true].map(|counts_controls| {
        let mut found = Invalid::default();
        let odd = characters().filter(|(_, c)| if counts_controls { is_control(*c) } else { *c == '\0' });
        odd.for_each(|(at, _)| found.add(at));
        found
    })
}

/// The prefix of `line` with `--hash`; `line` includes its newline.
pub fn hashline(line: &[u8], number: u64, form: hashline::HashlineForm) -> String {
    let body = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n")).unwrap_or(line);
    match form.style {
        HashStyle::Xxh32 => {
            let digits = format!("{:08x}", xxhash_rust::xxh32::xxh32(body, 0));
            format!("{number}#{}|", &digits[8 - usize::from(form.width)..])
        }
        HashStyle::Omp => {
            let mut seen = Vec::new();
            for chunk in body.utf8_chunks() {
                let is_space = |c: char| c == '\u{FEFF}' || c.is_whitespace() && c != '\u{85}';
                seen.extend(chunk.valid().chars().filter(|c| !is_space(*c)).collect::<String>().bytes());
                seen.extend(chunk.invalid());
            }
            let byte = xxhash_rust::xxh32::xxh32(&seen, 0) % 256;
            let letter = |at: u32| char::from(b"ZPMQVRWSNKTXJBYH"[at as usize]);
            format!("{number}#{}{}:", letter(byte / 16), letter(byte % 16))
        }
    }
}

/// Tunings with threads early or never, that count files whole or only as far as needed.
pub fn tuning(rng: &mut Rng) -> Tuning {
    Tuning {
        block: rng.pick(&BLOCKS),
        fan_out_after: rng.pick(&[32, 100, u64::MAX]),
        small: rng.pick(&[0, u64::MAX]),
    }
}
