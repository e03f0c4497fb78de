//! Limits on files, descriptors, stacks and disks, and an empty environment.

use std::fs;

use rread_testkit::sandbox::{Sandbox, numbered};

use super::{run, shell};

/// `ulimit -f` in bytes; shells count in blocks of 512 or 1024.
const LIMITS: [usize; 2] = [64 * 512, 64 * 1024];

#[test]
fn output_beyond_a_limit_on_the_size_of_files_is_a_failed_write() {
    let text = numbered(40_000);
    let sandbox = Sandbox::with("f", &text);
    for options in ["--raw", "", "--json", "--xml", "-f text", "--raw -n"] {
        let (code, _, stderr) = run(&sandbox, &format!("ulimit -f 64; exec $RREAD lines f {options} > out"));
        assert_eq!(code, Some(8), "{options}: {stderr}");
        assert!(options == "--json" || stderr.contains("File too large"), "{options}: {stderr}");
        let written = fs::read(sandbox.path("out")).unwrap();
        assert!(LIMITS.contains(&written.len()), "{options}: {} bytes", written.len());
        if options == "--raw" || options == "-f text" {
            assert!(text.as_bytes().starts_with(&written), "{options}");
        }
    }
    // The part that fits is written.
    let (code, _, stderr) = run(&sandbox, "ulimit -f 64; exec $RREAD lines f -9: --raw > out");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let last = fs::read_to_string(sandbox.path("out")).unwrap();
    assert!(text.ends_with(&last) && last.lines().count() == 9);
}

#[test]
fn a_stream_that_outgrows_the_limit_is_reported() {
    let sandbox = Sandbox::new();
    let script = "yes 1234567 | head -c 16000000 | (ulimit -f 10240; exec $RREAD lines - -1)";
    let (code, stdout, stderr) = run(&sandbox, script);
    assert_eq!((code, stdout.len()), (Some(3), 0), "{stderr}");
    assert!(stderr.contains("cannot keep it in"), "{stderr}");
}

/// A captured command gets the default signal handler.
#[test]
fn a_command_is_ended_by_the_limit_as_ever() {
    let sandbox = Sandbox::new();
    let script = "ulimit -f 1; exec $RREAD capture --json -- sh -c 'yes > large'";
    let (code, stdout, stderr) = run(&sandbox, script);
    let expected = 128 + rustix::process::Signal::XFSZ.as_raw();
    assert_eq!(code, Some(expected), "{stderr} {}", String::from_utf8_lossy(&stdout));
}

#[test]
fn a_full_disk_under_the_output_is_a_failed_write() {
    let text = numbered(60_000);
    let sandbox = Sandbox::with("f", &text);
    fs::create_dir(sandbox.path("small")).unwrap();
    let inner = "mount -t tmpfs -o size=64k none small && touch mounted || exit 99
        for options in '--raw' '--json' '-f text' '--raw -n'; do
          $RREAD lines f $options > small/out; echo $? >> codes
        done
        $RREAD lines f --raw > small/out; cat small/out > prefix; rm small/out
        yes 1234567 | head -c 16000000 | TMPDIR=small $RREAD lines - -1; echo $? >> codes";
    let mut command = shell(&sandbox, "exec unshare -rm sh -c \"$INNER\"");
    let output = command.env("INNER", inner).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !sandbox.path("mounted").exists() {
        return eprintln!("SKIPPED: no file system of its own: {stderr}");
    }
    assert_eq!(fs::read_to_string(sandbox.path("codes")).unwrap(), "8\n8\n8\n8\n3\n", "{stderr}");
    let prefix = fs::read(sandbox.path("prefix")).unwrap();
    assert!(prefix.len() >= 32 << 10 && text.as_bytes().starts_with(&prefix), "{} bytes", prefix.len());
    assert!(stderr.contains("No space left on device") && stderr.contains("cannot keep it in"), "{stderr}");
}

const REQUESTS: [(&str, &str); 6] = [
    ("lines f 2:3 --raw", "line 2\nline 3\n"),
    ("lines f -1 --raw", "line 200000\n"),
    ("lines f 150000 --raw", "line 150000\n"),
    ("bytes f 0:6 --raw", "line 1"),
    ("page f 2 --page-size 14 --raw", "line 3\nline 4\n"),
    ("lines - -1 --raw", "line 200000\n"),
];

#[test]
fn few_resources_are_enough() {
    let sandbox = Sandbox::with("f", numbered(200_000));
    for (request, expected) in REQUESTS {
        for limit in
            ["ulimit -n 6", "ulimit -s 256", "ulimit -c 0; ulimit -l 0", "unset HOME PATH; export HOME="]
        {
            let (code, stdout, stderr) = run(&sandbox, &format!("exec < f; {limit}; exec $RREAD {request}"));
            let stdout = String::from_utf8_lossy(&stdout);
            assert_eq!((code, &*stdout, stderr.as_str()), (Some(0), expected, ""), "{limit}: {request}");
        }
        let (code, stdout, _) = run(&sandbox, &format!("exec env -i $RREAD {request} < f"));
        assert_eq!((code, stdout.as_slice()), (Some(0), expected.as_bytes()), "env -i: {request}");
        let (code, stdout, _) = run(&sandbox, &format!("LC_ALL=xx_YY TZ=:x $RREAD {request} < f"));
        assert_eq!((code, stdout.as_slice()), (Some(0), expected.as_bytes()), "odd locale: {request}");
    }
    let (code, stdout, stderr) = run(&sandbox, "ulimit -n 4; exec $RREAD lines f 1");
    assert_eq!((code, stdout.len()), (Some(3), 0), "{stderr}");
    // The words of glibc and of musl.
    let said = ["Too many open files", "No file descriptors"].iter().any(|words| stderr.contains(words));
    assert!(said, "{stderr}");
}

#[test]
fn a_working_directory_that_is_gone_does_not_matter() {
    let sandbox = Sandbox::with("f", numbered(9));
    let script = "top=$PWD; mkdir gone; cd gone; rmdir ../gone; exec $RREAD lines \"$top/f\" 4 --raw";
    let (code, stdout, stderr) = run(&sandbox, script);
    assert_eq!((code, stdout.as_slice(), stderr.as_str()), (Some(0), &b"line 4\n"[..], ""));
    let (code, ..) = run(&sandbox, "mkdir gone; cd gone; rmdir ../gone; exec $RREAD lines f 4 --raw");
    assert_eq!(code, Some(3));
}
