//! The encoding of a file as the reader decides it, and the edges of its characters.

use std::path::Path;

use super::Reader;
use rread_source::memory::Buffer;
use rread_source::{lock, read_full};
use rread_text::encoding::{
    Decided, Evidence, MAX_CHAR, MAX_CHARACTER, floor_char, judge, lines_beyond_utf8, samples, split_char,
};
use rread_text::guess::{Contradiction, places, whole_lines};
use rread_text::{Content, Encoding, Error, Kind, Result, Run, Sentence, TextDecoder, call, setting, sniff};

rread_text::words! { name,
    /// How to treat a cut that would split a character.
    #[derive(Default)]
    pub enum Align {
        /// Include the whole character.
        #[default]
        Expand = "expand",
        /// Exclude the whole character.
        Shrink = "shrink",
        /// Cut exactly at the offset.
        None = "none",
    }
}

/// First and past-the-last offset of the character that a cut splits.
type Split = Result<Option<(u64, u64)>>;

impl Reader {
    /// Moves both ends of a byte range to character edges, or to line edges in a stateful encoding.
    pub fn align(&self, start: u64, end: u64, align: Align) -> Result<(u64, u64)> {
        if align == Align::None || start >= end {
            return Ok((start, end));
        }
        let (first, last) = (self.split_char(start)?, self.split_char(end)?);
        Ok(match align {
            Align::Shrink if !self.encoding().has_state() => {
                let start = first.map_or(start, |c| c.1);
                (start, last.map_or(end, |c| c.0).max(start))
            }
            // Excluding a line that no range can hold would never move forward.
            _ => (first.map_or(start, |c| c.0), last.map_or(end, |c| c.1)),
        })
    }

    fn split_char(&self, offset: u64) -> Split {
        match self.encoding() {
            Encoding::Utf8 => self.split_utf8(offset),
            Encoding::Utf16 { big_endian } => self.split_pair(offset, big_endian),
            Encoding::Utf32 { .. } => self.split_unit(offset),
            Encoding::Mixed(_) if self.is_in_utf8_line(offset)? => self.split_utf8(offset),
            Encoding::Legacy(whatwg) | Encoding::Mixed(whatwg) if whatwg.is_single_byte() => Ok(None),
            encoding if encoding.has_state() => self.split_line(offset),
            encoding => self.split_multi_byte(offset, encoding),
        }
    }

    fn split_utf8(&self, offset: u64) -> Split {
        const REACH: u64 = MAX_CHAR as u64 - 1;
        // Read past the cut only if it matters: a stream may not have these bytes yet.
        if !self.ends_inside_utf8(offset)? {
            return Ok(None);
        }
        let from = offset.saturating_sub(REACH);
        let window = self.read_span(from..self.reach(offset.saturating_add(REACH))?)?;
        let split = split_char(&window, usize::try_from(offset - from).unwrap_or(0));
        Ok(split.map(|(start, end)| (from + start as u64, from + end as u64)))
    }

    /// Whether `end` lies inside a UTF-8 character, or inside a code unit of another encoding.
    pub fn ends_inside_character(&self, end: u64) -> Result<bool> {
        if self.encoding() != Encoding::Utf8 {
            return Ok(self.units().floor(end) != end);
        }
        self.ends_inside_utf8(end)
    }

    /// Whether the line around `offset`, as far as it is near, is UTF-8 with a character that is cut there.
    fn is_in_utf8_line(&self, offset: u64) -> Result<bool> {
        const NEAR: u64 = 64 << 10;
        if !self.ends_inside_utf8(offset)? {
            return Ok(false);
        }
        let from = offset.saturating_sub(NEAR);
        let window = self.read_span(from..self.reach(offset.saturating_add(NEAR))?)?;
        let at = usize::try_from(offset - from).unwrap_or(0).min(window.len());
        let start = memchr::memrchr(b'\n', &window[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &window[at..]).map_or(window.len(), |end| at + end);
        let is_cut = start == 0 && from > 0;
        let skipped = window[start..end].iter().take_while(|byte| is_cut && **byte & 0xC0 == 0x80).count();
        Ok(match std::str::from_utf8(&window[start + skipped..end]) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none() && end == window.len(),
        })
    }

