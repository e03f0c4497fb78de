//! The place of a file with which the viewer begins, and several logs as one.

use std::path::{Path, PathBuf};

use rread_answer::{AnswerOptions, OutputOptions, TimesOfFiles};
use rread_text::{Error, Form, Place, Range, Result, Unit, call, parse_list};

/// Several logs that are viewed as one text.
#[derive(Clone, Debug)]
pub struct MergeRequest {
    pub files: Vec<PathBuf>,
    pub content: AnswerOptions,
    /// How the text is written where it cannot be viewed.
    pub output: OutputOptions,
    pub times: TimesOfFiles,
    /// Whether the file and the line stand before lines.
    pub names: bool,
}

#[derive(Clone, Debug)]
pub enum Begin {
    Line(u64),
    /// Such as `50%`.
    Percent(String),
    Time(String),
    Pattern(String),
    End,
    /// The end, and what is appended.
    Follow,
}

/// Millionths of a percent.
const DECIMALS: usize = 6;

/// A percentage such as `12.5`, in millionths; `None` if it is not one from 0 to 100. Further decimals are left out.
pub fn parse_percent(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && decimals.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()? };
    let decimals = format!("{decimals:0<DECIMALS$.DECIMALS$}").parse::<u64>().ok()?;
    let millionths = whole.checked_mul(1_000_000)?.checked_add(decimals)?;
    (millionths <= 100_000_000).then_some(millionths)
}

impl Begin {
    /// The first line of `range`; the end if it counts from there.
    pub fn of_range(range: &Range) -> Self {
        match range.form {
            Form::One(Place::Front(line))
            | Form::Counted(Place::Front(line), _)
            | Form::Between(Some(Place::Front(line)), _) => Begin::Line(line),
            Form::Between(None, _) => Begin::Line(1),
            _ => Begin::End,
        }
    }

    /// A line or a percentage of the file at `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let typed = text;
        let (text, is_of_less) = text.strip_prefix('+').map_or((text, false), |text| (text, true));
        match text {
            "G" | "g" if is_of_less => return Ok(if text == "G" { Begin::End } else { Begin::Line(1) }),
            "F" if is_of_less => return Ok(Begin::Follow),
            _ => {}
        }
        if let Some(pattern) = text.strip_prefix('/').filter(|_| is_of_less) {
            return Ok(Begin::Pattern(pattern.to_owned()));
        }
        let text = text.strip_suffix('g').filter(|_| is_of_less).unwrap_or(text);
        if text.strip_suffix('%').and_then(parse_percent).is_some() {
            return Ok(Begin::Percent(text.to_owned()));
        }
        let ranges = parse_list(text, Unit::Lines).ok();
        let first = ranges.as_deref().and_then(<[Range]>::first);
        first.map(Begin::of_range).ok_or_else(|| {
            let line = call("view").file(path).word(500_000).again();
            Error::usage(format!("'{typed}' is not a line number or a percentage"))
                .hint(line.then(" (or 50%)"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_has_decimals() {
        for (text, expected) in [
            ("0", Some(0)),
            ("50", Some(50_000_000)),
            ("12.5", Some(12_500_000)),
            ("12.", Some(12_000_000)),
            (".5", Some(500_000)),
            ("99.99999999", Some(99_999_999)),
            ("100.0", Some(100_000_000)),
            ("100.1", None),
            ("101", None),
            ("99999999999999999999", None),
            ("1e1", None),
            ("-1", None),
            ("+1", None),
            (".", None),
            ("", None),
            ("1.2.3", None),
        ] {
            assert_eq!(parse_percent(text), expected, "{text}");
        }
    }
}
