//! Text on its way out: invalid bytes replaced, lines numbered and clipped, budgets kept.

use std::ops::ControlFlow;

use memchr::{memchr, memrchr};
use owo_colors::OwoColorize;

use super::{Budget, CutBy, InvalidBytes, Shape, Sink, Stretch, Tally};
use crate::error::{Error, Kind, Result};
use crate::newline;
use crate::reader::Reader;
use crate::sniff::BOM;
use crate::utf8::{self, MAX_CHAR, Run, floor_char};

/// Whether content goes on, or a budget has ended it.
type Flow = Result<ControlFlow<()>>;
const GO_ON: Flow = Ok(ControlFlow::Continue(()));

/// Pours the content of `stretches` into `sink`. Budgets are for measuring: where a line end before the
/// limit is the better cut, the tally is that of the line end, and more than that has been put.
pub(super) fn pour(
    reader: &Reader,
    stretches: &[Stretch],
    shape: &Shape,
    budget: Budget,
    sink: &mut dyn Sink,
) -> Result<Tally> {
    let mut pourer = Pourer {
        shape,
        budget,
        sink,
        tally: Tally::default(),
        last_line_end: None,
        line: 0,
        column: 0,
        fresh_line: true,
        clipped: false,
        prefix: String::new(),
    };
    let mut buffer = vec![0; super::buffer_size(reader, stretches)];
    for stretch in stretches {
        if pourer.stretch(reader, *stretch, &mut buffer)?.is_break() {
            break;
        }
    }
    Ok(pourer.tally)
}

struct Pourer<'a> {
    shape: &'a Shape,
    budget: Budget,
    sink: &'a mut dyn Sink,
    tally: Tally,
    /// The tally after the last whole line: the place where a byte budget cuts.
    last_line_end: Option<Tally>,
    /// The number of the current line.
    line: u64,
    /// Characters of the current line that have been put.
    column: u64,
    /// Nothing of the current line has been put yet.
    fresh_line: bool,
    /// The current line has been clipped.
    clipped: bool,
    prefix: String,
}

