//! The lines of a file for `rread stat`: their number, by an index or a scan, and with `--patterns` their kinds.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use rread_answer::TimeReading;
use rread_answer::deliver::Held;
use rread_answer::receipt::{InvalidInfo, LongestLine, Newlines, PatternInfo, StatInfo};
use rread_reader::reader::full_scan::{FullScan, Invalid};
use rread_reader::{Log, Reader};
use rread_source::object::FIRST_FETCH;
use rread_text::sniff::SAMPLE;
use rread_text::{Result, Units, printable};

/// The size of a file whose last bytes cost little: reading them decodes much of a compressed file, and costs one more
/// request for an object.
pub(super) fn readable_end(reader: &Reader, sample: &Sample, is_scanned: bool) -> Option<u64> {
    let (size, source) = (reader.known_size()?, reader.source());
    let is_decoded = is_scanned || reader.known_lines().is_some() || size == sample.bytes.len() as u64;
    let is_there = source.info().object.is_none() || is_scanned || size <= FIRST_FETCH;
    (is_decoded || source.info().decoding.is_none() && is_there).then_some(size)
}

/// From a full scan if there is one; otherwise from the first and last bytes and the index.
pub(super) fn line_info(
    info: &mut StatInfo,
    reader: &Reader,
    sample: &Sample,
    (scan, end): (Option<FullScan>, Option<u64>),
) -> Result<()> {
    let newline = scan.map_or_else(|| sample.newline(), |scan| newline_name(scan.lf, scan.crlf));
    let has_returns = scan.map_or_else(|| sample.units.has_return(&sample.bytes), |scan| scan.has_returns);
    info.newline = Some(if newline == "none" && has_returns { "cr" } else { newline });
    let size = reader.known_size();
    let known_lines = reader.known_lines();
    if let Some(size) = end {
        info.final_newline = Some(size > 0 && !reader.is_unterminated(size)?);
    }
    if let Some(scan) = scan {
        info.lines = Some(scan.lines);
        info.longest_line = Some(LongestLine { line: scan.longest.line, bytes: scan.longest.bytes });
        info.newlines = Some(Newlines { lf: scan.lf, crlf: scan.crlf });
        let of = |Invalid { count, first_byte }| InvalidInfo { count, first_byte };
        info.invalid_utf8 = Some(of(scan.invalid));
        [info.nuls, info.control_characters] = scan.odd.map(|odd| Some(of(odd)).filter(|odd| odd.count > 0));
        return Ok(());
    }
    let is_whole = size == Some(sample.bytes.len() as u64);
    info.lines = known_lines.or_else(|| is_whole.then(|| sample.lines()));
    if info.lines.is_none() {
        info.estimated_lines = size.and_then(|size| sample.estimate_lines(size));
    }
    Ok(())
}

/// The first bytes of a file.
pub(super) struct Sample {
    pub(super) bytes: Vec<u8>,
    units: Units,
}

impl Sample {
    pub(super) fn take(reader: &Reader) -> Result<Self> {
        let mut bytes = vec![0; SAMPLE];
        let got = reader.read_front(&mut bytes)?;
        bytes.truncate(got);
        Ok(Sample { bytes, units: reader.units() })
    }

    fn newline(&self) -> &'static str {
        let crlf = self.units.count_crlf(&self.bytes);
        newline_name(self.units.count(&self.bytes) - crlf, crlf)
    }

    fn lines(&self) -> u64 {
        let unterminated = !self.bytes.is_empty() && !self.units.ends_with(&self.bytes, b'\n');
        self.units.count(&self.bytes) + u64::from(unterminated)
    }

    /// The lines in a file of `size` bytes; `None` if the sample has no line end.
    fn estimate_lines(&self, size: u64) -> Option<u64> {
        let newlines = u128::from(self.units.count(&self.bytes));
        let estimate = u128::from(size) * newlines / self.bytes.len().max(1) as u128;
        u64::try_from(estimate).ok().filter(|lines| *lines > 0)
    }
}

fn newline_name(lf: u64, crlf: u64) -> &'static str {
    match (lf, crlf) {
        (0, 0) => "none",
        (_, 0) => "lf",
        (0, _) => "crlf",
        _ => "mixed",
    }
}

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
    let time_at = |start| log.as_ref().map_or(Ok(None), |log| log.time_at(start));
    // The first half is of the most frequent kinds, the other of the rarest; or all are of the rarest.
    let all = kinds.kinds.len();
    let shown = most.min(all);
    let rare = if is_rarest { shown } else { shown / 2 };
    for kind in kinds.kinds[..shown - rare].iter().chain(&kinds.kinds[all - rare..]) {
        info.patterns.push(PatternInfo {
            count: kind.count,
            first_line: kind.first_line,
            first_byte: kind.first_byte,
            first_time: time_at(kind.first_byte)?,
            last_time: time_at(kind.last_byte)?,
            pattern: String::from_utf8_lossy(&kind.pattern).into_owned(),
            line: is_rarest.then(|| reader.line_text(kind.first_byte)).transpose()?,
        });
    }
    Ok(())
}

/// Takes the kinds out of `info` as lines: how many, the first line, the first and the last time, the pattern. `info`
/// then has the length of these lines.
pub(super) fn take_patterns(info: &mut StatInfo) -> Option<Held> {
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
    Some(Held(text.into_bytes()))
}
