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

/// The length of a unit of bytes after a number, with the blank before it: 900 B and 1.2 KB are of one kind.
pub(super) fn unit(after: &[u8]) -> usize {
    let blank = usize::from(after.first() == Some(&b' '));
    let unit = after[blank..].iter().take_while(|byte| is_word(**byte)).count();
    let is_unit = matches!(
        &after[blank..blank + unit],
        b"B" | [b'k' | b'K' | b'M' | b'G' | b'T', b'B'] | [b'K' | b'M' | b'G' | b'T', b'i', b'B']
    );
    if is_unit { blank + unit } else { 0 }
}

/// The length and the mask of the UUID or the address at the start of `text`.
pub(super) fn address(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let word = text.iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match (word, text.get(word)?) {
        (8, b'-') => groups(text, &[8, 4, 4, 4, 12], b'-').map(|length| (length, &b"<uuid>"[..])),
        (1..=3, b'.') => ipv4(text).map(|length| (length, &b"<ip>"[..])),
        (2, separator @ (b':' | b'-')) if groups(text, &[2; 6], *separator).is_some() => Some((17, b"<mac>")),
        (1..=4, b':') => ipv6(text).map(|length| (length, &b"<ip>"[..])),
        _ => None,
    }
}

fn ipv4(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    // A stop ends a sentence; five numbers are a version.
    let address = text[..length].strip_suffix(b".").unwrap_or(&text[..length]);
    std::str::from_utf8(address).ok()?.parse::<Ipv4Addr>().ok()?;
    text.get(address.len()).is_none_or(|byte| !is_word(*byte)).then_some(address.len())
}

/// The length of hexadecimal digits in groups of these sizes.
fn groups(text: &[u8], sizes: &[usize], separator: u8) -> Option<usize> {
    let mut rest = text;
    for (nth, size) in sizes.iter().enumerate() {
        rest = if nth > 0 { rest.strip_prefix(&[separator])? } else { rest };
        let (group, after) = rest.split_at_checked(*size)?;
        rest = group.iter().all(u8::is_ascii_hexdigit).then_some(after)?;
    }
    let is_end = rest.first().is_none_or(|byte| !is_word(*byte) && (*byte != separator || sizes.len() < 6));
    is_end.then_some(text.len() - rest.len())
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

/// A token is at least so long.
const MIN_TOKEN: usize = 14;

/// Words after which `=` and the name of a user follow.
const USER_KEYS: [&[u8]; 5] = [b"user", b"username", b"login", b"account", b"uname"];

/// Words before `for` and before `user` after which the name of a user follows: other words follow in `user removed from`.
const BEFORE_FOR: [&[u8]; 3] = [b"password", b"publickey", b"failures"];
const BEFORE_USER: [&[u8]; 6] = [b"invalid", b"illegal", b"unknown", b"for", b"by", b"of"];

/// The length of the token that begins with the word from `at` to `stop` of `line`, and its mask. It ends before `end`.
pub(super) fn token(line: &[u8], at: usize, stop: usize, end: usize) -> Option<(usize, &'static [u8])> {
    let text = &line[at..end];
    if at > 0 && matches!(line[at - 1], b'-' | b'.' | b'/') && !line[..at].ends_with(b"//") {
        return None;
    }
    // Most words stand alone, and every word of every line comes here.
    let is_joined = matches!(line[stop..end].first(), Some(b'-' | b'.' | b'+' | b'%' | b'@'));
    if is_joined && let Some(found) = mail_or_host(text) {
        return Some(found);
    }
    if let Some(length) = (is_joined || stop - at >= MIN_TOKEN).then(|| random(text)).flatten() {
        return Some((length, b"<id>"));
    }
    let is_key = line[..at].ends_with(b"=");
    let is_user = || {
        let (before, word) =
            last_word(line[..at].strip_suffix(if is_key { b"=" } else { b" " }).unwrap_or_default());
        let has = |words: &[&[u8]], word: &[u8]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        let has_before =
            |words: &[&[u8]]| has(words, last_word(before.strip_suffix(b" ").unwrap_or_default()).1);
        match is_key {
            true => has(&USER_KEYS, word),
            false if word.eq_ignore_ascii_case(b"for") => has_before(&BEFORE_FOR[..]),
            false => word.eq_ignore_ascii_case(b"user") && has_before(&BEFORE_USER[..]),
        }
    };
    let is_part = |byte: &&u8| is_word(**byte) || matches!(byte, b'-' | b'.' | b'$');
    let name = &line[at..stop + line[stop..end].iter().take_while(is_part).count()];
    let name = name.strip_suffix(b".").unwrap_or(name);
    // In text, words follow that are not names: `for user accounts`.
    let after = &text[name.len()..];
    let is_named = !name.is_empty()
        && (is_key
            || after.is_empty()
            || [&b" from "[..], b" by ", b" ["].iter().any(|it| after.starts_with(it)));
    (is_named && !(is_key && name.iter().all(u8::is_ascii_digit)) && is_user())
        .then_some((name.len(), b"<user>"))
}

/// The text before the word at the end of `text`, and that word.
pub(super) fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1))
}

