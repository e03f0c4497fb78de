//! Syntax colors: the language of a file, its themes, and a sink that paints lines on their way to a terminal.

// Only the viewer colors single lines.
#![cfg_attr(not(feature = "view"), allow(dead_code, unused_imports))]

mod language;
mod line;
mod lines;
mod painter;
mod theme;
mod worker;

pub(crate) use language::{Language, find_language};
pub(crate) use lines::LineColors;
pub(crate) use painter::Colors;
pub(crate) use worker::Origin;
