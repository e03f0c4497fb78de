//! Damage in compressed data and other failures of decoders, and the spans of text that agree with their checksums.

use std::ops::Range;
use std::{fmt, io, iter};

/// The first byte of compressed data that cannot be decoded. An [`io::Error`] of a read carries it inside.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The word for the format, such as `gzip`.
    pub format: &'static str,
    /// Its offset in the compressed input.
    pub input: u64,
    /// How many decoded bytes come before it.
    pub text: u64,
    /// How many of those come before the part whose checksum does not agree; all if no checksum followed.
    pub unsound: u64,
    /// The fault, as a part of a sentence.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { format, input, what, .. } = self;
        write!(f, "the {format} data is damaged at or before byte {input} of the file: {what}")
    }
}

impl Damage {
    /// The damage that a read met.
    pub(super) fn of(cause: &io::Error) -> Option<&Self> {
        cause.get_ref().and_then(|inner| inner.downcast_ref())
    }
}

impl std::error::Error for Damage {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, damage)
    }
}

/// The most spans; beyond that, the first is dropped.
const MAX_SPANS: usize = 1024;

/// Spans in order, none touching another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedSpans(Vec<Range<u64>>);

impl CheckedSpans {
    pub(super) fn up_to(end: u64) -> Self {
        let mut checked = CheckedSpans::default();
        checked.add(0..end);
        checked
    }

    /// Adds a span and joins it with the spans it touches.
    pub(super) fn add(&mut self, span: Range<u64>) {
        if span.is_empty() {
            return;
        }
        let first = self.0.partition_point(|other| other.end < span.start);
        let past = self.0.partition_point(|other| other.start <= span.end);
        let touched = &self.0[first..past];
        let start = touched.first().map_or(span.start, |other| other.start.min(span.start));
        let end = touched.last().map_or(span.end, |other| other.end.max(span.end));
        self.0.splice(first..past, iter::once(start..end));
        if self.0.len() > MAX_SPANS {
            self.0.remove(0);
        }
    }

    pub(super) fn add_all(&mut self, other: &CheckedSpans) {
        other.0.iter().cloned().for_each(|span| self.add(span));
    }

    /// The first byte of `span` outside all of these.
    pub(super) fn missing(&self, span: &Range<u64>) -> Option<u64> {
        let before = self.0.iter().rev().find(|other| other.start <= span.start);
        let from = before.map_or(span.start, |other| other.end.max(span.start));
        (from < span.end).then_some(from)
    }

    pub(super) fn length_from_start(&self) -> u64 {
        self.0.first().filter(|first| first.start == 0).map_or(0, |first| first.end)
    }
}

/// The reason for input that ends inside a member.
pub(super) const CUT_OFF: &str = "the data ends too early";

pub(super) type Result<T> = std::result::Result<T, DecodeError>;

#[derive(Debug)]
pub(super) enum DecodeError {
    Read(io::Error),
    /// The data is valid, but only `filter`, a command, decodes it, if one does.
    Unsupported {
        message: String,
        filter: Option<&'static str>,
    },
    Damage(String),
    /// A checksum contradicts this many bytes of text before it.
    Checksum(String, u64),
}

impl From<io::Error> for DecodeError {
    fn from(cause: io::Error) -> Self {
        DecodeError::Read(cause)
    }
}

impl DecodeError {
    pub(super) fn needs_dictionary(filter: &'static str) -> Self {
        DecodeError::Unsupported {
            message: "needs a dictionary to decompress".to_owned(),
            filter: Some(filter),
        }
    }

    pub(super) fn damage(what: impl Into<String>) -> Self {
        DecodeError::Damage(what.into())
    }

    pub(super) fn wrong_checksum(text: u64) -> Self {
        DecodeError::Checksum("the checksum of the preceding text is wrong".to_owned(), text)
    }

    pub(super) fn wrong_length(text: u64) -> Self {
        DecodeError::Checksum("the length of the preceding text is wrong".to_owned(), text)
    }

    pub(super) fn cut_off() -> Self {
        DecodeError::damage(CUT_OFF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_where_they_touch() {
        let mut checked = CheckedSpans::default();
        for span in [10..20, 30..40, 5..5, 50..60, 20..25] {
            checked.add(span);
        }
        assert_eq!(checked.0, [10..25, 30..40, 50..60]);
        assert_eq!(checked.length_from_start(), 0);
        for (span, missing) in [
            (10..25, None),
            (9..12, Some(9)),
            (24..26, Some(25)),
            (12..35, Some(25)),
            (33..33, None),
            (45..46, Some(45)),
            (59..61, Some(60)),
        ] {
            assert_eq!(checked.missing(&span), missing, "{span:?}");
        }
        checked.add(24..55);
        checked.add(0..10);
        assert_eq!((checked.0.len(), checked.length_from_start()), (1, 60));
    }

    #[test]
    fn beyond_the_limit_the_first_span_is_dropped() {
        let mut checked = CheckedSpans::default();
        (0..5000).for_each(|n| checked.add(n * 10..n * 10 + 5));
        assert_eq!(checked.0.len(), MAX_SPANS);
        assert_eq!(checked.missing(&(49_990..49_995)), None);
    }
}
