//! `rread stat`: what a file is, without reading it all.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;

use crate::answer::damage;
use crate::answer::deliver::refuse_torn;
use crate::answer::facts::compression;
use crate::args::environment::place;
use crate::args::{InputArgs, OutputArgs};
use crate::envelope::{
    Checked, Compression, Fact, Facts, compression_facts, damage_facts, notice_facts, notices, traffic_facts,
};
use crate::error::{Error, Kind, Result};
use crate::format::{Names, envelopes};
use crate::hints;
use crate::image::examine;
use crate::newline::Units;
use crate::output::Out;
use crate::progress::Progress;
use crate::quote::quoted;
use crate::reader::Reader;
use crate::reader::full_scan::FullScan;
use crate::sniff::SAMPLE;
use crate::source::object::{FIRST_FETCH, Object};

/// Report what a file is, without reading it all
///
/// Size, type, encoding, line ends and version come from the metadata, the first 8 KiB and the last 4 KiB of the
/// file, at the same cost for any size. --count scans the file for the number of lines, the longest line, exact
/// line ends and invalid text. Without --count, lines is exact for a file of up to 8 KiB or with a line index;
/// other files get estimated_lines, if their first 8 KiB have a line end. A binary file has no facts about lines
/// without --count. It has a hint, the command that shows its content, and a picture also has width and height.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread stat app.log
  rread stat --count app.log --json
  rread stat *.log")]
pub(crate) struct StatArgs {
    /// Files to examine; - is standard input
    #[arg(value_name = "FILE", required = true, value_parser = crate::args::file::file())]
    files: Vec<PathBuf>,
    /// Scan the file for its exact lines, longest line, line ends and invalid text
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const NAMES: Names = Names { one: "file_stat", several: "file_stats", list: "files" };

impl StatArgs {
    /// How the answer is written.
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// Runs the command: every file is answered, also after one that cannot be.
    pub(crate) fn run(self) -> Result<()> {
        let format = self.output.format()?;
        self.input.encoding.choice()?;
        let mut out = Out::stdout()?;
        let color = self.output.use_color(&out);
        let several = self.files.len() > 1;
        crate::answer::check_streams(self.files.iter().map(PathBuf::as_path))?;
        let mut first_error = None;
        let mut answers = Vec::with_capacity(self.files.len());
        for path in &self.files {
            match self.examine(path).map_err(|error| error.about(path)) {
                Ok((facts, damage)) => {
                    answers.push(facts);
                    first_error = first_error.or(damage);
                }
                Err(error) if !several => return Err(error),
                Err(error) => {
                    answers.push(refusal(path, &error));
                    first_error.get_or_insert(error);
                }
            }
        }
        envelopes(&mut out, format, color, NAMES, &answers, several)?;
        out.flush()?;
        first_error.map_or(Ok(()), Err)
    }

