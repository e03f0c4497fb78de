//! Settings from the environment: the line index, capture sessions, and their directories.

use std::env;
use std::path::PathBuf;

use rread_answer::options::no_captures;
use rread_answer::output::ThemeChoice;
use rread_reader::Policy;
use rread_reader::capture::Session;
use rread_reader::index::pages::EXTENSION;
use rread_reader::index::{MAX_BYTES, MIN_SIZE};
use rread_reader::kept_hashes::KeptHashes;
use rread_reader::store::Store;
use rread_text::range::parse_size;
use rread_text::{Error, Result, Sentence};

/// Default size of all captures together.
const STATE_LIMIT: u64 = 4 << 30;

/// `None` if indexes are off or have no directory.
pub(crate) fn policy() -> Result<Option<Policy>> {
    let write = match variable("RREAD_INDEX").as_deref() {
        Some("off") => return Ok(None),
        Some("ro") => false,
        None | Some("auto") => true,
        Some(other) => {
            return Err(Error::usage(format!("RREAD_INDEX is '{other}'; it must be off, ro or auto"))
                .hint("export RREAD_INDEX=auto"));
        }
    };
    let min_size = size_from("RREAD_INDEX_MIN")?.unwrap_or(MIN_SIZE);
    let limit = size_from("RREAD_CACHE_MAX")?.unwrap_or(MAX_BYTES);
    Ok(cache_dir().map(|dir| Policy { store: Store::new(dir, EXTENSION), write, min_size, limit }))
}

/// The hashes that earlier runs showed, and whether to keep new ones: the setting of the indexes counts for them too.
pub(crate) fn kept_hashes() -> Result<Option<(KeptHashes, bool)>> {
    let Some(Policy { write, .. }) = policy()? else { return Ok(None) };
    Ok(cache_dir().map(|dir| (KeptHashes::new(dir.join("hashes")), write)))
}

fn cache_dir() -> Option<PathBuf> {
    own_dir("RREAD_CACHE_DIR", "XDG_CACHE_HOME", ".cache", "Library/Caches")
}

/// The headers for web servers in `RREAD_HTTP_HEADERS`, one on each line.
pub(crate) fn http_headers() -> Vec<String> {
    let lines = variable("RREAD_HTTP_HEADERS").unwrap_or_default();
    lines.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// The workers in `RREAD_WORKERS`, as an option names them.
#[cfg(feature = "sql")]
pub(crate) fn workers() -> Option<String> {
    variable("RREAD_WORKERS")
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

pub(crate) fn size_from(name: &str) -> Result<Option<u64>> {
    let size = variable(name).map(|text| parse_size(&text)).transpose();
    size.map_err(|error| Error::usage(Sentence::from(format!("{name}: ")).then(error.message)))
}

/// The directory in the variable `by_name`; otherwise `rread` in the system's directory of that kind.
fn own_dir(named: &str, xdg: &str, at_home: &str, on_macos: &str) -> Option<PathBuf> {
    let dir = |name: &str| env::var_os(name).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let home = || env::home_dir().filter(|home| home.is_absolute());
    let base = if cfg!(windows) {
        dir("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join(on_macos))
    } else {
        // The XDG Base Directory Specification ignores relative paths.
        dir(xdg).filter(|dir| dir.is_absolute()).or_else(|| home().map(|home| home.join(at_home)))
    };
    dir(named).or_else(|| base.map(|base| base.join("rread")))
}

/// The size that all captures together may take.
pub(crate) fn state_limit() -> Result<u64> {
    Ok(size_from("RREAD_STATE_MAX")?.unwrap_or(STATE_LIMIT))
}

/// The variables whose values are sizes.
pub(crate) const SIZES: [&str; 5] =
    ["RREAD_MAX_BYTES", "RREAD_INDEX_MIN", "RREAD_CACHE_MAX", "RREAD_STATE_MAX", "RREAD_WORKERS_MIN"];

pub(crate) fn session() -> Result<Session> {
    Ok(Session::new(state_dir().ok_or_else(no_captures)?, env::var_os("RREAD_SESSION").as_deref()))
}

/// The directory of captures and of the token of workers.
pub(crate) fn state_dir() -> Option<PathBuf> {
    own_dir("RREAD_STATE_DIR", "XDG_STATE_HOME", ".local/state", "Library/Application Support")
}

/// The theme of `RREAD_THEME`.
pub(crate) fn theme() -> ThemeChoice {
    let has_true_color = matches!(env::var("COLORTERM").as_deref(), Ok("truecolor" | "24bit"));
    ThemeChoice { name: variable("RREAD_THEME").unwrap_or_default(), has_true_color }
}

/// The options of `rread view` in `RREAD_VIEW`, and those of less in `LESS`.
#[cfg(feature = "view")]
pub(crate) fn view_options() -> (Option<String>, String) {
    let text = |name| env::var_os(name).map(|text| text.to_string_lossy().into_owned());
    (text("RREAD_VIEW").filter(|text| !text.is_empty()), text("LESS").unwrap_or_default())
}
