//! The calls: every command, format and edge of the tests of the schema, and random requests to random texts.

use rread_testkit::rng::Rng;

use crate::differential::request::Request;
use crate::differential::texts::Text;
use crate::schema::{calls, compressed, images, verifying};

/// One call of the program.
pub struct Call {
    /// The file that is its standard input; none for an empty one.
    pub stdin: Option<String>,
    pub words: Vec<String>,
    /// `RREAD_FORMAT`, for a command line that does not name a format.
    pub format: Option<&'static str>,
    /// The seed of the text that it asks about; none for the files of the tests of the schema.
    pub seed: Option<u64>,
}

const FORMATS: [&str; 5] = ["frontmatter", "json", "raw", "text", "xml"];

/// Random texts; each is asked about [`REQUESTS`] times.
const TEXTS: u64 = 120;
const REQUESTS: usize = 12;

/// What `capture` answers, and what commands answer about a capture.
const CAPTURES: &[&str] = &[
    "capture list",
    "bytes fd:1",
    "big.log | capture --name build",
    "capture --page-size 100 -- cat big.log",
    "capture --max-lines 3 -- cat big.log",
    "capture --metadata-only -- cat wide.txt",
    "capture -- cat wide.txt",
    "capture --direct 0 -- cat empty",
    "capture --direct 10 -- cat invalid.txt",
    "capture --direct 0 -- cat utf16.txt",
    "capture -- cat picture.png",
    "capture --limit 1K -- cat big.log",
    "capture -- cat missing.log",
    "stat fd:1",
    "lines fd:build:7-9",
    "ranges fd:1 1 b0:4 fd:2:3",
    "page fd:1 2",
    "where fd:2 --line 9",
    "capture save fd:99 saved/other.log",
    "capture drop fd:99",
    "capture drop",
];

/// Calls beside those of the tests of the schema: help, habits, and combinations of options.
const OTHERS: &[&str] = &[
    "--help",
    "--version",
    "--help-agent",
    "help agent",
    "help agent search",
    "help agent nosuch",
    "bytes --help",
    "lines --help",
    "ranges --help",
    "page --help",
    "stat --help",
    "where --help",
    "verify --help",
    "capture --help",
    "image --help",
    "select --help",
    "index --help",
    "lines",
    "lines app.log wide.txt -2:",
    "app.log",
    "app.log 3:5",
    "tail app.log",
    "lines app.log 3,5,900 -C 2 -n",
    "lines app.log 3,5,290:400 -C 2 -n --max-lines 7",
    "lines app.log 3:9 --hash -n",
    "lines app.log 3:9 --header 2 --max-bytes 60",
    "lines invalid.txt 41 --invalid escape",
    "lines invalid.txt 41 --invalid error",
    "lines controls.txt 1 --max-columns 12",
    "lines utf16be.txt -n",
    "lines latin.txt",
    "lines latin.txt -E windows-1252",
    "ranges app.log 3 900 b0:5 wide.txt missing.log:1",
    "page app.log --all --hash",
    "page crlf.txt --all --page-size 4",
    "bytes wide.txt 1:2,4:5 --align shrink",
    "stat --count app.log missing.log bom.txt",
];

/// Every `step`-th call, in groups that run beside each other; those of a group share their files, in order.
pub fn groups(step: usize) -> Vec<Vec<Call>> {
    let lines: Vec<&str> = [calls::COMMANDS, compressed::COMMANDS, verifying::COMMANDS, images::COMMANDS]
        .into_iter()
        .chain([CAPTURES, OTHERS])
        .flatten()
        .copied()
        .collect();
    let fixed = FORMATS.map(|format| {
        let calls = lines.iter().map(|line| Call::fixed(line, format));
        calls.enumerate().filter(|(n, _)| n % step == 0).map(|(_, call)| call).collect()
    });
    let texts = (0..TEXTS).step_by(step).map(random);
    let mut groups: Vec<Vec<Call>> = fixed.into_iter().collect();
    groups.push(texts.flatten().collect());
    groups
}

impl Call {
    fn fixed(line: &str, format: &'static str) -> Self {
        let (stdin, line) = line.split_once('|').map_or((None, line), |(name, line)| (Some(name), line));
        Call {
            stdin: stdin.map(|name| name.trim().to_owned()),
            words: line.split_whitespace().map(str::to_owned).collect(),
            format: Some(format),
            seed: None,
        }
    }

    /// The call and what both programs made of it.
    pub fn difference(&self, old: &str, new: &str) -> String {
        let stdin = self.stdin.as_deref().map_or(String::new(), |name| format!("{name} | "));
        let format = self.format.map_or(String::new(), |format| format!("RREAD_FORMAT={format} "));
        let text = self.seed.map_or(String::new(), |seed| format!(" (text {seed})"));
        let words = self.words.join(" ");
        let same = old.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
        let tail = |text: &str| text.lines().skip(same).take(6).collect::<Vec<_>>().join("\n");
        format!("{stdin}{format}rread {words}{text}\n-- before\n{}\n-- now\n{}", tail(old), tail(new))
    }
}

/// Requests of the differential test to the text of `seed`, each in one of the formats.
fn random(seed: u64) -> Vec<Call> {
    let mut rng = Rng::new(seed);
    let text = Text::any(&mut rng, &[]);
    let call = |_| {
        let request = Request::any(&mut rng, &text);
        let format = rng.pick(&FORMATS);
        let name = format!("text{seed}");
        let formats = ["--raw", "--json", "-f", "text"];
        let words = request.words.split(' ').filter(|word| !formats.contains(word));
        let words = words.map(|word| if word == "{}" { name.clone() } else { word.to_owned() }).collect();
        Call { stdin: None, words, format: Some(format), seed: Some(seed) }
    };
    (0..REQUESTS).map(call).collect()
}
