//! Sources over bytes in memory that behave in every way the contract allows, and in some it does not.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rread_source::Source;
use rread_source::spool::Spool;

use crate::rng::Rng;

/// More calls than any test needs: an endless loop fails instead of hanging.
const CALLS: usize = 2_000_000;

/// What a source does in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Read,
    /// At most so many bytes.
    Short(usize),
    Interrupt,
    Fail,
    /// As if the file now ended at this offset.
    EndAt(usize),
    /// Reads the other text.
    Other,
}

type Script = Box<dyn Fn(usize, u64) -> Act + Send + Sync>;

/// Bytes read as a script decides for each call (counted from 0) and offset.
pub struct Scripted {
    bytes: Vec<u8>,
    other: Vec<u8>,
    script: Script,
    calls: AtomicUsize,
    size_known: AtomicBool,
}

impl Scripted {
    pub fn new(bytes: &[u8], script: impl Fn(usize, u64) -> Act + Send + Sync + 'static) -> Self {
        Scripted {
            bytes: bytes.to_vec(),
            other: Vec::new(),
            script: Box::new(script),
            calls: AtomicUsize::new(0),
            size_known: AtomicBool::new(true),
        }
    }

    /// With a size unknown until the end is read, as that of a stream.
    pub fn without_size(mut self) -> Self {
        self.size_known = AtomicBool::new(false);
        self
    }

    /// With `other`, of the same length, for the calls that read the other text.
    pub fn or(mut self, other: &[u8]) -> Self {
        assert_eq!(self.bytes.len(), other.len());
        self.other = other.to_vec();
        self
    }
}

impl Source for Scripted {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        assert!(call < CALLS, "a loop without end");
        let mut bytes = &self.bytes[..];
        let mut limit = usize::MAX;
        match (self.script)(call, offset) {
            Act::Read => {}
            Act::Short(most) => limit = most,
            Act::Interrupt => return Err(io::ErrorKind::Interrupted.into()),
            Act::Fail => return Err(io::Error::other("a bad sector")),
            Act::EndAt(end) => bytes = &bytes[..end.min(bytes.len())],
            Act::Other => bytes = &self.other,
        }
        let start = usize::try_from(offset).map_or(bytes.len(), |start| start.min(bytes.len()));
        let len = buffer.len().min(bytes.len() - start).min(limit);
        buffer[..len].copy_from_slice(&bytes[start..start + len]);
        if len == 0 && !buffer.is_empty() {
            self.size_known.store(true, Ordering::SeqCst);
        }
        Ok(len)
    }

    fn size(&self) -> Option<u64> {
        self.size_known.load(Ordering::SeqCst).then_some(self.bytes.len() as u64)
    }
}

/// Another source with a limit of calls.
struct Bounded(Box<dyn Source>, AtomicUsize);

impl Source for Bounded {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        assert!(self.1.fetch_add(1, Ordering::SeqCst) < CALLS, "a loop without end");
        self.0.read_at(buffer, offset)
    }

    fn size(&self) -> Option<u64> {
        self.0.size()
    }
}

/// Plain bytes.
pub fn plain(bytes: &[u8]) -> Box<dyn Source> {
    Box::new(Scripted::new(bytes, |_, _| Act::Read))
}

/// Bytes that cannot be read from `bad` on, as on a disk with a bad sector.
pub fn bad_from(bytes: &[u8], bad: usize) -> Box<dyn Source> {
    Box::new(Scripted::new(bytes, move |_, offset| {
        let there = bad.saturating_sub(usize::try_from(offset).unwrap());
        if there == 0 { Act::Fail } else { Act::Short(there) }
    }))
}

/// A stream that returns at most so many bytes at a time, interrupted or not ready before each if requested.
pub struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    most: usize,
    stumble: Option<io::ErrorKind>,
    stumbled: bool,
}

impl Trickle {
    pub fn new(bytes: &[u8], most: usize) -> Self {
        Trickle { bytes: bytes.to_vec(), at: 0, most, stumble: None, stumbled: false }
    }

    pub fn stumbling(mut self, over: io::ErrorKind) -> Self {
        self.stumble = Some(over);
        self
    }
}

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stumbled = !self.stumbled;
        if let (Some(kind), true) = (self.stumble, self.stumbled) {
            return Err(kind.into());
        }
        let len = buffer.len().min(self.most).min(self.bytes.len() - self.at);
        buffer[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// `bytes` in a random source of those that must all give the same answers, and its name.
pub fn any(rng: &mut Rng, bytes: &[u8]) -> (String, Box<dyn Source>) {
    let (name, source): (String, Box<dyn Source>) = match rng.below(9) {
        0..=2 => ("plain".into(), plain(bytes)),
        3 => {
            let most = 1 + rng.below(20);
            (format!("at most {most}"), Box::new(Scripted::new(bytes, move |_, _| Act::Short(most))))
        }
        4 | 5 => {
            let script = |call: usize, _| if call.is_multiple_of(2) { Act::Interrupt } else { Act::Short(5) };
            let source = Scripted::new(bytes, script);
            if rng.one_in(2) {
                ("interrupted".into(), Box::new(source))
            } else {
                ("interrupted, of unknown size".into(), Box::new(source.without_size()))
            }
        }
        6 => ("stream".into(), Box::new(Spool::new(Box::new(Trickle::new(bytes, usize::MAX))))),
        _ => {
            let (most, memory) = (1 + rng.below(20), rng.pick(&[0, 30, 1 << 20]));
            let stream = Box::new(Trickle::new(bytes, most));
            (format!("stream of {most}, memory {memory}"), Box::new(Spool::with_memory(stream, memory)))
        }
    };
    (name, Box::new(Bounded(source, AtomicUsize::new(0))))
}