    /// What the file is; and what is wrong, if damage kept it from being counted.
    fn examine(&self, path: &Path) -> Result<(Facts, Option<Error>)> {
        let reader = self.input.open(path)?;
        if let Some(policy) = self.input.policy()? {
            reader.use_index(path, &policy);
        }
        let is_binary = reader.is_binary();
        let decided = reader.decided();
        // Before anything else: a stream's size is known only after it has been read.
        let (full_scan, damage) = match self.count.then(|| self.count(&reader, path)) {
            None => (None, None),
            Some(Ok(full_scan)) => (Some(full_scan), None),
            Some(Err(error)) if error.kind == Kind::Io && reader.damage().is_some() => (None, Some(error)),
            Some(Err(error)) => return Err(error),
        };
        let seen = if full_scan.is_some() { reader.known_size() } else { None };
        let checked = damage::check(&reader, 0, seen.unwrap_or(SAMPLE as u64), false);
        // What a file is can be said of a damaged one too.
        let checked =
            if full_scan.is_none() && checked == Checked::Damaged { Checked::Right } else { checked };
        let compression = compression(&reader).map(|compression| Compression { checked, ..compression });
        let mut facts = Facts::default();
        facts.path(path);
        facts.text("kind", if is_binary { "binary" } else { "text" });
        facts.text("mime", reader.mime()?);
        facts.flag("binary", is_binary);
        if !is_binary {
            facts.text("encoding", decided.name());
            facts.text("encoding_source", decided.origin.name());
            if let Some(guess) = reader.encoding_guess() {
                facts.words("encoding_guess", Some(guess.as_str()).filter(|_| decided.unknown));
                facts.text("encoding_hint", hints::encoding_hint(path, &reader, &guess));
            }
        }
        facts.flag("bom", decided.bom);
        // Line feeds among other data end no lines; who asks for a count of them gets it.
        if !is_binary || full_scan.is_some() {
            line_facts(&mut facts, &reader, full_scan)?;
        }
        if is_binary {
            binary_facts(&mut facts, path, &reader, self.input.source.packing.no_decompress)?;
        }
        facts.number("total", reader.known_size());
        compression_facts(&mut facts, compression, reader.known_size());
        damage_facts(&mut facts, damage::damaged(&reader).as_ref());
        if path == Path::new("-") {
            // Where standard input is a regular file.
            if let Some(metadata) = reader.source().info().metadata {
                file_system_facts(&mut facts, metadata);
            }
        } else if let Some(metadata) = place(path).ok().and_then(|path| fs::metadata(path).ok()) {
            file_system_facts(&mut facts, &metadata);
        }
        if let Some(object) = reader.source().info().object {
            object_facts(&mut facts, object);
        }
        if let Some(version) = reader.version()? {
            facts.text("version", version.to_string());
        }
        reader.save_index(false);
        facts.text("index", reader.index_outcome().name());
        facts.number("bytes_scanned", reader.scanned());
        traffic_facts(&mut facts, reader.source().info().traffic);
        let change = full_scan.and_then(|_| reader.changed());
        refuse_torn(change)?;
        notice_facts(&mut facts, &notices(change, compression, reader.is_unverified()), change);
        Ok((facts, damage))
    }

