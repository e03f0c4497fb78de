//! A server's process, which ends with the process of the tests, even after a crash.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cloud::http;

/// Standard input ends with the tests, because only they hold its other end. The server is killed at once, because
/// nobody needs its data afterwards.
const UNTIL_INPUT_ENDS: &str =
    "folder=$1; shift; \"$@\" & server=$!; cat >/dev/null; kill -9 $server; rm -rf \"$folder\"";

/// Enough time for a server to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

pub struct Process {
    pub port: u16,
    /// The server's own folder, which is removed with the server.
    pub folder: PathBuf,
    watch: Child,
}

/// A port that is free now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Process {
    /// Starts `program` and waits until it answers; `None` and a message if it is not installed.
    ///
    /// `prepare` fills the server's folder and returns the arguments.
    pub fn start(
        name: &str,
        program: &Path,
        prepare: impl FnOnce(&Path, u16) -> Vec<String>,
    ) -> Option<Process> {
        if !cfg!(unix) || !program.exists() {
            eprintln!("SKIPPED: {name} is not installed: {} (see .ci/servers)", program.display());
            return None;
        }
        let folder = tempfile::Builder::new().prefix("rread-server-").tempdir().unwrap().keep();
        let port = free_port();
        let args = prepare(&folder, port);
        let log = File::create(folder.join("log")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", UNTIL_INPUT_ENDS, "sh"]).arg(&folder).arg(program).args(args);
        command.current_dir(&folder).env("PYTHONUNBUFFERED", "1").stdin(Stdio::piped());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        // Ctrl-C must not end the watch before it cleans up.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let process = Process { port, folder, watch: command.spawn().unwrap() };
        process.wait(name);
        Some(process)
    }

    fn wait(&self, name: &str) {
        let start = Instant::now();
        while http::request(self.port, "GET", "/", &[], b"").is_err() {
            let waited = start.elapsed();
            assert!(waited < PATIENCE, "{name} does not answer after {waited:?}:\n{}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The output of the server.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.join("log")).unwrap_or_default()).into_owned()
    }
}
