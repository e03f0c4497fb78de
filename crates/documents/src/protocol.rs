//! What a decoder's process sends to its reader: text, page ends, facts and a last status.

#[cfg(feature = "decoders")]
mod frames;
mod notice;

#[cfg(feature = "decoders")]
pub use frames::{Failure, Frame, Output};
pub use notice::Notice;
