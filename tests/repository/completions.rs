//! Completions in real shells: a command that takes a file is offered files.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rread_testkit::home::AtHome;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tempfile::TempDir;

/// Commands that take a file, with what stands before it.
const PLACES: [&str; 12] = [
    "bytes",
    "lines",
    "lines -n --max-lines 5",
    "ranges",
    "page",
    "stat",
    "where",
    "verify",
    "image",
    "index build",
    "index show",
    "capture save fd:1",
];

/// A folder with two files whose names begin alike, and the completions of `shell` in another.
fn folders(shell: &str, name: &str) -> (TempDir, TempDir) {
    let (work, scripts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for name in ["only this.log", "twin-1.log", "twin-2.log"] {
        fs::write(work.path().join(name), "text\n").unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
    let output = command.at_home(work.path()).args(["--generate", shell]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::write(scripts.path().join(name), output.stdout).unwrap();
    (work, scripts)
}

/// `shell` in `folder`, unless it is missing.
fn shell(shell: &str, folder: &TempDir) -> Option<Command> {
    if Command::new(shell).arg("--version").output().is_err() {
        eprintln!("SKIPPED: {shell} is missing");
        return None;
    }
    let mut command = Command::new(shell);
    // An empty home, so that nobody's start-up files are read.
    let home = folder.path().join(".home");
    fs::create_dir_all(&home).unwrap();
    command.at_home(&home).current_dir(folder.path()).env("TERM", "dumb").env("PS1", "$ ");
    Some(command)
}

/// Runs a shell on a terminal and types `keys`, each once the one before had its effect, until `wanted` is shown.
fn typed(mut command: Command, keys: &[&str], wanted: &str) -> Option<String> {
    let Ok(master) = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY) else {
        eprintln!("SKIPPED: no pseudo terminal");
        return None;
    };
    grantpt(&master).ok()?;
    unlockpt(&master).ok()?;
    let name = ptsname(&master, Vec::new()).ok()?.into_string().ok()?;
    let slave = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
    let mut child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    drop(command);
    let mut terminal = File::from(master);
    let mut screen = terminal.try_clone().unwrap();
    let (sender, shown) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut block = [0; 4096];
        while let Ok(got) = screen.read(&mut block) {
            if got == 0 || sender.send(block[..got].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut text = Vec::new();
    for key in keys {
        terminal.write_all(key.as_bytes()).unwrap();
        // What a shell shows for a key comes at once; it may show nothing.
        let mut pause = Duration::from_millis(1500);
        while let Ok(more) = shown.recv_timeout(pause) {
            text.extend(more);
            pause = Duration::from_millis(250);
        }
    }
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until && !String::from_utf8_lossy(&text).contains(wanted) {
        text.extend(shown.try_iter().flatten());
        sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    Some(String::from_utf8_lossy(&text).replace("\r\n", "\n"))
}

#[test]
fn bash_offers_files_where_a_command_takes_one() {
    let (work, scripts) = folders("bash", "rread.bash");
    let script = scripts.path().join("rread.bash");
    let reply = |line: &str| -> Option<Vec<String>> {
        let ask = r#"source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _rread "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\n' "${COMPREPLY[@]}""#;
        let mut command = shell("bash", &work)?;
        command.args(["--norc", "--noprofile", "-c", ask, "bash"]).arg(&script).args(line.split(' '));
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        Some(text.lines().filter(|line| *line != ".home").map(str::to_owned).collect())
    };
    for place in PLACES {
        let Some(mut all) = reply(&format!("rread {place} ")) else { return };
        all.sort();
        assert_eq!(all, ["only this.log", "twin-1.log", "twin-2.log"], "{place}");
        assert_eq!(reply(&format!("rread {place} on")).unwrap(), ["only this.log"], "{place}");
        let options = reply(&format!("rread {place} --")).unwrap();
        assert!(options.iter().all(|option| option.starts_with("--")) && options.len() > 3, "{options:?}");
    }
    // Where no file is taken, there are actions and options as before.
    assert!(reply("rread capture ").unwrap().contains(&"save".to_owned()));
    assert!(reply("rread index ").unwrap().contains(&"build".to_owned()));
    assert_eq!(reply("rread capture -- tw").unwrap(), ["twin-1.log", "twin-2.log"]);
}

#[test]
fn bash_completes_a_file_on_a_terminal() {
    let (work, scripts) = folders("bash", "rread.bash");
    let Some(mut command) = shell("bash", &work) else { return };
    command.args(["--norc", "--noprofile", "-i"]);
    let source = format!("source '{}'\n", scripts.path().join("rread.bash").display());
    let keys = [&source, "rread lines on\t", "\u{1}echo got: \n"];
    let Some(shown) = typed(command, &keys, "\ngot: rread lines only this.log") else { return };
    assert!(shown.contains("\ngot: rread lines only this.log"), "{shown}");
}

#[test]
fn zsh_completes_a_file_on_a_terminal() {
    let (work, scripts) = folders("zsh", "_rread");
    for place in ["lines", "stat"] {
        let Some(mut command) = shell("zsh", &work) else { return };
        command.args(["-f", "-i"]);
        let load = format!(
            "fpath=('{}' $fpath); autoload -Uz compinit; compinit -D -u; bindkey -e\n",
            scripts.path().display()
        );
        let line = format!("rread {place} on\t");
        let wanted = format!("\ngot: rread {place} only this.log");
        let Some(shown) = typed(command, &[&load, &line, "\u{1}echo got: \n"], &wanted) else { return };
        assert!(shown.contains(&wanted), "{shown}");
    }
}

#[test]
fn fish_offers_files_where_a_command_takes_one() {
    let (work, scripts) = folders("fish", "rread.fish");
    for place in PLACES {
        let Some(mut command) = shell("fish", &work) else { return };
        command.args(["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"]);
        command.arg(scripts.path().join("rread.fish")).arg(format!("rread {place} "));
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for name in ["only this.log", "twin-1.log", "twin-2.log"] {
            assert!(text.lines().any(|line| line.split('\t').next() == Some(name)), "{place}: {text}");
        }
    }
}
