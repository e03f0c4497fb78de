//! Writes decoded text: replaces invalid bytes and control characters, numbers and clips lines, applies budgets.

use std::fs::File;

use memchr::{memchr, memrchr};

use super::prefix::{EncodedWriter, LineLabel, Prefix};
use super::types::{
    self, Budget, ContentOptions, ContentStats, CutBy, InvalidBytes, Segment, Sink, buffer_size,
};
use crate::output::Out;
use rread_reader::Reader;
use rread_source::memory::Buffer;
use rread_text::encoding::{DecodedText, MAX_CHARACTER};
use rread_text::{Encoding, Error, Kind, Result, Run, TextDecoder, Units, newline, setting};

/// U+FFFD.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

enum Stop {
    Budget,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

type Flow<T = ()> = std::result::Result<T, Stop>;

/// Budgets are for measuring: the stats may end at an earlier line end than the written content.
pub(super) fn write(
    reader: &Reader,
    segments: &[Segment],
    options: &ContentOptions,
    budget: Budget,
    label: Option<LineLabel<'_>>,
    sink: &mut dyn Sink,
) -> Result<ContentStats> {
    if let Some(encode) = options.encode {
        let writer = EncodedWriter { encode, budget, sink, stats: ContentStats::default() };
        let stats = writer.write(reader, segments)?;
        // The output is ASCII.
        let token_thirds = options.counts_tokens(budget).then_some(stats.content_bytes);
        return Ok(ContentStats { token_thirds, ..stats });
    }
    let prefix = Prefix::new(options, reader, sink.is_read(), label);
    let mut writer = ContentWriter {
        works_on_lines: options.works_on_lines() || label.is_some(),
        options,
        budget,
        sink,
        encoding: reader.encoding(),
        stats: ContentStats {
            token_thirds: options.counts_tokens(budget).then_some(0),
            ..ContentStats::default()
        },
        last_line_end: None,
        line: 0,
        column: 0,
        fresh_line: true,
        clipped: false,
        colored: false,
        prefix,
    };
    let size = buffer_size(reader, segments);
    let mut buffer = Buffer::new(size);
    for segment in segments {
        match writer.segment(reader, *segment, &mut buffer, size) {
            Ok(()) => {}
            Err(Stop::Budget) => break,
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    Ok(writer.stats)
}

struct ContentWriter<'a> {
    options: &'a ContentOptions,
    /// Text is written line by line.
    works_on_lines: bool,
    budget: Budget,
    sink: &'a mut dyn Sink,
    encoding: Encoding,
    stats: ContentStats,
    /// The stats after the last whole line, where a budget of bytes or tokens cuts.
    last_line_end: Option<ContentStats>,
    line: u64,
    /// Written characters of the current line.
    column: u64,
    fresh_line: bool,
    clipped: bool,
    /// Whether the line has colors.
    colored: bool,
    prefix: Prefix<'a>,
}

impl ContentWriter<'_> {
    fn segment(&mut self, reader: &Reader, segment: Segment, buffer: &mut Buffer, size: usize) -> Flow {
        let mut at = segment.start;
        segment.advise(reader, self.budget);
        (self.line, self.column, self.fresh_line, self.clipped) = (segment.line, 0, true, false);
        let mark = self.encoding.mark().len() as u64;
        let is_marked = self.options.skip_bom && at == 0 && segment.end >= mark;
        if is_marked {
            at = mark;
        }
        self.stats.end = at;
        self.prefix.begin(&segment)?;
        self.sink.begin(&segment)?;
        if self.encoding.has_state() && self.last_line_end.is_none() {
            // Reading cannot resume inside a line, so a budget takes whole lines or nothing.
            self.last_line_end = Some(self.stats);
        }
        let (mut decoder, mut ends_line) = (TextDecoder::new(self.encoding), false);
        while at < segment.end_in(reader) {
            let wanted = usize::try_from(segment.end - at).unwrap_or(usize::MAX).min(size);
            let mut got = reader.read(buffer.at(at, wanted), at)?;
            if got < MAX_CHARACTER {
                reader.reach(at.saturating_add(MAX_CHARACTER as u64).min(segment.end))?;
            }
            let left = usize::try_from(segment.end_in(reader) - at).unwrap_or(usize::MAX);
            if left == 0 {
                break;
            }
            reader.must_go_on(got, at)?;
            // A cut character and a carriage return need the bytes after them.
            if got < left.min(MAX_CHARACTER) {
                got = left.min(MAX_CHARACTER);
                reader.read_exact(buffer.at(at, got), at)?;
            }
            self.prefix.hash_block(&buffer[..got], at);
            // A whole line needs no look beyond it, which could wait for a stream.
            if self.options.plain && got == left && !buffer[..got].ends_with(b"\n") {
                let mut after = [0; 4096];
                let read = reader.read(&mut after, at + got as u64)?;
                let next = after[..read].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                ends_line = next.is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
            }
            at += self.block(&mut decoder, &buffer[..got], at, (got == left).then_some(ends_line))? as u64;
        }
        if is_marked && segment.end == mark { self.lone_mark(reader, segment.start) } else { Ok(()) }
    }

    /// A file with only a byte order mark has one empty line.
    fn lone_mark(&mut self, reader: &Reader, start: u64) -> Flow {
        let mark = self.encoding.mark().len();
        if reader.read(&mut [0], mark as u64)? > 0 {
            return Ok(());
        }
        // If the budget has no room, do not consume the BOM either.
        self.unit(b"", b"", 0, mark).inspect_err(|_| self.stats.end = start)
    }

    /// Writes the part of a block that does not depend on the next one; returns its length. Of the last block, `end` says
    /// whether its last line has only blanks after it.
    fn block(&mut self, decoder: &mut TextDecoder, block: &[u8], at: u64, end: Option<bool>) -> Flow<usize> {
        let (last, ends_line) = (end.is_some(), end == Some(true));
        let units = self.encoding.units();
        // A unit that the block cuts belongs to the next block.
        let cut = if last { 0 } else { (at + block.len() as u64) % units.width as u64 };
        let block = &block[..block.len() - usize::try_from(cut).unwrap_or(0)];
        // The next byte decides whether a carriage return ends a line.
        let held = !last && self.works_on_lines && units.ends_with(block, b'\r');
        let block = &block[..block.len() - if held { units.width } else { 0 }];
        // The next block says whether blanks end their line; a whole block of them does.
        let text = if self.options.plain && !last { block.trim_ascii_end().len() } else { block.len() };
        let ends = text == 0 || last && ends_line;
        let block = if text > 0 { &block[..text] } else { block };
        let mut used = 0;
        decoder.ends(last || held);
        while let Some(run) = decoder.next_run(&block[used..], at + used as u64) {
            let here = at + used as u64;
            used += match run {
                Run::Text(text) => {
                    if self.works_on_lines {
                        self.lines(text, ends && used + text.source.len() == block.len())?
                    } else {
                        self.text(text)?
                    }
                    text.source.len()
                }
                Run::Cut(_) if !last && !held => break,
                Run::Invalid(bad) | Run::Cut(bad) => {
                    self.invalid(bad, here)?;
                    bad.len()
                }
            };
        }
        Ok(used)
    }

    fn invalid(&mut self, bad: &[u8], at: u64) -> Flow {
        if self.options.invalid == InvalidBytes::Error {
            let name = self.encoding.name().to_ascii_uppercase();
            let error = Error::new(Kind::InvalidText, format!("invalid {name} at byte {at}"));
            let hint = setting("invalid").then(" replace or ").then(setting("invalid"));
            return Err(error.hint(hint.then(" escape shows the text around it")).into());
        }
        if self.options.max_columns.is_some_and(|max| self.column >= max) {
            self.clip(at + bad.len() as u64);
        } else if self.options.raw && !self.options.show_controls {
            self.unit(bad, bad, at, bad.len())?;
        } else if self.options.invalid == InvalidBytes::Escape || self.options.raw {
            let escaped: String = bad.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            self.unit(escaped.as_bytes(), escaped.as_bytes(), at, bad.len())?;
        } else {
            self.unit(REPLACEMENT, REPLACEMENT, at, bad.len())?;
        }
        self.stats.invalid.add(at);
        self.column += 1;
        Ok(())
    }

    /// Writes lines, of which the last one may have no newline if it `ends` there.
    fn lines(&mut self, text: DecodedText<'_>, ends: bool) -> Flow {
        let mut rest = text;
        while !rest.utf8.is_empty() {
            let len = memchr(b'\n', rest.utf8).map_or(rest.utf8.len(), |newline| newline + 1);
            let (piece, left) = rest.split_at(len);
            let end = match piece.utf8 {
                [.., b'\r', b'\n'] => 2,
                [.., b'\n'] => 1,
                _ => 0,
            };
            let (body, newline) = piece.split_at(len - end);
            let is_trimmed = self.options.plain && (end > 0 || ends);
            let text = if is_trimmed { body.utf8.trim_ascii_end() } else { body.utf8 };
            let shown = self.fitting(text);
            self.visible(body.clip(shown))?;
            if shown < body.utf8.len() {
                self.stats.end = body.end();
            }
            if shown < text.len() {
                self.sink.replace(&body.utf8[shown..], b"")?;
                self.clip(body.end());
            }
            if let Some(by) = self.would_split(newline)? {
                return self.cut(by);
            }
            if !newline.utf8.is_empty() {
                if std::mem::take(&mut self.colored) {
                    self.sink.replace(b"", b"\x1b[0m")?;
                }
                self.text(newline)?;
                (self.column, self.clipped) = (0, false);
            }
            rest = left;
        }
        Ok(())
    }

    /// The budget that ends between a carriage return and its newline, which would make it part of the line.
    fn would_split(&mut self, newline: DecodedText<'_>) -> Result<Option<CutBy>> {
        if newline.utf8.len() < 2 || self.budget.lines.is_some_and(|max| self.stats.newlines >= max) {
            return Ok(None);
        }
        let (prefix, bytes) = (self.prefix_len()?, newline.content(self.options.raw).len());
        Ok(self.budget.exceeded_limit(&self.stats, prefix + bytes, prefix + newline.utf8.len()))
    }

    /// Returns how many bytes of `body` fit into the columns left, and counts their characters.
    fn fitting(&mut self, body: &[u8]) -> usize {
        let Some(max) = self.options.max_columns else { return body.len() };
        let room = usize::try_from(max.saturating_sub(self.column)).unwrap_or(usize::MAX);
        let starts = body.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
        let mut within = starts.skip(room);
        if let Some((cut, _)) = within.next() {
            self.column = max;
            return cut;
        }
        self.column += body.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        body.len()
    }

    fn clip(&mut self, to: u64) {
        self.stats.clipped_lines += u64::from(!self.clipped);
        self.clipped = true;
        self.stats.end = to;
    }

    fn visible(&mut self, text: DecodedText<'_>) -> Flow {
        if !self.options.show_controls {
            return self.text(text);
        }
        let mut rest = text;
        while let Some((at, c)) = first_control(rest.utf8) {
            let (clean, from) = rest.split_at(at);
            if let Some(length) = color_length(from.utf8).filter(|_| self.options.keeps_colors) {
                let (color, left) = from.split_at(length);
                self.text(clean)?;
                self.text(color)?;
                (self.colored, rest) = (true, left);
                continue;
            }
            let (control, left) = from.split_at(c.len_utf8());
            self.text(clean)?;
            let shown = if c == '\0' && self.options.null_data { r"\n" } else { &escape_control(c) };
            self.unit(control.utf8, shown.as_bytes(), control.at, control.source.len())?;
            rest = left;
        }
        self.text(rest)
    }

    /// Writes text that a budget may cut between characters.
    fn text(&mut self, text: DecodedText<'_>) -> Flow {
        let mut rest = text;
        if let Some(max) = self.budget.lines {
            if text.content(self.options.raw).is_empty() {
                return Ok(());
            }
            if self.stats.newlines >= max {
                return self.cut(CutBy::Lines);
            }
            if let Some(end) = Units::BYTES.after_nth(text.utf8, max - self.stats.newlines) {
                (rest, _) = text.split_at(end);
            }
        }
        let shortened = rest.utf8.len() < text.utf8.len();
        let prefix = self.prefix_len()?;
        let (part, cut) = self.within_budget(rest, prefix as u64);
        self.write_text(part)?;
        cut.or(shortened.then_some(CutBy::Lines)).map_or(Ok(()), |by| self.cut(by))
    }

    /// As much of `text` as fits after a prefix, and the budget that cuts off the rest.
    fn within_budget<'t>(&self, text: DecodedText<'t>, prefix: u64) -> (DecodedText<'t>, Option<CutBy>) {
        let left = self.budget.less(&self.stats);
        let (mut part, mut cut) = (text, None);
        if let Some(room) = left.bytes
            && prefix + text.content(self.options.raw).len() as u64 > room
        {
            let room = usize::try_from(room.saturating_sub(prefix)).unwrap_or(usize::MAX);
            (part, cut) = (text.within(room, self.options.raw), Some(CutBy::Bytes));
        }
        if let Some(room) = left.token_thirds {
            let fitting = types::fitting(part.utf8, room.saturating_sub(prefix));
            if fitting < part.utf8.len() {
                (part, cut) = (part.within(fitting, false), Some(CutBy::Tokens));
            }
        }
        (part, cut)
    }

