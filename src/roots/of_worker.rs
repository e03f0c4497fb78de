//! The places that a worker may read: objects below URLs, and files below directories.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::Roots;
use rread_source::access::Opener;
use rread_text::{Address, Error, Kind, Result};

/// The roots of a worker.
#[derive(Debug)]
pub(crate) struct WorkerRoots {
    /// Each ends with a slash.
    urls: Vec<String>,
    /// `None` if no root is a directory.
    directories: Option<Roots>,
}

impl WorkerRoots {
    pub(crate) fn open(roots: &[PathBuf]) -> Result<Self> {
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
