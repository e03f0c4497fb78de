//! Whole records and blocks, and the lines that enclose a match.

use predicates::str::contains;
use rread_testkit::pack::Pack;
use rread_testkit::sandbox::Sandbox;

const LOG: &str = "2026-03-03 10:00:00 ERROR a\njava.io.IOException: x\n\tat Q.r(Q.java:1)\n2026-03-03 10:00:01 INFO b\n\
    2026-03-03 10:00:02 INFO c\n2026-03-03 10:00:03 ERROR d\njava.io.IOException: y\n\tat Z\n";

fn text(sandbox: &Sandbox, line: &str) -> String {
    sandbox.line(&format!("search {line} -f text")).text().to_owned()
}

/// The numbers of the lines of `text`.
fn numbers(text: &str) -> Vec<u64> {
    let number = |line: &str| line.split([':', '-', '=']).next().and_then(|number| number.parse().ok());
    text.lines().filter_map(number).collect()
}

#[test]
fn a_record_is_matched_counted_and_shown_as_a_whole() {
    let sandbox = Sandbox::new();
    sandbox.file("t.log", LOG);
    sandbox.file("t.log.gz", Pack::Gzip.of(LOG.as_bytes()));
    for file in ["t.log", "t.log.gz"] {
        for (options, lines) in [
            ("IOException", vec![1, 2, 3, 6, 7, 8]),
            ("IOException -m 1", vec![1, 2, 3]),
            ("IOException -m 1 -A 1", vec![1, 2, 3, 4]),
            ("IOException -B 1", vec![1, 2, 3, 5, 6, 7, 8]),
            ("-v IOException", vec![4, 5]),
            ("-v IOException -m 1", vec![4]),
            ("at -m 1 -C 2", vec![1, 2, 3, 4, 5]),
            ("IOException|INFO -m 1 -A 2", vec![1, 2, 3, 4, 5]),
            ("INFO", vec![4, 5]),
        ] {
            assert_eq!(
                numbers(&text(&sandbox, &format!("{options} {file} --unit record"))),
                lines,
                "{options} {file}"
            );
        }
        for (options, count) in
            [("-c IOException", "2\n"), ("-vc IOException", "2\n"), ("-c IOException|at", "2\n")]
        {
            assert_eq!(text(&sandbox, &format!("{options} {file} --unit record")), count, "{options}");
        }
    }
    let answer = sandbox.line("search IOException t.log --unit record --json").ok().json();
    assert_eq!(answer["segments"][0]["metadata"]["actual_range"]["end_line"], 3);
    assert_eq!(answer["segments"][0]["metadata"]["matches"][0]["line"], 2);
    assert_eq!(answer["metadata"]["matched_units"], 2, "{answer}");
    let hashed = text(&sandbox, "y t.log --unit record --hash");
    assert!(hashed.starts_with("6#") && hashed.lines().count() == 3, "{hashed}");
    let next = sandbox.line("search IOException t.log --unit record -m 1").ok().document();
    assert!(
        next.fact("next").contains("--unit record") && next.fact("next").contains("--in 4:"),
        "{}",
        next.fact("next")
    );
    sandbox.file("blank", "2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n\n2026-01-01T00:00:03Z c\n");
    assert_eq!(numbers(&text(&sandbox, "c blank --unit record -B 1")), [2, 3, 4]);
    sandbox.file("plain", "a\nb\n");
    sandbox.line("search a plain --unit record").refused(6).says(contains("--unit block"));
    sandbox.line("search a t.log --unit record -o").refused(2);
    // What says how times are read is taken without a window; what only a window needs is not.
    sandbox.line("search IOException t.log --unit record --tz UTC --year 2026").ok();
    sandbox.line("search IOException t.log --unit record --scan").refused(2).says(contains("--scan"));
}

/// The numbers of the lines of all answers on the way from `line` along `next`, each once.
fn along_next(sandbox: &Sandbox, line: &str, budget: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut call = line.to_owned();
    for _ in 0..1000 {
        let words = format!("{call} {budget}");
        let run = sandbox.run(words.split(' ').map(|word| word.trim_matches('\'')));
        if run.code == 1 {
            break;
        }
        let document = run.ok().document();
        found.extend(numbers(&document.content));
        call = document.fact("next").to_owned();
        if call.is_empty() {
            found.sort_unstable();
            found.dedup();
            return found;
        }
    }
    panic!("{line} {budget}: {call} goes on for ever, or has no match");
}

