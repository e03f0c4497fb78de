//! Starts a worker, which opens files only below its roots, and reads the small files that its options name.

use std::fs::{self, File};
use std::io::Write;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::WorkerArgs;
use crate::roots::Roots;
use rread_cluster::{ClusterAccess, OpenOptions, OpenedBy, Opening, WorkerOptions, check_identity, serve};
use rread_documents::sheets::Sheet;
use rread_reader::reader::Reader;
use rread_source::access::{Access, Opener, Session, Watch};
use rread_text::address::Address;
use rread_text::encoding::Choice;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{file, setting, shell};

/// The version that both sides have.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Characters of a token: fewer can be guessed.
const MIN_TOKEN: usize = 16;

impl WorkerArgs {
    pub(crate) fn run(self) -> Result<()> {
        let token = self.token_file.as_deref().map(token_of).transpose()?;
        let listener = self.listener(token.is_some())?;
        let opening = opening_below(&self.root)?;
        let bytes = |path: &Option<PathBuf>| path.as_deref().map(bytes_of).transpose();
        let identity = bytes(&self.tls_cert)?.zip(bytes(&self.tls_key)?);
        identity.as_ref().map(check_identity).transpose()?;
        let ca = bytes(&self.tls_ca)?.or_else(|| Some(identity.as_ref()?.0.clone()));
        let access = ClusterAccess { token, version: VERSION.to_owned(), ca };
        let failed = |cause: std::io::Error| Error::read("cannot listen", &cause);
        let address = listener.local_addr().map_err(failed)?;
        let does = if self.check { "can listen" } else { "listens" };
        let mut out = std::io::stdout();
        let said = writeln!(out, "rread worker {does} on {address}").and_then(|()| out.flush());
        // A reader of the address may be gone, at a new start above all.
        match said.map_err(|cause| Error::write(&cause)) {
            Err(error) if error.kind != Kind::BrokenPipe => return Err(error),
            _ => {}
        }
        if self.check {
            return Ok(());
        }
        serve(
            listener,
            WorkerOptions {
                access: Arc::new(access),
                identity,
                memory: usize::try_from(self.memory).unwrap_or(usize::MAX),
                timeout: self.timeout,
                opening,
            },
        )
    }

    fn listener(&self, has_token: bool) -> Result<TcpListener> {
        let invalid = |cause: std::io::Error| {
            let message = format!("'{}' is not an address to listen on: {cause}", self.listen);
            Error::usage(message).hint(setting("listen").then(" 127.0.0.1:7180"))
        };
        let addresses: Vec<_> = self.listen.to_socket_addrs().map_err(invalid)?.collect();
        if !has_token && addresses.iter().any(|address| !address.ip().is_loopback()) {
            let message = "other machines could read with the credentials of this worker: it needs a token";
            return Err(Error::usage(message).hint(
                setting("token-file").then(" FILE, or ").then(setting("listen")).then(" 127.0.0.1:7180"),
            ));
        }
        TcpListener::bind(&addresses[..]).map_err(|cause| {
            Error::new(
                Kind::Io,
                format!("cannot listen on {}: {}", self.listen, rread_text::error::reason(&cause)),
            )
        })
    }
}

/// How a worker opens the files of its clients: with their options, and only below `roots`.
///
/// # Errors
///
/// A root cannot be opened.
pub fn opening_below(roots: &[PathBuf]) -> Result<Arc<Opening>> {
    let roots = Arc::new(WorkerRoots::open(roots)?);
    Ok(Arc::new(move |options: &OpenOptions| opened_by(options.clone(), &roots)))
}

/// Opens the files of one read of a table with the options of a client.
fn opened_by(options: OpenOptions, roots: &Arc<WorkerRoots>) -> Result<OpenedBy> {
    let OpenOptions { encoding, salvage, no_decompress, anonymous, sheet } = options;
    let choice: Choice = encoding.as_deref().map(str::parse).transpose()?.unwrap_or(Choice::Auto);
    let session = Session::default();
    let access = Access {
        raw: no_decompress,
        salvage,
        anonymous,
        sheet: Some(sheet.map_or(Sheet::First, Sheet::Named)),
        session: Some(session.clone()),
        opener: Some(Arc::clone(roots) as _),
        ..Access::default()
    };
    let open = move |path: &Path, watch: Option<Arc<dyn Watch>>| {
        let access = Access { watch, ..access.clone() };
        let mut reader = Reader::open_as(path, &access).map_err(|error| error.at(path))?;
        if choice != Choice::Auto {
            reader.read_as(choice, path)?;
        }
        Ok(reader)
    };
    Ok(OpenedBy { open: Arc::new(open), traffic: Arc::new(move || session.traffic()) })
}

