//! SQLite databases below the roots: read as documents, also what is only in their logs.

use std::fs;
use std::os::unix::fs::symlink;

use rread_source::rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use super::client::Client;

#[test]
fn a_database_is_read_through_its_root() {
    let dir = TempDir::new().unwrap();
    let root = dir.path().join("root");
    fs::create_dir(&root).unwrap();
    let connection = Connection::open(root.join("app.db")).unwrap();
    let make = "PRAGMA journal_mode = WAL; CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'canary');
        CREATE TABLE u(c); INSERT INTO u VALUES('other')";
    connection.execute_batch(make).unwrap();
    let outside = Connection::open(dir.path().join("secret.db")).unwrap();
    outside.execute_batch("CREATE TABLE t(a); INSERT INTO t VALUES('canary SECRET')").unwrap();
    symlink("../secret.db", root.join("link.db")).unwrap();
    let mut client = Client::start(&root, &[]);
    let text = client.text("read", &json!({"path": "app.db", "page": 1}));
    assert!(text.ends_with("# t\na,b\n1,canary\n\n") && text.starts_with("app.db | page 1 of 2"), "{text}");
    let found = client.call("search", &json!({"pattern": "canary"}))["structuredContent"].clone();
    assert_eq!(found["files"][0]["lines"], "3:1,canary\n", "{found}");
    assert!(!found.to_string().contains("SECRET"), "{found}");
    // The table of the row, and its header.
    let file = &found["files"][0];
    assert_eq!((&file["page"], &file["sheet"], &file["header_row"]), (&json!(1), &json!("t"), &json!("a,b")));
    let both = client.call("search", &json!({"pattern": "canary|other", "path": "app.db"}));
    let both = &both["structuredContent"]["files"][0];
    assert_eq!(both["on_pages"], "1 t (a,b): 3; 2 u (c): 7", "{both}");
    // Context that begins on one page and ends on the next.
    let around = client.call("search", &json!({"pattern": "canary", "path": "app.db", "context": 3}));
    let around = &around["structuredContent"]["files"][0];
    assert_eq!(
        (&around["on_pages"], &around["page"]),
        (&json!("1 t: 1-4; 2 u: 5-6"), &json!(null)),
        "{around}"
    );
    let stat = client.call("stat", &json!({"path": "app.db"}))["structuredContent"].clone();
    assert_eq!((&stat["files"][0]["pages"], &stat["files"][0]["decoded"]), (&json!(2), &json!("sqlite")));
    for name in ["link.db", "../secret.db"] {
        assert!(!client.error("read", &json!({"path": name})).contains("SECRET"));
    }
    let names: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}
