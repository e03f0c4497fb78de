//! `rread where`: from a byte to its line and column, from a line to its bytes.

use std::path::PathBuf;

use clap::Args;

use crate::answer::damage;
use crate::answer::deliver::refuse_torn;
use crate::answer::facts::compression;
use crate::args::{InputArgs, OutputArgs};
use crate::envelope::{
    Checked, Compression, Facts, compression_facts, damage_facts, notice_facts, notices, traffic_facts,
};
use crate::error::{Error, Kind, Result, counted};
use crate::format::{Names, envelopes};
use crate::hints;
use crate::output::Out;
use crate::progress::Progress;
use crate::range::{Place, Range, Unit, parse_place};
use crate::reader::Reader;
use crate::selection::{Context, Selection};

/// Report where a byte or a line is: byte to line and column, line to bytes
///
/// Some programs count bytes (rg -b, core dumps, database logs), others count lines (editors, compilers). Lines and
/// columns are numbered from 1, bytes from 0; columns are bytes, and the \n that ends a line belongs to it. The
/// answer for a line has its first byte and its range of bytes, whose end is not included. where uses and builds
/// the line index, as lines does.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread where app.log --byte 1048576    the line and column of that byte
  rread where app.log --line 500000     the bytes of that line")]
pub(crate) struct WhereArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::file::file())]
    file: PathBuf,
    /// A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end; this or --line is required
    #[arg(long, value_name = "N", required_unless_present = "line", conflicts_with = "line")]
    byte: Option<String>,
    /// A line number, from 1; -N counts from the end; this or --byte is required
    #[arg(long, value_name = "N")]
    line: Option<String>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl WhereArgs {
    /// How the answer is written.
    pub(crate) fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<()> {
        let format = self.output.format()?;
        let (facts, damage) = self.locate().map_err(|error| error.about(&self.file))?;
        let mut out = Out::stdout()?;
        let color = self.output.use_color(&out);
        let names = Names { one: "file_position", several: "file_positions", list: "positions" };
        envelopes(&mut out, format, color, names, &[facts], false)?;
        out.flush()?;
        damage.map_or(Ok(()), Err)
    }

    /// Where it is; and what is wrong, if its text does not agree with its checksum.
    fn locate(&self) -> Result<(Facts, Option<Error>)> {
        let policy = self.input.policy()?;
        let reader = self.input.open(&self.file)?;
        if let Some(policy) = &policy {
            reader.use_index(&self.file, policy);
        }
        let mut facts = Facts::default();
        facts.path(&self.file);
        let progress = Progress::watch(&reader);
        let end = match (&self.byte, &self.line) {
            (Some(byte), _) => self.locate_byte(&reader, parse_place(byte, Unit::Bytes)?, &mut facts),
            (None, Some(line)) => self.locate_line(&reader, parse_line(line)?, &mut facts),
            (None, None) => return Err(Error::usage("neither --byte nor --line was given")),
        };
        let end = end.map_err(|error| self.salvaged(&reader, error, true))?;
        // How many lines there are before it depends on all of the text before it.
        let checked = damage::check(&reader, 0, end, false);
        drop(progress);
        reader.save_index(false);
        facts.number("total", reader.told_size());
        facts.number("total_lines", damage::known_lines(&reader));
        let compression = compression(&reader).map(|compression| Compression { checked, ..compression });
        compression_facts(&mut facts, compression, reader.told_size());
        let is_damaged = checked == Checked::Damaged;
        let damaged = damage::damaged(&reader).filter(|_| is_damaged || reader.is_salvaged());
        damage_facts(&mut facts, damaged.as_ref());
        if let Some(version) = reader.version()? {
            facts.text("version", version.to_string());
        }
        facts.text("index", reader.index_outcome().name());
        facts.number("bytes_scanned", reader.scanned());
        traffic_facts(&mut facts, reader.source().info().traffic);
        let change = reader.changed();
        refuse_torn(change)?;
        notice_facts(&mut facts, &notices(change, compression, reader.is_unverified()), change);
        let damage = reader.damage().filter(|_| is_damaged && !reader.is_salvaged());
        Ok((
            facts,
            damage.map(|damage| self.salvaged(&reader, reader.damaged(&damage), false).at(&self.file)),
        ))
    }

    /// The same request with the option that answers it in spite of damage, where a place from the end was asked for or
    /// the text is not `sound`.
    fn salvaged(&self, reader: &Reader, error: Error, sound: bool) -> Error {
        let byte = self.byte.as_ref().map(|place| ("--byte", place.trim()));
        let asked = byte.or_else(|| self.line.as_ref().map(|place| ("--line", place.trim())));
        let is_damage = error.kind == Kind::Io && reader.damage().is_some();
        match asked.filter(|(_, place)| is_damage && (!sound || place.starts_with('-'))) {
            Some((option, place)) => {
                error.hint(hints::again("where", &self.file, &format!("{option} {place} --salvage")))
            }
            None => error,
        }
    }

    /// Returns how much of the text the answer depends on.
    fn locate_byte(&self, reader: &Reader, place: Place, facts: &mut Facts) -> Result<u64> {
        let offset = match place {
            Place::Front(offset) => offset,
            Place::Back(back) => reader.size()?.saturating_sub(back),
        };
        let there = reader.reach(offset.saturating_add(1))?;
        if offset >= there {
            let end = format!("byte {offset} is beyond the end of the file ({})", counted(there, "byte"));
            return Err(Error::new(Kind::OutOfRange, end).hint(hints::again(
                "where",
                &self.file,
                "--byte -1",
            )));
        }
        let newlines = reader.newlines_before(offset)?;
        let start = reader.line_start(offset)?;
        facts.number("byte", offset);
        facts.number("line", newlines + 1);
        facts.number("column", offset - start + 1);
        facts.number("line_start", start);
        Ok(offset + 1)
    }

    fn locate_line(&self, reader: &Reader, place: Place, facts: &mut Facts) -> Result<u64> {
        let range = Range { unit: Unit::Lines, form: crate::range::Form::One(place) };
        let selection = Selection { ranges: &[range], context: Context::default(), header: 0, numbers: true };
        let located = selection.locate(reader)?;
        let slice = located.slices.into_iter().next().unwrap_or_else(|| Err(Error::usage("no line")));
        let slice = slice.map_err(|error| match error.kind {
            Kind::OutOfRange => error.hint(hints::again("where", &self.file, "--line -1")),
            _ => error,
        })?;
        facts.number("line", slice.first_line);
        facts.number("byte", slice.start);
        facts.text("range", format!("{}-{}", slice.start, slice.end));
        Ok(slice.end)
    }
}

/// A line that can be: `-0` is the point behind the last.
fn parse_line(text: &str) -> Result<Place> {
    match parse_place(text, Unit::Lines)? {
        Place::Back(0) => Err(Error::invalid_range("line -0 does not exist: the last line is -1")),
        place => Ok(place),
    }
}
