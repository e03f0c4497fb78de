//! `rread where`: byte to line and column, line to bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::args::{InputArgs, OutputArgs, TimeReadingArgs};
use crate::progress::Progress;
use rread_answer::answers::EachFile;
use rread_answer::file_info::{note_cost, refuse_torn};
use rread_answer::receipt::{ByteInfo, Checked, EndInfo, Envelope, LineInfo, StatError, TimeInfo};
use rread_answer::window::{open_log, time_info};
use rread_answer::{FileInfo, Frame, List, Response, Shape, damage, file_info, note_version, pages, respond};
use rread_reader::{Reader, Selection, Slice};
use rread_source::access::OpensMember;
use rread_source::archive::Member;
use rread_source::members::{self, Members};
use rread_text::range::parse_place;
use rread_text::{Error, Form, Kind, Place, Range, Result, Unit, call, counted};

/// Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line
///
/// Some programs count bytes (rg -b, core dumps, database logs), others count lines (editors, compilers). Lines and
/// columns are numbered from 1, bytes from 0; columns are bytes, and the \n that ends a line belongs to it. The
/// answer for a line has its first byte and its range of bytes, whose end is not included. where uses and builds
/// the line index, as lines does. The answer for a time is the first record at or after it.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread where app.log --byte 1048576    the line and column of that byte
  rread where app.log --line 500000     the bytes of that line
  rread where app.log --time 06:01      the first record at or after that time")]
pub(crate) struct WhereArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    /// A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end; this, --line or --time is required
    #[arg(long, value_name = "N", required_unless_present_any = ["line", "time"], conflicts_with_all = ["line", "time"])]
    byte: Option<String>,
    /// A line number, from 1; -N counts from the end; this, --byte or --time is required
    #[arg(long, value_name = "N", conflicts_with = "time")]
    line: Option<String>,
    /// A time, such as 06:01, 2026-11-23T06:01 or -15m: the first record at or after it
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    time: Option<String>,
    #[command(flatten)]
    reading: TimeReadingArgs,
    #[command(flatten)]
    input: InputArgs,
    /// The bytes of FILE, if it is in an archive that is open.
    #[arg(skip)]
    member: Option<Arc<dyn OpensMember>>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Several files: members that a pattern means.
const FILES: List = List { member: "files", element: "file_positions" };

/// A receipt, and the damage that it reports.
type Located = (Box<dyn Envelope>, Option<Error>);

enum Location {
    Byte {
        byte: u64,
        line: u64,
        line_start: u64,
    },
    Line(Slice),
    /// With whether records are out of order, and whether the time is one that a clock showed twice or never.
    Time(Slice, Box<TimeInfo>, bool, bool),
}

impl WhereArgs {
    pub(crate) fn run(self) -> Result<()> {
        respond(&self.output.options()?, Shape::default(), |response| self.answer(response))
    }

    fn answer(&self, response: &mut Response) -> Result<()> {
        let members = members::of_name(&self.file, &self.input.source.options().access, false);
        let about = |error: Error| error.about(&self.file);
        let members = members.map_err(about)?;
        let mut places = Places { list: members.is_some().then_some(FILES), answered: 0 };
        places.in_turn(self, members.as_ref(), response).map_err(about)?;
        Ok(())
    }

    /// The error reports damage, or a checksum that does not match.
    fn locate(&self) -> Result<Located> {
        if self.time.is_none() {
            self.reading.refuse_without("--time")?;
        }
        let options = self.input.options()?;
        let reader = options.open_member(&self.file, self.member.as_ref())?;
        if self.member.is_some() && reader.is_binary() {
            return Err(Error::new(Kind::Binary, "is binary"));
        }
        if let Some(policy) = &options.index {
            reader.use_index(&self.file, policy);
        }
        let progress = Progress::watch(&reader);
        let found = match (&self.byte, &self.line) {
            (None, None) => self.locate_time(&reader),
            (Some(byte), _) => self.locate_byte(&reader, parse_place(byte, Unit::Bytes)?),
            (None, Some(line)) => self.locate_line(&reader, parse_line(line)?),
        };
        let found = found.map_err(|error| self.hint_salvage(&reader, error, true))?;
        let end = match &found {
            Location::Byte { byte, .. } => byte + 1,
            Location::Line(slice) | Location::Time(slice, ..) => slice.end,
        };
        // The line number depends on all of the text before the position.
        let checked = damage::check(&reader, 0, end, false);
        drop(progress);
        reader.save_index(false);
        let mut file = file_info(&self.file, &reader);
        file.details.signs.checked = checked;
        file.total_lines = damage::known_lines(&reader);
        if let Location::Time(_, time, is_unordered, is_ambiguous) = &found {
            file.details.time = Some((**time).clone());
            file.details.signs.is_unordered = *is_unordered;
            file.details.signs.is_ambiguous = *is_ambiguous;
        }
        note_version(&mut file, &reader);
        note_cost(&mut file, &reader);
        refuse_torn(file.details.signs.change)?;
        let end = EndInfo::from(&file);
        let FileInfo { name, details, .. } = file;
        let info: Box<dyn Envelope> = match found {
            Location::Byte { byte, line, line_start } => {
                let column = byte - line_start + 1;
                let page = pages::of_byte(&reader, byte);
                Box::new(ByteInfo { name, byte, line, column, line_start, page, end, details })
            }
            Location::Line(Slice { start, end: after, first_line, .. })
            | Location::Time(Slice { start, end: after, first_line, .. }, ..) => Box::new(LineInfo {
                name,
                line: first_line,
                byte: start,
                range: format!("{start}-{after}"),
                page: pages::of_byte(&reader, start),
                end,
                details,
            }),
        };
        let damage = reader.damage().filter(|_| checked == Checked::Damaged && !reader.is_salvaged());
        Ok((
            info,
            damage
                .map(|damage| self.hint_salvage(&reader, reader.damage_error(&damage), false).at(&self.file)),
        ))
    }

