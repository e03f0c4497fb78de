//! Writes a stream to disk in constant memory. It reads the stream to its end even after an error or the limit, so that
//! the writer of the stream is neither blocked nor killed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, PipeReader, PipeWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memrchr;
use tempfile::NamedTempFile;

use super::record::{Ended, KeptTo, Record, SHOWN, Shown};
use super::session::Unfinished;
use crate::store;
use rread_source::memory::Buffer;
use rread_source::spelling::folder_of;
use rread_source::spool::read_when_ready;
use rread_source::{interrupt, limits};
use rread_text::screen::{acts, plain};
use rread_text::{Error, Kind, Result, Sentence, call, newline, setting};

const READ_BLOCK: usize = 256 << 10;

/// A longer line is shown in parts, unless a progress bar overwrites it.
const MAX_LINE: usize = if cfg!(test) { 64 } else { 1 << 20 };

/// Keeps the beginning of a stream, and counts all of it.
#[derive(Debug)]
pub struct Keeper {
    limit: u64,
    kept_to: KeptTo,
    passed: Arc<AtomicU64>,
}

/// The outcome of keeping a stream.
#[derive(Debug)]
pub struct Taken {
    /// The record, still without the command and how it ended.
    pub record: Record,
    /// Whether what is kept may have something to remove from the shown text.
    pub has_traces: bool,
    /// The error that ended reading.
    pub failed_read: Option<io::Error>,
    /// The error that ended writing.
    pub failed_write: Option<io::Error>,
}

impl Keeper {
    /// Keeps at most `limit` bytes; `state_limit` applies to all captures together.
    pub fn new(limit: u64, state_limit: u64) -> Self {
        let limits = [
            (limit, KeptTo::Limit),
            (state_limit, KeptTo::StateLimit),
            // Writing past this limit would kill rread by a signal.
            (limits::file_size().unwrap_or(u64::MAX), KeptTo::FileSizeLimit),
        ];
        let (limit, kept_to) = limits.into_iter().min_by_key(|(limit, _)| *limit).unwrap_or(limits[0]);
        Keeper { limit, kept_to, passed: Arc::default() }
    }

    /// The bytes read so far, for the progress display.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.passed)
    }

    /// Reads `stream` to its end and writes what is kept to `unfinished`. Failures are in the result.
    pub fn take(&self, stream: &mut dyn Read, unfinished: &mut Unfinished) -> Taken {
        let mut taken =
            Taken { record: Record::default(), has_traces: false, failed_read: None, failed_write: None };
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match read_when_ready(stream, &mut block) {
                Ok(0) => break,
                Ok(got) => {
                    self.passed.fetch_add(got as u64, Ordering::Relaxed);
                    let kept = self.keep(&block[..got], &mut unfinished.output, &mut taken);
                    // More of the line may follow a carriage return at the end.
                    taken.has_traces |= acts(kept) || kept.ends_with(b"\r");
                }
                Err(cause) => {
                    taken.failed_read = Some(cause);
                    break;
                }
            }
        }
        if taken.record.kept < taken.record.produced && taken.failed_write.is_none() {
            taken.record.kept_to = Some(self.kept_to);
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        taken.record.taken = since_1970.as_secs();
        taken
    }

    /// Returns the part of `bytes` that is kept.
    fn keep<'b>(&self, bytes: &'b [u8], output: &mut File, taken: &mut Taken) -> &'b [u8] {
        let record = &mut taken.record;
        record.produced = record.produced.saturating_add(bytes.len() as u64);
        let room = usize::try_from(self.limit - record.kept).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(room)];
        if bytes.is_empty() || taken.failed_write.is_some() {
            return &[];
        }
        if let Err(cause) = output.write_all(bytes) {
            taken.failed_write = Some(cause);
            return &[];
        }
        record.kept += bytes.len() as u64;
        record.newlines += newline::count(bytes);
        record.unterminated = !bytes.ends_with(b"\n");
        bytes
    }
}

impl Unfinished {
    /// Writes the shown text, of at most `room` bytes; `None` if it is the output itself.
    pub fn show(&mut self, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let shown = self.write_shown(room);
        if !matches!(shown, Ok(Some(_))) {
            let _ = fs::remove_file(path);
        }
        shown
    }

