//! Times of lines that pass once, such as those of a log that grows: where a window begins and where it ends.

use std::ops::Range;

use jiff::tz::TimeZone;

use super::lines::{Clock, TimeOptions, first_heads, line_text};
use super::log::{Log, Window, name_format, ordered};
use crate::reader::Reader;
use rread_text::timestamp::{
    Custom, Detected, Rule, TimeContext, UnreadLine, Words, detect, detect_as, may_have_time,
};
use rread_text::{Encoding, Error, Kind, Result, Timestamp};

/// The format is looked for in so many lines with text.
const MAX_LINES: usize = 64;

/// Another format is looked for in so many lines.
const MAX_OTHERS: usize = 4;

/// So much of each is kept.
const MAX_HEAD: usize = 8 << 10;

/// How far into the file to look for its first lines.
const FIRST_BYTES: usize = 64 << 10;

/// The window of a file that grows: it opens at the first record at or after `since`, and closes at the first at or after
/// `until`. A line without a time belongs to the record before it.
pub struct Passing {
    options: TimeOptions,
    zone: TimeZone,
    since: Option<String>,
    until: Option<String>,
    started: Timestamp,
    /// Known once the format is.
    window: Option<Window>,
    detected: Option<Detected>,
    /// The clock of the records that were there at the start, which end before the offset.
    context_at_start: Option<(Clock, u64)>,
    /// The beginnings of the first lines, until there are enough to be sure of the format.
    heads: Vec<Vec<u8>>,
    /// The last lines without a time that may have one.
    others: Vec<Vec<u8>>,
    is_open: bool,
    pub is_closed: bool,
    /// The next bytes go on with a line.
    is_inside_line: bool,
    /// The time of the last line, if it has one.
    last_time: Option<Timestamp>,
}

/// The part of the bytes that is in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    pub start: usize,
    pub end: usize,
}

impl Passing {
    /// Refuses words that are no times.
    pub fn new(options: TimeOptions, since: Option<&str>, until: Option<&str>) -> Result<Self> {
        options.check()?;
        let passing = Passing {
            zone: options.zone()?,
            options,
            since: since.map(str::to_owned),
            until: until.map(str::to_owned),
            started: Timestamp::now(),
            window: None,
            detected: None,
            context_at_start: None,
            heads: Vec::new(),
            others: Vec::new(),
            is_open: since.is_none(),
            is_closed: false,
            is_inside_line: false,
            last_time: None,
        };
        // A number may be a time of a log that has seconds since boot.
        let words = [since, until].into_iter().flatten();
        if words.clone().all(|word| word.trim_start_matches(['-', '+']).parse::<f64>().is_err()) {
            let custom = passing.options.format.as_deref().map(Custom::new).transpose()?;
            passing.resolve(custom.map(Detected::from).as_ref())?;
        }
        Ok(passing)
    }

    /// Learns the format and the times of what is there, and returns where the window begins in it. `None` if it has no
    /// times that rread recognises, which those that come may have.
    pub fn start(&mut self, reader: &Reader, scan: bool) -> Result<Option<u64>> {
        let Some(log) = Log::open(reader, &self.options)? else { return Ok(None) };
        let window = log.window(self.since.as_deref(), self.until.as_deref())?;
        let start = match window.since {
            None => log.size,
            Some(_) => {
                let found = log.find(Window { until: None, ..window }, scan)?;
                let start = found.spans.first().map_or(log.size, |span| span.start);
                // The last line may not have ended.
                if start == log.size && reader.is_unterminated(start)? {
                    reader.line_start(start.saturating_sub(reader.units().width as u64))?
                } else {
                    start
                }
            }
        };
        self.heads = first_heads(reader, FIRST_BYTES)?;
        self.heads.retain(|line| !line.trim_ascii().is_empty());
        self.heads.truncate(MAX_LINES);
        self.window = Some(window);
        let size = log.size;
        let clock = log.clock;
        self.detected = Some(clock.detected.clone());
        self.context_at_start = Some((clock, size));
        Ok(Some(start))
    }

    /// The next bytes are the first of another file.
    pub fn start_over(&mut self) {
        self.context_at_start = None;
        self.heads.clear();
        self.is_inside_line = false;
    }