#[test]
fn along_next_no_line_of_a_unit_is_lost() {
    let sandbox = Sandbox::new();
    let mut log = String::new();
    for record in 0..40u32 {
        log += &format!("2026-03-03 10:00:{record:02} ERROR {record}\n");
        for line in 0..record % 7 {
            log += &format!("\tat step {line} of {}\n", if record % 3 == 0 { "needle" } else { "hay" });
        }
    }
    sandbox.file("t.log", &log);
    let code: String = (0..30)
        .map(|n| {
            format!("def f{n}():\n    a = {n}\n    if a:\n        needle({n})\n    b = a\n    return b\n\n")
        })
        .collect();
    sandbox.file("code.py", &code);
    for (line, sizes) in [
        ("search needle t.log --unit record", &["--max-lines 1", "--max-lines 3", "--max-bytes 80"][..]),
        ("search -v needle t.log --unit record", &["--max-lines 1", "--max-lines 3"]),
        ("search needle t.log --unit record -m 3", &["--max-lines 2", "--max-bytes 200"]),
        ("search needle code.py --unit block", &["--max-lines 1", "--max-lines 4", "--max-bytes 100"]),
        ("search f11|needle code.py --unit block", &["--max-lines 5"]),
    ] {
        let whole = along_next(&sandbox, line, "--max-lines 1000");
        for budget in sizes {
            assert_eq!(along_next(&sandbox, line, budget), whole, "{line} {budget}");
        }
    }
}

#[test]
fn a_unit_that_fits_comes_whole() {
    let sandbox = Sandbox::with("t.log", LOG);
    let first = sandbox.line("search IOException t.log --unit record --max-lines 5").ok().document();
    assert!(first.fact("next").ends_with("--in 6:"), "{}", first.fact("next"));
    let rest = sandbox.line("search IOException t.log --unit record --in 8:").ok().document();
    assert_eq!(rest.content, "8-\tat Z\n");
}

#[test]
fn records_of_a_format_that_no_sample_has_are_learnt() {
    let time = |n: u32| format!("{:02}:{:02}:{:02}", n / 3600, n / 60 % 60, n % 60);
    let many = |from: u32| -> String {
        (from..from + 6000)
            .map(|n| format!("2026-03-03 {} some words that make the line longer\n", time(n)))
            .collect()
    };
    let few = "[03/Mar/2026:01:40:00 +0000] other a\n\tat x\n[03/Mar/2026:01:40:00 +0000] other b\n";
    let sandbox = Sandbox::with("t.log", many(0) + few + &many(6001));
    let run = sandbox.line("search other t.log --unit record --raw").ok();
    assert_eq!(run.text(), few);
    let run = sandbox.line("search other t.log --unit record -c --raw").ok();
    assert_eq!(run.text(), "2\n");
}

#[test]
fn a_record_that_is_longer_than_is_looked_at_is_said() {
    let long =
        format!("2026-03-03 10:00:00 a\n{}needle\n2026-03-03 10:00:01 b\n", "some text\n".repeat(500_000));
    let sandbox = Sandbox::with("t.log", &long);
    let run = sandbox.line("search needle t.log --unit record --max-lines 3 --json");
    assert!(run.stderr.contains("a record is longer than 4 MiB"), "{}", run.stderr);
    let run = sandbox.line("search needle t.log --unit record -c --raw");
    assert_eq!(run.text(), "1\n");
}

#[test]
fn files_without_times_and_without_a_match_are_searched() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).unwrap();
    for n in 0..40 {
        sandbox.file(&format!("d/{n}.txt"), "no times\n");
    }
    sandbox.file("d/a.log", LOG);
    sandbox.file("d/z.txt", "IOException without a time\n");
    let answer = sandbox.line("search IOException d --unit record --json").json();
    assert_eq!(answer["metadata"]["left_out"]["without_times"], 1, "{answer}");
    sandbox.file("empty", "");
    assert_eq!(sandbox.line("search x empty --unit record").code, 1);
}

