//! Walks through a JSON object once: checks it, and finds the values of its members.
//!
//! The slower parser reads unusual records, such as those with an escape in a name, and words the errors.

/// Lists and objects deeper than this are left to the other parser.
const DEPTH: usize = 64;

/// The name of a member.
pub(super) enum Name<'t, P> {
    /// The value of `expected`.
    Expected(P),
    Other(&'t str),
}

/// Passes the names and the values of the members of `json`. `None` if it is not an object of plain names, or if `take`
/// returns it.
///
/// Before each member, `expected` gets the text from its name on: if a known name is next, it returns the length of the name
/// with its quotes and colon, so that one comparison replaces the search for its end.
pub(super) fn each_member<'t, P>(
    json: &'t str,
    expected: impl Fn(&[u8]) -> Option<(usize, P)>,
    mut take: impl FnMut(Name<'t, P>, &'t str) -> Option<()>,
) -> Option<()> {
    let text = json.as_bytes();
    let mut at = blanks(text, 0);
    if text.get(at) != Some(&b'{') {
        return None;
    }
    at = blanks(text, at + 1);
    if text.get(at) == Some(&b'}') {
        return is_end(text, at + 1);
    }
    loop {
        let (name, start) = match expected(text.get(at..)?) {
            Some((length, name)) => (Name::Expected(name), at + length),
            None => {
                let (name, colon) = name(json, at)?;
                (Name::Other(name), colon + 1)
            }
        };
        let start = blanks(text, start);
        let end = value_end(text, start, 0)?;
        take(name, json.get(start..end)?)?;
        at = blanks(text, end);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b'}' => return is_end(text, at + 1),
            _ => return None,
        }
    }
}

/// The name that begins at `at`, and the place of the colon after it.
fn name(json: &str, at: usize) -> Option<(&str, usize)> {
    let text = json.as_bytes();
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let end = string_end(text, at + 1)?;
    let name = json.get(at + 1..end - 1)?;
    let colon = blanks(text, end);
    let is_plain = memchr::memchr(b'\\', name.as_bytes()).is_none();
    (is_plain && text.get(colon) == Some(&b':')).then_some((name, colon))
}

/// A name with its quotes and colon, as programs write it; `None` if it has an escape.
pub(super) fn key(name: &str) -> Option<Box<[u8]>> {
    let is_plain = name.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\');
    is_plain.then(|| format!("\"{name}\":").into_bytes().into())
}

fn is_end(text: &[u8], at: usize) -> Option<()> {
    (blanks(text, at) == text.len()).then_some(())
}

#[inline]
fn blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// The end of the value that begins at `at` (RFC 8259).
fn value_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    match text.get(at)? {
        b'"' => string_end(text, at + 1),
        b'-' | b'0'..=b'9' => number_end(text, at),
        b't' => word_end(text, at, b"true"),
        b'f' => word_end(text, at, b"false"),
        b'n' => word_end(text, at, b"null"),
        b'{' if depth < DEPTH => object_end(text, at + 1, depth),
        b'[' if depth < DEPTH => list_end(text, at + 1, depth),
        _ => None,
    }
}

fn word_end(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(word).then_some(at + word.len())
}

/// The end of a string after its first quote.
#[inline]
fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        // Eight plain bytes at a time.
        while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let special = special(u64::from_le_bytes(*word));
            at += (special.trailing_zeros() / 8) as usize;
            if special != 0 {
                break;
            }
        }
        let byte = *text.get(at)?;
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                at = match text.get(at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at + 2,
                    b'u' => {
                        let digits = text.get(at + 2..at + 6)?;
                        // Surrogates must come in pairs.
                        let is_surrogate =
                            matches!(digits, [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
                        if is_surrogate || !digits.iter().all(u8::is_ascii_hexdigit) {
                            return None;
                        }
                        at + 6
                    }
                    _ => return None,
                };
            }
            ..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// Sets the highest bit of the first byte that is a quote, a backslash or below a blank; bits after it mean nothing.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let below = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | below) & HIGH
}

fn number_end(text: &[u8], at: usize) -> Option<usize> {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = at + usize::from(text.get(at) == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && text.get(at) == Some(&b'0') {
        return None;
    }
    at += whole;
    if text.get(at) == Some(&b'.') {
        let decimals = digits(at + 1);
        if decimals == 0 {
            return None;
        }
        at += 1 + decimals;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = if at <= text.len() { digits(at) } else { 0 };
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

fn object_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    let mut at = blanks(text, at);
    if text.get(at) == Some(&b'}') {
        return Some(at + 1);
    }
    loop {
        if text.get(at) != Some(&b'"') {
            return None;
        }
        at = blanks(text, string_end(text, at + 1)?);
        if text.get(at) != Some(&b':') {
            return None;
        }
        at = blanks(text, value_end(text, blanks(text, at + 1), depth + 1)?);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn list_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    let mut at = blanks(text, at);
    if text.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        at = blanks(text, value_end(text, at, depth + 1)?);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_accepts_is_what_serde_accepts() {
        let texts = [
            "{}",
            " {\"a\":1}\r",
            "{\"a\":[1,-2.5e+3,{\"b\":null}],\"c\":\"x\\\"y\"}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":1e}",
            "{\"a\":-}",
            "{\"a\":1,}",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1} x",
            "{\"a\":tru}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":\"12345678\t\"}",
            "{\"a\":\"12345678901234567890",
            "[1]",
            "1",
            "",
            "{\"a\":[1,]}",
            "{\"a\":{\"b\":1,}}",
            "{\"a\":{}  ,  \"b\" : [ ] }",
            "{\"\\u0061\":1}",
            "{\"a\":\"\u{7f}ż日\"}",
            "{\"a\":1e5,\"b\":0,\"c\":-0.0}",
            "{\"a\":truefalse}",
            "{\"a\":1 2}",
        ];
        for text in texts {
            let (mut found, keys) = (Vec::new(), [key("a"), key("b"), key("c")]);
            let expected = |text: &[u8]| {
                let key = keys.iter().flatten().find(|key| text.starts_with(key))?;
                Some((key.len(), char::from(key[1]).to_string()))
            };
            let accepted = each_member(text, expected, |name, value| {
                let name = match name {
                    Name::Expected(name) => name,
                    Name::Other(name) => name.to_owned(),
                };
                found.push((name, serde_json::from_str::<serde_json::Value>(value).ok()?));
                Some(())
            });
            let serde = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
            let expected = serde.ok().map(|map| map.into_iter().collect::<Vec<_>>());
            match accepted {
                Some(()) => assert_eq!(Some(found), expected, "{text}"),
                // Names with escapes are left to the other parser.
                None => assert!(expected.is_none() || text.contains("\"\\u0061\""), "{text}"),
            }
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        assert_eq!(each_member(&deep, |_| None::<(usize, ())>, |_, _| Some(())), None);
        assert_eq!(key("a\"b"), None);
    }
}
