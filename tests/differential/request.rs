//! Random requests: the words for the program, and the oracles for the answer.

use rread_testkit::rng::Rng;
use serde_json::{Value, json};

use super::texts::Text;

pub struct Request {
    /// The words for the program; `{}` stands for the file.
    pub words: String,
    /// The oracles, whose outputs are joined.
    pub peers: Vec<Peer>,
    pub code: i32,
    pub view: View,
}

/// The oracle for a part of a request.
pub enum Peer {
    Shell(String),
    Python(Value),
}

/// How an answer is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Standard output is exactly the bytes.
    Plain,
    /// It is JSON with this content and these facts.
    Json,
}

/// A range in words, the tools that cut it, and whether it exists.
struct Part {
    words: String,
    tools: String,
    is_there: bool,
}

/// A line number, mostly near an edge of the text.
fn line(rng: &mut Rng, text: &Text) -> u64 {
    let lines = text.lines;
    let at = match rng.below(7) {
        0 => rng.below(4) as u64,
        1 => lines.saturating_sub(rng.below(3) as u64),
        2 => lines + rng.below(3) as u64,
        3 => lines + 1000,
        _ => 1 + rng.below(usize::try_from(lines).unwrap() + 1) as u64,
    };
    at.max(1)
}

fn byte(rng: &mut Rng, text: &Text) -> u64 {
    match rng.below(8) {
        0 => rng.below(9) as u64,
        1 => (text.size + 1).saturating_sub(rng.below(6) as u64),
        2 => (64 << 10) * (1 + rng.below(3) as u64) + rng.below(3) as u64 - 1,
        _ => rng.below(usize::try_from(text.size).unwrap() + 2) as u64,
    }
}

fn line_part(rng: &mut Rng, text: &Text) -> Part {
    let (a, b) = (line(rng, text), line(rng, text));
    let (low, high) = (a.min(b), a.max(b));
    let count = rng.below(40);
    let starts_there = |first: u64| first <= text.lines + 1;
    let (words, tools, is_there) = match rng.below(12) {
        0 if text.ends_with_newline() && !text.bytes.contains(&0) => {
            (format!("{low}:{high}"), format!("awk 'NR >= {low} && NR <= {high}' text"), starts_there(low))
        }
        0 | 1 => (format!("{low}:{high}"), format!("sed -n {low},{high}p text"), starts_there(low)),
        2 => (format!("{a}:"), format!("tail -n +{a} text"), starts_there(a)),
        3 => (format!(":{a}"), format!("head -n {a} text"), true),
        4 => (format!("-{a}:"), format!("tail -n {a} text"), true),
        5 => (format!(":-{a}"), format!("head -n -{a} text"), true),
        6 => (format!("{a}:+{count}"), format!("tail -n +{a} text | head -n {count}"), starts_there(a)),
        7 => (format!("-{a}:+{count}"), format!("tail -n {a} text | head -n {count}"), true),
        8 => (format!("{a}"), format!("sed -n {a}p text"), a <= text.lines || (text.size == 0 && a == 1)),
        9 => (format!("-{a}"), format!("tail -n {a} text | head -n 1"), true),
        10 => (format!("{a}:-{b}"), format!("head -n -{b} text | tail -n +{a}"), starts_there(a)),
        _ => (format!("-{high}:-{low}"), format!("tail -n {high} text | head -n -{low}"), true),
    };
    Part { words, tools, is_there }
}

/// HTTP's form stands for a whole list, so it is only for ranges that are `alone`.
fn byte_part(rng: &mut Rng, text: &Text, alone: bool) -> Part {
    let (a, b) = (byte(rng, text), byte(rng, text));
    let (low, high) = (a.min(b), a.max(b));
    let dd = |start: u64, count: u64| {
        format!(
            "dd if=text bs=64K iflag=skip_bytes,count_bytes,fullblock skip={start} count={count} status=none"
        )
    };
    let starts_there = |start: u64| start <= text.size;
    let (words, tools, is_there) = match rng.below(8) {
        0 | 1 if starts_there(low) => (format!("{low}:{high}"), dd(low, high - low), true),
        0 | 1 => (format!("{low}:{high}"), "true".to_owned(), false),
        2 => (format!("{a}:"), format!("tail -c +{} text", a + 1), starts_there(a)),
        3 => (format!(":{a}"), format!("head -c {a} text"), true),
        4 => (format!("-{}:", a.max(1)), format!("tail -c {} text", a.max(1)), true),
        5 => (format!(":-{}", a.max(1)), format!("head -c -{} text", a.max(1)), true),
        6 if alone => {
            let tools = format!("tail -c +{} text | head -c {}", low + 1, high - low + 1);
            (format!("bytes={low}-{high}"), tools, starts_there(low))
        }
        _ => {
            let (words, count) = (format!("-{}:+{}", a.max(1), b % 5000), b % 5000);
            (words, format!("tail -c {} text | head -c {count}", a.max(1)), true)
        }
    };
    Part { words, tools, is_there }
}

