//! An object whose server knows no ranges: read as it comes, like a pipe, and kept as far as it was read.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use reqwest::Response;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::fetch::Pace;
use super::refusal;
use super::transport::{Transport, runtime};
use crate::error::{Error, Result};
use crate::source::object::{Object, Traffic};
use crate::source::spool::Spool;
use crate::source::version::Version;
use crate::source::{Source, SourceInfo};

/// Pieces of the body that may wait to be read; the rest waits at the server.
const WAITING: usize = 4;

/// Bytes after which a body that said nothing of its length is taken for one without an end.
const ENDLESS: u64 = 4 << 30;

/// An object that can be fetched only from front to back.
pub(super) struct Streamed {
    spool: Spool,
    object: Object,
    length: Option<u64>,
    transport: Arc<Transport>,
}

impl Streamed {
    /// The object in the body of `response`, which is `length` bytes long as far as that was said.
    pub(super) fn new(
        response: Response,
        length: Option<u64>,
        object: Object,
        transport: Arc<Transport>,
    ) -> Result<Self> {
        let (sender, pieces) = channel(WAITING);
        let most = length.unwrap_or(ENDLESS);
        runtime()?.spawn(forward(response, sender, Arc::clone(&transport), most));
        let body = Body { pieces, piece: Bytes::new() };
        Ok(Streamed { spool: Spool::new(Box::new(body)), object, length, transport })
    }
}

/// Passes a body on, piece by piece, as it is read.
async fn forward(
    mut response: Response,
    sender: Sender<Result<Bytes>>,
    transport: Arc<Transport>,
    most: u64,
) {
    let mut at: u64 = 0;
    let mut pace = Pace::new(transport.patience);
    loop {
        let piece = match tokio::time::timeout(pace.left(), response.chunk()).await {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(_))) if at >= most => Err(refusal::endless(at)),
            Ok(Ok(Some(piece))) => Ok(piece),
            Ok(Err(cause)) if !cause.is_timeout() => Err(refusal::cut(&refusal::of_client(&cause), at)),
            Ok(Err(_)) | Err(_) => Err(refusal::stalled(&pace.complaint(), at)),
        };
        if let Ok(piece) = &piece {
            transport.note_bytes(piece.len());
            at += piece.len() as u64;
            pace.note(piece.len());
        }
        let over = piece.is_err();
        let since = Instant::now();
        if sender.send(piece).await.is_err() || over {
            return;
        }
        // Waiting for whoever reads is none of the server's time.
        pace.excuse(since.elapsed());
    }
}

/// The body as a stream.
struct Body {
    pieces: Receiver<Result<Bytes>>,
    piece: Bytes,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                None => return Ok(0),
                Some(piece) => self.piece = piece.map_err(Error::into_io)?,
            }
        }
        let taken = self.piece.split_to(self.piece.len().min(buffer.len()));
        buffer[..taken.len()].copy_from_slice(&taken);
        Ok(taken.len())
    }
}

impl Source for Streamed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.spool.read_at(buffer, offset)?;
        match self.length {
            // Where the end was closed on us without a word.
            Some(length) if got == 0 && offset < length && !buffer.is_empty() => {
                let cause = format!("{length} bytes were announced");
                Err(refusal::cut(&cause, offset).into_io())
            }
            _ => Ok(got),
        }
    }

    fn size(&self) -> Option<u64> {
        self.length.or_else(|| self.spool.size())
    }

    fn info(&self) -> SourceInfo<'_> {
        let (requests, bytes_fetched) = self.transport.counts();
        // The spool keeps everything.
        let traffic = Some(Traffic { requests, bytes_fetched, held: u64::MAX });
        SourceInfo { object: Some(&self.object), traffic, is_sequential: true, ..SourceInfo::default() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.object.version())
    }
}
