//! Answers about files: their content, what it is, and the receipt that says exactly what was returned.
//!
//! **It knows no command line, no protocol and no variables of the environment, and prints nothing.** No renderer reads
//! a file. Whoever calls it gives it an [`output::Out`] to write to.
//!
//! ```
//! use rread_answer::content::{ContentOptions, Segment, deliver};
//! use rread_reader::Reader;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("app.log");
//! # std::fs::write(&path, "one\ntwo\nthree\n")?;
//!
//! let reader = Reader::open(&path)?;
//! let second = Segment { start: 4, end: 8, line: 2 };
//! let mut text = Vec::new();
//! let options = ContentOptions { number: true, ..ContentOptions::default() };
//! let stats = deliver(&reader, &[second], &options, None, &mut text)?;
//! assert_eq!((&text[..], stats.newlines), ("     2→two\n".as_bytes(), 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules, lowest first; each uses only those before it: [`output`], [`content`], [`continuation`],
//! [`wording`], [`receipt`], [`damage`], [`hints`], [`mod@file_info`], [`mod@format`],
//! [`highlight`], [`options`], [`request`], [`notes`], [`deliver`], [`answers`],
//! [`image`], [`names`], [`window`], [`merge`], [`pages`], [`plan`], [`search`], [`verify`].

// Its only user is the program; what a name does not say is said beside it.
#![allow(missing_docs)]

pub mod answers;
pub mod content;
pub mod continuation;
pub mod damage;
pub mod deliver;
pub mod file_info;
pub mod format;
#[cfg_attr(not(feature = "highlight"), path = "highlight/disabled.rs")]
pub mod highlight;
pub mod hints;
pub mod image;
pub mod merge;
pub mod names;
pub mod notes;
pub mod options;
pub mod output;
pub mod pages;
pub mod plan;
pub mod receipt;
pub mod request;
pub mod search;
pub mod verify;
pub mod window;
pub mod wording;

pub use answers::answer;
pub use content::{Budget, ContentOptions, Segment, Sink};
pub use deliver::{Response, Shape, respond};
pub use file_info::{file_info, note_version};
pub use format::{Body, Format, Frame, List, Section};
pub use merge::files::Merging;
pub use options::{AnswerOptions, OutputOptions, ReadOptions, SourceOptions, TimeReading, TimeWindow};
pub use output::Out;
pub use receipt::{FileInfo, Members, NameInfo, PartData, Receipt};
pub use request::Request;
pub use window::TimesOfFiles;
pub use wording::worded;

/// The JSON Schema of every answer and of errors.
pub const SCHEMA: &str = include_str!("schema.json");
