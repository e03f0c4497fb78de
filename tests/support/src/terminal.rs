//! A terminal with a program on it, and waiting for what it shows.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

pub use crate::home::AtHome;
use crate::home::binary;

impl AtHome for CommandBuilder {
    fn variable(&mut self, name: &str, value: Option<&Path>) {
        match value {
            Some(value) => self.env(name, value),
            None => self.env_remove(name),
        }
    }
}

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub const COLUMNS: u16 = 60;
pub const LINES: u16 = 11;

pub struct Terminal {
    pub folder: TempDir,
    pub child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    shown: Arc<Mutex<Shown>>,
}

struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    is_closed: bool,
}

/// A program before it is started.
pub struct Setup {
    pub folder: TempDir,
    pub size: (u16, u16),
    pub variables: Vec<(&'static str, String)>,
}

pub fn setup() -> Setup {
    Setup { folder: tempfile::tempdir().unwrap(), size: (COLUMNS, LINES), variables: Vec::new() }
}

impl Setup {
    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.folder.path().join(name), content).unwrap();
        self
    }

    pub fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    pub fn size(mut self, columns: u16, lines: u16) -> Self {
        self.size = (columns, lines);
        self
    }

    /// Runs a line for a shell, in which `rread` is the program.
    pub fn run(self, line: &str) -> Terminal {
        let (columns, lines) = self.size;
        let size = PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("bash");
        let program = binary();
        let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        command.args(["-c", line]);
        command.cwd(self.folder.path());
        command.env("PATH", path);
        command.env("TERM", "xterm-256color");
        command.at_home(&self.folder.path().join(".home"));
        ["EDITOR", "VISUAL"].iter().for_each(|name| command.env_remove(name));
        command.env("TZ", "UTC");
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(NonZero::new(lines).unwrap(), NonZero::new(columns).unwrap(), 0);
        let shown = Arc::new(Mutex::new(Shown { parser, raw: Vec::new(), is_closed: false }));
        let mut output = pair.master.try_clone_reader().unwrap();
        let inside = Arc::clone(&shown);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(got @ 1..) = output.read(&mut buffer) {
                let mut shown = inside.lock().unwrap();
                shown.parser.process(&buffer[..got]);
                shown.raw.extend_from_slice(&buffer[..got]);
                if shown.is_closed {
                    break;
                }
            }
        });
        let keys = Some(pair.master.take_writer().unwrap());
        Terminal { folder: self.folder, child, master: Some(pair.master), keys, shown }
    }

    /// Runs `rread view` with these words.
    pub fn view(self, words: &str) -> Terminal {
        self.run(&format!("exec rread view {words}"))
    }
}

impl Terminal {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn send(&mut self, keys: &str) -> &mut Self {
        self.keys.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
        self
    }

    pub fn rows(&self) -> Vec<String> {
        let shown = self.shown.lock().unwrap();
        let (_, columns) = shown.parser.screen().size();
        shown.parser.screen().rows(0, columns.get()).map(|row| row.trim_end().to_owned()).collect()
    }

    pub fn raw(&self) -> Vec<u8> {
        self.shown.lock().unwrap().raw.clone()
    }

    /// The last row.
    pub fn status(&self) -> String {
        self.rows().last().cloned().unwrap_or_default()
    }

    pub fn is_full_screen(&self) -> bool {
        self.shown.lock().unwrap().parser.screen().alternate_screen()
    }

    /// Whether the character in this place is drawn with swapped colours.
    pub fn is_reverse(&self, row: u16, column: u16) -> bool {
        self.shown.lock().unwrap().parser.screen().cell(row, column).unwrap().inverse()
    }

    /// The colour of the character in this place.
    pub fn colour(&self, row: u16, column: u16) -> vt100::Color {
        self.shown.lock().unwrap().parser.screen().cell(row, column).unwrap().fgcolor()
    }

    /// What `look` sees in this place.
    pub fn cell<T>(&self, row: u16, column: u16, look: impl FnOnce(&vt100::Cell) -> T) -> T {
        look(self.shown.lock().unwrap().parser.screen().cell(row, column).unwrap())
    }

    pub fn until(&mut self, what: &str, is_so: impl Fn(&Terminal) -> bool) -> &mut Self {
        let started = Instant::now();
        while !is_so(self) {
            assert!(started.elapsed() < PATIENCE, "waited in vain: {what}\n{}", self.rows().join("\n"));
            thread::sleep(Duration::from_millis(2));
        }
        self
    }

    /// Waits until the first rows are these.
    pub fn shows(&mut self, rows: &[&str]) -> &mut Self {
        let what = rows.join("\n");
        self.until(&what, |terminal| {
            terminal.rows().starts_with(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>())
        })
    }

    pub fn says(&mut self, part: &str) -> &mut Self {
        self.until(part, |terminal| terminal.status().contains(part))
    }

    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.shown
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(NonZero::new(lines).unwrap(), NonZero::new(columns).unwrap());
        let size = PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    pub fn master(&self) -> &dyn MasterPty {
        &**self.master.as_ref().unwrap()
    }

    /// Closes the terminal as when its window is closed.
    pub fn close(&mut self) {
        // The thread that reads lets go of the terminal after what a key makes the program write.
        self.shown.lock().unwrap().is_closed = true;
        self.send("j");
        self.keys = None;
        self.master = None;
    }

    /// Waits for the end; returns the exit code.
    pub fn code(&mut self) -> u32 {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(started.elapsed() < PATIENCE, "it does not end\n{}", self.rows().join("\n"));
            thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn quit(&mut self) {
        self.send("q");
        assert_eq!(self.code(), 0);
        self.until("the usual screen", |terminal| !terminal.is_full_screen());
    }

    pub fn process(&self) -> i32 {
        self.child.process_id().unwrap().try_into().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// `line 1` to `line N`.
pub fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect()
}

/// The ten rows of text from this line on.
pub fn ten(first: usize) -> Vec<String> {
    (first..first + 10).map(|number| format!("line {number}")).collect()
}

/// The most memory that a process had, in KiB.
pub fn peak(process: i32) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
