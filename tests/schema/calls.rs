//! Calls of the program that between them give every kind of answer and of error, and the files they are about.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use rread_testkit::formats;
use rread_testkit::home::AtHome;
use serde_json::Value;
use tempfile::TempDir;

use super::{compressed, images};

/// Command lines, `|` and a file before those that read standard input; the files are those of [`files`].
pub const COMMANDS: &[&str] = &[
    // bytes
    "bytes app.log",
    "bytes app.log 0:10",
    "bytes app.log 100:",
    "bytes app.log :100",
    "bytes app.log -100:",
    "bytes app.log -100:-50",
    "bytes app.log 5:+7",
    "bytes app.log 5:5",
    "bytes app.log bytes=0-4",
    "bytes app.log 1KiB:+1K,0:4,-1:",
    "bytes app.log 5:99999999999",
    "bytes app.log 18446744073709551615:",
    "bytes app.log -18446744073709551615:",
    "bytes app.log --start-byte 3 --end-byte -3",
    "bytes wide.txt 1:4",
    "bytes wide.txt 1:4 --align shrink",
    "bytes wide.txt 1:4 --align none",
    "bytes wide.txt 0:4,1:2,7:",
    "bytes app.log 0:100 -n",
    "bytes app.log 20:100 --max-bytes 10",
    "bytes app.log 20:100 --max-lines 2",
    "bytes app.log 0:100 --max-columns 3 --max-bytes 10",
    "bytes app.log 0:10 --encode hex",
    "bytes bom.txt 0:3",
    "bytes picture.png 0:8 --encode base64",
    "bytes picture.png 0:8 --text",
    "bytes empty",
    "bytes empty 0:0",
    "bytes empty -5:",
    "bytes app.log 0:10,999999:+1",
    "bytes app.log 0:10,999999:+1 --metadata-only",
    "bytes app.log 0:10 --metadata-only",
    // doctor
    "doctor",
    "doctor https://host/app.log",
    "--version",
    // search
    "search 9 app.log",
    "search -o l app.log -m 1",
    "search 9 app.log -C 1",
    "search 9 app.log -m 2",
    "search request times.log --since 06:01 --until 06:02 --tz UTC",
    "where times.log --time 06:01 --tz UTC",
    "bytes app.log 5:70 --bounded --max-bytes 10",
    "lines app.log 5:7 --brief",
    "bytes app.log 5:70 --brief --max-bytes 10",
    "ranges app.log 5:7,b0:9,900,-3: --brief",
    "search 9 app.log -m 2 --brief",
    "lines app.log wide.txt missing 1:1 --brief",
    "verify app.log 3#000000 --brief",
    "stat app.log --brief",
    "stat app.log missing --brief --count",
    "where times.log --time 09:00",
    "lines times.log --since 06:01 --tz UTC --scan",
    "lines app.log --since 06:01",
    "lines times.log --since 06:01 --until 06:02 --tz UTC",
    "search 9 app.log --max-lines 2",
    "lines times.log crlf.txt missing times.log --merge --max-lines 5 --tz UTC",
    "lines times.log times.log --merge --brief --max-lines 5 --tz UTC",
    "search request times.log times.log --merge --max-lines 1 --tz UTC",
    "search 9 app.log --max-columns 3",
    "search 9 app.log --metadata-only",
    "search 9 app.log -c",
    "search 9 app.log folder --brief",
    "search 9 app.log folder",
    "search --passthru nothing lines.tar",
    "search 9 app.log -l",
    "search 9 app.log --hash --last 2",
    "search 9 app.log missing --in 5:40",
    "search nothing app.log",
    "search 9( app.log",
    "search a wide.txt bom.txt",
    // lines
    "lines app.log",
    "lines app.log 3",
    "lines app.log 3:5",
    "lines app.log 3-5",
    "lines app.log 3:+2",
    "lines app.log :5",
    "lines app.log -5:",
    "lines app.log -1",
    "lines app.log :-20",
    "lines app.log 5:-10",
    "lines app.log --offset 4 --limit 3",
    "lines app.log --offset -4",
    "lines app.log 301:+5",
    "lines app.log 299:99999",
    "lines app.log -18446744073709551614:",
    "lines app.log 3 -C 2 -n",
    "lines app.log -3 -B 1 -A 1",
    "lines app.log 1:5,40:45,900",
    "lines app.log 1:5,900 --metadata-only",
    "lines app.log 900,901",
    "lines app.log 3:5 --metadata-only",
    "lines app.log:7",
    "lines table.csv 5:+2 --header 1",
    "lines app.log 1:20 --max-bytes 30",
    "lines app.log 1:20 --max-bytes 4",
    "lines app.log 1:20 --max-tokens 9",
    "lines app.log 1:20 --max-tokens 9 --brief",
    "lines app.log invalid.txt --metadata-only",
    "lines app.log 1:20 --max-lines 3",
    "lines app.log 1:20 --max-columns 2",
    "lines app.log 1:20 --max-columns 2 --max-lines 2",
    "lines app.log 1:5,6:9 --max-lines 3",
    "lines big.log -3:",
    "lines big.log -18446744073709551615:",
    "lines big.log 5:6,-1",
    "lines empty",
    "lines empty -20:",
    "lines empty 1:+5",
    "lines bom.txt 1",
    "lines bom.txt 1,2",
    "lines crlf.txt 1:2",
    "lines invalid.txt",
    "lines invalid.txt 2,9",
    "lines invalid.txt --invalid escape",
    "lines latin.txt",
    "lines latin.txt 1,2",
    "lines latin.txt 1 --encode hex",
    "lines controls.txt",
    "lines unfinished.txt -1",
    // ranges
    "ranges app.log 5,100:120 b0:512 -3:",
    "ranges app.log 5",
    "ranges app.log b3:+4 900 1:2 b99999:",
    "ranges app.log b3:+4 900 --metadata-only",
    "ranges wide.txt b1:4 1 --align shrink",
    "ranges app.log --from wanted.txt",
    "ranges app.log --from wanted.txt -C 3 --header 2 -n",
    "ranges app.log 5 b0:4 --encode base64",
    "ranges app.log 1:20 5 --max-columns 2 --max-bytes 20",
    "wanted.txt | ranges app.log --from -",
    "ranges app.log:1-50 crlf.txt:-2:",
    "ranges app.log 1:2 b0:5 crlf.txt 1 -9: --max-lines 3",
    "ranges app.log:3 ./missing.log:3 picture.png:1 app.log:999",
    "ranges app.log:3 ./missing.log:3 --metadata-only",
    "ranges app.log.zst:1 utf16.txt:1 latin.txt:1 bom.txt:1 wide.txt:b0:3 -f json",
    "ranges app.log:1 wide.txt:b0:3 --encode hex",
    // page
    "page app.log",
    "page app.log 2",
    "page app.log -1",
    "page app.log 2:3",
    "page app.log 2 --page-size 100",
    "page app.log 2 --page-size 5",
    "page app.log 2 --max-bytes 30",
    "page app.log 2 --max-lines 3 -n",
    "page app.log 2 --max-columns 3",
    "page app.log --all",
    "page app.log --all --page-size 700 --max-lines 50",
    "page app.log --all --metadata-only",
    "page app.log 1 --metadata-only",
    "page empty",
    "page wide.txt --page-size 4 --all",
    "page utf16.txt --encode hex",
    "page big.log 200 --no-index",
    "page big.log.zst 2",
    "big.log | page - 2",
    "app.log | page - -1",
    // stat
    "stat app.log",
    "stat app.log --count",
    "stat app.log --patterns 3",
    "stat times.log --patterns 3 --tz UTC",
    "stat times.log --tz UTC",
    "stat times.log --since 06:01 --until 06:02 --tz UTC",
    "stat app.log --since 06:01",
    "stat big.log",
    "stat big.log --count",
    "stat empty",
    "stat empty --count",
    "stat bom.txt",
    "stat crlf.txt --count",
    "stat mixed.txt",
    "stat latin.txt",
    "stat utf16.txt",
    "stat utf16be.txt",
    "stat utf32.txt",
    "stat invalid.txt --count",
    "stat picture.png --count",
    "stat unfinished.txt",
    "stat program library.dll members.zip members.tar named.gz document.pdf",
    "stat data.db --no-decompress",
    "stat named.gz --no-decompress",
    "stat linked.tar --list",
    "stat linked.tar --list --max-lines 1",
    "stat linked.tar --list --max-lines 1 --brief",
    "stat encrypted.zip --list",
    "stat app.log --list",
    "lines tar:linked.tar/odd",
    "stat app.log missing.log picture.png",
    "stat missing.log .",
    // where
    "where app.log --byte 1000",
    "where app.log --byte -1",
    "where app.log --line 7",
    "where app.log --line -1",
    "where app.log --line 1 --no-index",
    "where empty --line 1",
    "where picture.png --byte 9",
    "where big.log --byte 2000000",
    "where big.log --byte 2000000 --no-index",
    "where big.log --line 50000",
    "where big.log --line -1",
    "bytes big.log 2000000:+10",
    "ranges big.log b5:+10 70000",
    "stat big.log",
    // index; app.log is too small for an index of its own accord
    "index show app.log",
    "index build app.log",
    "index show app.log",
    "index build big.log",
    "index build big.log",
    "index show big.log",
    "index list",
    "index clear app.log big.log",
    "index clear big.log",
    "index build empty",
    "index show empty",
    "index clear --older-than 1d",
    "index clear --all",
    "index list",
    "app.log | index build -",
    "app.log | index show -",
    // streams, the size of which is unknown until they end
    "app.log | lines - 1:3",
    "app.log | lines - -3:",
    "app.log | lines - 1:3,900",
    "big.log | lines - 1:3",
    "big.log | lines - 1:3,5",
    "big.log | lines - 1:3 --metadata-only",
    "big.log | bytes - 5:+10",
    "big.log | bytes - -10:",
    "big.log | ranges - b5:+10 3 99999999",
    "big.log | stat -",
    "big.log | stat - --count",
    "bom.txt | lines - 1",
    "empty | lines -",
    "app.log | where - --byte 5",
    "app.log | where - --byte -1",
    "app.log | where - --line 5",
    "utf16.txt | stat -",
    // compressed text, the size of which is unknown until it has been decoded
    "stat app.log.zst",
    "stat big.log.zst",
    "stat big.log.zst --count",
    "lines big.log.zst 3:4",
    "lines big.log.zst -1",
    "lines big.log.zst --max-lines 3",
    "bytes big.log.zst 5:9 --metadata-only",
    "ranges big.log.zst 5 b0:4 99999999",
    "where big.log.zst --line 7",
    "where big.log.zst --byte 7 --no-index",
    "where big.log.zst --byte -1",
    "index build big.log.zst",
    "index show big.log.zst",
    "stat big.log.zst",
    "big.log.zst | stat -",
    "big.log.zst | where - --line 7",
    "big.log.zst | lines - 3:4",
    "big.log | lines - --max-lines 3",
    "lines broken.log.zst -1",
    // errors
    "--no-such-option",
    "lines",
    "lines app.log --no-such-option",
    "lines app.log 3 --format frontmattr",
    "lines app.log 3 4",
    "lines app.log 3 --raw",
    "lines app.log 0",
    "lines app.log 5:3",
    "lines app.log 900",
    "lines app.log 900 --metadata-only",
    "lines app.log 1:2 --limit 5",
    "lines app.log --max-bytes 1",
    "lines app.log --expect nonsense",
    "lines app.log --expect dNJkAAAAAAAAAAAA",
    "lines app.log --expect-prefix",
    "lines app.log 99999999999999999999",
    "lines invalid.txt --invalid error",
    "lines missing.log",
    "lines ap.log",
    "lines .",
    "lines picture.png",
    "lines utf16.txt",
    "bytes app.log 5000:4000",
    "bytes app.log 100-200",
    "bytes app.log 100",
    "bytes app.log 999999:+1",
    "ranges app.log",
    "ranges app.log --from missing.txt",
    "ranges app.log --from empty",
    "stat missing.log",
    "stat",
    "stat utf16.txt --count",
    "where app.log",
    "where app.log --byte 1 --line 1",
    "where app.log --byte 999999",
    "where app.log --line 301",
    "where app.log --line 0",
    "where app.log --byte 1:2",
    "where empty --byte 0",
    "where missing.log --line 1",
    "index",
    "index build",
    "index build missing.log",
    "index build .",
    "index show missing.log",
    "index show app.log --no-such-option",
    "index list app.log",
    "index clear",
    "index clear app.log --all",
    "index clear --older-than app.log",
    "frobnicate app.log",
    "page app.log 0",
    "page app.log 900",
    "page app.log x",
    "page app.log 2 --all",
    "page app.log --page-size 3",
    "page missing.log",
    "page picture.png",
    "ranges app.log 5 missing.log:3 crlf.txt",
    "ranges app.log:5 wide.txt:1 --expect dNJkAAAAAAAAAAAA",
];

