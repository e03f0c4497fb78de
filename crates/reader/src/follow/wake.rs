//! The events that wake the loop of `follow` beside changed files: streams, the end of a process, a closed output.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Duration;

use rread_source::stdin;
use rread_text::error::{Error, Result};

/// Messages that may wait; more of them would not wake the loop any more.
pub const QUEUE: usize = 4;

const BLOCK: usize = 64 << 10;

/// What woke the loop.
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

/// Reads the stream at `path` to its end.
pub fn read_stream(index: usize, path: &Path, sender: SyncSender<Wake>) -> Result<()> {
    let stdin = if path == Path::new("-") { Some(stdin::stream()?) } else { None };
    let path = path.to_owned();
    start(move || {
        let ended = stdin.map_or_else(|| open_fifo(path), Ok).and_then(|file| pass_on(index, file, &sender));
        let _ = sender.send(Wake::StreamEnded(index, ended));
    })
}

/// Opened for writing too, a named pipe does not end when its writer does: the next one may come.
fn open_fifo(path: PathBuf) -> io::Result<File> {
    File::options().read(true).write(true).open(&path).or_else(|_| File::open(&path))
}

fn pass_on(index: usize, mut file: File, sender: &SyncSender<Wake>) -> io::Result<()> {
    loop {
        let mut block = vec![0; BLOCK];
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
    start(move || {
        wait_for(id, poll);
        let _ = sender.send(Wake::ProcessEnded);
    })
}

fn start(run: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = thread::Builder::new().name("follow".to_owned()).spawn(run);
    started.map(drop).map_err(|cause| Error::read("cannot start a thread", &cause))
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
    use rustix::process::{PidfdFlags, pidfd_open};
    match pidfd_open(id, PidfdFlags::empty()) {
        Ok(process) => loop {
            match poll(&mut [PollFd::new(&process, PollFlags::IN)], None) {
                Err(rustix::io::Errno::INTR) => {}
                result => return result.is_ok(),
            }
        },
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
    let is_pipe = fstat(rustix::stdio::stdout())
        .is_ok_and(|stat| matches!(FileType::from_raw_mode(stat.st_mode), FileType::Fifo | FileType::Socket));
    if !is_pipe {
        return Ok(());
    }
    start(move || {
        let stdout = io::stdout();
        loop {
            match poll(&mut [PollFd::new(&stdout, PollFlags::empty())], None) {
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
                Ok(_) => break,
            }
        }
        let _ = sender.send(Wake::OutputClosed);
    })
}

/// Does nothing: this system does not report it.
#[cfg(not(unix))]
pub fn watch_output(_: SyncSender<Wake>) -> Result<()> {
    Ok(())
}
