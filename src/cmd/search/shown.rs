//! The options that say how lines that match are shown, as in rg.

use std::ffi::OsString;
use std::sync::Arc;

use clap::Args;

use rread_answer::search::{LineOptions, LineParts};
use rread_source::stdio::note;
use rread_text::error::{Error, Result};

/// How lines that match are shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Lines that match")]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct ShownArgs {
    /// Show only the matches, one a line; with --max-columns, with as much of the line around each
    #[arg(short = 'o', long)]
    pub(super) only_matching: bool,
    /// Show TEXT in place of each match; $1 and $name are groups of the pattern
    #[arg(short = 'r', long, value_name = "TEXT", value_parser = crate::args::file::os_value(), allow_hyphen_values = true)]
    replace: Option<OsString>,
    /// Show all lines, those without a match as context
    #[arg(long, alias = "passthrough", conflicts_with_all = ["last", "in", "since", "until"], overrides_with_all = ["context", "before_context", "after_context"])]
    pub(super) passthru: bool,
    /// Leave out white space at the beginning of lines
    #[arg(long)]
    trim: bool,
    /// Show no line numbers
    #[arg(short = 'N', long, overrides_with = "number")]
    no_line_number: bool,
    /// Put the place of the first match in the line, in bytes from 1, after the line number
    #[arg(long)]
    column: bool,
    #[arg(long, overrides_with = "column", hide = true)]
    no_column: bool,
    /// Put the offset of the line, or with -o of the match, after the line number
    #[arg(short = 'b', long)]
    byte_offset: bool,
    /// Show the line once for each match, with name, line and column
    #[arg(long)]
    vimgrep: bool,
    /// Put the name of the file before lines, in text; the default if there are several files
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// Put no name before lines
    #[arg(short = 'I', long)]
    no_filename: bool,
    /// Show the name of the file once, above its lines, in text
    #[arg(long)]
    pub(super) heading: bool,
    /// Colours, and in text names above lines
    #[arg(short = 'p', long)]
    pub(super) pretty: bool,
    /// Write SEPARATOR between groups of lines [default: --]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::file::os_value(), allow_hyphen_values = true)]
    context_separator: Option<OsString>,
    /// Write nothing between groups of lines
    #[arg(long, overrides_with = "context_separator")]
    no_context_separator: bool,
    /// Write SEPARATOR after names and numbers of lines that match [default: :]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::file::os_value(), allow_hyphen_values = true)]
    field_match_separator: Option<OsString>,
    /// Write SEPARATOR after names and numbers of lines of context [default: -]
    #[arg(long, value_name = "SEPARATOR", value_parser = crate::args::file::os_value(), allow_hyphen_values = true)]
    field_context_separator: Option<OsString>,
    /// --max-columns
    #[arg(short = 'M', value_name = "N", overrides_with = "max_columns", hide = true)]
    pub(super) columns: Option<u64>,
    /// End raw and text with the sums over all files; the other formats have them in the receipt
    #[arg(long)]
    pub(super) stats: bool,
}

impl ShownArgs {
    /// Refuses hashlines where lines are not shown as they are.
    pub(super) fn check_hash(&self) -> Result<()> {
        let parts = [
            (self.only_matching, "--only-matching"),
            (self.replace.is_some(), "--replace"),
            (self.trim, "--trim"),
            (self.vimgrep, "--vimgrep"),
        ];
        match parts.iter().find(|(is_on, _)| *is_on) {
            Some((_, name)) => {
                Err(Error::usage(format!("--hash is of whole lines, and {name} changes them"))
                    .hint(format!("leave out {name}")))
            }
            None => Ok(()),
        }
    }

    pub(super) fn replacement(&self) -> Option<&str> {
        self.replace.as_ref().and_then(|text| text.to_str())
    }

    /// What `-rn` and `-r -n` do, where somebody may have meant grep's options for directories and numbers.
    pub(super) fn note_grep_habit(&self) {
        let value = self.replacement().unwrap_or_default();
        let letters = value.strip_prefix('-').unwrap_or(value);
        if matches!(letters.len(), 1..=3) && letters.bytes().all(|byte| b"nilHhcwEFsI".contains(&byte)) {
            note(&format!(
                "-r {value} writes {value} in the place of each match, as in rg; directories need no -r"
            ));
        }
    }

    /// `no_names` puts nothing before lines.
    pub(super) fn options(&self, no_names: bool) -> LineOptions {
        let parts = match (self.only_matching, self.vimgrep) {
            (true, _) => LineParts::Matches,
            (_, true) => LineParts::LineForEachMatch,
            _ => LineParts::Line,
        };
        let default = LineOptions::default();
        let field = |text: &Option<OsString>, default: Vec<u8>| {
            text.as_ref().map_or(default, |text| unescaped(text.as_encoded_bytes()))
        };
        let separator = self.context_separator.as_ref().map(|text| unescaped(text.as_encoded_bytes()));
        LineOptions {
            parts,
            trims: self.trim,
            numbers: !self.no_line_number && !no_names,
            column: self.column || self.vimgrep && !self.no_column,
            byte_offset: self.byte_offset,
            names: match (self.with_filename || self.vimgrep, self.no_filename || no_names) {
                (_, true) => Some(false),
                (true, _) => Some(true),
                _ => None,
            },
            heading: (self.heading || self.pretty) && !self.vimgrep,
            separator: separator.or(default.separator).filter(|_| !self.no_context_separator),
            match_field: field(&self.field_match_separator, default.match_field),
            context_field: field(&self.field_context_separator, default.context_field),
            replacement: self.replace.as_ref().map(|text| Arc::from(text.as_encoded_bytes())),
        }
    }

    /// The options that change the matches, for a search of the rest.
    pub(super) fn repeated(&self) -> Vec<(&'static str, Option<String>)> {
        let replace = self.replace.as_ref().map(|text| text.to_string_lossy().into_owned());
        let flags = [(self.only_matching, "o"), (self.trim, "trim"), (self.vimgrep, "vimgrep")];
        let flags = flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| (name, None));
        flags.chain(replace.map(|text| ("r", Some(text)))).collect()
    }
}

/// `text` with the bytes that `\t`, `\n`, `\0`, `\\` and `\xNN` stand for.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (byte, after) = match rest {
            [b'\\', b't', after @ ..] => (b'\t', after),
            [b'\\', b'n', after @ ..] => (b'\n', after),
            [b'\\', b'r', after @ ..] => (b'\r', after),
            [b'\\', b'0', after @ ..] => (0, after),
            [b'\\', b'\\', after @ ..] => (b'\\', after),
            [b'\\', b'x', a, b, after @ ..] if hex(*a).is_some() && hex(*b).is_some() => {
                (hex(*a).unwrap_or(0) << 4 | hex(*b).unwrap_or(0), after)
            }
            [byte, after @ ..] => (*byte, after),
            [] => return bytes,
        };
        bytes.push(byte);
        rest = after;
    }
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_have_escapes() {
        for (text, bytes) in [
            (r"\x7C", &b"|"[..]),
            (r"a\tb", b"a\tb"),
            (r"\0\n\\", b"\0\n\\"),
            (r"\q\x7", br"\q\x7"),
            ("é", "é".as_bytes()),
            ("", b""),
        ] {
            assert_eq!(unescaped(text.as_bytes()), bytes, "{text}");
        }
    }
}
