//! The process of a decoder: a hidden command of this program, with the document on standard input.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::sandbox::{Limits, confine};
use crate::file::read_at;
use crate::stdin;
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::{Failure, Output};
use rread_documents::sheets::Sheet;

/// Memory that a decoder may use beyond what the program takes at its start.
pub(super) const MEMORY: u64 = 512 << 20;

/// The first argument of the process.
const COMMAND: &str = "__decode";

/// The exit code of a decoder that panicked.
pub(super) const PANICKED: i32 = 70;

/// The arguments after [`COMMAND`]: format, sheet, seconds, bytes of memory, and the part of standard input to read.
pub(super) struct Job {
    pub(super) format: DocumentFormat,
    /// The only sheet to decode.
    pub(super) sheet: Option<Sheet>,
    pub(super) seconds: u64,
    pub(super) memory: u64,
    pub(super) start: u64,
    pub(super) length: u64,
}

impl Job {
    pub(super) fn words(&self) -> [String; 7] {
        let Job { format, sheet, seconds, memory, start, length } = self;
        [
            COMMAND.to_owned(),
            format.name().to_owned(),
            sheet_word(sheet.as_ref()),
            seconds.to_string(),
            memory.to_string(),
            start.to_string(),
            length.to_string(),
        ]
    }

    fn of(words: &[OsString]) -> Option<Job> {
        let [command, format, sheet, numbers @ ..] = words else { return None };
        let number = |word: &OsString| word.to_str()?.parse().ok();
        let [seconds, memory, start, length] = numbers else { return None };
        Some(Job {
            format: DocumentFormat::from_name(format.to_str().filter(|_| command == COMMAND)?)?,
            sheet: sheet_of(sheet.to_str()?)?,
            seconds: number(seconds)?,
            memory: number(memory)?,
            start: number(start)?,
            length: number(length)?,
        })
    }
}

/// The argument that says which sheet to decode.
fn sheet_word(sheet: Option<&Sheet>) -> String {
    match sheet {
        None => "all".to_owned(),
        Some(Sheet::First) => "first".to_owned(),
        Some(Sheet::Nth(index)) => format!("#{index}"),
        Some(Sheet::Named(name)) => format!("={name}"),
    }
}

/// The sheet of an argument; `None` if it is not such an argument.
fn sheet_of(word: &str) -> Option<Option<Sheet>> {
    Some(match word {
        "all" => None,
        "first" => Some(Sheet::First),
        _ => match word.split_at_checked(1)? {
            ("#", index) => Some(Sheet::Nth(index.parse().ok()?)),
            ("=", name) => Some(Sheet::Named(name.to_owned())),
            _ => return None,
        },
    })
}

/// Runs as a decoder if `args` say so; `None` if they are those of another command. Returns the exit code.
pub fn main(args: &[OsString]) -> Option<u8> {
    let job = Job::of(args.get(1..)?)?;
    // Nobody reads the words of a decoder that fails.
    std::panic::set_hook(Box::new(|_| std::process::exit(PANICKED)));
    let mut stdout = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    Some(u8::from(run(&job, &mut stdout).is_err()))
}

fn run(job: &Job, stdout: &mut dyn Write) -> io::Result<()> {
    let mut out = Output::new(stdout);
    let limits = Limits { memory: job.memory, seconds: job.seconds };
    // Before the limits, which allow no further descriptor.
    let stdin = stdin::stream().map_err(|_| Failure::Unread);
    let bytes = stdin.and_then(|stdin| confine(&limits).and_then(|()| read(&stdin, job)));
    let decoded = bytes.and_then(|bytes| job.format.decode(bytes, job.sheet.as_ref(), &mut out));
    out.end(decoded)
}

/// Reads at offsets: the position of the file may be shared with others.
fn read(stdin: &File, job: &Job) -> Result<Vec<u8>, Failure> {
    let length = usize::try_from(job.length).map_err(|_| Failure::Unread)?;
    let mut bytes = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match read_at(stdin, &mut bytes[filled..], job.start.saturating_add(filled as u64)) {
            Ok(0) => return Err(Failure::Unread),
            Ok(got) => filled += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(Failure::Unread),
        }
    }
    Ok(bytes)
}
