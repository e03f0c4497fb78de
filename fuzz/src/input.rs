//! Bytes of the fuzzer as numbers, choices and pieces; when they come to an end, as zeros.

use arbitrary::Unstructured;

use rread_testkit::rng::Rng;

/// What is left of an input.
pub struct Input<'a>(Unstructured<'a>);

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Input(Unstructured::new(data))
    }

    /// From 0 up to, but not including, `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.int_in_range(0..=limit.max(1) - 1).unwrap_or(0)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub fn number(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A number at one of the edges of numbers, or any.
    pub fn edgy(&mut self) -> u64 {
        const EDGES: [u64; 12] = [
            0,
            1,
            7,
            255,
            4096,
            65_536,
            u32::MAX as u64,
            (1 << 53) + 1,
            i64::MAX as u64,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
        ];
        match self.below(EDGES.len() + 1) {
            12 => self.number(),
            at => EDGES[at],
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Up to `most` bytes.
    pub fn bytes(&mut self, most: usize) -> &'a [u8] {
        let count = self.below(most + 1).min(self.0.len());
        self.0.bytes(count).unwrap_or_default()
    }

    /// Up to `most` bytes as text, what is invalid replaced.
    pub fn words(&mut self, most: usize) -> String {
        String::from_utf8_lossy(self.bytes(most)).into_owned()
    }

    /// A generator of numbers that this input decides.
    pub fn rng(&mut self) -> Rng {
        Rng::new(self.number())
    }

    /// All that is left.
    pub fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }
}
