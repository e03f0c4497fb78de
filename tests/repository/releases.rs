//! The scripts for results of speed: two of them are compared, and one is drawn as the picture of the book.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: python3 is not installed, so the scripts for results of speed are not tried");
    }
    found
}

fn run(script: &str, arguments: &[&str]) -> Output {
    Command::new("python3").arg(root().join("benches").join(script)).args(arguments).output().unwrap()
}

/// A row whose ratios of wall times, a round each, are these thousandths.
fn row(job: &str, version: &str, memory: u64, thousandths: &[u64]) -> Value {
    let rounds: Vec<Value> = thousandths.iter().map(|part| json!([[part, 1000, 500, 1000]])).collect();
    let mut sorted = thousandths.to_vec();
    sorted.sort_unstable();
    let middle = f64::from(u32::try_from(sorted[sorted.len() / 2]).unwrap()) / 1000.0;
    json!({
        "job": job, "peer": "sed", "versions": {"sed": version}, "command": "sed p LOG", "wall": middle, "cpu": 0.5,
        "target": {}, "memory": memory << 20, "rounds": rounds,
    })
}

fn result(rows: &[Value]) -> Value {
    json!({
        "form": 1, "rread": {"version": "0.1.0", "features": []},
        "machine": {"processor": "one & the same", "cores": 2, "kernel": "Linux 6.1"},
        "date": "2026-11-26T07:00:00Z", "size": 1 << 30, "lines": 9, "rounds": 7, "rows": rows,
    })
}

/// What `releases.py` prints for two results, and its exit code.
fn compared(old: &[Value], new: &[Value]) -> (String, i32) {
    let folder = TempDir::new().unwrap();
    let paths = ["old.json", "new.json"].map(|name| folder.path().join(name));
    for (path, rows) in paths.iter().zip([old, new]) {
        fs::write(path, result(rows).to_string()).unwrap();
    }
    let output = run("releases.py", &paths.each_ref().map(|path| path.to_str().unwrap()));
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap())
}

const QUIET: [u64; 7] = [500, 510, 495, 505, 520, 490, 500];
/// The same, with other noise: one round is far off.
const NOISY: [u64; 7] = [530, 500, 900, 505, 525, 540, 515];
const SLOWER: [u64; 7] = [600, 605, 590, 610, 600, 615, 595];

#[test]
fn a_row_that_got_slower_beyond_noise_is_named() {
    if !has_python() {
        return;
    }
    let old = [row("lines", "4.9", 8, &QUIET), row("search", "4.9", 8, &QUIET)];
    let new = [row("lines", "4.9", 8, &SLOWER), row("search", "4.9", 8, &QUIET)];
    let (text, code) = compared(&old, &new);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("\nslower:\n  lines / sed 4.9: wall x 1.20 (0.50 -> 0.60)\n"), "{text}");
    assert!(!text.contains("search"), "{text}");
    let (text, code) = compared(&new, &old);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\nfaster:\n  lines / sed 4.9: wall x 0.83 (0.60 -> 0.50)\n"), "{text}");
}

#[test]
fn noise_and_small_changes_are_not_named() {
    if !has_python() {
        return;
    }
    let small = QUIET.map(|part| part * 103 / 100);
    let flat = [500; 7];
    for (old, new) in [(&QUIET, &NOISY), (&NOISY, &QUIET), (&QUIET, &small), (&flat, &[515; 7])] {
        let (text, code) = compared(&[row("lines", "4.9", 8, old)], &[row("lines", "4.9", 8, new)]);
        assert_eq!(code, 0, "{text}");
        assert!(!text.contains("lines /") && text.contains("no more than noise: 1\n"), "{text}");
    }
}

#[test]
fn rows_that_cannot_be_compared_are_named() {
    if !has_python() {
        return;
    }
    let (text, code) = compared(&[row("lines", "4.9", 8, &QUIET)], &[row("lines", "5.0", 8, &SLOWER)]);
    assert!(text.contains("only in the first file:\n  lines / sed 4.9\n"), "{text}");
    assert!(text.contains("only in the second file:\n  lines / sed 5.0\n"), "{text}");
    assert_eq!(code, 2, "{text}");
    let (text, code) = compared(&[row("lines", "4.9", 8, &QUIET[..5])], &[row("lines", "4.9", 8, &SLOWER)]);
    assert!(text.contains("not judged:\n  lines / sed 4.9\n"), "{text}");
    assert_eq!(code, 2, "{text}");
    let (text, code) = compared(&[row("lines", "4.9", 8, &QUIET)], &[row("lines", "4.9", 30, &QUIET)]);
    assert!(text.contains("more memory:\n  lines: 8.0 -> 30.0 MiB\n"), "{text}");
    assert_eq!(code, 1, "{text}");
}

/// Elements of a picture of a class, with their attributes.
fn bars<'a>(picture: &'a roxmltree::Document) -> Vec<roxmltree::Node<'a, 'a>> {
    let is_bar =
        |node: &roxmltree::Node| node.attribute("class").is_some_and(|class| class.starts_with("bar "));
    picture.descendants().filter(is_bar).collect()
}

#[test]
fn the_picture_has_one_bar_for_each_row() {
    if !has_python() {
        return;
    }
    let rows = [
        row("a < b & \"c\"", "4.9", 8, &[4]),
        row("as fast", "4.9", 8, &[1000]),
        row("slower", "4.9", 8, &[20_000]),
    ];
    let folder = TempDir::new().unwrap();
    let [result_path, picture_path] = ["result.json", "picture.svg"].map(|name| folder.path().join(name));
    fs::write(&result_path, result(&rows).to_string()).unwrap();
    let output =
        run("chart.py", &[result_path.to_str().unwrap(), "--picture", picture_path.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(picture_path).unwrap();
    let picture = roxmltree::Document::parse(&text).unwrap();
    let number = |node: &roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let drawn: Vec<(&str, f64, f64)> = bars(&picture)
        .iter()
        .map(|bar| {
            (bar.attribute("class").unwrap(), number(bar, "x"), number(bar, "x") + number(bar, "width"))
        })
        .collect();
    let [fast, even, slow] = drawn[..] else { panic!("{drawn:?}") };
    assert_eq!([fast.0, even.0, slow.0], ["bar fast", "bar fast", "bar slow"]);
    // All of them begin or end at 1.
    assert!([fast.2, even.1].iter().all(|edge| (edge - slow.1).abs() < 0.2), "{drawn:?}");
    assert!(fast.2 - fast.1 > slow.2 - slow.1 && even.2 - even.1 <= 1.0, "{drawn:?}");
    assert!(text.contains("a &lt; b &amp; \"c\"") && text.contains("one &amp; the same"), "{text}");
}

#[test]
fn the_picture_in_the_book_is_current() {
    if !has_python() {
        return;
    }
    let output = run("chart.py", &["--check"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(root().join("docs/speed.svg")).unwrap();
    let picture = roxmltree::Document::parse(&text).unwrap();
    assert!(bars(&picture).len() > 40, "{}", bars(&picture).len());
    assert!(fs::read_to_string(root().join("docs/speed.md")).unwrap().contains("](speed.svg)"));
    // Nothing of the machine that measured it but what it is.
    for entry in fs::read_dir(root().join("benches/measured")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!["/tmp/", "/home/", "/root/"].iter().any(|folder| text.contains(folder)));
    }
}
