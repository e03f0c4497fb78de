//! Real servers on this machine. Each starts once for all tests and ends with their process.
//!
//! `.ci/servers` installs them into target/servers, or into `RREAD_SERVERS`. The tests of a missing server report
//! that and do nothing.

pub mod azure;
pub mod gcs;
pub mod nginx;
mod process;
pub mod s3;
mod tests;

use std::path::{Path, PathBuf};
use std::thread;

pub use self::azure::azurite;
pub use self::gcs::google;
pub use self::nginx::nginx;
pub use self::s3::{moto, s3s};
use crate::cloud::proxy::Proxy;

/// The bucket or container of every store.
pub const BUCKET: &str = "logs";

/// An object for a server.
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

/// A URL and environment variables that lead to an object.
#[derive(Clone, Debug)]
pub struct Target {
    pub url: String,
    pub env: Vec<(String, String)>,
}

impl Target {
    /// A URL, and the variables with endpoint and credentials. Tests never use the account that runs them, and never
    /// request credentials.
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

    /// Sets or replaces a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.env.push((name.to_owned(), value.to_owned()));
    }

    pub fn unset(&mut self, name: &str) {
        self.env.retain(|var| var.0 != name);
    }
}

pub trait Store: Sync {
    /// The name in messages.
    fn name(&self) -> &'static str;

    fn port(&self) -> u16;

    /// Stores or replaces an object, with metadata if the server has any.
    fn put(&self, object: &Object);

    /// The target of an object at `port`: the server's own, or that of a proxy.
    fn target_at(&self, name: &str, port: u16) -> Target;

    fn target(&self, name: &str) -> Target {
        self.target_at(name, self.port())
    }

    /// Whether the server keeps metadata and content type.
    fn keeps_metadata(&self) -> bool {
        true
    }
}

/// The target of an object behind a counting proxy.
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

/// The folder of the installed servers.
fn installed() -> PathBuf {
    let named = std::env::var_os("RREAD_SERVERS").unwrap_or_else(|| "target/servers".into());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(named)
}