    /// For damaged text, the hint is the same request with --salvage.
    fn hint_salvage(&self, reader: &Reader, error: Error, sound: bool) -> Error {
        let byte = self.byte.as_ref().map(|place| ("byte", place.trim()));
        let asked = byte.or_else(|| self.line.as_ref().map(|place| ("line", place.trim())));
        let is_damage = error.kind == Kind::Io && reader.damage().is_some();
        match asked.filter(|(_, place)| is_damage && (!sound || place.starts_with('-'))) {
            Some((name, place)) => {
                error.hint(call("where").file(&self.file).with(name, place).on("salvage").again())
            }
            None => error,
        }
    }

    fn locate_byte(&self, reader: &Reader, place: Place) -> Result<Location> {
        let offset = match place {
            Place::Front(offset) => offset,
            Place::Back(back) => reader.size()?.saturating_sub(back),
        };
        let there = reader.reach(offset.saturating_add(1))?;
        if offset >= there {
            let end = format!("byte {offset} is beyond the end of the file ({})", counted(there, "byte"));
            let last = call("where").file(&self.file).with("byte", -1).again();
            return Err(Error::new(Kind::OutOfRange, end).hint(last));
        }
        let newlines = reader.newlines_before(offset)?;
        Ok(Location::Byte { byte: offset, line: newlines + 1, line_start: reader.line_start(offset)? })
    }

    /// The first line of the first record at or after the time.
    fn locate_time(&self, reader: &Reader) -> Result<Location> {
        let Some(text) = &self.time else {
            return Err(Error::usage("none of --byte, --line and --time was given"));
        };
        let log = open_log(reader, &self.reading.options(), &self.file)?;
        let time = log.time(text, None)?;
        let info = TimeInfo { since: Some(log.format_time(time)), ..time_info(log.shown()) };
        let (record, is_unordered) = log.first_since(time, self.reading.scan)?;
        let Some(record) = record else {
            let sentence = format!(
                "no record is at or after {}; the last is of {}",
                log.format_time(time),
                log.format_time(log.last.time)
            );
            let hint = call("lines").file(&self.file).word("-20:").again();
            return Err(Error::new(Kind::OutOfRange, sentence).hint(hint));
        };
        let first_line = Some(reader.newlines_before(record.start)? + 1);
        let slice = Slice { start: record.start, end: record.next, first_line, exact: true, short: false };
        let is_unordered = is_unordered && !self.reading.scan;
        Ok(Location::Time(slice, Box::new(info), is_unordered, log.is_ambiguous(text)))
    }

    fn locate_line(&self, reader: &Reader, place: Place) -> Result<Location> {
        let range = Range { unit: Unit::Lines, form: Form::One(place) };
        let located = Selection { numbers: true, ..Selection::of(&[range]) }.locate(reader)?;
        let slice = located.slices.into_iter().next().unwrap_or_else(|| Err(Error::usage("no line")));
        slice.map(Location::Line).map_err(|error| match error.kind {
            Kind::OutOfRange => error.hint(call("where").file(&self.file).with("line", -1).again()),
            _ => error,
        })
    }
}

/// The place in one file after another, which are a list if they are members.
struct Places {
    list: Option<List>,
    answered: u64,
}

impl Places {
    fn show(&mut self, (info, error): Located, file: &Path, response: &mut Response) -> Result<()> {
        self.answered += 1;
        response.start(Frame { list: self.list, ..Frame::default() })?;
        response.part(info, Vec::new())?;
        error.into_iter().for_each(|error| response.remember(error.about(file)));
        Ok(())
    }
}

impl EachFile<WhereArgs> for Places {
    fn one(&mut self, asked: &WhereArgs, response: &mut Response) -> Result<bool> {
        match asked.locate() {
            Ok(located) => self.show(located, &asked.file, response)?,
            Err(error) if self.list.is_none() || error.kind == Kind::Usage => return Err(error),
            Err(error) if error.kind == Kind::Binary => {}
            Err(error) => self.refuse(asked, error, response)?,
        }
        Ok(true)
    }

    fn refuse(&mut self, asked: &WhereArgs, error: Error, response: &mut Response) -> Result<()> {
        let info = StatError::of(&asked.file, &error);
        self.show((Box::new(info), Some(error)), &asked.file, response)
    }

    fn of_member(&self, asked: &WhereArgs, member: Member) -> WhereArgs {
        WhereArgs { file: member.path(), member: Some(Arc::new(member)), ..asked.clone() }
    }

    fn lacks(&self, _: &Members, _walked: u64, _: usize) -> bool {
        self.answered == 0
    }
}

/// `-0` is the point after the last line.
fn parse_line(text: &str) -> Result<Place> {
    match parse_place(text, Unit::Lines)? {
        Place::Back(0) => Err(Error::invalid_range("line -0 does not exist: the last line is -1")),
        place => Ok(place),
    }
}
