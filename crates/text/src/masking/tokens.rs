//! Identifiers that are more than a word: e-mail addresses, tokens, the ends of names of pods, and names of users.

use super::ids::is_word;

/// The letters and digits of which Kubernetes makes the ends of names.
const POD: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// A token is at least so long.
const MIN_TOKEN: usize = 14;

/// Words after which `=` and the name of a user follow.
const USER_KEYS: [&[u8]; 5] = [b"user", b"username", b"login", b"account", b"uname"];

/// Words of text after which the name of a user follows. After `user` alone other words do, too: `user removed from`.
const BEFORE_USERS: [&[u8]; 8] = [
    b"password for",
    b"publickey for",
    b"invalid user",
    b"illegal user",
    b"unknown user",
    b"for user",
    b"by user",
    b"of user",
];

/// The token that begins with the word at `at` of `line`: where it begins and ends, and its mask. It begins at `kept`
/// at the earliest, and ends before `end`.
pub(super) fn token(
    line: &[u8],
    kept: usize,
    at: usize,
    end: usize,
) -> Option<(usize, usize, &'static [u8])> {
    let text = &line[at..end];
    let part = text
        .iter()
        .take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.' | b'+' | b'%' | b'@'))
        .count();
    if at > 0 && matches!(line[at - 1], b'-' | b'.' | b'/') {
        return pod_end(line, kept, at, end);
    }
    if let Some(length) = email(&text[..part]) {
        return Some((at, at + length, b"<email>"));
    }
    if let Some(length) = random(text) {
        return Some((at, at + length, b"<id>"));
    }
    let before = &line[..at];
    let is_key = before.ends_with(b"=");
    let is_user = || {
        let keys = if is_key { &USER_KEYS[..] } else { &BEFORE_USERS };
        let before = before.strip_suffix(if is_key { b"=" } else { b" " }).unwrap_or_default();
        keys.iter().any(|key| {
            let start = before.len().checked_sub(key.len());
            start.is_some_and(|start| {
                before[start..].eq_ignore_ascii_case(key) && (start == 0 || !is_word(before[start - 1]))
            })
        })
    };
    let length = text.iter().take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.' | b'$')).count();
    let name = text[..length].strip_suffix(b".").unwrap_or(&text[..length]);
    // In text, words follow that are not names: `for user accounts`.
    let is_named =
        is_key || [&b" from "[..], b" by "].iter().any(|after| text[name.len()..].starts_with(after));
    (is_named && !name.iter().all(u8::is_ascii_digit) && is_user())
        .then(|| (at, at + name.len(), &b"<user>"[..]))
}

/// The method of `text`, if it is the request of an access log.
pub(super) fn method(text: &[u8]) -> Option<&[u8]> {
    const METHODS: [&[u8]; 9] =
        [b"GET", b"POST", b"PUT", b"DELETE", b"HEAD", b"PATCH", b"OPTIONS", b"CONNECT", b"PROPFIND"];
    let method = text.split(|byte| *byte == b' ').next()?;
    let target = text.get(method.len() + 1)?;
    (METHODS.contains(&method) && matches!(target, b'/' | b'h' | b'*')).then_some(method)
}

/// `name@example.org`.
fn email(text: &[u8]) -> Option<usize> {
    let sign = text.iter().position(|byte| *byte == b'@').filter(|sign| *sign > 0)?;
    let domain = text[sign + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        .count();
    let domain =
        text[sign + 1..sign + 1 + domain].strip_suffix(b".").unwrap_or(&text[sign + 1..sign + 1 + domain]);
    let dot = domain.iter().rposition(|byte| *byte == b'.')?;
    let top = &domain[dot + 1..];
    (dot > 0 && top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic)).then_some(sign + 1 + domain.len())
}

/// The last one or two parts of the name of a pod: `-7d4b9c6f5-x2x9z`.
fn pod_end(line: &[u8], kept: usize, at: usize, end: usize) -> Option<(usize, usize, &'static [u8])> {
    let part = |from: usize| line[from..end].iter().take_while(|byte| POD.contains(byte)).count();
    let (first, is_dashed) = (part(at), line[at - 1] == b'-');
    let dash = at + first;
    let second = if line.get(dash) == Some(&b'-') { part(dash + 1) } else { 0 };
    let stop = dash + 1 + second;
    let is_end = line.get(stop).is_none_or(|byte| !is_word(*byte) && *byte != b'-') || stop >= end;
    let is_pod = is_dashed && at > kept && (8..=10).contains(&first) && second == 5 && is_end;
    is_pod.then_some((at, stop, b"<id>"))
}

/// The length of a token at the start of `text`: a JWT, base64, or a word of letters of both cases and digits without order.
fn random(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let part = |from: usize| text[from..].iter().take_while(is_part).count();
    let first = part(0);
    if text.starts_with(b"eyJ") && text.get(first) == Some(&b'.') {
        let second = first + 1 + part(first + 1);
        let third = if text.get(second) == Some(&b'.') { second + 1 + part(second + 1) } else { second };
        return Some(third);
    }
    let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let plain = text.iter().take_while(is_base64).count();
    let padding = text[plain..].iter().take(2).take_while(|byte| **byte == b'=').count();
    let length = if padding > 0 || plain > first { plain } else { first };
    if length < MIN_TOKEN || length > first && length < 20 {
        return None;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let token = &text[..length];
    let has = |wanted: u8| token.iter().any(|byte| class(*byte) == wanted);
    // A capital before a small letter begins a word, as in `GetHttpResponse2`.
    let is_change = |pair: &&[u8]| {
        let (before, after) = (class(pair[0]), class(pair[1]));
        before != after && (before, after) != (1, 2)
    };
    let changes = token.windows(2).filter(is_change).count();
    (has(0) && has(1) && has(2) && changes * 100 >= length * 27).then_some(length + padding)
}