fn plain(words: String, peers: Vec<Peer>, code: i32) -> Request {
    Request { words, peers, code, view: View::Plain }
}

fn of_parts(command: &str, parts: Vec<Part>, separator: &str) -> Request {
    let words: Vec<&str> = parts.iter().map(|part| part.words.as_str()).collect();
    let words = format!("{command} {} --raw", words.join(separator));
    let code = if parts.iter().all(|part| part.is_there) { 0 } else { 5 };
    let peers = parts.into_iter().filter(|part| part.is_there).map(|part| Peer::Shell(part.tools));
    plain(words, peers.collect(), code)
}

fn python(words: String, view: View, question: Value) -> Request {
    Request { words, peers: vec![Peer::Python(question)], code: 0, view }
}

impl Request {
    pub fn any(rng: &mut Rng, text: &Text) -> Self {
        if let Some(encoding) = text.wide {
            return if rng.one_in(4) { bytes(rng, text) } else { lines_in(rng, text, encoding) };
        }
        match rng.below(20) {
            0..4 => of_parts("lines {}", vec![line_part(rng, text)], ","),
            4 => {
                let parts = (0..2 + rng.below(4)).map(|_| line_part(rng, text)).collect();
                of_parts("lines {}", parts, ",")
            }
            5..8 => bytes(rng, text),
            8 => mixed(rng, text),
            9 => context(rng, text),
            10 => header(rng, text),
            11 => backwards(rng, text),
            12 => aligned(rng, text),
            13 => encoded(rng, text),
            14 | 15 => lines_in(rng, text, "utf-8"),
            16 => page(rng, text),
            17 => place(rng, text),
            18 => counts(rng),
            _ => budget(rng, text),
        }
    }
}

fn bytes(rng: &mut Rng, text: &Text) -> Request {
    let count = 1 + rng.below(3);
    let parts = (0..count).map(|_| byte_part(rng, text, count == 1)).collect();
    of_parts("bytes {} --align none", parts, ",")
}

fn mixed(rng: &mut Rng, text: &Text) -> Request {
    let some = |rng: &mut Rng| {
        if rng.one_in(2) {
            return line_part(rng, text);
        }
        let part = byte_part(rng, text, false);
        Part { words: format!("b{}", part.words), ..part }
    };
    let parts = (0..1 + rng.below(5)).map(|_| some(rng)).collect();
    of_parts("ranges {} --align none", parts, " ")
}

fn context(rng: &mut Rng, text: &Text) -> Request {
    let first = 1 + rng.below(usize::try_from(text.lines.max(1)).unwrap()) as u64;
    let last = first + rng.below(5) as u64;
    let (before, after) = (rng.below(5) as u64, rng.below(5) as u64);
    let from = first.saturating_sub(before).max(1);
    let tools = format!("sed -n {from},{}p text", last + after);
    let words = format!("lines {{}} {first}:{last} -B {before} -A {after} --raw");
    plain(words, vec![Peer::Shell(tools)], 0)
}

fn header(rng: &mut Rng, text: &Text) -> Request {
    let header = 1 + rng.below(3) as u64;
    let first = header + 1 + rng.below(usize::try_from(text.lines).unwrap() + 1) as u64;
    if first > text.lines {
        return of_parts("lines {}", vec![line_part(rng, text)], ",");
    }
    let tools = format!("head -n {header} text; sed -n '{first},$p' text");
    plain(format!("lines {{}} {first}: --header {header} --raw"), vec![Peer::Shell(tools)], 0)
}

