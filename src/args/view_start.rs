//! The place of a file with which the viewer begins.

use std::path::Path;

use crate::hints;
use rread_text::error::{Error, Result};
use rread_text::range::{Form, Place, Range, Unit, parse_list};

#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "view"), allow(dead_code))]
pub(crate) enum Begin {
    Line(u64),
    /// Such as `50%`.
    Percent(String),
    Time(String),
    Pattern(String),
    End,
    /// The end, and what is appended.
    Follow,
}

impl Begin {
    /// The first line of `range`; the end if it counts from there.
    pub(crate) fn of_range(range: &Range) -> Self {
        match range.form {
            Form::One(Place::Front(line))
            | Form::Counted(Place::Front(line), _)
            | Form::Between(Some(Place::Front(line)), _) => Begin::Line(line),
            Form::Between(None, _) => Begin::Line(1),
            _ => Begin::End,
        }
    }

    /// A line or a percentage of the file at `path`.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self> {
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
        let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
        if percent.is_some_and(|percent| (0.0..=100.0).contains(&percent)) {
            return Ok(Begin::Percent(text.to_owned()));
        }
        let ranges = parse_list(text, Unit::Lines).ok();
        let first = ranges.as_deref().and_then(<[Range]>::first);
        first.map(Begin::of_range).ok_or_else(|| {
            Error::usage(format!("'{typed}' is not a line number or a percentage")).hint(hints::again(
                "view",
                path,
                "500000 (or 50%)",
            ))
        })
    }
}
