//! A name belongs to one capture only: the newest that requested it.

use std::io::{self, Write};
use std::path::Path;

use super::session::{RECORD, Session, captures_in};
use crate::private;

impl Session {
    /// Removes `name` from every capture, because keeping the newest failed.
    pub fn release(&self, name: &str) {
        let is_ours = self.dir().parent().is_some_and(|root| private::check_dir(root).is_ok())
            && private::check_dir(self.dir()).is_ok();
        // If locking fails, that error is reported already.
        if let Some(Ok(_held)) = is_ours.then(|| self.lock()) {
            take_from_older(self.dir(), name, u64::MAX);
        }
    }
}

/// Removes `name` from the captures below `number`. The caller holds the lock.
///
/// Failures do no harm: of two captures with one name, the larger number counts.
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
