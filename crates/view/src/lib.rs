//! A full-screen viewer: any place of any file at once, in constant memory.
//!
//! **It reads only through snapshots of a file, which a key stops, and never waits for one. It knows no command line and
//! no variables of rread, and writes text only to the output that it is handed.** It draws on the terminal.
//!
//! [`piece`], [`glyph`], [`style`], [`layout`], [`fold`], and [`viewport`] are pure: lines and their
//! pieces, characters, colors, rows, JSON lines as lines of a log, what stands before lines, and movements.
//! `app` is the state. Keys ([`keys`], [`prompt`]) and reports change it, and it draws itself with the colors of `syntax`,
//! which come from a thread. `viewed_file` is the open file, and `merged` the text
//! of several logs; `find` reads what the screen shows and looks for matches on the threads of
//! `worker`, and `run` is the loop on the `terminal`. `fuzz_driver_tests` plays the viewer without a terminal, for tests.
//!
//! ```
//! use rread_view::options::Begin;
//! use std::path::Path;
//!
//! // As less takes it, too: `+50%`, `+G`, `+/error`.
//! let begin = Begin::parse("12.5%", Path::new("app.log"))?;
//! assert!(matches!(begin, Begin::Percent(text) if text == "12.5%"));
//! # Ok::<(), rread_text::error::Error>(())
//! ```
//!
//! Modules, lowest first; each uses only those before it: `style`, `glyph`, `piece`,
//! `layout`, `options`, `merged`, `viewed_file`, `chopped`, `fold`, `find`,
//! `prompt`, `keys`, `syntax`, `viewport`, `worker`, `app`,
//! `terminal`, `run`.

// Its only user is the program.
#![allow(missing_docs)]

mod app;
#[cfg(test)]
mod arrival_tests;
mod chopped;
mod find;
pub mod fold;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzz_driver_tests;
pub mod glyph;
pub mod keys;
pub mod layout;
#[cfg(test)]
mod long_line_tests;
mod merged;
pub mod options;
pub mod piece;
pub mod prompt;
mod run;
pub mod style;
mod syntax;
mod terminal;
mod viewed_file;
pub mod viewport;
mod worker;

pub use app::Settings;
#[cfg(feature = "fuzzing")]
pub use fuzz_driver_tests::rehearse;
pub use run::{Start, view};
pub use viewed_file::{Opener, ViewRequest};
