//! The formats of numbers that styles of cells have: which numbers are dates, times or durations.

use std::collections::HashMap;

use crate::format::workbook::value::Format;
use crate::format::zip_xml::{Package, Part};
use crate::protocol::Failure;

/// Reads the format of each style. Those before damage stay.
pub(super) fn read(
    package: &mut Package<'_>,
    member: &str,
    formats: &mut Vec<Format>,
) -> Result<(), Failure> {
    let mut codes = HashMap::new();
    let mut is_of_cells = false;
    package.parse(member, |part| {
        match part {
            Part::Start("numFmt", attributes) => {
                if let (Some(id), Some(code)) = (attributes.get("numFmtId"), attributes.get("formatCode")) {
                    codes.insert(id, of_code(&code));
                }
            }
            Part::Start("cellXfs", _) => is_of_cells = true,
            Part::End("cellXfs") => is_of_cells = false,
            Part::Start("xf", attributes) if is_of_cells => {
                let id = attributes.get("numFmtId").unwrap_or_default();
                formats.push(codes.get(&id).copied().unwrap_or_else(|| of_number(&id)));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(())
}

/// The format with a number that every program knows (ECMA-376, 18.8.30).
fn of_number(id: &str) -> Format {
    let (date, time) = (Format::date(), Format::time());
    match id.parse().unwrap_or(0) {
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => date,
        18..=21 | 32..=35 | 45 | 47 | 55 | 56 => time,
        22 => Format::DateTime { has_date: true, has_time: true },
        46 => Format::Duration,
        _ => Format::Number,
    }
}

/// What the format `code` makes of a number: its first section counts, which is for positive numbers.
fn of_code(code: &str) -> Format {
    let (mut has_date, mut has_time, mut month_or_minute, mut months) = (false, false, false, 0);
    let mut rest = code;
    // Its letters mean nothing else.
    if code.trim_start().get(..7).is_some_and(|word| word.eq_ignore_ascii_case("general")) {
        return Format::Number;
    }
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        let is_month = c.eq_ignore_ascii_case(&'m');
        months = if is_month { months + 1 } else { 0 };
        match c.to_ascii_lowercase() {
            ';' => break,
            // The next character stands for itself, or for its width.
            '\\' | '_' | '*' => {
                rest = after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default()
            }
            '"' => rest = after.split_once('"').map_or("", |(_, rest)| rest),
            '[' => {
                let (inner, outer) = after.split_once(']').unwrap_or((after, ""));
                rest = outer;
                let unit = inner.chars().next().map(|unit| unit.to_ascii_lowercase());
                let is_elapsed = inner.chars().all(|c| Some(c.to_ascii_lowercase()) == unit);
                if is_elapsed && matches!(unit, Some('h' | 'm' | 's')) {
                    return Format::Duration;
                }
            }
            'a' if matches!(after.as_bytes(), [b'm' | b'M', b'/', ..] | [b'/', b'p' | b'P', ..]) => {
                has_time = true;
                rest = after.trim_start_matches(['m', 'M', '/', 'p', 'P']);
            }
            'y' | 'd' => has_date = true,
            'h' | 's' => has_time = true,
            'm' => month_or_minute = true,
            _ => {}
        }
        has_date |= months > 2;
    }
    has_date |= month_or_minute && !has_time;
    if has_date || has_time { Format::DateTime { has_date, has_time } } else { Format::Number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_says_what_a_number_is() {
        let both = Format::DateTime { has_date: true, has_time: true };
        for (codes, expected) in [
            (
                &[
                    "General",
                    "0",
                    "0.00%",
                    "# ?/?",
                    "# ??/??",
                    "0.00E+00",
                    "@",
                    "#,##0 ;[Red](#,##0)",
                    "0\" days\"",
                    "0\\d",
                    "[$USD] 0.00",
                    "[Red]0",
                    "_(* #,##0_)",
                    "[>=100]0;0.0",
                    "0.0_d",
                    "\"day\" 0",
                    "General \"d\"",
                ][..],
                Format::Number,
            ),
            (
                &["yyyy-mm-dd", "d.m.yy", "mmm-yy", "mmmm", "[$-409]d\\-mmm\\-yy;@", "dddd", "m/d", "MM"],
                Format::date(),
            ),
            (&["h:mm", "mm:ss", "hh:mm:ss AM/PM", "h A/P", "mmss.0", "ss.000"], Format::time()),
            (&["yyyy-mm-dd hh:mm", "m/d/yy h:mm", "mmm h"], both),
            (&["[h]:mm", "[hh]:mm:ss", "[mm]:ss", "[s]", "[Red][h]:mm"], Format::Duration),
        ] {
            for code in codes {
                assert_eq!(of_code(code), expected, "{code}");
            }
        }
    }
}