    fn write_shown(&mut self, room: u64) -> io::Result<Option<Shown>> {
        let path = self.path().with_file_name(SHOWN);
        let file = interrupt::delay(|| store::create_new(&path))?;
        let mut shown = ShownWriter::new(BufWriter::new(file), room);
        self.output.seek(SeekFrom::Start(0))?;
        let mut block = Buffer::new(READ_BLOCK);
        loop {
            match self.output.read(&mut block) {
                Ok(0) => break,
                Ok(got) => shown.take(&block[..got])?,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
        shown.write_line()?;
        shown.out.flush()?;
        Ok(shown.differs.then_some(shown.shown))
    }
}

/// Writes lines as a terminal shows them in the end.
struct ShownWriter<W> {
    out: W,
    /// The line, as far as it is not written.
    line: Vec<u8>,
    room: u64,
    shown: Shown,
    /// Whether the terminal shows something else than what came.
    differs: bool,
}

impl<W: Write> ShownWriter<W> {
    fn new(out: W, room: u64) -> Self {
        let shown = Shown { bytes: 0, unterminated: false };
        ShownWriter { out, line: Vec::new(), room, shown, differs: false }
    }

    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || (self.line.len() > MAX_LINE && !self.overwrite()) {
                self.write_line()?;
            }
        }
        Ok(())
    }

    /// Forgets what a progress bar has overwritten up to its last carriage return; returns whether that makes room.
    fn overwrite(&mut self) -> bool {
        let Some(last) = memrchr(b'\r', &self.line) else { return false };
        let rest = self.line.split_off(last);
        if let Some(shown) = plain(&self.line) {
            self.differs = true;
            self.line = shown;
        }
        self.line.extend(rest);
        self.line.len() <= MAX_LINE / 2
    }

    fn write_line(&mut self) -> io::Result<()> {
        let plain = plain(&self.line);
        self.differs |= plain.is_some();
        let text = plain.as_deref().unwrap_or(&self.line);
        self.shown.bytes += text.len() as u64;
        self.shown.unterminated = text.last().map_or(self.shown.unterminated, |last| *last != b'\n');
        if self.shown.bytes > self.room {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "the limit leaves no room for it"));
        }
        self.out.write_all(text)?;
        self.line.clear();
        Ok(())
    }
}

/// The exit code of shells for a command that cannot be run.
const NOT_EXECUTABLE: u8 = 126;
/// The exit code of shells for a command that is not found.
const NOT_FOUND: u8 = 127;

/// Which output of the command is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Standard output and standard error.
    Both,
    /// Standard output; standard error is inherited.
    StdoutOnly,
}

/// A command that runs.
pub struct Running {
    child: Child,
    /// The output; it ends once every process has closed it, background processes included.
    pub output: PipeReader,
}

impl Running {
    /// Starts `program`, which inherits standard input. Errors have the exit codes of a shell, 127 and 126.
    pub fn start(program: &OsStr, args: &[OsString], streams: Streams) -> Result<Running> {
        let failed = |cause: &io::Error| Error::read("cannot be started", cause).at(Path::new(program));
        let pipe = io::pipe().map_err(|cause| failed(&cause))?;
        Running::try_start(program, args, streams, pipe).map_err(|cause| {
            let error = match cause.kind() {
                io::ErrorKind::NotFound => failed(&cause).exiting(NOT_FOUND),
                // The system cannot start another process; the program may be fine.
                io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => failed(&cause),
                _ => failed(&cause).exiting(NOT_EXECUTABLE),
            };
            let line = program.to_string_lossy();
            if args.is_empty() && line.contains(' ') {
                return error.hint(call("capture").word("--").word("sh").word("-c").word(line));
            }
            error
        })
    }

    fn try_start(
        program: &OsStr,
        args: &[OsString],
        streams: Streams,
        (output, input): (PipeReader, PipeWriter),
    ) -> io::Result<Running> {
        let mut command = Command::new(program);
        command.args(args);
        if streams == Streams::Both {
            command.stderr(input.try_clone()?);
        }
        command.stdout(input);
        // Dropping `command` closes its copies of the pipe's write end, without which the output does not end.
        Ok(Running { child: interrupt::spawn(&mut command)?, output })
    }

    /// Waits for the command, not for processes that it left behind.
    pub fn wait(mut self) -> Result<Ended> {
        interrupt::stop_forwarding();
        let waited = self.child.wait();
        waited.map(Ended::from_status).map_err(|cause| Error::read("cannot wait for the command", &cause))
    }
}

