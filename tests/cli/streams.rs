//! Pipes of every kind: of a shell, by name, slow, silent, dying, endless, and larger than memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use predicates::str::contains;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{AtHome, Sandbox, binary, numbered, words};
use rustix::fs::{CWD, Mode, OFlags, fcntl_getfl, fcntl_setfl, mkfifoat};
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(60);

fn start(sandbox: &Sandbox, line: &str, stdin: impl Into<Stdio>) -> Child {
    let mut command = Command::new(binary());
    command.args(words(line)).current_dir(sandbox.path(".")).stdin(stdin);
    command.at_home(&sandbox.home());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Exit code, standard output and standard error; fails if the program hangs.
fn end(mut child: Child, what: &str) -> (i32, String, String) {
    let since = Instant::now();
    // All answers here fit into a pipe, so the program never waits for the test.
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > TIMEOUT {
            let _ = child.kill();
            panic!("{what}: still running after {TIMEOUT:?}");
        }
        sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn delivered(child: Child, what: &str) -> String {
    let (code, stdout, stderr) = end(child, what);
    assert_eq!((code, stderr.as_str()), (0, ""), "{what}");
    stdout
}

fn make_fifo(path: &Path) {
    mkfifoat(CWD, path, Mode::from_raw_mode(0o600)).unwrap();
}

#[test]
fn the_pipes_of_a_shell_are_read_without_asking() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: no bash");
        return;
    }
    let sandbox = Sandbox::with("f", numbered(50));
    for (line, expected) in [
        ("RREAD lines <(cat f) 3:4 --raw", "line 3\nline 4\n"),
        ("RREAD lines <(cat f) -2: --raw", "line 49\nline 50\n"),
        ("RREAD bytes <(cat f) -3: --raw", "50\n"),
        ("RREAD ranges <(cat f) 1 b0:4 --raw", "line 1\nline"),
        ("RREAD lines /dev/stdin 2 --raw < <(cat f)", "line 2\n"),
        ("cat f | RREAD lines /dev/fd/0 2 --raw", "line 2\n"),
        ("RREAD lines /proc/self/fd/9 2 --raw 9< <(cat f)", "line 2\n"),
        ("(read x; RREAD lines - 1 --raw; read y; echo $y) < f", "line 2\nline 2\n"),
        ("(read x; RREAD lines - 1 --raw) < <(cat f)", "line 2\n"),
        // Another name of standard input begins at the same offset.
        ("(read x; RREAD lines /dev/stdin 1 --raw) < f", "line 1\n"),
    ] {
        if line.contains("/proc") && !Path::new("/proc/self/fd").exists() {
            continue;
        }
        let script = line.replace("RREAD", binary().to_str().unwrap());
        let mut command = Command::new("bash");
        command.at_home(&sandbox.home()).args(["-c", &script]).current_dir(sandbox.path("."));
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
    }
}

/// The program holds the other end open, so it would wait for itself.
#[test]
fn the_pipe_that_is_written_to_is_not_read() {
    let sandbox = Sandbox::new();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        if Path::new(name).exists() {
            sandbox.run(["lines", name]).refused(3).says(contains("FIFO"));
        }
    }
}

#[test]
fn a_named_pipe_is_read_on_request() {
    let sandbox = Sandbox::new();
    make_fifo(&sandbox.path("fifo"));
    for (line, expected) in [
        ("lines fifo 2:3 --stream --raw", "line 2\nline 3\n"),
        ("lines fifo -1 --stream --raw --timeout 50s", "line 9\n"),
        ("bytes fifo 0:4 --raw --stream --timeout 50", "line"),
    ] {
        let child = start(&sandbox, line, Stdio::null());
        // rread waits for a writer, as cat does.
        sleep(Duration::from_millis(100));
        let mut writer = OpenOptions::new().write(true).open(sandbox.path("fifo")).unwrap();
        writer.write_all(numbered(9).as_bytes()).unwrap();
        drop(writer);
        assert_eq!(delivered(child, line), expected, "{line}");
    }
    for command in ["lines fifo", "bytes fifo", "ranges fifo 1", "stat fifo", "where fifo --line 1"] {
        sandbox.line(command).refused(3).says(contains("--stream"));
        let timed = sandbox.line(&format!("{command} --timeout 5s --json"));
        assert_eq!(timed.refused_json(3)["kind"], json!("special_file"), "{command}");
    }
}

