//! Encodings: names, code units, detection and decoding.

mod choice;
mod decode;
mod guess;

pub use choice::{Choice, Decided, Evidence, Origin, Refusal, evident, lines_beyond_utf8, samples};
pub use decode::{DecodedText, Encoding, MAX_CHAR, MAX_CHARACTER, Run, TextDecoder, floor_char, split_char};
pub use guess::judge;
