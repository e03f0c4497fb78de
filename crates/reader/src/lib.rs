//! Lines and characters of a source of any size: scans, a line index, search, windows of time, pages, follow, captures.
//!
//! **This is the only code that looks for lines. It knows no formats and no options.** It finds where lines are by
//! counting newlines in large blocks, in constant memory, and starts from what the index of an earlier run has.
//!
//! The main types: [`Reader`] reads and counts, [`Selection`] turns ranges into slices, [`search::scan::Search`] finds
//! lines that match, [`paging::Pager`] cuts pages, [`index::Policy`] allows an index to be kept.
//!
//! ```
//! use rread_reader::range::{Unit, parse_list};
//! use rread_reader::{Reader, Selection};
//! # fn gzip(text: &str) -> Vec<u8> {
//! #     let data = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 1);
//! #     let (crc, size) = (crc32fast::hash(text.as_bytes()), text.len() as u32);
//! #     [b"\x1f\x8b\x08\0\0\0\0\0\0\xff", &data[..], &crc.to_le_bytes(), &size.to_le_bytes()].concat()
//! # }
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("app.log.gz");
//! # std::fs::write(&path, gzip(&(1..=1_000_100).map(|n| format!("line {n}\n")).collect::<String>()))?;
//!
//! // Decompresses up to line 1,000,000 and no further.
//! let reader = Reader::open(&path)?;
//! let ranges = parse_list("1000000", Unit::Lines)?;
//! let located = Selection::of(&ranges).locate(&reader)?;
//! let slice = located.slices[0].clone()?;
//! assert_eq!(reader.read_span(slice.start..slice.end)?, b"line 1000000\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules, lowest first; each uses only those before it: [`store`], [`capture`], [`index`],
//! [`kept_hashes`], [`reader`], [`paging`], [`times`], [`search`], [`selection`], [`kinds`], [`follow`].

pub mod capture;
pub mod follow;
pub mod index;
pub mod kept_hashes;
pub mod kinds;
pub mod paging;
pub mod reader;
pub mod search;
pub mod selection;
pub mod store;
pub mod times;

pub use capture::{Ansi, Handle};
pub use index::Policy;
pub use paging::{MIN_PAGE_SIZE, PAGE_SIZE};
pub use reader::Reader;
pub use reader::encoding::Align;
pub use reader::find_lines::LineWalk;
pub use rread_text::range;
pub use search::matcher::LineMatcher;
pub use search::occurrences::ShownLine;
pub use search::pattern::{Case, Pattern};
pub use search::unit::UnitKind;
pub use search::worker::Hit;
pub use selection::{Selection, Slice};
pub use times::{LineTimes, Log, Passing, TimeOptions, no_times};
