//! Encodings: names, code units, detection and decoding.

mod choice;
mod cut;
mod decode;
mod guess;
mod types;

pub use choice::Choice;
pub use choice::{Decided, Origin, Refusal};
pub use decode::{Run, TextDecoder};
pub use guess::guess;
pub use types::{DecodedText, Encoding, LONGEST};
