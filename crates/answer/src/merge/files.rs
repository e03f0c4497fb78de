//! The files of a merge: which are open, what each has, and what the receipt says of them.

use std::cell::RefCell;

use jiff::Timestamp;
use xxhash_rust::xxh3::Xxh3;

use crate::file_info::refuse_torn;
use crate::format::Format;
use crate::receipt::{FileInfo, MergedFileInfo, NameInfo, TimeInfo};
use crate::request::{Opened, Request};
use crate::wording::{self, worded};
use crate::{members, shown_hashes};
use rread_reader::reader::Reader;
use rread_reader::times::merge::{Files, MergedFile};
use rread_source::Change;
use rread_source::archive::Member;
use rread_source::file::sample;
use rread_source::members::Members;
use rread_source::version::Version;
use rread_text::error::{Error, Kind, Result, printable};

/// So many files stay open from the first look at them on.
const KEPT: usize = 16;

/// A file of the answer.
pub struct Entry<'r> {
    pub request: &'r Request<'r>,
    /// Its place among the requests.
    pub index: usize,
    pub(super) version: Option<Version>,
    pub(super) size: Option<u64>,
    /// Whether the numbers of its lines are known.
    pub has_lines: bool,
    pub(super) is_unordered: bool,
    pub(super) is_ambiguous: bool,
    /// The first and the last time, how they are shown, the format and the zone.
    pub(super) times: Option<((Timestamp, Timestamp), TimeInfo)>,
    /// Why it is not merged.
    pub failure: Option<Error>,
    /// The label before its lines.
    pub(super) label: Vec<u8>,
    kept: RefCell<Option<Opened<'r>>>,
    is_grown: RefCell<bool>,
    /// Whether it cannot be opened a second time.
    is_stream: bool,
}

/// All files of an answer.
pub struct Set<'r> {
    pub entries: Vec<Entry<'r>>,
    /// The files that are merged, in the order of the command line, and the place of each in the list of all.
    pub merged: Vec<MergedFile>,
    pub places: Vec<usize>,
    pub(super) format: Format,
    pub(super) to_terminal: bool,
    keeps: bool,
    /// Binary files below directories, which are left out.
    pub binary: u64,
}

/// One item for each file that names mean, and errors in the places of those that have none: archives that are named
/// mean their members.
pub fn expand<T>(
    items: Vec<T>,
    members_of: impl Fn(&T) -> Result<Option<Members>>,
    of_member: impl Fn(&T, Member) -> T,
) -> (Vec<T>, Vec<Option<Error>>) {
    let mut all = Vec::with_capacity(items.len());
    let mut refused = Vec::with_capacity(items.len());
    for item in items {
        let before = all.len();
        let error = match members_of(&item) {
            Ok(None) => None,
            Err(error) => Some(error),
            Ok(Some(found)) => {
                let walked = found.archive.each(&found.pattern, &mut |member| {
                    all.push(of_member(&item, member));
                    Ok(true)
                });
                refused.resize(all.len(), None);
                let error = walked.map_or_else(Some, |walked| walked.error);
                let error = error.or_else(|| (all.len() == before).then(|| members::none(&found, 0)));
                if error.is_none() {
                    continue;
                }
                error
            }
        };
        all.push(item);
        refused.push(error);
    }
    (all, refused)
}

impl<'r> Entry<'r> {
    pub(super) fn new(request: &'r Request<'r>, index: usize) -> Self {
        Entry {
            request,
            index,
            version: None,
            size: None,
            has_lines: false,
            is_unordered: false,
            is_ambiguous: false,
            times: None,
            failure: None,
            label: Vec::new(),
            kept: RefCell::new(None),
            is_grown: RefCell::new(false),
            is_stream: false,
        }
    }
}

impl<'r> Set<'r> {
    pub(super) fn new(format: Format, to_terminal: bool, count: usize) -> Self {
        let keeps = count <= KEPT;
        Set {
            entries: Vec::new(),
            merged: Vec::new(),
            places: Vec::new(),
            format,
            to_terminal,
            keeps,
            binary: 0,
        }
    }

    /// Adds a file that was looked at, open as it is.
    pub(super) fn add(&mut self, entry: Entry<'r>, merged: Option<MergedFile>, opened: Option<Opened<'r>>) {
        let path = &entry.request.path;
        let is_stream = rread_source::stdin::is_one_stream(path, path);
        if let Some(merged) = merged {
            self.places.push(self.entries.len());
            self.merged.push(merged);
        }
        if let Some(opened) = opened.filter(|_| self.keeps || is_stream) {
            entry.kept.replace(Some(opened));
        }
        self.entries.push(Entry { is_stream, ..entry });
    }

