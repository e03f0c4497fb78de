//! Completions in real shells: a command that takes a file is offered files, handles of captures and members of archives.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rread_testkit::home::AtHome;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

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
    // The scripts call the program.
    let beside = Path::new(env!("CARGO_BIN_EXE_rread")).parent().unwrap().display().to_string();
    command.env("PATH", format!("{beside}:{}", std::env::var("PATH").unwrap_or_default()));
    Some(command)
}

/// Adds archives, a damaged one, and a capture of the home of the shells.
fn add_archives_and_captures(work: &TempDir) {
    let mut zip = zip::ZipWriter::new(File::create(work.path().join("logs.zip")).unwrap());
    for name in ["app.log", "old/a b.log", "old/c.log", "Größe.log"] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(b"text\n").unwrap();
    }
    zip.finish().unwrap();
    let bytes = fs::read(work.path().join("logs.zip")).unwrap();
    fs::write(work.path().join("damaged.zip"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(work.path().join("logs.tar"), rread_testkit::formats::tar()).unwrap();
    let home = work.path().join(".home");
    fs::create_dir_all(&home).unwrap();
    let mut capture = Command::new(env!("CARGO_BIN_EXE_rread"));
    capture.at_home(&home).args(["capture", "--name", "build", "--", "echo", "text"]);
    assert!(capture.output().unwrap().status.success());
}

/// What follows words in a folder with archives and a capture.
const OFFERED: [(&str, &[&str]); 10] = [
    ("fd", &["fd:1", "fd:build"]),
    ("fd:b", &["fd:build"]),
    ("fd:x", &[]),
    ("zip:", &["zip:damaged.zip/", "zip:logs.zip/"]),
    ("zip:logs.zip", &["zip:logs.zip/"]),
    ("zip:logs.zip/", &["zip:logs.zip/Größe.log", "zip:logs.zip/app.log", "zip:logs.zip/old/"]),
    ("zip:logs.zip/old/", &["zip:logs.zip/old/a b.log", "zip:logs.zip/old/c.log"]),
    ("tar:./lo", &["tar:./logs.tar/"]),
    ("tar:logs.tar/v", &["tar:logs.tar/var/"]),
    ("tar:logs.zip/", &[]),
];

#[test]
fn words_are_offered_without_errors() {
    let work = TempDir::new().unwrap();
    add_archives_and_captures(&work);
    let words = |word: &OsStr| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.at_home(&work.path().join(".home")).current_dir(work.path());
        let output = command.arg("--complete").arg(word).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{word:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for (word, wanted) in OFFERED {
        assert_eq!(words(OsStr::new(word)).lines().collect::<Vec<_>>(), wanted, "{word}");
    }
    let nothing =
        ["", "x", "zip:damaged.zip/", "zip:nosuch/", "zip:nosuch.zip/a", "tar:-/x", "zip:https://h/a.zip/"];
    for word in nothing.map(OsStr::new).into_iter().chain([OsStr::from_bytes(b"zip:\xFF")]) {
        assert_eq!(words(word), "", "{word:?}");
    }
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
    add_archives_and_captures(&work);
    for (word, wanted) in OFFERED.iter().filter(|(_, wanted)| !wanted.is_empty()) {
        assert_eq!(reply(&format!("rread lines {word}")).unwrap(), *wanted, "{word}");
    }
    assert_eq!(reply("rread capture drop ").unwrap(), ["fd:1", "fd:build"]);
    assert!(reply("rread capture drop --").unwrap().contains(&"--older-than".to_owned()));
}

/// Lines that are typed before the tab, and what is there after it and `.`.
const TYPED: [(&str, &str); 5] = [
    ("rread lines on", "rread lines only this.log ."),
    ("rread stat fd:b", "rread stat fd:build ."),
    ("rread capture drop fd:b", "rread capture drop fd:build ."),
    ("rread lines zip:logs.zip/ap", "rread lines zip:logs.zip/app.log ."),
    // What goes on has no blank after it.
    ("rread lines zip:lo", "rread lines zip:logs.zip/."),
];

/// Types the lines in `shell`, which `words` start and the line `load` prepares.
fn completes(name: &str, script: &str, words: &[&str], load: &str) {
    let (work, scripts) = folders(name, script);
    add_archives_and_captures(&work);
    for (line, wanted) in TYPED {
        let Some(mut command) = shell(name, &work) else { return };
        command.args(words);
        let load = load.replace("FOLDER", &scripts.path().display().to_string());
        let wanted = format!("\ngot: {wanted}");
        let keys = [&load, &format!("{line}\t"), ".\u{1}echo got: \n"];
        let Some(shown) = typed(command, &keys, &wanted) else { return };
        assert!(shown.contains(&wanted), "{name}: {line}: {shown}");
    }
}

#[test]
fn bash_completes_words_on_a_terminal() {
    completes("bash", "rread.bash", &["--norc", "--noprofile", "-i"], "source 'FOLDER/rread.bash'\n");
}

#[test]
fn zsh_completes_words_on_a_terminal() {
    let load = "fpath=('FOLDER' $fpath); autoload -Uz compinit; compinit -D -u; bindkey -e\n";
    completes("zsh", "_rread", &["-f", "-i"], load);
}

#[test]
fn fish_offers_files_where_a_command_takes_one() {
    let (work, scripts) = folders("fish", "rread.fish");
    let reply = |line: &str| -> Option<Vec<String>> {
        let mut command = shell("fish", &work)?;
        command.args(["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"]);
        let output = command.arg(scripts.path().join("rread.fish")).arg(line).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        Some(text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect())
    };
    for place in PLACES {
        let Some(offered) = reply(&format!("rread {place} ")) else { return };
        for name in ["only this.log", "twin-1.log", "twin-2.log"] {
            assert!(offered.contains(&name.to_owned()), "{place}: {offered:?}");
        }
    }
    add_archives_and_captures(&work);
    for (word, wanted) in OFFERED {
        let offered = reply(&format!("rread stat {word}")).unwrap();
        assert!(wanted.iter().all(|word| offered.contains(&word.to_string())), "{word}: {offered:?}");
    }
}
