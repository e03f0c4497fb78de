//! Published captures on disk. A name belongs only to the newest capture that requested it.

use std::fs::DirEntry;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::handle::Handle;
use super::record::{Ansi, Record};
use crate::private;

pub(super) const OUTPUT: &str = "output";
pub(super) const RECORD: &str = "record.json";

/// A complete capture on disk.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The number, from 1.
    pub number: u64,
    /// Its record.
    pub record: Record,
    /// The stored bytes.
    pub path: PathBuf,
}

impl Capture {
    /// The handle with its number.
    pub fn handle(&self) -> Handle {
        Handle::Number(self.number)
    }

    /// The file to read.
    pub fn text(&self, ansi: Ansi) -> PathBuf {
        self.record.text_file(&self.path, ansi)
    }

    pub(super) fn is_named(&self, handle: &Handle) -> bool {
        match handle {
            Handle::Number(number) => self.number == *number,
            Handle::Name(name) => self.record.name.as_ref() == Some(name),
        }
    }
}

/// The oldest first.
pub(super) fn captures_in(dir: &Path) -> io::Result<Vec<Capture>> {
    let entries = private::entries(dir)?;
    let mut captures: Vec<_> =
        entries.iter().filter_map(|entry| capture_in(dir, number_of(entry)?)).collect();
    captures.sort_by_key(|capture| capture.number);
    Ok(captures)
}

/// The capture `number` of the session in `dir`, if it is complete and belongs to this user.
pub(super) fn capture_in(dir: &Path, number: u64) -> Option<Capture> {
    let dir = dir.join(number.to_string());
    private::check_dir(&dir).ok()?;
    let mut text = String::new();
    // Far more than a valid record has.
    private::open(&dir.join(RECORD)).ok()?.take(1 << 20).read_to_string(&mut text).ok()?;
    Some(Capture { number, record: Record::from_json(&text)?, path: dir.join(OUTPUT) })
}

pub(super) fn number_of(entry: &DirEntry) -> Option<u64> {
    let name = entry.file_name();
    let number = name.to_str()?.parse::<u64>().ok()?;
    (name.to_str() == Some(&number.to_string())).then_some(number)
}

/// Removes `name` from the captures below `number`; the caller holds the lock. Failures do no harm: of two captures with
/// one name, the larger number counts.
pub(super) fn take_from_older(dir: &Path, name: &str, number: u64) {
    for mut capture in captures_in(dir).unwrap_or_default() {
        if capture.number < number && capture.record.name.as_deref() == Some(name) {
            capture.record.name = None;
            let _ = replace_record(&dir.join(capture.number.to_string()), &capture.record.to_json());
        }
    }
}

fn replace_record(dir: &Path, json: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(json.as_bytes())?;
    file.persist(dir.join(RECORD))?;
    Ok(())
}
