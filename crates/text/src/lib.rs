//! What bytes mean in a text file.

pub mod address;
pub mod encoding;
pub mod error;
pub mod hashline;
pub mod layout;
pub mod newline;
pub mod quote;
pub mod range;
pub mod sniff;
pub mod timestamp;
pub mod utf8;