    /// Writes `content` in the place of `text`, for `len` file bytes at `at`, whole or not at all.
    fn unit(&mut self, text: &[u8], content: &[u8], at: u64, len: usize) -> Flow {
        if self.budget.lines.is_some_and(|max| self.stats.newlines >= max) {
            return self.cut(CutBy::Lines);
        }
        // No CJK, so every byte is a third of a token.
        let wanted = self.prefix_len()? + content.len();
        if let Some(by) = self.budget.exceeded_limit(&self.stats, wanted, wanted) {
            return self.cut(by);
        }
        self.write_prefix()?;
        self.sink.replace(text, content)?;
        self.stats.content_bytes += content.len() as u64;
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + content.len() as u64);
        self.stats.mid_line = true;
        self.fresh_line = false;
        if len > 0 {
            self.stats.end = at + len as u64;
        }
        Ok(())
    }

    fn write_text(&mut self, text: DecodedText<'_>) -> Result<()> {
        let content = text.content(self.options.raw);
        if content.is_empty() {
            // An escape sequence has source bytes but no text.
            self.stats.end = self.stats.end.max(text.end());
            return Ok(());
        }
        self.write_prefix()?;
        self.sink.write(content)?;
        let newlines = newline::count(text.utf8);
        let before = self.stats;
        self.stats.count_tokens(text.utf8);
        if newlines > 0 && self.budget.characters().is_some() {
            let whole = memrchr(b'\n', text.utf8).map_or(0, |last| last + 1);
            let (whole, _) = text.split_at(whole);
            let mut line_end = ContentStats {
                content_bytes: before.content_bytes + whole.content(self.options.raw).len() as u64,
                newlines: before.newlines + newlines,
                mid_line: false,
                end: whole.end(),
                ..before
            };
            line_end.count_tokens(whole.utf8);
            self.last_line_end = Some(line_end);
        }
        self.stats.content_bytes += content.len() as u64;
        self.stats.newlines += newlines;
        self.stats.mid_line = !text.utf8.ends_with(b"\n");
        self.stats.end = text.end();
        self.fresh_line = !self.stats.mid_line;
        self.line += newlines;
        Ok(())
    }

    /// Ends the content here; a budget of bytes or tokens ends it after the last whole line.
    fn cut(&mut self, by: CutBy) -> Flow {
        // With state, an escape sequence may follow that line.
        if by != CutBy::Lines
            && (self.stats.mid_line || self.encoding.has_state())
            && let Some(line_end) = self.last_line_end
        {
            self.stats = line_end;
        }
        self.stats.cut = Some(by);
        Err(Stop::Budget)
    }

    /// Zero unless a line is about to begin.
    fn prefix_len(&mut self) -> Result<usize> {
        if self.fresh_line { self.prefix.before_line(self.line).map(<[u8]>::len) } else { Ok(0) }
    }

    fn write_prefix(&mut self) -> Result<()> {
        if !self.fresh_line {
            return Ok(());
        }
        let prefix = self.prefix.before_line(self.line)?;
        self.stats.content_bytes += prefix.len() as u64;
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + prefix.len() as u64);
        if prefix.is_empty() { Ok(()) } else { self.sink.prefix(prefix) }
    }
}

