//! Classes of bytes, and numbers, hexadecimal numbers, UUIDs, addresses, and identifiers that are more than a word.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A word of hexadecimal digits with a digit is a number from this length on.
const MIN_NUMBER: usize = 4;

/// One without a digit, from this length on: shorter ones can be words, such as `added`.
const MIN_LETTERS: usize = 7;

/// From this length on it is not shown as a number: one has a letter, but for one in two thousand.
const MIN_HEX: usize = 16;

/// The mask of a whole word that has a digit. `is_hex` says that it has digits and letters from a to f alone.
pub(super) fn whole_word(word: &[u8], is_hex: bool) -> Option<&'static [u8]> {
    if let [b'0', b'x' | b'X', digits @ ..] = word
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        return Some(b"<hex>");
    }
    if is_hex {
        let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        // `512B` is a number with a unit.
        let is_unit = letters == 1 && word.last().is_some_and(u8::is_ascii_uppercase);
        let is_number = word.len() >= MIN_NUMBER && letters > 0 && !is_unit;
        return is_number.then_some(if word.len() >= MIN_HEX { b"<hex>" } else { b"<n>" });
    }
    let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let is_duration = word.iter().all(|byte| byte.is_ascii_digit() || b"dhms".contains(byte));
    (changes >= 4 && !is_duration && !word.contains(&b'_')).then_some(b"<id>")
}

/// The mask of a word of letters from a to f alone.
pub(super) fn hex_letters(word: &[u8]) -> Option<&'static [u8]> {
    (word.len() >= MIN_LETTERS).then_some(if word.len() >= MIN_HEX { b"<hex>" } else { b"<n>" })
}

/// The length of the number at the start of `text`: its fraction, and the parts of a version, belong to it.
pub(super) fn number(text: &[u8]) -> usize {
    let digits =
        |from: usize| text[from.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    while text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        let after = end + 1 + sign + exponent;
        if exponent > 0 && text.get(after).is_none_or(|byte| !is_word(*byte)) {
            return after;
        }
    }
    end
}

/// The length and the mask of the UUID or the address at the start of `text`.
pub(super) fn address(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let word = text.iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match (word, text.get(word)?) {
        (8, b'-') => uuid(text).map(|length| (length, &b"<uuid>"[..])),
        (1..=3, b'.') => ipv4(text).map(|length| (length, &b"<ip>"[..])),
        (2, b':' | b'-') if mac(text).is_some() => mac(text).map(|length| (length, &b"<mac>"[..])),
        (1..=4, b':') => ipv6(text).map(|length| (length, &b"<ip>"[..])),
        _ => None,
    }
}

fn uuid(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 36;
    let is_right = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    let is_uuid = text.len() >= LENGTH && text[..LENGTH].iter().enumerate().all(is_right);
    (is_uuid && text.get(LENGTH).is_none_or(|byte| !is_word(*byte))).then_some(LENGTH)
}

fn ipv4(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    // A stop ends a sentence; five numbers are a version.
    let address = text[..length].strip_suffix(b".").unwrap_or(&text[..length]);
    std::str::from_utf8(address).ok()?.parse::<Ipv4Addr>().ok()?;
    text.get(address.len()).is_none_or(|byte| !is_word(*byte)).then_some(address.len())
}

/// Six pairs of hexadecimal digits.
fn mac(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 17;
    let separator = *text.get(2)?;
    let is_right = |(at, byte): (usize, &u8)| match at % 3 {
        2 => *byte == separator,
        _ => byte.is_ascii_hexdigit(),
    };
    let is_mac = text.len() >= LENGTH && text[..LENGTH].iter().enumerate().all(is_right);
    let is_end = text.get(LENGTH).is_none_or(|byte| !is_word(*byte) && *byte != separator);
    (is_mac && is_end).then_some(LENGTH)
}

/// Up to eight groups with `::` for those that are 0, or eight groups; the name of an interface may follow.
pub(super) fn ipv6(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b':' || **byte == b'.';
    let mut length = text.iter().take(46).take_while(is_part).count();
    // A stop ends a sentence, and a colon what follows it.
    while length > 0
        && (text[length - 1] == b'.' || (text[length - 1] == b':' && !text[..length].ends_with(b"::")))
    {
        length -= 1;
    }
    let address = std::str::from_utf8(&text[..length]).ok().filter(|address| address.len() > 2)?;
    if address.parse::<Ipv6Addr>().is_err() || text.get(length).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let interface = match text.get(length) {
        Some(b'%') => 1 + text[length + 1..].iter().take_while(|byte| is_word(**byte)).count(),
        _ => 0,
    };
    Some(length + interface)
}

/// Bits of the classes of bytes.
pub(super) const WORD: u8 = 1;
pub(super) const DIGIT: u8 = 2;
/// A letter from a to f.
pub(super) const HEX: u8 = 4;
/// Any other letter, `_`, or a byte of a character that is not ASCII.
pub(super) const LETTER: u8 = 8;
pub(super) const BLANK: u8 = 16;
/// A quote, or the beginning of a terminal sequence.
pub(super) const MARK: u8 = 32;

/// A table of them is a third faster than comparisons.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0u8;
    loop {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => WORD | HEX,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => WORD | LETTER,
            b' ' | b'\t' => BLANK,
            b'"' | b'\'' | 0x1b => MARK,
            _ => 0,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

pub(super) fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

pub(super) fn is_word(byte: u8) -> bool {
    class(byte) & WORD != 0
}

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
