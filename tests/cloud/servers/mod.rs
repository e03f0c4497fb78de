//! Real servers on this machine. Each is started once for all tests, and ends with the process that they run in.
//!
//! `.ci/servers` installs them into target/servers, or where `RREAD_SERVERS` says. One that is not there is said
//! loudly, and its tests do nothing.

pub mod azure;
pub mod gcs;
pub mod nginx;
mod process;
pub mod s3;
mod tests;

use std::path::{Path, PathBuf};
use std::thread;

use crate::proxy::Proxy;

pub use self::azure::azurite;
pub use self::gcs::google;
pub use self::nginx::nginx;
pub use self::s3::{moto, s3s};

/// The bucket, or container, that every store has.
pub const BUCKET: &str = "logs";

/// What is put on a server.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    pub content_type: Option<&'a str>,
    pub metadata: &'a [(&'a str, &'a str)],
}

impl<'a> Object<'a> {
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Object { name, bytes, content_type: None, metadata: &[] }
    }
}

/// How the program is pointed at an object.
#[derive(Clone, Debug)]
pub struct Target {
    pub url: String,
    pub env: Vec<(String, String)>,
}

impl Target {
    /// An address, and the variables that say where its server is and who asks. Nothing of the account that runs
    /// the tests is used, and nobody is asked for credentials.
    pub fn new(url: String, env: &[(&str, &str)]) -> Self {
        let mut target = Target { url, env: Vec::new() };
        for (name, value) in [
            ("AWS_CONFIG_FILE", "/dev/null"),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
            ("AWS_EC2_METADATA_DISABLED", "true"),
            ("NO_PROXY", "*"),
        ] {
            target.set(name, value);
        }
        env.iter().for_each(|(name, value)| target.set(name, value));
        target
    }

    /// Sets a variable, also one that is set already.
    pub fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.env.push((name.to_owned(), value.to_owned()));
    }

    pub fn unset(&mut self, name: &str) {
        self.env.retain(|var| var.0 != name);
    }
}

/// A server that keeps objects by name.
pub trait Store: Sync {
    /// The server's name in messages.
    fn name(&self) -> &'static str;

    fn port(&self) -> u16;

    /// Keeps an object, or replaces it. Metadata is left out where a server has none.
    fn put(&self, object: &Object);

    /// Points at the object through `port`, which is the server's own or that of a proxy before it.
    fn target_at(&self, name: &str, port: u16) -> Target;

    fn target(&self, name: &str) -> Target {
        self.target_at(name, self.port())
    }

    /// Whether metadata and content type are kept.
    fn keeps_metadata(&self) -> bool {
        true
    }
}

/// Points at an object through a proxy that counts.
pub fn counted(store: &dyn Store, name: &str) -> (Target, Proxy) {
    let proxy = Proxy::before(store.port());
    (store.target_at(name, proxy.port()), proxy)
}

/// Every server that is installed.
pub fn all() -> Vec<&'static dyn Store> {
    type Get = fn() -> Option<&'static dyn Store>;
    let each: [Get; 5] = [
        || moto().map(|server| server as &dyn Store),
        || s3s().map(|server| server as &dyn Store),
        || azurite().map(|server| server as &dyn Store),
        || google().map(|server| server as &dyn Store),
        || nginx().map(|server| server as &dyn Store),
    ];
    let starting = each.map(thread::spawn);
    starting.into_iter().filter_map(|server| server.join().unwrap()).collect()
}

/// The folder that the servers are installed in.
fn installed() -> PathBuf {
    let named = std::env::var_os("RREAD_SERVERS").unwrap_or_else(|| "target/servers".into());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(named)
}
