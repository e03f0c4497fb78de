//! `rread stat`: the facts about a file, without reading it all.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use clap::Args;

use super::files::{FileRanges, found};
use super::stat_lines::{Sample, add_patterns, line_info, readable_end, take_patterns};
use super::stat_list;
use crate::args::content::budget_of_bytes;
use crate::args::{InputArgs, OutputArgs, TimeArgs};
use rread_answer::answers::{EachFile, check_streams};
use rread_answer::file_info::{encoding_info, note_cost, refuse_torn};
use rread_answer::receipt::{Checked, ObjectInfo, StatError, StatInfo};
use rread_answer::window::{find_window, time_info};
use rread_answer::{
    Budget, FileInfo, Format, Frame, List, OutputOptions, ReadOptions, Response, Section, Shape,
    TimesOfFiles, damage, file_info, hints, note_version, respond, wording,
};
use rread_reader::Reader;
use rread_reader::reader::full_scan::FullScan;
use rread_reader::times::glimpse;
use rread_source::Paged;
use rread_source::access::OpensMember;
use rread_source::archive::Member;
use rread_source::members::{self, Members};
use rread_source::object::Object;
use rread_text::sniff::SAMPLE;
use rread_text::{Call, Error, Kind, Result, call};

/// Report what a file is, without reading it all
///
/// Size, type, encoding, line ends and version come from the metadata, the first 8 KiB and the last bytes of the
/// file, at the same cost for any size. --count scans the file for the number of lines, the longest line, exact
/// line ends, invalid text, NULs and control characters. Without --count, lines is exact for a file of up to 8 KiB
/// or with a line index; other files get estimated_lines, if their first 8 KiB have a line end. A binary file has no
/// facts about lines without --count. It has a hint, the command that shows its content.
///
/// If most lines of the first 8 KiB have a time, time has the first and the last one. --since and --until add the
/// range of bytes of the window.
///
/// --patterns lists the kinds of lines of a log: count, first line, first and last time, pattern.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread stat app.log
  rread stat --count app.log --json
  rread stat app.log --since 06:01 --until 06:05
  rread stat app.log --rarest 5            the lines of which there are fewest
  rread stat app.log --patterns 20         the kinds of lines, the most frequent and the rarest
  rread stat *.log
  rread stat logs.tar.gz --list            the members of an archive")]
pub(crate) struct StatArgs {
    /// Files to examine; - is standard input
    #[arg(value_name = "FILE", required = true, value_parser = crate::args::input::file())]
    files: Vec<PathBuf>,
    /// Scan the file for its exact lines, longest line, line ends and invalid text
    #[arg(long)]
    count: bool,
    /// List the members of a tar or ZIP archive, also of a compressed one, one a line
    ///
    /// A line has the size, the time and the name. FILE may be a pattern: 'tar:logs.tar.gz/**/*.log'.
    #[arg(long, conflicts_with_all = ["count", "since", "until"])]
    list: bool,
    /// List N kinds of lines, the most frequent and the rarest, and count them all
    ///
    /// Numbers, times, addresses and quoted strings are masked, and lines with the same pattern are one kind. With --since or
    /// --until, only the lines of the window count.
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = clap::value_parser!(u64).range(1..))]
    patterns: Option<u64>,
    /// List the N rarest kinds of lines, each with its whole first line
    #[arg(long, value_name = "N", conflicts_with_all = ["list", "patterns"], value_parser = clap::value_parser!(u64).range(1..))]
    rarest: Option<u64>,
    /// With --list, begin with this member, from 1
    #[arg(long, value_name = "N", requires = "list", conflicts_with = "patterns", value_parser = clap::value_parser!(u64).range(1..))]
    offset: Option<u64>,
    /// With --list, stop after N members
    #[arg(long, value_name = "N", requires = "list", conflicts_with = "patterns", value_parser = clap::value_parser!(u64).range(1..))]
    max_lines: Option<u64>,
    /// With --list, stop before the list exceeds N bytes [default: RREAD_MAX_BYTES]
    #[arg(long, value_name = "N", requires = "list", conflicts_with = "patterns", value_parser = crate::args::size)]
    max_bytes: Option<u64>,
    /// Leave out of the receipt all but the kind, the size, the lines and pages, and what is out of the ordinary
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The facts to find of files.
#[derive(Clone, Debug)]
pub(crate) struct StatRequest {
    pub(super) files: Vec<PathBuf>,
    pub(super) count: bool,
    pub(super) patterns: Option<u64>,
    /// The patterns are of the rarest kinds alone.
    pub(super) is_rarest: bool,
    pub(super) brief: bool,
    pub(super) times: TimesOfFiles,
    pub(super) options: ReadOptions,
    /// The bytes of the only file, if it is in an archive that is open.
    pub(super) member: Option<Arc<dyn OpensMember>>,
    pub(super) output: OutputOptions,
}

