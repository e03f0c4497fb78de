//! A hostile tree: no name and no tool yields a byte from outside the roots, or says what is there.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, parted};

/// In every file outside the root.
const SECRET: &str = "S3CRET";

struct Tree {
    dir: TempDir,
}

impl Tree {
    /// `outer/root` is the root; everything beside it is secret.
    fn new() -> Tree {
        let dir = TempDir::new().unwrap();
        let tree = Tree { dir };
        let (outer, root) = (tree.outer(), tree.root());
        fs::create_dir_all(root.join("sub/deep")).unwrap();
        fs::create_dir_all(outer.join("beside")).unwrap();
        fs::create_dir_all(outer.join("root-of-others")).unwrap();
        for name in ["secret.txt", "beside/secret.txt", "beside/f", "root-of-others/secret.txt"] {
            fs::write(outer.join(name), format!("{SECRET}\n").repeat(300)).unwrap();
        }
        fs::write(outer.join(".gitignore"), "").unwrap();
        fs::write(root.join("inside.txt"), "inside\n").unwrap();
        fs::write(root.join("sub/f"), "inside\n").unwrap();
        let links: [(&str, PathBuf); 14] = [
            ("link", "../secret.txt".into()),
            ("absolute", outer.join("secret.txt")),
            ("absolute-inside", root.join("inside.txt")),
            ("up", "..".into()),
            ("beside", "../beside".into()),
            ("chain1", "chain2".into()),
            ("chain2", "sub/../link".into()),
            ("sub/deep/up3", "../../..".into()),
            ("good", "sub/f".into()),
            ("sub/good", "../inside.txt".into()),
            ("loop", "loop".into()),
            ("dangling", "../no-such-file".into()),
            ("proc", "/proc/self/root".into()),
            ("proc-fd", "/proc/self/fd".into()),
        ];
        for (name, target) in links {
            symlink(target, root.join(name)).unwrap();
        }
        Command::new("mkfifo").arg(root.join("pipe")).status().unwrap();
        tree
    }

    fn outer(&self) -> PathBuf {
        self.dir.path().join("outer")
    }

    fn root(&self) -> PathBuf {
        self.outer().join("root")
    }

    /// Names that lead outside.
    fn ways_out(&self) -> Vec<String> {
        let outer = self.outer().display().to_string();
        let mut names: Vec<String> = [
            "../secret.txt",
            "./../secret.txt",
            "sub/../../secret.txt",
            "sub/deep/../../../secret.txt",
            "link",
            "./link",
            "absolute",
            "up/secret.txt",
            "beside/secret.txt",
            "beside/../secret.txt",
            "chain1",
            "sub/deep/up3/secret.txt",
            "up/root/up/secret.txt",
            "up/root/../secret.txt",
            "../root-of-others/secret.txt",
            "..//secret.txt",
            ".././../outer/secret.txt",
            "sub/..//../secret.txt",
            "sub/deep/up3/../outer/secret.txt",
        ]
        .map(str::to_owned)
        .into();
        for rest in [
            "secret.txt",
            "root/../secret.txt",
            "root-of-others/secret.txt",
            "root/link",
            "root/up/secret.txt",
        ] {
            names.push(format!("{outer}/{rest}"));
            names.push(format!("proc{outer}/{rest}"));
            names.push(format!("/proc/self/root{outer}/{rest}"));
        }
        names
    }
}

/// Every tool, with `name` wherever a file goes.
fn calls(name: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read", json!({"path": name})),
        ("read", json!({"paths": ["inside.txt", name]})),
        ("read", json!({"path": format!("{name}:1")})),
        ("read", json!({"path": name, "encode": "base64", "bytes": "0:6"})),
        ("read", json!({"path": name, "page": 1, "text": true})),
        ("read", json!({"path": name, "lines": "-1"})),
        ("search", json!({"pattern": ".", "path": name})),
        ("search", json!({"pattern": ".", "paths": ["inside.txt", name]})),
        ("stat", json!({"path": name, "count": true})),
        ("stat", json!({"paths": [name, "inside.txt"]})),
        ("verify", json!({"path": name, "anchors": ["1#000000"]})),
        ("image", json!({"path": name})),
    ]
}

/// Whether `answer` has the secret, plainly or in base64.
fn leaks(answer: &Value) -> bool {
    let text = answer.to_string();
    text.contains(SECRET) || text.contains(&data_encoding::BASE64.encode(SECRET.as_bytes()))
}

