//! Whose a name is: the newest capture that asked for it has it alone.

use std::io::{self, Write};
use std::path::Path;

use super::session::{RECORD, Session, captures_in};
use crate::private;

impl Session {
    /// Takes `name` from every capture, because the newest one that asked for it could not be kept.
    pub fn release(&self, name: &str) {
        let is_ours = self.dir().parent().is_some_and(|root| private::check_dir(root).is_ok())
            && private::check_dir(self.dir()).is_ok();
        // A session that cannot be locked keeps nothing, and that failure is reported already.
        if let Some(Ok(_held)) = is_ours.then(|| self.lock()) {
            take_from_older(self.dir(), name, u64::MAX);
        }
    }
}

/// Takes `name` from the captures in `dir` with numbers below `number`. The caller holds the lock.
///
/// The larger number of two captures with one name counts, so a record that cannot be written changes no answer yet.
pub(super) fn take_from_older(dir: &Path, name: &str, number: u64) {
    for mut capture in captures_in(dir).unwrap_or_default() {
        if capture.number < number && capture.record.name.as_deref() == Some(name) {
            capture.record.name = None;
            let _ = replace_record(&dir.join(capture.number.to_string()), &capture.record.to_json());
        }
    }
}

/// Replaces a record in one step; readers see the old one or the new one.
fn replace_record(dir: &Path, json: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(json.as_bytes())?;
    file.persist(dir.join(RECORD))?;
    Ok(())
}