/// The address of mail, or else the name of a host, at the start of `text`, and its mask.
fn mail_or_host(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let is_part = |byte: &&u8| is_word(**byte) || matches!(byte, b'-' | b'.' | b'+' | b'%' | b'@');
    let part = &text[..text.iter().take_while(is_part).count()];
    let mail = email(part).map(|length| (length, &b"<email>"[..]));
    mail.or_else(|| Some((host(text)?, b"<host>")))
}

/// The name of a host at the start of `text`: a domain that is in general use, or three parts and a country.
fn host(text: &[u8]) -> Option<usize> {
    const IN_USE: &str = "com net org edu gov";
    const INSIDE: &str = "io dev app info int mil arpa local internal lan localdomain";
    // Files and methods have such ends, too.
    const NO_COUNTRIES: &str = "py js ts rs go sh md cc so rb pl cs kt hs ml ps id in is to at db gz xz";
    let name = domain(text);
    let (before, top) = name.split_at(memchr::memrchr(b'.', name)?);
    let top = &top[1..];
    let has_three = memchr::memchr(b'.', before).is_some();
    if matches!(text.get(name.len()), Some(b'(' | b'_' | b'@'))
        || before.split(|byte| *byte == b'.').any(<[u8]>::is_empty)
    {
        return None;
    }
    let is_one_of = |list: &str| list.split(' ').any(|known| known.as_bytes() == top);
    let is_country = top.len() == 2 && top.iter().all(u8::is_ascii_lowercase) && !is_one_of(NO_COUNTRIES);
    let is_host = is_one_of(IN_USE) || has_three && (is_country || is_one_of(INSIDE));
    is_host.then_some(name.len())
}

/// The method of `text`, if it is the request of an access log.
pub(super) fn method(text: &[u8]) -> Option<&[u8]> {
    let method = text.split(|byte| *byte == b' ').next()?;
    let target = text.get(method.len() + 1)?;
    let is_method = matches!(
        method,
        b"GET" | b"POST" | b"PUT" | b"DELETE" | b"HEAD" | b"PATCH" | b"OPTIONS" | b"CONNECT" | b"PROPFIND"
    );
    (is_method && matches!(target, b'/' | b'h' | b'*')).then_some(method)
}

/// `name@example.org`.
fn email(text: &[u8]) -> Option<usize> {
    let sign = text.iter().position(|byte| *byte == b'@').filter(|sign| *sign > 0)?;
    let domain = domain(&text[sign + 1..]);
    let dot = domain.iter().rposition(|byte| *byte == b'.')?;
    let top = &domain[dot + 1..];
    (dot > 0 && top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic)).then_some(sign + 1 + domain.len())
}

/// Letters, digits, dashes and stops; one that ends a sentence is left out.
fn domain(text: &[u8]) -> &[u8] {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let domain = &text[..text.iter().take_while(is_part).count()];
    domain.strip_suffix(b".").unwrap_or(domain)
}

/// The length of a token at the start of `text`: a JWT, base64, or a word of letters of both cases and digits without order.
fn random(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+');
    let part = |from: usize| text[from..].iter().take_while(is_part).count();
    let first = part(0);
    if text.starts_with(b"eyJ") && text.get(first) == Some(&b'.') {
        let second = first + 1 + part(first + 1);
        let third = if text.get(second) == Some(&b'.') { second + 1 + part(second + 1) } else { second };
        return Some(third);
    }
    if first < MIN_TOKEN {
        return None;
    }
    let (token, rest) = text.split_at(first);
    let padding = rest.iter().take_while(|byte| **byte == b'=').count();
    let padding = if rest.get(padding).is_none_or(|byte| !is_word(*byte)) { padding } else { 0 };
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let has = |wanted: u8| token.iter().any(|byte| class(*byte) == wanted);
    // A capital before a small letter begins a word, as in `GetHttpResponse2`.
    let is_change = |pair: &&[u8]| {
        let (before, after) = (class(pair[0]), class(pair[1]));
        before != after && (before, after) != (1, 2)
    };
    let changes = token.windows(2).filter(is_change).count();
    let is_random = has(0) && has(1) && has(2) && changes * 100 >= first * 27;
    is_random.then_some(first + padding)
}
