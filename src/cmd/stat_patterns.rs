//! `rread stat --patterns`: the kinds of lines of a file, the most frequent and the rarest.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use rread_answer::content::Sink;
use rread_answer::format::Body;
use rread_answer::options::TimeReading;
use rread_answer::output::Out;
use rread_answer::receipt::{PatternInfo, StatInfo};
use rread_reader::kinds::{Kind, Kinds};
use rread_reader::reader::Reader;
use rread_reader::times::Log;
use rread_text::error::{Result, printable};

/// Between the most frequent kinds and the rarest, where others are left out.
const GAP: &str = "--\n";

/// Adds to `info` the kinds of the lines that begin in `spans`, or in the whole file; at most `most` of them.
pub(super) fn add_patterns(
    info: &mut StatInfo,
    (path, reader): (&Path, &Reader),
    spans: Option<&[Range<u64>]>,
    (most, is_rarest): (usize, bool),
    time: &TimeReading,
) -> Result<()> {
    let whole = 0..u64::MAX;
    let kinds = reader.kinds(spans.unwrap_or(std::slice::from_ref(&whole)))?;
    info.kinds = Some(kinds.kinds.len() as u64);
    info.other_lines = Some(kinds.other_lines).filter(|lines| *lines > 0);
    if spans.is_none() {
        info.lines = Some(kinds.lines);
        info.estimated_lines = None;
    }
    let log = Log::open(reader, &time.options(path))?;
    for kind in chosen(&kinds, most, is_rarest) {
        info.patterns.push(PatternInfo {
            count: kind.count,
            first_line: kind.first_line,
            first_byte: kind.first_byte,
            first_time: time_at(reader, log.as_ref(), kind.first_byte)?,
            last_time: time_at(reader, log.as_ref(), kind.last_byte)?,
            pattern: reader.pattern_at(kind.first_byte)?,
            line: is_rarest.then(|| reader.line_text(kind.first_byte)).transpose()?,
        });
    }
    Ok(())
}

/// The first half is of the most frequent kinds, the other of the rarest; or all are of the rarest.
fn chosen(kinds: &Kinds, most: usize, is_rarest: bool) -> impl Iterator<Item = &Kind> {
    let all = kinds.kinds.len();
    let shown = most.min(all);
    let rare = if is_rarest { shown } else { shown / 2 };
    kinds.kinds[..shown - rare].iter().chain(&kinds.kinds[all - rare..])
}

fn time_at(reader: &Reader, log: Option<&Log<'_>>, start: u64) -> Result<Option<String>> {
    let Some(log) = log else { return Ok(None) };
    let end = start + reader.units().width() as u64;
    Ok(log.time_before(end)?.map(|time| log.format_time(time)))
}

/// The kinds of a file as lines: how many, the first line, the first and the last time, the pattern.
pub(super) struct PatternLines(String);

impl PatternLines {
    /// Takes the patterns out of `info`, which then has the length of these lines.
    pub(super) fn take(info: &mut StatInfo) -> Option<Self> {
        let kinds = info.kinds?;
        let patterns = std::mem::take(&mut info.patterns);
        let is_rarest = patterns.iter().any(|kind| kind.line.is_some());
        let frequent = if is_rarest { 0 } else { patterns.len() - patterns.len() / 2 };
        let width = patterns.iter().map(|kind| kind.first_line.to_string().len()).max().unwrap_or(0);
        let mut text = String::new();
        for (number, kind) in patterns.iter().enumerate() {
            if number == frequent && number > 0 && (patterns.len() as u64) < kinds {
                text += GAP;
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "{:>9} line {:<width$} ", kind.count, kind.first_line);
            if let (Some(first), Some(last)) = (&kind.first_time, &kind.last_time) {
                let _ = write!(text, "{first}..{last} ");
            }
            text += " ";
            text += &printable(kind.line.as_ref().unwrap_or(&kind.pattern).trim_end());
            text.push('\n');
        }
        info.content_bytes = Some(text.len() as u64);
        Some(PatternLines(text))
    }
}

impl Body for PatternLines {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        sink.write(self.0.as_bytes())
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        out.write(self.0.as_bytes())
    }
}
