//! The process of a decoder, and its sandbox: a hidden command of this program, with the document on standard input.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};

#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "x86_64")))]
use super::sandbox::forbid_calls;
use crate::{read_full, stdin};
use rread_documents::decode::Charset;
use rread_documents::format::DocumentFormat;
use rread_documents::protocol::{Failure, Output};
use rread_documents::sheets::Sheet;

/// Memory that a decoder may use beyond what the program takes at its start.
pub(super) const MEMORY: u64 = 512 << 20;

/// The first argument of the process.
const COMMAND: &str = "__decode";

/// The exit code of a decoder that panicked, which the program must return.
pub const PANICKED: i32 = 70;

/// The argument after [`COMMAND`], in JSON: what to decode, seconds, bytes of memory, and the part of standard input to read.
pub struct Job {
    pub(super) format: DocumentFormat,
    /// The only sheet to decode.
    pub(super) sheet: Option<Sheet>,
    /// The labels of the charset of a page.
    pub(super) charset: Charset,
    pub(super) seconds: u64,
    pub(super) memory: u64,
    pub(super) start: u64,
    pub(super) length: u64,
}

impl Job {
    pub(super) fn words(&self) -> [String; 2] {
        let Job { format, sheet, charset, seconds, memory, start, length } = self;
        let job = (format.name(), sheet, charset, seconds, memory, start, length);
        [COMMAND.to_owned(), serde_json::to_string(&job).unwrap_or_default()]
    }

    /// The job of a decoder in the arguments of the program; `None` if they are those of another command.
    pub fn of_args(args: &[OsString]) -> Option<Job> {
        let [_, command, job] = args else { return None };
        let job: (String, _, _, _, _, _, _) =
            serde_json::from_str(job.to_str().filter(|_| command == COMMAND)?).ok()?;
        let (format, sheet, charset, seconds, memory, start, length) = job;
        let format = DocumentFormat::from_name(&format)?;
        Some(Job { format, sheet, charset, seconds, memory, start, length })
    }

    /// Decodes, and returns the exit code.
    pub fn run(&self) -> u8 {
        let mut stdout = BufWriter::with_capacity(64 << 10, io::stdout().lock());
        u8::from(run(self, &mut stdout).is_err())
    }
}

fn run(job: &Job, stdout: &mut dyn Write) -> io::Result<()> {
    let mut out = Output::new(stdout);
    #[cfg(unix)]
    close_inherited();
    // Before the limits, which allow no further descriptor.
    let stdin = stdin::stream().map_err(|_| Failure::Unread);
    let bytes = stdin.and_then(|stdin| confine(job).and_then(|()| read(&stdin, job)));
    let decode = |bytes| job.format.decode(bytes, job.sheet.as_ref(), &job.charset, &mut out);
    let decoded = bytes.and_then(decode);
    out.end(decoded)
}

/// Reads at offsets: the position of the file may be shared with others.
fn read(stdin: &File, job: &Job) -> Result<Vec<u8>, Failure> {
    let length = usize::try_from(job.length).map_err(|_| Failure::Unread)?;
    let mut bytes = vec![0; length];
    match read_full(stdin, &mut bytes, job.start) {
        Ok(got) if got == length => Ok(bytes),
        _ => Err(Failure::Unread),
    }
}

/// Closes the descriptors that the caller of rread left open, which may be anything. Nothing of this process has one yet.
#[cfg(unix)]
fn close_inherited() {
    const STANDARD: i32 = 2;
    let Ok(entries) = std::fs::read_dir("/dev/fd") else { return };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // The list is complete, and its own descriptor closed, before the first is closed.
    let inherited: Vec<i32> = numbers.filter(|number| *number > STANDARD).collect();
    for number in inherited {
        let _ = nix::unistd::close(number);
    }
}

/// Call this before there is another thread: Landlock restricts the calling thread alone.
#[cfg(target_os = "linux")]
pub(super) fn confine(job: &Job) -> Result<(), Failure> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
    // Before Landlock, which hides /proc.
    let size = program_size();
    // The parent ends the process too, but perhaps it was killed.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // An old kernel lacks it; the limits below hold in any case.
    let _ = forbid_files();
    limit(job, size).map_err(|_| Failure::Unconfined)?;
    // Root would pass limits and rights of files with them. A service may be forbidden the call, and then has none.
    let none = CapabilitySet::empty();
    let _ = set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none });
    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    let _ = forbid_calls();
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn confine(job: &Job) -> Result<(), Failure> {
    limit(job, 0).map_err(|_| Failure::Unconfined)
}

/// The reader of the text limits time and length.
#[cfg(not(unix))]
pub(super) fn confine(_: &Job) -> Result<(), Failure> {
    Ok(())
}

/// Address space of the program at its start, in bytes.
#[cfg(target_os = "linux")]
fn program_size() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.strip_suffix("kB"));
    size.and_then(|size| size.trim().parse::<u64>().ok()).unwrap_or(0).saturating_mul(1024)
}

/// No file can be opened, no TCP socket connected, no other process signalled, as far as the kernel supports it.
#[cfg(target_os = "linux")]
fn forbid_files() -> Result<(), landlock::RulesetError> {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, Scope};
    let newest = ABI::V6;
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(newest))?
        .handle_access(AccessNet::from_all(newest))?
        .scope(Scope::from_all(newest))?;
    // This also sets no_new_privs.
    rules.create()?.restrict_self().map(|_| ())
}

#[cfg(unix)]
fn limit(job: &Job, size: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let set = |resource, soft: u64, hard: u64| {
        // Nobody but root may raise a limit.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        setrlimit(resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    };
    set(Resource::Core, 0, 0)?;
    set(Resource::Fsize, 0, 0)?;
    // The signal at the soft limit says why; the kill at the hard one cannot be caught.
    set(Resource::Cpu, job.seconds, job.seconds.saturating_add(1))?;
    // macOS has this limit and does not keep it.
    let size = size.saturating_add(job.memory);
    let memory = set(Resource::As, size, size);
    if cfg!(target_os = "linux") {
        memory?;
    }
    // The standard streams are open; nothing else can be.
    Ok(set(Resource::Nofile, 3, 3)?)
}
