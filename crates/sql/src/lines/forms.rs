//! The forms of records that `--parse` names, and how the values of a record are read in each.

use std::borrow::Cow;

use datafusion::arrow::datatypes::DataType;
use regex::Regex;

use rread_text::{Error, Result, setting};

/// A form of records.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Clf,
    Combined,
    Logfmt,
    /// The rest of a record from a brace on.
    Json,
    /// Also of a pattern.
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
            _ => {
                let is_regex = text.contains("(?<") || text.contains("(?P<");
                let expression = if is_regex { text.to_owned() } else { expression_of(text)? };
                let regex = Regex::new(&expression).map_err(|cause| {
                    let reason = cause.to_string();
                    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
                    Error::usage(format!("'{text}' is not a regular expression: {reason}"))
                })?;
                if regex.capture_names().flatten().next().is_none() {
                    return Err(Error::usage(format!("'{text}' names no value")).hint(
                        "one of clf, combined, logfmt and json, '<client> <_> \"<request>\"', or '(?<user>\\w+)'",
                    ));
                }
                Form::Regex(regex)
            }
        })
    }

    /// The names of the values; `None` if records have their own.
    pub fn names(&self) -> Option<Vec<String>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Some(match self {
            Form::Clf => owned(&CLF_NAMES[..CLF_COMMON]),
            Form::Combined => owned(&CLF_NAMES),
            Form::Regex(regex) => regex.capture_names().flatten().map(str::to_owned).collect(),
            Form::Logfmt | Form::Json => return None,
        })
    }

    /// The type of a value, if the form defines it.
    pub fn type_of(&self, name: &str) -> Option<DataType> {
        match self {
            Form::Clf | Form::Combined if CLF_NUMBERS.contains(&name) => Some(DataType::Int64),
            Form::Clf | Form::Combined => Some(DataType::Utf8View),
            _ => None,
        }
    }

    /// Passes the values of a record; returns whether it has the form. The members of JSON are read elsewhere.
    pub fn read<'t>(&self, text: &'t str, take: &mut dyn FnMut(Key<'t>, Cow<'t, str>)) -> bool {
        match self {
            Form::Clf | Form::Combined => {
                let Some(values) = clf_values(text, matches!(self, Form::Combined)) else { return false };
                for (nth, value) in values.into_iter().enumerate() {
                    if let Some(value) = value {
                        take(Key::Nth(nth), value);
                    }
                }
                true
            }
            Form::Logfmt => {
                let line = text.split('\n').next().unwrap_or_default();
                logfmt_pairs(line, &mut |key, value| take(Key::Name(key), value))
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

/// The first `<name>`: the text before, the name, the text after.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(start) = text[from..].find('<').map(|at| from + at) {
        let inside = &text[start + 1..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = inside.find(|c| !is_part(c)).unwrap_or(inside.len());
        let (name, after) = inside.split_at(length);
        let begins_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if let Some(after) = after.strip_prefix('>').filter(|_| begins_well) {
            return Some((&text[..start], name, after));
        }
        from = start + 1;
    }
    None
}

/// The regular expression of a pattern: a name has the text up to the text after it, and the last one the rest. What follows the
/// last text is not looked at.
fn expression_of(pattern: &str) -> Result<String> {
    let (mut texts, mut names, mut rest) = (Vec::new(), Vec::new(), pattern);
    while let Some((before, name, after)) = next_name(rest) {
        if before.is_empty() && !names.is_empty() {
            let message = format!("nothing is between <{name}> and the name before it");
            return Err(Error::usage(message).hint("put the text that divides them between them"));
        }
        if name != "_" && names.contains(&name) {
            return Err(Error::usage(format!("the name <{name}> comes twice")).hint("<_> drops a value"));
        }
        texts.push(before);
        names.push(name);
        rest = after;
    }
    texts.push(rest);
    let mut expression = format!("^{}", regex::escape(texts[0]));
    for (name, after) in names.iter().zip(&texts[1..]) {
        let after_escaped = regex::escape(after);
        // One character is found fastest as a class.
        let value = match after.chars().count() {
            0 => "(?s:.*)".to_owned(),
            1 => format!("[^{after_escaped}]*"),
            _ => "(?s:.*?)".to_owned(),
        };
        expression += &if *name == "_" { value } else { format!("(?<{name}>{value})") };
        expression += &after_escaped;
    }
    Ok(expression)
}

/// The names of the values.
const CLF_NAMES: [&str; 10] =
    ["client", "ident", "user", "method", "path", "protocol", "status", "bytes", "referer", "agent"];

/// How many of them the common log format has.
const CLF_COMMON: usize = 8;

/// The columns with numbers.
const CLF_NUMBERS: [&str; 2] = ["status", "bytes"];

/// The values of a record; `None` if it has another form.
fn clf_values(text: &str, is_combined: bool) -> Option<Vec<Option<Cow<'_, str>>>> {
    let (client, rest) = text.split_once(' ')?;
    let (ident, rest) = rest.split_once(' ')?;
    // A name may have blanks.
    let (user, rest) = rest.split_once(" [")?;
    let (_, rest) = rest.split_once("] \"")?;
    let (request, rest) = quoted(rest)?;
    let (status, rest) = word(rest.strip_prefix(' ')?);
    let (bytes, rest) = word(rest.strip_prefix(' ')?);
    let is_number = |text: &str| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit());
    if client.is_empty() || status.is_empty() || bytes.is_empty() || !is_number(status) || !is_number(bytes) {
        return None;
    }
    let (method, path, protocol) = divide_request(request);
    let borrowed = [client, ident, user].map(|text| Some(Cow::Borrowed(text)));
    let mut values = Vec::from(borrowed);
    values.extend([method, Some(unescape_clf(path)), protocol]);
    values.extend([status, bytes].map(|text| Some(Cow::Borrowed(text))));
    if is_combined {
        let (referer, rest) = quoted(rest.strip_prefix(" \"")?)?;
        let (agent, _) = quoted(rest.strip_prefix(" \"")?)?;
        values.extend([referer, agent].map(|text| Some(unescape_clf(text))));
    }
    let is_known = |value: &Cow<'_, str>| !matches!(&**value, "-" | "");
    Some(values.into_iter().map(|value| value.filter(is_known)).collect())
}

