//! The options of rg: what each of them shows, beside others, and which of two that exclude each other counts.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary};

use super::{number, slashed};

/// The words of a line, in which `'` quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match (c, words.last_mut()) {
            ('\'', _) => is_quoted = !is_quoted,
            (' ', _) if !is_quoted => words.push(String::new()),
            (c, Some(word)) => word.push(c),
            (_, None) => {}
        }
    }
    words
}

fn search(sandbox: &Sandbox, line: &str) -> Run {
    sandbox.run([vec!["search".to_owned()], words(line)].concat())
}

fn world() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["d/sub/deep", "d/.hidden", "d/.git"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    sandbox.file("f", "  foo bar foo\nbaz\n\tfoo\n");
    sandbox.file("g", "nothing\n");
    sandbox.file("d/a.rs", "needle rs\n");
    sandbox.file("d/b.py", "needle py\n");
    sandbox.file("d/sub/c.rs", "needle sub\n");
    sandbox.file("d/sub/deep/e.txt", "needle deep\n");
    sandbox.file("d/.hidden/h.rs", "needle hidden\n");
    sandbox.file("d/ignored.log", "needle ignored\n");
    sandbox.file("d/.gitignore", "*.log\n");
    sandbox.file("d/dot.tmp", "needle dot\n");
    sandbox.file("d/.rgignore", "*.tmp\n");
    sandbox.file("d/bin", b"needle\0\0\0\x01\x02\n");
    sandbox.file("pat", "bar\nbaz\n");
    sandbox
}

