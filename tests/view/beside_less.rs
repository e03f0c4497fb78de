//! The keys of the manual of less, typed into less and into the viewer on terminals of the same size.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rread_testkit::home::root;
use rread_testkit::terminal::{Terminal, setup};

/// Keys after `g`, which lead both to the same screen.
const SAME: &[&str] = &[
    "j",
    "5j",
    "e",
    "3e",
    "\x05",
    "\x0e",
    "4\x0e",
    "\r",
    "7\r",
    "20jk",
    "20j3k",
    "20j\x19",
    "20j\x0b",
    "20j\x10",
    "20j6\x10",
    "J",
    "20jK",
    "f",
    " ",
    "\x06",
    "\x16",
    "3f",
    "15 ",
    "50jb",
    "50j\x02",
    "50j\x1bv",
    "50j7b",
    "3d",
    "d",
    "u",
    "7\x04d",
    "50j4uu",
    "z",
    "4z",
    "z",
    "f",
    "50jb",
    "20zz",
    "\x1b ",
    "G",
    ">",
    "\x1b>",
    "700G",
    "700g",
    "800<",
    "900>",
    "50%",
    "50p",
    "12.5%",
    "12.75p",
    "0%",
    "97%",
    "98%",
    ".5%",
    "j.25%",
    "/ERROR\r\x1bn",
    "/ERROR\r3\x1bn\x1bN",
    "700G\x1b<",
    "700G3\x1b>",
    "12\x1b ",
    "50j3\x1bv",
    "100j//\r",
    "/ERROR\r?\r",
    "50jmz200j\x1bmz'z",
    "10j2\x0b",
    "5\x07",
    "700G3:n\r",
    "500P",
    "700G%",
    "\x1bOB",
    "3\x1bOB",
    "20j\x1bOA",
    "\x1b[6~",
    "50j\x1b[5~",
    "700Gr",
    "700G\x12",
    "700G\x0c",
    "700GR",
    "10jmaG'a",
    "10jma50j'a''",
    "G'^",
    "'$",
    "10jMcG'c",
    "/ERROR\r",
    "3/ERROR\r",
    "/ERROR\rn",
    "/ERROR\r5n",
    "/ERROR\r5n2N",
    "/ERROR\r5nN",
    "700G?ERROR\r",
    "700G2?ERROR\r",
    "700G?ERROR\rn",
    "700G?ERROR\r3n",
    "700G?ERROR\rN",
    "/line 5\rn/\r",
    "/!line 1\r",
    "/!line 1\rn",
    "/\x0eline\rj",
    "700G/@line 5\r",
    "700G/\x06line 6\r",
    "/*line 7\r",
    "/\x05line 8\r",
    "/\x0bline 9\r",
    "/\x0bline 9\rn",
    "/\x12e 5\r",
    "/\x12e.5\rj",
    "700G/\x17line 5$\r",
    "700G?\x17line 1990$\r",
    "&ERROR\r",
    "&ERROR\rG",
    "&ERROR\r3j&\r",
    "&0$\r&!1\r",
    "&\rg",
    "&!line 1\r",
    "&\rg",
    "&\x12e 5\r",
    "&\rg",
    "/line 55\r\x1bu",
    "/line 12x\x7f3\r",
    "/ine 45\x1bOHl\r",
    "/xx\x15line 46\r",
    "/line 4x8\x1bOD\x7f\r",
    "/line 4x9\x1bOD\x1bOD\x1b[3~\r",
    "/\x1bOA\r",
    "\x1bOC",
    "3\x1bOC",
    "\x1bOC\x1bOC",
    "\x1bOC\x1bOC\x1bOD",
    "\x1b{",
    "\x1b)",
    "\x1b(",
    "5=",
];

/// Keys after `g` that lead to another screen, and why.
const OTHER: &[(&str, &str)] = &[
    ("d", "half a screen is half of the rows with text, without the status line"),
    ("20jy", "y copies the command that prints the screen; k, Ctrl-Y and Ctrl-K go a line up"),
    ("0G", "there is no line 0: it is the first one, as with g"),
    ("/line xx\x1747\r", "Ctrl-W removes a word of a pattern, as in shells"),
    ("50jw", "w wraps or cuts long lines; b goes back"),
    ("/line 2000\r", "the viewer does not show room after the last line"),
];

/// How long a screen that differs may still change.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long the viewer lets keys wait for the screen to which those before them lead.
const TYPED_AHEAD: Duration = Duration::from_secs(1);

/// How often keys are typed on a machine that is too busy.
const TRIES: usize = 4;

struct Pair {
    less: Terminal,
    view: Terminal,
    /// How long the viewer took for the last keys.
    took: Duration,
}

