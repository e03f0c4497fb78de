//! Colors and attributes of text: those of the content (SGR), of levels in logs, and those that the viewer adds.

use std::fmt::Write;

use rread_text::level::{level_of, level_of_number};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    #[default]
    Default,
    Index(u8),
    Rgb(u8, u8, u8),
}

/// How a character looks; the default is how the terminal shows text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    pub front: Color,
    pub back: Color,
    /// A bit for each of `FLAGS`.
    pub flags: u8,
}

/// The parameters that set and reset a flag: bold, dim, italic, underlined, reverse, struck. Text must not hide.
const FLAGS: [(u16, u16); 6] = [(1, 22), (2, 22), (3, 23), (4, 24), (7, 27), (9, 29)];

pub const BOLD: u8 = 1;
pub const DIM: u8 = 1 << 1;
pub const UNDERLINED: u8 = 1 << 3;
pub const REVERSE: u8 = 1 << 4;

/// Parameters of one sequence that are looked at.
const MOST: usize = 32;

impl Style {
    pub fn with_flags(flags: u8) -> Self {
        Style { flags, ..Style::default() }
    }

    pub fn colored(color: u8) -> Self {
        Style { front: Color::Index(color), ..Style::default() }
    }

    /// Changes as the sequence `ESC [ params m` says.
    pub fn apply(&mut self, params: &[u8]) {
        let numbers: Vec<u16> = params
            .split(|byte| *byte == b';' || *byte == b':')
            .take(MOST)
            .map(|digits| {
                digits.iter().fold(0u16, |n, d| n.saturating_mul(10).saturating_add(u16::from(d - b'0')))
            })
            .collect();
        let mut rest = &numbers[..];
        while let [first, after @ ..] = rest {
            rest = after;
            match *first {
                0 => *self = Style::default(),
                30..=37 => self.front = index(first - 30),
                40..=47 => self.back = index(first - 40),
                90..=97 => self.front = index(first - 82),
                100..=107 => self.back = index(first - 92),
                39 => self.front = Color::Default,
                49 => self.back = Color::Default,
                38 | 48 => {
                    let (color, after) = parse_extended(rest);
                    rest = after;
                    if let Some(color) = color {
                        *(if *first == 38 { &mut self.front } else { &mut self.back }) = color;
                    }
                }
                flag => self.flag(flag),
            }
        }
    }

    fn flag(&mut self, number: u16) {
        for (bit, (set, reset)) in FLAGS.into_iter().enumerate() {
            if number == reset {
                self.flags &= !(1 << bit);
            } else if number == set {
                self.flags |= 1 << bit;
            }
        }
    }

    /// The sequence that makes the terminal write so from now on, whatever it did before.
    pub fn write(self, out: &mut String) {
        out.push_str("\x1b[0");
        for (bit, (set, _)) in FLAGS.into_iter().enumerate() {
            if self.flags >> bit & 1 == 1 {
                let _ = write!(out, ";{set}");
            }
        }
        color(out, self.front, 38);
        color(out, self.back, 48);
        out.push('m');
    }
}

fn color(out: &mut String, color: Color, layer: u8) {
    let _ = match color {
        Color::Default => Ok(()),
        Color::Index(index @ 0..=7) => write!(out, ";{}", layer - 8 + index),
        Color::Index(index) => write!(out, ";{layer};5;{index}"),
        Color::Rgb(r, g, b) => write!(out, ";{layer};2;{r};{g};{b}"),
    };
}

fn index(number: u16) -> Color {
    Color::Index(byte(number))
}

fn byte(number: u16) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// The color after 38 or 48, and the parameters that follow it.
fn parse_extended(params: &[u16]) -> (Option<Color>, &[u16]) {
    match params {
        [5, index, rest @ ..] => (Some(Color::Index(byte(*index))), rest),
        [2, r, g, b, rest @ ..] => (Some(Color::Rgb(byte(*r), byte(*g), byte(*b))), rest),
        _ => (None, &[]),
    }
}

/// Bytes at the start of a line in which its level is looked for.
pub(super) const HEAD: usize = 200;

/// Words before a level in lower case, as in `level=error` and `"level":"error"`.
const KEYS: [&[u8]; 4] = [b"level", b"lvl", b"severity", b"loglevel"];

const RED: u8 = 1;
const YELLOW: u8 = 3;

/// The style of a line with a level; the default one for other lines.
pub fn level_style(line: &[u8]) -> Style {
    let head = &line[..line.len().min(HEAD)];
    let mut after_key = false;
    for word in head.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let is_level = after_key || word.iter().all(u8::is_ascii_uppercase);
        if let Some(level) = level_of(word).filter(|_| is_level) {
            return styled(level);
        }
        after_key = KEYS.contains(&word);
    }
    Style::default()
}

/// The style of a level that stands alone: a word, or a number as pino and bunyan write it.
pub(super) fn of_level(level: &[u8]) -> Option<Style> {
    level_of(level).or_else(|| level_of_number(level)).map(styled)
}

fn styled(level: &str) -> Style {
    match level {
        "error" | "fatal" => Style::colored(RED),
        "warn" => Style::colored(YELLOW),
        "debug" | "trace" => Style::with_flags(DIM),
        _ => Style::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(params: &str) -> String {
        let (mut style, mut out) = (Style::default(), String::new());
        style.apply(params.as_bytes());
        style.write(&mut out);
        out.trim_start_matches("\x1b[0").trim_end_matches('m').trim_start_matches(';').to_owned()
    }

    #[test]
    fn parameters_come_out_as_they_went_in() {
        for same in ["", "1", "31", "1;4;7;32;41", "38;5;200", "38;2;1;2;3", "48;2;9;8;7"] {
            assert_eq!(shown(same), same);
        }
        for (given, expected) in [
            ("0", ""),
            ("91", "38;5;9"),
            ("107", "48;5;15"),
            ("1;31;0", ""),
            ("1;2;22;3", "3"),
            ("38:5:12", "38;5;12"),
            ("38;5", ""),
            ("38;9;1;31", ""),
            ("99999999999;4", "4"),
            ("38;2;300;0;0", "38;2;255;0;0"),
            ("8;10;11;53;73", ""),
        ] {
            assert_eq!(shown(given), expected, "{given}");
        }
    }

    #[test]
    fn a_line_has_the_color_of_its_level() {
        let (red, yellow, dim) = (Style::colored(RED), Style::colored(YELLOW), Style::with_flags(DIM));
        for (line, expected) in [
            ("2024-03-11T06:01:03.160Z ERROR db timeout", red),
            ("[WARN] slow", yellow),
            ("WARNING:root:x", yellow),
            ("DEBUG no ERROR here", dim),
            ("INFO an ERROR in the text", Style::default()),
            ("level=error msg=x", red),
            (r#"{"ts":1,"level":"warning"}"#, yellow),
            (r#"{"msg":"no error here"}"#, Style::default()),
            ("fatal: not a git repository", Style::default()),
            ("TERROR", Style::default()),
            ("12:00:01 WRN slow", yellow),
            ("Jan 2 03:04 EMERGENCY full", red),
            ("VERBOSE a span", dim),
            ("", Style::default()),
        ] {
            assert_eq!(level_style(line.as_bytes()), expected, "{line}");
        }
    }
}