impl Pourer<'_> {
    fn stretch(&mut self, reader: &Reader, stretch: Stretch, buffer: &mut [u8]) -> Flow {
        let mut at = stretch.start;
        (self.line, self.column, self.fresh_line, self.clipped) = (stretch.line, 0, true, false);
        if self.shape.skip_bom && at == 0 && stretch.end >= BOM.len() as u64 {
            at = BOM.len() as u64;
        }
        self.tally.end = at;
        while at < stretch.end {
            let left = usize::try_from(stretch.end - at).unwrap_or(usize::MAX);
            let wanted = left.min(buffer.len());
            let mut got = reader.read(&mut buffer[..wanted], at)?;
            reader.must_go_on(got, at)?;
            // Too little to tell a cut character, or a carriage return, from the next: get that much.
            if got < left.min(MAX_CHAR) {
                got = left.min(MAX_CHAR);
                reader.read_exact(&mut buffer[..got], at)?;
            }
            let (used, flow) = self.block(&buffer[..got], at, got == left)?;
            if flow.is_break() {
                return Ok(flow);
            }
            at += used as u64;
        }
        GO_ON
    }

    /// Takes a block as far as it can be understood without the next one; `last` says there is none.
    fn block(&mut self, block: &[u8], at: u64, last: bool) -> Result<(usize, ControlFlow<()>)> {
        // Whether a carriage return ends a line is told by what follows it.
        let held = !last && self.shape.works_on_lines() && block.ends_with(b"\r");
        let block = &block[..block.len() - usize::from(held)];
        let mut used = 0;
        while let Some((run, _)) = utf8::next_run(&block[used..]) {
            let here = at + used as u64;
            let (len, flow) = match run {
                Run::Text(text) if self.shape.works_on_lines() => (text.len(), self.lines(text, here)?),
                Run::Text(text) => (text.len(), self.text(text, here)?),
                Run::Cut(_) if !last && !held => break,
                Run::Invalid(bad) | Run::Cut(bad) => (bad.len(), self.invalid(bad, here)?),
            };
            if flow.is_break() {
                return Ok((used, flow));
            }
            used += len;
        }
        Ok((used, ControlFlow::Continue(())))
    }

    fn invalid(&mut self, bad: &[u8], at: u64) -> Flow {
        if self.shape.invalid == InvalidBytes::Error {
            return Err(Error::new(Kind::InvalidText, format!("invalid UTF-8 at byte {at}"))
                .hint("--invalid replace or --invalid escape shows the text around it"));
        }
        let full = self.shape.max_columns.is_some_and(|max| self.column >= max);
        let flow = if full {
            self.clip(at + bad.len() as u64)
        } else if self.shape.raw && !self.shape.show_controls {
            self.unit(bad, at, bad.len())
        } else if self.shape.invalid == InvalidBytes::Escape || self.shape.raw {
            self.escape(bad, at)
        } else {
            self.unit("\u{FFFD}".as_bytes(), at, bad.len())
        }?;
        if flow.is_continue() {
            self.tally.invalid.add(at);
            self.column += 1;
        }
        Ok(flow)
    }

    fn escape(&mut self, bad: &[u8], at: u64) -> Flow {
        let escaped: String = bad.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        self.unit(escaped.as_bytes(), at, bad.len())
    }

    /// Text of which every line is looked at.
    fn lines(&mut self, text: &[u8], at: u64) -> Flow {
        let mut rest = text;
        let mut at = at;
        while !rest.is_empty() {
            let len = memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let (piece, left) = rest.split_at(len);
            let end = match piece {
                [.., b'\r', b'\n'] => 2,
                [.., b'\n'] => 1,
                _ => 0,
            };
            let (body, newline) = piece.split_at(len - end);
            let shown = self.fitting(body);
            let mut flow = self.visible(&body[..shown], at)?;
            if flow.is_continue() && shown < body.len() {
                flow = self.clip(at + body.len() as u64)?;
            }
            if flow.is_continue() && self.would_split(newline) {
                flow = self.cut(CutBy::Bytes)?;
            }
            if flow.is_continue() && !newline.is_empty() {
                flow = self.text(newline, at + body.len() as u64)?;
                (self.column, self.clipped) = (0, false);
            }
            if flow.is_break() {
                return Ok(flow);
            }
            (rest, at) = (left, at + len as u64);
        }
        GO_ON
    }

    /// Whether a budget would cut between a carriage return and its newline. Read on from there, the carriage
    /// return would have become a part of the line.
    fn would_split(&mut self, newline: &[u8]) -> bool {
        let wanted = (self.prefix_len() + newline.len()) as u64;
        newline.len() == 2
            && self.budget.lines.is_none_or(|max| self.tally.newlines < max)
            && self.budget.bytes.is_some_and(|max| self.tally.content_bytes + wanted > max)
    }

    /// How many bytes of `body` the current line still has columns for; they are counted as put.
    fn fitting(&mut self, body: &[u8]) -> usize {
        let Some(max) = self.shape.max_columns else { return body.len() };
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

    /// Leaves out the rest of the line up to file offset `to`.
    fn clip(&mut self, to: u64) -> Flow {
        self.tally.clipped_lines += u64::from(!self.clipped);
        self.clipped = true;
        self.tally.end = to;
        GO_ON
    }

    /// Text without a newline, its control characters shown where the shape says so.
    fn visible(&mut self, text: &[u8], at: u64) -> Flow {
        if !self.shape.show_controls {
            return self.text(text, at);
        }
        let mut at = at;
        for c in String::from_utf8_lossy(text).chars() {
            let mut plain = [0; MAX_CHAR];
            let flow = match c {
                '\t' => self.unit(b"\t", at, 1),
                c if c.is_control() => self.unit(escape_control(c).as_bytes(), at, c.len_utf8()),
                c => self.unit(c.encode_utf8(&mut plain).as_bytes(), at, c.len_utf8()),
            }?;
            if flow.is_break() {
                return Ok(flow);
            }
            at += c.len_utf8() as u64;
        }
        GO_ON
    }

    /// Puts valid text that stands for itself at file offset `at`, and may be cut between characters.
    fn text(&mut self, text: &[u8], at: u64) -> Flow {
        let mut rest = text;
        if let Some(max) = self.budget.lines {
            if text.is_empty() {
                return GO_ON;
            }
            if self.tally.newlines >= max {
                return self.cut(CutBy::Lines);
            }
            if let Some(end) = newline::after_nth(text, max - self.tally.newlines) {
                rest = &text[..end];
            }
        }
        let shortened = rest.len() < text.len();
        let prefix = self.prefix_len();
        let room = self.budget.bytes.map(|max| max.saturating_sub(self.tally.content_bytes));
        let room = room.map_or(usize::MAX, |room| usize::try_from(room).unwrap_or(usize::MAX));
        if prefix.saturating_add(rest.len()) > room {
            let fitting = floor_char(rest, room.saturating_sub(prefix));
            self.put_text(&rest[..fitting], at)?;
            return self.cut(CutBy::Bytes);
        }
        self.put_text(rest, at)?;
        if shortened { self.cut(CutBy::Lines) } else { GO_ON }
    }

    /// Puts `content`, which stands for `len` file bytes at `at` and cannot be cut.
    fn unit(&mut self, content: &[u8], at: u64, len: usize) -> Flow {
        if self.budget.lines.is_some_and(|max| self.tally.newlines >= max) {
            return self.cut(CutBy::Lines);
        }
        let wanted = self.prefix_len() as u64 + content.len() as u64;
        if self.budget.bytes.is_some_and(|max| self.tally.content_bytes + wanted > max) {
            return self.cut(CutBy::Bytes);
        }
        self.put_prefix()?;
        self.sink.put(content)?;
        self.tally.content_bytes += content.len() as u64;
        self.tally.mid_line = true;
        self.fresh_line = false;
        if len > 0 {
            self.tally.end = at + len as u64;
        }
        GO_ON
    }

    fn put_text(&mut self, text: &[u8], at: u64) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.put_prefix()?;
        self.sink.put(text)?;
        let newlines = newline::count(text);
        if newlines > 0 && self.budget.bytes.is_some() {
            let whole = memrchr(b'\n', text).map_or(0, |last| last + 1) as u64;
            self.last_line_end = Some(Tally {
                content_bytes: self.tally.content_bytes + whole,
                newlines: self.tally.newlines + newlines,
                mid_line: false,
                end: at + whole,
                ..self.tally
            });
        }
        self.tally.content_bytes += text.len() as u64;
        self.tally.newlines += newlines;
        self.tally.mid_line = !text.ends_with(b"\n");
        self.tally.end = at + text.len() as u64;
        self.fresh_line = !self.tally.mid_line;
        self.line += newlines;
        Ok(())
    }

    /// Ends the content here, or after the last whole line if it is a budget of bytes.
    fn cut(&mut self, by: CutBy) -> Flow {
        if by == CutBy::Bytes
            && self.tally.mid_line
            && let Some(line_end) = self.last_line_end
        {
            self.tally = line_end;
        }
        self.tally.cut = Some(by);
        Ok(ControlFlow::Break(()))
    }

    /// Makes the number of a line that is about to begin, and says how long it is.
    fn prefix_len(&mut self) -> usize {
        if !self.shape.number || !self.fresh_line {
            return 0;
        }
        self.prefix = match self.shape.color {
            true => format!("{}→", format!("{:>6}", self.line).green()),
            false => format!("{:>6}→", self.line),
        };
        self.prefix.len()
    }

    fn put_prefix(&mut self) -> Result<()> {
        if self.shape.number && self.fresh_line {
            self.sink.put(self.prefix.as_bytes())?;
            self.tally.content_bytes += self.prefix.len() as u64;
        }
        Ok(())
    }
}

/// A control character as text: `\x1b`, and `\u{9b}` for those beyond ASCII.
fn escape_control(c: char) -> String {
    let code = u32::from(c);
    if code < 0x80 { format!("\\x{code:02x}") } else { format!("\\u{{{code:x}}}") }
}
