//! A small world of files under three names, and the events of log files.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rread_testkit::ask::B;
use rread_testkit::bulk::{Style, modified, overwrite, set_modified, settle, text_of};
use rread_testkit::rng::Rng;
use tempfile::TempDir;

/// What can happen to a file between two requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Append,
    Truncate,
    /// Other bytes in the middle, the same size.
    Overwrite,
    /// The bytes of one block reversed: the same number of newlines, elsewhere.
    ReverseBlock,
    /// All bytes reversed: the same number of newlines in all, not in each block.
    ReverseAll,
    /// Other bytes after the last whole block only.
    OverwriteTail,
    /// Overwritten in the middle and appended to.
    OverwriteAndAppend,
    /// Copied away, truncated and filled again.
    CopyTruncate,
    /// Renamed, with a new file under its name.
    Rotate,
    /// Renamed there and back.
    RenameTwice,
    /// Deleted and created again, most likely with the same inode.
    Recreate,
    /// Another file renamed over it, as editors save.
    Replace,
    Touch,
    Chmod,
    HardLink,
    /// Waits for the clock to move on.
    Pause,
}

use Event::{
    Append, Chmod, CopyTruncate, HardLink, Overwrite, OverwriteAndAppend, OverwriteTail, Pause, Recreate,
    RenameTwice, Replace, ReverseAll, ReverseBlock, Rotate, Touch, Truncate,
};

/// All events.
pub const ALL: [Event; 16] = [
    Append,
    Truncate,
    Overwrite,
    ReverseBlock,
    ReverseAll,
    OverwriteTail,
    OverwriteAndAppend,
    CopyTruncate,
    Rotate,
    RenameTwice,
    Recreate,
    Replace,
    Touch,
    Chmod,
    HardLink,
    Pause,
];

/// Events that leave a prefix of the file.
pub const GROWING: [Event; 10] =
    [Append, Append, Append, Truncate, CopyTruncate, Rotate, Recreate, Replace, Touch, Pause];

/// Events after which a file has its size or a smaller one.
pub const REWRITING: [Event; 8] =
    [Overwrite, ReverseBlock, ReverseAll, OverwriteTail, Truncate, Touch, Chmod, Pause];

pub struct World {
    dir: TempDir,
    pub max_size: usize,
    styles: Vec<Style>,
}

impl World {
    /// A world of files of at most `max_size` bytes.
    pub fn new(rng: &mut Rng, max_size: usize, styles: &[Style]) -> Self {
        let world = World { dir: TempDir::new().unwrap(), max_size, styles: styles.to_vec() };
        let size = 1 + rng.below(max_size);
        fs::write(world.log(), world.text(rng, size)).unwrap();
        world
    }

