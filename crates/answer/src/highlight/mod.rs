//! Syntax colors: the language of a file, its themes, and a sink that paints lines on their way to a terminal.

mod language;
mod line;
mod lines;
mod painter;
mod theme;
mod worker;

pub use language::{Language, find_language};
pub use lines::LineColors;
pub use painter::Colors;
/// The licences of syntaxes and themes, which go along with every release.
pub use two_face::acknowledgement;
pub use worker::Origin;
