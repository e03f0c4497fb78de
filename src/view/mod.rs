//! A full-screen viewer: any place of any file at once, in constant memory.
//!
//! [`piece`], [`glyph`], [`style`], [`layout`], [`margin`] and [`viewport`] are pure: lines and their pieces, characters, colors,
//! rows, what stands before them, and movements over them. [`app`] is the state, which keys ([`keys`], [`habits`], [`commands`],
//! [`options`], [`places`], [`prompt`]) and [`reports`] change;
//! [`frame`], [`face`] and [`tint`] draw it, with JSON lines that are folded ([`fold`]), [`matches`] and the colors of
//! [`syntax`], which [`colors`] asks the thread of [`painter`] for; [`numbers`] counts for filters.
//! [`text`] is the open file, [`read`] finds what is shown in it on the threads of
//! [`worker`], and [`run`] is the loop on the [`terminal`], which never waits for a file.
//! [`rehearsal`] plays it without a terminal, for tests.

#![allow(missing_docs)]

mod app;
mod colors;
mod commands;
mod event;
pub mod fold;
mod frame;
mod fuzz_driver;
pub mod glyph;
pub mod gutter;
pub mod habits;
mod help;
pub mod keys;
pub mod layout;
pub mod level_color;
mod matches;
mod numbers;
mod options;
mod painter;
pub mod piece;
mod piece_view;
pub mod prompt;
mod read;
mod reports;
mod run;
mod seek_in_stream;
pub mod style;
mod syntax;
mod terminal;
mod text;
pub mod viewport;
mod worker;

pub(crate) use app::Settings;
pub use fuzz_driver::rehearse;
pub(crate) use run::{Start, view};
pub(crate) use text::Wanted;
