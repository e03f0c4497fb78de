//! Output over a limit: of one capture, of all captures, of the disk.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::support::{Lab, Run, seq};

#[test]
fn output_over_the_limit_is_counted_and_the_command_continues() {
    let lab = Lab::new();
    let all = seq(200_000);
    for limit in [9000, 65_535, 65_536, 65_537, all.len() - 1, all.len(), all.len() + 1] {
        let metadata = lab.capture(&["--limit", &limit.to_string()], "seq 200000; echo done > done");
        let kept = limit.min(all.len());
        assert_eq!(metadata["bytes_produced"], all.len());
        assert_eq!(metadata["bytes_kept"], kept, "{limit}");
        assert_eq!(metadata.get("kept_to"), (limit < all.len()).then_some(&json!("limit")));
        assert_eq!(metadata["exit_status"], 0);
        assert!(lab.bytes(metadata["fd"].as_str().unwrap()) == all.as_bytes()[..kept], "{limit}");
        fs::remove_file(lab.path("done")).unwrap();
    }
    let metadata = lab.capture(&["--limit", "9001"], "seq 200000");
    let message = metadata["message"].as_str().unwrap();
    assert!(message.starts_with("The first 9001 of 1288895 bytes of output are kept as fd:8"), "{message}");
    assert_eq!(metadata["total_lines"], 2022);
    let metadata = lab.capture(&["--limit", "10", "--direct", "0"], "seq 100");
    let message = metadata["message"].as_str().unwrap();
    assert!(message.contains("This is all that is kept; again: rread lines fd:9"), "{message}");
}

#[test]
fn memory_does_not_grow_with_the_output() {
    let lab = Lab::new();
    let line = "ulimit -v 300000; yes | head -c 1000000000 | $RREAD capture --limit 20M --json";
    let metadata = lab.shell(line).ok().json()["metadata"].clone();
    assert_eq!(metadata["bytes_produced"], 1_000_000_000);
    assert_eq!(metadata["total_lines"], 10 << 20);
}

#[test]
fn the_oldest_captures_make_room_for_the_newest() {
    let lab = Lab::new();
    let keep = |session: &str, limit: &str| {
        let mut command = lab.command(&["capture", "--json", "--", "seq", "3000"]);
        command.env("RREAD_SESSION", session).env("RREAD_STATE_MAX", limit);
        Run::of(command.output().unwrap()).ok().json()["metadata"].clone()
    };
    for session in ["a", "b", "a", "a"] {
        assert_eq!(keep(session, "1M").get("evicted"), None);
        // The order of age must not hang on the clock of the file system.
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
    let metadata = keep("a", "30000");
    assert_eq!(metadata["evicted"], json!(["fd:1", "fd:2"]));
    assert_eq!(metadata["evicted_elsewhere"], 1);
    lab.run_in("a", &["bytes", "fd:2"]).refused(3, &["was removed: this session has fd:3, fd:4"]);
    // One alone is cut to the whole limit.
    let metadata = keep("a", "10K");
    assert_eq!((&metadata["kept_to"], &metadata["bytes_kept"]), (&json!("state_limit"), &json!(10 << 10)));
    assert_eq!(metadata["evicted"], json!(["fd:3", "fd:4"]));
    lab.run(&["capture", "drop", "--all"]).ok();
    let run =
        Run::of(lab.command(&["capture", "--", "true"]).env("RREAD_STATE_MAX", "much").output().unwrap());
    run.refused(125, &["RREAD_STATE_MAX: "]);
}

#[test]
fn a_file_size_limit_ends_neither_rread_nor_the_command() {
    let lab = Lab::new();
    // In blocks of 512 bytes, or of 1024 in some shells.
    let run = lab.shell("ulimit -f 40; $RREAD capture --json -- sh -c 'seq 100000; echo end'");
    let metadata = run.ok().json()["metadata"].clone();
    assert_eq!(metadata["kept_to"], "file_size_limit");
    assert_eq!(metadata["bytes_produced"], seq(100_000).len() + 4);
    let kept = metadata["bytes_kept"].as_u64().unwrap();
    assert!(kept == 20_480 || kept == 40_960, "{kept}");
    let run = lab.shell("ulimit -f 4; $RREAD capture save fd:1 copy");
    run.refused(8, &["copy: would have", "ulimit -f"]);
    assert!(!lab.path("copy").exists());
}

#[test]
fn a_full_disk_is_an_error_and_the_command_continues() {
    let lab = Lab::new();
    // A file system of its own that is small; only some users may have one.
    let line = "mount -t tmpfs -o size=200k none small && RREAD_STATE_DIR=small/state $RREAD capture -- \
                sh -c 'seq 200000; echo $? > status'; echo $? > code; ls -A small/state/session > left";
    fs::create_dir(lab.path("small")).unwrap();
    let mut command = lab.program("unshare");
    command.args(["-rm", "sh", "-c", line]).env("RREAD", env!("CARGO_BIN_EXE_rread"));
    let Ok(output) = command.output() else { return eprintln!("SKIPPED: unshare is missing") };
    let read = |name: &str| fs::read_to_string(lab.path(name)).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !Path::new(&lab.path("status")).exists() {
        return eprintln!("SKIPPED: no file system of its own: {stderr}");
    }
    assert_eq!((read("status").as_str(), read("code").as_str()), ("0\n", "125\n"), "{stderr}");
    assert!(
        stderr.contains("no room for the output (1288895 bytes; the command ended with exit status 0)"),
        "{stderr}"
    );
    assert!(stderr.contains("No space left on device"), "{stderr}");
    assert_eq!(read("left"), "last\n", "nothing unfinished stays");
}

#[test]
fn a_budget_of_the_environment_bounds_what_is_shown() {
    let lab = Lab::new();
    let mut command = lab.command(&["capture", "--json", "--", "seq", "1000"]);
    let output = command.env("RREAD_MAX_BYTES", "100").output().unwrap();
    let metadata = Run::of(output).ok().json()["metadata"].clone();
    assert_eq!((&metadata["kept"], &metadata["page_size"]), (&json!(true), &json!(100)));
    assert!(metadata["content_bytes"].as_u64().unwrap() <= 100);
}