/// The words after `rread search -f text`, and the output.
const SHOWN: &[(&str, &str)] = &[
    ("-o foo f", "1:foo\n1:foo\n3:foo\n"),
    ("-oN foo f", "foo\nfoo\nfoo\n"),
    ("-o 'o b|a' f", "1:o b\n1:a\n2:a\n"),
    ("-ob foo f", "1:2:foo\n1:10:foo\n3:19:foo\n"),
    ("-b foo f", "1:0:  foo bar foo\n3:18:\tfoo\n"),
    ("--column foo f", "1:3:  foo bar foo\n3:2:\tfoo\n"),
    ("--column -N foo f", "3:  foo bar foo\n2:\tfoo\n"),
    ("--vimgrep foo f", "f:1:3:  foo bar foo\nf:1:11:  foo bar foo\nf:3:2:\tfoo\n"),
    ("--vimgrep -o foo f", "f:1:3:foo\nf:1:11:foo\nf:3:2:foo\n"),
    ("--vimgrep -I --no-column foo f", "1:  foo bar foo\n1:  foo bar foo\n3:\tfoo\n"),
    ("-r X foo f", "1:  X bar X\n3:\tX\n"),
    ("-r '[$1]' '(f)oo' f", "1:  [f] bar [f]\n3:\t[f]\n"),
    ("-r '$name-' '(?P<name>ba)' f", "1:  foo ba-r foo\n2:ba-z\n"),
    ("-or '<$0>' 'ba.' f", "1:<bar>\n2:<baz>\n"),
    ("-r '' foo f", "1:   bar \n3:\t\n"),
    ("-r ! $ f", "1:  foo bar foo!\n2:baz!\n3:\tfoo!\n"),
    ("--trim foo f", "1:foo bar foo\n3:foo\n"),
    ("--trim --no-trim foo f", "1:  foo bar foo\n3:\tfoo\n"),
    ("--trim -r X foo f", "1:X bar X\n3:X\n"),
    ("--passthru baz f", "1-  foo bar foo\n2:baz\n3-\tfoo\n"),
    ("--passthru nosuch f", "1-  foo bar foo\n2-baz\n3-\tfoo\n"),
    ("--passthru -r X baz f", "1-  foo bar foo\n2:X\n3-\tfoo\n"),
    ("--passthru -C0 baz f", "2:baz\n"),
    ("-N foo f", "  foo bar foo\n\tfoo\n"),
    ("-N -n foo f", "1:  foo bar foo\n3:\tfoo\n"),
    ("-n -N foo f", "  foo bar foo\n\tfoo\n"),
    ("--no-line-number --line-number baz f", "2:baz\n"),
    ("-H baz f", "f:2:baz\n"),
    ("-I baz f g", "2:baz\n"),
    ("-I -H baz f g", "f:2:baz\n"),
    ("--heading baz f g", "f\n2:baz\n"),
    ("--heading ba f pat", "f\n1:  foo bar foo\n2:baz\n\npat\n1:bar\n2:baz\n"),
    ("--heading --no-heading baz f g", "f:2:baz\n"),
    ("-C1 --context-separator '**' 'bar|d' f", "1:  foo bar foo\n2-baz\n"),
    ("-A0 -B0 -C0 foo f", "1:  foo bar foo\n3:\tfoo\n"),
    ("--field-match-separator '|' baz f", "2|baz\n"),
    ("-C1 --field-context-separator '\\t' baz f", "1\t  foo bar foo\n2:baz\n3\t\tfoo\n"),
    ("-c foo f", "2\n"),
    ("--count-matches foo f", "3\n"),
    ("-co foo f", "3\n"),
    ("--count-matches -v foo f", "1\n"),
    ("-c foo f g", "f:2\n"),
    ("-c --include-zero foo f g", "f:2\ng:0\n"),
    ("-c -l foo f", "f\n"),
    ("-l -c foo f", "2\n"),
    ("--files-without-match foo f g", "g\n"),
    ("-l --files-without-match foo f g", "g\n"),
    ("-q foo f", ""),
    ("-q --files-without-match foo f g", ""),
    ("-i -s FOO f", ""),
    ("-s -i FOO f", "1:  foo bar foo\n3:\tfoo\n"),
    ("-i -S Foo f", ""),
    ("-S -i Foo f", "1:  foo bar foo\n3:\tfoo\n"),
    ("-v --no-invert-match baz f", "2:baz\n"),
    ("-F --no-fixed-strings 'b.z' f", "2:baz\n"),
    ("-f pat f", "1:  foo bar foo\n2:baz\n"),
    ("-fpat -o f", "1:bar\n2:baz\n"),
    ("-vf pat f", "3:\tfoo\n"),
    ("-f pat -e foo -o f", "1:foo\n1:bar\n1:foo\n2:baz\n3:foo\n"),
    ("-U 'foo\\nbaz' f", "1:  foo bar foo\n2:baz\n"),
    ("-Uo 'foo\\nbaz' f", "1:foo\n2:baz\n"),
    ("-U -r X 'foo\\nbaz' f", "1:  foo bar X\n"),
    ("-U -r '<$0>' 'foo\\nbaz' f", "1:  foo bar <foo\n2:baz>\n"),
    ("-U -r X 'o\\nb' f", "1:  foo bar foXaz\n"),
    ("-U -r , '\\n' f", "1:  foo bar foo,baz,\tfoo,\n"),
    ("-Uc 'o\\s' f", "3\n"),
    ("-Uv 'foo\\nbaz' f", "3:\tfoo\n"),
    ("-U --multiline-dotall 'bar.*foo' f", "1:  foo bar foo\n2:baz\n3:\tfoo\n"),
    ("-U 'bar.*foo' f", "1:  foo bar foo\n"),
    ("-U --no-multiline baz f", "2:baz\n"),
    ("-M 9 foo f", "1:  foo bar…\n1:b9:… foo\n3:\tfoo\n"),
    ("-M 9 -M 0 baz f", "2:baz\n"),
    ("-oM 9 bar f", "1:b3:…oo bar fo…\n"),
    ("--no-unicode -o '\\w+z' f", "2:baz\n"),
    // What rread does anyway.
    ("--mmap --no-mmap -j2 --line-buffered --crlf --no-config --engine default baz f", "2:baz\n"),
];

