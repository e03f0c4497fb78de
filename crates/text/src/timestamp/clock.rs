//! The time of day and what belongs to it: the fraction, the mark of a 12-hour clock, the zone.
//!
//! Whatever stands beside a time and looks like a part of it is read, or the whole is not a time: a time that is read in
//! part is in the wrong place of a window, and nobody notices.

use super::cursor::{Cursor, blanks, digits, pair};

/// A comment after an offset, such as `(Central European Summer Time)`, is no longer.
const MAX_COMMENT: usize = 60;

/// Marks that stand before the clock, of the morning and of the afternoon.
const MARKS_BEFORE: [[&str; 2]; 5] =
    [["AM", "PM"], ["am", "pm"], ["上午", "下午"], ["午前", "午後"], ["오전", "오후"]];

impl<'a> Cursor<'a> {
    /// The hour before a colon, and what follows it.
    #[inline]
    fn hour(&self) -> Option<(i8, &'a [u8])> {
        Some(match self.rest {
            [a, b, b':', rest @ ..] => (pair(*a, *b)?, rest),
            [a, b':', rest @ ..] => (pair(b'0', *a)?, rest),
            _ => return None,
        })
    }

    /// `6:26:04` or `06:26:04`. A leap second is the second before it, as in jiff.
    #[inline]
    pub(super) fn time(&mut self) -> Option<()> {
        let (hour, rest) = self.hour()?;
        let ([a, b, b':', c, d], rest) = rest.split_first_chunk()? else { return None };
        let (minute, second) = (pair(*a, *b)?, pair(*c, *d)?);
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        (self.fields.hour, self.fields.minute, self.fields.second) = (hour, minute, second.min(59));
        self.rest = rest;
        Some(())
    }

    /// `6:26`, where no second follows.
    pub(super) fn hour_and_minute(&mut self) -> Option<()> {
        let (hour, rest) = self.hour()?;
        let ([a, b], rest) = rest.split_first_chunk()?;
        let minute = pair(*a, *b)?;
        if hour > 23 || minute > 59 || matches!(rest, [b':' | b'.' | b',', b'0'..=b'9', ..]) {
            return None;
        }
        (self.fields.hour, self.fields.minute, self.rest) = (hour, minute, rest);
        Some(())
    }

    /// The parts that may follow the clock, in the order in which programs write it.
    #[inline]
    pub(super) fn tail(&mut self) -> Option<()> {
        match self.rest {
            [b'.' | b',', ..] => self.fields.nanosecond = self.fraction(b".,").unwrap_or(0),
            // Other numbers of digits are another column, or frames.
            [b':', b'0'..=b'9', ..] => {
                if !matches!(digits(&self.rest[1..]), 3 | 6 | 9) {
                    return None;
                }
                self.fields.nanosecond = self.fraction(b":")?;
            }
            _ => {}
        }
        match self.rest.first() {
            None | Some(b'"' | b']' | b'|' | b';' | b',' | b'.' | b':' | b'}' | b'\r' | b'\n') => Some(()),
            Some(b'Z') if !self.rest.get(1).is_some_and(u8::is_ascii_alphanumeric) => {
                (self.fields.offset, self.rest) = (Some(0), &self.rest[1..]);
                Some(())
            }
            _ => {
                self.mark()?;
                self.zone()
            }
        }
    }

