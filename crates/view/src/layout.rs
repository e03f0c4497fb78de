//! How a text is laid out in rows, and painted in them.

use std::ops::Range;

use super::glyph::{Glyph, GlyphKind, Glyphs};
use super::piece::{Cut, Piece};
use super::style::{BOLD, REVERSE, Style, UNDERLINED};

/// The geometry of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub columns: usize,
    /// Whether a long text goes on in the next row; otherwise one row shows it from column `left` on.
    pub wrap: bool,
    pub left: usize,
    /// Whether escape sequences are understood; otherwise they are shown as text.
    pub sequences: bool,
}

/// The colors of a text beside its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ink<'a> {
    pub colors: bool,
    /// Matches of the pattern, in order.
    pub matches: &'a [Range<usize>],
    /// Whether these are the last that were searched for.
    pub is_current: bool,
    /// Of text that has no color of its own and no other style.
    pub tint: Style,
    /// The styles of the parts of the text, and where each ends.
    pub styles: &'a [(usize, Style)],
    /// The part of a long line that the text is.
    pub cut: Option<&'a Cut>,
}

impl Layout {
    /// The starts of the rows of `text`: at least one.
    pub fn rows(&self, text: &[u8]) -> Box<[u32]> {
        let mut starts = vec![0];
        // No glyph is wider than eight bytes of text make it.
        if self.wrap && (text.len() > self.columns / 8) {
            let mut column = 0;
            for glyph in Glyphs::new(text, self.sequences) {
                let width = glyph.kind.width(column);
                if column > 0 && column + width > self.columns {
                    starts.push(u32::try_from(glyph.at).unwrap_or(u32::MAX));
                    column = glyph.kind.width(0);
                } else {
                    column += width;
                }
            }
        }
        starts.into()
    }

    /// The column of the byte at `at` of a text in one row that begins in the column `from`.
    pub fn column(&self, from: usize, text: &[u8], at: usize) -> usize {
        let before = Glyphs::new(text, self.sequences).take_while(|glyph| glyph.next <= at);
        before.fold(from, |column, glyph| column + glyph.kind.width(column))
    }

    /// The first column to show for `place` to be on the screen, as less chooses it.
    pub fn left_for(&self, place: &Range<usize>) -> usize {
        if place.end < self.columns {
            return 0;
        }
        if place.start > self.left && place.end < self.left + self.columns {
            return self.left;
        }
        let left = place.start - place.start % self.columns;
        if place.end < left + self.columns { left } else { place.start.saturating_sub(self.columns / 2) }
    }

    /// The rows `shown` of `text`, whose rows are at `starts`. Each is for a terminal whose style is the default one before
    /// and after it.
    pub fn paint(&self, text: &[u8], starts: &[u32], shown: Range<usize>, ink: &Ink<'_>) -> Vec<String> {
        let mut painter = RowPainter {
            layout: self,
            ink,
            own: ink.cut.map_or(Style::default(), |cut| cut.style),
            given: Style::default(),
            written: Style::default(),
            column: ink.cut.map_or(0, |cut| cut.columns.start),
            before_edge: None,
            is_cut: ink.cut.is_some_and(|cut| cut.goes_on),
            out: String::new(),
        };
        let start = |row: usize| starts.get(row).map_or(usize::MAX, |start| *start as usize);
        let (mut rows, mut row, mut matches, mut styles) = (Vec::new(), 0, ink.matches, ink.styles);
        for glyph in Glyphs::new(text, self.sequences) {
            while glyph.at >= start(row + 1) {
                painter.end_row(shown.contains(&row), &mut rows);
                row += 1;
            }
            if row >= shown.end {
                break;
            }
            if !self.wrap && painter.column >= self.left + self.columns {
                if glyph.kind.width(painter.column) == 0 {
                    continue;
                }
                painter.is_cut = true;
                break;
            }
            while matches.first().is_some_and(|found| found.end <= glyph.at) {
                matches = &matches[1..];
            }
            let is_match = matches.first().is_some_and(|found| found.start < glyph.next);
            while styles.first().is_some_and(|(end, _)| *end <= glyph.at) {
                styles = &styles[1..];
            }
            painter.given = styles.first().map_or(Style::default(), |(_, style)| *style);
            painter.glyph(&glyph, is_match, shown.contains(&row));
        }
        while rows.len() < shown.len() {
            painter.end_row(true, &mut rows);
        }
        rows
    }
}

