//! The colors of a theme, as the terminal can show them.

use std::sync::{LazyLock, OnceLock};

use syntect::highlighting::{Color, FontStyle, Highlighter, Style};
use two_face::theme::{EmbeddedLazyThemeSet, EmbeddedThemeName};

use crate::output::ThemeChoice;
use rread_source::near_miss::nearest;
use rread_text::error::{Error, Result};

static THEMES: LazyLock<EmbeddedLazyThemeSet> = LazyLock::new(two_face::theme::extra);

/// The theme that colors are taken from.
pub(super) struct Theme {
    pub(super) highlighter: Highlighter<'static>,
    has_true_color: bool,
}

/// The theme of `choice`, for the whole process.
///
/// # Errors
/// Usage, if there is no such theme.
pub(super) fn theme(choice: &ThemeChoice) -> Result<&'static Theme> {
    static THEME: OnceLock<Theme> = OnceLock::new();
    if let Some(theme) = THEME.get() {
        return Ok(theme);
    }
    let ThemeChoice { name, has_true_color } = choice;
    let theme = if name.is_empty() { EmbeddedThemeName::Ansi } else { find_theme(name)? };
    let has_true_color = *has_true_color;
    Ok(THEME.get_or_init(|| Theme { highlighter: Highlighter::new(THEMES.get(theme)), has_true_color }))
}

fn find_theme(wanted: &str) -> Result<EmbeddedThemeName> {
    let all = EmbeddedLazyThemeSet::theme_names();
    let found = all.iter().find(|theme| theme.as_name().eq_ignore_ascii_case(wanted));
    found.copied().ok_or_else(|| {
        let names = all.iter().map(|theme| theme.as_name().to_owned());
        let near = nearest(wanted, names).unwrap_or_else(|| "GitHub".to_owned());
        Error::usage(format!("RREAD_THEME is '{wanted}', which is not a theme"))
            .hint(format!("export RREAD_THEME='{near}' (docs/highlight.md lists the themes)"))
    })
}

impl Theme {
    /// The escape sequence that begins `style`; empty for the color that the terminal writes anyway.
    pub(super) fn begin(&self, style: Style) -> String {
        let codes = self.codes(style);
        if codes.is_empty() { codes } else { format!("\x1b[{codes}m") }
    }

    /// Its parameters; empty for the color that the terminal writes anyway.
    pub(super) fn codes(&self, style: Style) -> String {
        let mut codes = Vec::new();
        let fonts = [(FontStyle::BOLD, "1"), (FontStyle::UNDERLINE, "4")];
        codes.extend(
            fonts
                .iter()
                .filter(|(font, _)| style.font_style.contains(*font))
                .map(|(_, code)| (*code).to_owned()),
        );
        codes.extend(self.foreground(style.foreground));
        codes.join(";")
    }

    /// bat's themes write a color of the terminal's palette as red with alpha 0, and its default color as alpha 1.
    fn foreground(&self, color: Color) -> Option<String> {
        let Color { r, g, b, a } = color;
        match (a, r) {
            (0, 0..=7) => Some(format!("{}", 30 + r)),
            (0, _) => Some(format!("38;5;{r}")),
            (1, _) => None,
            _ if self.has_true_color => Some(format!("38;2;{r};{g};{b}")),
            _ => Some(format!("38;5;{}", nearest_of_256(r, g, b))),
        }
    }
}

/// The most similar color of the 6x6x6 cube and the 24 greys, which all terminals with 256 colors share.
fn nearest_of_256(r: u8, g: u8, b: u8) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |color: [u8; 3]| -> u32 {
        let wanted = [r, g, b];
        color.iter().zip(wanted).map(|(is, wanted)| u32::from(is.abs_diff(wanted)).pow(2)).sum()
    };
    let cube = (0..216u8).map(|n| {
        let level = |n: u8| LEVELS[usize::from(n % 6)];
        (16 + n, [level(n / 36), level(n / 6), level(n)])
    });
    let greys = (0..24u8).map(|n| (232 + n, [8 + 10 * n; 3]));
    cube.chain(greys).min_by_key(|(_, color)| distance(*color)).map_or(7, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_beyond_the_palette_become_the_nearest() {
        for (color, code) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([255, 0, 0], 196),
            ([9, 9, 9], 232),
            ([130, 130, 130], 244),
            ([90, 140, 180], 67),
        ] {
            assert_eq!(nearest_of_256(color[0], color[1], color[2]), code, "{color:?}");
        }
    }

    #[test]
    fn every_theme_loads_and_has_its_name() {
        for theme in EmbeddedLazyThemeSet::theme_names() {
            assert_eq!(find_theme(&theme.as_name().to_uppercase()).unwrap(), *theme);
            Highlighter::new(THEMES.get(*theme)).get_default();
        }
        let error = find_theme("GitHib").unwrap_err();
        assert!(error.hint.unwrap().plain().contains("GitHub"));
    }
}