/// Bytes of sequences that are kept for the rest of a line.
const LONGEST_OPEN: usize = 512;

/// The first control character except tab, and its index.
pub(super) fn first_control(text: &[u8]) -> Option<(usize, char)> {
    let special = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || matches!(*byte, 0x7F | 0xC2);
    let mut from = 0;
    loop {
        let at = from + text[from..].iter().position(special)?;
        match (text[at], text.get(at + 1)) {
            (0xC2, Some(low @ 0x80..=0x9F)) => return Some((at, char::from(*low))),
            // The lead byte of another character.
            (0xC2, _) => from = at + 1,
            (byte, _) => return Some((at, char::from(byte))),
        }
    }
}

/// The length of the sequence for colors and attributes (SGR) at the start of `text`, if there is one.
pub fn color_length(text: &[u8]) -> Option<usize> {
    let params = text.strip_prefix(b"\x1b[")?;
    let length = params.iter().take_while(|byte| byte.is_ascii_digit() || b";:".contains(byte)).count();
    (params.get(length) == Some(&b'm')).then_some(length + 3)
}

/// The length of `text` without the beginning of such a sequence at its end.
pub fn before_open_color(text: &[u8]) -> usize {
    let Some(at) = memchr::memrchr(b'\x1b', text) else { return text.len() };
    let is_open = match &text[at + 1..] {
        [] => true,
        [b'[', params @ ..] => params.iter().all(|byte| byte.is_ascii_digit() || b";:".contains(byte)),
        _ => false,
    };
    if is_open && text.len() - at <= LONGEST_OPEN { at } else { text.len() }
}