/// The treatment of a file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Refuse it.
    New,
    /// Replace its content.
    Replace,
    /// Write after its end.
    Append,
}

/// Writes the file `from` to `path`; after a failure, `path` is unchanged. Without `create`, `path` must exist. Returns
/// `created`, `replaced` or `appended`, and the topmost directory that was made.
pub fn save(from: &Path, path: &Path, mode: Mode, create: bool) -> Result<(&'static str, Option<PathBuf>)> {
    try_save(from, path, mode, create).map_err(|error| error.at(path))
}

fn try_save(from: &Path, path: &Path, mode: Mode, create: bool) -> Result<(&'static str, Option<PathBuf>)> {
    let source = File::open(from).map_err(|cause| Error::read("cannot read the capture", &cause))?;
    let there = target(path)?;
    let before = there.as_ref().map_or(0, |(_, metadata)| metadata.len());
    check_limit(&source, if mode == Mode::Append { before } else { 0 })?;
    let saved = match (there, mode) {
        (Some(_), Mode::New) => {
            return Err(Error::new(Kind::Write, "already exists").hint(replace_or_append()));
        }
        (None, _) if !create => {
            return Err(Error::new(
                Kind::Write,
                Sentence::from("does not exist, and ").then(setting("no-create")).then(" was given"),
            ));
        }
        (Some((real, _)), Mode::Append) => append(source, &real, before).map(|()| ("appended", None)),
        (Some((real, old)), Mode::Replace) => {
            write(source, folder_of(&real), &real, Some(&old)).map(|()| ("replaced", None))
        }
        (None, _) => create_file(source, path).map(|made| ("created", made)),
    };
    saved.map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::new(Kind::Write, "was created by another program meanwhile").hint(replace_or_append())
        }
        _ => Error::writing("cannot be written", &cause),
    })
}

/// The regular file at `path`, with links resolved; `None` if nothing exists there.
fn target(path: &Path) -> Result<Option<(PathBuf, Metadata)>> {
    let refuse = |message: String| Err(Error::new(Kind::Write, message));
    if path.as_os_str().is_empty() {
        return refuse("an empty name is not a file".to_owned());
    }
    refuse_links_of_others(path)?;
    let failed = |cause: io::Error| Error::writing("cannot be written", &cause);
    match path.symlink_metadata() {
        // The system's error for a trailing slash is hard to understand.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                true => refuse("is the name of a directory".to_owned()),
                false => Ok(None),
            };
        }
        Err(error) => return Err(failed(error)),
        Ok(_) => {}
    }
    let metadata = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let to = fs::read_link(path).map_err(failed)?;
            return refuse(format!("broken link to '{}'", to.display()));
        }
        found => found.map_err(failed)?,
    };
    if metadata.is_dir() {
        let hint = call("capture").word("save").word("fd:N").file(path.join("NAME"));
        return Err(Error::new(Kind::Write, "is a directory").hint(hint));
    }
    if !metadata.is_file() {
        return refuse("is not a regular file".to_owned());
    }
    Ok(Some((path.canonicalize().map_err(failed)?, metadata)))
}

/// Links to follow on the way to a file, as many as Linux follows.
#[cfg(unix)]
const MAX_LINKS: usize = 40;