#[test]
fn no_name_leads_outside() {
    let tree = Tree::new();
    let mut client = Client::start(&tree.root(), &[]);
    for name in tree.ways_out() {
        for (tool, arguments) in calls(&name) {
            let result = client.call(tool, &arguments);
            assert!(!leaks(&result), "{tool} {arguments}: {result}");
            let text = result.to_string();
            assert!(text.contains("outside the directories"), "{tool} {arguments}: {result}");
        }
    }
    // The same names below a larger root are read, so this test would notice.
    let mut larger = Client::start(&tree.root(), &["--root", "../..", "--root", "."]);
    let outer = tree.outer().display().to_string();
    for name in [
        "outer/secret.txt",
        "outer/root/link",
        "outer/root/sub/deep/up3/secret.txt",
        &format!("{outer}/secret.txt"),
    ] {
        for (tool, arguments) in calls(name).into_iter().filter(|(tool, _)| ["read", "search"].contains(tool))
        {
            let result = larger.call(tool, &arguments);
            assert!(
                leaks(&result) || arguments["path"] == format!("{name}:1"),
                "{tool} {arguments}: {result}"
            );
        }
    }
}

#[test]
fn strange_names_lead_nowhere() {
    let tree = Tree::new();
    let root = tree.root().display().to_string();
    let mut client = Client::start(&tree.root(), &[]);
    let pid = client.child.id();
    let names = [
        "/etc/passwd".to_owned(),
        "/proc/self/environ".into(),
        "/proc/self/fd/0".into(),
        "/dev/stdin".into(),
        "/dev/fd/0".into(),
        "proc/etc/passwd".into(),
        "proc-fd/0".into(),
        format!("/proc/{pid}/cwd/../secret.txt"),
        "-".into(),
        "fd:1".into(),
        "file:///etc/passwd".into(),
        "http://localhost/".into(),
        "s3://bucket/key".into(),
        "sqlite:../secret.txt".into(),
        "sqlite:inside.txt?table=a".into(),
        "..\\secret.txt".into(),
        "%2e%2e/secret.txt".into(),
        "．．/secret.txt".into(),
        "..\u{0}/secret.txt".into(),
        "inside.txt\u{0}".into(),
        "~/.bashrc".into(),
        "$HOME".into(),
        "INSIDE.TXT/../../secret.txt".into(),
        format!("{root}/../../outer/secret.txt"),
        format!("{root}../secret.txt"),
        format!("{root}-of-others/secret.txt"),
        "loop".into(),
        "dangling".into(),
        "pipe".into(),
        "sub".into(),
        "..".into(),
        "/".into(),
        "../..".into(),
        "a".repeat(5000),
        "a/".repeat(3000),
        "\u{202e}txt".into(),
        " inside.txt".into(),
        "sub/f/x".into(),
    ];
    for name in names.iter().filter(|name| !name.is_empty()) {
        for (tool, arguments) in calls(name) {
            // A directory is a place to search.
            if tool == "search" && name == "sub" {
                continue;
            }
            let result = client.call(tool, &arguments);
            assert!(!leaks(&result), "{tool} {arguments}: {result}");
            let structured = &result["structuredContent"];
            let several = arguments.get("paths").is_some();
            assert!(several || result["isError"] == true, "{tool} {arguments}: {result}");
            assert!(!structured.to_string().contains("root:x:"), "{result}");
        }
    }
    client.error("read", &json!({"path": ""}));
}

#[test]
fn what_is_outside_cannot_be_told() {
    let tree = Tree::new();
    let mut client = Client::start(&tree.root(), &[]);
    let said = |answer: Value, name: &str| answer.to_string().replace("links must", "").replace(name, "NAME");
    let pairs = [
        ("../secret.txt", "../no-such.txt"),
        ("up/secret.txt", "up/no-such.txt"),
        ("link", "dangling"),
        ("/etc/passwd", "/etc/no-such-file"),
        ("beside/f", "beside/g"),
        ("../beside/secret.tx", "../beside/xxxxxxxxx"),
    ];
    for (there, gone) in pairs {
        for ((tool, of_there), (_, of_gone)) in calls(there).into_iter().zip(calls(gone)) {
            let there_said = said(client.call(tool, &of_there), there);
            let gone_said = said(client.call(tool, &of_gone), gone);
            assert_eq!(there_said, gone_said, "{tool} {of_there}");
        }
    }
}

