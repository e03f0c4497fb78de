//! A broken cache directory costs only the index, never the answer or a message, and nothing of another user
//! changes.

use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, symlink};
#[cfg(unix)]
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command as Plain;
use std::time::{Duration, SystemTime};

#[cfg(unix)]
use rread_testkit::bulk::is_root;
use rread_testkit::bulk::{modified, number_line, numbered, set_modified, settle};
use rread_testkit::lab::Lab;
#[cfg(unix)]
use rread_testkit::lab::Run;

#[cfg(unix)]
use super::world::chmod as set_mode;

const LINES: u64 = 9000;

fn lab() -> Lab {
    Lab::with("text", numbered(1..=LINES))
}

/// Sends requests that use or build an index; each must be right and have the `outcome`.
#[track_caller]
fn is_right(lab: &Lab, outcome: &str) {
    let run = lab.line("lines text 7777 --raw").ok();
    assert!(run.stdout == number_line(7777), "{run}");
    let place = lab.json("where text --line -1000");
    assert_eq!(place["line"], LINES + 1 - 1000);
    let facts = lab.json("lines text 8000:+2");
    assert_eq!(facts["metadata"]["actual_range"]["start_line"], 8000);
    let stat = lab.json("stat text --count");
    assert_eq!(stat["lines"], LINES);
    let reported = [&place["index"], &facts["metadata"]["index"], &stat["index"]];
    assert_eq!(reported, [outcome; 3]);
}

