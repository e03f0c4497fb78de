//! The messages of the protocol, one on each line of standard input and output.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdin, Stdout};
use tokio::sync::{Mutex, Notify};

use crate::cmd::tools::table::unwrapped;

/// The longest message.
const LONGEST: usize = 16 << 20;

/// Methods of this server, whose parameters the protocol library must understand.
const METHODS: [&str; 4] = ["initialize", "ping", "tools/list", "tools/call"];

/// Requests that may come before the handshake.
const FIRST: [&str; 3] = ["initialize", "ping", "server/discover"];

/// The member of `_meta` with which newer clients do without a handshake.
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// The codes of JSON-RPC 2.0, section 5.1.
const NOT_JSON: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

type Writing = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

pub(super) struct Lines {
    input: BufReader<Stdin>,
    /// What has come of the next line.
    bytes: Vec<u8>,
    /// Whether the rest of a line that is too long is passed over.
    skips: bool,
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
            input: BufReader::new(tokio::io::stdin()),
            bytes: Vec::new(),
            skips: false,
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
            let block = self.input.fill_buf().await.unwrap_or_default();
            let end = memchr::memchr(b'\n', block).map(|at| at + 1);
            let (taken, is_last) = (end.unwrap_or(block.len()), block.is_empty());
            if !self.skips {
                self.bytes.extend_from_slice(&block[..taken]);
            }
            self.input.consume(taken);
            if is_last {
                self.ended.notify_one();
                return Some(std::mem::take(&mut self.bytes)).filter(|last| !last.is_empty());
            }
            let is_too_long = end.is_none() && self.bytes.len() > LONGEST;
            let was_skipped = end.is_some() && std::mem::take(&mut self.skips);
            if is_too_long || end.is_some() && !was_skipped {
                self.skips |= is_too_long;
                return Some(std::mem::take(&mut self.bytes));
            }
        }
    }

    /// The message in `line`, or nothing and an answer that refuses it.
    fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        let refusal = match parse(line, self.is_greeted) {
            Ok(Some(message)) => {
                // The handshake begins.
                self.is_greeted |= matches!(&message, JsonRpcMessage::Request(request)
                    if matches!(request.request, ClientRequest::InitializeRequest(_)));
                return Some(message);
            }
            Ok(None) => return None,
            Err(refusal) => refusal,
        };
        self.writing = Some(Box::pin(write(Arc::clone(&self.output), refusal.to_string().into_bytes())));
        None
    }
}

/// The message in `line`, or the answer that refuses it; `None` for an empty line and a notification that is wrong.
fn parse(line: &[u8], is_greeted: bool) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Value> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let refused = |id: Option<&Value>, code: i64, what: &str| {
        let id = id.filter(|id| id.is_string() || id.is_number());
        Err(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}}))
    };
    let Ok(mut message) = serde_json::from_slice::<Value>(line) else {
        return refused(None, NOT_JSON, "the line is not JSON");
    };
    if let Some(fields) = message.as_object_mut().filter(|fields| fields.get("params") == Some(&Value::Null))
    {
        fields.remove("params");
    }
    if let Some(arguments) = message.pointer_mut("/params/arguments")
        && let Some(plain) = unwrapped(arguments.clone())
    {
        *arguments = Value::Object(plain);
    }
    let (id, method) = (message.get("id").cloned(), message.get("method").and_then(Value::as_str));
    let method = method.unwrap_or_default().to_owned();
    let may_come = is_greeted || FIRST.contains(&&*method) || message.pointer(VERSION).is_some();
    let has_id = id.as_ref().is_some_and(|id| id.is_string() || id.is_i64());
    let is_request = has_id && METHODS.contains(&&*method) && message["jsonrpc"] == "2.0";
    let wrong_params = || refused(id.as_ref(), INVALID_PARAMS, &format!("the params of {method} are wrong"));
    // The library takes a list with a wrong cursor for one without.
    if is_request
        && message.pointer("/params/cursor").is_some_and(|cursor| !cursor.is_string() && !cursor.is_null())
    {
        return wrong_params();
    }
    match serde_json::from_value(message) {
        Err(_) if id.is_none() && !method.is_empty() => Ok(None),
        Err(_) if is_request => wrong_params(),
        Err(_) => refused(id.as_ref(), INVALID_REQUEST, "the line is not a message of JSON-RPC 2.0"),
        Ok(JsonRpcMessage::Request(_)) if !may_come => {
            refused(id.as_ref(), INVALID_REQUEST, "the first request must be initialize")
        }
        // The library takes a request with wrong parameters for one of another protocol.
        Ok(JsonRpcMessage::Request(request))
            if METHODS.contains(&&*method) && matches!(request.request, ClientRequest::CustomRequest(_)) =>
        {
            wrong_params()
        }
        Ok(message) => Ok(Some(message)),
    }
}

