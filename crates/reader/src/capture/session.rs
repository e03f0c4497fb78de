//! The directory of a session: begins, publishes, finds and removes captures.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

use super::record::{
    Ansi, Capture, Handle, OUTPUT, RECORD, Record, capture_in, captures_in, directory, number_of,
    take_from_older,
};
use crate::store;
use rread_source::interrupt::{self, Guard};
use rread_text::{Error, Kind, Result, call, setting};

/// The prefix of unfinished captures.
const NEW: &str = ".new-";
/// The prefix of captures that are being removed.
const OLD: &str = ".old-";
/// Holds the last used number; locked while captures begin and are published.
const LAST: &str = "last";
/// A larger number in the file is damage; counting on from it could overflow.
const MAX_NUMBER: u64 = 1 << 53;

const MAX_LISTED: usize = 20;

/// The captures of one session.
#[derive(Clone, Debug)]
pub struct Session {
    /// The directory of all sessions.
    pub root: PathBuf,
    /// The directory of the session.
    pub dir: PathBuf,
}

/// Captures that were removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// The captures of this session.
    pub handles: Vec<Handle>,
    /// The number of captures of other sessions.
    pub elsewhere: u64,
    /// The bytes that they had on disk.
    pub bytes: u64,
}

/// A capture that is removed when dropped, unless it is published.
#[derive(Debug)]
pub struct Unfinished {
    /// Dropped first, because some systems do not remove a directory with open files.
    pub output: File,
    dir: TempDir,
    /// Dropped last.
    guard: Guard,
}

impl Unfinished {
    /// The file of the bytes, until the capture is published.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join(OUTPUT)
    }
}

impl Session {
    /// The session `name` in the state directory `root`, which need not exist.
    pub fn new(root: PathBuf, name: Option<&OsStr>) -> Self {
        let dir = root.join(directory(name));
        Session { root, dir }
    }

    /// Whether the directory of all sessions exists. An error if rread may not keep captures there, or may not create it.
    pub fn is_usable(&self) -> io::Result<bool> {
        store::is_usable(&self.root)
    }

    /// The number of captures of all sessions, and the bytes that they have on disk.
    pub fn kept(&self) -> io::Result<(u64, u64)> {
        let sessions = store::entries(&self.root)?.into_iter().map(|entry| entry.path());
        let captures = sessions.flat_map(|dir| captures_in(&dir).unwrap_or_default());
        let add = |(count, bytes): (u64, u64), capture: Capture| {
            (count + 1, bytes.saturating_add(capture.record.disk_size()))
        };
        Ok(captures.fold((0, 0), add))
    }

    /// Begins a capture, and removes what killed processes left.
    pub fn begin(&self) -> Result<Unfinished> {
        self.try_begin().map_err(|cause| self.cannot("cannot keep output here", &cause))
    }

    fn try_begin(&self) -> io::Result<Unfinished> {
        for dir in [&self.root, &self.dir] {
            store::make_dir(dir)?;
            store::check_dir(dir)?;
        }
        // Under this lock, no other process removes the new directory as abandoned.
        let _held = self.lock()?;
        self.sweep();
        let mut builder = tempfile::Builder::new();
        builder.prefix(NEW);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        // Elsewhere, the command would no longer inherit which signals the parent ignores.
        if cfg!(target_os = "linux") {
            interrupt::watch();
        }
        let make = || {
            let dir = builder.tempdir_in(&self.dir)?;
            let output = store::create_new(&dir.path().join(OUTPUT))?;
            let path = dir.path().to_owned();
            Ok(((output, dir), move || drop(fs::remove_dir_all(path))))
        };
        let ((output, dir), guard) = Guard::make(make)?;
        // The lock marks the capture as alive: it ends with the process. Without locks, nothing is swept.
        let _ = output.try_lock();
        Ok(Unfinished { output, dir, guard })
    }

    /// Gives a capture its number.
    ///
    /// # Errors
    ///
    /// [`Kind::Write`] if the state directory does not allow it; the capture is then lost.
    pub fn publish(&self, unfinished: Unfinished, record: Record) -> Result<Capture> {
        let number = self
            .try_publish(unfinished, &record)
            .map_err(|cause| self.cannot("cannot keep the output here", &cause))
            .inspect_err(|_| record.name.iter().for_each(|name| self.release(name)))?;
        Ok(Capture { number, record, path: self.dir.join(number.to_string()).join(OUTPUT) })
    }