#[test]
fn a_device_is_read_on_request_and_a_socket_never() {
    let sandbox = Sandbox::with("f", numbered(3));
    let run = sandbox.line("bytes /dev/zero 0:4 --stream --encode hex --raw").ok();
    assert_eq!(run.text(), "00000000");
    assert_eq!(sandbox.line("lines /dev/null --stream --raw").ok().text(), "");
    sandbox.line("lines /dev/zero").refused(3).says(contains("--stream"));
    let _listener = std::os::unix::net::UnixListener::bind(sandbox.path("socket")).unwrap();
    let refused = sandbox.line("lines socket --stream").refused(3);
    assert!(!refused.stderr.contains("--stream"), "{refused}");
    // A file is not a stream, whatever the options say.
    assert_eq!(sandbox.line("lines f 2 --raw --stream --timeout 1ms").ok().text(), "line 2\n");
    sandbox.line("lines . --stream").refused(3).says(contains("directory"));
    sandbox.line("lines nothing --stream").refused(3);
}

#[test]
fn a_timeout_ends_the_wait_for_a_silent_stream() {
    let sandbox = Sandbox::new();
    make_fifo(&sandbox.path("fifo"));
    // No writer comes. The requests wait side by side.
    let silent = |line: &str| {
        let since = Instant::now();
        let error = sandbox.line(&format!("{line} --stream --timeout 200ms --json")).refused_json(3);
        assert_eq!((&error["kind"], &error["path"]), (&json!("io"), &json!("fifo")), "{line}");
        let message = error["error"].as_str().unwrap();
        assert!(message.contains("200ms") && message.contains("0 bytes"), "{message}");
        assert!(since.elapsed() >= Duration::from_millis(200), "{line}");
    };
    // A writer comes, writes a little, and stays.
    let begun = |line: &str, expected: Result<&str, ()>| {
        let (pipe, mut writer) = io::pipe().unwrap();
        writer.write_all(b"one\ntwo\nthr").unwrap();
        let child = start(&sandbox, &format!("{line} --timeout 300ms"), pipe);
        let (code, stdout, stderr) = end(child, line);
        match expected {
            Ok(content) => {
                assert_eq!((code, stderr.as_str()), (0, ""), "{line}");
                assert!(content.is_empty() || stdout == content, "{line}: {stdout}");
            }
            Err(()) => {
                assert_eq!((code, stdout.as_str()), (3, ""), "{line}");
                assert!(stderr.contains("300ms, after 11 bytes"), "{line}: {stderr}");
            }
        }
        drop(writer);
    };
    let (silent, begun) = (&silent, &begun);
    thread::scope(|scope| {
        for line in ["lines fifo", "bytes fifo", "stat fifo", "ranges fifo 1", "where fifo --line 1"] {
            scope.spawn(move || silent(line));
        }
        for (line, expected) in [
            ("lines - 1:2 --raw", Ok("one\ntwo\n")),
            ("bytes - 0:5 --raw", Ok("one\nt")),
            ("where - --byte 5 --json", Ok("")),
            ("lines - 3", Err(())),
            ("lines - -1:", Err(())),
            ("lines -", Err(())),
            ("bytes - -1:", Err(())),
            ("bytes - 0:100", Err(())),
            ("stat - --count", Err(())),
        ] {
            scope.spawn(move || begun(line, expected));
        }
    });
}

#[test]
fn a_slow_writer_within_the_limit_is_waited_for() {
    let sandbox = Sandbox::new();
    for timeout in ["", "--timeout 5s", "--timeout 7.5"] {
        let (pipe, mut writer) = io::pipe().unwrap();
        let typist = thread::spawn(move || {
            for byte in numbered(4).bytes() {
                writer.write_all(&[byte]).unwrap();
                sleep(Duration::from_millis(3));
            }
        });
        let child = start(&sandbox, &format!("lines - -2: --raw {timeout}"), pipe);
        assert_eq!(delivered(child, timeout), "line 3\nline 4\n");
        typist.join().unwrap();
    }
}