struct RowPainter<'a> {
    layout: &'a Layout,
    ink: &'a Ink<'a>,
    /// As the content says.
    own: Style,
    /// As the viewer colors this part.
    given: Style,
    /// As the terminal has it.
    written: Style,
    column: usize,
    /// The length of the row, its style and its free columns before the glyph in the last column.
    before_edge: Option<(usize, Style, usize)>,
    /// Whether the text goes on after the last column.
    is_cut: bool,
    out: String,
}

/// Stands in the last column of a line that is cut there.
const CUT: char = '>';

impl RowPainter<'_> {
    fn end_row(&mut self, is_shown: bool, rows: &mut Vec<String>) {
        if is_shown {
            if let Some((length, style, free)) = self.before_edge.take().filter(|_| self.is_cut) {
                self.out.truncate(length);
                self.written = style;
                self.style(Style::default());
                self.out.extend(std::iter::repeat_n(' ', free));
                self.style(Style::with_flags(REVERSE));
                self.out.push(CUT);
            }
            self.style(Style::default());
            rows.push(std::mem::take(&mut self.out));
        }
        self.column = 0;
    }

    fn glyph(&mut self, glyph: &Glyph<'_>, is_match: bool, is_shown: bool) {
        let shown = &glyph.kind;
        if let GlyphKind::Style(params) = shown {
            return self.own.apply(params);
        }
        let width = shown.width(self.column);
        let place = self.column..self.column + width;
        self.column = place.end;
        if !is_shown || width == 0 {
            return;
        }
        let left = if self.layout.wrap { 0 } else { self.layout.left };
        let visible = place.start.max(left)..place.end.min(left + self.layout.columns);
        if visible.is_empty() {
            return;
        }
        let edge = left + self.layout.columns;
        if !self.layout.wrap && visible.end == edge {
            self.before_edge = Some((self.out.len(), self.written, edge - 1 - visible.start));
            self.is_cut |= place.end > edge;
        }
        self.style(self.style_of(glyph, is_match));
        match shown {
            GlyphKind::Char(text, _) if visible == place => self.out.push_str(text),
            GlyphKind::Code(name) => {
                self.out.push_str(&name[visible.start - place.start..visible.end - place.start])
            }
            // A tab, or half of a wide character.
            _ => self.out.extend(std::iter::repeat_n(' ', visible.len())),
        }
    }

    fn style_of(&self, glyph: &Glyph<'_>, is_match: bool) -> Style {
        let shown = &glyph.kind;
        let styles = [self.own, self.given, self.ink.tint];
        let mut style = styles.into_iter().find(|style| *style != Style::default()).unwrap_or_default();
        if !self.ink.colors {
            style = Style { flags: style.flags & REVERSE, ..Style::default() };
        }
        style.flags |= glyph.struck;
        if matches!(shown, GlyphKind::Code(_)) {
            style.flags ^= REVERSE;
        }
        if is_match {
            style.flags ^= REVERSE;
            style.flags |= UNDERLINED * u8::from(matches!(shown, GlyphKind::Code(_)));
            style.flags |= BOLD * u8::from(self.ink.is_current);
        }
        style
    }

    fn style(&mut self, wanted: Style) {
        if wanted != self.written {
            wanted.write(&mut self.out);
            self.written = wanted;
        }
    }
}

