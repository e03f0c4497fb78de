//! A server whose responses a test computes, and the program in an environment of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::cloud::http::Head;
use crate::cloud::servers::Target;

/// A response: status, headers and body.
pub type Answer = (u16, Vec<(&'static str, String)>, String);

/// The content of every object.
pub const TEXT: &str = "one\ntwo\nthree\n";

/// A server on its own port, which records its requests.
pub struct Server {
    pub port: u16,
    seen: Arc<Mutex<Vec<Head>>>,
}

impl Server {
    pub fn answering(answer: impl Fn(&Head) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server { port: listener.local_addr().unwrap().port(), seen: Arc::default() };
        let (seen, answer) = (Arc::clone(&server.seen), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                thread::spawn(move || serve(&stream, &seen, &*answer));
            }
        });
        server
    }

    /// A server that has every object.
    pub fn of_objects() -> Self {
        Server::answering(object)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// All requests since the last call.
    pub fn take(&self) -> Vec<Head> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

fn serve(stream: &TcpStream, seen: &Mutex<Vec<Head>>, answer: &dyn Fn(&Head) -> Answer) {
    let mut from = BufReader::new(stream);
    while let Ok(Some(head)) = Head::read(&mut from) {
        let length = head.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        _ = std::io::copy(&mut (&mut from).take(length), &mut std::io::sink());
        seen.lock().unwrap().push(head.clone());
        let (status, headers, body) = answer(&head);
        let mut text = format!("HTTP/1.1 {status} Text\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let body = if head.word(0) == "HEAD" { "" } else { &body };
        if (&mut { stream }).write_all(format!("{text}\r\n{body}").as_bytes()).is_err() {
            return;
        }
    }
}

/// The requested range of [`TEXT`].
pub fn object(_: &Head) -> Answer {
    let range = format!("bytes 0-{}/{}", TEXT.len() - 1, TEXT.len());
    let headers = vec![
        ("Content-Range", range),
        ("ETag", "\"v1\"".to_owned()),
        ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT".to_owned()),
    ];
    (206, headers, TEXT.to_owned())
}

pub fn refused(status: u16, code: &str) -> Answer {
    (status, Vec::new(), format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>"))
}

/// The program with its own home, which has no credentials unless a test adds some.
#[derive(Clone)]
pub struct User {
    home: Arc<TempDir>,
    variables: BTreeMap<String, String>,
}

impl User {
    pub fn new() -> Self {
        let home = Arc::new(tempfile::tempdir().unwrap());
        let user = User { variables: BTreeMap::new(), home };
        let (home, cache) = (user.home.path().to_owned(), user.cache());
        // Tests never request credentials from outside this machine.
        user.with("HOME", home.to_str().unwrap())
            .with("RREAD_CACHE_DIR", cache.to_str().unwrap())
            .with("RREAD_INDEX_MIN", "1")
            .with("AWS_EC2_METADATA_DISABLED", "true")
            .with("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")
            .with("NO_GCE_CHECK", "true")
            .with("GCE_METADATA_HOST", "127.0.0.1:1")
            .with("GCE_METADATA_IP", "127.0.0.1:1")
            .with("AZURE_MSI_ENDPOINT", "http://127.0.0.1:1/")
    }

    /// A user whose S3 is at `server`.
    pub fn of_s3(server: &Server) -> Self {
        User::new().with("AWS_ENDPOINT_URL", &server.url())
    }

    /// The same user with another variable; an empty one counts as unset.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut user = self.clone();
        user.variables.insert(name.to_owned(), value.to_owned());
        user
    }

    pub fn with_keys(&self) -> Self {
        self.with("AWS_ACCESS_KEY_ID", "AKIAENV").with("AWS_SECRET_ACCESS_KEY", "secret")
    }

    pub fn at(&self, target: &Target) -> Self {
        target.env.iter().fold(self.clone(), |user, (name, value)| user.with(name, value))
    }

    /// Writes a file in the home of this user, which derived users share.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn cache(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.env_clear().envs(&self.variables).current_dir(self.home.path());
        command.args(args).timeout(Duration::from_secs(60)).output().unwrap()
    }

    /// The raw lines of an object.
    pub fn reads(&self, url: &str) -> String {
        let output = self.run(&["lines", url, "--raw", "--retries", "0"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The exit code, the kind of error, and message and hint.
    pub fn fails(&self, url: &str) -> (i32, String, String) {
        let output = self.run(&["lines", url, "--json", "--retries", "0"]);
        let error: serde_json::Value = serde_json::from_slice(&output.stderr)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let word = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        (output.status.code().unwrap(), word("kind"), format!("{} | {}", word("error"), word("hint")))
    }
}