    /// AM and PM in any spelling: `AM`, `p.m.`, `a. m.`, `_PM`, `(PM)`; directly after the clock also `a` and `p`. Nothing
    /// else is read.
    fn mark(&mut self) -> Option<()> {
        if let [b'_' | b'-', letter @ (b'A' | b'P'), b'M', rest @ ..]
        | [b'(', letter @ (b'A' | b'P'), b'M', b')', rest @ ..] = blanks(self.rest)
            && ends_word(rest)
        {
            self.rest = rest;
            return self.set_mark(*letter == b'P');
        }
        let after_blanks = blanks(self.rest);
        let is_attached = after_blanks.len() == self.rest.len();
        let Some((letter @ (b'A' | b'a' | b'P' | b'p'), rest)) = after_blanks.split_first() else {
            return Some(());
        };
        let (dotted, rest) = match rest.strip_prefix(b".") {
            Some(rest) => (true, if rest.first() == Some(&b' ') { &rest[1..] } else { rest }),
            None => (false, rest),
        };
        let rest = match rest {
            [b'M' | b'm', b'.', rest @ ..] if dotted => rest,
            [b'M' | b'm', rest @ ..] => rest,
            _ if is_attached && !dotted => rest,
            _ => return Some(()),
        };
        if rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return Some(());
        }
        self.rest = rest;
        self.set_mark(letter.eq_ignore_ascii_case(&b'p'))
    }

    /// A clock of 24 hours with a mark that contradicts it is not a time.
    pub(super) fn set_mark(&mut self, is_afternoon: bool) -> Option<()> {
        self.fields.is_afternoon = Some(is_afternoon);
        let hour = self.fields.hour;
        self.fields.hour = match (is_afternoon, hour) {
            (false, 12) => 0,
            (false, 13..) => return None,
            (true, 0..12) => hour + 12,
            _ => hour,
        };
        Some(())
    }

    /// A mark before the clock, as in Chinese, Japanese and Korean.
    pub(super) fn mark_before(&mut self) -> Option<bool> {
        let mut marks = MARKS_BEFORE.into_iter().flat_map(|marks| marks.into_iter().zip([false, true]));
        let (mark, is_afternoon) = marks.find(|(mark, _)| self.rest.starts_with(mark.as_bytes()))?;
        let after = Some(blanks(&self.rest[mark.len()..]));
        self.rest = after.filter(|after| after.first().is_some_and(u8::is_ascii_digit))?;
        Some(is_afternoon)
    }

    /// `Z`, `+0100`, `+01:00`, `UTC+2`, `GMT-0800 (PST)`, `CET`, `Europe/Berlin`, `[Europe/Berlin]`; other text stays
    /// unread.
    pub(super) fn zone(&mut self) -> Option<()> {
        let rest = blanks(self.rest);
        let is_attached = rest.len() == self.rest.len();
        match rest {
            [b'Z' | b'z', after @ ..] if (is_attached || rest[0] == b'Z') && ends_word(after) => {
                (self.fields.offset, self.rest) = (Some(0), after);
            }
            _ if is_signed(rest) => {
                match offset(rest).filter(|(_, after)| ends_offset(after)) {
                    // A message may begin with a number: only offsets that a zone has count.
                    Some((seconds, after)) if is_attached || is_of_zone(seconds, rest, after) => {
                        (self.fields.offset, self.rest) = (Some(seconds), after);
                    }
                    _ if is_attached => return None,
                    _ => return Some(()),
                }
            }
            [b'(' | b'[', inner @ ..] => return self.bracketed_zone(rest[0], inner),
            [byte, ..] if byte.is_ascii_alphabetic() => return self.named_zone(rest),
            _ => return Some(()),
        }
        self.comment();
        Some(())
    }

    /// A zone in brackets, without an offset before it: `(CET)`, `[UTC]`, `(GMT+1)`, `[+0100]`, `[Europe/Berlin]`.
    fn bracketed_zone(&mut self, bracket: u8, inner: &'a [u8]) -> Option<()> {
        let close = if bracket == b'(' { b')' } else { b']' };
        let end = inner.iter().take(MAX_COMMENT).position(|byte| *byte == close);
        let Some((text, after)) = end.and_then(|end| Some((&inner[..end], inner.get(end + 1..)?))) else {
            return Some(());
        };
        // A name or number in brackets is often that of a thread.
        let length = letters(text);
        let is_zone = match text.split_at_checked(length)? {
            (name, b"") => is_frequent(name),
            (b"", number) if is_signed(number) => is_whole_offset(number),
            (name, number) if is_signed(number) => meaning(name) == Some(Meaning::Offset(0)),
            _ => region(text) == Some(text.len()),
        };
        let mut zone = Cursor { rest: text, fields: self.fields, mark: None };
        if is_zone && zone.zone().is_some() && zone.rest.is_empty() {
            (self.fields, self.rest) = (zone.fields, after);
        }
        Some(())
    }

    /// A zone that begins with a name, which may have an offset.
    fn named_zone(&mut self, text: &'a [u8]) -> Option<()> {
        let length = letters(text);
        let (name, after) = text.split_at_checked(length)?;
        let Some(meaning) = meaning(name) else {
            if let Some(length) = region(text) {
                self.rest = &text[length..];
                self.set_name(&text[..length]);
            }
            return Some(());
        };
        if is_signed(after) {
            let (seconds, after) = offset(after).filter(|(_, after)| ends_offset(after))?;
            (self.fields.offset, self.rest) = (Some(seconds), after);
            self.comment();
            return Some(());
        }
        if !ends_word(after) {
            return Some(());
        }
        self.rest = after;
        let beside = after.strip_prefix(b" ").filter(|_| meaning == Meaning::Offset(0)).unwrap_or_default();
        let is_zone =
            |(seconds, after): &(i32, &[u8])| ends_offset(after) && is_of_zone(*seconds, beside, after);
        match offset(beside).filter(is_zone) {
            Some((seconds, after)) => (self.fields.offset, self.rest) = (Some(seconds), after),
            None => self.set_name(name),
        }
        self.comment();
        Some(())
    }

    fn set_name(&mut self, name: &'a [u8]) {
        match meaning(name) {
            // A zone may mean the time of its summer by WET.
            Some(Meaning::Offset(0)) if !name.eq_ignore_ascii_case(b"WET") => self.fields.offset = Some(0),
            _ => self.fields.zone = Some(name),
        }
    }

    /// Passes a text that says the zone again after its offset: `(CEST)`, `UTC`, `[Europe/Berlin]`.
    fn comment(&mut self) {
        let rest = self.rest;
        let end = match rest {
            [b' ', b'(', inner @ ..] if self.fields.offset.is_some() => {
                let length = inner
                    .iter()
                    .take(MAX_COMMENT)
                    .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b' ');
                Some(2 + length.count()).filter(|end| rest.get(*end) == Some(&b')')).map(|end| end + 1)
            }
            [b'[', inner @ ..] => region(inner)
                .map(|length| length + 1)
                .filter(|end| rest.get(*end) == Some(&b']'))
                .map(|end| end + 1),
            [b' ', b'A'..=b'Z', ..] if self.fields.offset.is_some() => {
                let end = 1 + letters(&rest[1..]);
                Some(end).filter(|end| meaning(&rest[1..*end]).is_some() && ends_word(&rest[*end..]))
            }
            _ => None,
        };
        if let Some(after) = end.and_then(|end| rest.get(end..)) {
            self.rest = after;
        }
    }
}

