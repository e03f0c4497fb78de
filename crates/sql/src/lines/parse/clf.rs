//! The common log format of web servers, and the combined one, which also has the referer and the agent.

use std::borrow::Cow;

use super::quotes::quoted;

/// The names of the values.
pub(super) const NAMES: [&str; 10] =
    ["client", "ident", "user", "method", "path", "protocol", "status", "bytes", "referer", "agent"];

/// How many of them the common log format has.
pub(super) const COMMON: usize = 8;

/// The columns with numbers.
pub(super) const NUMBERS: [&str; 2] = ["status", "bytes"];

/// The values of a record; `None` if it has another form.
pub(super) fn values(text: &str, is_combined: bool) -> Option<Vec<Option<Cow<'_, str>>>> {
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
    let (method, path, protocol) = divided(request);
    let borrowed = [client, ident, user].map(|text| Some(Cow::Borrowed(text)));
    let mut values = Vec::from(borrowed);
    values.extend([method, Some(unescaped(path)), protocol]);
    values.extend([status, bytes].map(|text| Some(Cow::Borrowed(text))));
    if is_combined {
        let (referer, rest) = quoted(rest.strip_prefix(" \"")?)?;
        let (agent, _) = quoted(rest.strip_prefix(" \"")?)?;
        values.extend([referer, agent].map(|text| Some(unescaped(text))));
    }
    let is_known = |value: &Cow<'_, str>| !matches!(&**value, "-" | "");
    Some(values.into_iter().map(|value| value.filter(is_known)).collect())
}

/// A request as method, path and protocol. One that is not HTTP is the path.
fn divided(request: &str) -> (Option<Cow<'_, str>>, &str, Option<Cow<'_, str>>) {
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

fn unescaped(text: &str) -> Cow<'_, str> {
    if text.contains('\\') {
        Cow::Owned(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    } else {
        Cow::Borrowed(text)
    }
}
