//! The program in this process: a command line in; its exit code and what it put out, out.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, Once, PoisonError};

use rustix::stdio::{dup2_stderr, dup2_stdout, stderr, stdout};
use tempfile::TempDir;

/// What a command gave.
pub struct Run {
    pub code: u8,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Standard output and error while a command runs, and those of the process.
struct Streams {
    files: [File; 2],
    ours: [OwnedFd; 2],
}

/// One command at a time, since the streams belong to the whole process.
static STREAMS: LazyLock<Mutex<Streams>> = LazyLock::new(|| {
    let ours = [stdout().try_clone_to_owned().unwrap(), stderr().try_clone_to_owned().unwrap()];
    let spare: &OwnedFd = Box::leak(Box::new(stderr().try_clone_to_owned().unwrap()));
    before_panics(move || dup2_stderr(spare).unwrap());
    Mutex::new(Streams { files: [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()], ours })
});

/// Has `action` done before a panic is told of.
pub fn before_panics(action: impl Fn() + Send + Sync + 'static) {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        action();
        told(panic);
    }));
}

/// Runs `rread` with `args`; on every answer, what holds for all of them is checked.
pub fn run(args: &[&OsStr]) -> Run {
    static ENVIRONMENT: Once = Once::new();
    ENVIRONMENT.call_once(|| {
        let set = std::env::vars_os().find(|(name, _)| name.as_encoded_bytes().starts_with(b"RREAD_"));
        assert!(set.is_none(), "{set:?} changes what is asked");
    });
    let streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let [out, err] = &streams.files;
    for mut file in [out, err] {
        file.set_len(0).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
    }
    dup2_stdout(out).unwrap();
    dup2_stderr(err).unwrap();
    let words: Vec<OsString> = [OsStr::new("rread")].iter().chain(args).map(OsString::from).collect();
    let code = rread::run(words.into_iter());
    dup2_stdout(&streams.ours[0]).unwrap();
    dup2_stderr(&streams.ours[1]).unwrap();
    let written = |mut file: &File| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let run = Run { code, stdout: written(out), stderr: written(err) };
    assert!(code <= 8, "exit {code}: {args:?}");
    let is_quiet = run.stderr.is_empty() || code == 0 && is_note(&run.stderr);
    assert_eq!(code == 0, is_quiet, "exit {code}: {args:?} {}", run.told());
    assert!(std::str::from_utf8(&run.stderr).is_ok_and(is_harmless), "{args:?}: {}", run.told());
    run
}

/// What may be said on standard error beside an answer.
fn is_note(stderr: &[u8]) -> bool {
    stderr.starts_with(b"rread: ") && stderr.windows(8).any(|text| text == b": note: ")
}

/// Whether a terminal would show this as it is.
fn is_harmless(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !c.is_control())
}

impl Run {
    pub fn told(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// A folder of this process that goes when it ends in the usual way.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file with this content.
    pub fn file(&self, name: impl AsRef<Path>, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }
}