#[test]
fn a_missing_cache_is_created_for_this_user_alone() {
    let mut lab = lab();
    lab.set("RREAD_CACHE_DIR", lab.path("cache/not/there/yet"));
    is_right(&lab, "hit");
    let index = fs::read_dir(lab.path("cache/not/there/yet")).unwrap().next().unwrap().unwrap();
    assert!(index.metadata().unwrap().is_file());
    #[cfg(unix)]
    {
        for dir in ["cache", "cache/not", "cache/not/there", "cache/not/there/yet"] {
            assert_eq!(lab.path(dir).metadata().unwrap().mode() & 0o777, 0o700, "{dir}");
        }
        assert_eq!(index.metadata().unwrap().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn modes_do_not_depend_on_the_umask() {
    let lab = lab();
    let mut command = lab.command_of(Path::new("sh"));
    let program = env!("CARGO_BIN_EXE_rread");
    command.args(["-c", &format!("umask 0; exec '{program}' lines text 7777 --raw")]);
    assert_eq!(Run::of(&mut command).ok().stdout, number_line(7777));
    assert_eq!(lab.cache().metadata().unwrap().mode() & 0o777, 0o700);
    assert_eq!(lab.index().metadata().unwrap().mode() & 0o777, 0o600);
}

#[test]
fn a_cache_directory_may_be_relative() {
    let mut lab = lab();
    lab.set("RREAD_CACHE_DIR", "cache");
    is_right(&lab, "hit");
    assert!(lab.index().is_file());
}

#[test]
fn a_cache_that_is_not_a_directory_is_left_alone() {
    let mut lab = lab();
    lab.file("victim", "precious");
    for dir in ["victim", "victim/below", "text"] {
        lab.set("RREAD_CACHE_DIR", lab.path(dir));
        is_right(&lab, "none");
    }
    let others = if cfg!(unix) { &["/dev/null", "/dev/null/below", "/proc/nowhere", ""][..] } else { &[] };
    for dir in others {
        // An empty value counts as none: the user's cache is used, which is here.
        lab.set("XDG_CACHE_HOME", "/dev/null");
        lab.set("RREAD_CACHE_DIR", dir);
        is_right(&lab, "none");
    }
    assert_eq!(fs::read(lab.path("victim")).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_cache_is_not_followed() {
    let lab = lab();
    fs::create_dir(lab.path("elsewhere")).unwrap();
    set_mode(&lab.path("elsewhere"), 0o700);
    symlink(lab.path("elsewhere"), lab.cache()).unwrap();
    is_right(&lab, "none");
    assert_eq!(fs::read_dir(lab.path("elsewhere")).unwrap().count(), 0);
    fs::remove_file(lab.cache()).unwrap();
    symlink(lab.path("nowhere"), lab.cache()).unwrap();
    is_right(&lab, "none");
    assert!(!lab.path("nowhere").exists());
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_may_write_is_not_trusted() {
    let lab = lab();
    lab.line("index build text").ok();
    for mode in [0o777, 0o770, 0o702, 0o1777] {
        set_mode(&lab.cache(), mode);
        is_right(&lab, "none");
    }
    set_mode(&lab.cache(), 0o755);
    is_right(&lab, "hit");
    set_mode(&lab.index(), 0o666);
    assert_eq!(lab.outcome("where text --line 8000").0, "built", "an index that others may write");
    assert_eq!(lab.index().metadata().unwrap().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_cache_of_another_user_is_neither_read_nor_written() {
    let lab = lab();
    if !is_root() {
        return eprintln!("SKIPPED: only root can give files away");
    }
    lab.line("index build text").ok();
    let own = lab.index();
    let chown = |path: &Path| std::os::unix::fs::chown(path, Some(65_534), None).unwrap();
    chown(&own);
    assert_eq!(lab.outcome("where text --line 8000").0, "built", "an index of another user");
    chown(&lab.cache());
    let before = fs::read(&own).unwrap();
    is_right(&lab, "none");
    assert_eq!(fs::read(&own).unwrap(), before);
    assert_eq!(lab.cached().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_cache_that_cannot_be_written_costs_only_the_index() {
    let lab = lab();
    fs::create_dir(lab.cache()).unwrap();
    set_mode(&lab.cache(), 0o500);
    if !is_root() {
        is_right(&lab, "none");
        return set_mode(&lab.cache(), 0o700);
    }
    // Permissions do not stop root, so another user runs the program and owns it all.
    let program = lab.path("rread");
    fs::copy(env!("CARGO_BIN_EXE_rread"), &program).unwrap();
    for path in [lab.path("."), lab.cache(), lab.path("text"), program.clone()] {
        std::os::unix::fs::chown(path, Some(65_534), Some(65_534)).unwrap();
    }
    let mut command = lab.command_of(Path::new("setpriv"));
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
    if Plain::new("setpriv").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: setpriv is missing");
    }
    let run = Run::of(command.args(["where", "text", "--line", "7777", "--json"])).ok();
    assert_eq!((&run.json()["line"], &run.json()["index"]), (&7777.into(), &"none".into()));
    assert!(lab.cached().is_empty());
}

#[cfg(unix)]
#[test]
fn a_full_file_system_costs_only_the_index() {
    let mut lab = lab();
    let full = lab.path("full");
    fs::create_dir(&full).unwrap();
    let mounted =
        Plain::new("mount").args(["-t", "tmpfs", "-o", "size=64k,mode=700", "none"]).arg(&full).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        return eprintln!("SKIPPED: a small file system can be mounted by root only");
    }
    // The file system is unmounted after any failure.
    struct Mounted(PathBuf);
    impl Drop for Mounted {
        fn drop(&mut self) {
            let _ = Plain::new("umount").arg(&self.0).status();
        }
    }
    let _mounted = Mounted(full.clone());
    lab.set("RREAD_CACHE_DIR", &full);
    let fill = |size: usize| drop(fs::write(full.join("filler"), vec![1; size]));
    // No room, room for a header, and room for all pages but the last.
    lab.file("text", numbered(1..=LINES));
    settle();
    for size in [64 << 10, (64 << 10) - 4096] {
        fill(size);
        is_right(&lab, "none");
        let refused = lab.line("index build text");
        assert_eq!(refused.code, Some(8), "{refused}");
        assert!(refused.stderr.starts_with("rread: text: has 9000 lines, but no index"), "{refused}");
        assert_eq!(fs::read_dir(&full).unwrap().count(), 1, "nothing is left");
    }
    fs::remove_file(full.join("filler")).unwrap();
    is_right(&lab, "hit");
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_costs_only_the_index() {
    let lab = lab();
    let program = env!("CARGO_BIN_EXE_rread");
    for blocks in [0, 1, 8] {
        let mut command = lab.command_of(Path::new("sh"));
        command.args(["-c", &format!("ulimit -f {blocks}; exec '{program}' lines text 7777 --raw")]);
        let run = Run::of(&mut command);
        assert!(run.code == Some(0) && run.stdout == number_line(7777), "ulimit -f {blocks}: {run}");
        assert!(run.stderr.is_empty(), "{run}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_place_of_cache_files_are_not_followed() {
    let lab = lab();
    lab.line("index build text").ok();
    let own = lab.index();
    let precious = fs::read(&own).unwrap();
    lab.file("victim", &precious);
    set_mode(&lab.path("victim"), 0o600);
    set_modified(&lab.path("victim"), SystemTime::now() - Duration::from_secs(90_000));
    let before = modified(&lab.path("victim"));
    fs::remove_file(&own).unwrap();
    symlink(lab.path("victim"), &own).unwrap();
    symlink(lab.path("victim"), lab.cache().join("0-1.idx")).unwrap();
    symlink(lab.path("victim"), lab.cache().join(".new-abcdef.tmp")).unwrap();
    assert_eq!(
        lab.outcome("where text --line 8000").0,
        "built",
        "a link is not an index, and an index replaces it"
    );
    assert!(own.symlink_metadata().unwrap().is_file());
    lab.line("index list").ok();
    lab.line("index clear --all").ok();
    assert_eq!(fs::read(lab.path("victim")).unwrap(), precious);
    assert_eq!(modified(&lab.path("victim")), before, "not even touched");
    assert!(lab.path("victim").is_file());
}

#[test]
fn the_least_recently_used_indexes_are_dropped_first() {
    let mut lab = Lab::new();
    for n in 0..6 {
        lab.file(&format!("text{n}"), numbered(n..=9000));
    }
    settle();
    let mut names = Vec::new();
    for n in 0..5 {
        lab.line(&format!("index build text{n}")).ok();
        let new = lab.cached().into_iter().find(|name| !names.contains(name)).unwrap();
        names.push(new);
    }
    // Each has two pages; the first was used last.
    for (name, age) in names.iter().zip([1, 50, 40, 30, 20]) {
        set_modified(&lab.cache().join(name), SystemTime::now() - Duration::from_secs(age * 86_400));
    }
    // Using one updates its time, once an hour.
    assert_eq!(lab.outcome("where text1 --line 8000").0, "hit");
    let age = modified(&lab.cache().join(&names[1])).elapsed().unwrap();
    assert!(age < Duration::from_secs(3600));
    lab.set("RREAD_CACHE_MAX", "24KiB");
    assert_eq!(lab.outcome("where text5 --line 8000").0, "built");
    let left = lab.cached();
    assert_eq!(left.len(), 3, "{left:?} of {names:?}");
    assert!(left.contains(&names[0]) && left.contains(&names[1]), "{left:?} of {names:?}");
    // The index being saved stays, even if there is no room.
    lab.set("RREAD_CACHE_MAX", "1");
    assert_eq!(lab.outcome("where text2 --line 8000").0, "built");
    assert_eq!(lab.cached().len(), 1);
    assert_eq!(lab.outcome("where text2 --line 8000").0, "hit");
}

#[cfg(unix)]
#[test]
fn the_leftovers_of_killed_processes_are_removed() {
    let lab = lab();
    fs::create_dir(lab.cache()).unwrap();
    set_mode(&lab.cache(), 0o700);
    let mut gone = Plain::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let gone = format!(".new-{}-abcdef.tmp", gone.id());
    // This process is running; the last one is unknown, so its file stays for a time.
    let working = format!(".new-{}-abcdef.tmp", std::process::id());
    let names = [(".new-old.tmp", 2), (&gone, 0), (&working, 0), (".new-young.tmp", 0), ("other", 2)];
    for (name, hours) in names {
        File::create(lab.cache().join(name)).unwrap();
        set_modified(&lab.cache().join(name), SystemTime::now() - Duration::from_secs(hours * 3600 + 60));
    }
    lab.line("index build text").ok();
    let mut left = lab.cached();
    left.retain(|name| !name.ends_with(".idx"));
    assert_eq!(left, [&working, ".new-young.tmp", "other"]);
}

#[test]
fn indexes_are_off_read_only_or_automatic_as_requested() {
    let mut lab = lab();
    lab.set("RREAD_INDEX", "off");
    is_right(&lab, "none");
    lab.set("RREAD_INDEX", "ro");
    is_right(&lab, "none");
    assert!(lab.cached().is_empty() && !lab.cache().exists());
    let refused = lab.line("index build text");
    assert_eq!(refused.code, Some(2), "{refused}");
    lab.set("RREAD_INDEX", "auto");
    assert_eq!(lab.outcome("where text --line 8000 --no-index").0, "none");
    assert!(!lab.cache().exists());
    assert_eq!(lab.outcome("where text --line 8000").0, "built");
    let before = fs::read(lab.index()).unwrap();
    lab.set("RREAD_INDEX", "ro");
    is_right(&lab, "hit");
    assert_eq!(lab.outcome("where text --line 8000 --no-index").0, "none");
    assert_eq!(fs::read(lab.index()).unwrap(), before);
    lab.set("RREAD_INDEX", "nonsense");
    let refused = lab.line("lines text 1");
    assert!(refused.code == Some(2) && refused.stderr.contains("RREAD_INDEX is 'nonsense'"), "{refused}");
    assert!(refused.stdout.is_empty());
    lab.line("lines text 1 --no-index").ok();
}

#[test]
fn files_below_the_minimum_are_not_indexed() {
    let mut lab = lab();
    let size = lab.path("text").metadata().unwrap().len();
    lab.set("RREAD_INDEX_MIN", (size + 1).to_string());
    is_right(&lab, "none");
    assert!(!lab.cache().exists());
    lab.set("RREAD_INDEX_MIN", size.to_string());
    assert_eq!(lab.outcome("where text --line 8000").0, "built");
    lab.set("RREAD_INDEX_MIN", "many");
    let refused = lab.line("lines text 1");
    assert!(refused.code == Some(2) && refused.stderr.contains("RREAD_INDEX_MIN"), "{refused}");
}
