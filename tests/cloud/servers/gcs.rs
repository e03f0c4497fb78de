//! Google Cloud Storage: moto, by the XML interface that Google shares with S3.
//!
//! Emulators of Google's other interface are of no use here: gcp-storage-emulator 2026.7.19 has no ETag and no
//! Last-Modified, refuses HEAD, and does not hear If-Match.

use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::NamedTempFile;

use super::s3::{Moto, moto};
use super::{BUCKET, Object, Store, Target};

/// moto, as seen by a client of Google's.
pub struct Google(&'static Moto);

pub fn google() -> Option<&'static Google> {
    static GOOGLE: OnceLock<Option<Google>> = OnceLock::new();
    GOOGLE.get_or_init(|| moto().map(Google)).as_ref()
}

impl Store for Google {
    fn name(&self) -> &'static str {
        "moto (Google)"
    }

    fn port(&self) -> u16 {
        self.0.port()
    }

    fn put(&self, object: &Object) {
        // The account has no password to sign with, and moto denies others what is not everybody's.
        self.0.put_public(object);
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        target(name, port, &self.0.folder().join(format!("google-{port}.json")))
    }

    fn keeps_metadata(&self) -> bool {
        false
    }
}

/// Points at an object by a service account that is written to `account`, and that has no password.
pub fn target(name: &str, port: u16, account: &Path) -> Target {
    let json = format!(
        r#"{{"gcs_base_url": "http://127.0.0.1:{port}", "disable_oauth": true, "client_email": "",
             "private_key": "", "private_key_id": ""}}"#
    );
    // In one step: another test may be reading the account of the same server.
    let mut file = NamedTempFile::new_in(account.parent().unwrap()).unwrap();
    file.write_all(json.as_bytes()).unwrap();
    file.persist(account).unwrap();
    let env = [("GOOGLE_SERVICE_ACCOUNT", account.to_str().unwrap()), ("GOOGLE_ALLOW_HTTP", "true")];
    Target::new(format!("gs://{BUCKET}/{name}"), &env)
}