impl StatArgs {
    pub(crate) fn run(self) -> Result<()> {
        let (mut options, output) = (self.input.options()?, self.output.options()?);
        options.encoding_choice(self.files.first().map_or(Path::new("-"), PathBuf::as_path))?;
        if self.list {
            let [path] = &self.files[..] else {
                return Err(Error::usage("--list takes one FILE").hint("rread stat FILE --list"));
            };
            let bytes = budget_of_bytes(self.max_bytes, 64, "a member")?;
            let budget = Budget { bytes, lines: self.max_lines, ..Budget::default() };
            let members = (self.offset.unwrap_or(1), budget);
            return stat_list::list(path, &options, (&output, self.brief), members);
        }
        let (window, reading) = (self.time.window_or_times()?, self.time.reading.options());
        reading.options(Path::new("")).check()?;
        let StatArgs { files, count, patterns, rarest, brief, .. } = self;
        let named = |path| FileRanges { path, ranges: Vec::new() };
        let mut files = found(files.into_iter().map(named), &mut options);
        let times = TimesOfFiles::new(window, reading, &mut files, &options)?;
        let files = files.into_iter().map(|(file, _)| file.path).collect();
        let (patterns, is_rarest) = (patterns.or(rarest), rarest.is_some());
        StatRequest { files, count, patterns, is_rarest, brief, times, options, member: None, output }.run()
    }
}

impl StatRequest {
    pub(crate) fn run(self) -> Result<()> {
        check_streams(self.files.iter().map(PathBuf::as_path))?;
        let members = self.files.iter().map(|path| self.members(path)).collect::<Result<Vec<_>>>()?;
        let is_list = self.files.len() > 1 || members.iter().any(Option::is_some);
        let list = is_list.then_some(List { member: "files", element: "file_stats" });
        let shape = Shape { is_brief: self.brief, ..Shape::default() };
        respond(&self.output, shape, |response| {
            let mut facts = Facts { request: &self, list };
            for (path, members) in self.files.iter().zip(members) {
                let file = (path.clone(), self.member.clone());
                let answered = facts.in_turn(&file, members.as_ref(), response);
                answered.map_err(|error| error.about(path))?;
            }
            Ok(())
        })
    }

    /// The members of an archive that `path` means, if it is a pattern.
    fn members(&self, path: &Path) -> Result<Option<Members>> {
        if self.member.is_some() || self.options.source.access.opener.is_some() {
            return Ok(None);
        }
        match members::of_name(path, &self.options.source.access, false) {
            // The file is opened later.
            Err(error) if error.kind != Kind::Usage => Ok(None),
            found => found,
        }
    }