    /// The part of `bytes` in the window. They lie at `at` and are whole lines, except the last one at the end of the file
    /// and the parts of lines that are too long to be held.
    pub fn pass(&mut self, bytes: &[u8], at: u64, encoding: Encoding) -> Result<Passed> {
        let units = encoding.units();
        let now = TimeContext::new(self.zone.clone(), Timestamp::now());
        let mut start = if self.is_open { Some(0) } else { None };
        let mut from = 0;
        while from < bytes.len() && !self.is_closed {
            let end = units.after_first(&bytes[from..]).map_or(bytes.len(), |end| from + end);
            let line = &bytes[from..end];
            self.last_time = None;
            let is_first_part = !std::mem::replace(&mut self.is_inside_line, !units.ends_with(line, b'\n'));
            if is_first_part
                && let Some((time, window)) = self.time_of(line, at + from as u64, encoding, &now)?
            {
                if window.until.is_some_and(|until| time >= until) {
                    self.is_closed = true;
                    return Ok(Passed { start: start.unwrap_or(from), end: from });
                }
                if !self.is_open && window.since.is_none_or(|since| time >= since) {
                    self.is_open = true;
                    start = Some(from);
                }
            }
            from = end;
        }
        Ok(Passed { start: start.unwrap_or(from), end: from })
    }

    /// Passes the lines of `bytes` in the window to `take`, with the time of those that begin a record. The bytes are as in
    /// [`Passing::pass`].
    pub fn lines(
        &mut self,
        bytes: &[u8],
        at: u64,
        encoding: Encoding,
        take: &mut dyn FnMut(Range<usize>, Option<Timestamp>),
    ) -> Result<()> {
        let units = encoding.units();
        let mut from = 0;
        while from < bytes.len() && !self.is_closed {
            let end = units.after_first(&bytes[from..]).map_or(bytes.len(), |end| from + end);
            let passed = self.pass(&bytes[from..end], at + from as u64, encoding)?;
            if passed.end > passed.start {
                take(from..end, self.last_time.take());
            }
            from = end;
        }
        Ok(())
    }

    fn time_of(
        &mut self,
        line: &[u8],
        at: u64,
        encoding: Encoding,
        now: &TimeContext,
    ) -> Result<Option<(Timestamp, Window)>> {
        let text = line_text(encoding, line, at);
        let text = text.as_deref().unwrap_or(line);
        let at_start = self.context_at_start.as_ref().filter(|(_, size)| at < *size);
        let context = at_start.map_or(now, |(clock, _)| clock.context(at)).clone();
        let read = |detected: &Detected| detected.time_of(text, &context);
        let mut time = self.detected.as_ref().and_then(read);
        // A line that begins with a blank continues a record: a time in it says nothing of the others.
        let is_indented = text.starts_with(b" ") || text.starts_with(b"\t");
        let is_first = self.heads.len() < MAX_LINES && !is_indented && !text.trim_ascii().is_empty();
        if is_first && time.is_none() {
            let found = self.learn(text)?;
            time = found.as_ref().and_then(read);
            if time.is_some() {
                self.window = Some(self.resolve(found.as_ref())?);
                self.detected = found;
            }
        } else if is_first {
            self.heads.push(text[..text.len().min(MAX_HEAD)].to_vec());
        } else if time.is_none() && may_have_time(text) {
            // A log may change its format.
            let found = self.learn_more(text);
            time = found.as_ref().and_then(read);
            self.detected = found.or(self.detected.take());
        }
        self.last_time = time;
        Ok(time.zip(self.window))
    }

    /// The formats with those of the last lines that have no time, of which `text` is the last.
    fn learn_more(&mut self, text: &[u8]) -> Option<Detected> {
        self.others.push(text[..text.len().min(MAX_HEAD)].to_vec());
        if self.others.len() > MAX_OTHERS {
            self.others.remove(0);
        }
        let unread = |line| UnreadLine { line, before: None, after: None };
        let lines: Vec<UnreadLine<'_>> = self.others.iter().map(|line| unread(line)).collect();
        let found = self.detected.as_ref()?.with_more(&lines, false);
        if found.is_some() {
            self.others.clear();
        }
        found
    }