/// The secret in a file, without blanks around it.
pub(crate) fn token_of(path: &Path) -> Result<String> {
    let text = String::from_utf8_lossy(&bytes_of(path)?).into_owned();
    let token = text.trim();
    let refused = |message: String| {
        let hint = shell("head -c 32 /dev/urandom | base64 > ").then(file(path));
        Err(Error::usage(message).at(path).hint(hint))
    };
    if let Some(place) = token.bytes().position(|byte| !byte.is_ascii_graphic()) {
        return refused(format!("a token is one word of ASCII, and byte {} is in no such word", place + 1));
    }
    if token.len() < MIN_TOKEN {
        return refused(format!(
            "a token has at least {MIN_TOKEN} characters, and this one has {}",
            token.len()
        ));
    }
    Ok(token.to_owned())
}

/// A list, certificates or a key.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| Error::read("cannot read", &cause).at(path))
}

/// The roots of a worker.
#[derive(Debug)]
struct WorkerRoots {
    /// Each ends with a slash.
    urls: Vec<String>,
    /// `None` if no root is a directory.
    directories: Option<Roots>,
}

impl WorkerRoots {
    fn open(roots: &[PathBuf]) -> Result<Self> {
        let (urls, directories): (Vec<&PathBuf>, Vec<&PathBuf>) =
            roots.iter().partition(|root| Address::of(root).is_some());
        if !urls.is_empty() && !cfg!(feature = "cloud") {
            return Err(Error::usage("this rread was built without object stores and web servers")
                .hint("cargo install --path . --features cloud,cluster (in a checkout)"));
        }
        let url = |root: &PathBuf| format!("{}/", root.to_string_lossy().trim_end_matches('/'));
        let directories: Vec<PathBuf> = directories.into_iter().cloned().collect();
        let directories = if directories.is_empty() { None } else { Some(Roots::open(&directories)?) };
        Ok(WorkerRoots { urls: urls.into_iter().map(url).collect(), directories })
    }

    fn has_url(&self, url: &str) -> bool {
        !has_dots(url)
            && self.urls.iter().any(|root| url.len() > root.len() && url.starts_with(root.as_str()))
    }

    fn outside(&self) -> Error {
        Error::new(Kind::Permission, "is outside the roots of the worker")
    }
}

/// Whether a part of a URL means another directory, in any way of writing it.
fn has_dots(url: &str) -> bool {
    let plain = url.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
    let path = plain.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.split(['/', '\\']);
    parts.any(|part| matches!(part, "." | "..")) || url.contains(['\t', '\n', '\r'])
}

impl Opener for WorkerRoots {
    fn open(&self, path: &Path) -> Result<Option<File>> {
        if let Some(address) = Address::of(path) {
            return if self.has_url(address.url) { Ok(None) } else { Err(self.outside()) };
        }
        let Some(directories) = &self.directories else { return Err(self.outside()) };
        if !path.is_absolute() {
            return Err(self.outside());
        }
        // Its hints are for another server.
        directories.open_file(path).map(Some).map_err(|error| Error { hint: None, ..error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_url_leads_out_of_a_root() {
        let urls = vec!["s3://logs/2026/".to_owned(), "https://example.org/a/".to_owned()];
        let roots = WorkerRoots { urls, directories: None };
        for inside in ["s3://logs/2026/x.csv", "s3://logs/2026/a/b.gz", "https://example.org/a/x?y=../z"] {
            assert!(roots.open(Path::new(inside)).is_ok(), "{inside}");
        }
        for outside in [
            "s3://logs/2026",
            "s3://logs/2026/",
            "s3://logs/20261/x.csv",
            "s3://logs/x.csv",
            "s3://other/2026/x.csv",
            "gs://logs/2026/x.csv",
            "S3://logs/2026/x.csv",
            "https://example.org/a/../b",
            "https://example.org/a/%2e%2E/b",
            "https://example.org/a/..%2fb",
            "https://example.org/a/..\\b",
            "https://example.org/a/.\t./b",
            "https://example.org.evil/a/x",
            "https://example.org/a@evil/../x",
            "http://example.org/a/x",
            "/etc/passwd",
            "etc/passwd",
            "-",
            "fd:1",
        ] {
            assert!(roots.open(Path::new(outside)).is_err(), "{outside}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_path_leads_out_of_a_root() {
        let folder = tempfile::tempdir().unwrap();
        let [root, secret] = ["root", "secret"].map(|name| folder.path().join(name));
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.csv"), "a\n1\n").unwrap();
        std::fs::write(&secret, "x").unwrap();
        std::os::unix::fs::symlink(&secret, root.join("link")).unwrap();
        let roots = WorkerRoots::open(std::slice::from_ref(&root)).unwrap();
        assert!(roots.open(&root.join("a.csv")).is_ok());
        for outside in [secret, root.join("link"), root.join("../secret"), PathBuf::from("a.csv")] {
            assert!(roots.open(&outside).is_err(), "{}", outside.display());
        }
    }
}
