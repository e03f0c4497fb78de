//! Command lines of other tools after `rread`: each hint runs, and has the output of the tool.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use rread::internals::cli::{HABITS, Habit};
use rread_testkit::sandbox::{AtHome, Sandbox, binary, numbered};

/// Lines of `f`, `g` and `crlf`; each hint has the tool's output, with `--raw` where the hint does not say the form.
const SAME: &[&str] = &[
    "tail -n 5 f",
    "tail -5 f",
    "tail -n5 f",
    "tail --lines=5 f",
    "tail --lines 5 f",
    "tail f",
    "tail -n +5 f",
    "tail -n+95 f",
    "tail --lines=+95 f",
    "tail +95 f",
    "tail -n 1000 f",
    "tail -c 20 f",
    "tail -c20 f",
    "tail --bytes=20 f",
    "tail -c +5 f",
    "tail -c +1 f",
    "tail --bytes=+50 f",
    "tail -c 1K f",
    "tail -n -3 f",
    "head f",
    "head -n 3 f",
    "head -3 f",
    "head -n3 f",
    "head --lines=3 f",
    "head -n -3 f",
    "head --lines=-95 f",
    "head -c 20 f",
    "head -c -20 f",
    "head --bytes 7 f",
    "head -c 1K f",
    "head -n 1000 f",
    "cat f",
    "zcat f.gz",
    "sed -n 10,20p f",
    "sed -n '10,20p;20q' f",
    "sed -n 7p f",
    "sed -n '10,+5p' f",
    "sed -n '90,$p' f",
    "sed -n '$p' f",
    "sed -n '/5/p' f",
    "sed -n '/5/!p' f",
    "sed -n -e 3p f",
    "sed -ne 3p f",
    "sed 5q f",
    "sed 1,5d f",
    "sed '$d' f",
    "sed '5!d' f",
    "sed '3,7!d' f",
    "sed /5/d f",
    "sed '/5/!d' f",
    "sed -nE '/1|2/p' f",
    "sed -n -r '/(1|2)$/p' f",
    "sed --quiet 4p f",
    "awk NR==5 f",
    "awk 'NR>=5 && NR<=10' f",
    "awk 'NR==5,NR==10' f",
    "awk 'NR>95' f",
    "awk 'NR<5' f",
    "awk 'NR<=5{print}' f",
    "awk '/5$/' f",
    "awk '!/5/' f",
    "awk '/5/ {print $0}' f",
    "mawk NR==7 f",
    "tac f",
    "rev f",
    "sort -r f",
    "cut -c 6- f",
    "uniq f",
    "bat -p -r 5:9 f",
    "bat --plain --line-range 5:9 f",
    "bat -p --line-range=95: f",
    "bat -p -r :3 f",
    "bat -p -r 40:-10 f",
    "bat -p -r 5:+4 f",
    "bat -pp f",
    "dd if=f bs=10 skip=2 count=3",
    "dd if=f bs=1k",
    "grep 5 f",
    "grep -i LINE f",
    "grep -v 5 f",
    "grep -w 5 f",
    "grep -x 'line 5' f",
    "grep -F 5 f",
    "fgrep 'line 1' f",
    "egrep '1|2' f",
    r"grep '1\|2' f",
    "grep -E '1|2' f",
    "grep 'a|b' g",
    "grep 'f(x)' g",
    r"grep 'a\+' g",
    "grep '*' g",
    r"grep '\<w\>' g",
    "grep '[]]' g",
    "grep -e 5 -e 7 f",
    "grep -m 3 5 f",
    "grep -m3 5 f",
    "grep -c 5 f",
    "grep --count 5 f",
    "grep --ignore-case LINE f",
    "grep -f pat f",
    "grep -A 1 50 f",
    "grep -C1 50 f",
    "grep -1 50 f",
    "grep -vc 5 f",
    "grep -ic LINE f",
    "grep -q 5 f",
    "grep -l 5 f",
    "grep -s 5 f",
    "grep -h 5 f",
    "grep --max-count=2 5 f",
    "grep -Fx 'line 5' f",
    "grep --color=never 5 f",
    "grep -a 5 f",
    "grep -z 5 f",
    "grep --null-data 5 f",
    "grep -y LINE f",
    "grep -e -5 g",
    "grep -- -5 g",
    "zgrep 5 f.gz",
    "rg -N 5 f",
    "rg --null-data 5 f",
    "rg --crlf -o 5 f",
    "rg -e 5 -e 7 f",
    "rg -F 'f(x)' g",
    "rg -S LINE f",
    "rg -c 5 f",
    "rg 'a|b' g",
    "rg -z 5 f.gz",
    "rg -w 5 f",
    "rg --no-heading 5 f",
    "rg --sort path 5 f",
    "rg -q 5 f",
    "rg -M 80 5 f",
    "rg -j 2 5 f",
    "tail -qn5 f",
    "tail -qc 20 f",
    "tail -qn +95 f",
    "tail --lines=-5 f",
    "tail --bytes -20 f",
    "tail --quiet --lines 3 f",
    "tail -q --bytes=+700 f",
    "head -qn 2 f",
    "head -qn2 f",
    "head -qc20 f",
    "head --silent --lines -95 f",
    "cat -A f",
    "cat -b f",
    "cat -sT f",
    "gzip -dc f.gz",
    "gzip -cd f.gz",
    "gunzip -c f.gz",
    "gzip --decompress --stdout f.gz",
    "sed -u 5q f",
    "sed -un 5p f",
    "sed -n '5{p;q}' f",
    "sed -n '5,7{p}' f",
    "sed -n '5p;5q' f",
    "sed '10q;d' f",
    "sed -nu '/5$/p' f",
    "awk 'NR==5{print;exit}' f",
    "awk 'NR==5 {print $0}' f",
    "bat -p --theme ansi -r 5:9 f",
    "bat --style plain --color never f",
];

