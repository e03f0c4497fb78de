//! Long scans save their index on the way: an interrupted one is continued and leaves nothing else.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rread_reader::index::{CHECKPOINT, Outcome};
use rread_reader::reader::{Reader, Tuning};
use rread_source::open::open;
use rread_source::{Source, SourceInfo};
use rread_testkit::ask::B;
use rread_testkit::bulk::settle;
use rread_testkit::home::AtHome;
use rread_testkit::lab::Lab;
use rread_testkit::sample::cases;
use rustix::process::{Pid, Signal, kill_process};

/// A file whose bytes from `bad` on cannot be read.
struct Bad {
    file: Box<dyn Source>,
    bad: u64,
}

impl Source for Bad {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let there = usize::try_from(self.bad.saturating_sub(offset)).unwrap().min(buffer.len());
        if there == 0 {
            return Err(io::Error::other("a bad sector"));
        }
        self.file.read_at(&mut buffer[..there], offset)
    }

    fn size(&self) -> Option<u64> {
        self.file.size()
    }

    fn info(&self) -> SourceInfo<'_> {
        self.file.info()
    }
}

/// A file of so many empty blocks.
fn sparse(lab: &Lab, blocks: u64) {
    File::create(lab.path("text")).unwrap().set_len(blocks * B as u64).unwrap();
    settle();
}

#[test]
fn a_scan_that_fails_has_saved_what_it_learned() {
    // Blocks between the last save and the failure.
    let after: u64 = cases(2000, 100);
    let scans: [fn(&Reader) -> bool; 3] =
        [|r| r.count_lines().is_err(), |r| r.full_scan().is_err(), |r| r.newlines_before(u64::MAX).is_err()];
    for scan in scans {
        let lab = Lab::new();
        sparse(&lab, CHECKPOINT + after + 5);
        let path = lab.path("text");
        let bad = Bad { file: open(&path).unwrap(), bad: (CHECKPOINT + after) * B as u64 };
        let reader = Reader::new(Box::new(bad), Tuning::default()).unwrap();
        reader.use_index(&path, &lab.policy());
        assert!(scan(&reader));
        assert_eq!(reader.index_outcome(), Outcome::Built);
        drop(reader);
        assert_eq!(lab.json("index show text")["covered"], CHECKPOINT * B as u64);
        // The next scan compares the last covered block and reads what follows.
        let facts = lab.json("index build text");
        assert_eq!(
            (&facts["index"], &facts["bytes_scanned"]),
            (&"extended".into(), &((after + 6) * B as u64).into())
        );
        assert_eq!(lab.json("index show text")["complete"], true);
    }
}

#[test]
fn a_full_scan_of_wide_text_teaches_the_right_newlines() {
    // The second letter contains the byte of a newline.
    let line: Vec<u8> = "aĊb\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let lab = Lab::with("text", [vec![0xFF, 0xFE], line.repeat(40_000)].concat());
    assert_eq!(lab.json("stat text --count")["lines"], 40_000);
    assert_eq!(lab.outcome("lines text 35000").0, "hit");
}

/// A running build that outlasts any test, with its first file in the cache.
fn building(lab: &Lab, shell: &str) -> Child {
    let mut command = Command::new("sh");
    let script = format!("{shell} exec '{}' index build text", env!("CARGO_BIN_EXE_rread"));
    command.args(["-c", &script]).current_dir(lab.path("."));
    command.at_home(&lab.path(".home")).env("RREAD_CACHE_DIR", lab.cache());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[track_caller]
fn wait_for(lab: &Lab, what: &str) {
    let since = Instant::now();
    while !lab.cached().iter().any(|name| name.contains(what)) {
        assert!(since.elapsed() < Duration::from_secs(60), "no {what}: {:?}", lab.cached());
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn an_interrupted_build_leaves_nothing_and_is_continued() {
    let lab = Lab::new();
    sparse(&lab, 1 << 24);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut child = building(&lab, "");
        wait_for(&lab, ".new-");
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
        assert!(lab.cached().iter().all(|name| name.ends_with(".idx")), "{signal:?}: {:?}", lab.cached());
    }
    let mut child = building(&lab, "");
    wait_for(&lab, ".idx");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap();
    assert!(lab.json("index show text")["covered"].as_u64().unwrap() >= CHECKPOINT * B as u64);
}

#[test]
fn the_leftovers_of_a_killed_build_are_removed_with_the_indexes() {
    let lab = Lab::new();
    sparse(&lab, 1 << 24);
    for clear in ["index clear --all", "index clear --older-than 1h"] {
        let mut child = building(&lab, "");
        wait_for(&lab, ".new-");
        // While it runs, its file stays.
        lab.line(clear).ok();
        wait_for(&lab, ".new-");
        child.kill().unwrap();
        child.wait().unwrap();
        wait_for(&lab, ".new-");
        assert!(lab.json(clear)["removed"].as_u64().unwrap() >= 1, "{clear}");
        assert!(!lab.cached().iter().any(|name| name.contains(".new-")), "{:?}", lab.cached());
    }
}

#[test]
fn the_next_scan_removes_the_leftovers_of_a_killed_one() {
    let lab = Lab::new();
    sparse(&lab, 1 << 24);
    let mut child = building(&lab, "");
    wait_for(&lab, ".new-");
    child.kill().unwrap();
    child.wait().unwrap();
    lab.file("other", vec![b'\n'; 2 * B]);
    settle();
    lab.line("index build other").ok();
    assert!(!lab.cached().iter().any(|name| name.contains(".new-")), "{:?}", lab.cached());
}

#[test]
fn an_ignored_signal_stays_ignored() {
    if !Path::new("/proc/self/status").exists() {
        return eprintln!("SKIPPED: the system does not say which signals are ignored");
    }
    let lab = Lab::new();
    sparse(&lab, 1 << 24);
    let mut child = building(&lab, "trap '' INT;");
    wait_for(&lab, ".new-");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
    let left = fs::read_dir(lab.cache()).unwrap().count();
    assert!(left <= 1 && !lab.cached().iter().any(|name| name.contains(".new-")), "{:?}", lab.cached());
}