impl Pair {
    fn new(options: &str, text: &str) -> Self {
        let mut less = setup()
            .size(100, 11)
            .file("a", text)
            .variable("LESSHISTFILE", "-")
            .run(&format!("unset LESSOPEN; exec less {options} a"));
        let mut view = setup().size(100, 11).file("a", text).view(&format!("{options} a"));
        for terminal in [&mut less, &mut view] {
            terminal.until("line 1", |terminal| terminal.rows()[0].starts_with("line 1"));
        }
        Pair { less, view, took: Duration::ZERO }
    }

    /// Types into both, again if they differ and the viewer took so long that keys may not have waited for a search.
    fn compare(&mut self, start: &str, keys: &str) -> [Vec<String>; 2] {
        let mut rows = self.type_keys(start, keys);
        for _ in 1..TRIES {
            if rows[0] == rows[1] || self.took < TYPED_AHEAD {
                break;
            }
            rows = self.type_keys(start, keys);
        }
        rows
    }

    /// Types into both; returns what they show afterwards.
    fn type_keys(&mut self, start: &str, keys: &str) -> [Vec<String>; 2] {
        // A message of less waits for Enter. After `=`, everything before it was done.
        self.less.send(&format!("{start}{keys}="));
        self.less.until(keys, |less| less.status().contains("byte "));
        let sent = Instant::now();
        self.view.send(&format!("{start}{keys}="));
        self.view.until(keys, |view| view.status().contains(", bytes "));
        self.took = sent.elapsed();
        let screen = |terminal: &Terminal| terminal.rows()[..10].to_vec();
        let wanted = screen(&self.less);
        // On a busy machine, a search goes on after the keys have waited for it.
        let deadline = Instant::now() + PATIENCE;
        while screen(&self.view) != wanted && Instant::now() < deadline {
            sleep(Duration::from_millis(20));
        }
        let rows = [wanted, screen(&self.view)];
        self.less.send("\r").until("the prompt", |less| !less.status().contains("byte "));
        self.view.send("\x0c").until("no message", |view| !view.status().contains(", bytes "));
        rows
    }
}

#[test]
fn the_keys_of_less_lead_to_the_same_screens() {
    if Command::new("less").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: less is missing");
    }
    let text: String =
        (1..=2000).map(|n| format!("line {n}{}\n", if n % 97 == 0 { " ERROR" } else { "" })).collect();
    let mut pair = Pair::new("", &text);
    let mut wrong = Vec::new();
    let documented = std::fs::read_to_string(root().join("docs/view.md")).unwrap();
    for (keys, why) in OTHER {
        assert!(documented.contains(why), "docs/view.md does not say: {why}");
        let [less, view] = pair.type_keys("g", keys);
        if less == view {
            wrong.push(format!("{keys:?} lead to the same screen, although {why}"));
        }
    }
    for keys in SAME {
        let [less, view] = pair.compare("g", keys);
        // Lines end in blanks, and an empty row is one after the end.
        if less != view {
            wrong.push(format!("{keys:?}: less {:?}, view {:?}", &less[..3], &view[..3]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Keys after the start of the file and of its lines, with `-S` and lines of up to 240 KB.
const CHOPPED: &[&str] = &[
    "j",
    "12j",
    "12j3k",
    "G",
    "G7k",
    "f",
    "2fb",
    "3d",
    "20g",
    "50%",
    "12.5%",
    "10jmaG'a",
    "G''",
    "200000P",
    "\x1bOC",
    "7\x1bOC",
    "7\x1bOC\x1bOC\x1bOC",
    "333\x1bOC\x1bOD",
    "40000\x1bOC",
    "40000\x1bOCj5j",
    "40000\x1bOCG",
    "123456\x1b)\x1b(\x1b)",
    "/needle 35;\r",
    "3/needle\r",
    "/needle\rn",
    "/needle\r3n",
    "/needle\r3nN",
    "/needle\r5n2N",
    "G?needle\r",
    "G2?needle\r",
    "G?needle\rn",
    "/!x\r",
    "/needle\r/line 3\r",
    "/needle\rG?line 2\r",
    "&needle\r",
    "&\rg5j",
    "&!needle\r3j",
    "&\rgG",
    "/line 2\r/\rn",
];

#[test]
fn with_s_a_line_is_one_row_as_in_less() {
    if Command::new("less").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: less is missing");
    }
    let line = |n: usize| {
        let length = if n.is_multiple_of(3) { n * 4000 } else { n };
        // Columns that are a multiple of the width: less shows a match at the edge of a page in part.
        let needle = match n % 7 {
            0 if n < 50 => " ".repeat(length / 300 * 100 + 100) + &format!("needle {n};"),
            _ => String::new(),
        };
        format!("line {n} {:<93}{needle}{}\n", "x", "0123456789,".repeat(length / 11))
    };
    let text: String = (1..=60).map(line).collect();
    let mut pair = Pair::new("-S", &text);
    let mut wrong = Vec::new();
    for keys in CHOPPED {
        let [less, view] = pair.compare("g\x1b{", keys);
        if less != view {
            wrong.push(format!("{keys:?}:\n{}\n{}", less[..3].join("\n"), view[..3].join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