/// The options of grep and rg behind `rread search`, and the command that does the same.
const SEARCHES: &[&str] = &[
    "-y LINE f",
    "-E '1|2' f",
    "-iE 'LI|2' f",
    "-vE 'line (1|2)' f",
    "-P 5 f",
    "-R 5 f",
    "-Ev '1|2' f",
    "-viE 'LI|2' f",
    "-iEv 'L|X' f",
    "-Ec '1|2' f",
];

/// The hints of these succeed, and their output has another form.
const OTHERS: &[&str] = &[
    "lines f NR==5",
    "lines f 5,",
    "lines f ,5",
    "wc f",
    "less f",
    "zless f.gz",
    "xxd f",
    "xxd -l 32 f",
    "hexdump -C f",
    "hexdump -C -n 32 f",
    "od -c f",
    "hd f",
    "file f",
    "nl f",
    "nl -w 3 f",
    "nl -s ': ' -v 1 f",
    "nl -ba f",
    "cat -n f",
    "bat f",
    "bat -n -r 5:9 f",
    "grep -n 5 f",
    "grep -o 5 f",
    "grep -b 5 f",
    "rg --column 5 f",
    "rg --vimgrep 5 f",
    "rg --stats 5 f",
    "rg --count-matches 5 f",
    "grep -rn 5 .",
    "grep -R 5 .",
    "rg 5",
    "grep -Hn 5 f",
    "grep -L nosuch f",
    "rg -U 'l' f",
    "rg -g 'f*' 5",
    "rg -r x 5 f",
    "search -nE '1|2' f",
    "search --include='f*' 5 .",
    "less -N -S f",
    "tail -v -n 3 f",
    "head -v f",
    "wc --lines f",
];

