//! How one piece looks: its text or its fold, its colors, and the matches in it.

use std::ops::Range;

use super::screen::Screen;
use super::search::Search;
use crate::find;
use crate::piece::Cut;
use crate::style::{Style, level_style};
use crate::syntax::Syntax;

pub(super) struct PieceView<'a> {
    pub(super) text: &'a [u8],
    /// The style of each part of the text, and where it ends.
    pub(super) styles: &'a [(usize, Style)],
    /// The style of parts without one.
    pub(super) tint: Style,
    pub(super) matches: Vec<Range<usize>>,
    /// The part of a long line that the text is.
    pub(super) cut: Option<&'a Cut>,
}

impl<'a> PieceView<'a> {
    /// The piece at `index` of the passage, whose rows are laid out.
    pub(super) fn new(screen: &'a Screen, search: &Search, syntax: &'a Syntax, index: usize) -> Self {
        let piece = screen.piece(index);
        let pieces = &screen.passage.pieces;
        let matches = search.highlighter().and_then(|matcher| find::inside(matcher, pieces, index).ok());
        let matches = matches.unwrap_or_default();
        if let Some(folded) = screen.viewport.folded(index) {
            let (styles, matches) = (&folded.styles, folded.map(&matches));
            return PieceView { text: &folded.text, styles, tint: folded.tint, matches, cut: None };
        }
        // The colors of a line depend on those before it, which a filter leaves out.
        let colored = syntax.styles(piece).filter(|_| !search.is_filtered());
        let cut = piece.cut.as_deref();
        let level = cut.map_or_else(|| level_style(&piece.text), |cut| cut.level);
        let keeps_level = level != Style::default() && syntax.keeps_levels;
        match colored {
            Some(styles) if !keeps_level => {
                PieceView { text: &piece.text, styles, tint: Style::default(), matches, cut }
            }
            _ => PieceView { text: &piece.text, styles: &[], tint: level, matches, cut },
        }
    }
}
