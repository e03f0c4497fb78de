//! A client that writes and reads the lines of the protocol itself.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use rread_testkit::home::AtHome;
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Client {
    pub child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
    last: u64,
    /// Notifications that came before an answer.
    pub notes: Vec<Value>,
    _home: TempDir,
}

impl Client {
    /// Starts the server in `dir`, and shakes hands.
    pub fn start(dir: &Path, args: &[&str]) -> Client {
        let home = TempDir::new().unwrap();
        let mut command = Command::new(cargo_bin("rread"));
        command.arg("mcp").args(args).current_dir(dir).at_home(home.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut client = Client { child, input, lines, last: 0, notes: Vec::new(), _home: home };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = client.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "rread", "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next message. Everything that the server writes is one.
    pub fn receive(&mut self) -> Value {
        // A server that hangs is a failure, not a test that hangs.
        let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("an answer within a minute");
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request without waiting; returns its number.
    pub fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// The result of a call of `tool`.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    pub fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    /// The text of a call that succeeds.
    pub fn text(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{arguments}: {result}");
        text_of(&result)
    }

    /// The text of a call that fails.
    pub fn error(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{arguments}: {result}");
        text_of(&result)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

pub fn text_of(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// The first line of `text`, and the rest.
pub fn parted(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// The arguments after `next: ` in a line of facts.
pub fn next_of(facts: &str) -> Option<Value> {
    let (_, next) = facts.split_once(" | next: ")?;
    Some(serde_json::from_str(next).unwrap())
}
