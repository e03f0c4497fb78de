//! The process that decodes one document, seen from its parent: started, read, and always ended and reaped; and what it
//! sends.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child as Process, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::decoder_main::Job;
use crate::lock;
use rread_documents::protocol::{Frame, Notice};
use rread_documents::sheets::Workbook;

/// Frames that wait to be read; the pipe holds more.
const AHEAD: usize = 4;

/// How long to wait until a killed process has ended: it may hang in a read of a file on a network.
const REAPED: Duration = Duration::from_secs(1);

/// Variables that a program may need to start. A decoder gets no others: some hold secrets.
const ENVIRONMENT: [&str; 3] = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"];

pub(super) struct Child {
    process: Arc<Mutex<Process>>,
    messages: Receiver<Message>,
}

pub(super) enum Message {
    Frame(Frame),
    /// The process has ended, perhaps without a last frame.
    Ended(ExitStatus),
    Failed(io::Error),
}

impl Child {
    /// Starts a decoder of `file`.
    ///
    /// One thread starts, reads and reaps it: Linux ends the process together with the thread that started it.
    pub(super) fn start(job: &Job, file: File) -> io::Result<Self> {
        let mut command = command(job)?;
        let (started, is_started) = sync_channel(0);
        let (sender, messages) = sync_channel(AHEAD);
        let keep = move || {
            let spawned = command.stdin(file).spawn().map(|mut process| {
                let stdout = process.stdout.take();
                (Arc::new(Mutex::new(process)), stdout)
            });
            // The command holds the file.
            drop(command);
            let (process, stdout) = match spawned {
                Ok((process, Some(stdout))) => (process, stdout),
                Ok((_, None)) => return,
                Err(error) => return drop(started.send(Err(error))),
            };
            let _ = started.send(Ok(Arc::clone(&process)));
            forward(stdout, &sender);
            let _ = sender.send(match end(&process) {
                Ok(status) => Message::Ended(status),
                Err(error) => Message::Failed(error),
            });
        };
        thread::Builder::new().name("decoder".to_owned()).spawn(keep)?;
        let process = is_started.recv().map_err(io::Error::other)??;
        Ok(Child { process, messages })
    }

    /// The next message; `None` if none came within `time`.
    pub(super) fn next(&self, time: Duration) -> Option<Message> {
        match self.messages.recv_timeout(time) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Message::Failed(io::ErrorKind::UnexpectedEof.into())),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = lock(&self.process).kill();
        // The thread reaps it. A program that ends before that leaves a zombie where nobody adopts processes.
        while let Ok(Message::Frame(_) | Message::Failed(_)) = self.messages.recv_timeout(REAPED) {}
    }
}

fn command(job: &Job) -> io::Result<Command> {
    let mut command = Command::new(program()?);
    command.args(job.words()).stdout(Stdio::piped()).stderr(Stdio::null()).env_clear();
    for name in ENVIRONMENT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // The allocator of some builds reserves more address space at once than the limit allows.
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    Ok(command)
}

/// This program, also after its file was replaced.
fn program() -> io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() { Ok(own) } else { std::env::current_exe() }
}

/// Sends every frame, until the last one or until nobody reads them.
fn forward(stdout: ChildStdout, sender: &SyncSender<Message>) {
    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
    loop {
        let message = match Frame::read(&mut stdout) {
            Ok(Some(frame)) => Message::Frame(frame),
            // The exit status says more.
            Ok(None) => return,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return,
            Err(error) => Message::Failed(error),
        };
        let is_last = !matches!(&message, Message::Frame(frame) if !matches!(frame, Frame::End(_)));
        if sender.send(message).is_err() || is_last {
            return;
        }
    }
}

/// Ends the process, if it has not ended by itself, and reaps it.
fn end(process: &Mutex<Process>) -> io::Result<ExitStatus> {
    let mut process = lock(process);
    process.kill()?;
    process.wait()
}

/// Facts that a decoder has sent.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// How many the document has, from the decoder's first message on.
    pub(super) count: Option<u64>,
    /// Bytes of text so far.
    pub(super) text: u64,
    /// The end of the text of each page.
    pub(super) ends: Vec<u64>,
    /// Number of pages with images and no text.
    pub(super) pictures: u64,
    /// The pages, from 0, that the file has not, or not as a whole.
    pub(super) lost: Vec<usize>,
    /// The damage after the text, as a part of a sentence.
    pub(super) damage: Option<String>,
    /// Parts that the document may have and the text does not, each with its name.
    pub(super) notices: Vec<(Notice, String)>,
    /// The sheets of a workbook, if only one is decoded.
    pub(super) workbook: Workbook,
}

/// The most notices that are kept.
const MAX_NOTICES: usize = 20;

impl Pages {
    /// The text of the pages that the file has not, or not as a whole.
    pub(super) fn lost_spans(&self) -> impl Iterator<Item = Range<u64>> {
        let start =
            |page: usize| page.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        self.lost.iter().filter_map(move |page| Some(start(*page)?..*self.ends.get(*page)?))
    }

    pub(super) fn note(&mut self, notice: Notice, part: String) {
        let noted = (notice, part);
        match notice {
            Notice::Lost => self.lost.push(self.ends.len()),
            Notice::Damaged => self.damage = Some(noted.1),
            _ if self.notices.len() < MAX_NOTICES && !self.notices.contains(&noted) => {
                self.notices.push(noted);
            }
            _ => {}
        }
    }
}
