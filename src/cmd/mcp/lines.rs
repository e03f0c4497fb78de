//! The messages of the protocol, one on each line of standard input and output.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, Stdin, Stdout};
use tokio::sync::{Mutex, Notify};

use super::message::{INVALID_PARAMS, Incoming, id_of, incoming, refused};

/// The longest message.
const LONGEST: usize = 16 << 20;

/// Methods of this server, whose parameters the protocol library must understand.
const METHODS: [&str; 3] = ["initialize", "tools/list", "tools/call"];

type Writing = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

pub(super) struct Lines {
    input: Stdin,
    /// What has come of the next lines.
    bytes: Vec<u8>,
    /// The bytes that hold no newline.
    searched: usize,
    /// Whether the rest of a line that is too long is passed over.
    skips: bool,
    has_ended: bool,
    /// Notified at the end of input, while calls may still run.
    ended: Arc<Notify>,
    output: Arc<Mutex<Stdout>>,
    /// An answer under way: who waits for a message may stop waiting at any time.
    writing: Option<Writing>,
    is_greeted: bool,
}

impl Lines {
    pub(super) fn new() -> (Self, Arc<Notify>) {
        let ended = Arc::new(Notify::new());
        let lines = Lines {
            input: tokio::io::stdin(),
            bytes: Vec::new(),
            searched: 0,
            skips: false,
            has_ended: false,
            ended: Arc::clone(&ended),
            output: Arc::new(Mutex::new(tokio::io::stdout())),
            writing: None,
            is_greeted: false,
        };
        (lines, ended)
    }

    /// The next line; `None` at the end. Of a line that is too long, only its beginning comes, which is not JSON.
    async fn line(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.bytes[self.searched..]) {
                let rest = self.bytes.split_off(self.searched + at + 1);
                let line = std::mem::replace(&mut self.bytes, rest);
                self.searched = 0;
                if std::mem::take(&mut self.skips) {
                    continue;
                }
                return Some(line);
            }
            if self.has_ended {
                let last = std::mem::take(&mut self.bytes);
                return (!last.is_empty() && !self.skips).then_some(last);
            }
            self.searched = self.bytes.len();
            if self.searched > LONGEST {
                let start = std::mem::take(&mut self.bytes);
                self.searched = 0;
                if !std::mem::replace(&mut self.skips, true) {
                    return Some(start);
                }
            }
            self.read().await;
        }
    }

    async fn read(&mut self) {
        let mut block = [0; 16 << 10];
        let input = &mut self.input;
        let got = poll_fn(|context| {
            let mut buffer = ReadBuf::new(&mut block);
            let polled = Pin::new(&mut *input).poll_read(context, &mut buffer);
            polled.map(|read| read.map(|()| buffer.filled().len()))
        });
        match got.await {
            Ok(0) | Err(_) => {
                self.has_ended = true;
                self.ended.notify_one();
            }
            Ok(got) => self.bytes.extend_from_slice(&block[..got]),
        }
    }

    /// The message in `line`, or nothing and an answer that refuses it.
    fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        let refusal = match incoming(line, self.is_greeted) {
            Incoming::Message(message) => match parsed(message) {
                Ok(message) => {
                    self.is_greeted |= begins(&message);
                    return Some(message);
                }
                Err(refusal) => refusal?,
            },
            Incoming::Refused(refusal) => refusal,
            Incoming::Empty => return None,
        };
        self.writing = Some(Box::pin(write(Arc::clone(&self.output), refusal.to_string().into_bytes())));
        None
    }
}

/// Whether the handshake begins with `message`.
fn begins(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    matches!(message, JsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::InitializeRequest(_)))
}

/// `message` as the protocol library has it, or the answer that refuses it; a notification has none.
fn parsed(message: Value) -> Result<RxJsonRpcMessage<RoleServer>, Option<Value>> {
    let id = message.as_object().map(id_of).unwrap_or_default();
    let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
    let is_request = !id.is_null() && method.is_some();
    let is_custom = |message: &RxJsonRpcMessage<RoleServer>| {
        matches!(message, JsonRpcMessage::Request(request)
            if matches!(request.request, ClientRequest::CustomRequest(_)))
    };
    let is_ours = method.as_deref().is_some_and(|method| METHODS.contains(&method));
    match serde_json::from_value(message) {
        Ok(message) if !(is_ours && is_custom(&message)) => Ok(message),
        _ if !is_request => Err(None),
        _ => {
            let what = format!("the params of {} are wrong", method.unwrap_or_default());
            match refused(&id, INVALID_PARAMS, &what) {
                Incoming::Refused(refusal) => Err(Some(refusal)),
                _ => Err(None),
            }
        }
    }
}

async fn write(output: Arc<Mutex<Stdout>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    let mut at = 0;
    while at < line.len() {
        at += poll_fn(|context| Pin::new(&mut *output).poll_write(context, &line[at..])).await?;
    }
    poll_fn(|context| Pin::new(&mut *output).poll_flush(context)).await
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(output, serde_json::to_vec(&item)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(writing) = &mut self.writing {
                let written = writing.as_mut().await;
                self.writing = None;
                if written.is_err() {
                    return None;
                }
            }
            let line = self.line().await?;
            if let Some(message) = self.message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