    /// The error reports damage that stopped the count.
    fn examine(
        &self,
        path: &Path,
        member: Option<&Arc<dyn OpensMember>>,
    ) -> Result<(StatInfo, Option<Error>)> {
        let reader = self.options.open_member(path, member)?;
        if let Some(policy) = &self.options.index {
            reader.use_index(path, policy);
        }
        let is_binary = reader.is_binary();
        // Count first: the size of a stream is known only after it has been read.
        let (scan, damage) = match self.count.then(|| self.count(&reader, path)).transpose() {
            Ok(scan) => (scan, None),
            Err(error) if error.kind == Kind::Io && reader.damage().is_some() => (None, Some(error)),
            Err(error) => return Err(error),
        };
        let window = self.times.window.as_ref().map(|time| find_window(&reader, time, path)).transpose()?;
        let mut info = StatInfo {
            kind: if is_binary { "binary" } else { "text" },
            mime: reader.mime()?,
            binary: is_binary,
            ..StatInfo::default()
        };
        // Line feeds in binary data do not end lines, but --count counts them.
        let mut time = None;
        if !is_binary || scan.is_some() {
            let sample = Sample::take(&reader)?;
            let end = readable_end(&reader, &sample, scan.is_some());
            line_info(&mut info, &reader, &sample, (scan, end))?;
            time = glimpse(&reader, &sample.bytes, end, &self.times.reading.options(path))?.map(time_info);
        }
        if let Some(most) = self.patterns.filter(|_| !is_binary) {
            let _progress = self.output.watch(&reader);
            let spans = window.as_ref().map(|window| &window.spans[..]);
            add_patterns(
                &mut info,
                (path, &reader),
                spans,
                (usize::try_from(most).unwrap_or(usize::MAX), self.is_rarest),
                &self.times.reading,
            )
            .map_err(|error| {
                let call = call("stat")
                    .file(path)
                    .with(if self.is_rarest { "rarest" } else { "patterns" }, most.to_string());
                salvaged(error, &reader, path, call)
            })?;
        }
        if is_binary {
            info.hint = wording::hint(&hints::unreadable(path, &reader, self.options.source.access.raw)?);
        }
        info.total = reader.known_size();
        info.pages = reader.document().and_then(Paged::count);
        #[cfg(feature = "sql")]
        if path != Path::new("-") && !self.brief {
            info.tables = super::stat_tables::tables(path, member, &reader, &self.options);
        }
        let is_stdin = path == Path::new("-");
        // Standard input may be a regular file.
        let source = if is_stdin { reader.source() } else { reader.source().stored() };
        let has_name = !is_stdin && self.options.source.access.opener.is_none();
        let by_name = || fs::metadata(self.options.source.stored_path(path).ok()?).ok();
        let metadata = source.info().metadata.cloned();
        if let Some(metadata) = metadata.or_else(|| has_name.then(by_name).flatten()) {
            file_system_info(&mut info, &metadata);
        }
        if let Some(recorded) = reader.source().info().recorded {
            (info.modified, info.mode) = (recorded.modified.text(), recorded.mode());
        }
        if let Some(object) = reader.source().info().object {
            object_info(&mut info, object);
        }
        reader.save_index(false);
        let file = self.file_info(path, &reader, scan.is_some());
        (info.name, info.details) = (file.name, file.details);
        info.details.time = time;
        if let Some(window) = window {
            let (start, end) = (window.spans.first(), window.spans.last());
            info.range = start.zip(end).map(|(first, last)| format!("{}-{}", first.start, last.end));
            window.time.note(&mut info.details);
        }
        refuse_torn(info.details.signs.change)?;
        Ok((info, damage))
    }

    fn file_info(&self, path: &Path, reader: &Reader, is_counted: bool) -> FileInfo {
        let seen = if is_counted { reader.known_size() } else { None };
        let checked = damage::check(reader, 0, seen.unwrap_or(SAMPLE as u64), false);
        let mut file = file_info(path, reader);
        note_version(&mut file, reader);
        note_cost(&mut file, reader);
        file.details.decoding.uncompressed_size = file.details.decoding.compression.and(reader.known_size());
        if !reader.is_binary() {
            file.details.encoding = encoding_info(path, reader, true);
        }
        file.details.encoding.bom = Some(reader.decided.bom);
        // Damage does not keep `stat` from succeeding.
        let is_moot = !is_counted && checked == Checked::Damaged;
        file.details.signs.checked = if is_moot { Checked::Right } else { checked };
        file.details.signs.shows_damage = true;
        file.details.signs.change = file.details.signs.change.filter(|_| is_counted);
        file
    }

