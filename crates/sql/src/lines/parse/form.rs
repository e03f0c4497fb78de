//! A form of records, which `--parse` names, and how a record is read in it.

use std::borrow::Cow;

use datafusion::arrow::datatypes::DataType;
use regex::Regex;

use super::pattern::{Pattern, is_pattern};
use super::{clf, logfmt};
use rread_text::error::{Error, Result};
use rread_text::sentence::setting;

/// A form of records.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Clf,
    Combined,
    Logfmt,
    /// The rest of a record from a brace on.
    Json,
    Pattern(Pattern),
    Regex(Regex),
}

/// The owner of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'t> {
    /// One of [`Form::names`].
    Nth(usize),
    Name(&'t str),
}

impl Form {
    /// Tells the forms apart.
    pub fn of(text: &str) -> Result<Self> {
        Ok(match text {
            "clf" => Form::Clf,
            "combined" => Form::Combined,
            "logfmt" => Form::Logfmt,
            "json" => Form::Json,
            _ if text.contains("%{") => {
                let message = "%{...} is a pattern of grok, which rread does not know";
                return Err(Error::usage(message).hint(
                    setting("parse").then(" '[<date> <clock>] <level> <message>' names values between texts"),
                ));
            }
            _ if text.contains("(?<") || text.contains("(?P<") => {
                let regex = Regex::new(text).map_err(|cause| {
                    let reason = cause.to_string();
                    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
                    Error::usage(format!("'{text}' is not a regular expression: {reason}"))
                })?;
                if regex.capture_names().flatten().next().is_none() {
                    return Err(Self::unnamed(text));
                }
                Form::Regex(regex)
            }
            _ if is_pattern(text) => Form::Pattern(Pattern::new(text)?),
            _ => return Err(Self::unnamed(text)),
        })
    }

    fn unnamed(text: &str) -> Error {
        Error::usage(format!("'{text}' names no value"))
            .hint("one of clf, combined, logfmt and json, '<client> <_> \"<request>\"', or '(?<user>\\w+)'")
    }

