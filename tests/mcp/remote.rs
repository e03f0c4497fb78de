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
