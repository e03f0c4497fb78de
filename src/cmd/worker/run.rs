//! Starts a worker, which opens files only below its roots.

use std::io::Write;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::WorkerArgs;
use crate::args::input::bytes_of;
use crate::args::token::{made_token, token_of};
use crate::roots::of_worker::WorkerRoots;
use rread_answer::Format;
use rread_cluster::{ClusterAccess, OpenedBy, Opening, ReadSettings, WorkerOptions, check_identity, serve};
use rread_documents::sheets::Sheet;
use rread_reader::Reader;
use rread_source::access::{Access, Session, Watch};
use rread_source::limits;
use rread_text::{Choice, Error, Kind, Result, Sentence, quoted, setting};

/// The version that both sides have.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

impl WorkerArgs {
    pub(crate) fn run(self) -> Result<()> {
        let given = self.token_file.as_deref().map(token_of).transpose()?;
        let listener = self.listener(given.is_some())?;
        let (token, made) = match given {
            Some(token) => (token, None),
            None => made_token().map(|(token, path)| (token, Some(path)))?,
        };
        let opening = opening_below(&self.root)?;
        let bytes = |path: &Option<PathBuf>| path.as_deref().map(bytes_of).transpose();
        let identity = bytes(&self.tls_cert)?.zip(bytes(&self.tls_key)?);
        identity.as_ref().map(check_identity).transpose()?;
        let ca = bytes(&self.tls_ca)?.or_else(|| Some(identity.as_ref()?.0.clone()));
        let access = ClusterAccess { token: Some(token), version: VERSION.to_owned(), ca };
        let failed = |cause: std::io::Error| Error::read("cannot listen", &cause);
        let address = listener.local_addr().map_err(failed)?;
        let does = if self.check { "can listen" } else { "listens" };
        let mut out = std::io::stdout();
        let token = made.map_or(String::new(), |path| format!("the token is in {}\n", quoted(&path)));
        let said = write!(out, "rread worker {does} on {address}\n{token}").and_then(|()| out.flush());
        // A reader of the address may be gone, at a new start above all.
        match said.map_err(|cause| Error::write(&cause)) {
            Err(error) if error.kind != Kind::BrokenPipe => return Err(error),
            _ => {}
        }
        if self.check {
            return Ok(());
        }
        limits::watch_memory(self.memory, || {
            let message =
                Sentence::from("the queries need more memory than four times ").then(setting("memory"));
            let hint = "start the worker with more, or use more workers";
            crate::standard::end_with(&Error::new(Kind::Io, message).hint(hint), Format::default());
        });
        serve(
            listener,
            WorkerOptions {
                access: Arc::new(access),
                identity,
                memory: usize::try_from(self.memory).unwrap_or(usize::MAX),
                timeout: self.timeout,
                opening,
            },
        )
    }

    fn listener(&self, has_token: bool) -> Result<TcpListener> {
        let invalid = |cause: std::io::Error| {
            let message = format!("'{}' is not an address to listen on: {cause}", self.listen);
            Error::usage(message).hint(setting("listen").then(" 127.0.0.1:7180"))
        };
        let addresses: Vec<_> = self.listen.to_socket_addrs().map_err(invalid)?.collect();
        if !has_token && addresses.iter().any(|address| !address.ip().is_loopback()) {
            let message = "other machines could read with the credentials of this worker: it needs a token";
            return Err(Error::usage(message).hint(
                setting("token-file").then(" FILE, or ").then(setting("listen")).then(" 127.0.0.1:7180"),
            ));
        }
        TcpListener::bind(&addresses[..]).map_err(|cause| {
            Error::new(
                Kind::Io,
                format!("cannot listen on {}: {}", self.listen, rread_text::error::reason(&cause)),
            )
        })
    }
}

/// How a worker opens the files of its clients: with their options, and only below `roots`.
///
/// # Errors
///
/// A root cannot be opened.
pub fn opening_below(roots: &[PathBuf]) -> Result<Arc<Opening>> {
    let roots = Arc::new(WorkerRoots::open(roots)?);
    Ok(Arc::new(move |options: &ReadSettings| opened_by(options.clone(), &roots)))
}

/// Opens the files of one read of a table with the options of a client.
fn opened_by(options: ReadSettings, roots: &Arc<WorkerRoots>) -> Result<OpenedBy> {
    let ReadSettings { encoding, salvage, no_decompress, anonymous, sheet } = options;
    let choice: Choice = encoding.as_deref().map(str::parse).transpose()?.unwrap_or(Choice::Auto);
    let session = Session::default();
    let access = Access {
        raw: no_decompress,
        salvage,
        anonymous,
        sheet: Some(sheet.map_or(Sheet::First, Sheet::Named)),
        session: Some(session.clone()),
        opener: Some(Arc::clone(roots) as _),
        ..Access::default()
    };
    let open = move |path: &Path, watch: Option<Arc<dyn Watch>>| {
        let access = Access { watch, ..access.clone() };
        let mut reader = Reader::open_as(path, &access).map_err(|error| error.at(path))?;
        if choice != Choice::Auto {
            reader.read_as(choice, path)?;
        }
        Ok(reader)
    };
    Ok(OpenedBy { open: Arc::new(open), traffic: Arc::new(move || session.traffic()) })
}
