//! The patterns of TO_STRING.
//!
//! The letters are those of "Timestamp format strings" in Amazon's documentation, which follow Java's.

use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::Result;

use super::timestamps::{DateTime, HOUR, MINUTE, SECOND};

const MONTHS: &str = "January February March April May June July August September October November December";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(char, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<Piece>);

impl Pattern {
    /// Letters are fields; other characters and text in 'single quotes' are literal; two quotes are one.
    pub fn parse(text: &str) -> Result<Pattern> {
        let mut pieces = Vec::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            if c == '\'' {
                let unclosed = || {
                    exec_datafusion_err!("the pattern `{text}` of TO_STRING has a quote that does not end")
                };
                pieces.push(Piece::Text(quoted(&mut rest).ok_or_else(unclosed)?));
            } else if c.is_ascii_alphabetic() {
                let mut count = 1;
                while rest.next_if_eq(&c).is_some() {
                    count += 1;
                }
                let known = match c {
                    'y' => matches!(count, 1 | 2 | 4),
                    'M' | 'X' | 'x' => count <= 5,
                    'd' | 'h' | 'H' | 'm' | 's' => count <= 2,
                    'S' => count <= 9,
                    'a' | 'n' => count == 1,
                    _ => false,
                };
                if !known {
                    let field = c.to_string().repeat(count);
                    return exec_err!(
                        "`{field}` is not valid in the pattern `{text}` of TO_STRING; valid are y, yy, yyyy, M to MMMMM, d, dd, a, h, hh, H, HH, m, mm, s, ss, S to SSSSSSSSS, n, X to XXXXX and x to xxxxx"
                    );
                }
                pieces.push(Piece::Field(c, count));
            } else {
                pieces.push(Piece::Text(c.to_string()));
            }
        }
        Ok(Pattern(pieces))
    }

    /// `wall` is local time, `offset` its distance from UTC, both in nanoseconds.
    pub fn format(&self, wall: i128, offset: i128) -> String {
        let civil = DateTime::of(wall);
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field(letter, count) => out.push_str(&field(*letter, *count, civil, offset)),
            }
        }
        out
    }
}

fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    if rest.next_if_eq(&'\'').is_some() {
        return Some("'".to_owned());
    }
    let mut out = String::new();
    loop {
        match rest.next()? {
            '\'' if rest.next_if_eq(&'\'').is_none() => return Some(out),
            c => out.push(c),
        }
    }
}

fn field(letter: char, count: usize, civil: DateTime, offset: i128) -> String {
    let hour = civil.time / HOUR;
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let month = |letters| {
        let name = MONTHS.split(' ').nth(usize::try_from(civil.month - 1).unwrap_or_default());
        name.unwrap_or_default().chars().take(letters).collect::<String>()
    };
    let number = |value: i128| format!("{value:0count$}");
    match (letter, count) {
        ('y', 2) => format!("{:02}", civil.year.rem_euclid(100)),
        ('y', 4) => format!("{:04}", civil.year),
        ('y', _) => civil.year.to_string(),
        ('M', 3) => month(3),
        ('M', 4) => month(usize::MAX),
        ('M', 5) => month(1),
        ('M', _) => number(civil.month),
        ('d', _) => number(civil.day),
        ('a', _) => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        ('h', _) => number(half),
        ('H', _) => number(hour),
        ('m', _) => number(civil.time % HOUR / MINUTE),
        ('s', _) => number(civil.time % MINUTE / SECOND),
        ('S', _) => format!("{:09}", civil.time % SECOND).chars().take(count).collect(),
        ('n', _) => (civil.time % SECOND).to_string(),
        ('X', _) if offset == 0 => "Z".to_owned(),
        _ => distance(count, offset),
    }
}

/// One letter gives hours, and minutes if not zero; two or four letters add minutes; three or five a colon.
fn distance(count: usize, offset: i128) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset.abs() / HOUR, offset.abs() % HOUR / MINUTE);
    match count {
        1 if minutes == 0 => format!("{sign}{hours:02}"),
        1 | 2 | 4 => format!("{sign}{hours:02}{minutes:02}"),
        _ => format!("{sign}{hours:02}:{minutes:02}"),
    }
}
