//! The state of the parser between two lines, and how it is found for a slice from the middle of a file.

use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use syntect::highlighting::{HighlightIterator, HighlightState, Style};
use syntect::parsing::{ParseState, ScopeStack};

use super::language::{LANGUAGES, Language};
use super::painter::Colors;
use super::theme::Theme;
use crate::content::{self, ContentOptions, Segment};
use crate::error::Result;
use crate::reader::Reader;

/// Bytes before a slice that the parser reads. A slice that starts within them is coloured as in the whole file.
const WINDOW: u64 = 64 << 10;

/// Lines before a slice that the parser reads if they do not reach back to the start of the file.
const LINES: usize = 200;

/// Longest line that is coloured, as in bat.
pub(super) const LONGEST: usize = 16 << 10;

/// Longest line that is parsed without a deadline. The regular expressions of some languages take quadratic time: 50 ms
/// for the worst line of this length that was found, and 55 s for one of [`LONGEST`].
const SHORT: usize = 512;

/// The deadline of longer lines.
const PATIENCE_FOR_ONE: Duration = Duration::from_millis(150);

/// Time for the lines before one slice, twice: from the start of the file, then from a nearer line.
const PATIENCE: Duration = Duration::from_millis(75);

/// Time for the lines before all slices of a file. Slices after that begin without a state.
const PATIENCE_IN_ALL: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(super) struct State {
    parser: ParseState,
    style: HighlightState,
}

/// A state, and the offset of the line that it is for.
pub(super) struct Kept {
    pub(super) at: u64,
    pub(super) state: State,
}

impl State {
    pub(super) fn new(language: Language, theme: &Theme) -> Self {
        let style = HighlightState::new(&theme.highlighter, ScopeStack::new());
        State { parser: ParseState::new(language), style }
    }

    /// The styles of `line`, which ends with a newline, each with its bytes; `None` if they take too long.
    pub(super) fn styles(&mut self, line: &str, theme: &'static Theme) -> Option<Vec<(Style, usize)>> {
        if line.len() <= SHORT {
            return self.parse(line, theme);
        }
        // The parser cannot be stopped. One that is too slow ends with the program.
        let (send, receive) = sync_channel(1);
        let (mut state, line) = (self.clone(), line.to_owned());
        thread::spawn(move || {
            let styles = state.parse(&line, theme);
            let _ = send.send((state, styles));
        });
        let styles;
        (*self, styles) = receive.recv_timeout(PATIENCE_FOR_ONE).ok()?;
        styles
    }

    fn parse(&mut self, line: &str, theme: &Theme) -> Option<Vec<(Style, usize)>> {
        let scopes = self.parser.parse_line(line, &LANGUAGES).ok()?;
        let styles = HighlightIterator::new(&mut self.style, &scopes, line, &theme.highlighter);
        Some(styles.map(|(style, piece)| (style, piece.len())).collect())
    }

    /// Reads `lines`; `None` if that takes too long.
    fn after<'l>(mut self, lines: impl Iterator<Item = &'l str>, theme: &'static Theme) -> Option<Self> {
        let begun = Instant::now();
        for line in lines {
            // As when they are painted, long lines count as empty.
            let line = if line.len() > LONGEST { "\n" } else { line };
            self.styles(line, theme)?;
            if begun.elapsed() > PATIENCE {
                return None;
            }
        }
        Some(self)
    }
}

/// The state at the line that holds `start`, and the text of this line before `start`.
pub(super) fn before(colors: &Colors, reader: &Reader, start: u64) -> (State, String) {
    let fresh = State::new(colors.language, colors.theme);
    let is_remote = reader.source().info().traffic.is_some();
    // The receipt has counted the requests already.
    if start == 0 || is_remote || colors.spent.get() > PATIENCE_IN_ALL {
        return (fresh, String::new());
    }
    let begun = Instant::now();
    let kept = colors.kept.take().filter(|kept| kept.at <= start && start - kept.at <= WINDOW);
    let from = kept.as_ref().map_or(reader.units().floor(start.saturating_sub(WINDOW)), |kept| kept.at);
    let is_known = kept.is_some() || from == 0;
    // Damage is reported by the slice itself.
    let text = text(reader, from, start).unwrap_or_default();
    let lines = if is_known { Some(&text[..]) } else { text.split_once('\n').map(|(_, lines)| lines) };
    let lines = lines.unwrap_or_default();
    let (whole, rest) = lines.split_at(lines.rfind('\n').map_or(0, |newline| newline + 1));
    let from_known = || {
        let state = kept.filter(|_| is_known).map_or_else(|| fresh.clone(), |kept| kept.state);
        state.after(whole.split_inclusive('\n'), colors.theme)
    };
    let known = if is_known { from_known() } else { None };
    let state = known.or_else(|| fresh.clone().after(safe_lines(whole), colors.theme));
    colors.spent.set(colors.spent.get() + begun.elapsed());
    (state.unwrap_or(fresh), rest.to_owned())
}

fn text(reader: &Reader, start: u64, end: u64) -> Result<String> {
    let options = ContentOptions { skip_bom: reader.decided().bom, ..ContentOptions::default() };
    let mut text = Vec::new();
    content::deliver(reader, &[Segment { start, end, line: 1 }], &options, &mut text)?;
    Ok(String::from_utf8_lossy(&text).replace("\r\n", "\n"))
}

/// The last lines of `text`, from the first that no comment or string is likely to hold: at the margin after an
/// empty line.
fn safe_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').rev().take(LINES).collect();
    lines.reverse();
    let begins =
        |pair: &[&str]| pair[0].trim().is_empty() && pair[1].starts_with(|c: char| !c.is_whitespace());
    let safe = lines.windows(2).position(begins).map_or(0, |before| before + 1);
    lines.into_iter().skip(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_safe_line_is_at_the_margin_after_an_empty_one() {
        let text = "    inside\n\n    still\n\nfn next() {\n\n}\n";
        assert_eq!(safe_lines(text).collect::<String>(), "fn next() {\n\n}\n");
        assert_eq!(safe_lines("a\nb\n").collect::<String>(), "a\nb\n");
        assert_eq!(safe_lines(&"x\n".repeat(1000)).count(), LINES);
        assert_eq!(safe_lines("").count(), 0);
    }

    #[test]
    fn every_language_colours_a_line() {
        let theme = super::super::theme::theme().unwrap();
        // With `panic = "abort"`, a regular expression that does not compile would end the program.
        let text = "#include <a> /* b */ \"c\" 'd' // e\n\n<f g=\"h\">i</f> $j {k: 0x1f, l = [1]}\n";
        for language in LANGUAGES.syntaxes() {
            let mut state = State::new(language, theme);
            for line in text.split_inclusive('\n') {
                let styles = state.styles(line, theme).unwrap_or_else(|| panic!("{}", language.name));
                assert_eq!(styles.iter().map(|(_, len)| len).sum::<usize>(), line.len(), "{}", language.name);
            }
        }
        assert!(LANGUAGES.syntaxes().len() > 200);
    }
}