/// Refuses a link, also of a directory on the way, whose owner is neither this user nor root: it may lead anywhere.
#[cfg(unix)]
fn refuse_links_of_others(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let failed = |cause: io::Error| Error::writing("cannot be written", &cause);
    let mut rest = std::path::absolute(path).map_err(failed)?;
    for _ in 0..MAX_LINKS {
        let links = |part: &&Path| part.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let parts: Vec<&Path> = rest.ancestors().collect();
        let Some(link) = parts.into_iter().rev().find(links).map(Path::to_owned) else { return Ok(()) };
        let owner = link.symlink_metadata().map_err(failed)?.uid();
        if owner != 0 && owner != rustix::process::geteuid().as_raw() {
            let message = format!("leads over the link '{}', which belongs to another user", link.display());
            return Err(Error::new(Kind::Write, message).hint("name the file itself"));
        }
        let after = rest.strip_prefix(&link).map(Path::to_owned).unwrap_or_default();
        let target = link.parent().unwrap_or(Path::new("/")).join(fs::read_link(&link).map_err(failed)?);
        rest = if after.as_os_str().is_empty() { target } else { target.join(after) };
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_links_of_others(_: &Path) -> Result<()> {
    Ok(())
}

/// Writing past the file size limit would kill rread by a signal.
fn check_limit(source: &File, before: u64) -> Result<()> {
    let Some(limit) = limits::file_size() else { return Ok(()) };
    let size = source.metadata().map_or(0, |metadata| metadata.len()).saturating_add(before);
    if size <= limit {
        return Ok(());
    }
    Err(Error::new(
        Kind::Write,
        format!("would have {size} bytes, more than the limit of {limit} (ulimit -f)"),
    ))
}

/// Writes a new file and makes missing directories; returns the topmost of them.
fn create_file(source: File, path: &Path) -> io::Result<Option<PathBuf>> {
    let folder = folder_of(path);
    let missing: Vec<&Path> = folder.ancestors().take_while(|dir| is_missing(dir)).collect();
    // A broken link on the way fails with AlreadyExists, which would be read as the file itself.
    let made = fs::create_dir_all(folder).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => io::Error::other(format!("{} is not a directory", folder.display())),
        _ => cause,
    });
    let written = made.and_then(|()| write(source, folder, path, None));
    if written.is_err() {
        // Deepest first; `remove_dir` removes only empty directories.
        missing.iter().for_each(|dir| drop(fs::remove_dir(dir)));
    }
    written.map(|()| missing.last().map(|dir| dir.to_path_buf()))
}

fn is_missing(dir: &Path) -> bool {
    let found = dir.symlink_metadata();
    !dir.as_os_str().is_empty() && found.is_err_and(|cause| cause.kind() == io::ErrorKind::NotFound)
}

/// Writes a temporary file in `folder`, then renames it to `path`.
fn write(mut source: File, folder: &Path, path: &Path, old: Option<&Metadata>) -> io::Result<()> {
    let mut file = beside(folder)?;
    io::copy(&mut source, file.as_file_mut())?;
    match old {
        None => file.persist_noclobber(path).map_err(|error| error.error)?,
        Some(old) => {
            // A read-only file must not be replaced.
            OpenOptions::new().append(true).open(path)?;
            file.as_file().set_permissions(old.permissions())?;
            file.persist(path).map_err(|error| error.error)?
        }
    };
    Ok(())
}

/// A temporary file with the permissions of an ordinary new file.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rread-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Extends `path`, whose size is `before`; truncates it again after a failure.
fn append(source: File, path: &Path, before: u64) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true);
    // Links were resolved; one that came meanwhile is not followed.
    #[cfg(unix)]
    {
        let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).map_err(io::Error::other)?;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let mut file = options.open(path)?;
    // `path` may be a hard link to the capture, which then grows while it is read.
    let size = source.metadata()?.len();
    io::copy(&mut source.take(size), &mut file).inspect_err(|_| drop(file.set_len(before))).map(drop)
}