/// The same of directories; in the order of their paths.
const WALKED: &[(&str, &str)] = &[
    ("-o needle d -g '*.rs'", "d/a.rs:1:needle\nd/sub/c.rs:1:needle\n"),
    ("-o needle d -g '!*.rs'", "d/b.py:1:needle\nd/sub/deep/e.txt:1:needle\n"),
    ("-o needle d -g '*.rs' -g '!a*'", "d/sub/c.rs:1:needle\n"),
    ("-o needle d --iglob '*.RS' -d1", "d/a.rs:1:needle\n"),
    ("-o needle d -g '*.RS' --glob-case-insensitive -d1", "d/a.rs:1:needle\n"),
    ("-l needle d -trust", "d/a.rs\nd/sub/c.rs\n"),
    ("-l needle d -T rust", "d/b.py\nd/sub/deep/e.txt\n"),
    ("-l needle d -t py -t txt", "d/b.py\nd/sub/deep/e.txt\n"),
    ("-l needle d --type-add 'mine:*.py' -t mine", "d/b.py\n"),
    ("-l needle d -d 1", "d/a.rs\nd/b.py\n"),
    ("-l needle d --max-depth 2", "d/a.rs\nd/b.py\nd/sub/c.rs\n"),
    ("-l needle d --sortr path", "d/sub/deep/e.txt\nd/sub/c.rs\nd/b.py\nd/a.rs\n"),
    ("-l needle d --hidden", "d/.hidden/h.rs\nd/a.rs\nd/b.py\nd/sub/c.rs\nd/sub/deep/e.txt\n"),
    ("-l needle d -. --no-hidden -d1", "d/a.rs\nd/b.py\n"),
    ("-l needle d --no-ignore-vcs -d1", "d/a.rs\nd/b.py\nd/ignored.log\n"),
    ("-l needle d --no-ignore-dot -d1", "d/a.rs\nd/b.py\nd/dot.tmp\n"),
    ("-l needle d --no-ignore -d1", "d/a.rs\nd/b.py\nd/dot.tmp\nd/ignored.log\n"),
    ("-l needle d --no-ignore --ignore -d1", "d/a.rs\nd/b.py\n"),
    ("-l needle d -u -d1", "d/a.rs\nd/b.py\nd/dot.tmp\nd/ignored.log\n"),
    ("-l needle d -uuu -g '!sub'", "d/.hidden/h.rs\nd/a.rs\nd/b.py\nd/bin\nd/dot.tmp\nd/ignored.log\n"),
    ("-l needle d --binary -d1", "d/a.rs\nd/b.py\nd/bin\n"),
    ("-l needle d --max-filesize 10 -d1", "d/a.rs\nd/b.py\n"),
    ("-l needle d --max-filesize 9", ""),
    ("-l needle d --ignore-file ign", "d/b.py\nd/sub/deep/e.txt\n"),
    ("--files d -g '*.py'", "d/b.py\n"),
    ("--files d -t rust --sortr path", "d/sub/c.rs\nd/a.rs\n"),
    ("--files -0 d -d1", "d/a.rs\0d/b.py\0d/bin\0"),
    ("--files f d -d1 -q", ""),
    ("--files-without-match rs d -d1", "d/b.py\n"),
    ("-c --include-zero rs d -d1", "d/a.rs:1\nd/b.py:0\n"),
    ("--passthru rs d -d1", "d/a.rs:1:needle rs\nd/b.py-1-needle py\n"),
];

#[test]
fn each_option_shows_what_it_shows_in_rg() {
    let sandbox = world();
    sandbox.file("ign", "*.rs\n");
    for (words, expected) in SHOWN.iter().chain(WALKED) {
        let run = search(&sandbox, &format!("-f text {words}"));
        assert_eq!(slashed(&run), *expected, "{words}: {run}");
        let is_silent = words.starts_with("-q") || words.contains(" -q");
        assert!(is_silent || (run.code == 0) != expected.is_empty() || words.contains("nosuch"), "{words}");
    }
}

