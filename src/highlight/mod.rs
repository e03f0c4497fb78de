//! Syntax colours: the language of a file, its themes, and a sink that paints lines on their way to a terminal.

#[cfg(not(feature = "highlight"))]
mod disabled;
#[cfg(feature = "highlight")]
mod language;
#[cfg(feature = "highlight")]
mod line;
#[cfg(all(feature = "highlight", feature = "view"))]
mod lines;
#[cfg(feature = "highlight")]
mod painter;
#[cfg(feature = "highlight")]
mod theme;
#[cfg(feature = "highlight")]
mod worker;

#[cfg(not(feature = "highlight"))]
pub(crate) use disabled::{Colors, Language, named};
#[cfg(all(not(feature = "highlight"), feature = "view"))]
pub(crate) use disabled::{LineColors, Origin};
#[cfg(feature = "highlight")]
pub(crate) use language::{Language, named};
#[cfg(all(feature = "highlight", feature = "view"))]
pub(crate) use lines::LineColors;
#[cfg(feature = "highlight")]
pub(crate) use painter::Colors;
#[cfg(all(feature = "highlight", feature = "view"))]
pub(crate) use worker::Origin;

/// The value of `--highlight`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Highlight {
    /// The language that the name of the file or its first line shows.
    Auto,
    /// This language.
    As(Language),
    #[default]
    Never,
}
