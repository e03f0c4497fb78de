//! `rread index`: make, show, list and clear line indexes.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use clap::{Args, Subcommand};

use crate::args::environment::{kept_hashes, policy, session};
use crate::args::{OutputArgs, ViewArgs};
use crate::progress::Progress;
use rread_answer::file_info::note_cost;
use rread_answer::receipt::{
    CoveredInfo, Envelope, FileDetails, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared, ListedIndex,
    Signs,
};
use rread_answer::{FileInfo, Frame, List, NameInfo, Shape, SourceOptions, file_info, respond};
use rread_reader::index::pages::{Identity, IndexHeader, Trust, View, object_stem, read_header};
use rread_reader::index::{INDEX_BLOCK, Outcome};
use rread_reader::store::StoreEntry;
use rread_reader::{Ansi, Policy};
use rread_source::member_address::is_inside_file;
use rread_text::{Address, Error, Kind, Result, quoted};

/// Build, show, list and clear line indexes
///
/// An index has the number of newlines before every 64 KiB of a file, so that rread finds any line in milliseconds.
/// rread indexes a file of 16 MiB or more as far as it scans it; build completes the index at once. The index is in the
/// user's cache directory and takes 0.024 % of the file. It is trusted while the file is unchanged, or has only grown
/// or been renamed; the index of a compressed file only while the file is unchanged. rread-index(1) says how rread
/// checks this, and which changes it cannot detect.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread index build huge.log            scan it now, on all cores
  rread index show huge.log
  rread index list
  rread index clear --older-than 30d")]
pub(crate) struct IndexCommand {
    #[command(subcommand)]
    action: IndexAction,
}

#[derive(Clone, Debug, Subcommand)]
enum IndexAction {
    /// Scan a file and keep its whole index
    ///
    /// The scan uses all cores, and shows a progress bar if standard error is a terminal. It skips what the index
    /// covers already. An interrupted build loses at most the last 256 MiB of its work, or a 64th of a file
    /// of more than 16 GiB; the next build continues there.
    Build(OneFile),
    /// Show what the index of a file covers, and whether it can be trusted
    ///
    /// The state is fresh (the file is unchanged), grown or renamed (the index is trusted if the blocks that the
    /// next look-up compares agree), stale (the next scan rebuilds it) or absent. The index is complete if it
    /// reaches the current end of the file.
    Show(OneFile),
    /// List all indexes, the most recently used first
    ///
    /// The name of an index is the device and the inode of its file, in hexadecimal. The time of its last use is
    /// precise to the hour.
    List(OutputArgs),
    /// Remove indexes: those of the named files, all, or those not used for some time
    ///
    /// No FILE names the indexes of files that were removed or replaced; --all and --older-than
    /// remove those too.
    Clear(ClearArgs),
}

#[derive(Args, Clone, Debug)]
struct OneFile {
    /// A regular file
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
struct ClearArgs {
    /// Files whose indexes are removed
    #[arg(value_name = "FILE", value_parser = crate::args::input::file(), required_unless_present_any = ["all", "older_than"])]
    files: Vec<PathBuf>,
    /// Remove all indexes, and the hashes that verify --since compares
    #[arg(long, conflicts_with_all = ["files", "older_than"])]
    all: bool,
    /// Remove indexes not used for this time, such as 30d or 12h
    #[arg(long, value_name = "AGE", value_parser = humantime::parse_duration, conflicts_with = "files")]
    older_than: Option<Duration>,
    #[command(flatten)]
    output: OutputArgs,
}

impl IndexCommand {
    pub(crate) fn output(&self) -> &OutputArgs {
        match &self.action {
            IndexAction::Build(args) | IndexAction::Show(args) => &args.output,
            IndexAction::List(output) => output,
            IndexAction::Clear(args) => &args.output,
        }
    }

