//! Encodings: names, code units, detection and decoding.

mod choice;
mod decode;
mod guess;

pub use choice::{Choice, Decided, Origin, Refusal};
pub use decode::{DecodedText, Encoding, MAX_CHARACTER, Run, TextDecoder};
pub use guess::guess;
