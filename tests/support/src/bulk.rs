//! Texts of some hundred KiB and more, and the times of the files that have them.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crate::rng::Rng;

/// Waits until a later write gets another timestamp than earlier ones.
pub fn settle() {
    sleep(Duration::from_millis(25));
}

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Words,
    /// Lines of up to several blocks.
    Long,
    Crlf,
    Newlines,
    OneLine,
}

pub const STYLES: [Style; 5] = [Style::Words, Style::Long, Style::Crlf, Style::Newlines, Style::OneLine];

/// `length` random bytes of a style.
pub fn text_of(rng: &mut Rng, style: Style, length: usize) -> Vec<u8> {
    static POOLS: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    let make = || [(0, 1..120, "\n"), (1, 1..200_000, "\n"), (2, 0..40, "\r\n")].map(pool);
    let pool = match style {
        Style::Newlines => return vec![b'\n'; length],
        Style::OneLine => return vec![b'a' + rng.below(26).to_le_bytes()[0]; length],
        Style::Words => 0,
        Style::Long => 1,
        Style::Crlf => 2,
    };
    let pool = &POOLS.get_or_init(make)[pool];
    let start = rng.below(pool.len() - length.min(pool.len() - 1));
    pool[start..pool.len().min(start + length)].to_vec()
}

fn pool((seed, lengths, end): (u64, std::ops::Range<usize>, &str)) -> Vec<u8> {
    const SIZE: usize = 8 << 20;
    let mut rng = Rng::new(seed);
    let mut text = Vec::with_capacity(SIZE);
    while text.len() < SIZE {
        let length = lengths.start + rng.below(lengths.len());
        for _ in 0..length.div_ceil(4) {
            let letters = rng.next().to_le_bytes();
            text.extend(letters[..4].iter().map(|byte| b'a' + byte % 26));
        }
        text.extend(end.as_bytes());
    }
    text.truncate(SIZE);
    text
}

/// Lines that contain their own number, so that a wrong one shows.
pub fn numbered(lines: std::ops::RangeInclusive<u64>) -> Vec<u8> {
    let mut text = Vec::new();
    for n in lines {
        let filler = usize::try_from(n * 7 % 90).unwrap();
        text.extend(format!("line {n} {}\n", "-".repeat(filler)).bytes());
    }
    text
}

/// Line `n` of [`numbered`].
pub fn number_line(n: u64) -> Vec<u8> {
    numbered(n..=n)
}

pub fn modified(path: &Path) -> SystemTime {
    path.metadata().unwrap().modified().unwrap()
}

pub fn set_modified(path: &Path, time: SystemTime) {
    // Windows sets times only through a file that is open for writing.
    let file = if cfg!(windows) { File::options().write(true).open(path) } else { File::open(path) };
    file.unwrap().set_modified(time).unwrap();
}

/// Writes `bytes` at `offset` of the file `path`.
pub fn overwrite(path: &Path, offset: u64, bytes: &[u8]) {
    let mut file = File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Whether this is root, whom permissions do not stop.
#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
