//! Timestamps of S3 Select: those of Amazon Ion, which may end at the year, the month or the day.
//!
//! A time without an offset, which Ion forbids but the documentation of S3 Select uses, is in UTC.

use std::fmt;

/// The engine checks whether the date exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IonTimestamp {
    date: String,
    /// `12:14:33.079`, with at most nanoseconds.
    time: String,
    /// `-08:00`; `None` for UTC.
    pub offset: Option<String>,
}

impl IonTimestamp {
    pub fn parse(text: &str) -> Option<IonTimestamp> {
        let midnight = |date: String| IonTimestamp { date, time: "00:00:00".to_owned(), offset: None };
        if let Some(date) = text.strip_suffix('T') {
            let date = match date.len() {
                4 if is(date, "0000") => format!("{date}-01-01"),
                7 if is(date, "0000-00") => format!("{date}-01"),
                10 if is(date, "0000-00-00") => date.to_owned(),
                _ => return None,
            };
            return Some(midnight(date));
        }
        if is(text, "0000-00-00") {
            return Some(midnight(text.to_owned()));
        }
        let (date, rest) = text.split_once('T').filter(|(date, _)| is(date, "0000-00-00"))?;
        let cut = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
        let (time, offset) = (rest.get(..cut)?, rest.get(cut..)?);
        let time = match time.split_once('.') {
            None if is(time, "00:00") => format!("{time}:00"),
            None if is(time, "00:00:00") => time.to_owned(),
            Some((whole, fraction)) if is(whole, "00:00:00") && !fraction.is_empty() => {
                let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
                format!("{whole}.{}", fraction.get(..fraction.len().min(9)).filter(|_| digits)?)
            }
            _ => return None,
        };
        let offset = match offset {
            "" | "Z" | "-00:00" | "+00:00" => None,
            other if is(other.get(1..)?, "00:00") => Some(other.to_owned()),
            _ => return None,
        };
        Some(IonTimestamp { date: date.to_owned(), time, offset })
    }
}

impl fmt::Display for IonTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{}{}", self.date, self.time, self.offset.as_deref().unwrap_or("Z"))
    }
}

/// Other texts stay unchanged.
pub(super) fn completed(text: &str) -> String {
    IonTimestamp::parse(text).map_or_else(|| text.to_owned(), |full| full.to_string())
}

/// Whether `text` has a digit for each `0` of `form`, and equals it elsewhere.
fn is(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
}