/// The length of the word at the beginning, which may be the abbreviation of a zone.
fn letters(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()
}

/// Whether a word ends here; before `=`, it is the name of a value.
fn ends_word(text: &[u8]) -> bool {
    !text.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'='))
}

fn ends_offset(text: &[u8]) -> bool {
    ends_word(text) && !matches!(text, [b':' | b'.', b'0'..=b'9', ..])
}

/// Whether a number after a blank is an offset: two digits at least, in quarters of an hour, of today's zones.
fn is_of_zone(seconds: i32, text: &[u8], after: &[u8]) -> bool {
    text.len() - after.len() >= 3 && seconds % 900 == 0 && seconds.abs() <= 14 * 3600
}

/// Also the minus of Unicode, and the plus that .NET escapes in JSON.
fn sign(text: &[u8]) -> Option<(i32, &[u8])> {
    match text {
        [b'+', rest @ ..] | [b'\\', b'u', b'0', b'0', b'2', b'B' | b'b', rest @ ..] => Some((1, rest)),
        [b'-', rest @ ..] | [0xE2, 0x88, 0x92, rest @ ..] => Some((-1, rest)),
        _ => None,
    }
}

fn is_signed(text: &[u8]) -> bool {
    sign(text).is_some_and(|(_, rest)| rest.first().is_some_and(u8::is_ascii_digit))
}

/// Whether the text is an offset with minutes.
fn is_whole_offset(text: &[u8]) -> bool {
    text.len() >= b"+0100".len()
        && offset(text).is_some_and(|(seconds, after)| after.is_empty() && is_of_zone(seconds, text, after))
}

/// An offset with a sign in seconds, and the text after it: `+2`, `+02`, `+2:00`, `+02:00`, `+0200`.
fn offset(text: &[u8]) -> Option<(i32, &[u8])> {
    let (sign, rest) = sign(text)?;
    let (hours, minutes, rest) = match (digits(rest), rest) {
        (1, [a, b':', c, d, rest @ ..]) if c.is_ascii_digit() => (pair(b'0', *a)?, pair(*c, *d)?, rest),
        (2, [a, b, b':', c, d, rest @ ..]) if c.is_ascii_digit() => (pair(*a, *b)?, pair(*c, *d)?, rest),
        (4, [a, b, c, d, rest @ ..]) => (pair(*a, *b)?, pair(*c, *d)?, rest),
        (2, [a, b, rest @ ..]) => (pair(*a, *b)?, 0, rest),
        (1, [a, rest @ ..]) => (pair(b'0', *a)?, 0, rest),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some((sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60), rest))
}

/// The meaning of an abbreviation without knowing where the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds east of UTC.
    Offset(i32),
    /// Zones with different offsets use it today.
    Several,
}

