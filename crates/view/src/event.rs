//! What wakes the loop of the viewer.

use std::sync::Arc;

use crossterm::event::Event as Input;

use super::syntax::Colored;
use super::viewed_file::ViewedFile;
use super::worker::{Report, Role};
use rread_source::Change;
use rread_text::error::Result;

pub(crate) enum Event {
    /// Keys and sizes; the thread that reads them waits until they have been handled.
    Input(Vec<Input>),
    /// The terminal has gone.
    NoTerminal,
    /// Somebody stops the process.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only signals of Unix stop a process"))]
    Stopped,
    /// The process goes on after it was stopped.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only signals of Unix stop a process"))]
    Continued,
    Opened(Result<Arc<ViewedFile>>),
    Report {
        role: Role,
        number: u64,
        result: Result<Report>,
    },
    /// More of a stream has come, or its end.
    Grew(Result<()>),
    Changed(Change),
    /// The syntax colors of lines.
    Colored(Colored),
}