#[test]
fn times_that_make_no_sense_are_refused() {
    let sandbox = Sandbox::with("f", numbered(3));
    for time in ["0", "0s", "-1", "x", "", "5 potatoes", "nan", "inf", "1e300"] {
        let run = sandbox.run(["lines", "f", &format!("--timeout={time}")]);
        assert_eq!(run.code, 2, "{run}");
        run.complained();
    }
    for time in ["5", "0.5", "500ms", "5s", "1m", "1h 5s"] {
        sandbox.run(["lines", "f", "--timeout", time]).ok();
    }
}

#[test]
fn an_endless_stream_ends_after_one_buffer() {
    let sandbox = Sandbox::new();
    for timeout in ["", "--timeout 9s"] {
        let (pipe, mut writer) = io::pipe().unwrap();
        let child = start(&sandbox, &format!("lines - 1:3 --json {timeout}"), pipe);
        let taken = thread::spawn(move || {
            let mut taken = 0;
            while let Ok(written) = writer.write(b"yes\n") {
                taken += written;
                assert!(taken < 64 << 20, "taken without end");
            }
            taken
        });
        let answer: Value = serde_json::from_str(&delivered(child, timeout)).unwrap();
        assert_eq!(answer["content"], json!("yes\nyes\nyes\n"));
        let metadata = &answer["metadata"];
        assert!(metadata["total_lines"].is_null() && metadata["file_size"].is_null(), "{metadata}");
        // The capacity of the pipe, and the bytes read from it.
        let taken = taken.join().unwrap();
        assert!(taken <= 512 << 10, "{taken} bytes for three lines");
    }
}

#[test]
fn an_endless_line_ends_with_the_budget() {
    let sandbox = Sandbox::new();
    for (line, expected) in
        [("lines - 1 --max-bytes 5 --raw", "xxxxx"), ("lines - :9 --max-bytes 4 -f text", "xxxx")]
    {
        let (pipe, writer) = io::pipe().unwrap();
        let flood = std::thread::spawn(move || {
            let mut writer = writer;
            while writer.write_all(&[b'x'; 1 << 16]).is_ok() {}
        });
        let (code, stdout, stderr) = end(start(&sandbox, line, pipe), line);
        assert_eq!((code, stdout.as_str()), (0, expected), "{stderr}");
        assert!(stderr.contains("cut by --max-bytes"), "{stderr}");
        flood.join().unwrap();
    }
}

#[test]
fn an_endless_stream_is_passed_on_as_it_comes() {
    let sandbox = Sandbox::new();
    for line in [
        "lines - --raw",
        "lines - 5: --raw -n",
        "lines - 5: -f text",
        "bytes - 7: --raw",
        "ranges - 2: --raw",
    ] {
        let (pipe, mut writer) = io::pipe().unwrap();
        let mut child = start(&sandbox, line, pipe);
        let mut answer = child.stdout.take().unwrap();
        let endless = thread::spawn(move || while writer.write_all(b"yes\n").is_ok() {});
        let mut first = [0; 9];
        answer.read_exact(&mut first).unwrap();
        drop(answer);
        // The reader is gone, which is not a failure; the writer gets an error.
        assert!(child.wait().unwrap().success(), "{line}");
        endless.join().unwrap();
    }
}

