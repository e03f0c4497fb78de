//! One line as the parser reads it and as the terminal shows it.

use std::ops::Range;

/// Text of the line that is shown as other text, or not at all.
struct Replaced {
    span: Range<usize>,
    shown: Vec<u8>,
}

#[derive(Default)]
pub(super) struct PaintedLine {
    /// Its number, and its hash.
    prefix: Vec<u8>,
    text: String,
    replaced: Vec<Replaced>,
    has_ended: bool,
}

impl PaintedLine {
    pub(super) fn set_prefix(&mut self, prefix: &[u8]) {
        prefix.clone_into(&mut self.prefix);
    }

    pub(super) fn push(&mut self, text: &[u8]) {
        // Content is UTF-8 that ends between characters, so nothing is lost.
        self.text.push_str(&String::from_utf8_lossy(text));
    }

    pub(super) fn replace(&mut self, text: &[u8], shown: &[u8]) {
        let start = self.text.len();
        self.push(text);
        self.replaced.push(Replaced { span: start..self.text.len(), shown: shown.to_owned() });
    }

    /// A newline follows the line.
    pub(super) fn end(&mut self) {
        self.has_ended = true;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether nothing of the line has come yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.prefix.is_empty() && !self.has_ended
    }

    /// The text as the parser reads it, without the carriage return of a line that ends with both.
    pub(super) fn text(&self) -> &str {
        self.text.trim_end_matches('\r')
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    pub(super) fn newline(&self) -> &'static [u8] {
        if self.has_ended { b"\n" } else { b"" }
    }

    /// Appends to `out` what is shown of `span` of the text. A replacement is shown with its first byte.
    pub(super) fn show(&self, span: Range<usize>, out: &mut Vec<u8>) {
        let mut at = span.start;
        let touches = |replaced: &&Replaced| replaced.span.end > span.start && replaced.span.start < span.end;
        for Replaced { span: hidden, shown } in self.replaced.iter().filter(touches) {
            if hidden.start >= span.start {
                out.extend_from_slice(&self.text.as_bytes()[at..hidden.start]);
                out.extend_from_slice(shown);
            }
            at = hidden.end;
        }
        if at < span.end {
            out.extend_from_slice(&self.text.as_bytes()[at..span.end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_show_everything_once_wherever_they_are_cut() {
        let mut line = PaintedLine::default();
        line.push(b"let a");
        line.replace(b"\x1b", b"\\x1b");
        line.push(b"[2J");
        line.replace("\u{9b}".as_bytes(), b"\\u{9b}");
        line.replace(b"clipped", b"");
        let len = line.len();
        for first in 0..=len {
            for second in first..=len {
                let mut shown = Vec::new();
                [0..first, first..second, second..len]
                    .into_iter()
                    .for_each(|span| line.show(span, &mut shown));
                assert_eq!(String::from_utf8_lossy(&shown), "let a\\x1b[2J\\u{9b}", "{first} {second}");
            }
        }
    }
}