/// Changes `colors`, the sequences that hold at the start of `text`, to those that hold at its end: a line has its own.
pub fn open_colors(colors: &mut Vec<u8>, text: &[u8]) {
    let line = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
    if line > 0 {
        colors.clear();
    }
    let line = &text[line..];
    for at in memchr::memchr_iter(b'\x1b', line) {
        let Some(length) = color_length(&line[at..]) else { continue };
        let sequence = &line[at..at + length];
        if matches!(sequence, b"\x1b[m" | b"\x1b[0m") || colors.len() + length > LONGEST_OPEN {
            colors.clear();
        }
        if !matches!(sequence, b"\x1b[m" | b"\x1b[0m") {
            colors.extend_from_slice(sequence);
        }
    }
}

/// `\x1b`, or `\u{9b}` beyond ASCII.
pub(super) fn escape_control(c: char) -> String {
    let code = u32::from(c);
    if code < 0x80 { format!("\\x{code:02x}") } else { format!("\\u{{{code:x}}}") }
}

pub(super) fn copy(reader: &Reader, segment: Segment, out: &mut Out) -> Result<()> {
    let (mut at, end) = (segment.start, segment.end);
    segment.advise(reader, Budget::default());
    // A short copy takes two system calls; the kernel would need more.
    if end - at >= 1 << 17
        && let Some((file, base)) = reader.source().info().file
        && let Some(direct) = out.direct()?
    {
        at = kernel_copy(file, base + at, base + end, direct) - base;
    }
    // A failure that stopped the kernel repeats here, where a read and a write fail apart.
    let mut buffer = Buffer::default();
    while at < segment.end_in(reader) {
        let wanted = usize::try_from(end - at).unwrap_or(usize::MAX).min(reader.block());
        let got = reader.read(buffer.at(at, wanted), at)?;
        if got == 0 && at >= segment.end_in(reader) {
            break;
        }
        reader.must_go_on(got, at)?;
        out.write(&buffer[..got])?;
        if got < wanted && reader.known_size().is_none() {
            // The stream has no more bytes yet; the reader of the output must not wait for them.
            out.flush()?;
        }
        at += got as u64;
    }
    Ok(())
}

