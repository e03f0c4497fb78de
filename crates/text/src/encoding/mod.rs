//! Encodings: names, code units, detection and decoding.

mod choice;
mod decode;
mod guess;

pub use choice::{Choice, Decided, Origin, Refusal};
pub use decode::{DecodedText, Encoding, MAX_CHAR, MAX_CHARACTER, Run, TextDecoder, floor_char, split_char};
pub use guess::guess;