    fn ends_inside_utf8(&self, end: u64) -> Result<bool> {
        let last = self.read_span(end.saturating_sub(MAX_CHAR as u64 - 1)..end)?;
        let mut rest = &last[..];
        while let Err(error) = std::str::from_utf8(rest) {
            let Some(length) = error.error_len() else { return Ok(true) };
            rest = &rest[error.valid_up_to() + length..];
        }
        Ok(false)
    }

    /// A whole code unit; an incomplete one at the end of the file does not count.
    fn split_unit(&self, offset: u64) -> Split {
        let units = self.units();
        let start = units.floor(offset);
        if start == offset {
            return Ok(None);
        }
        let end = start + units.width as u64;
        Ok((self.reach(end)? == end).then_some((start, end)))
    }

    fn split_pair(&self, offset: u64, big_endian: bool) -> Split {
        let unit = |at: u64| -> Result<u16> {
            if self.reach(at + 2)? < at + 2 {
                return Ok(0);
            }
            let mut bytes = [0; 2];
            self.read_exact(&mut bytes, at)?;
            Ok(if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
        };
        let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
        let is_low = |unit: u16| (0xDC00..0xE000).contains(&unit);
        let inside = self.split_unit(offset)?;
        let start = self.units().floor(offset);
        if start >= 2 && is_high(unit(start - 2)?) && is_low(unit(start)?) {
            return Ok(Some((start - 2, start + 2)));
        }
        match inside {
            Some((start, end)) if is_high(unit(start)?) && is_low(unit(end)?) => Ok(Some((start, end + 2))),
            inside => Ok(inside),
        }
    }

    /// Bytes up to 0x2F are whole characters in all these encodings, so decoding starts at the last of them.
    fn split_multi_byte(&self, offset: u64, encoding: Encoding) -> Split {
        let mut edge = self.last_single(offset)?;
        let mut decoder = TextDecoder::new(encoding);
        let mut block = Buffer::default();
        while edge < offset {
            let len = usize::try_from(offset - edge).unwrap_or(usize::MAX).min(64 << 10);
            self.read_exact(block.at(edge, len), edge)?;
            match decoder.next_run(&block, edge) {
                Some(Run::Text(text)) => edge = text.end(),
                Some(Run::Invalid(bad)) => edge += bad.len() as u64,
                Some(Run::Cut(_)) => {
                    let reach = self.reach(edge.saturating_add(MAX_CHARACTER as u64))?;
                    self.read_exact(block.at(edge, usize::try_from(reach - edge).unwrap_or(0)), edge)?;
                    if let Some(len) = encoding.first_char(&block) {
                        return Ok(Some((edge, edge + len as u64)));
                    }
                    edge += match decoder.next_run(&block, edge) {
                        Some(Run::Invalid(bad) | Run::Cut(bad)) => bad.len() as u64,
                        _ => 1,
                    };
                }
                None => break,
            }
        }
        Ok(None)
    }

    /// The last byte before `offset` that is always a whole character, or 0.
    fn last_single(&self, offset: u64) -> Result<u64> {
        let mut block = Buffer::default();
        let (mut end, mut step) = (offset, 256);
        while end > 0 {
            let start = end.saturating_sub(step);
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(0)), start)?;
            if let Some(at) = block.iter().rposition(|byte| *byte < 0x30) {
                return Ok(start + at as u64);
            }
            end = start;
            step = (step * 4).min(self.block() as u64);
        }
        Ok(0)
    }

    fn split_line(&self, offset: u64) -> Split {
        let start = self.line_start(offset)?;
        if start == offset {
            return Ok(None);
        }
        let mut block = vec![0; self.block().min(8 << 10)];
        let mut end = offset;
        loop {
            let got = self.read(&mut block, end)?;
            match self.units().after_first(&block[..got]) {
                Some(at) => return Ok(Some((start, end + at as u64))),
                None if got == 0 => return Ok(Some((start, end))),
                None => end += got as u64,
            }
        }
    }

    /// Sets the encoding. Refuses another one than that of a byte order mark.
    pub fn read_as(&mut self, choice: Choice, path: &Path) -> Result<()> {
        if let Some(document) = self.document() {
            return self.read_document_as(choice, document.mime(), path);
        }
        let decided = self.decide(choice, &self.head()?).map_err(|Refusal { requested, found }| {
            let (requested, found) = (requested.name(), found.name());
            let message =
                format!("begins with the byte order mark of {found}, so it cannot be read as {requested}");
            let call = call("lines").file(path).word("1:20").with("encoding", found);
            Error::new(Kind::InvalidText, message).hint(call)
        })?;
        self.decided = decided;
        Ok(())
    }

    pub(super) fn decide(&self, choice: Choice, head: &[u8]) -> std::result::Result<Decided, Refusal> {
        let object = self.source().info().object;
        let label = object.and_then(|object| Evidence::label_of(object.content_type.as_deref()?));
        let is_auto = choice == Choice::Auto && self.document().is_none();
        let later = if is_auto { self.later_lines() } else { Vec::new() };
        choice.decide(head, self.sniffed, &Evidence { later: &later, label: label.filter(|_| is_auto) })
    }

    /// Whole lines of the middle and the end of a plain file, where they cost two reads.
    fn later_lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        let (Some(size), Some(_)) = (self.known_size(), self.source().info().file) else { return lines };
        for place in places(size).skip(1) {
            let mut sample = vec![0; usize::try_from(place.end - place.start).unwrap_or(0)];
            let got = read_full(self.source(), &mut sample, place.start).unwrap_or(0);
            lines.extend_from_slice(whole_lines(&sample[..got], place.start, place.end == size));
        }
        lines
    }

    /// A document has the text that its decoder made, in UTF-8: only the bytes of a page have an encoding that can be named, which
    /// its decoder reads.
    fn read_document_as(&mut self, choice: Choice, mime: &str, path: &Path) -> Result<()> {
        if mime == "text/html" || !matches!(choice, Choice::Label { .. }) {
            return Ok(());
        }
        let message = format!("is {mime}, whose text has its own encoding, so no other one can be named");
        Err(Error::usage(message).hint(call("lines").file(path).word("1:20")))
    }

    /// The likeliest encoding of the first lines that are not UTF-8, as far as the text is read as UTF-8 and has some within 64 MiB;
    /// the first is a place that contradicts the encoding.
    pub fn late_guess(&self) -> Option<String> {
        if self.encoding() != Encoding::Utf8 || self.decided.origin == Origin::Option || self.decided.unknown
        {
            return None;
        }
        let (mut block, mut lines, mut at) = (vec![0; LATE_BLOCK], Vec::new(), 0u64);
        let mut first = None;
        while at < MAX_LATE && lines.len() < sniff::SAMPLE {
            let got = self.read_at_least(block.len(), &mut block, at).ok().filter(|got| *got > 0)?;
            let is_end = got < block.len();
            // A line that is longer than the block is looked at in pieces of whole characters.
            let whole = || Some(floor_char(&block[..got], got - 1)).filter(|end| *end + MAX_CHAR >= got);
            let lines_end = self.units().after_last(&block[..got]);
            let end = Some(got).filter(|_| is_end).or(lines_end).or_else(whole).unwrap_or(got);
            if let Err(error) = std::str::from_utf8(&block[..end]) {
                first.get_or_insert(at + error.valid_up_to() as u64);
                lines.extend(lines_beyond_utf8(&block[..end]));
            }
            if is_end {
                break;
            }
            at += end as u64;
        }
        // Text without such lines is UTF-8.
        first?;
        let label = judge(&lines).candidates().first()?.to_string();
        // Some encodings are known only by name.
        let otherwise = label.parse::<Choice>().ok().map(|_| setting("E").then(format!(" {label}")));
        self.contradict(Contradiction {
            guess: "encoding utf-8".to_owned(),
            line: None,
            byte: first,
            otherwise,
        });
        Some(label)
    }

    /// The likeliest encodings, the best first, if it was guessed or remains unknown.
    pub fn encoding_guesses(&self) -> Vec<String> {
        match self.sniffed.content {
            _ if self.decided.origin == Origin::Evident => vec![self.decided.name()],
            _ if !self.decided.unknown => Vec::new(),
            Content::Escaped(label) => vec![label.to_owned()],
            Content::Legacy | Content::Utf8 => {
                let head = self.head().unwrap_or_default();
                let lines = lines_beyond_utf8(&samples(&head, &self.later_lines()));
                judge(&lines).candidates().into_iter().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The first of them.
    pub fn encoding_guess(&self) -> Option<String> {
        self.encoding_guesses().into_iter().next()
    }

    /// Remembers a place that a guess does not explain; receipts and notes have the first.
    pub fn contradict(&self, found: Contradiction) {
        let mut kept = lock(&self.contradiction);
        Contradiction::keep_first(&mut kept, found);
    }

    /// The first place that a guess does not explain.
    pub fn contradiction(&self) -> Option<Contradiction> {
        lock(&self.contradiction).clone()
    }

    /// The encoding, if it is guessed: an answer must say so.
    pub fn evident_encoding(&self) -> Option<String> {
        (self.decided.origin == Origin::Evident).then(|| self.decided.name())
    }

    /// Whether lines end where they would end in the encoding that rread finds without the user's word.
    pub fn has_usual_lines(&self) -> Result<bool> {
        let found = self.decide(Choice::Auto, &self.head()?);
        let is_same = |found: Decided| found.encoding.units() == self.units() && !self.encoding().has_state();
        Ok(found.is_ok_and(is_same))
    }

    /// Whether the lines in the first bytes end in `\r\n`, all of them; if there are none, whether the first line does, as far as
    /// it is not longer than 4 MiB.
    pub fn has_crlf(&self) -> Result<bool> {
        let mut block = vec![0; sniff::SAMPLE];
        let got = self.read_front(&mut block)?;
        let units = self.units();
        let newlines = units.count(&block[..got]);
        if newlines > 0 || got < block.len() {
            return Ok(newlines > 0 && units.count_crlf(&block[..got]) == newlines);
        }
        let mut at = got as u64;
        block.resize(FIRST_BLOCK, 0);
        while at < FIRST_LINE {
            // The carriage return may be the last of the block before.
            let from = at - units.width as u64;
            // The search reports damage in its place.
            let Ok(got) = self.read_at_least(block.len(), &mut block, from) else { break };
            if let Some(end) = units.after_first(&block[..got]) {
                return Ok(units.count_crlf(&block[..end]) == 1);
            }
            if got < block.len() {
                break;
            }
            at = from + got as u64;
        }
        Ok(false)
    }

    /// Whether the first bytes are UTF-8 with NULs between records.
    pub fn is_text_with_nuls(&self) -> Result<bool> {
        let head = self.head()?;
        Ok(sniff::is_text_with_nuls(&head, self.known_size() == Some(head.len() as u64)))
    }
}

pub use rread_text::encoding::{Choice, Origin, Refusal};

/// The most bytes of a first line whose end is looked for.
const FIRST_LINE: u64 = 4 << 20;

/// The bytes that are looked at together.
const FIRST_BLOCK: usize = 64 << 10;

/// How far, and in which steps, text is looked at for bytes that are not UTF-8.
const MAX_LATE: u64 = 64 << 20;
const LATE_BLOCK: usize = 1 << 20;

/// The error that `--plain` is about text in which each character has one byte or more, and this `encoding` is none.
pub fn not_plain(encoding: Encoding) -> Error {
    let message = Sentence::from(format!("is {}, and ", encoding.name())).then(setting("plain"));
    Error::new(Kind::InvalidText, message.then(" is for text of bytes"))
}

/// The text of a line at `at` as UTF-8, without a byte order mark. Invalid bytes are U+FFFD, and a character that is cut at
/// the end is left out.
pub(crate) fn decode_line(encoding: Encoding, line: &[u8], at: u64) -> Vec<u8> {
    let mark = if at == 0 && line.starts_with(encoding.mark()) { encoding.mark().len() } else { 0 };
    let line = line.get(mark..).unwrap_or_default();
    encoding.decode_lossy(line, at + mark as u64, false)
}
