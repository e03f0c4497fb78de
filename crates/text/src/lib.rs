//! What bytes mean in a text file: newlines, encodings, types, hashes of lines, times, ranges, errors, names.
//!
//! **This crate does no I/O.** It gets bytes in memory and returns what they are; somebody else reads them. Only the time
//! zone database comes from the system, through `jiff`.
//!
//! The main types: [`range::Range`] is what a user asks for, and [`range::Slice`] what that is in one file;
//! [`newline::Units`] finds newlines; [`encoding::Encoding`] is decided by [`encoding::Choice`] and decoded by
//! [`encoding::TextDecoder`]; [`timestamp::Detected`] reads the time of a line; every failure is an [`error::Error`].
//!
//! ```
//! use rread_text::newline::Units;
//! use rread_text::range::{Unit, parse_list};
//!
//! // Ten bytes from offset 4 on are eight in a file of 12.
//! let ranges = parse_list("4:+10", Unit::Bytes)?;
//! let slice = ranges[0].resolve_bytes(12)?;
//! assert_eq!((slice.start, slice.end, slice.short), (4, 12, true));
//!
//! // The second line ends before offset 8.
//! assert_eq!(Units::BYTES.after_nth(b"one\ntwo\nthree", 2), Some(8));
//! # Ok::<(), rread_text::error::Error>(())
//! ```
//!
//! Modules, lowest first; each uses only those before it: [`address`], [`sentence`], [`error`], [`range`], [`layout`], [`level`],
//! [`newline`], [`sniff`], [`guess`], [`encoding`], [`hashline`], [`json`], [`timestamp`], [`masking`], [`screen`].

pub mod address;
pub mod encoding;
pub mod error;
pub mod guess;
pub mod hashline;
pub mod json;
pub mod layout;
pub mod level;
pub mod masking;
pub mod newline;
pub mod range;
pub mod screen;
pub mod sentence;
pub mod sniff;
pub mod timestamp;

// The names that most files of the crates above use.
pub use address::Address;
pub use encoding::{Choice, Encoding, Run, TextDecoder};
pub use error::{Error, Kind, Result, counted, listed, printable};
pub use hashline::{Anchor, HashStyle, HashlineForm};
pub use layout::{Csv, Forms, Input, Layout};
pub use newline::Units;
pub use range::{Context, Form, Place, Range, Unit, parse_list, parse_mixed};
pub use sentence::{Call, Sentence, call, did_you_mean, inert, quoted, quoted_word, setting, shell};
pub use sniff::Content;
pub use timestamp::Timestamp;

/// `Debug` for types whose values say nothing, or what nobody may see: only their names.
#[macro_export]
macro_rules! opaque {
    ($($name:ident),*) => {
        $(impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        })*
    };
}

/// Makes an enum whose variants are words for users, which the function returns; it can be copied and compared.
///
/// ```
/// rread_text::words! { name,
///     pub enum Unit {
///         Bytes = "bytes",
///         Lines = "lines",
///     }
/// }
/// assert_eq!(Unit::Lines.name(), "lines");
/// ```
#[macro_export]
macro_rules! words {
    ($word:ident, $(#[$about:meta])* $visible:vis enum $name:ident {
        $($(#[$of:meta])* $variant:ident = $text:literal,)*
    }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $(#[$about])*
        $visible enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// The word for users.
            $visible const fn $word(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}