    pub fn log(&self) -> PathBuf {
        self.path("log")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// One of the files, mostly the log.
    pub fn any_file(&self, rng: &mut Rng) -> PathBuf {
        let other = self.path(rng.pick(&["log.1", "link"]));
        if rng.one_in(4) && other.exists() { other } else { self.log() }
    }

    /// Makes the log at least `size` bytes long.
    pub fn append_up_to(&self, rng: &mut Rng, size: usize) {
        let there = usize::try_from(self.log().metadata().unwrap().len()).unwrap();
        let text = self.text(rng, size.saturating_sub(there));
        OpenOptions::new().append(true).open(self.log()).unwrap().write_all(&text).unwrap();
    }

    /// Text of one style, in pieces if long.
    fn text(&self, rng: &mut Rng, length: usize) -> Vec<u8> {
        const PIECE: usize = 4 << 20;
        let style = rng.pick(&self.styles);
        let mut text = Vec::with_capacity(length);
        while text.len() < length {
            text.extend(text_of(rng, style, (length - text.len()).min(PIECE)));
        }
        text
    }

    /// Applies `event` to `path`, and restores its time afterwards if `backdated`.
    pub fn happen(&self, rng: &mut Rng, event: Event, path: &Path, backdated: bool) {
        let before = modified(path);
        self.change(rng, event, path);
        if backdated {
            set_modified(path, before);
        }
    }

    fn change(&self, rng: &mut Rng, event: Event, path: &Path) {
        let size = usize::try_from(path.metadata().unwrap().len()).unwrap();
        match event {
            Append => self.append(rng, path),
            Truncate => resize(path, edge_or_any(rng, size)),
            Overwrite => self.overwrite(rng, path, 0, size),
            OverwriteTail => self.overwrite(rng, path, size / B * B, size),
            OverwriteAndAppend => {
                self.overwrite(rng, path, 0, size);
                self.append(rng, path);
            }
            ReverseBlock => reverse(path, rng.below(size / B + 1) * B, B),
            ReverseAll => reverse(path, 0, size),
            CopyTruncate => {
                // Windows refuses to copy a file to another name of it.
                let _ = fs::copy(path, self.path("log.1"));
                resize(path, 0);
                self.append(rng, path);
            }
            Rotate => {
                fs::rename(path, self.path("log.2")).unwrap();
                fs::rename(self.path("log.2"), self.path("log.1")).unwrap();
                self.renew(rng, path, size);
            }
            RenameTwice => {
                fs::rename(path, self.path("elsewhere")).unwrap();
                fs::rename(self.path("elsewhere"), path).unwrap();
            }
            Recreate => {
                fs::remove_file(path).unwrap();
                self.renew(rng, path, size);
            }
            Replace => {
                self.renew(rng, &self.path("new"), size);
                fs::rename(self.path("new"), path).unwrap();
            }
            Touch => set_modified(path, std::time::SystemTime::now()),
            Chmod => chmod(path, if rng.one_in(2) { 0o600 } else { 0o644 }),
            HardLink => {
                let _ = fs::remove_file(self.path("link"));
                fs::hard_link(self.log(), self.path("link")).unwrap();
            }
            Pause if rng.one_in(2) => settle(),
            Pause => sleep(Duration::from_millis(rng.below(6) as u64)),
        }
    }

    /// A new file, sometimes of the old one's size.
    fn renew(&self, rng: &mut Rng, path: &Path, old_size: usize) {
        let size = if rng.one_in(2) { old_size } else { rng.below(self.max_size) };
        fs::write(path, self.text(rng, size)).unwrap();
    }

    fn append(&self, rng: &mut Rng, path: &Path) {
        let size = usize::try_from(path.metadata().unwrap().len()).unwrap();
        let wanted = match rng.below(3) {
            0 => 1 + rng.below(200),
            1 => B - size % B + rng.below(3) - 1,
            _ => 1 + rng.below(6 * B),
        };
        let text = self.text(rng, wanted.min(self.max_size.saturating_sub(size)));
        OpenOptions::new().append(true).open(path).unwrap().write_all(&text).unwrap();
    }

    /// Replaces bytes somewhere between `from` and `to`.
    fn overwrite(&self, rng: &mut Rng, path: &Path, from: usize, to: usize) {
        let at = from + rng.below(to - from);
        let limit = rng.pick(&[1, 8, 3000, 100_000]);
        let length = (1 + rng.below(limit)).min(to - at);
        overwrite(path, at as u64, &self.text(rng, length));
    }
}

/// A size up to `size`, often of whole blocks.
fn edge_or_any(rng: &mut Rng, size: usize) -> usize {
    let any = rng.below(size + 1);
    if rng.one_in(2) { (any / B * B + rng.below(3)).saturating_sub(1).min(size) } else { any }
}

fn resize(path: &Path, size: usize) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(size as u64).unwrap();
}

/// Reverses up to `length` bytes from `start` on, in place.
fn reverse(path: &Path, start: usize, length: usize) {
    let bytes = fs::read(path).unwrap();
    let mut reversed: Vec<u8> = bytes.iter().skip(start).take(length).copied().collect();
    reversed.reverse();
    overwrite(path, start as u64, &reversed);
}

/// Sets the mode, where files have one.
pub fn chmod(path: &Path, mode: u32) {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    let _ = (path, mode);
}
