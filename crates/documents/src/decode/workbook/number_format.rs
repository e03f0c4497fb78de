//! The formats of numbers in a workbook: which numbers are dates, times or durations.

/// How a cell shows its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CellFormat {
    #[default]
    Number,
    DateTime {
        has_date: bool,
        has_time: bool,
    },
    Duration,
}

impl CellFormat {
    pub(super) const DATE: Self = CellFormat::DateTime { has_date: true, has_time: false };
    pub(super) const TIME: Self = CellFormat::DateTime { has_date: false, has_time: true };

    /// The format with this number and `code`. Some numbers have a meaning only in East Asia, and no code (ECMA-376, 18.8.30).
    pub(super) fn new(id: Option<u32>, code: &str) -> Self {
        match id {
            Some(27..=31 | 36 | 50..=54 | 57 | 58) if code == "General" => CellFormat::DATE,
            Some(32..=35 | 55 | 56) if code == "General" => CellFormat::TIME,
            _ => of_code(code),
        }
    }
}

/// Reads the format `code`: its first section counts, which is for positive numbers.
fn of_code(code: &str) -> CellFormat {
    let (mut has_date, mut has_time, mut month_or_minute, mut months) = (false, false, false, 0);
    let mut rest = code;
    // Its letters mean nothing else.
    if code.trim_start().get(..7).is_some_and(|word| word.eq_ignore_ascii_case("general")) {
        return CellFormat::Number;
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
                    return CellFormat::Duration;
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
    if has_date || has_time { CellFormat::DateTime { has_date, has_time } } else { CellFormat::Number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_says_what_a_number_is() {
        let both = CellFormat::DateTime { has_date: true, has_time: true };
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
                CellFormat::Number,
            ),
            (
                &["yyyy-mm-dd", "d.m.yy", "mmm-yy", "mmmm", "[$-409]d\\-mmm\\-yy;@", "dddd", "m/d", "MM"],
                CellFormat::DATE,
            ),
            (&["h:mm", "mm:ss", "hh:mm:ss AM/PM", "h A/P", "mmss.0", "ss.000"], CellFormat::TIME),
            (&["yyyy-mm-dd hh:mm", "m/d/yy h:mm", "mmm h"], both),
            (&["[h]:mm", "[hh]:mm:ss", "[mm]:ss", "[s]", "[Red][h]:mm"], CellFormat::Duration),
        ] {
            for code in codes {
                assert_eq!(of_code(code), expected, "{code}");
            }
        }
    }
}