#[test]
fn streams_outside_cannot_be_told_apart() {
    let tree = Tree::new();
    Command::new("mkfifo").arg(tree.outer().join("pipe")).status().unwrap();
    for name in ["pipe1", "pipe2"] {
        symlink("../pipe", tree.root().join(name)).unwrap();
    }
    let mut client = Client::start(&tree.root(), &[]);
    let error = client.error("read", &json!({"paths": ["pipe1", "pipe2", "pipe1"]}));
    assert_eq!(error.matches("outside the directories").count(), 3, "{error}");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let tree = Tree::new();
    let root = tree.root().display().to_string();
    let mut client = Client::start(&tree.root(), &[]);
    for name in [
        "good",
        "sub/good",
        "sub/../inside.txt",
        &format!("{root}/inside.txt"),
        &format!("{root}/./sub//f"),
        "./good",
    ] {
        let text = client.text("read", &json!({"path": name}));
        assert_eq!(parted(&text).1, "inside\n", "{name}");
        assert!(text.starts_with(&format!("{name} | ")), "{text}");
    }
    // An absolute link is refused, wherever it leads.
    client.error("read", &json!({"path": "absolute-inside"}));
}

#[test]
fn a_walk_stays_inside() {
    let tree = Tree::new();
    let mut client = Client::start(&tree.root(), &[]);
    for path in [".", "sub", "sub/.."] {
        let result = client.call("search", &json!({"pattern": ".", "path": path}));
        assert!(!leaks(&result), "{result}");
        let files = result["structuredContent"]["files"].as_array().unwrap();
        assert!(!files.is_empty() && files.len() <= 2, "{result}");
    }
    for path in ["up", "beside", "proc", ".."] {
        let error = client.error("search", &json!({"pattern": ".", "path": path}));
        assert!(error.contains("outside the directories"), "{error}");
    }
    let result = client.call("search", &json!({"pattern": "."}));
    assert_eq!(result["structuredContent"]["files_searched"], 2, "{result}");
}

#[test]
fn several_roots_are_one_space() {
    let tree = Tree::new();
    let outer = tree.outer().display().to_string();
    let mut client = Client::start(&tree.outer(), &["--root", "root", "--root", "beside"]);
    let text = client.text("read", &json!({"path": "inside.txt"}));
    assert_eq!(parted(&text).1, "inside\n");
    // Named beside the first root, and permitted.
    assert!(leaks(&client.call("read", &json!({"path": "secret.txt"}))));
    assert!(leaks(&client.call("read", &json!({"path": format!("{outer}/beside/f")}))));
    client.error("read", &json!({"path": format!("{outer}/secret.txt")}));
    client.error("read", &json!({"path": "../secret.txt"}));
    // A link from one root into another leads out of its own.
    client.error("read", &json!({"path": "beside/f"}));
    let found = client.call("search", &json!({"pattern": "^", "count": true}));
    assert_eq!(found["structuredContent"]["files_searched"], 4, "{found}");
}

#[test]
fn hard_links_are_noted() {
    let tree = Tree::new();
    fs::hard_link(tree.outer().join("secret.txt"), tree.root().join("hard")).unwrap();
    let mut client = Client::start(&tree.root(), &[]);
    let text = client.text("read", &json!({"path": "hard"}));
    assert!(parted(&text).0.contains("hard link, one of 2 names"), "{text}");
    let stat = client.call("stat", &json!({"path": "hard"}));
    assert_eq!(stat["structuredContent"]["files"][0]["hard_links"], 2, "{stat}");
    let found = client.call("search", &json!({"pattern": "^", "path": "hard"}));
    assert_eq!(found["structuredContent"]["files"][0]["hard_links"], 2, "{found}");
    assert!(!client.text("read", &json!({"path": "inside.txt"})).contains("hard link"));
}

#[test]
fn the_index_of_another_file_is_not_used() {
    let tree = Tree::new();
    // Large enough for an index.
    let (inside, outside) = (tree.root().join("big.log"), tree.outer().join("big.log"));
    fs::write(&inside, "inside\n".repeat(3 << 20)).unwrap();
    fs::write(&outside, format!("{SECRET}\n").repeat(3 << 20)).unwrap();
    let mut client = Client::start(&tree.root(), &[]);
    for line in ["2000000", "3000000"] {
        let text = client.text("read", &json!({"path": "big.log", "lines": line}));
        assert_eq!(parted(&text).1, "inside\n");
    }
    fs::remove_file(&inside).unwrap();
    symlink("../big.log", &inside).unwrap();
    for (tool, arguments) in calls("big.log") {
        let result = client.call(tool, &arguments);
        assert!(!leaks(&result) && result.to_string().contains("outside the directories"), "{result}");
    }
}