fn replace_or_append() -> Sentence {
    setting("force").then(" replaces it, ").then(setting("append")).then(" writes after its end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_in(stored: &[u8], size: usize) -> (String, Shown) {
        let mut writer = ShownWriter::new(Vec::new(), u64::MAX);
        stored.chunks(size).for_each(|chunk| writer.take(chunk).unwrap());
        writer.write_line().unwrap();
        assert!(writer.differs || writer.out == stored);
        assert_eq!(writer.shown.bytes, writer.out.len() as u64);
        (writer.out.escape_ascii().to_string(), writer.shown)
    }

    #[test]
    fn lines_are_shown_as_a_terminal_shows_them() {
        for (stored, shown) in [
            // ls, grep, tput sgr0, a link, a title.
            ("\x1B[0m\x1B[01;34mdir\x1B[0m\n", "dir\n"),
            ("\x1B[01;31m\x1B[Kmatch\x1B[m\x1B[K in a line\n", "match in a line\n"),
            ("bold\x1B(B\x1B[m\n", "bold\n"),
            ("\x1B]8;;http://a/\x1B\\text\x1B]8;;\x1B\\\n", "text\n"),
            ("\x1B]0;title\x07$ \n", "$ \n"),
            // Progress: git, cargo, a spinner, padding, a pty.
            ("Counting:  50%\rCounting: 100%, done.\n", "Counting: 100%, done.\n"),
            ("   Building [==> ] 1/9\r\x1B[K   Compiling x\n", "   Compiling x\n"),
            ("progress 50%\r\x1B[K\r\n", "\r\n"),
            ("\x1B[2K\x1B[1Gstep 1\x1B[2K\x1B[1Gstep 2\n", "step 2\n"),
            ("|\x08/\x08-\x08done\n", "done\n"),
            // A shorter text overwrites as much as it is long.
            ("progress 50%\rdone\n", "doneress 50%\n"),
            // Ends of lines.
            ("a\r\nb\r\r\nc", "a\r\nb\r\nc"),
            // man.
            ("N\x08NA\x08AM\x08ME\x08E _\x08f_\x08i_\x08l_\x08e _\x08é\n", "NAME file é\n"),
            // Sequences without an end end with the line.
            ("\x1B]0;no end\nnext \x1B[3\nlast \x1B", "\nnext \nlast "),
        ] {
            for size in [1, 3, 1000] {
                let expected = shown.as_bytes().escape_ascii().to_string();
                let (got, kept) = shown_in(stored.as_bytes(), size);
                assert_eq!((got, kept.unterminated), (expected, !shown.ends_with('\n')), "{size}");
            }
        }
    }

    #[test]
    fn a_progress_bar_of_any_length_takes_the_room_of_a_line() {
        let mut writer = ShownWriter::new(Vec::new(), 40);
        for step in 0..10_000 {
            writer.take(format!("step {step:05} of many\r").as_bytes()).unwrap();
            assert!(writer.line.len() <= 2 * MAX_LINE);
        }
        writer.write_line().unwrap();
        assert_eq!(writer.out, b"step 09999 of many\r");
        let text = "x".repeat(10 * MAX_LINE);
        assert_eq!(shown_in(text.as_bytes(), 7).0, text);
        let mut writer = ShownWriter::new(Vec::new(), 40);
        assert!(writer.take(text.as_bytes()).is_err(), "there is no room");
    }
}

#[cfg(test)]
mod save_tests {
    use super::*;

    #[test]
    fn a_capture_appended_to_itself_ends() {
        let dir = tempfile::tempdir().unwrap();
        let (output, link) = (dir.path().join("output"), dir.path().join("link"));
        fs::write(&output, "some lines\n".repeat(1000)).unwrap();
        fs::hard_link(&output, &link).unwrap();
        assert_eq!(save(&output, &link, Mode::Append, true).unwrap(), ("appended", None));
        assert_eq!(fs::read_to_string(&link).unwrap(), "some lines\n".repeat(2000));
    }

    /// Only root can make a link that belongs to another user.
    #[cfg(unix)]
    #[test]
    fn links_of_other_users_are_not_followed() {
        use std::os::unix::fs::{lchown, symlink};
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::write(path("output"), "text").unwrap();
        fs::create_dir(path("d")).unwrap();
        fs::write(path("d/mine"), "mine").unwrap();
        for (name, to) in [("theirs", "d/mine"), ("dir", "d"), ("broken", "nowhere"), ("own", "theirs")] {
            symlink(to, path(name)).unwrap();
            if name != "own" && lchown(path(name), Some(12345), Some(12345)).is_err() {
                // Only root can give a link away.
                return;
            }
        }
        for name in ["theirs", "dir/mine", "dir/new", "dir/new/deep", "broken", "own"] {
            for mode in [Mode::New, Mode::Replace, Mode::Append] {
                let error = save(&path("output"), &path(name), mode, true).unwrap_err();
                assert!(error.to_string().contains("belongs to another user"), "{name} {mode:?}: {error:?}");
            }
        }
        assert_eq!(fs::read_to_string(path("d/mine")).unwrap(), "mine");
        assert_eq!(fs::read_dir(path("d")).unwrap().count(), 1);
        lchown(path("theirs"), Some(0), Some(0)).unwrap();
        for link in ["theirs", "own"] {
            save(&path("output"), &path(link), Mode::Replace, true).unwrap();
        }
        assert_eq!(fs::read_to_string(path("d/mine")).unwrap(), "text");
    }

    #[cfg(unix)]
    #[test]
    fn a_broken_link_on_the_way_is_not_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let (output, link) = (dir.path().join("output"), dir.path().join("link"));
        fs::write(&output, "text").unwrap();
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let error = save(&output, &link.join("file"), Mode::New, true).unwrap_err();
        assert!(error.to_string().contains("is not a directory") && error.hint.is_none(), "{error:?}");
        assert!(!dir.path().join("nowhere").exists());
    }
}
