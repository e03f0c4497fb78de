//! Finite state entropy as the sequences of zstd use it (RFC 8878, section 4.1).

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FseState {
    pub(super) symbol: u8,
    pub(super) bits: u32,
    pub(super) base: usize,
}

/// A decoding table of `1 << log` states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FseTable {
    pub(super) log: u32,
    pub(super) states: Vec<FseState>,
}

impl FseTable {
    pub(super) fn of_one(symbol: u8) -> Self {
        FseTable { log: 0, states: vec![FseState { symbol, bits: 0, base: 0 }] }
    }

    /// The table of a distribution over `1 << log` points; -1 means less than one (section 4.1.1).
    pub(super) fn new(log: u32, distribution: &[i16]) -> Option<Self> {
        let size = 1usize << log;
        let mut states = vec![FseState::default(); size];
        let mut next: Vec<usize> = Vec::with_capacity(distribution.len());
        let mut high = size;
        for (symbol, points) in distribution.iter().enumerate() {
            next.push(usize::try_from(points.abs()).ok()?);
            if *points == -1 {
                high = high.checked_sub(1)?;
                states[high].symbol = u8::try_from(symbol).ok()?;
            }
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (symbol, points) in distribution.iter().enumerate() {
            for _ in 0..usize::try_from(*points).unwrap_or(0) {
                states.get_mut(at)?.symbol = u8::try_from(symbol).ok()?;
                loop {
                    at = (at + step) & (size - 1);
                    if at < high || at == 0 {
                        break;
                    }
                }
            }
        }
        for state in &mut states {
            let count = next.get_mut(usize::from(state.symbol))?;
            state.bits = log.checked_sub(count.checked_ilog2()?)?;
            state.base = (*count << state.bits).checked_sub(size)?;
            *count += 1;
        }
        Some(FseTable { log, states })
    }

    pub(super) fn read(bytes: &[u8], most: u32) -> Option<(Self, usize)> {
        let mut bits = ForwardBits { bytes, at: 0 };
        let log = bits.take(4)? + 5;
        if log > most {
            return None;
        }
        let mut left = 1i32 << log;
        let mut distribution = Vec::new();
        while left > 0 && distribution.len() < 256 {
            // The smaller of the remaining values take one bit less.
            let width = (left + 1).ilog2() + 1;
            let low = (1i32 << (width - 1)) - 1;
            let threshold = (1 << width) - 1 - (left + 1);
            let mut value = i32::try_from(bits.take(width)?).ok()?;
            if value & low < threshold {
                bits.at -= 1;
                value &= low;
            } else if value > low {
                value -= threshold;
            }
            let points = value - 1;
            left -= points.abs();
            distribution.push(i16::try_from(points).ok()?);
            let mut zeros = if points == 0 { 3 } else { 0 };
            while zeros == 3 {
                zeros = bits.take(2)?;
                distribution.extend((0..zeros).map(|_| 0));
            }
        }
        let table = FseTable::new(log, &distribution).filter(|_| left == 0)?;
        Some((table, bits.at.div_ceil(8)))
    }
}

/// `count` bits from the bit `at` on, at most 32.
fn bits_at(bytes: &[u8], at: usize, count: u32) -> u64 {
    let word = bytes[at / 8..].iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    word >> (at % 8) & ((1 << count) - 1)
}

/// Reads bits forward, from the lowest of the first byte.
struct ForwardBits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl ForwardBits<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        let first = self.at;
        self.at += usize::try_from(count).ok()?;
        let is_there = self.at <= self.bytes.len() * 8;
        is_there.then(|| u32::try_from(bits_at(self.bytes, first, count)).ok())?
    }
}

/// Reads bits backward from the end of a stream, which its highest set bit marks (section 4.1.2).
pub(super) struct BackwardBits<'a> {
    bytes: &'a [u8],
    left: usize,
}

impl<'a> BackwardBits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let top = bytes.last()?.checked_ilog2()?;
        Some(BackwardBits { bytes, left: (bytes.len() - 1) * 8 + usize::try_from(top).ok()? })
    }

    pub(super) fn take(&mut self, count: u32) -> Option<u64> {
        self.left = self.left.checked_sub(usize::try_from(count).ok()?)?;
        Some(bits_at(self.bytes, self.left, count))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }
}

/// Writes pairs of number and bit count, in the order in which [`BackwardBits`] reads them.
pub(super) fn write_backward(numbers: &[(u64, u32)]) -> Vec<u8> {
    let mut bytes = vec![0];
    let mut at = 0usize;
    let mut push = |bit: u64| {
        if at / 8 == bytes.len() {
            bytes.push(0);
        }
        bytes[at / 8] |= u8::from(bit & 1 == 1) << (at % 8);
        at += 1;
    };
    for (value, count) in numbers.iter().rev() {
        (0..*count).for_each(|bit| push(value >> bit));
    }
    push(1);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_written_backward_are_read_in_order() {
        let numbers = [(5, 3), (0, 0), (1 << 28 | 77, 29), (1, 1), (0, 7), (255, 8)];
        let bytes = write_backward(&numbers);
        let mut bits = BackwardBits::new(&bytes).unwrap();
        for (value, count) in numbers {
            assert!(!bits.is_empty() || count == 0);
            assert_eq!(bits.take(count), Some(value));
        }
        assert!(bits.is_empty());
        assert_eq!(bits.take(1), None);
    }

    #[test]
    fn every_state_can_follow_every_symbol() {
        let table = FseTable::new(5, &[1, 10, -1, 16, 0, 4]).unwrap();
        for next in 0..32 {
            for symbol in [0, 1, 2, 3, 5] {
                let leads = |state: &&FseState| {
                    state.symbol == symbol && (state.base..state.base + (1 << state.bits)).contains(&next)
                };
                assert_eq!(table.states.iter().filter(leads).count(), 1, "{symbol} to {next}");
            }
        }
    }
}