    fn count(&self, reader: &Reader, path: &Path) -> Result<FullScan> {
        let _progress = self.output.watch(reader);
        reader.full_scan().map_err(|error| salvaged(error, reader, path, call("stat").file(path).on("count")))
    }
}

/// The facts of one file after another, which are a list if there are several.
struct Facts<'r> {
    request: &'r StatRequest,
    list: Option<List>,
}

/// A path, and the member that it names if its archive is open.
type StatFile = (PathBuf, Option<Arc<dyn OpensMember>>);

impl EachFile<StatFile> for Facts<'_> {
    fn one(&mut self, file: &StatFile, response: &mut Response) -> Result<bool> {
        let (path, member) = file;
        match self.request.examine(path, member.as_ref()) {
            Ok((info, damage)) => {
                self.show(path, info, response)?;
                damage.into_iter().for_each(|error| response.remember(error));
            }
            Err(error) if self.list.is_none() => return Err(error),
            Err(error) => self.refuse(file, error, response)?,
        }
        Ok(true)
    }

    fn refuse(&mut self, (path, _): &StatFile, error: Error, response: &mut Response) -> Result<()> {
        self.start(response)?;
        response.part(Box::new(StatError::of(path, &error)), Vec::new())?;
        response.remember(error.about(path));
        Ok(())
    }

    fn of_member(&self, _: &StatFile, member: Member) -> StatFile {
        (member.path(), Some(Arc::new(member)))
    }

    fn lacks(&self, _: &Members, walked: u64, _: usize) -> bool {
        walked == 0
    }
}

impl Facts<'_> {
    /// Shows the facts; the kinds of lines are the content, and in JSON a list.
    fn show(&self, path: &Path, mut info: StatInfo, response: &mut Response) -> Result<()> {
        self.start(response)?;
        if self.request.patterns.is_none() || response.format == Format::Json {
            return response.part(Box::new(info), Vec::new());
        }
        let mut lines = take_patterns(&mut info);
        if self.list.is_some() {
            response.heading(path);
        }
        let sections = lines.iter_mut().map(|lines| Section::content(lines)).collect();
        response.part(Box::new(info), sections)
    }

    /// Begins the answer.
    fn start(&self, response: &mut Response) -> Result<()> {
        let has_content = self.request.patterns.is_some() && response.format != Format::Json;
        let (of_files, is_brief) = (self.list.is_some(), response.is_brief);
        response.start(Frame { list: self.list, has_content, of_files, is_brief, ..Frame::default() })
    }
}

/// The error of `call`, which read the whole text; of a damaged one, with the call that reads the text before the damage.
fn salvaged(error: Error, reader: &Reader, path: &Path, call: Call) -> Error {
    match reader.damage() {
        Some(_) if error.kind == Kind::Io => error.hint(call.on("salvage")).at(path),
        _ => error,
    }
}

fn modification_time(time: SystemTime) -> Option<String> {
    // The formatter supports the years 1970 to 9999.
    let last = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(253_402_300_799);
    let is_known = (SystemTime::UNIX_EPOCH..last).contains(&time);
    is_known.then(|| humantime::format_rfc3339_nanos(time).to_string())
}

fn object_info(info: &mut StatInfo, object: &Object) {
    info.modified = object.modified.and_then(modification_time);
    info.object = ObjectInfo {
        content_type: object.content_type.clone(),
        content_encoding: object.content_encoding.clone(),
        storage_class: object.storage_class.clone(),
        version_id: object.version_id.clone(),
        etag: object.etag.clone(),
        metadata: (!object.metadata.is_empty()).then(|| {
            object.metadata.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
        }),
    };
}

fn file_system_info(info: &mut StatInfo, metadata: &Metadata) {
    info.modified = metadata.modified().ok().and_then(modification_time);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        info.mode = Some(format!("{:04o}", metadata.mode() & 0o7777));
    }
    #[cfg(not(unix))]
    {
        info.mode = Some(if metadata.permissions().readonly() { "0444" } else { "0644" }.to_owned());
    }
}