/// Ranges whose start is after their end.
fn backwards(rng: &mut Rng, text: &Text) -> Request {
    let (a, more) = (line(rng, text), 1 + rng.below(9) as u64);
    let words = match rng.below(4) {
        0 => format!("lines {{}} {}:{a} --raw", a + more),
        1 => format!("lines {{}} -{a}:-{} --raw", a + more),
        2 => format!("bytes {{}} {}:{a} --raw", a + more),
        _ => format!("ranges {{}} 1 b-{a}:-{} --raw", a + more),
    };
    plain(words, Vec::new(), 2)
}

fn aligned(rng: &mut Rng, text: &Text) -> Request {
    let (a, b) = (byte(rng, text).min(text.size), byte(rng, text));
    let (start, end) = (a.min(b), a.max(b));
    let align = if rng.one_in(2) { "expand" } else { "shrink" };
    let question = json!({"op": "cut", "start": start, "end": end.min(text.size), "align": align});
    python(format!("bytes {{}} {start}:{end} --align {align} --raw"), View::Plain, question)
}

fn encoded(rng: &mut Rng, text: &Text) -> Request {
    let start = byte(rng, text).min(text.size);
    let count = rng.below(5000) as u64;
    let code = if rng.one_in(2) { "hex" } else { "base64" };
    let question = json!({"op": "encode", "start": start, "end": start + count, "code": code});
    python(format!("bytes {{}} {start}:+{count} --encode {code} --raw"), View::Plain, question)
}

/// Lines as they are, decoded, with their numbers, and in JSON.
fn lines_in(rng: &mut Rng, text: &Text, encoding: &str) -> Request {
    let first = line(rng, text).min(text.lines + 1);
    let last = first + rng.below(60) as u64;
    let (options, kind, view) = match rng.below(4) {
        0 => ("--raw", "raw", View::Plain),
        1 => ("-f text", "text", View::Plain),
        2 => ("-f text -n", "numbered", View::Plain),
        _ => ("--json", "text", View::Json),
    };
    let question = json!({"op": "lines", "first": first, "last": last, "as": kind, "encoding": encoding});
    python(format!("lines {{}} {first}:{last} {options}"), view, question)
}

fn page(rng: &mut Rng, text: &Text) -> Request {
    let size = rng.pick(&[4, 100, 4000, 4096, 65_536, 100_000]);
    let pages = text.size.div_ceil(size).max(1);
    let page = 1 + rng.below(usize::try_from(pages).unwrap()) as u64;
    let question = json!({"op": "page", "page": page, "size": size});
    python(format!("page {{}} {page} --page-size {size} --json"), View::Json, question)
}

fn place(rng: &mut Rng, text: &Text) -> Request {
    if text.size == 0 {
        return counts(rng);
    }
    if rng.one_in(2) {
        let byte = byte(rng, text).min(text.size - 1);
        let words = format!("where {{}} --byte {byte} --json");
        return python(words, View::Json, json!({"op": "where_byte", "byte": byte}));
    }
    let line = line(rng, text).min(text.lines);
    python(format!("where {{}} --line {line} --json"), View::Json, json!({"op": "where_line", "line": line}))
}

fn counts(rng: &mut Rng) -> Request {
    let words = "stat {} --count --json".to_owned();
    if rng.one_in(2) {
        return python(words, View::Json, json!({"op": "count"}));
    }
    let tools = "echo '{' && wc -c < text | sed 's/.*/\"total\": &,/' && \
                 { cat text; tail -c 1 text | sed -n 's/.$/&\\n/p'; } | wc -l | sed 's/.*/\"lines\": &}/'";
    Request { words, peers: vec![Peer::Shell(tools.to_owned())], code: 0, view: View::Json }
}

fn budget(rng: &mut Rng, text: &Text) -> Request {
    let first = line(rng, text).min(text.lines + 1);
    if rng.one_in(2) || !text.is_utf8() {
        let most = 1 + rng.below(30);
        let tools = format!("tail -n +{first} text | head -n {most}");
        let words = format!("lines {{}} {first}: --max-lines {most} --raw");
        return plain(words, vec![Peer::Shell(tools)], 0);
    }
    let most = 8 + rng.below(10_000);
    let question = json!({"op": "budget", "first": first, "most": most});
    python(format!("lines {{}} {first}: --max-bytes {most} --raw"), View::Plain, question)
}