    /// The file at a position of the merge.
    pub fn entry(&self, position: usize) -> &Entry<'r> {
        &self.entries[self.places[position]]
    }

    pub fn failures(&self) -> Vec<Error> {
        self.entries.iter().filter_map(|entry| entry.failure.clone()).collect()
    }

    /// The version of the only file, or one of all their versions; `None` if one of them has none.
    pub(super) fn version(&self) -> Option<String> {
        if let [only] = &self.entries[..] {
            return only.version.as_ref().map(Version::to_string);
        }
        let mut hash = Xxh3::new();
        for entry in self.entries.iter().filter(|entry| entry.failure.is_none()) {
            hash.update(entry.version.as_ref()?.to_string().as_bytes());
            hash.update(b"\0");
        }
        // No version of a file begins with this letter.
        Some(format!("z{:015x}", hash.digest() >> 4))
    }

    /// The times of all files together.
    pub(super) fn time(&self) -> Option<TimeInfo> {
        let times = || self.entries.iter().filter_map(|entry| entry.times.as_ref());
        let first = times().min_by_key(|((first, _), _)| *first)?;
        let last = times().max_by_key(|((_, last), _)| *last)?;
        let distinct = |of: fn(&TimeInfo) -> &String| {
            let mut names: Vec<&str> = Vec::new();
            for name in times().flat_map(|(_, info)| of(info).split(", ")) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        Some(TimeInfo {
            first: first.1.first.clone(),
            last: last.1.last.clone(),
            format: distinct(|info| &info.format),
            zone: distinct(|info| &info.zone),
            ..first.1.clone()
        })
    }
}

impl Entry<'_> {
    /// What the receipt says of its times, and of changes.
    pub fn notices(&self) -> impl Iterator<Item = &'static str> {
        let notices = [
            (self.is_unordered, "unordered"),
            (self.is_ambiguous, "ambiguous_time"),
            (*self.is_grown.borrow(), "changed"),
        ];
        notices.into_iter().filter_map(|(holds, notice)| holds.then_some(notice))
    }

    /// The facts of the file for the receipt, without its content.
    pub(super) fn info(&self) -> MergedFileInfo {
        let NameInfo { path, path_base64 } = NameInfo::of(&self.request.path);
        let failure = self.failure.as_ref();
        MergedFileInfo {
            path,
            path_base64,
            total: self.size,
            notices: self.notices().collect(),
            error: failure.map(|error| printable(&worded(&error.message))),
            kind: failure.map(|error| error.kind.name()),
            hint: failure.and_then(wording::hint),
            ..MergedFileInfo::default()
        }
    }

    /// Refuses a file that is not the one that was looked at, unless it only grew.
    fn check(&self, reader: &Reader) -> Result<()> {
        let (Some(then), Some(now)) = (&self.version, reader.version()?) else { return Ok(()) };
        let changed = then.compare(&now, |size| sample(reader.stored(), size));
        let changed = changed.map_err(|cause| Error::read("cannot read its first or last bytes", &cause))?;
        self.note_change(changed)
    }

    fn note_change(&self, changed: Option<Change>) -> Result<()> {
        if changed == Some(Change::Appended) {
            self.is_grown.replace(true);
        }
        refuse_torn(changed)
    }
}

impl<'r> Files for Set<'r> {
    type Open = Opened<'r>;

    fn open(&self, index: usize) -> Result<Opened<'r>> {
        let entry = self.entry(index);
        if let Some(kept) = entry.kept.take() {
            return Ok(kept);
        }
        let path = &entry.request.path;
        if entry.is_stream {
            return Err(Error::new(Kind::Io, "cannot be read a second time").at(path));
        }
        let opened = entry.request.open(self.format, self.to_terminal)?;
        opened.reader.end_at_damage();
        entry.check(&opened.reader).map_err(|error| error.about(path))?;
        Ok(opened)
    }

    fn close(&self, index: usize, file: Opened<'r>) -> Result<()> {
        let entry = self.entry(index);
        let path = &entry.request.path;
        entry.note_change(file.reader.changed()).map_err(|error| error.about(path))?;
        if file.options.hash.is_some() {
            let mut info = FileInfo::named(path);
            info.details.version = entry.version.as_ref().map(|version| Some(version.to_string()));
            shown_hashes::keep(&info, &file.reader, &entry.request.content.read);
        }
        if self.keeps || entry.is_stream {
            entry.kept.replace(Some(file));
        }
        Ok(())
    }

    fn reader<'o>(file: &'o Opened<'r>) -> &'o Reader {
        &file.reader
    }
}