    pub(crate) fn run(self) -> Result<()> {
        let policy = policy()?.ok_or_else(|| {
            Error::usage("there is no directory for indexes, or RREAD_INDEX is off")
                .hint("export RREAD_CACHE_DIR=…")
        })?;
        let output = self.output().options()?;
        let answer: Vec<Box<dyn Envelope>> = match &self.action {
            IndexAction::Build(args) => vec![Box::new(args.about(build(args, &policy))?)],
            IndexAction::Show(args) => vec![args.about(show(args, &policy))?],
            IndexAction::List(_) => list(&policy)?.into_iter().map(|index| Box::new(index) as _).collect(),
            IndexAction::Clear(args) => vec![Box::new(clear(args, &policy)?)],
        };
        let is_list = matches!(self.action, IndexAction::List(_));
        let list = is_list.then_some(List { member: "indexes", element: "indexes" });
        respond(&output, Shape::default(), |response| {
            response.start(Frame { list, ..Frame::default() })?;
            answer.into_iter().try_for_each(|index| response.part(index, Vec::new()))
        })
    }
}

impl ClearArgs {
    /// Whether every file of this age goes.
    fn is_past(&self, entry: &StoreEntry) -> bool {
        let unused = SystemTime::now().duration_since(entry.used);
        self.all || self.older_than.is_some_and(|age| unused.is_ok_and(|unused| unused > age))
    }
}

impl OneFile {
    fn about<T>(&self, info: Result<T>) -> Result<T> {
        info.map_err(|error| error.about(&self.file))
    }
}

fn build(args: &OneFile, policy: &Policy) -> Result<IndexBuilt> {
    let path = &args.file;
    if !policy.write {
        return Err(
            Error::usage("RREAD_INDEX is ro: indexes may not be written").hint("export RREAD_INDEX=auto")
        );
    }
    let started = Instant::now();
    let reader = args.view.options().open(path)?;
    let refused = |why| Err(Error::usage(why).hint(format!("rread lines {} 1:20", quoted(path))));
    if is_inside_file(path) && reader.source().info().metadata.is_none() {
        return refused("is inside another file; only files can have a line index");
    }
    if reader.document().is_some() {
        return refused("is a document; its text can have no line index");
    }
    if reader.source().info().object.is_some_and(|object| object.strong_etag().is_none()) {
        return refused(
            "has no strong entity tag, so rread could not detect changes: it cannot have a line index",
        );
    }
    // An explicit build ignores the minimum size.
    reader.use_index(path, &Policy { min_size: 0, ..policy.clone() });
    // A read rescans the end of a log that was written just now; an explicit build waits and learns it.
    reader.settle();
    let progress = Progress::watch(&reader);
    let total_lines = reader.count_lines()?;
    drop(progress);
    reader.save_index(true);
    if reader.index_outcome() == Outcome::None {
        let dir = policy.store.dir.display();
        let message = format!("has {total_lines} lines, but no index could be kept in {dir}");
        let error = Error::new(Kind::Write, message).at(path);
        return Err(error.hint("RREAD_CACHE_DIR=DIR with free space, and a regular file"));
    }
    // The answer describes the index, not the compressed file.
    let mut file = FileInfo::named(path);
    note_cost(&mut file, &reader);
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let FileInfo { name, details, .. } = file;
    Ok(IndexBuilt { name, total: reader.known_size(), total_lines, milliseconds, details })
}

fn show(args: &OneFile, policy: &Policy) -> Result<Box<dyn Envelope>> {
    let path = &args.file;
    let options = args.view.options();
    let reader = options.open(path)?;
    let view = reader.view();
    let stored = options.source.stored_path(path).ok().and_then(|place| {
        let identity = reader.identity(&place)?;
        let file = policy.store.open(&identity.file_name(view)).ok()?;
        let bytes = file.metadata().ok()?.len();
        Some((identity, read_header(file).ok()?, bytes))
    });
    let Some((now, header, index_bytes)) = stored else {
        return Ok(Box::new(IndexAbsent { name: NameInfo::of(path), state: "absent" }));
    };
    let (mut details, mut total) = (FileDetails::default(), Some(now.stamp.size));
    if view.decompressed {
        // The size in the index is that of the decompressed text.
        reader.use_index(path, &Policy { write: false, ..policy.clone() });
        total = reader.known_size();
        details = FileDetails { signs: Signs::default(), ..file_info(path, &reader).details };
        details.decoding.uncompressed_size = total;
    }
    Ok(Box::new(IndexShown {
        name: NameInfo::of(path),
        state: state(&header, &now, view),
        total,
        covered: covered_info(&header),
        complete: header.tail.is_some() && header.identity.trust(&now) == Trust::Exact,
        index_bytes,
        index_file: policy.store.dir.join(now.file_name(view)).to_string_lossy().into_owned(),
        device: format!("{:x}", now.stamp.device),
        inode: format!("{:x}", now.stamp.inode),
        details,
    }))
}

fn covered_info(header: &IndexHeader) -> CoveredInfo {
    CoveredInfo { covered: header.blocks * INDEX_BLOCK as u64, indexed_size: header.identity.stamp.size }
}

fn state(header: &IndexHeader, now: &Identity, view: View) -> &'static str {
    match header.identity.trust(now) {
        Trust::Exact => "fresh",
        // A few equal blocks do not prove that a compressed file is unchanged.
        _ if view.decompressed => "stale",
        Trust::Sampled if now.stamp.size > header.identity.stamp.size => "grown",
        Trust::Sampled => "renamed",
        Trust::No => "stale",
    }
}