#[test]
fn a_line_of_a_slow_stream_is_passed_on_before_the_next_is_written() {
    let sandbox = Sandbox::new();
    let (pipe, mut writer) = io::pipe().unwrap();
    let mut child = start(&sandbox, "lines - 2: --raw", pipe);
    let mut answer = child.stdout.take().unwrap();
    writer.write_all(b"first\n").unwrap();
    for line in [b"second\n", b"third!\n"] {
        writer.write_all(line).unwrap();
        let mut got = [0; 7];
        answer.read_exact(&mut got).unwrap();
        assert_eq!(&got, line);
    }
    drop(writer);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_stream_passed_on_as_it_comes_is_what_a_file_gives() {
    let sandbox = Sandbox::new();
    let texts: [&[u8]; 9] = [
        b"",
        b"a",
        b"a\n",
        b"a\nb",
        b"a\r\nb\r\n\r",
        b"a\n\xE6\xBC\xA2\n\xE6\xBC",
        b"\xFF\n\x80\n",
        &[b"x\n".repeat(200_000), b"last".to_vec()].concat(),
        &[b'y'; 300_000],
    ];
    for text in texts {
        sandbox.file("f", text);
        for range in [
            "lines FILE",
            "lines FILE 2:",
            "lines FILE 3:",
            "lines FILE 4:",
            "lines FILE 2: --header 1",
            "bytes FILE 1:",
            "bytes FILE 4:",
            "bytes FILE 3: --align shrink",
        ] {
            let options = ["--raw", "-f text", "--raw -n", "-f text --invalid escape"];
            for options in
                options.into_iter().skip(cases(0, (range.len() + text.len()) % 4)).step_by(cases(1, 4))
            {
                let line = format!("{range} {options}");
                let named = sandbox.line(&line.replace("FILE", "f"));
                let piped = sandbox.piped(&line.replace("FILE", "-"), text);
                assert_eq!(piped.code, named.code, "{piped}");
                assert!(piped.stdout == named.stdout, "{piped}");
            }
        }
    }
}

#[test]
fn a_range_from_the_end_of_a_stream_has_line_numbers() {
    let sandbox = Sandbox::new();
    for count in [0usize, 1, 4, 5, 6, cases(300_000, 100_000)] {
        let text = numbered(count);
        for end in ["", "no newline"] {
            let text = format!("{text}{end}");
            let lines = count + usize::from(!end.is_empty());
            sandbox.file("f", &text);
            let run = sandbox.piped("lines - -5: -n --json", text.clone()).ok().json();
            let named = sandbox.line("lines f -5: -n --json").ok().json();
            assert_eq!(run["content"], named["content"], "{count} {end}");
            assert_eq!(run["metadata"]["total_lines"], json!(lines), "{count} {end}");
            assert_eq!(run["metadata"]["actual_range"], named["metadata"]["actual_range"], "{count} {end}");
            let (plain, named) =
                (sandbox.piped("lines - 2:-2,-3:+2 --json", text), sandbox.line("lines f 2:-2,-3:+2 --json"));
            assert_eq!(plain.code, named.code, "{plain}");
            let (plain, named) = (plain.json(), named.json());
            assert_eq!(plain["segments"][0]["content"], named["segments"][0]["content"], "{count} {end}");
            assert_eq!(plain["segments"][1]["content"], named["segments"][1]["content"], "{count} {end}");
        }
    }
    // One pass forwards and one block backwards.
    let text = numbered(300_000);
    let run = sandbox.piped("lines - -5: --json", text.clone()).ok().json();
    assert_eq!(run["metadata"]["total_lines"], json!(300_000));
    assert_eq!(run["metadata"]["actual_range"]["start_line"], json!(299_996));
    let scanned = run["metadata"]["bytes_scanned"].as_u64().unwrap();
    assert!(scanned <= text.len() as u64 + (64 << 10), "{scanned} of {}", text.len());
}

#[test]
fn a_stream_that_breaks_is_loud() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let broken = || {
        let mut near = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut far, _) = listener.accept().unwrap();
        far.write_all(b"one\ntwo\n").unwrap();
        // A socket closed with unread bytes resets the connection.
        near.write_all(b"unread").unwrap();
        let mut byte = [0; 1];
        while near.peek(&mut byte).unwrap() == 0 {}
        drop(far);
        sleep(Duration::from_millis(50));
        std::os::fd::OwnedFd::from(near)
    };
    let sandbox = Sandbox::new();
    for line in ["lines - -1", "lines -", "bytes - -3:", "stat - --count", "lines - -1 --timeout 9s"] {
        let (code, stdout, stderr) = end(start(&sandbox, line, broken()), line);
        assert_eq!((code, stdout.as_str()), (3, ""), "{line}");
        assert!(stderr.contains("onnection reset"), "{line}: {stderr}");
    }
}

#[test]
fn a_non_blocking_stream_is_waited_for() {
    let sandbox = Sandbox::new();
    for timeout in ["", "--timeout 9s"] {
        let (pipe, mut writer) = io::pipe().unwrap();
        let flags = fcntl_getfl(&pipe).unwrap();
        fcntl_setfl(&pipe, flags | OFlags::NONBLOCK).unwrap();
        let child = start(&sandbox, &format!("lines - -1: --raw {timeout}"), pipe);
        for line in ["one\n", "two\n", "three\n"] {
            sleep(Duration::from_millis(60));
            writer.write_all(line.as_bytes()).unwrap();
        }
        drop(writer);
        assert_eq!(delivered(child, timeout), "three\n");
    }
}