#[test]
fn a_block_is_what_indentation_brackets_and_headings_enclose() {
    let sandbox = Sandbox::new();
    let python = "import x\n\n\n@cached\n# why\ndef f(a,\n      b):\n    if a:\n        return b\n    return '''\nno end\n'''\n\n\nclass C:\n    y = 1\n\n    def m(self):\n        for z in self:\n            z()\n\n    def n(self):\n        pass\n";
    let rust = "use a;\n\n/// Doc.\n#[inline]\nfn one() {\n    let s = \"}\";\n#[cfg(x)]\n    two();\n}\n\nimpl A {\n    fn b(&self)\n    where\n        A: B,\n    {\n        match self {\n            x => y,\n        }\n    }\n\n    fn c() {}\n}\n";
    let c = "#include <a.h>\n\n/* why */\nstatic int\nfoo(int a,\n    int b)\n{\n#ifdef X\n\tif (a) {\n\t\tgoto out;\n\t}\n#endif\nout:\n\treturn 1;\n}\n\nint bar(void)\n{\n\treturn 2;\n}\n";
    let js = "const a = 1;\n\nexport async function load(id) {\n  const t = `\n}`;\n  return fetch(id).then((r) => {\n    return r.json();\n  });\n}\n\nclass V {\n  draw() {\n    if (x) {\n      y();\n    }\n  }\n}\n";
    let yaml = "services:\n  web:\n    image: nginx\n    ports:\n      - '80:80'\n  db:\n    image: pg\n";
    let ini = "[pool a]\n# Sizes.\nmin = 1\nmax = 2\nmode = on\n\n[pool.b]\nmin = 3\nmax = 4\n";
    let toml = "top = 1\n\n[a]\nx = 1\n\n[a.b]\ny = [\n  1,\n]\n\n[c]\nz = 1\n";
    let markdown = "# Title\n\nIntro.\n\n## One\n\n```sh\n# no heading\n```\n\ntext\n\n## Two\n\nmore\n";
    let ruby =
        "module M\n  # says\n  def hi\n    if x\n      y\n    end\n  end\n\n  def ho\n    z\n  end\nend\n";
    for (name, content, pattern, lines) in [
        ("a.py", python, "return b", 4..=12),
        ("a.py", python, "no end", 4..=12),
        ("a.py", python, "z\\(\\)", 18..=20),
        ("a.py", python, "class C", 15..=23),
        ("a.py", python, "import", 1..=1),
        ("a.rs", rust, "two", 3..=9),
        ("a.rs", rust, "x => y", 12..=19),
        ("a.rs", rust, "fn c", 21..=21),
        ("a.c", c, "return 1", 3..=15),
        ("a.c", c, "goto", 3..=15),
        ("a.c", c, "return 2", 17..=20),
        ("a.js", js, "r.json", 3..=9),
        ("a.js", js, "y\\(", 12..=16),
        ("a.yaml", yaml, "nginx", 2..=5),
        ("a.yaml", yaml, "80:80", 4..=5),
        ("a.toml", toml, "  1", 6..=9),
        ("a.toml", toml, "x = 1", 3..=4),
        ("a.ini", ini, "\\[pool a", 1..=5),
        ("a.ini", ini, "max = 2", 1..=5),
        ("a.ini", ini, "max = 4", 7..=9),
        ("a.md", markdown, "^text", 5..=11),
        ("a.md", markdown, "Intro", 1..=3),
        ("a.md", markdown, "## Two", 13..=15),
        ("a.rb", ruby, "y$", 2..=7),
        ("a.rb", ruby, "z", 9..=11),
    ] {
        sandbox.file(name, content);
        let run = sandbox.run(["search", pattern, name, "--unit", "block", "-f", "text"]);
        let found = numbers(run.text());
        let expected: Vec<u64> = lines.collect();
        // Blank lines at the end of a section may belong to it.
        assert!(found.starts_with(&expected) && found.len() <= expected.len() + 1, "{name} {pattern}: {run}");
    }
}

#[test]
fn the_lines_that_enclose_a_match_are_above_it() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "a.py",
        "class C:\n    def m(self):\n        if x:\n            y()\n\n    def n(self):\n        y()\n",
    );
    sandbox.file("a.yaml", "services:\n  web:\n    ports:\n      - '80:80'\n");
    let found = text(&sandbox, "--enclosing y\\( a.py");
    assert_eq!(
        found,
        "1=class C:\n2=    def m(self):\n4:            y()\n6=    def n(self):\n7:        y()\n"
    );
    assert_eq!(numbers(&text(&sandbox, "--enclosing 80 a.yaml")), [1, 2, 3, 4]);
    let around = text(&sandbox, "--enclosing -B 1 y\\( a.py -m 1");
    assert_eq!(numbers(&around), [1, 2, 3, 4]);
}