/// Returns where the kernel stopped.
#[cfg(target_os = "linux")]
fn kernel_copy(file: &File, start: u64, end: u64, out: &File) -> u64 {
    use rustix::fs::{FileType, OFlags};
    use rustix::pipe::{SpliceFlags, splice};

    // On a non-blocking descriptor the kernel does not wait; the loop above does.
    let waits = rustix::fs::fcntl_getfl(out).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK));
    if !waits {
        return start;
    }
    let kind = rustix::fs::fstat(out).map(|stat| FileType::from_raw_mode(stat.st_mode));
    let is_pipe = kind == Ok(FileType::Fifo);
    let end = match kind {
        Ok(FileType::RegularFile | FileType::CharacterDevice) => end,
        Ok(FileType::Fifo) => {
            // A larger pipe needs fewer context switches.
            let _ = rustix::pipe::fcntl_setpipe_size(out, 1 << 20);
            // Spliced pages change with the file until somebody reads them. The last pipeful is therefore
            // copied: once it is in the pipe, all spliced pages are out.
            let full = rustix::pipe::fcntl_getpipe_size(out).unwrap_or(1 << 20) as u64;
            end.saturating_sub(full + (64 << 10)).max(start)
        }
        // A socket also keeps references to pages, for an unknown time.
        _ => return start,
    };
    let mut at = start;
    while at < end {
        let wanted = usize::try_from(end - at).unwrap_or(usize::MAX).min(1 << 30);
        let mut from = at;
        let moved = if is_pipe {
            splice(file, Some(&mut from), out, None, wanted, SpliceFlags::empty())
        } else {
            rustix::fs::sendfile(out, file, Some(&mut from), wanted)
        };
        match moved {
            Ok(0) => break,
            Ok(moved) => at += moved as u64,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    at
}

#[cfg(not(target_os = "linux"))]
fn kernel_copy(_: &File, start: u64, _: u64, _: &File) -> u64 {
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_color_waits_for_its_end() {
        for (text, expected) in [
            (&b"a \x1b"[..], 2),
            (b"a \x1b[", 2),
            (b"a \x1b[1;3", 2),
            (b"a \x1b[1;31m", 9),
            (b"a \x1b[31mred", 10),
            (b"a \x1b]0", 5),
            (b"a", 1),
            (b"", 0),
        ] {
            assert_eq!(before_open_color(text), expected, "{text:?}");
        }
    }

    #[test]
    fn colors_go_on_to_the_end_of_their_line() {
        for (parts, expected) in [
            (&[&b"a \x1b[31mred"[..]][..], &b"\x1b[31m"[..]),
            (&[b"\x1b[31mred", b"more"], b"\x1b[31m"),
            (&[b"\x1b[31mred", b" \x1b[1mbold"], b"\x1b[31m\x1b[1m"),
            (&[b"\x1b[31mred", b" \x1b[m"], b""),
            (&[b"\x1b[31mred", b" \x1b[0mx\x1b[4m"], b"\x1b[4m"),
            (&[b"\x1b[31mred", b"\n"], b""),
            (&[b"\x1b[31mred", b"x\ny\x1b[7m"], b"\x1b[7m"),
            (&[b"\x1b[2J"], b""),
        ] {
            let mut colors = Vec::new();
            parts.iter().for_each(|part| open_colors(&mut colors, part));
            assert_eq!(colors, expected, "{parts:?}");
        }
    }
}