rread_text::words! { name,
    #[derive(Default)]
    pub enum Margin {
        #[default]
        Numbers = "line numbers; # again: byte offsets",
        /// The file of each line and its number there, in a text of several.
        Origins = "files and the numbers of their lines; # again: line numbers",
        /// The offset of the first byte of each line, and of each piece of a long one.
        Offsets = "byte offsets; # again: hashes of lines",
        /// Anchors of hashlines, such as `12#a1b2c3`.
        Hashes = "hashes of lines, as of rread lines --hash; # again: none",
    }
}

impl Margin {
    /// The one that the key `#` shows next; `None`: nothing.
    pub fn next(self) -> Option<Self> {
        match self {
            Margin::Origins => Some(Margin::Numbers),
            Margin::Numbers => Some(Margin::Offsets),
            Margin::Offsets => Some(Margin::Hashes),
            Margin::Hashes => None,
        }
    }

    /// Whether it shows numbers of lines, which must be counted.
    pub fn counts(self) -> bool {
        !matches!(self, Margin::Offsets | Margin::Origins)
    }

    /// The text before the first row of `piece`; `number` is that of its line.
    pub fn label(self, piece: &Piece, number: &str) -> String {
        match (self, piece.hash) {
            (Margin::Offsets, _) => piece.start.to_string(),
            _ if !piece.starts_line => String::new(),
            (Margin::Hashes, Some(hash)) => format!("{number}#{:06x}", hash & 0xFF_FFFF),
            _ => number.to_owned(),
        }
    }