/// A request as method, path and protocol. One that is not HTTP is the path.
fn divide_request(request: &str) -> (Option<Cow<'_, str>>, &str, Option<Cow<'_, str>>) {
    let parts = request.split_once(' ').and_then(|(method, rest)| {
        let (path, protocol) = rest.rsplit_once(' ')?;
        Some((method, path, protocol))
    });
    match parts {
        Some((method, path, protocol)) => (Some(Cow::Borrowed(method)), path, Some(Cow::Borrowed(protocol))),
        None => (None, request, None),
    }
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\n']).unwrap_or(text.len());
    text.split_at(end)
}

fn unescape_clf(text: &str) -> Cow<'_, str> {
    if text.contains('\\') {
        Cow::Owned(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Passes the keys of a line that have a value, with it; returns whether there is one. A word without `=` is not a key.
fn logfmt_pairs<'t>(line: &'t str, take: &mut dyn FnMut(&'t str, Cow<'t, str>)) -> bool {
    let (mut rest, mut found) = (line, false);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let Some(end) = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '"')) else {
            return found;
        };
        let (key, after) = rest.split_at(end);
        let value = after.strip_prefix('=').filter(|_| is_key(key));
        let Some(value) = value else {
            // The rest of the word is no key, and neither is anything in quotes.
            rest = match after.strip_prefix('"') {
                Some(inside) => quoted(inside).map_or("", |(_, rest)| rest),
                None => after.trim_start_matches(|c: char| !c.is_ascii_whitespace() && c != '"'),
            };
            continue;
        };
        found = true;
        match value.strip_prefix('"').and_then(quoted) {
            Some((text, after)) => {
                take(key, unescape_logfmt(text));
                rest = after;
            }
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
                take(key, Cow::Borrowed(&value[..end]));
                rest = &value[end..];
            }
        }
    }
}

fn is_key(key: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || matches!(c, '_' | '@');
    let is_next = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '.' | '-' | '/' | '#' | ':');
    key.starts_with(is_first) && key.chars().all(is_next)
}

/// Go writes such values, with the escapes of JSON; a backslash of another program stays one.
fn unescape_logfmt(text: &str) -> Cow<'_, str> {
    let value = text.contains('\\').then(|| serde_json::from_str(&format!("\"{text}\"")).ok()).flatten();
    value.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The text before the first quote without a backslash, and the text after it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(['"', '\\'])?;
        if text[at..].starts_with('"') {
            return Some((&text[..at], &text[at + 1..]));
        }
        from = at + 1 + text[at + 1..].chars().next()?.len_utf8();
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
