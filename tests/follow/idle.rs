//! At rest: no processor time, and no thread wakes up.

#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use super::support::{Folder, lines, until};

/// Context switches and ticks of all threads.
fn activity(id: u32) -> (u64, u64) {
    let mut switches = 0;
    let mut ticks = 0;
    for thread in fs::read_dir(format!("/proc/{id}/task")).unwrap() {
        let thread = thread.unwrap().path();
        let status = fs::read_to_string(thread.join("status")).unwrap();
        let numbers = status.lines().filter(|line| line.contains("ctxt_switches"));
        switches +=
            numbers.map(|line| line.split_whitespace().last().unwrap().parse::<u64>().unwrap()).sum::<u64>();
        let stat = fs::read_to_string(thread.join("stat")).unwrap();
        let after = stat.rsplit_once(')').unwrap().1;
        ticks += after.split_whitespace().skip(11).take(2).map(|n| n.parse::<u64>().unwrap()).sum::<u64>();
    }
    (switches, ticks)
}

#[test]
fn nothing_wakes_up_while_nothing_happens() {
    let folder = Folder::with("app.log", lines(1, 3));
    let rread = folder
        .rread(&format!("app.log missing.log --until-match x --timeout 1h --pid {}", std::process::id()));
    rread.shows("line 3\n");
    rread.is_noted("missing.log: note: does not exist");
    let id = rread.child.id();
    let is_asleep = || {
        let before = activity(id);
        std::thread::sleep(Duration::from_secs(1));
        before == activity(id)
    };
    // The first second may have the end of the start in it.
    let mut tries = 0;
    until("a second without a wake-up", || {
        tries += 1;
        assert!(tries < 5, "it woke up in each of 4 seconds");
        is_asleep()
    });
}
