//! Refuses bad option combinations, other versions and binary files before anything is located.

use std::path::Path;

use crate::content::InvalidBytes;
use crate::format::Format;
use crate::hints;
use crate::options::check_receipt;
use crate::request::Request;
use rread_reader::reader::Reader;
use rread_source::Change;
use rread_source::access::Access;
use rread_source::file::sample;
use rread_source::version::Version;
use rread_text::error::{Error, Kind, Result};
use rread_text::range::{Range, Unit};
use rread_text::sentence::{Call, Sentence, call, setting};
use rread_text::sniff::Content;

impl Request<'_> {
    /// Conflicts that a parser cannot detect, since the format may come from the environment.
    pub(super) fn check(&self, format: Format) -> Result<()> {
        if self.content.metadata_only {
            check_receipt("--metadata-only", format)?;
        }
        let finds_lines = self.ranges.iter().any(|range| range.unit == Unit::Lines) || self.time.is_some();
        if format == Format::Raw && self.content.read.encoding.is_some() && !finds_lines {
            return Err(self.without_effect());
        }
        if format == Format::Raw && self.content.invalid == Some(InvalidBytes::Escape) {
            return Err(Error::usage(
                "--invalid escape changes bytes, but raw output is the bytes of the file",
            )
            .hint("--invalid escape --format text"));
        }
        Ok(())
    }

    /// Raw output is the bytes of the file, and `--encoding` decides at most where its lines end.
    fn without_effect(&self) -> Error {
        Error::usage(
            "--encoding has no effect on raw output, which is the bytes of the file; -f text writes the decoded text",
        )
        .hint(self.as_text())
    }

    /// The hint: the same request as text, where an encoding has an effect.
    fn as_text(&self) -> Sentence {
        let label = self.content.read.encoding.as_deref().unwrap_or("auto");
        let prefix = |range: &Range| if self.several && range.unit == Unit::Bytes { "b" } else { "" };
        let ranges: Vec<String> =
            self.ranges.iter().map(|range| format!("{}{range}", prefix(range))).collect();
        let command = match &self.ranges[..] {
            [] => "page",
            _ if self.several => "ranges",
            [range, ..] => range.unit.command(),
        };
        let ranges = Some(ranges.join(",")).filter(|ranges| !ranges.is_empty());
        let file = call(command).file(&self.path);
        ranges.iter().fold(file, Call::word).with("E", label).with("f", "text").again()
    }

    /// If the version has changed, reports that instead of the failure to open the file.
    pub(super) fn prefer_change(&self, error: Error) -> Error {
        if self.content.expect.is_none() || error.kind != Kind::Io {
            return error;
        }
        let access = Access { raw: true, salvage: false, ..self.content.read.source.access.clone() };
        match self
            .content
            .read
            .source
            .stored_path(&self.path)
            .and_then(|path| Reader::open_as(&path, &access))
        {
            Ok(stored) => {
                self.check_version(&stored).err().filter(|e| e.kind == Kind::Changed).unwrap_or(error)
            }
            Err(_) => error,
        }
    }

    pub(super) fn check_version(&self, reader: &Reader) -> Result<()> {
        let Some(expected) = &self.content.expect else { return Ok(()) };
        check_version(&self.path, reader, expected, Some(self.content.expect_prefix))
    }

    /// Line numbers and clipping need lines whose bytes are those of ASCII.
    pub(super) fn check_options(&self, format: Format, reader: &Reader) -> Result<()> {
        let has_label = self.content.read.encoding.is_some();
        if format == Format::Raw && has_label && !self.cuts_at_characters() && reader.has_usual_lines()? {
            return Err(self.without_effect());
        }
        let encoding = reader.encoding();
        let works_on_lines = self.content.number || self.content.max_columns.is_some();
        if format != Format::Raw || !works_on_lines || encoding.units().width() == 1 && !encoding.has_state()
        {
            return Ok(());
        }
        let option = match (self.hash, self.content.number) {
            (Some(_), _) => "--hash",
            (None, true) => "--number",
            (None, false) => "--max-columns",
        };
        let name = encoding.name();
        Err(Error::usage(format!(
            "{option} changes lines, but raw output is the bytes of the file, here {name}"
        ))
        .hint(format!("{option} --format text")))
    }

    pub(super) fn check_content(&self, reader: &Reader) -> Result<()> {
        if self.content.text || self.content.encode.is_some() {
            return Ok(());
        }
        match reader.sniffed().content {
            // An explicit encoding means that the file is text.
            Content::Binary if reader.is_binary() => {
                let raw = self.content.read.source.access.raw;
                Err(hints::unreadable(&self.path, reader, raw)?)
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a file that is not in the `expected` state. One that has only grown is accepted with `--expect-prefix`; `None` if
/// the command has no such option.
pub fn check_version(
    path: &Path,
    reader: &Reader,
    expected: &Version,
    accepts_prefix: Option<bool>,
) -> Result<()> {
    let Some(now) = reader.version()? else {
        return Err(Error::usage("this source has no version to expect").hint("leave out --expect"));
    };
    if let (Version::Tagged(text), Version::File(_)) = (expected, &now) {
        let message = format!("'{text}' is not a version of a file: use the version in an earlier receipt");
        return Err(Error::usage(message).hint(call("stat").file(path)));
    }
    let changed = expected.compare(&now, |size| sample(reader.stored(), size));
    let change = match changed.map_err(|cause| Error::read("cannot read its first or last bytes", &cause))? {
        None => return Ok(()),
        Some(Change::Appended) if accepts_prefix == Some(true) => return Ok(()),
        Some(change) => change,
    };
    let sizes = match (expected.size(), now.size()) {
        (Some(then), Some(now)) => format!("{then} bytes expected, {now} found; "),
        _ => String::new(),
    };
    let message = format!("is not the expected version: {} ({sizes}version {now})", change.name());
    let error = Error::new(Kind::Changed, message);
    Err(match change {
        Change::Appended if accepts_prefix.is_some() => {
            let both = setting("expect").then(format!(" {expected} ")).then(setting("expect-prefix"));
            error.hint(both.then(" accepts a file that has only grown"))
        }
        _ => error.hint(call("stat").file(path)),
    })
}
