//! The ways in which the same bytes reach the program.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use rread_testkit::home::AtHome;
use rread_testkit::pack::{PACKS, Pack};
use rread_testkit::rng::Rng;
use rustix::fs::{CWD, Mode, OFlags, mkfifoat};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The file by its name, with or without an index.
    Named {
        index: bool,
    },
    /// Standard input that is a file, after bytes that were read before.
    Redirected,
    /// Standard input that is a pipe.
    Pipe,
    /// A named pipe.
    Fifo,
    /// A descriptor by its name, of a file or of a pipe.
    Descriptor {
        is_pipe: bool,
    },
    /// A compressed file, with or without an index, or a pipe of one.
    Packed {
        pack: Pack,
        index: bool,
    },
    PackedPipe {
        pack: Pack,
    },
    /// A capture by its handle.
    Capture,
}

/// Bytes before the text in the file on standard input.
const BEFORE: &[u8] = "read before\r\n\u{e9}\u{6f22}\nand this too".as_bytes();

impl Source {
    pub fn any(rng: &mut Rng) -> Self {
        let pack = PACKS[rng.below(PACKS.len())];
        match rng.below(14) {
            0 | 1 => Source::Named { index: false },
            2..5 => Source::Named { index: true },
            5 => Source::Redirected,
            6 => Source::Pipe,
            7 => Source::Fifo,
            8 => Source::Descriptor { is_pipe: rng.one_in(2) },
            9 => Source::Packed { pack, index: false },
            10 | 11 => Source::Packed { pack, index: true },
            12 => Source::PackedPipe { pack },
            _ => Source::Capture,
        }
    }
}

/// A folder with the text in every form.
pub struct SourceFolder<'a> {
    pub folder: &'a Path,
    pub bytes: &'a [u8],
}

impl SourceFolder<'_> {
    /// Writes the files that all requests share.
    pub fn prepare(&self) {
        fs::write(self.folder.join("text"), self.bytes).unwrap();
        fs::write(self.folder.join("before"), [BEFORE, self.bytes].concat()).unwrap();
        mkfifoat(CWD, self.folder.join("fifo"), Mode::from_raw_mode(0o600)).unwrap();
        let mut capture = self.program(false);
        capture.args(["capture", "--name", "text", "--metadata-only"]);
        capture.stdin(File::open(self.folder.join("text")).unwrap());
        let output = capture.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The program, with a timeout.
    fn program(&self, index: bool) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=1", "60", env!("CARGO_BIN_EXE_rread")]);
        self.in_place(&mut command, index);
        command
    }

    fn in_place(&self, command: &mut Command, index: bool) {
        command
            .at_home(self.folder)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .env("RREAD_STATE_DIR", self.folder.join("state"));
        command.env("RREAD_INDEX", if index { "auto" } else { "off" }).env("RREAD_INDEX_MIN", "1");
        command.env("RREAD_CACHE_DIR", self.folder.join("cache"));
    }

    /// The answer to `words`, in which `{}` is the file.
    pub fn ask(&self, source: Source, words: &[String]) -> Output {
        let index = matches!(source, Source::Named { index: true } | Source::Packed { index: true, .. });
        let mut command = self.program(index);
        let name = match source {
            Source::Named { .. } => "text".to_owned(),
            Source::Redirected | Source::Pipe | Source::PackedPipe { .. } => "-".to_owned(),
            Source::Fifo => "fifo".to_owned(),
            Source::Descriptor { .. } => "/dev/fd/9".to_owned(),
            Source::Packed { pack, .. } => self.packed(pack),
            Source::Capture => "fd:text".to_owned(),
        };
        let words = words.iter().map(|word| if word == "{}" { &name } else { word });
        match source {
            Source::Named { .. } | Source::Packed { .. } => command.args(words).output().unwrap(),
            // The text has carriage returns, which would be taken for progress.
            Source::Capture => command.args(words).args(["--ansi", "keep"]).output().unwrap(),
            Source::Redirected => {
                let mut file = File::open(self.folder.join("before")).unwrap();
                file.seek(SeekFrom::Start(BEFORE.len() as u64)).unwrap();
                command.args(words).stdin(file).output().unwrap()
            }
            Source::Pipe => piped(command.args(words), self.bytes),
            Source::PackedPipe { pack } => piped(command.args(words), &pack.of(self.bytes)),
            Source::Fifo => self.through_fifo(command.args(words).arg("--stream")),
            Source::Descriptor { is_pipe } => {
                let mut command = Command::new("sh");
                self.in_place(&mut command, false);
                let from = if is_pipe { "9<&0 0<&-" } else { "9< text" };
                command.args(["-c", &format!("exec timeout -k 1 60 \"$0\" \"$@\" {from}")]);
                command.arg(env!("CARGO_BIN_EXE_rread")).args(words);
                if is_pipe { piped(&mut command, self.bytes) } else { command.output().unwrap() }
            }
        }
    }

    /// The name of the file with the text packed so.
    fn packed(&self, pack: Pack) -> String {
        let name = format!("packed.{pack:?}");
        if !self.folder.join(&name).exists() {
            fs::write(self.folder.join(&name), pack.of(self.bytes)).unwrap();
        }
        name
    }

    fn through_fifo(&self, command: &mut Command) -> Output {
        let path = self.folder.join("fifo");
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                // The reader may stop early.
                let _ = OpenOptions::new().write(true).open(&path).unwrap().write_all(self.bytes);
            });
            let output = command.output().unwrap();
            // If the program never opened it, the writer still waits for a reader.
            let nonblock = i32::try_from(OFlags::NONBLOCK.bits()).unwrap();
            while !writer.is_finished() {
                let reader = OpenOptions::new().read(true).custom_flags(nonblock).open(&path).unwrap();
                let _ = (&reader).read(&mut [0; 4096]);
            }
            output
        })
    }
}

fn piped(command: &mut Command, bytes: &[u8]) -> Output {
    let (reader, mut writer) = io::pipe().unwrap();
    command.stdin(reader).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // Only the child holds the reading end, so the writer gets an error when it ends.
    command.stdin(Stdio::null());
    thread::scope(|scope| {
        scope.spawn(move || {
            let _ = writer.write_all(bytes);
        });
        child.wait_with_output().unwrap()
    })
}