    /// The names of the values; `None` if records have their own.
    pub fn names(&self) -> Option<Vec<String>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Some(match self {
            Form::Clf => owned(&clf::NAMES[..clf::COMMON]),
            Form::Combined => owned(&clf::NAMES),
            Form::Pattern(pattern) => pattern.names(),
            Form::Regex(regex) => regex.capture_names().flatten().map(str::to_owned).collect(),
            Form::Logfmt | Form::Json => return None,
        })
    }

    /// The type of a value, if the form defines it.
    pub fn type_of(&self, name: &str) -> Option<DataType> {
        match self {
            Form::Clf | Form::Combined if clf::NUMBERS.contains(&name) => Some(DataType::Int64),
            Form::Clf | Form::Combined => Some(DataType::Utf8View),
            _ => None,
        }
    }

    /// Passes the values of a record; returns whether it has the form. The members of JSON are read elsewhere.
    pub fn read<'t>(&self, text: &'t str, take: &mut dyn FnMut(Key<'t>, Cow<'t, str>)) -> bool {
        match self {
            Form::Clf | Form::Combined => {
                let Some(values) = clf::values(text, matches!(self, Form::Combined)) else { return false };
                for (nth, value) in values.into_iter().enumerate() {
                    if let Some(value) = value {
                        take(Key::Nth(nth), value);
                    }
                }
                true
            }
            Form::Logfmt => {
                let line = text.split('\n').next().unwrap_or_default();
                logfmt::pairs(line, &mut |key, value| take(Key::Name(key), value))
            }
            Form::Pattern(pattern) => {
                let Some(values) = pattern.values(text) else { return false };
                for (nth, value) in values.into_iter().enumerate().filter(|(_, value)| !value.is_empty()) {
                    take(Key::Nth(nth), Cow::Borrowed(value));
                }
                true
            }
            Form::Regex(regex) => {
                let Some(found) = regex.captures(text) else { return false };
                let named = regex.capture_names().enumerate().filter(|(_, name)| name.is_some());
                for (nth, (group, _)) in named.enumerate() {
                    if let Some(value) = found.get(group).filter(|value| !value.is_empty()) {
                        take(Key::Nth(nth), Cow::Borrowed(value.as_str()));
                    }
                }
                true
            }
            Form::Json => Self::object(text).is_some(),
        }
    }

    /// The JSON object from a brace to the end of a record.
    pub fn object(text: &str) -> Option<&str> {
        /// Other braces come first in few records.
        const TRIES: usize = 8;
        let starts = memchr::memchr_iter(b'{', text.as_bytes()).take(TRIES);
        starts.map(|at| text[at..].trim_end()).find(|rest| {
            let next = rest.as_bytes().get(1..).unwrap_or_default().trim_ascii_start().first();
            matches!(next, Some(b'"' | b'}')) && serde_json::from_str::<serde::de::IgnoredAny>(rest).is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values with their names.
    fn read(form: &str, text: &str) -> Option<String> {
        let form = Form::of(form).unwrap();
        let (names, mut found) = (form.names(), Vec::new());
        let has = form.read(text, &mut |key, value| {
            let name = match key {
                Key::Nth(nth) => names.as_ref().unwrap()[nth].clone(),
                Key::Name(name) => name.to_owned(),
            };
            found.push(format!("{name}={value}"));
        });
        has.then(|| found.join("|"))
    }

    #[test]
    fn records_have_the_values_that_their_form_names() {
        let clf = "10.0.0.1 - ann [23/Nov/2026:06:26:04 +0000] \"GET /a%20b?x=1 HTTP/1.1\" 200 -";
        let combined = format!("{clf} \"http://x/\" \"Mozilla \\\"5\\\"\"");
        let more = format!("{combined} 0.01");
        let common = "client=10.0.0.1|user=ann|method=GET|path=/a%20b?x=1|protocol=HTTP/1.1|status=200";
        let both = format!("{common}|referer=http://x/|agent=Mozilla \"5\"");
        for (form, text, expected) in [
            ("clf", clf, Some(common)),
            ("clf", &combined, Some(common)),
            ("combined", &combined, Some(&both)),
            ("combined", &more, Some(&both)),
            ("combined", clf, None),
            (
                "clf",
                "h - - [t] \"\\x16\\x03\" 400 157",
                Some("client=h|path=\\x16\\x03|status=400|bytes=157"),
            ),
            ("clf", "h - - [t] \"-\" 408 0", Some("client=h|status=408|bytes=0")),
            ("clf", "h - - [t] \"GET / HTTP/1.0\" ok 1", None),
            ("clf", "\tat x", None),
            ("clf", "", None),
            (
                "logfmt",
                "level=info msg=\"a \\\"b\\\" c\" n=1 empty= x",
                Some("level=info|msg=a \"b\" c|n=1|empty="),
            ),
            ("logfmt", "2026-11-23 INFO a=1 b", Some("a=1")),
            ("logfmt", "no pairs \"x=1\" 1=2 =3", None),
            ("logfmt", "a=\"open b=1", Some("a=\"open|b=1")),
            ("logfmt", "url=/x?a=1&b=2 ü=ż", Some("url=/x?a=1&b=2|ü=ż")),
            ("logfmt", "a=1\n b=2", Some("a=1")),
            ("<a> - <_> \"<b>\"", "x - y \"z\" more", Some("a=x|b=z")),
            ("[<a>] <b>", "[x] y\nz", Some("a=x|b=y\nz")),
            ("[<a>] <b>", "x] y", None),
            ("<a>: <b>", "x", None),
            ("<a><<b>>", "x<y>", Some("a=x|b=y")),
            ("(?<user>\\w+)@(?<host>\\w*)(?<no>!)?", "mail ann@ x", Some("user=ann")),
            ("user=(?P<n>\\d+)", "user=x", None),
        ] {
            assert_eq!(read(form, text).as_deref(), expected, "{form}: {text}");
        }
        for (text, expected) in [
            ("2026 stdout F {\"a\":1}", Some("{\"a\":1}")),
            ("x{y} [{] {\"a\":{\"b\":2}} ", Some("{\"a\":{\"b\":2}}")),
            ("{}", Some("{}")),
            ("{\"a\":1} x", None),
            ("{a:1}", None),
        ] {
            assert_eq!(Form::object(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_form_says_what_is() {
        for (text, said) in [
            ("%{COMBINEDAPACHELOG}", "grok"),
            ("xml", "names no value"),
            ("(\\w+)", "names no value"),
            ("(?<a>", "not a regular expression"),
            ("<a><b>", "nothing is between"),
            ("<a> <a>", "comes twice"),
        ] {
            let error = Form::of(text).unwrap_err();
            assert!(error.message.plain().contains(said), "{text}: {}", error.message.plain());
        }
    }
}
