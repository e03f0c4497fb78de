//! An object on a server without ranges, read as a stream and kept as far as it was read.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use reqwest::Response;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::fetch::StallTimer;
use super::network_errors;
use super::transport::{Transport, runtime};
use crate::object::Object;
use crate::spool::Spool;
use crate::version::Version;
use crate::{Source, SourceInfo};
use rread_text::error::{Error, Result};

/// Chunks of the body that wait in memory; the server waits with the rest.
const WAITING: usize = 4;

const MAX_UNANNOUNCED: u64 = 4 << 30;

pub(super) struct StreamedObject {
    spool: Spool,
    object: Object,
    length: Option<u64>,
    transport: Arc<Transport>,
}

impl StreamedObject {
    /// Opens the object in the body of `response`, which announces `length`.
    pub(super) fn open(
        response: Response,
        length: Option<u64>,
        object: Object,
        transport: &Arc<Transport>,
    ) -> Result<Box<dyn Source>> {
        let (sender, chunks) = channel(WAITING);
        let most = length.unwrap_or(MAX_UNANNOUNCED);
        runtime()?.spawn(forward(response, sender, Arc::clone(transport), most));
        let spool = Spool::new(Box::new(BodyReader { chunks, chunk: Bytes::new() }));
        Ok(Box::new(StreamedObject { spool, object, length, transport: Arc::clone(transport) }))
    }
}

async fn forward(
    mut response: Response,
    sender: Sender<Result<Bytes>>,
    transport: Arc<Transport>,
    most: u64,
) {
    let mut at: u64 = 0;
    let mut timer = StallTimer::new(transport.timeout);
    loop {
        let chunk = match timer.chunk(&mut response, &transport, at).await {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(_))) if at >= most => Err(network_errors::endless(at)),
            Ok(Ok(Some(chunk))) => {
                at += chunk.len() as u64;
                Ok(chunk)
            }
            Ok(Err(cause)) => Err(network_errors::cut(&cause, at)),
            Err(stalled) => Err(stalled),
        };
        let is_over = chunk.is_err();
        let since = Instant::now();
        if sender.send(chunk).await.is_err() || is_over {
            return;
        }
        timer.exclude(since.elapsed());
    }
}

struct BodyReader {
    chunks: Receiver<Result<Bytes>>,
    chunk: Bytes,
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.chunks.blocking_recv() {
                None => return Ok(0),
                Some(chunk) => self.chunk = chunk.map_err(Error::into_io)?,
            }
        }
        let taken = self.chunk.split_to(self.chunk.len().min(buffer.len()));
        buffer[..taken.len()].copy_from_slice(&taken);
        Ok(taken.len())
    }
}

impl Source for StreamedObject {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.spool.read_at(buffer, offset)?;
        match self.length {
            // The connection ended early, without an error.
            Some(length) if got == 0 && offset < length && !buffer.is_empty() => {
                let cause = format!("the server announced {length} bytes");
                Err(network_errors::cut(&cause, offset).into_io())
            }
            _ => Ok(got),
        }
    }

    fn size(&self) -> Option<u64> {
        self.length.or_else(|| self.spool.size())
    }

    fn info(&self) -> SourceInfo<'_> {
        // The spool keeps everything.
        self.transport.info(&self.object, u64::MAX)
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.object.version())
    }
}
