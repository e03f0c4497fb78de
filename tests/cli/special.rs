//! Links, FIFOs, sockets, devices, unreadable files, pseudo files and standard input.

use rread_testkit::sandbox::{Sandbox, numbered};
use serde_json::json;

#[test]
fn standard_input_is_a_file_too() {
    let sandbox = Sandbox::new();
    let text = numbered(412);
    for (line, content) in [
        ("lines - 5:6", "line 5\nline 6\n"),
        ("lines - -2:", "line 411\nline 412\n"),
        ("bytes - 0:6", "line 1"),
        ("bytes - -4:", "412\n"),
        ("ranges - 1 -1", "line 1\nline 412\n"),
        ("lines -", &text),
    ] {
        let run = sandbox.piped(&format!("{line} --raw"), text.as_str()).ok();
        assert_eq!(run.text(), content, "{line}");
    }
    let json = sandbox.piped("lines - 5 --json", text.as_str()).ok().json();
    assert_eq!(json["metadata"]["path"], json!("-"));
    assert_eq!(
        sandbox.piped("lines - 900 --json", text.as_str()).refused_json(5)["kind"],
        json!("out_of_range")
    );
    assert_eq!(sandbox.piped("lines -", "").ok().document().content, "");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use predicates::str::contains;
    use serde_json::json;

    use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary, numbered};

    #[test]
    fn links_are_followed_or_reported() {
        let sandbox = Sandbox::with("f", numbered(9));
        symlink("f", sandbox.path("link")).unwrap();
        symlink("nowhere", sandbox.path("dangling")).unwrap();
        symlink("b", sandbox.path("a")).unwrap();
        symlink("a", sandbox.path("b")).unwrap();
        symlink(".", sandbox.path("here")).unwrap();
        let document = sandbox.line("lines link 3").ok().document();
        assert_eq!((document.content.as_str(), document.fact("path")), ("line 3\n", "link"));
        for command in ["lines dangling", "bytes dangling", "ranges dangling 1", "stat dangling"] {
            sandbox.line(command).refused(3).says(contains("nowhere"));
            assert_eq!(
                sandbox.line(&format!("{command} --json")).refused_json(3)["kind"],
                json!("not_found")
            );
        }
        for command in ["lines a", "bytes a", "stat a"] {
            sandbox.line(command).refused(3).says(contains("ymbolic link"));
        }
        sandbox.line("lines here").refused(3).says(contains("directory"));
        sandbox.line("lines f/x").refused(3);
    }

    #[test]
    fn nothing_waits_for_a_fifo_a_socket_or_a_device() {
        let sandbox = Sandbox::new();
        let mut names = vec![("/dev/zero", "device")];
        match Command::new("mkfifo").arg(sandbox.path("fifo")).status() {
            Ok(status) if status.success() => names.push(("fifo", "FIFO")),
            _ => eprintln!("skipped: no mkfifo"),
        }
        let _listener = std::os::unix::net::UnixListener::bind(sandbox.path("socket")).unwrap();
        names.push(("socket", "socket"));
        for (name, what) in names {
            for line in ["lines", "bytes", "stat"] {
                let run = sandbox.run([line, name]).refused(3).says(contains(what));
                let hint = run.stderr.lines().nth(1).unwrap_or_default();
                let words = if name == "fifo" { "rread follow fifo --timeout" } else { " | rread lines - " };
                assert!(hint.contains(words), "{words}: {run}");
                let error = sandbox.run([line, name, "--json"]).refused_json(3);
                assert_eq!((&error["kind"], &error["path"]), (&json!("special_file"), &json!(name)));
            }
        }
    }

    #[test]
    fn the_null_device_is_an_empty_file() {
        let sandbox = Sandbox::with("f", numbered(3));
        std::os::unix::fs::symlink("/dev/null", sandbox.path("nothing")).unwrap();
        for name in ["/dev/null", "nothing"] {
            for line in [
                "lines N",
                "bytes N",
                "page N",
                "ranges N :5",
                "lines N -5:",
                "bytes N 0:",
                "lines N --stream",
            ] {
                let document = sandbox.line(&line.replace('N', name)).ok().document();
                assert_eq!((document.content.as_str(), document.fact("total")), ("", "0"), "{line}");
            }
            let stat = sandbox.run(["stat", name, "--count", "--json"]).ok().json();
            assert_eq!((&stat["lines"], &stat["total"]), (&json!(0), &json!(0)), "{stat}");
        }
        sandbox.line("lines /dev/null 2").refused(5);
        assert_eq!(sandbox.line("lines f /dev/null --raw").ok().text(), numbered(3));
    }

    /// Runs as a user other than root, because root may read everything.
    fn as_nobody(sandbox: &Sandbox, line: &str) -> Option<Run> {
        let is_root = rustix::process::geteuid().is_root();
        let mut command = if is_root {
            // The folders above the built program may be closed to that user.
            let copy = sandbox.path("program");
            if !copy.exists() {
                // By another process: what this one holds open for writing, a child of another test may hold too for a
                // moment, and nobody can run it until then.
                assert!(Command::new("cp").arg(binary()).arg(&copy).status().unwrap().success());
                for path in [sandbox.path("."), copy.clone()] {
                    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
                }
            }
            if Command::new("setpriv").arg("--version").output().is_err() {
                eprintln!(
                    "skipped: root may read everything, and setpriv is not there to become somebody else"
                );
                return None;
            }
            let mut command = assert_cmd::Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]).arg(copy);
            command
        } else {
            assert_cmd::Command::new(binary())
        };
        command.args(line.split_whitespace()).current_dir(sandbox.path(".")).write_stdin("");
        command.at_home(&sandbox.home());
        Some(Run::of(&mut command))
    }

    #[test]
    fn unreadable_files_are_reported() {
        let sandbox = Sandbox::with("secret", numbered(9));
        sandbox.file("open", numbered(9));
        std::fs::create_dir(sandbox.path("closed")).unwrap();
        sandbox.file("closed/f", numbered(9));
        for name in ["secret", "closed"] {
            std::fs::set_permissions(sandbox.path(name), PermissionsExt::from_mode(0o000)).unwrap();
        }
        let Some(works) = as_nobody(&sandbox, "lines open 2 --raw") else { return };
        assert_eq!(works.ok().text(), "line 2\n");
        for line in ["lines secret", "bytes secret", "ranges secret 1", "stat secret", "lines closed/f"] {
            as_nobody(&sandbox, line).unwrap().refused(3).says(contains("ermission denied"));
            let error = as_nobody(&sandbox, &format!("{line} --json")).unwrap().refused_json(3);
            assert_eq!(error["kind"], json!("permission"), "{line}");
        }
        // Allow the folder to be removed.
        std::fs::set_permissions(sandbox.path("closed"), PermissionsExt::from_mode(0o755)).unwrap();
    }

    #[test]
    fn pseudo_files_are_read_to_their_end() {
        if !std::path::Path::new("/proc/self/status").exists() {
            eprintln!("skipped: there is no /proc");
            return;
        }
        let sandbox = Sandbox::new();
        let run = sandbox.line("lines /proc/self/status 1 --raw").ok();
        assert!(run.text().starts_with("Name:"), "{run}");
        let cpus = std::fs::read_to_string("/proc/version").unwrap();
        assert_eq!(sandbox.line("bytes /proc/version --raw").ok().text(), cpus);
        assert_eq!(sandbox.line("lines /proc/version -1 --json").ok().json()["content"], json!(cpus));
        // A read that fails is an error, not an empty answer.
        let error = sandbox.line("bytes /proc/self/mem 0:10 --json").refused_json(3);
        assert_eq!(error["kind"], json!("io"));
    }
}