/// No hint has the output of these.
const GENERAL: &[&str] = &[
    "split -l 10 f",
    "sed s/a/b/ f",
    "sed -n '5p;10p' f",
    "sed -n 20,10p f",
    "sed -i 1d f",
    "sed -s -n 5p f g",
    "sed -n '1~10p' f",
    "xxd -r f",
    "xxd -s -32 f",
    "od -j 010 f",
    "head -z f",
    "head -n 0 f",
    "head -n x f",
    "tail -zn 5 f",
    "tail -f -n x f",
    "gzip -c f",
    "dd of=g if=f",
    "dd if=f bs=1k seek=2",
];

struct World {
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        let sandbox = Sandbox::with("f", numbered(100));
        sandbox.file("g", "a|b\na\nf(x)\nab*\nw w\n[x]\na+\n-5\n");
        sandbox.file("pat", "line 5\nline 7\n");
        std::fs::create_dir(sandbox.path(".bin")).unwrap();
        symlink(binary(), sandbox.path(".bin/rread")).unwrap();
        let world = World { sandbox };
        assert!(world.shell("gzip -k f").status.success());
        world
    }

    /// Runs `line` in a shell that finds the program as `rread`.
    fn shell(&self, line: &str) -> Output {
        let path =
            format!("{}:{}", self.sandbox.path(".bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.at_home(&self.sandbox.home()).env("PATH", path).current_dir(self.sandbox.path(""));
        // A viewer or a pager that waits for keys must not hang the test.
        command.args(["-c", line]).stdin(std::process::Stdio::null()).output().unwrap()
    }

    /// The hint for `rread LINE`, which is a usage error.
    fn hint(&self, line: &str) -> String {
        let run = self.shell(&format!("rread {line}"));
        let errors = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{line}: {errors}");
        let hint = errors.lines().nth(1).and_then(|hint| hint.strip_prefix("hint: "));
        hint.unwrap_or_else(|| panic!("{line}: no hint in {errors}")).to_owned()
    }

    /// The output of the command line in `hint`, in the form of the other tools.
    fn answer(&self, hint: &str) -> Output {
        let has_form = ["--raw", "--json", "-f text", " | ", " > "].iter().any(|word| hint.contains(word));
        let is_ours =
            ["rread lines", "rread bytes", "rread search"].iter().any(|command| hint.starts_with(command));
        let form = if is_ours && !has_form { " --raw" } else { "" };
        self.shell(&format!("{hint}{form}").replace("| rread lines -", "| rread lines - --raw"))
    }
}

fn is_installed(tool: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
    if !found.status.success() {
        eprintln!("SKIPPED: {tool} is not installed");
    }
    found.status.success()
}

#[test]
fn each_hint_for_a_command_line_of_another_tool_has_its_output() {
    let world = World::new();
    let searches = SEARCHES.iter().map(|line| (format!("search {line}"), format!("grep {line}")));
    let named = SAME.iter().map(|line| ((*line).to_owned(), (*line).to_owned()));
    for (ours, theirs) in named.chain(searches) {
        let tool = theirs.split(' ').next().unwrap();
        // grep reads no compressed files; the options of rg mean nothing there.
        let theirs = if ours.starts_with("search") {
            theirs.replace(" -N", "").replace(" --crlf", "").replace(" --sort path", "").replace(" -H", "")
        } else {
            theirs.clone()
        };
        let theirs = if tool == "bat" {
            theirs.replacen("bat", "bat --paging=never --color=never", 1)
        } else {
            theirs
        };
        let theirs = if tool == "rg" { theirs.replacen("rg", "rg -N", 1) } else { theirs };
        if !is_installed(tool) {
            continue;
        }
        let hint = world.hint(&ours);
        let (expected, got) = (world.shell(&theirs), world.answer(&hint));
        let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            text(&got),
            text(&expected),
            "rread {ours}\nhint: {hint}\n{}",
            String::from_utf8_lossy(&got.stderr)
        );
        assert_eq!(got.status.success(), expected.status.success(), "rread {ours}\nhint: {hint}");
    }
}