    /// The columns for a line with this number at this offset.
    pub fn columns(self, number: u64, offset: u64) -> usize {
        let digits = |number: u64| number.to_string().len();
        match self {
            Margin::Numbers | Margin::Origins => digits(number),
            Margin::Offsets => digits(offset),
            Margin::Hashes => digits(number) + "#a1b2c3".len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WRAPPED: Layout = Layout { columns: 4, wrap: true, left: 0, sequences: true };

    proptest! {
        /// A match may be wider than the screen, and begin anywhere.
        #[test]
        fn the_beginning_of_a_place_is_on_the_screen(columns in 1usize..12, left in 0usize..30, start in 0usize..40, length in 0usize..40) {
            let layout = Layout { columns, wrap: false, left, sequences: true };
            let shown = layout.left_for(&(start..start + length));
            prop_assert!(shown <= start && start < shown + columns, "{shown}");
        }
    }

    fn painted(layout: &Layout, text: &[u8], matches: &[Range<usize>]) -> Vec<String> {
        let starts = layout.rows(text);
        let ink = Ink { colors: true, matches, ..Ink::default() };
        layout.paint(text, &starts, 0..starts.len(), &ink)
    }

    #[test]
    fn a_text_goes_on_in_the_next_row() {
        assert_eq!(painted(&WRAPPED, b"abcdefghi", &[]), ["abcd", "efgh", "i"]);
        assert_eq!(painted(&WRAPPED, b"abcd", &[]), ["abcd"]);
        assert_eq!(painted(&WRAPPED, b"", &[]), [""]);
        assert_eq!(painted(&WRAPPED, "ab日日c".as_bytes(), &[]), ["ab日", "日c"]);
        assert_eq!(painted(&WRAPPED, "abc日".as_bytes(), &[]), ["abc", "日"]);
        assert_eq!(painted(&Layout { columns: 1, ..WRAPPED }, "日".as_bytes(), &[]), [" "]);
    }

    #[test]
    fn one_row_shows_a_text_from_the_left_column_on() {
        let chopped = |left| Layout { columns: 4, wrap: false, left, sequences: true };
        let cut = |text: &str| format!("{text}\x1b[0;7m>\x1b[0m");
        assert_eq!(painted(&chopped(0), b"abcdefghi", &[]), [cut("abc")]);
        assert_eq!(painted(&chopped(5), b"abcdefghi", &[]), ["fghi"]);
        assert_eq!(painted(&chopped(0), b"abcd\x1b[m", &[]), ["abcd"]);
        assert_eq!(painted(&chopped(0), b"abcd\x1b[me", &[]), [cut("abc")]);
        assert_eq!(painted(&chopped(0), "ab日本".as_bytes(), &[]), [cut("ab ")]);
        assert_eq!(painted(&chopped(0), "abc日".as_bytes(), &[]), [cut("abc")]);
        assert_eq!(painted(&chopped(0), b"\x1b[31mabcde", &[]), ["\x1b[0;31mabc\x1b[0m\x1b[0;7m>\x1b[0m"]);
        assert_eq!(painted(&chopped(7), b"abcdefghi", &[]), ["hi"]);
        assert_eq!(painted(&chopped(70), b"abcdefghi", &[]), [""]);
        assert_eq!(painted(&chopped(1), "日本語".as_bytes(), &[]), [cut(" 本")]);
        assert_eq!(painted(&chopped(6), b"a\tb", &[]), ["  b"]);
    }

    #[test]
    fn parts_have_their_styles_below_the_colors_of_the_content() {
        let (dim, red) = (Style::with_flags(crate::style::DIM), Style::colored(1));
        let styles = [(2, Style::default()), (5, dim)];
        let ink = Ink { colors: true, tint: red, styles: &styles, ..Ink::default() };
        let text = b"abcde\x1b[32mf\x1b[mg";
        assert_eq!(
            Layout { columns: 20, ..WRAPPED }.paint(text, &[0], 0..1, &ink),
            ["\x1b[0;31mab\x1b[0;2mcde\x1b[0;32mf\x1b[0;31mg\x1b[0m"]
        );
        assert_eq!(WRAPPED.paint(b"abcde", &[0, 4], 1..2, &ink), ["\x1b[0;2me\x1b[0m"]);
    }

    #[test]
    fn colors_go_on_in_the_next_row_and_end_with_it() {
        let text = b"ab\x1b[31mcdef\x1b[mg";
        assert_eq!(painted(&WRAPPED, text, &[]), ["ab\x1b[0;31mcd\x1b[0m", "\x1b[0;31mef\x1b[0mg"]);
        assert_eq!(
            painted(&WRAPPED, b"abcdef", std::slice::from_ref(&(3..5))),
            ["abc\x1b[0;7md\x1b[0m", "\x1b[0;7me\x1b[0mf"]
        );
        let ink = Ink { colors: false, ..Ink::default() };
        assert_eq!(WRAPPED.paint(b"ab\x1b[31mc", &[0], 0..1, &ink), ["abc"]);
        assert_eq!(painted(&WRAPPED, b"\x01b", &[]), ["\x1b[0;7m^A\x1b[0mb"]);
    }

    proptest! {
        /// Only SGR, printable characters and blanks reach the terminal.
        #[test]
        fn no_content_reaches_the_terminal_as_it_is(
            text in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x1b), Just(b'['), Just(b'm'), Just(0x9b), Just(b']')], 0..200),
            columns in 1usize..20,
            left in 0usize..20,
            wrap: bool,
        ) {
            let layout = Layout { columns, wrap, left, sequences: true };
            for row in painted(&layout, &text, &[]) {
                let mut rest = &row[..];
                while let Some(at) = rest.find(char::is_control) {
                    prop_assert!(rest[at..].starts_with("\x1b[0"), "{:?}", row);
                    let params = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
                    prop_assert!(params.starts_with('m'), "{:?}", row);
                    rest = &params[1..];
                }
                let bare: usize = Glyphs::new(row.as_bytes(), true).map(|glyph| glyph.kind.width(0)).sum();
                prop_assert!(bare <= columns, "{:?}", row);
            }
        }

        #[test]
        fn every_row_but_the_last_is_full(text in "[ab日\t\u{1}]{0,100}", columns in 8usize..20) {
            let layout = Layout { columns, ..WRAPPED };
            let starts = layout.rows(text.as_bytes());
            for pair in starts.windows(2) {
                let row = &text.as_bytes()[pair[0] as usize..pair[1] as usize];
                let mut column = 0;
                for glyph in Glyphs::new(row, true) {
                    column += glyph.kind.width(column);
                }
                prop_assert!(column <= columns && column + 8 > columns);
            }
        }
    }
}
