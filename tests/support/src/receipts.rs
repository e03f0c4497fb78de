//! Thirty calls that agents make, and what their receipts cost: all that rread writes but the content and the path.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::home::{AtHome, root};

/// Calls, and the most bytes of their receipts in frontmatter, in JSON and in frontmatter with --brief; 0 without --brief.
pub const CALLS: [(&str, [usize; 3]); 30] = [
    ("lines app.log 100:120", [150, 420, 70]),
    ("lines app.log -20:", [150, 380, 50]),
    ("lines app.log:5000 -C 5", [170, 430, 70]),
    ("lines app.log 1:5,40:45,-3:", [290, 770, 180]),
    ("lines app.log 12:20 --hash", [140, 410, 60]),
    ("lines app.log 100: --max-bytes 2000", [200, 440, 100]),
    ("lines app.log 100:120 --max-columns 40", [200, 460, 120]),
    ("lines app.log 100: --metadata-only", [170, 400, 50]),
    ("bytes app.log 4096:+512", [110, 550, 50]),
    ("bytes app.log -1KiB:", [110, 510, 40]),
    ("page app.log 3", [160, 440, 60]),
    ("ranges app.log 5 100:120 b0:512 -3: 900:+5", [440, 1140, 310]),
    ("lines app.log other.log wide.txt -2:", [460, 1110, 190]),
    ("lines app.log.zst 100:120", [150, 460, 50]),
    ("lines broken.zst -3: --salvage", [350, 590, 190]),
    ("lines wide.txt 1:3", [170, 450, 60]),
    ("lines legacy.txt 1:2", [280, 550, 130]),
    ("search 00042 app.log", [130, 490, 40]),
    ("search -m 3 -C 2 0042 app.log", [195, 835, 70]),
    ("search --last 2 -B 3 1023 app.log", [147, 595, 35]),
    ("search -c line app.log", [120, 280, 30]),
    ("search 00042 app.log other.log app.log.zst", [450, 1410, 180]),
    ("stat app.log", [290, 310, 60]),
    ("verify app.log {anchors}", [120, 240, 50]),
    ("verify other.log {anchors}", [640, 800, 440]),
    ("capture -- cat app.log", [350, 520, 120]),
    ("capture -- cat app.log missing.log", [470, 690, 210]),
    ("lines app.log 99999", [110, 150, 110]),
    ("lines picture.txt", [180, 210, 180]),
    ("lines missing.log 1:5", [60, 100, 60]),
];

/// The options of the three kinds of receipts, in the order of [`CALLS`].
pub const KINDS: [&str; 3] = ["", "--json", "--brief"];

/// The files of the calls.
pub struct Calls {
    dir: TempDir,
}

impl Calls {
    pub fn new() -> Self {
        let calls = Calls { dir: TempDir::new().unwrap() };
        let line = |n| format!("{n:05} a line of a log that has a hundred bytes {:<51}\n", "");
        let log: String = (1..=10_240).map(line).collect();
        let packed = zstd::encode_all(log.as_bytes(), 3).unwrap();
        let file = |name: &str, content: &[u8]| fs::write(calls.dir.path().join(name), content).unwrap();
        file("app.log", log.as_bytes());
        // The same, edited: a line before, one changed, and one that is gone.
        let edited = log.replace("00013 a line", "00013 another line").replace(&line(15), "");
        file("other.log", format!("a new first line\n{edited}").as_bytes());
        file("app.log.zst", &packed);
        file("broken.zst", &packed[..packed.len() / 2]);
        let wide: Vec<u8> = log[..50_000].encode_utf16().flat_map(u16::to_le_bytes).collect();
        file("wide.txt", &wide);
        file(
            "legacy.txt",
            &"Cena: 37 z\u{142}, p\u{142}atno\u{15b}\u{107}\n"
                .repeat(50)
                .chars()
                .map(windows_1250)
                .collect::<Vec<_>>(),
        );
        let picture = root().join("fixtures/tiny.png");
        file("picture.txt", &fs::read(picture).unwrap());
        calls
    }

    /// The receipt of `line` in one of [`KINDS`]; `None` if `program` does not have the option.
    pub fn receipt(&self, program: &Path, line: &str, kind: &str) -> Option<String> {
        let anchors = if line.contains("{anchors}") {
            let (hashlines, _) = self.run(program, "lines app.log 12:16 --hash -f text");
            let anchors: Vec<&str> = hashlines.lines().filter_map(|line| line.split('|').next()).collect();
            anchors.join(" ")
        } else {
            String::new()
        };
        let line = line.replace("{anchors}", &anchors);
        let line = match line.split_once(" -- ") {
            Some((options, command)) => format!("{options} {kind} -- {command}"),
            None => format!("{line} {kind}"),
        };
        let (answer, errors) = self.run(program, &line);
        if errors.contains("has no option --brief") {
            return None;
        }
        let receipt = if kind == "--json" { beside_strings(&answer) } else { beside_content(&answer) };
        Some(receipt + &errors)
    }

    fn run(&self, program: &Path, line: &str) -> (String, String) {
        let mut command = Command::new(program);
        command
            .args(line.split_whitespace())
            .current_dir(self.dir.path())
            .at_home(&self.dir.path().join(".home"));
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }
}

fn windows_1250(c: char) -> u8 {
    match c {
        '\u{142}' => 0xB3,
        '\u{15b}' => 0x9C,
        '\u{107}' => 0xE6,
        _ => u8::try_from(c).unwrap(),
    }
}

/// The receipts of an answer in frontmatter, without the lines of the paths.
fn beside_content(answer: &str) -> String {
    let (mut receipts, mut rest) = (String::new(), answer);
    while let Some((receipt, left)) = rest.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
        let own = receipt.lines().filter(|line| !line.starts_with("path: "));
        receipts += &format!("---\n{}\n---\n", own.collect::<Vec<_>>().join("\n"));
        let length =
            receipt.lines().find_map(|line| line.strip_prefix("content_bytes: ")).map(|n| n.parse().unwrap());
        let length = length.unwrap_or(left.len()).min(left.len());
        rest = &left[length..];
    }
    receipts
}

/// An answer in JSON with contents and paths empty.
fn beside_strings(answer: &str) -> String {
    let mut receipt = answer.to_owned();
    if let Ok(value) = serde_json::from_str(answer) {
        empty(&value, &mut receipt);
    }
    receipt
}

fn empty(value: &Value, receipt: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(_) if ["content", "last_page"].contains(&name.as_str()) => {
                        *receipt = receipt.replacen(&member.to_string(), "\"\"", 1);
                    }
                    Value::String(_) if name == "path" => {
                        *receipt = receipt.replacen(&format!("\"path\":{member},"), "", 1);
                    }
                    _ => empty(member, receipt),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| empty(item, receipt)),
        _ => {}
    }
}
