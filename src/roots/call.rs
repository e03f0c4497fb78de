//! One call of a tool for agents: what it may open, how much it has read, and whether it is still wanted; and the URLs that
//! clients name, which tools see without their secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::Roots;
use crate::args::content::default_max_bytes;
use crate::args::environment::{kept_hashes, policy, session};
use rread_answer::{AnswerOptions, ReadOptions, SourceOptions};
use rread_source::access::{Access, Opener, Session, Watch};
use rread_source::lock;
use rread_text::address::{self, HIDDEN};
use rread_text::{Address, Error, Kind, Result};

/// How long a call may take if nobody says otherwise.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// The rights of calls.
#[derive(Debug)]
pub(crate) struct Permissions {
    pub(crate) roots: Roots,
    pub(crate) capture: bool,
    pub(crate) remote: bool,
    /// URLs of all calls, which `next` names without their secrets.
    pub(crate) urls: SecretUrls,
    /// Whether a server runs the calls, for a client that may be a stranger.
    pub(crate) is_server: bool,
}

impl Permissions {
    /// Why something is refused that `option` of the server allows.
    pub(crate) fn without(&self, option: &str) -> String {
        match self.is_server {
            true => format!("this server was started without {option}"),
            false => "with --root only files below the roots are read".to_owned(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) permissions: Arc<Permissions>,
    urls: SecretUrls,
    is_cancelled: AtomicBool,
    started: Instant,
    /// How long it may take.
    pub(crate) limit: Duration,
    passed: AtomicU64,
    /// The sizes of the files that were opened.
    opened: AtomicU64,
    /// Files that were opened: a file may be opened twice, and counts once.
    known: Mutex<BTreeSet<PathBuf>>,
    /// Opened files with several names, and how many.
    links: Mutex<BTreeMap<PathBuf, u64>>,
    /// What the requests for several objects share.
    session: Session,
}

impl Call {
    pub(crate) fn new(permissions: Arc<Permissions>, limit: Duration) -> Self {
        Call {
            permissions,
            urls: SecretUrls::default(),
            is_cancelled: AtomicBool::new(false),
            started: Instant::now(),
            limit,
            passed: AtomicU64::new(0),
            opened: AtomicU64::new(0),
            known: Mutex::default(),
            links: Mutex::default(),
            session: Session::default(),
        }
    }

    /// `arguments` without the secrets of URLs, which [`Call::url`] knows.
    pub(crate) fn hide_secrets(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>> {
        let hidden = self
            .urls
            .hide(arguments, &|name| self.permissions.roots.place(name).is_ok_and(|place| place.exists()))?;
        self.permissions.urls.extend(&self.urls);
        Ok(hidden)
    }

    /// The URL that is shown as `name`.
    pub(crate) fn url(&self, name: &str) -> Result<PathBuf> {
        let url = self.urls.get(name).or_else(|| self.permissions.urls.get(name));
        url.map_or_else(|| complete(name), |url| Ok(PathBuf::from(url)))
    }

    /// Whether the time of the call is up.
    pub(crate) fn is_late(&self) -> bool {
        self.started.elapsed() >= self.limit
    }

    /// The error of a call whose time is up.
    pub(crate) fn too_late(&self) -> Error {
        let limit = humantime::format_duration(self.limit);
        Error::new(Kind::Io, format!("the call did not finish within {limit}, and was ended")).hint(
            "give timeout more seconds, or ask for less: fewer files, a range or a window of time, a plainer pattern or query",
        )
    }

    #[cfg(feature = "mcp")]
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Bytes read, and bytes of the files that were opened.
    #[cfg(feature = "mcp")]
    pub(crate) fn progress(&self) -> (u64, u64) {
        (self.passed.load(Ordering::Relaxed), self.opened.load(Ordering::Relaxed))
    }

    /// How many names the opened file `path` has, if several.
    pub(crate) fn links(&self, path: &Path) -> Option<u64> {
        lock(&self.links).get(path).copied()
    }

    /// Options that open files through the roots only.
    pub(crate) fn source(self: &Arc<Self>) -> SourceOptions {
        let (opener, watch) = (Arc::clone(self), Arc::clone(self));
        // The user did not choose the hosts that a client names, so they get no headers of the environment.
        let shared = Access { session: Some(self.session.clone()), ..Access::default() };
        let access = Access { opener: Some(opener), watch: Some(watch), ..shared };
        SourceOptions { access, ansi: None, captures: session().ok() }
    }

    pub(crate) fn read_options(self: &Arc<Self>) -> Result<ReadOptions> {
        let hashes = kept_hashes().ok().flatten();
        Ok(ReadOptions { source: self.source(), index: policy()?, hashes, encoding: None })
    }

    pub(crate) fn content(self: &Arc<Self>) -> Result<AnswerOptions> {
        let default_max_bytes = default_max_bytes()?;
        Ok(AnswerOptions { read: self.read_options()?, default_max_bytes, ..AnswerOptions::default() })
    }
}

impl Opener for Call {
    fn open(&self, path: &Path) -> Result<Option<File>> {
        self.check().map_err(|cause| Error::read("", &cause))?;
        if Address::of(path).is_some() && self.permissions.remote {
            return Ok(None);
        }
        let file = self.permissions.roots.open_file(path)?;
        let metadata = file.metadata().map_err(|cause| Error::read("cannot open", &cause))?;
        let is_new = lock(&self.known).insert(path.to_owned());
        if is_new {
            self.opened.fetch_add(metadata.len(), Ordering::Relaxed);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            if metadata.nlink() > 1 {
                let mut links = lock(&self.links);
                links.insert(path.to_owned(), metadata.nlink());
            }
        }
        Ok(Some(file))
    }
}

impl Watch for Call {
    fn check(&self) -> io::Result<()> {
        if self.is_cancelled() {
            return Err(Error::new(Kind::Io, "the call was cancelled").into_io());
        }
        if self.is_late() {
            return Err(self.too_late().into_io());
        }
        Ok(())
    }

    fn report_read(&self, bytes: u64) {
        self.passed.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// The most URLs with secrets that a server remembers.
const MAX_URLS: usize = 10_000;

/// Arguments whose text is never the name of a file.
const NOT_NAMES: [&str; 3] = ["pattern", "sql", "command"];

/// URLs with secrets, by the name that tools see.
#[derive(Debug, Default)]
pub(crate) struct SecretUrls(Mutex<BTreeMap<String, String>>);

impl SecretUrls {
    pub(crate) fn get(&self, shown: &str) -> Option<String> {
        lock(&self.0).get(shown).cloned()
    }

    fn insert(&self, shown: &str, url: &str) -> Option<String> {
        let mut urls = lock(&self.0);
        if urls.len() >= MAX_URLS && !urls.contains_key(shown) {
            urls.clear();
        }
        urls.insert(shown.to_owned(), url.to_owned())
    }

    /// Remembers the URLs of another call.
    pub(crate) fn extend(&self, other: &SecretUrls) {
        for (shown, url) in &*lock(&other.0) {
            self.insert(shown, url);
        }
    }

    /// `arguments`, whose URLs have [`HIDDEN`] for their secrets, and are remembered.
    pub(crate) fn hide(
        &self,
        mut arguments: Map<String, Value>,
        is_file: &dyn Fn(&str) -> bool,
    ) -> Result<Map<String, Value>> {
        for (_, value) in arguments.iter_mut().filter(|(name, _)| !NOT_NAMES.contains(&name.as_str())) {
            self.hide_value(value, is_file)?;
        }
        Ok(arguments)
    }

    fn hide_value(&self, value: &mut Value, is_file: &dyn Fn(&str) -> bool) -> Result<()> {
        match value {
            Value::Array(values) => values.iter_mut().try_for_each(|value| self.hide_value(value, is_file)),
            Value::Object(values) => {
                values.values_mut().try_for_each(|value| self.hide_value(value, is_file))
            }
            Value::String(text) => {
                // Some clients send a list as its JSON text.
                if let Ok(mut list @ Value::Array(_)) = serde_json::from_str(text) {
                    self.hide_value(&mut list, is_file)?;
                    *text = list.to_string();
                    return Ok(());
                }
                let url = text.trim();
                let shown = address::display(Path::new(url)).into_owned();
                if shown == *url || is_file(text) {
                    return Ok(());
                }
                if self.insert(&shown, url).is_some_and(|before| before != *url) {
                    let message = "two URLs differ only in their secrets, which answers do not show";
                    return Err(Error::usage(message).hint("name them in two calls").at(Path::new(&shown)));
                }
                *text = shown;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a URL of which the client has only what answers show.
pub(crate) fn complete(name: &str) -> Result<PathBuf> {
    let is_hidden = name.contains(&format!("{HIDDEN}@")) || name.contains(&format!("={HIDDEN}"));
    if is_hidden && Address::of(Path::new(name)).is_some() {
        let message = format!("has {HIDDEN} for a secret that rread does not know here");
        return Err(Error::usage(message).hint("write the URL with its secret").at(Path::new(name)));
    }
    Ok(PathBuf::from(name))
}
