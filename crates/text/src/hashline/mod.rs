//! Hashlines: each line with a short hash, so that a later reader can detect that the line changed.
//!
//! `12#a1b2c3|text` is line 12, the low 24 bits of the xxHash32 (seed 0) of its bytes, and its text. The hash
//! covers the bytes of the file, with a byte order mark, without the final `\n` or `\r\n`. `12#ZR:text` is
//! the form of the oh-my-pi editor of early 2026: it ignores white space, and the tag is one byte.

mod anchor;
mod hasher;

pub use anchor::WIDTH;
pub use anchor::{Anchor, HashStyle, HashlineForm, Tag};
pub use hasher::LineHasher;
