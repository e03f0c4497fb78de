//! `rread stat`: what a file is, without reading it all.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;

use super::OutputArgs;
use super::answer::about;
use crate::error::Result;
use crate::output::Out;
use crate::reader::Reader;
use crate::render::{Format, envelope};
use crate::report::Facts;
use crate::sniff::{Content, SAMPLE};

/// Say what a file is, without reading it all
///
/// Size, type, encoding, line ends and version come from the file's metadata, its first 8 KiB and its last byte, at the same
/// cost for any size. What takes a whole scan (lines, the longest line, exact line ends, invalid UTF-8) comes with
/// --count; without it a larger file gets estimated_lines.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread stat app.log
  rread stat --count app.log --json
  rread stat *.log")]
pub struct StatArgs {
    /// Files to look at; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Scan the file: exact lines, longest line, line ends and invalid UTF-8
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl StatArgs {
    /// How the answer is written.
    #[must_use]
    pub fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// Runs the command: every file is answered, also after one that cannot be.
    ///
    /// # Errors
    /// The first of those that could not be.
    pub fn run(self) -> Result<()> {
        let format = self.output.format()?;
        let mut out = Out::stdout()?;
        let color = self.output.use_color(&out);
        let several = self.files.len() > 1;
        let mut first_error = None;
        let frame = |text: &str| if several { text.to_owned() } else { String::new() };
        match format {
            Format::Json => out.write(frame("{\"files\": [").as_bytes())?,
            Format::Xml => out.write(frame("<file_stats>\n").as_bytes())?,
            _ => {}
        }
        for (index, path) in self.files.iter().enumerate() {
            let facts = self.examine(path).unwrap_or_else(|error| {
                let error = about(path, error);
                let mut facts = Facts::default();
                facts.path(path);
                facts.text("error", &error.message);
                facts.text("error_kind", error.kind.name());
                first_error.get_or_insert(error);
                facts
            });
            if !several && first_error.is_some() {
                break;
            }
            if format == Format::Json && index > 0 {
                out.write(b",\n ")?;
            }
            envelope(&mut out, format, color, "file_stat", &facts)?;
        }
        match format {
            _ if !several && first_error.is_some() => {}
            Format::Json => out.write(format!("{}\n", frame("]}")).as_bytes())?,
            Format::Xml => out.write(frame("</file_stats>\n").as_bytes())?,
            _ => {}
        }
        out.flush()?;
        first_error.map_or(Ok(()), Err)
    }

    fn examine(&self, path: &Path) -> Result<Facts> {
        let reader = Reader::open(path)?;
        let sniffed = reader.sniffed();
        let is_binary = sniffed.content == Content::Binary;
        // Before anything is counted: a stream's size is known only after it has been read.
        let census = if self.count { Some(reader.census()?) } else { None };
        let sample = Sample::take(&reader)?;
        let mut facts = Facts::default();
        facts.path(path);
        facts.text("kind", if is_binary { "binary" } else { "text" });
        facts.text("mime", sniffed.mime);
        facts.flag("binary", is_binary);
        match sniffed.content {
            Content::Utf8 => facts.text("encoding", "utf-8"),
            Content::Legacy => facts.text("encoding", "unknown-8bit"),
            Content::Wide(label) => facts.text("encoding", label),
            Content::Binary => {}
        }
        facts.flag("bom", sniffed.bom);
        let newline = census.map_or_else(|| sample.newline(), |census| newline_name(census.lf, census.crlf));
        facts.text("newline", newline);
        if let Some(size) = reader.known_size() {
            facts.flag("final_newline", sample.final_newline(&reader, size)?);
            facts.number("total", size);
        }
        if let Some(census) = census {
            facts.number("lines", census.lines);
            facts.map("longest_line", vec![("line", census.longest.line), ("bytes", census.longest.bytes)]);
            facts.map("newlines", vec![("lf", census.lf), ("crlf", census.crlf)]);
            let first = census.invalid.first_byte.map(|at| ("first_byte", at));
            facts.map("invalid_utf8", [("count", census.invalid.count)].into_iter().chain(first).collect());
        } else if let Some(size) = reader.known_size() {
            match sample.lines(size) {
                Lines::Exact(lines) => facts.number("lines", lines),
                Lines::Estimated(lines) => facts.number("estimated_lines", lines),
            }
        }
        if path != Path::new("-")
            && let Ok(metadata) = fs::metadata(path)
        {
            file_system_facts(&mut facts, &metadata);
        }
        if let Some(version) = reader.version()? {
            facts.text("version", version.to_string());
        }
        facts.text("index", "none");
        facts.number("bytes_scanned", reader.scanned());
        match census.and_then(|_| reader.changed()) {
            None => Ok(facts),
            Some(change) => {
                facts.list("notices", vec!["changed".to_owned()]);
                facts.text("change", change.name());
                Ok(facts)
            }
        }
    }
}

fn file_system_facts(facts: &mut Facts, metadata: &Metadata) {
    // The formatter knows the years 1970 to 9999.
    let last = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(253_402_300_799);
    if let Ok(time) = metadata.modified()
        && (SystemTime::UNIX_EPOCH..last).contains(&time)
    {
        facts.text("modified", humantime::format_rfc3339_nanos(time).to_string());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        facts.text("mode", format!("{:04o}", metadata.mode() & 0o7777));
    }
    #[cfg(not(unix))]
    facts.text("mode", if metadata.permissions().readonly() { "0444" } else { "0644" });
}

/// The number of lines, and how sure that is.
enum Lines {
    Exact(u64),
    Estimated(u64),
}

/// The first bytes of a file.
struct Sample(Vec<u8>);

impl Sample {
    fn take(reader: &Reader) -> Result<Self> {
        let mut bytes = vec![0; SAMPLE];
        let got = reader.read(&mut bytes, 0)?;
        bytes.truncate(got);
        Ok(Sample(bytes))
    }

    fn newline(&self) -> &'static str {
        let crlf = memchr::memmem::find_iter(&self.0, b"\r\n").count() as u64;
        newline_name(crate::newline::count(&self.0) - crlf, crlf)
    }

    fn final_newline(&self, reader: &Reader, size: u64) -> Result<bool> {
        let Some(last) = size.checked_sub(1) else { return Ok(false) };
        let mut byte = [0];
        reader.read_exact(&mut byte, last)?;
        Ok(byte == *b"\n")
    }

    /// Lines of a file of `size` bytes; exact when this is all of it.
    fn lines(&self, size: u64) -> Lines {
        let newlines = crate::newline::count(&self.0);
        let sampled = self.0.len() as u64;
        if sampled == size {
            let unterminated = self.0.last().is_some_and(|last| *last != b'\n');
            return Lines::Exact(newlines + u64::from(unterminated));
        }
        let estimate = u128::from(size) * u128::from(newlines.max(1)) / u128::from(sampled.max(1));
        Lines::Estimated(u64::try_from(estimate).unwrap_or(u64::MAX))
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
