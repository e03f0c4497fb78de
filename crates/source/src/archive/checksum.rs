//! Compares the CRC-32 of a stored member when its bytes have been read from the first to the last.

use std::sync::{Mutex, PoisonError};

use crc32fast::Hasher;

/// The CRC-32 of a member, and the sum of its bytes so far.
pub(super) struct Checksum {
    expected: u32,
    size: u64,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    sum: Hasher,
    /// The bytes before this offset are in the sum.
    at: u64,
}

impl Checksum {
    pub(super) fn new(expected: u32, size: u64) -> Self {
        Checksum { expected, size, running: Mutex::default() }
    }

    /// Adds `bytes` at `offset` to the sum, if they continue it.
    pub(super) fn note(&self, bytes: &[u8], offset: u64) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running.at.checked_sub(offset).and_then(|known| usize::try_from(known).ok());
        if let Some(more) = known.and_then(|known| bytes.get(known..)) {
            running.sum.update(more);
            running.at += more.len() as u64;
        }
    }

    /// Whether the sum is right; `None` until all bytes are in it.
    pub(super) fn is_right(&self) -> Option<bool> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        (running.at == self.size).then(|| running.sum.clone().finalize() == self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_once_and_in_order() {
        let text = b"text of a member";
        let sum = |spans: &[(usize, usize)]| {
            let checksum = Checksum::new(crc32fast::hash(text), text.len() as u64);
            spans.iter().for_each(|(start, end)| checksum.note(&text[*start..*end], *start as u64));
            checksum.is_right()
        };
        assert_eq!(sum(&[(0, 16)]), Some(true));
        assert_eq!(sum(&[(0, 4), (0, 3), (2, 9), (9, 9), (9, 16), (0, 16)]), Some(true));
        assert_eq!(sum(&[(0, 4), (5, 16)]), None);
        assert_eq!(sum(&[(8, 16), (0, 8)]), None);
        assert_eq!(Checksum::new(0, 0).is_right(), Some(true));
        let wrong = Checksum::new(1, 3);
        wrong.note(b"abc", 0);
        assert_eq!(wrong.is_right(), Some(false));
    }
}
