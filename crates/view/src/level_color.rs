//! The level of a log line, as a light color.

use super::style::{Color, DIM, Style};

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
        if let Some(style) = of_word(word).filter(|_| is_level) {
            return style;
        }
        after_key = KEYS.contains(&word);
    }
    Style::default()
}

fn of_word(word: &[u8]) -> Option<Style> {
    let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    if is(&["error", "err", "fatal", "critical", "crit", "panic", "severe", "alert", "emerg"]) {
        return Some(Style::colored(RED));
    }
    if is(&["warn", "warning"]) {
        return Some(Style::colored(YELLOW));
    }
    if is(&["debug", "trace"]) {
        return Some(Style { front: Color::Default, ..Style::with_flags(DIM) });
    }
    is(&["info", "notice"]).then(Style::default)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("", Style::default()),
        ] {
            assert_eq!(level_style(line.as_bytes()), expected, "{line}");
        }
    }
}
