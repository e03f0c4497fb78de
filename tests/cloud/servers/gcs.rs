//! Google Cloud Storage: moto, with the XML interface that Google shares with S3.
//!
//! Emulators of Google's other interface do not help: gcp-storage-emulator 2026.7.19 sends no ETag and no
//! Last-Modified, refuses HEAD, and ignores If-Match.

use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::NamedTempFile;

use super::s3::{Moto, moto};
use super::{BUCKET, Object, Store, Target};

/// moto for clients of Google.
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
        // The account cannot sign, and moto denies private objects to others.
        self.0.put_public(object);
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        target(name, port, &self.0.folder().join(format!("google-{port}.json")))
    }

    fn keeps_metadata(&self) -> bool {
        false
    }
}

/// The target of a request by a service account without a password, which this writes to `account`.
pub fn target(name: &str, port: u16, account: &Path) -> Target {
    let json = format!(
        r#"{{"gcs_base_url": "http://127.0.0.1:{port}", "disable_oauth": true, "client_email": "",
             "private_key": "", "private_key_id": ""}}"#
    );
    // In one step, because another test may read the account at the same time.
    let mut file = NamedTempFile::new_in(account.parent().unwrap()).unwrap();
    file.write_all(json.as_bytes()).unwrap();
    file.persist(account).unwrap();
    let env = [("GOOGLE_SERVICE_ACCOUNT", account.to_str().unwrap()), ("GOOGLE_ALLOW_HTTP", "true")];
    Target::new(format!("gs://{BUCKET}/{name}"), &env)
}