    fn try_publish(&self, unfinished: Unfinished, record: &Record) -> io::Result<u64> {
        // Variables are dropped in reverse: the guard last.
        let Unfinished { guard: _guard, dir, output } = unfinished;
        let path = dir.path().join(RECORD);
        interrupt::delay(|| store::create_new(&path)?.write_all(record.to_json().as_bytes()))?;
        let mut last = self.lock()?;
        // Some systems do not rename open files.
        drop(output);
        let mut number = self.last_number(&mut last)?;
        loop {
            number =
                number.checked_add(1).ok_or_else(|| io::Error::other("all numbers of handles are in use"))?;
            let path = self.dir.join(number.to_string());
            if path.symlink_metadata().is_ok() {
                continue;
            }
            // Save the number before the rename: an unused number does no harm.
            last.seek(SeekFrom::Start(0))?;
            last.write_all(format!("{number:020}\n").as_bytes())?;
            interrupt::delay(|| fs::rename(dir.path(), path))?;
            // The directory has moved: it must not be removed.
            let _ = dir.keep();
            record.name.iter().for_each(|name| take_from_older(&self.dir, name, number));
            return Ok(number);
        }
    }

    /// The last used number, from the file and from the existing captures.
    fn last_number(&self, last: &mut File) -> io::Result<u64> {
        let mut text = String::new();
        last.seek(SeekFrom::Start(0))?;
        let _ = last.take(64).read_to_string(&mut text);
        let entries = store::entries(&self.dir)?;
        let used = text.trim().parse().ok().into_iter().chain(entries.iter().filter_map(number_of));
        Ok(used.filter(|number| *number <= MAX_NUMBER).max().unwrap_or(0))
    }

    /// All captures, the oldest first; skips everything else in the directory.
    pub fn captures(&self) -> Result<Vec<Capture>> {
        let all = match store::check_dir(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            checked => checked.and_then(|()| captures_in(&self.dir)),
        };
        all.map_err(|cause| Error::read("cannot list the captures", &cause).at(&self.dir))
    }

    /// The newest capture with `handle`, damaged or not.
    pub fn find_any(&self, handle: &Handle) -> Result<Capture> {
        if let Handle::Number(number) = handle
            && self.is_private()
            && let Some(capture) = capture_in(&self.dir, *number)
        {
            return Ok(capture);
        }
        let mut captures = self.captures()?;
        match captures.iter().rposition(|capture| capture.is_named(handle)) {
            Some(at) => Ok(captures.swap_remove(at)),
            None => Err(self.not_found(handle, &captures)),
        }
    }

    /// The newest capture with `handle`; fails if some of the bytes to read are missing.
    pub fn find(&self, handle: &Handle, ansi: Ansi) -> Result<Capture> {
        let capture = self.find_any(handle)?;
        let there = store::open(&capture.text(ansi)).and_then(|file| Ok(file.metadata()?.len()));
        let complete = capture.record.size(ansi);
        let error = match there {
            Ok(size) if size == complete => return Ok(capture),
            Ok(size) => {
                let message = format!("is damaged: {size} of its {complete} bytes are left");
                Error::new(Kind::Io, message)
            }
            Err(cause) => Error::read("cannot be opened", &cause),
        };
        let error = match capture.record.is_stripped(ansi) {
            true => error.hint(setting("ansi").then(" keep reads the stored bytes, with escape sequences")),
            false => error,
        };
        Err(error.at(Path::new(&handle.to_string())))
    }

    fn not_found(&self, handle: &Handle, captures: &[Capture]) -> Error {
        let describe = |capture: &Capture| match &capture.record.name {
            Some(name) => format!("{} ({name})", capture.handle()),
            None => capture.handle().to_string(),
        };
        let newest: Vec<String> = captures.iter().rev().take(MAX_LISTED).rev().map(describe).collect();
        let there = match captures.len() {
            0 => "this session has none".to_owned(),
            count if count > MAX_LISTED => format!("the newest of {count} are {}", newest.join(", ")),
            _ => format!("this session has {}", newest.join(", ")),
        };
        let was_used = matches!(handle, Handle::Number(number) if *number <= self.last_used());
        let what = if was_used { "this capture was removed" } else { "there is no such capture" };
        Error::new(Kind::NotFound, format!("{what}: {there}"))
            .at(Path::new(&handle.to_string()))
            .hint(call("capture").word("list"))
    }

