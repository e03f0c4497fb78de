//! The environment of the program under test: its own home, without the caller's variables and ignored signals.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Variables that the program reads.
const VARIABLES: [&str; 19] = [
    "RREAD_FORMAT",
    "RREAD_MAX_BYTES",
    "RREAD_INDEX",
    "RREAD_INDEX_MIN",
    "RREAD_CACHE_DIR",
    "RREAD_CACHE_MAX",
    "RREAD_SESSION",
    "RREAD_STATE_DIR",
    "RREAD_STATE_MAX",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "LOCALAPPDATA",
    "RREAD_THEME",
    "RREAD_VIEW",
    "RREAD_WORKERS",
    "RREAD_WORKERS_MIN",
    "LESS",
    "COLORTERM",
    "NO_COLOR",
];

/// Workers that get every query of several files, however small: `tests/cluster/results.rs` sets it.
pub const WORKERS: &str = "RREAD_TEST_WORKERS";

/// The file with the token of these workers.
pub const TOKEN: &str = "RREAD_TEST_TOKEN";

/// Gives the home the token, as its worker would.
fn own_token(home: &Path, token: &Path) {
    let state = home.join(".local/state/rread");
    let path = state.join("worker-token");
    if !path.exists() {
        std::fs::create_dir_all(&state).unwrap();
        // The mode goes along.
        let _ = std::fs::copy(token, &path);
        #[cfg(unix)]
        std::fs::set_permissions(&state, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    }
}

/// The program under test: Cargo names it to the tests of its package; otherwise it lies beside the folder of the test program.
pub fn binary() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let beside = || {
            let test = env::current_exe().unwrap();
            let folder = test.ancestors().nth(2).unwrap();
            folder.join("rread").with_extension(env::consts::EXE_EXTENSION)
        };
        env::var_os("CARGO_BIN_EXE_rread").map_or_else(beside, PathBuf::from)
    });
    &BINARY
}

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A command with its own home.
pub trait AtHome {
    fn variable(&mut self, name: &str, value: Option<&Path>);

    /// Gives the command the home `home`, so that it writes nothing into that of the user. Variables of the test come after.
    fn at_home(&mut self, home: &Path) -> &mut Self {
        #[cfg(unix)]
        crate::signals::not_ignored();
        VARIABLES.iter().for_each(|name| self.variable(name, None));
        self.variable("HOME", Some(home));
        if cfg!(windows) {
            self.variable("LOCALAPPDATA", Some(home));
        }
        if let Some(workers) = env::var_os(WORKERS) {
            self.variable("RREAD_WORKERS", Some(Path::new(&workers)));
            self.variable("RREAD_WORKERS_MIN", Some(Path::new("1")));
            // The workers have another home.
            if let Some(token) = env::var_os(TOKEN) {
                own_token(home, Path::new(&token));
            }
        }
        self
    }
}

impl AtHome for std::process::Command {
    fn variable(&mut self, name: &str, value: Option<&Path>) {
        match value {
            Some(value) => self.env(name, value),
            None => self.env_remove(name),
        };
    }
}

impl AtHome for assert_cmd::Command {
    fn variable(&mut self, name: &str, value: Option<&Path>) {
        match value {
            Some(value) => self.env(name, value),
            None => self.env_remove(name),
        };
    }
}
