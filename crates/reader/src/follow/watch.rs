//! Watches the directories of followed files: a watch of the file itself would stay with the old one after a rename.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use rread_source::spelling::folder_of;
use rread_source::version::Stamp;
use rread_source::{lock, start_thread, stdin};
use rread_text::{Error, Result};

/// Shared with the thread of the watcher.
#[derive(Default)]
struct Shared {
    /// The watched directories, by absolute path, with their devices and inodes.
    dirs: HashMap<PathBuf, (u64, u64)>,
    /// The files that an event in a directory concerns, by its device and inode and by their names.
    files: HashMap<(u64, u64), HashMap<OsString, BTreeSet<usize>>>,
    /// The same if the directory is not known, or the event is about a directory.
    names: HashMap<OsString, BTreeSet<usize>>,
    dir_names: HashMap<OsString, BTreeSet<usize>>,
    /// Files whose open descriptor has been renamed; check them on every event.
    unsettled: BTreeSet<usize>,
    changed: BTreeSet<usize>,
}

impl Shared {
    /// Notes the files that `event` concerns; false if there are none.
    fn note(&mut self, event: notify::Result<Event>) -> bool {
        let before = self.changed.len();
        match event {
            Ok(event) if !event.need_rescan() => {
                if matches!(event.kind, EventKind::Access(_)) {
                    return false;
                }
                for path in &event.paths {
                    let Some(name) = path.file_name() else { continue };
                    let dir = path.parent().and_then(|dir| self.dirs.get(dir));
                    // Thousands of files may have the same name in other directories.
                    let known = dir.and_then(|dir| self.files.get(dir)?.get(name));
                    let files = known.filter(|_| !self.dirs.contains_key(path)).or(self.names.get(name));
                    self.changed.extend(files.into_iter().flatten());
                    self.changed.extend(self.dir_names.get(name).into_iter().flatten());
                }
                self.changed.extend(&self.unsettled);
            }
            // Events were lost.
            _ => self.changed.extend(self.names.values().flatten()),
        }
        self.changed.len() > before
    }
}

/// Directories that are watched, and files that have to be polled instead.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    shared: Arc<Mutex<Shared>>,
    /// The numbers of the files that the system does not watch; look at them from time to time.
    pub polled: BTreeSet<usize>,
    /// How many watches began.
    begun: usize,
}

impl Watch {
    /// With `polls`, nothing is watched.
    pub fn new(polls: bool, sender: SyncSender<Wake>) -> Self {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let noted = Arc::clone(&shared);
        let handler = move |event| {
            if lock(&noted).note(event) {
                // A full queue wakes the loop anyway.
                let _ = sender.try_send(Wake::Files);
            }
        };
        let watcher = if polls { None } else { notify::recommended_watcher(handler).ok() };
        Watch { watcher, shared, polled: BTreeSet::new(), begun: 0 }
    }

    /// Watches the directory of `path`, and that of the file that it links to. A later call renews what was lost.
    /// An unsettled file may lie at `place` now. Returns whether a watch began.
    pub fn add(
        &mut self,
        index: usize,
        path: Option<&Path>,
        is_unsettled: bool,
        place: Option<&Path>,
    ) -> bool {
        let target = path.filter(|path| path.is_symlink()).and_then(|path| path.canonicalize().ok());
        let paths: Vec<&Path> = path.into_iter().chain(target.as_deref()).collect();
        match is_unsettled {
            true => lock(&self.shared).unsettled.insert(index),
            false => lock(&self.shared).unsettled.remove(&index),
        };
        let before = self.begun;
        let watched = paths.iter().filter(|path| self.file(index, path)).count();
        match watched == paths.len() && watched > 0 {
            true => self.polled.remove(&index),
            false => self.polled.insert(index),
        };
        if let Some(place) = place.filter(|_| is_unsettled) {
            self.dir(folder_of(place));
        }
        self.begun > before
    }

    fn file(&mut self, index: usize, path: &Path) -> bool {
        let dir = self.dir(folder_of(path));
        let mut shared = lock(&self.shared);
        if let Some(name) = folder_of(path).file_name() {
            shared.dir_names.entry(name.to_owned()).or_default().insert(index);
        }
        if let Some(name) = path.file_name() {
            shared.names.entry(name.to_owned()).or_default().insert(index);
            if let Some(dir) = dir {
                let files = shared.files.entry(dir).or_default();
                files.entry(name.to_owned()).or_default().insert(index);
            }
        }
        dir.is_some()
    }

    /// Device and inode of a directory that is watched.
    fn dir(&mut self, dir: &Path) -> Option<(u64, u64)> {
        let watcher = self.watcher.as_mut()?;
        // Events have absolute paths.
        let dir = std::path::absolute(dir).ok()?;
        let Ok(metadata) = dir.metadata() else {
            lock(&self.shared).dirs.remove(&dir);
            return None;
        };
        let Stamp { device, inode, .. } = Stamp::of(&metadata);
        let found = Some((device, inode));
        if lock(&self.shared).dirs.get(&dir).copied() == found {
            return found;
        }
        let _ = watcher.unwatch(&dir);
        if !has_events(&dir) || watcher.watch(&dir, RecursiveMode::NonRecursive).is_err() {
            return None;
        }
        self.begun += 1;
        lock(&self.shared).dirs.insert(dir, (device, inode));
        found
    }

    /// Takes the files that may have changed.
    pub fn take_changed(&self) -> BTreeSet<usize> {
        std::mem::take(&mut lock(&self.shared).changed)
    }
}

