//! Places where decoding can be taken up again: found on the way, thinned out, kept with the line index.

use xxhash_rust::xxh3::xxh3_64;

/// The most places that are kept. Between two of them lies at most a 128th of the text, whatever its size.
const MOST: usize = 256;

/// Bytes of text between places, at first.
const SPACING: u64 = 1 << 20;

/// Bytes of text that a deflate block may refer back to.
pub const WINDOW: usize = 32 << 10;

/// Compressed bytes behind a place that have to be what they were.
pub(super) const PROBE: usize = 256;

/// What a decoder has to know to go on inside a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    /// Bits of the last byte that belong to what follows, 0 to 7.
    pub bit_count: u8,
    /// Those bits.
    pub bits: u8,
    /// The checksum of the member's text up to here.
    pub sum: u32,
    /// The length of that text.
    pub length: u64,
}

/// A place where decoding can be taken up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Bytes of text before it.
    pub text: u64,
    /// Bytes of compressed data before it.
    pub input: u64,
    /// Where it lies inside a member; otherwise a member begins there.
    pub inside: Option<Inside>,
    /// The text before it that what follows refers to, compressed.
    pub window: Vec<u8>,
    /// A hash of the compressed bytes that follow.
    pub probe: u64,
}

/// All places of a file, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restarts {
    places: Vec<Restart>,
    spacing: u64,
    /// The length of the text, once decoding came to its end.
    pub text_size: Option<u64>,
    /// Whether bytes follow there that belong to no member.
    pub garbage: bool,
}

impl Default for Restarts {
    fn default() -> Self {
        Restarts { places: Vec::new(), spacing: SPACING, text_size: None, garbage: false }
    }
}

impl Restarts {
    /// Whether a place at `text` is far enough from the last to be worth keeping.
    #[must_use]
    pub fn is_due(&self, text: u64) -> bool {
        text >= self.places.last().map_or(0, |last| last.text) + self.spacing
    }

    /// Adds a place behind the last.
    pub fn add(&mut self, place: Restart) {
        self.places.push(place);
        if self.places.len() >= MOST {
            let mut index = 0;
            self.places.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.spacing *= 2;
        }
    }

    /// The last place at or before `text`.
    #[must_use]
    pub fn before(&self, text: u64) -> Option<&Restart> {
        let behind = self.places.partition_point(|place| place.text <= text);
        self.places[..behind].last()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// As bytes that can be kept, with a checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut word = |word: u64| bytes.extend(word.to_le_bytes());
        word(self.spacing);
        word(self.text_size.map_or(0, |size| size + 1));
        word(u64::from(self.garbage));
        word(self.places.len() as u64);
        for place in &self.places {
            let inside = place.inside.unwrap_or_default();
            let state = [u8::from(place.inside.is_some()), inside.bit_count, inside.bits, 0];
            word(place.text);
            word(place.input);
            word(u64::from(u32::from_le_bytes(state)) << 32 | u64::from(inside.sum));
            word(inside.length);
            word(place.probe);
            word(place.window.len() as u64);
        }
        for place in &self.places {
            bytes.extend(&place.window);
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// What [`Restarts::to_bytes`] gave; `None` when it is damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(content).to_le_bytes() != *sum {
            return None;
        }
        let mut rest = content;
        let mut word = || {
            let (first, left) = rest.split_first_chunk::<8>()?;
            rest = left;
            Some(u64::from_le_bytes(*first))
        };
        let (spacing, text_size) = (word()?, word()?.checked_sub(1));
        let (garbage, count) = (word()? != 0, word()?);
        let mut places = Vec::new();
        let mut lengths = Vec::new();
        for _ in 0..count {
            let (text, input, state) = (word()?, word()?, word()?);
            let [is_inside, bit_count, bits, _] = u32::try_from(state >> 32).ok()?.to_le_bytes();
            let sum = u32::try_from(state & u64::from(u32::MAX)).ok()?;
            let (length, probe, window) = (word()?, word()?, word()?);
            let inside = (is_inside != 0).then_some(Inside { bit_count, bits, sum, length });
            places.push(Restart { text, input, inside, window: Vec::new(), probe });
            lengths.push(usize::try_from(window).ok()?);
        }
        for (place, length) in places.iter_mut().zip(lengths) {
            let (window, left) = rest.split_at_checked(length)?;
            (place.window, rest) = (window.to_vec(), left);
        }
        Some(Restarts { places, spacing, text_size, garbage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: u64) -> Restart {
        let inside = Inside { bit_count: 3, bits: 5, sum: u32::MAX, length: text };
        Restart {
            text,
            input: text / 4,
            inside: (!text.is_multiple_of(3)).then_some(inside),
            window: vec![7; 9],
            probe: 1,
        }
    }

    #[test]
    fn there_are_never_many_and_they_lie_evenly() {
        let mut restarts = Restarts::default();
        for text in (0..4_000u64).map(|n| n * SPACING / 2) {
            if restarts.is_due(text) {
                restarts.add(place(text));
            }
            assert!(restarts.len() < MOST);
        }
        let end = 4_000 * SPACING / 2;
        let mut last = 0;
        for text in (0..end).step_by(1 << 19) {
            let found = restarts.before(text).map_or(0, |place| place.text);
            assert!(text - found <= end / 100, "{text} {found}");
            assert!(found >= last);
            last = found;
        }
    }

    #[test]
    fn bytes_that_were_kept_come_back_unless_they_were_touched() {
        let mut restarts = Restarts { text_size: Some(0), ..Restarts::default() };
        (1..20).for_each(|n| restarts.add(place(n * SPACING + n)));
        let bytes = restarts.to_bytes();
        assert_eq!(Restarts::from_bytes(&bytes), Some(restarts));
        for at in 0..bytes.len() {
            let mut touched = bytes.clone();
            touched[at] ^= 4;
            assert_eq!(Restarts::from_bytes(&touched), None);
            assert_eq!(Restarts::from_bytes(&bytes[..at]), None);
        }
    }
}