#[test]
fn without_file_the_working_directory_is_searched() {
    let sandbox = world();
    let at = |line: &str| {
        let mut command = Command::new(binary());
        command.at_home(&sandbox.home()).current_dir(sandbox.path("")).stdin(Stdio::null());
        let output = command.args(["search", "-f", "text"]).args(words(line)).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    if cfg!(unix) {
        assert_eq!(at("-l needle -g '*.rs'"), "d/a.rs\nd/sub/c.rs\n");
        assert_eq!(at("--files -g '*.py'"), "d/b.py\n");
    }
    // A pipe is standard input.
    assert_eq!(sandbox.piped("search -f text baz", "bar\nbaz\n").text(), "2:baz\n");
    let patterns = sandbox.piped("search -l -f text -f -", "bar\n");
    assert_eq!(patterns.text(), "f\npat\n");
}

#[cfg(unix)]
#[test]
fn links_are_followed_if_the_user_says_so() {
    let sandbox = world();
    std::os::unix::fs::symlink(sandbox.path("d/sub"), sandbox.path("link")).unwrap();
    fs::create_dir(sandbox.path("dir")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("d/sub"), sandbox.path("dir/link")).unwrap();
    assert_eq!(sandbox.line("search -l needle dir -f text").text(), "");
    let followed = sandbox.line("search -lL needle dir -f text");
    assert_eq!(followed.text(), "dir/link/c.rs\ndir/link/deep/e.txt\n");
    assert_eq!(sandbox.line("search -L --no-follow -l needle dir -f text").text(), "");
}

#[test]
fn a_list_has_a_receipt_and_a_budget() {
    let sandbox = world();
    let document = sandbox.line("search --files d --max-lines 2").ok().document();
    assert_eq!((number(&document, "listed"), number(&document, "total")), (2, 5));
    let (a, b) = (Path::new("d").join("a.rs"), Path::new("d").join("b.py"));
    let expected = format!("{}\n{}\n", a.display(), b.display());
    assert_eq!((document.fact("truncated"), &document.content), ("true", &expected));
    let json = sandbox.line("search --type-list --json").ok().json();
    assert!(json["content"].as_str().unwrap().contains("\nrust: *.rs\n"), "{json}");
    assert_eq!(json["metadata"]["listed"], json["metadata"]["total"]);
}

#[test]
fn matches_alone_are_within_the_budget_and_go_on_inside_a_line() {
    let sandbox = Sandbox::with("t", "one match and match and match\nmatch\nnone\nmatch match\n");
    let (mut all, mut next) = (String::new(), "-o match t --max-lines 2".to_owned());
    for _ in 0..4 {
        let document = search(&sandbox, &next).ok().document();
        all += &document.content;
        let Some(rest) = document.fact("next").strip_prefix("search ") else { break };
        next = format!("{rest} --max-lines 2");
    }
    assert_eq!(all, "1:match\n1:match\n1:match\n2:match\n4:match\n4:match\n");
    let json = sandbox.line("search -o match t --json --max-lines 4").ok().json();
    assert_eq!(json["segments"][0]["content"], "match\nmatch\nmatch\nmatch\n");
    assert_eq!(json["segments"][0]["metadata"]["matches"].as_array().unwrap().len(), 4, "{json}");
}

#[test]
fn the_sums_of_raw_and_text_are_those_of_the_receipt() {
    let sandbox = world();
    let run = sandbox.line("search --stats foo f g -f text");
    for sum in ["3 matches", "2 matched lines", "1 files contained matches", "2 files searched"] {
        assert!(run.text().lines().any(|line| line == sum), "{sum}: {run}");
    }
    assert!(!sandbox.line("search --stats foo f").text().contains("files searched"));
    assert!(sandbox.line("search -q --stats foo f -f text").ok().text().contains("\n3 matches\n"));
}

#[test]
fn what_is_left_out_is_refused_with_a_sentence() {
    let sandbox = world();
    for (words, why, hint) in [
        ("-P foo f", "Rust regex crate", "rread search foo f"),
        ("-P '(?<=x)foo' f", "Rust regex crate", "rread search --help"),
        ("--pcre2 foo f", "Rust regex crate", "rread search foo f"),
        ("--include='*.rs' foo d", "-g is its name", "rread search -g '*.rs' foo d"),
        ("--exclude '*.rs' foo d", "leaves files", "rread search -g '!*.rs' foo d"),
    ] {
        let run = search(&sandbox, words);
        assert_eq!(run.code, 2, "{words}");
        let errors = run.stderr;
        assert!(errors.contains(why) && errors.contains(&format!("hint: {hint}\n")), "{words}: {errors}");
    }
    for (words, why) in [
        ("-t nosuch foo d", "'nosuch' is not a type of files"),
        ("-g '[x' foo d", "the glob is not valid"),
        ("--type-add x foo d", "NAME:GLOB"),
        ("--hash -o foo f", "--hash is of whole lines, and --only-matching changes them"),
        ("--engine pcre2 foo f", "'pcre2' is not a value of --engine"),
        ("-U --last 2 foo f", "cannot be used with"),
        ("-g '*.nosuch' foo d", "leave no file to search"),
    ] {
        let run = search(&sandbox, words);
        assert!(run.code > 0 && run.stderr.contains(why), "{words}: {run}");
    }
}

#[test]
fn of_several_lines_the_last_match_that_counts_is_whole_and_the_next_is_not_shown() {
    let sandbox = Sandbox::with("v", "x1\n2x 3\n4 5\nend\nx1\n2x\nend\n");
    for (options, shown) in [("-m1", "1:x1\n2:2x 3\n3:4 5\n"), ("-m2", "1:x1\n2:2x 3\n3:4 5\n5:x1\n6:2x\n")] {
        for format in ["text", "frontmatter"] {
            let run = sandbox.run(["search", "-U", options, "x1\\n2x|3\\n4", "v", "-f", format]).ok();
            let content = if format == "text" { run.text().to_owned() } else { run.document().content };
            assert_eq!(content, shown, "{options} {format}");
        }
    }
    let next =
        sandbox.run(["search", "-U", "-m1", "x1\\n2x|3\\n4", "v"]).ok().document().fact("next").to_owned();
    assert!(next.ends_with("--in 4:"), "{next}");
}

#[test]
fn each_line_of_a_replaced_match_has_its_number() {
    let sandbox = Sandbox::with("m", "x\nbegin 1\nmid\nend 1\nx\nbegin 2\nend 2\n");
    let run = sandbox.run(["search", "-U", "-o", "-r", "[$0]", "-f", "text", r"(?s)begin.*?end \d", "m"]);
    assert_eq!(run.ok().text(), "2:[begin 1\n3:mid\n4:end 1]\n6:[begin 2\n7:end 2]\n");
}