async fn write(output: Arc<Mutex<Stdout>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
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

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str, is_greeted: bool) -> Option<(i64, Value)> {
        match parse(line.as_bytes(), is_greeted) {
            Err(answer) => {
                assert!(answer["error"]["message"].as_str().is_some_and(|text| !text.is_empty()));
                assert_eq!(answer["jsonrpc"], "2.0");
                Some((answer["error"]["code"].as_i64().unwrap(), answer["id"].clone()))
            }
            _ => None,
        }
    }

    #[test]
    fn each_malformed_message_has_its_code_and_id() {
        let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call"{params}}}"#);
        let list = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":"a","method":"tools/list"{params}}}"#);
        for (line, code, id) in [
            ("nonsense".to_owned(), -32700, json!(null)),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":".to_owned(), -32700, json!(null)),
            ("{} {}".to_owned(), -32700, json!(null)),
            ("\u{0}".to_owned(), -32700, json!(null)),
            ("[]".to_owned(), -32600, json!(null)),
            ("5".to_owned(), -32600, json!(null)),
            ("null".to_owned(), -32600, json!(null)),
            ("{}".to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":5}"#.to_owned(), -32600, json!(5)),
            (r#"{"jsonrpc":"2.0","id":"x","method":5}"#.to_owned(), -32600, json!("x")),
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#.to_owned(), -32600, json!(5)),
            (r#"{"id":5,"method":"ping"}"#.to_owned(), -32600, json!(5)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_owned(), -32600, json!(1.5)),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#.to_owned(), -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","result":{}}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#.to_owned(), -32602, json!(1)),
            (call(""), -32602, json!(7)),
            (call(r#","params":null"#), -32602, json!(7)),
            (call(r#","params":{}"#), -32602, json!(7)),
            (call(r#","params":[1]"#), -32602, json!(7)),
            (call(r#","params":{"name":5}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","arguments":[]}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","arguments":"x"}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","_meta":5}"#), -32602, json!(7)),
            (list(r#","params":{"cursor":5}"#), -32602, json!("a")),
        ] {
            assert_eq!(answer(&line, true), Some((code, id)), "{line}");
        }
    }

    #[test]
    fn messages_that_the_server_takes_pass() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"path":"a"}}}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":null}}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":"{\"path\":\"a\"}"}}"#,
            "\u{feff} {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\",\"params\":{\"cursor\":null}}\r",
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#,
            r#"{"jsonrpc":"2.0","id":-1,"method":"resources/list"}"#,
        ] {
            assert!(matches!(parse(line.as_bytes(), true), Ok(Some(_))), "{line}");
        }
        for line in ["", " ", "\r", "\u{feff}"] {
            assert!(matches!(parse(line.as_bytes(), true), Ok(None)));
        }
    }

    #[test]
    fn the_handshake_comes_first() {
        let request = |method: &str, params: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
        };
        let hello =
            r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}"#;
        let meta = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#.to_owned();
        for (line, code) in [
            (request("tools/list", "{}"), Some(-32600)),
            (request("tools/list", &meta), None),
            (request("initialize", hello), None),
            (request("initialize", "{}"), Some(-32602)),
            (request("initialize", &hello.replace("\"version\"", "\"v\"")), Some(-32602)),
            (request("ping", "{}"), None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(), None),
        ] {
            assert_eq!(answer(&line, false).map(|(code, _)| code), code, "{line}");
        }
        assert_eq!(answer(&request("tools/list", "{}"), true), None);
    }
}