fn list(policy: &Policy) -> Result<Vec<ListedIndex>> {
    let mut entries = entries(policy)?;
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
    let describe = |entry: StoreEntry| {
        let name = entry.path.file_name().unwrap_or_default();
        ListedIndex {
            index_file: entry.path.to_string_lossy().into_owned(),
            index_bytes: entry.size,
            used: humantime::format_rfc3339_seconds(entry.used).to_string(),
            covered: policy.store.open(name).and_then(read_header).ok().map(|header| covered_info(&header)),
        }
    };
    Ok(entries.into_iter().map(describe).collect())
}

fn entries(policy: &Policy) -> Result<Vec<StoreEntry>> {
    let cannot = |cause: io::Error| Error::read("cannot list the indexes", &cause).at(&policy.store.dir);
    policy.store.entries().map_err(cannot)
}

fn clear(args: &ClearArgs, policy: &Policy) -> Result<IndexesCleared> {
    // Remove the leftovers of killed builds too.
    let (mut removed, mut freed) = policy.store.sweep();
    for entry in entries(policy)? {
        let name = entry.path.file_name().unwrap_or_default().to_owned();
        let named = args.files.iter().any(|file| is_index_of(&name, file));
        if (args.is_past(&entry) || named) && policy.store.remove(&name).is_ok() {
            removed += 1;
            freed += entry.size;
        }
    }
    // The hashes that verify --since compares go with the indexes.
    if let Some((kept, true)) = kept_hashes()? {
        let store = &kept.store;
        freed = freed.saturating_add(store.sweep().1);
        for entry in store.entries().unwrap_or_default().iter().filter(|entry| args.is_past(entry)) {
            if store.remove(entry.path.file_name().unwrap_or_default()).is_ok() {
                freed = freed.saturating_add(entry.size);
            }
        }
    }
    Ok(IndexesCleared { removed, freed_bytes: freed })
}

fn is_index_of(name: &std::ffi::OsStr, file: &Path) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_url = Address::of(file).is_some() && file.symlink_metadata().is_err();
    let object = is_url.then(|| object_stem(&file.to_string_lossy()));
    if let Some(rest) = object.and_then(|stem| name.strip_prefix(&stem)) {
        return rest.starts_with('-');
    }
    // The two texts of a capture have their own indexes.
    [Ansi::Strip, Ansi::Keep].into_iter().any(|ansi| {
        let source = SourceOptions { ansi: Some(ansi), captures: session().ok(), ..SourceOptions::default() };
        let stem = source.stored_path(file).ok().and_then(|file| {
            let metadata = file.metadata().ok()?;
            Some(Identity::of(&metadata, &file).file_stem())
        });
        stem.and_then(|stem| name.strip_prefix(&stem)).is_some_and(|rest| rest.starts_with(['.', '-']))
    })
}