/// Small files of every kind that answers differ for.
pub fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let log = |lines: u32| (1..=lines).map(|n| format!("{n} a line of the log\n")).collect::<String>();
    write("app.log", log(300).as_bytes());
    write(
        "times.log",
        b"2026-11-23T06:01:00Z request\n2026-11-23T06:02:00Z request\n2026-11-23T05:00:00Z request\n",
    );
    write("big.log", log(100_000).as_bytes());
    // Of what is written piece by piece, a frame does not tell the size.
    let compressed = zstd::encode_all(log(100_000).as_bytes(), 1).unwrap();
    write("app.log.zst", &zstd::encode_all(log(300).as_bytes(), 1).unwrap());
    write("big.log.zst", &compressed);
    write("broken.log.zst", &compressed[..compressed.len() / 2]);
    write("wide.txt", "漢字é😀\n".as_bytes());
    write("bom.txt", "\u{FEFF}first\nsecond\n".as_bytes());
    write("crlf.txt", b"one\r\ntwo\r\nthree\r\n");
    write("mixed.txt", b"one\ntwo\r\n");
    write("table.csv", b"name,size\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\n");
    write("invalid.txt", &[b"a line that is long enough\n".repeat(40), b"b\xFFad\n".to_vec()].concat());
    write("latin.txt", b"caf\xE9 au lait, s'il vous pla\xEEt\nmerci\n");
    write("utf16.txt", b"\xFF\xFEh\0i\0\n\0");
    write("utf16be.txt", b"\0h\0e\0l\0l\0o\0\n");
    write("utf32.txt", b"\xFF\xFE\0\0h\0\0\0");
    images::files(folder.path());
    write("program", &formats::elf());
    write("library.dll", &formats::pe());
    write("members.zip", &formats::zip(3, b""));
    write("members.tar", &formats::tar());
    write("linked.tar", &formats::linked_tar());
    write("lines.tar", &formats::tar_of(&[("a.log", log(3))]));
    fs::create_dir(folder.path().join("folder")).unwrap();
    write("folder/b.log", log(9).as_bytes());
    write("folder/p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    fs::create_dir(folder.path().join("skipped")).unwrap();
    write("skipped/.ignore", b"*");
    write("skipped/c.log", log(9).as_bytes());
    write("encrypted.zip", &formats::encrypted_zip());
    write("data.db", &formats::sqlite());
    write("named.gz", &formats::gzip());
    write("document.pdf", b"%PDF-1.7\n\xFF\0");
    write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    write(
        "controls.txt",
        "tab\tquote\" back\\slash \u{1B}[1m \u{85} \u{2028} and much text after it\n".as_bytes(),
    );
    write("unfinished.txt", b"one\ntwo");
    write("wanted.txt", b"5\n100:120\nb0:512\n-3:\n");
    write("empty", b"");
    compressed::write_files(folder.path(), &log);
    folder
}