/// Whether the kernel sees all changes: those of other machines and of pseudo files cause no events.
#[cfg(target_os = "linux")]
fn has_events(dir: &Path) -> bool {
    /// From linux/magic.h: NFS, SMB, CIFS, SMB2, AFS, Coda, Ceph, NCP, 9P, FUSE, proc and sysfs.
    const SILENT: [u32; 12] = [
        0x6969,
        0x517B,
        0xFF53_4D42,
        0xFE53_4D42,
        0x5346_414F,
        0x7375_7245,
        0x00C3_6400,
        0x564C,
        0x0102_1997,
        0x6573_5546,
        0x9FA0,
        0x6265_6572,
    ];
    // The type has 32 bits in the kernel, and other widths and signs in its structures.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
    rustix::fs::statfs(dir).is_ok_and(|stat| !SILENT.contains(&(stat.f_type as u32)))
}

#[cfg(not(target_os = "linux"))]
fn has_events(_: &Path) -> bool {
    true
}

/// Messages that may wait; more of them would not wake the loop any more.
pub const QUEUE: usize = 4;

const READ_BLOCK: usize = 64 << 10;

/// The event that woke the loop.
pub enum Wake {
    /// Some files changed: see [`Watch::take_changed`](super::watch::Watch::take_changed).
    Files,
    /// Bytes of the stream with this number.
    Bytes(usize, Vec<u8>),
    /// The stream with this number ended, or its read failed.
    StreamEnded(usize, io::Result<()>),
    /// The watched process ended.
    ProcessEnded,
    /// The reader of standard output has gone.
    OutputClosed,
}

/// Reads the stream at `path` to its end. With `skips`, what waits in it now is left out: returns these bytes.
pub fn read_stream(index: usize, path: &Path, skips: bool, sender: SyncSender<Wake>) -> Result<Vec<u8>> {
    // Opened for reading alone, a named pipe waits for a writer.
    let named = || File::options().read(true).write(true).open(path).ok();
    let opened = if path == Path::new("-") { Some(stdin::stream()?) } else { skips.then(named).flatten() };
    let (path, mut waiting) = (path.to_owned(), Vec::new());
    #[cfg(unix)]
    if let (Some(file), true) = (&opened, skips) {
        let count = rustix::io::ioctl_fionread(file).unwrap_or(0);
        let read = file.take(count).read_to_end(&mut waiting);
        read.map_err(|cause| Error::read("cannot read", &cause).at(&path))?;
    }
    start_thread("follow", move || {
        // Opened for writing too, a named pipe does not end when its writer does: the next one may come.
        let open = || File::options().read(true).write(true).open(&path).or_else(|_| File::open(&path));
        let ended = opened.map_or_else(open, Ok).and_then(|file| pass_on(index, file, &sender));
        let _ = sender.send(Wake::StreamEnded(index, ended));
    })?;
    Ok(waiting)
}

fn pass_on(index: usize, mut file: File, sender: &SyncSender<Wake>) -> io::Result<()> {
    loop {
        let mut block = vec![0; READ_BLOCK];
        match file.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(got) => block.truncate(got),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
            Err(cause) => return Err(cause),
        }
        if sender.send(Wake::Bytes(index, block)).is_err() {
            return Ok(());
        }
    }
}

/// Waits for the end of the process `id`.
pub fn watch_process(id: u32, poll: Duration, sender: SyncSender<Wake>) -> Result<()> {
    start_thread("follow", move || {
        wait_for(id, poll);
        let _ = sender.send(Wake::ProcessEnded);
    })
}

#[cfg(unix)]
fn wait_for(id: u32, poll: Duration) {
    use rustix::process::{Pid, test_kill_process};
    let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return };
    if wait_on_descriptor(id) {
        return;
    }
    while test_kill_process(id) != Err(rustix::io::Errno::SRCH) {
        thread::sleep(poll);
    }
}

/// False if the system has no descriptors of processes.
#[cfg(target_os = "linux")]
fn wait_on_descriptor(id: rustix::process::Pid) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::retry_on_intr;
    use rustix::process::{PidfdFlags, pidfd_open};
    match pidfd_open(id, PidfdFlags::empty()) {
        Ok(process) => retry_on_intr(|| poll(&mut [PollFd::new(&process, PollFlags::IN)], None)).is_ok(),
        Err(cause) => cause == rustix::io::Errno::SRCH,
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn wait_on_descriptor(_: rustix::process::Pid) -> bool {
    false
}

/// `--pid` is refused on other systems.
#[cfg(not(unix))]
fn wait_for(_: u32, _: Duration) {}

/// Notices that the reader of a pipe has gone before there is anything to write.
#[cfg(unix)]
pub fn watch_output(sender: SyncSender<Wake>) -> Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{FileType, fstat};
    use rustix::io::retry_on_intr;
    let is_pipe = fstat(rustix::stdio::stdout())
        .is_ok_and(|stat| matches!(FileType::from_raw_mode(stat.st_mode), FileType::Fifo | FileType::Socket));
    if !is_pipe {
        return Ok(());
    }
    start_thread("follow", move || {
        let stdout = io::stdout();
        if retry_on_intr(|| poll(&mut [PollFd::new(&stdout, PollFlags::empty())], None)).is_ok() {
            let _ = sender.send(Wake::OutputClosed);
        }
    })
}

/// Does nothing: this system does not report it.
#[cfg(not(unix))]
pub fn watch_output(_: SyncSender<Wake>) -> Result<()> {
    Ok(())
}
