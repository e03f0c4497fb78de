//! URLs: only if the server may read them.

use serde_json::json;
use tempfile::TempDir;

use super::client::Client;

#[test]
fn urls_need_permission() {
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for url in
        ["http://127.0.0.1:1/x", "s3://bucket/key", "https://user:secret@host/x", "az://a/b", "GS://a/b"]
    {
        let error = client.error("read", &json!({"path": url}));
        assert!(error.contains("without --allow-remote") && !error.contains("secret"), "{error}");
        let error = client.error("search", &json!({"pattern": "x", "path": url}));
        assert!(error.contains("without --allow-remote"), "{error}");
    }
    // A file of such a name is a file.
    std::fs::create_dir_all(dir.path().join("http:/127.0.0.1:1")).unwrap();
    std::fs::write(dir.path().join("http:/127.0.0.1:1/x"), "a file\n").unwrap();
    assert!(client.text("read", &json!({"path": "http://127.0.0.1:1/x"})).ends_with("a file\n"));
}

#[test]
#[cfg(not(feature = "cloud"))]
fn a_build_without_clients_for_servers_says_so() {
    use rread_testkit::home::AtHome;
    let dir = TempDir::new().unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("rread"));
    let output = command.args(["mcp", "--allow-remote"]).at_home(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("--features cloud,mcp")
    );
}

#[test]
#[cfg(feature = "cloud")]
fn permitted_urls_are_read_and_files_stay_confined() {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/log", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in server.incoming() {
            let mut connection = connection.unwrap();
            let request = BufReader::new(connection.try_clone().unwrap());
            request.lines().map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
            let body = "first\nsecond\n";
            let length = body.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\nETag: \"1\"\r\n\r\n"
            );
            let _ = connection.write_all(format!("{head}{body}").as_bytes());
        }
    });
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &["--allow-remote"]);
    let text = client.text("read", &json!({"path": url, "lines": 2}));
    assert!(text.starts_with(&format!("{url} | lines 2-2")) && text.ends_with("second\n"), "{text}");
    client.error("read", &json!({"path": "/etc/passwd"}));
    client.error("read", &json!({"path": "../x"}));
}

/// A server of pages that answers every request alike, and the requests that it got.
#[cfg(feature = "cloud")]
fn pages(
    status: &'static str,
    body: &'static str,
) -> (String, std::sync::Arc<std::sync::Mutex<Vec<String>>>) {
    use std::io::{BufRead, BufReader, Write};
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = server.local_addr().unwrap().to_string();
    let requests = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let got = std::sync::Arc::clone(&requests);
    std::thread::spawn(move || {
        for connection in server.incoming() {
            let mut connection = connection.unwrap();
            let request = BufReader::new(connection.try_clone().unwrap());
            let lines = request.lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            got.lock().unwrap().push(lines.collect::<Vec<_>>().join("\n"));
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\nETag: \"1\"\r\n\r\n"
            );
            let _ = connection.write_all(format!("{head}{body}").as_bytes());
        }
    });
    (host, requests)
}

/// The calls of every tool that takes a URL, in the forms that models send.
#[cfg(feature = "cloud")]
fn calls(url: &str) -> Vec<(&'static str, serde_json::Value)> {
    vec![
        ("read", json!({"path": url})),
        ("read", json!({"path": url, "lines": "1:1", "max_bytes": 300})),
        ("read", json!({"paths": [url, url]})),
        ("read", json!({"paths": format!("[\"{url}\"]")})),
        ("read", json!({"path": url, "lines": "900000"})),
        ("read", json!({"path": url, "encode": "none"})),
        ("read", json!({"path": format!("zip:{url}")})),
        ("read", json!({"path": format!(" {url} ")})),
        ("read", json!({"file_path": url})),
        ("search", json!({"pattern": "g", "path": url})),
        ("search", json!({"pattern": "(", "path": url})),
        ("search", json!({"pattern": "g", "paths": [url], "max_bytes": 600})),
        ("search", json!({"pattern": "g", "path": url, "after": url})),
        ("stat", json!({"path": url})),
        ("stat", json!({"paths": [url]})),
        ("verify", json!({"path": url, "anchors": ["1#aaaaaa"]})),
        ("verify", json!({"path": url, "anchors": ["x"]})),
        ("image", json!({"path": url})),
        ("follow", json!({"path": url, "pattern": "g"})),
        #[cfg(feature = "sql")]
        ("select", json!({"path": url, "sql": "SELECT * FROM t"})),
        #[cfg(feature = "sql")]
        ("select", json!({"path": url, "sql": "SELECT nothing FROM t", "max_bytes": 100})),
    ]
}

#[test]
#[cfg(feature = "cloud")]
fn secrets_of_urls_are_in_no_answer() {
    let body: &str = Box::leak("g,h\n1,2\n".repeat(2000).into_boxed_str());
    for status in ["200 OK", "404 Not Found", "403 Forbidden", "500 Broken"] {
        let (host, _) = pages(status, body);
        let dir = TempDir::new().unwrap();
        let mut client = Client::start(dir.path(), &["--allow-remote"]);
        for path in ["x.csv", "a%20b.csv", "d/"] {
            let url = format!("http://user:WORD@{host}/{path}?X-Amz-Signature=SIGN&v=1&access_token=TOKEN");
            for (tool, arguments) in calls(&url) {
                let answer = client.call(tool, &arguments).to_string();
                for secret in ["WORD", "SIGN", "TOKEN"] {
                    assert!(!answer.contains(secret), "{status} {tool} {arguments}: {answer}");
                }
            }
            if status != "200 OK" {
                break;
            }
        }
    }
}

#[test]
#[cfg(feature = "cloud")]
fn next_of_a_url_with_secrets_goes_on() {
    let body: &str = Box::leak("a line\n".repeat(2000).into_boxed_str());
    let (host, requests) = pages("200 OK", body);
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &["--allow-remote"]);
    let url = format!("http://user:word@{host}/x?token=abc");
    let text = client.text("read", &json!({"path": url, "max_bytes": 1000}));
    let (_, next) = text.lines().next().unwrap().split_once("next: ").unwrap();
    let next: serde_json::Value = serde_json::from_str(next).unwrap();
    assert_eq!(next["path"], format!("http://***@{host}/x?token=***"));
    requests.lock().unwrap().clear();
    let text = client.text("read", &next);
    assert!(text.contains("a line"), "{text}");
    let request = requests.lock().unwrap()[0].clone();
    assert!(
        request.contains("/x?token=abc") && request.to_lowercase().contains("basic dxnlcjp3b3jk"),
        "{request}"
    );
    // Two that look alike, and one that the server does not know.
    let other = url.replace("abc", "def");
    let error = client.error("read", &json!({"paths": [url, other]}));
    assert!(error.contains("differ only in their secrets"), "{error}");
    let error = client.error("read", &json!({"path": format!("http://***@{host}/y")}));
    assert!(error.contains("write the URL with its secret"), "{error}");
}