/// Writes `size` bytes in lines of eight.
fn flood(mut writer: io::PipeWriter, size: usize) {
    thread::spawn(move || {
        let block = b"1234567\n".repeat(8 << 10);
        for _ in 0..size / block.len() {
            if writer.write_all(&block).is_err() {
                return;
            }
        }
    });
}

#[test]
fn a_stream_that_cannot_be_kept_is_reported() {
    let sandbox = Sandbox::new();
    let temporary = |folder: &str, script: &str| {
        let (pipe, writer) = io::pipe().unwrap();
        flood(writer, 16 << 20);
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(binary()).current_dir(sandbox.path(".")).stdin(pipe);
        let output = command.at_home(&sandbox.home()).env("TMPDIR", folder).output().unwrap();
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let no_folder = sandbox.path("no/such/folder");
    let (code, stdout, stderr) = temporary(no_folder.to_str().unwrap(), r#""$0" lines - -1 --json"#);
    assert_eq!((code, stdout.len()), (Some(3), 0), "{stderr}");
    let error: Value = serde_json::from_str(&stderr).unwrap();
    // The missing file is not the stream.
    assert_eq!(error["kind"], json!("io"));
    let expected = format!("cannot keep it in {}", no_folder.display());
    assert!(error["error"].as_str().unwrap().contains(&expected), "{stderr}");
    // A stream that fits in memory needs no folder.
    let (code, stdout, stderr) = temporary(no_folder.to_str().unwrap(), r#""$0" lines - 9 --raw"#);
    assert_eq!((code, &stdout[..]), (Some(0), &b"1234567\n"[..]), "{stderr}");
    // A limit of 5 MiB (in blocks of 512 bytes), smaller than the stream.
    let script = r#"trap '' XFSZ; ulimit -f 10240; exec "$0" lines - -1"#;
    let folder = sandbox.path(".");
    let (code, stdout, stderr) = temporary(folder.to_str().unwrap(), script);
    assert_eq!((code, stdout.len()), (Some(3), 0), "{stderr}");
    assert!(stderr.contains("cannot keep it in"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(any(feature = "cloud", feature = "sql"), ignore = "the program alone takes more, unoptimised")]
fn a_stream_larger_than_memory_takes_none() {
    let sandbox = Sandbox::new();
    for line in
        ["lines - -5: --raw", "lines - 2000000 --raw", "stat - --count", "lines - -3: --raw --timeout 30s"]
    {
        let (pipe, writer) = io::pipe().unwrap();
        flood(writer, cases(192, 64) << 20);
        let mut child = start(&sandbox, line, pipe);
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().unwrap().is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            // Until the new program has begun, these are the facts of the test.
            let text = Some(&text).filter(|text| text.starts_with("Name:\trread\n"));
            let value = text.and_then(|text| text.lines().find_map(|line| line.strip_prefix("VmHWM:")));
            let kilobytes = value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            peak = peak.max(kilobytes.unwrap_or(0));
            sleep(Duration::from_millis(2));
        }
        delivered(child, line);
        // 10 MiB in a released build; the code of a build for tests takes more.
        assert!((1000..=24 << 10).contains(&peak), "{line}: {peak} KiB");
    }
}

/// A path can change its kind, so rread examines the file again once it is open.
#[test]
fn a_file_that_turns_into_a_pipe_is_not_waited_for() {
    let sandbox = Sandbox::with("f", numbered(3));
    let path = sandbox.path("f");
    let (file, fifo) = (sandbox.path("file"), sandbox.path("fifo"));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = std::sync::Arc::clone(&stop);
    let juggler = thread::spawn(move || {
        while !stopped.load(std::sync::atomic::Ordering::Relaxed) {
            make_fifo(&fifo);
            std::fs::rename(&fifo, &path).unwrap();
            File::create(&file).unwrap().write_all(b"line 1\n").unwrap();
            std::fs::rename(&file, &path).unwrap();
        }
    });
    for _ in 0..cases(150, 50) {
        let run = sandbox.line("lines f 1 --raw");
        assert!([0, 3, 5, 7].contains(&run.code), "{run}");
        assert!(run.code != 0 || run.text() == "line 1\n", "{run}");
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    juggler.join().unwrap();
}