    /// The last used number, or 0 if it cannot be read.
    fn last_used(&self) -> u64 {
        let read = store::open(&self.dir.join(LAST)).and_then(|mut last| self.last_number(&mut last));
        read.unwrap_or(0)
    }

    /// Removes `captures`, and returns those that were still there.
    pub fn drop(&self, captures: Vec<Capture>) -> Result<Vec<Capture>> {
        let mut dropped = Vec::with_capacity(captures.len());
        for capture in captures {
            match remove(&self.dir, capture.number) {
                Ok(true) => dropped.push(capture),
                Ok(false) => {}
                Err(cause) => {
                    let handle = capture.handle().to_string();
                    return Err(Error::writing("cannot be removed", &cause).at(Path::new(&handle)));
                }
            }
        }
        Ok(dropped)
    }

    /// Removes the oldest captures of all sessions until the rest has at most `limit` bytes; never removes `keep`.
    pub fn evict(&self, limit: u64, keep: &Capture) -> Dropped {
        let mut dropped = Dropped::default();
        let Ok(sessions) = store::entries(&self.root) else { return dropped };
        let sessions = sessions.into_iter().map(|entry| entry.path());
        let mut all: Vec<(SystemTime, PathBuf, Capture)> = sessions
            .flat_map(|dir| {
                let captures = captures_in(&dir).unwrap_or_default();
                captures.into_iter().map(move |capture| (modification_time(&capture), dir.clone(), capture))
            })
            .collect();
        let mut total: u64 =
            all.iter().fold(0, |total, (_, _, capture)| total.saturating_add(capture.record.disk_size()));
        all.sort_by(|(a, _, one), (b, _, other)| (a, one.number).cmp(&(b, other.number)));
        for (_, dir, capture) in all {
            if total <= limit {
                break;
            }
            if capture.path == keep.path || !remove(&dir, capture.number).unwrap_or(false) {
                continue;
            }
            // A damaged record may claim any size.
            let size = capture.record.disk_size();
            total = total.saturating_sub(size);
            dropped.bytes = dropped.bytes.saturating_add(size);
            if dir == self.dir {
                dropped.handles.push(capture.handle());
            } else {
                dropped.elsewhere += 1;
            }
        }
        dropped
    }

    fn sweep(&self) {
        for entry in store::entries(&self.dir).unwrap_or_default() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(OLD) || name.starts_with(NEW) && is_abandoned(&entry.path()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Opens and locks the file of the last number. Without locks, the rename still keeps numbers unique.
    fn lock(&self) -> io::Result<File> {
        let file = store::open_or_create(&self.dir.join(LAST))?;
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(file),
        }
    }

    /// Removes `name` from every capture, because keeping the newest failed.
    pub fn release(&self, name: &str) {
        // If locking fails, that error is reported already.
        if let Some(Ok(_held)) = self.is_private().then(|| self.lock()) {
            take_from_older(&self.dir, name, u64::MAX);
        }
    }

    fn is_private(&self) -> bool {
        [&self.root, &self.dir].iter().all(|dir| store::check_dir(dir).is_ok())
    }

    fn cannot(&self, what: &str, cause: &io::Error) -> Error {
        Error::writing(what, cause).at(&self.dir)
    }
}

/// Whether the process that wrote the unfinished capture in `dir` has ended.
fn is_abandoned(dir: &Path) -> bool {
    match store::open(&dir.join(OUTPUT)) {
        // Captures begin under a lock, so a directory without the file is abandoned.
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(file) => file.try_lock().is_ok(),
    }
}

/// Renames before it removes, so that no partial capture is visible; false if it did not exist.
fn remove(dir: &Path, number: u64) -> io::Result<bool> {
    let old = dir.join(format!("{OLD}{number}-{}", std::process::id()));
    match fs::rename(dir.join(number.to_string()), &old) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        renamed => renamed?,
    }
    match fs::remove_dir_all(&old) {
        // Another process has swept it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        removed => removed.map(|()| true),
    }
}

fn modification_time(capture: &Capture) -> SystemTime {
    capture.path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}