pub fn rread(folder: &Path) -> Command {
    let mut command = Command::new(cargo_bin!("rread"));
    command.current_dir(folder);
    command.at_home(&folder.join(".home"));
    command.env("RREAD_STATE_DIR", folder.join("state"));
    // Of the files here one is large enough for an index.
    command.env("RREAD_CACHE_DIR", folder.join("cache")).env("RREAD_INDEX_MIN", "1MiB");
    command
}

/// What one call wrote: an answer, an error, or both.
pub struct Outcome {
    pub call: String,
    pub code: i32,
    pub answer: Option<Value>,
    pub error: Option<Value>,
}

impl Outcome {
    pub fn documents(&self) -> impl Iterator<Item = &Value> {
        self.answer.iter().chain(&self.error)
    }
}

/// Runs `command`; what either stream holds, if anything, is one JSON document.
pub fn run(call: &str, mut command: Command, stdin: &[u8]) -> Outcome {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_owned();
    // A child that has seen enough goes away, and the rest cannot be written.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let document = |name: &str, bytes: &[u8]| {
        if bytes.is_empty() {
            return None;
        }
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(text.ends_with('\n'), "{call}: {name} has no line end: {text}");
        Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{call}: {name}: {e}: {text:?}")))
    };
    Outcome {
        call: call.to_owned(),
        code: output.status.code().unwrap_or_else(|| panic!("{call}: was killed")),
        answer: document("standard output", &output.stdout),
        error: document("standard error", &output.stderr),
    }
}

pub fn run_line(folder: &Path, line: &str) -> Outcome {
    let (input, arguments) = line.split_once('|').unwrap_or(("", line));
    let stdin = match input.trim() {
        "" => Vec::new(),
        name => fs::read(folder.join(name)).unwrap(),
    };
    let mut command = rread(folder);
    command.arguments_in_json(arguments);
    run(line, command, &stdin)
}

trait InJson {
    fn arguments_in_json(&mut self, arguments: &str);
}

impl InJson for Command {
    /// Requests JSON in one of the three ways, in turn.
    fn arguments_in_json(&mut self, arguments: &str) {
        self.args(arguments.split_whitespace());
        match arguments.len() % 3 {
            // Without a command, no option sets the format.
            _ if !arguments.contains("app.log") => self.env("RREAD_FORMAT", "json"),
            0 => self.arg("--json"),
            1 => self.args(["-f", "json"]),
            _ => self.arg("--format=json"),
        };
    }
}