#[test]
fn each_hint_succeeds() {
    let world = World::new();
    for line in OTHERS {
        let hint = world.hint(line);
        if hint.contains("rg ") && !is_installed("rg") || hint.contains("rread view") {
            continue;
        }
        let run = world.answer(&hint);
        let errors = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.code() == Some(0) && errors.is_empty(), "rread {line}\nhint: {hint}\n{errors}");
    }
}

#[test]
fn what_no_row_fits_has_the_general_hint() {
    let world = World::new();
    for line in GENERAL {
        assert_eq!(world.hint(line), "rread --help", "{line}");
    }
}

/// A command line of each form of each item of `pattern`, with the first form of the others.
fn command_lines(program: &str, pattern: &str) -> Vec<String> {
    let sample = |form: &str| {
        let valued = form.split_once('=').filter(|(_, value)| form.starts_with('-') && value.contains('%'));
        let name = |names: &str| names.split('/').next().unwrap().to_owned();
        let form = valued.map_or(form.to_owned(), |(names, value)| format!("{} {value}", name(names)));
        let is_packed = ["zcat", "gzcat", "zgrep", "gunzip", "gzip"].contains(&program);
        let file = if is_packed { "f.gz" } else { "f" };
        let number = if program == "dd" { "1" } else { "5" };
        let values = [("%F", file), ("%f", file), ("%W", file), ("%a", "4"), ("%b", "8"), ("%n", number)];
        let values = values.into_iter().chain([("%m", "3"), ("%s", "20"), ("%r", "5"), ("%e", "pat")]);
        values
            .chain([("%v", "always"), ("%t", "f")])
            .fold(form, |form, (name, value)| form.replace(name, value))
    };
    let items: Vec<Vec<String>> =
        pattern.split(' ').map(|item| item.split('|').map(&sample).collect()).collect();
    let quote = |word: &String| {
        if word.contains(['$', '!', '{', ';', '<', '>', '&']) { format!("'{word}'") } else { word.clone() }
    };
    let line = |nth: usize, form: &String| {
        let words = items
            .iter()
            .enumerate()
            .map(|(at, forms)| if at == nth { quote(form) } else { quote(&forms[0]) });
        format!("{program} {}", words.collect::<Vec<_>>().join(" "))
    };
    items
        .iter()
        .enumerate()
        .flat_map(|(nth, forms)| forms.iter().map(move |form| (nth, form)))
        .map(|(nth, form)| line(nth, form))
        .collect()
}

#[test]
fn each_row_of_a_program_has_the_output_of_the_program() {
    let world = World::new();
    for Habit(programs, pattern, ours) in HABITS.iter() {
        let is_of_program = ours.starts_with(|c: char| c.is_ascii_lowercase()) && !pattern.is_empty();
        // Their output has another form, or does not end.
        let is_other = ["stat", "page", "view", "follow", "hexdump", "--number", "PATTERN", "%W", " ."];
        for program in programs.split(' ').filter(|program| is_of_program && is_installed(program)) {
            // f is packed by gzip alone.
            if ["search", "view", "read"].contains(&program)
                || ["bz", "bunzip", "xz", "zst"].iter().any(|packer| program.contains(packer))
            {
                continue;
            }
            for line in command_lines(program, pattern) {
                let hint = world.hint(&line);
                if is_other.iter().any(|other| ours.contains(other)) {
                    assert!(hint.starts_with("rread ") || hint.contains(" | rread "), "{line}: {hint}");
                    continue;
                }
                let theirs = line.replacen("rg ", "rg -N ", 1).replacen(
                    "bat ",
                    "bat --paging=never --color=never ",
                    1,
                );
                let (expected, got) = (world.shell(&theirs), world.answer(&hint));
                let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
                assert_eq!(text(&got), text(&expected), "rread {line}\nhint: {hint}");
            }
        }
    }
}
