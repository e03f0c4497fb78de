//! A full-screen viewer: any place of any file at once, in constant memory.
//!
//! [`piece`], [`glyph`], [`style`], [`layout`], [`fold`], [`gutter`], [`level_color`] and [`viewport`] are pure: lines and their
//! pieces, characters, colors, rows, JSON lines as lines of a log, what stands before lines, levels, and movements.
//! [`app`] is the state. Keys ([`keys`], [`habits`], [`prompt`]) and reports change it, and it draws itself with [`matches`] and
//! the colors of [`syntax`], which come from the thread of [`painter`].
//! [`viewed_file`] is the open file, and [`merged`] the text of several logs; [`read`], [`filter`] and [`find`] read what the screen shows and look for matches on the threads of [`worker`], and [`run`] is the loop
//! on the [`terminal`], which never waits for a file.
//! [`fuzz_driver`] plays the viewer without a terminal, for tests.

#![allow(missing_docs)]

mod app;
#[cfg(test)]
mod arrival_tests;
mod chopped;
mod columns;
mod event;
mod filter;
mod find;
pub mod fold;
mod follower;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzz_driver;
pub mod glyph;
pub mod gutter;
pub mod habits;
mod help;
pub mod keys;
pub mod layout;
pub mod level_color;
#[cfg(test)]
mod long_line_tests;
mod matches;
mod merged;
mod painter;
pub mod piece;
pub mod prompt;
mod read;
mod run;
pub mod style;
mod syntax;
mod terminal;
mod viewed_file;
pub mod viewport;
mod worker;

pub(crate) use app::Settings;
#[cfg(feature = "fuzzing")]
pub use fuzz_driver::rehearse;
pub(crate) use run::{Start, view};
pub(crate) use viewed_file::ViewRequest;