    /// The format of the lines until now, of which `text` is the last; an error if there are enough without one.
    fn learn(&mut self, text: &[u8]) -> Result<Option<Detected>> {
        self.heads.push(text[..text.len().min(MAX_HEAD)].to_vec());
        let heads = [self.heads.iter().map(Vec::as_slice).collect()];
        let format = self.options.format.as_deref();
        // After many lines without a time, one with a time is the first record.
        let first = || if format.is_none() && self.detected.is_none() { detect([text]) } else { None };
        let found = detect_as(format, &heads, Rule::Log, Some(Timestamp::now()))?.or_else(first);
        if found.is_none() && self.detected.is_none() && self.heads.len() == MAX_LINES {
            let sentence = format!("has no times that rread recognises in {MAX_LINES} lines");
            return Err(Error::new(Kind::InvalidText, sentence).hint(name_format()));
        }
        Ok(found)
    }

    /// The window, without records to which its times could refer.
    fn resolve(&self, detected: Option<&Detected>) -> Result<Window> {
        if let Some(window) = self.window {
            return Ok(window);
        }
        let context = TimeContext::new(self.options.zone_of_words()?, self.started);
        if detected.is_some_and(Detected::is_since_boot) {
            for text in [&self.since, &self.until].into_iter().flatten() {
                if text.trim().parse::<f64>().is_err() || text.trim().starts_with(['-', '+']) {
                    let sentence =
                        format!("'{text}' is not a time of a log that has seconds since boot only");
                    return Err(Error::usage(sentence).hint("12345.6 is a time of the log"));
                }
            }
        }
        let words = Words { context: &context, now: self.started, detected, since: None };
        ordered(&words, None, self.since.as_deref(), self.until.as_deref(), |time| match detected {
            Some(detected) => Clock::new(detected.clone(), context.clone()).format_time(time),
            None => time.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(since: Option<&str>, until: Option<&str>) -> Passing {
        let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
        Passing::new(options, since, until).unwrap()
    }

    #[test]
    fn a_window_opens_and_closes_at_records() {
        let text = "banner\n2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n\tat b\n2026-01-01T00:00:03Z c\n";
        let (since, until) = ("2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z");
        let mut one = passing(Some(since), Some(until));
        let passed = one.pass(text.as_bytes(), 0, Encoding::Utf8).unwrap();
        assert_eq!(&text[passed.start..passed.end], "2026-01-01T00:00:02Z b\n\tat b\n");
        assert!(one.is_closed);
        // Line by line, it is the same.
        let (mut one, mut at, mut got) = (passing(Some(since), Some(until)), 0, String::new());
        for line in text.split_inclusive('\n') {
            let passed = one.pass(line.as_bytes(), at, Encoding::Utf8).unwrap();
            got += &line[passed.start..passed.end];
            at += line.len() as u64;
        }
        assert_eq!(got, "2026-01-01T00:00:02Z b\n\tat b\n");
    }

    #[test]
    fn a_time_in_a_banner_is_not_the_place_of_the_others() {
        let text = "built 2020-01-01T00:00:00Z\n2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n";
        let mut one = passing(Some("2026-01-01T00:00:01Z"), Some("2026-01-01T00:00:02Z"));
        let passed = one.pass(text.as_bytes(), 0, Encoding::Utf8).unwrap();
        assert_eq!(&text[passed.start..passed.end], "2026-01-01T00:00:01Z a\n");
    }

    #[test]
    fn a_time_in_the_lines_after_a_record_is_not_the_place_of_the_others() {
        let text = "2026-01-01T00:00:01Z a\n\tat 2020-01-01T00:00:00Z\n\tat 2020-01-01T00:00:00Z\n2026-01-01T00:00:02Z b\n";
        let mut one = passing(None, Some("2026-01-01T00:00:02Z"));
        let passed = one.pass(text.as_bytes(), 0, Encoding::Utf8).unwrap();
        assert_eq!((passed.start, &text[passed.end..]), (0, "2026-01-01T00:00:02Z b\n"));
    }

    #[test]
    fn many_lines_without_a_time_are_an_error() {
        let mut one = passing(None, Some("2026-01-01T00:00:02Z"));
        let error = one.pass("no time\n".repeat(64).as_bytes(), 0, Encoding::Utf8).unwrap_err();
        assert_eq!(error.kind, Kind::InvalidText);
        let mut one = passing(None, Some("2026-01-01T00:00:02Z"));
        assert!(one.pass("no time\n".repeat(63).as_bytes(), 0, Encoding::Utf8).is_ok());
    }
}