/// Abbreviations with one meaning, after their minutes east of UTC: those of the time zone database that one offset has
/// and those of RFC 2822, which are read in any case; then those that Java, lnav and s4 know, which are rare and words of messages
/// in small letters. Words of programs are none: `GET` of Georgia, `LINT`, `BOT`, `SBT`.
pub static ABBREVIATIONS: &[(i32, &str, &str)] = &[
    (0, "UTC GMT UT WET", "EGST"),
    (60, "WEST BST CET WAT MET MEZ", "DFT"),
    (120, "CEST MEST MESZ EET SAST CAT", "HAEC"),
    (180, "EEST MSK EAT IDT", "TRT SYOT"),
    (210, "", "IRST"),
    (240, "", "AZT SAMT MSD"),
    (270, "", "AFT IRDT"),
    (300, "PKT", "AQTT HMT MAWT MVT ORAT TJT TMT UZT YEKT ALMT QYZT"),
    (330, "", "SLST"),
    (345, "", "NPT"),
    (360, "", "BTT KGT OMST VOST PKST YEKST BIOT"),
    (390, "", "MMT CCT"),
    (420, "WIB ICT", "DAVT HOVT KRAT NOVT OMSST"),
    (480, "HKT AWST SGT MYT WITA", "CHOT IRKT PHT PHST ULAT BNT KRAST HKST HOVST"),
    (525, "", "ACWST CWST"),
    (540, "JST KST WIT", "TLT YAKT IRKST PWT ULAST CHOST"),
    (570, "ACST", ""),
    (600, "AEST", "CHST CHUT DDUT PGT VLAT YAKST"),
    (630, "ACDT", "LHST"),
    (660, "AEDT", "LHDT KOST NCT SAKT SRET VUT VLAST"),
    (720, "NZST", "ANAT FJT MHT MAGT PETT TVT WAKT WFT NRT"),
    (765, "", "CHAST"),
    (780, "NZDT", "PHOT FJST"),
    (825, "", "CHADT"),
    (-60, "", "AZOT EGT"),
    (-120, "", "BRST UYST PMDT WGST"),
    (-150, "NDT", ""),
    (-180, "ADT BRT", "ART CLST FKST GFT PMST PYST ROTT UYT WGT"),
    (-210, "NST", ""),
    (-240, "AST EDT", "CLT FKT GYT PYT VET"),
    (-300, "EST", "COT PET EASST"),
    (-360, "MDT", "GALT"),
    (-420, "MST PDT", ""),
    (-480, "PST AKDT", ""),
    (-540, "AKST HDT", "GAMT HADT"),
    (-600, "HST", "CKT TAHT"),
    (-660, "SST", ""),
];

/// Frequent abbreviations that are words of messages in small letters.
const WORDS: &str = "cat eat met wat wet wit";

/// China, Cuba and Chicago; India, Israel and Ireland.
const SEVERAL: &str = "CST CDT IST";

/// The continents, oceans and countries of names such as `Europe/Berlin`.
const REGIONS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile \
    Etc Europe Indian Mexico Pacific US";

/// The meaning of an abbreviation; `None` if it is another word.
pub(super) fn meaning(name: &[u8]) -> Option<Meaning> {
    // Most words after a time are levels, and end with other letters.
    if !(2..=5).contains(&name.len())
        || !matches!(name.last()?.to_ascii_lowercase(), b't' | b'c' | b'd' | b'k' | b'z' | b'b' | b'a')
    {
        return None;
    }
    if name.iter().any(u8::is_ascii_lowercase) && has(WORDS, name) {
        return None;
    }
    let is_meant = |(_, any, rare): &&(i32, &str, &str)| {
        has(any, name) || rare.split(' ').any(|known| known.as_bytes() == name)
    };
    let one = ABBREVIATIONS.iter().find(is_meant).map(|(minutes, ..)| Meaning::Offset(minutes * 60));
    one.or_else(|| has(SEVERAL, name).then_some(Meaning::Several))
}

/// Whether it may stand in brackets, where names of threads and levels are too.
pub(super) fn is_frequent(name: &[u8]) -> bool {
    meaning(name).is_some() && (has(SEVERAL, name) || ABBREVIATIONS.iter().any(|(_, any, _)| has(any, name)))
}

fn has(names: &str, name: &[u8]) -> bool {
    names.split(' ').any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The length of the name of a zone, such as `Europe/Berlin`, at the beginning of `text`.
pub(super) fn region(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-+".contains(byte);
    let length = text.iter().take_while(|byte| is_of_name(byte)).count();
    let slash = text[..length].iter().position(|byte| *byte == b'/')?;
    let is_known = REGIONS.split(' ').any(|region| region.as_bytes() == &text[..slash]);
    (is_known && slash + 1 < length).then_some(length)
}