    fn count(&self, reader: &Reader, path: &Path) -> Result<FullScan> {
        let _progress = Progress::watch(reader);
        reader.full_scan().map_err(|error| match reader.damage() {
            Some(_) if error.kind == Kind::Io => {
                let words = format!("{} --count --salvage", quoted(path));
                error.hint(format!("rread stat {words}")).at(path)
            }
            _ => error,
        })
    }
}

/// The size of a picture, and what shows the content.
fn binary_facts(facts: &mut Facts, path: &Path, reader: &Reader, as_stored: bool) -> Result<()> {
    // The header of a picture may lie beyond the first bytes: of an object, that would be further requests.
    if reader.mime()?.starts_with("image/") && reader.source().info().object.is_none() {
        // A damaged header says nothing of the size.
        if let Ok(Some(picture)) = examine(reader) {
            facts.number("width", picture.width);
            facts.number("height", picture.height);
        }
    }
    facts.words("hint", hints::shows(path, reader, as_stored)?.as_deref());
    Ok(())
}

/// Line ends and lines, from a full_scan if there is one; else from the first bytes, the last and the index.
fn line_facts(facts: &mut Facts, reader: &Reader, full_scan: Option<FullScan>) -> Result<()> {
    let sample = Sample::take(reader)?;
    let newline =
        full_scan.map_or_else(|| sample.newline(), |full_scan| newline_name(full_scan.lf, full_scan.crlf));
    facts.text("newline", newline);
    let size = reader.known_size();
    let known_lines = reader.known_lines();
    // The last byte of compressed text takes decoding much of it, unless that has been done; that of an object takes
    // one more request, unless it came with the first.
    let source = reader.source();
    let is_decoded = full_scan.is_some() || known_lines.is_some() || size == Some(sample.bytes.len() as u64);
    let is_there = |size: u64| source.info().object.is_none() || full_scan.is_some() || size <= FIRST_FETCH;
    if let Some(size) = size.filter(|size| is_decoded || source.info().decoding.is_none() && is_there(*size))
    {
        facts.flag("final_newline", Sample::final_newline(reader, size)?);
    }
    match (full_scan, known_lines, size.map(|size| sample.lines(size))) {
        (Some(full_scan), ..) => {
            facts.number("lines", full_scan.lines);
            facts.map(
                "longest_line",
                vec![("line", full_scan.longest.line), ("bytes", full_scan.longest.bytes)],
            );
            facts.map("newlines", vec![("lf", full_scan.lf), ("crlf", full_scan.crlf)]);
            let first = full_scan.invalid.first_byte.map(|at| ("first_byte", at));
            facts
                .map("invalid_utf8", [("count", full_scan.invalid.count)].into_iter().chain(first).collect());
        }
        (None, Some(lines), _) | (None, None, Some(Lines::Exact(lines))) => facts.number("lines", lines),
        (None, None, Some(Lines::Estimated(lines))) => facts.number("estimated_lines", lines),
        (None, None, None) => {}
    }
    Ok(())
}

/// The entry of a file that cannot be examined.
fn refusal(path: &Path, error: &Error) -> Facts {
    let mut facts = Facts::default();
    facts.path(path);
    facts.text("error", &error.message);
    facts.text("error_kind", error.kind.name());
    facts
}

fn modified(facts: &mut Facts, time: Option<SystemTime>) {
    // The formatter knows the years 1970 to 9999.
    let last = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(253_402_300_799);
    if let Some(time) = time.filter(|time| (SystemTime::UNIX_EPOCH..last).contains(time)) {
        facts.text("modified", humantime::format_rfc3339_nanos(time).to_string());
    }
}

/// What the server says of an object.
fn object_facts(facts: &mut Facts, object: &Object) {
    modified(facts, object.modified);
    let words = [
        ("content_type", &object.content_type),
        ("content_encoding", &object.content_encoding),
        ("storage_class", &object.storage_class),
        ("version_id", &object.version_id),
        ("etag", &object.etag),
    ];
    for (key, word) in words {
        if let Some(word) = word {
            facts.text(key, word);
        }
    }
    if !object.metadata.is_empty() {
        facts.put("metadata", Fact::Pairs(["metadata", "name", "value"], object.metadata.clone()));
    }
}

fn file_system_facts(facts: &mut Facts, metadata: &Metadata) {
    modified(facts, metadata.modified().ok());
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
    Estimated(Option<u64>),
}

/// The first bytes of a file, whole code units.
struct Sample {
    bytes: Vec<u8>,
    units: Units,
}

impl Sample {
    fn take(reader: &Reader) -> Result<Self> {
        let mut bytes = vec![0; SAMPLE];
        let got = reader.read_front(&mut bytes)?;
        bytes.truncate(got);
        Ok(Sample { bytes, units: reader.units() })
    }

    fn newline(&self) -> &'static str {
        let crlf = self.units.count_crlf(&self.bytes);
        newline_name(self.units.count(&self.bytes) - crlf, crlf)
    }

    fn final_newline(reader: &Reader, size: u64) -> Result<bool> {
        Ok(size > 0 && !reader.is_unterminated(size)?)
    }

    /// Lines of a file of `size` bytes; exact when this is all of it.
    fn lines(&self, size: u64) -> Lines {
        let newlines = self.units.count(&self.bytes);
        let sampled = self.bytes.len() as u64;
        if sampled == size {
            let unterminated = !self.bytes.is_empty() && !self.units.ends_with(&self.bytes, b'\n');
            return Lines::Exact(newlines + u64::from(unterminated));
        }
        // Nothing can be said of lines that are all longer than the sample.
        let estimate = u128::from(size) * u128::from(newlines) / u128::from(sampled.max(1));
        Lines::Estimated(u64::try_from(estimate).ok().filter(|lines| *lines > 0))
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
