//! Directories and files that are exchanged with links to the outside while they are read.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rread_testkit::sample::cases;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;
use tempfile::TempDir;

use super::client::Client;

const SECRET: &str = "S3CRET";

/// A tree in which a thread exchanges `dir` with a link to `../outside`, and `file` with a link to `../outside/f`.
struct Race {
    dir: TempDir,
    stop: Arc<AtomicBool>,
    swaps: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Race {
    fn start() -> Race {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("root");
        fs::create_dir_all(root.join("dir/below")).unwrap();
        fs::create_dir_all(dir.path().join("outside/below")).unwrap();
        for name in ["f", "below/f"] {
            fs::write(root.join("dir").join(name), "inside\n".repeat(2000)).unwrap();
            fs::write(dir.path().join("outside").join(name), format!("{SECRET}\n").repeat(2000)).unwrap();
        }
        fs::write(root.join("file"), "inside\n".repeat(2000)).unwrap();
        symlink("../outside", root.join(".other-dir")).unwrap();
        symlink("../outside/f", root.join(".other-file")).unwrap();
        let (stop, swaps) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (stopped, counted) = (Arc::clone(&stop), Arc::clone(&swaps));
        let swap = move || {
            let exchange = |a: &str, b: &str| {
                renameat_with(CWD, root.join(a), CWD, root.join(b), RenameFlags::EXCHANGE).unwrap();
            };
            while !stopped.load(Ordering::Relaxed) {
                exchange("dir", ".other-dir");
                exchange("file", ".other-file");
                counted.fetch_add(2, Ordering::Relaxed);
                thread::yield_now();
            }
        };
        Race { dir, stop, swaps, thread: Some(thread::spawn(swap)) }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn swaps(&self) -> u64 {
        self.swaps.load(Ordering::Relaxed)
    }
}

impl Drop for Race {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// What a server without this sandbox would do: look where the path leads, then open the path.
fn careless(root: &Path, name: &str) -> Option<String> {
    let path = root.join(name);
    let canonical = path.canonicalize().ok()?;
    if !canonical.starts_with(root.canonicalize().ok()?) {
        return None;
    }
    fs::read_to_string(path).ok()
}

#[test]
fn a_race_yields_nothing_from_outside() {
    let race = Race::start();
    let mut client = Client::start(&race.root(), &[]);
    let calls = [
        ("read", json!({"path": "dir/f", "lines": "1"})),
        ("read", json!({"path": "file", "lines": "-1"})),
        ("read", json!({"path": "dir/below/../f", "bytes": "0:6"})),
        ("read", json!({"paths": ["file", "dir/f", "dir/below/f"], "lines": "1"})),
        ("search", json!({"pattern": "^", "path": "dir", "max_count": 1})),
        ("search", json!({"pattern": "^", "path": ".", "max_count": 1})),
        ("stat", json!({"path": "dir/f", "count": true})),
        ("verify", json!({"path": "file", "anchors": ["1#000000"], "max_bytes": 200})),
    ];
    let (mut inside, mut refused, mut rounds) = (0, 0, 0);
    let wanted = cases(3000, 120);
    while rounds < wanted || race.swaps() < 4 * wanted {
        rounds += 1;
        for (tool, arguments) in &calls {
            client.begin("tools/call", json!({"name": tool, "arguments": arguments}));
        }
        for _ in &calls {
            let answer = client.receive().to_string();
            assert!(!answer.contains(SECRET), "after {} swaps: {answer}", race.swaps());
            inside += u64::from(answer.contains("inside"));
            refused += u64::from(answer.contains("outside the directories"));
        }
    }
    assert!(inside > wanted / 4 && refused > wanted / 4, "no race: {inside} read, {refused} refused");
}

/// The same race catches a server that checks first and opens then: so the test above would notice one.
#[test]
fn the_race_would_be_noticed() {
    let race = Race::start();
    let started = Instant::now();
    let mut tries = 0u64;
    loop {
        tries += 1;
        let caught = ["dir/f", "file"].iter().filter_map(|name| careless(&race.root(), name));
        if caught.into_iter().any(|text| text.contains(SECRET)) {
            break;
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "not in {tries} tries and {} swaps",
            race.swaps()
        );
    }
}
