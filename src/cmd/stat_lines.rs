//! The lines of a file: by its first and last bytes, by its line index, or by a scan of the whole.

use rread_answer::receipt::{InvalidInfo, LongestLine, Newlines, StatInfo};
use rread_reader::reader::Reader;
use rread_reader::reader::full_scan::FullScan;
use rread_source::object::FIRST_FETCH;
use rread_text::error::Result;
use rread_text::newline::Units;
use rread_text::sniff::SAMPLE;

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
        let (count, first_byte) = (scan.invalid.count, scan.invalid.first_byte);
        info.invalid_utf8 = Some(InvalidInfo { count, first_byte });
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
