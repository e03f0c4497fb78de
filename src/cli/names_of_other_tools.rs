//! Names of other programs in place of a command: the command line of rread that does the same.

use super::options_of_grep::search_command;
use super::options_of_other_tools::missing_file;
use super::scripts_of_other_tools;
use super::typed::{piped, shown};
use crate::args::file::is_number;
use rread_text::range::{Unit, parse_list};

/// The options of `program` that have a value.
fn valued_options(program: &str) -> &'static [&'static str] {
    match program {
        "head" | "tail" => &["-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval"],
        "bat" | "batcat" => &["-r", "-H", "-l", "-m", "--line-range", "--language"],
        "xxd" | "hexdump" | "hd" | "od" => &["-s", "-n", "-l", "-j", "-N", "-c", "-A", "-t"],
        _ => &[],
    }
}

struct ToolWords<'a> {
    files: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a str>)>,
}

/// The command line that does what `program` does with the words `rest`; `None` if there is none.
pub(super) fn ours(program: &str, rest: &[String]) -> Option<String> {
    let line = ToolWords::of(program, rest);
    let files = quote_files(&line.files);
    Some(match program {
        "head" => line.count_command(|count| match count.strip_prefix('-') {
            Some(all_but) => Some(format!(":-{all_but}")),
            None => Some(format!(":{count}")),
        })?,
        "tail" if line.follows() => format!("rread follow {files}{}", line.follow_options()?),
        "tail" => line.tail_command()?,
        "cat" | "zcat" | "gzcat" | "bzcat" | "xzcat" | "lzcat" | "lz4cat" | "zstdcat" | "nl" => {
            let is_numbered = program == "nl" || line.options.iter().any(|(name, _)| *name == "-n");
            format!("rread lines {files} {}", if is_numbered { "--number -f text" } else { "--raw" })
        }
        "bat" | "batcat" => line.bat_command()?,
        "wc" | "count" => format!("rread stat --count {files}"),
        "file" | "info" => format!("rread stat {files}"),
        "less" | "more" | "most" | "view" | "zless" | "zmore" | "bzless" | "xzless" | "lesspipe" => {
            line.pager_command()
        }
        "xxd" | "hexdump" | "hd" | "od" => line.dump_command()?,
        "dd" => copy_command(rest)?,
        "read" | "show" | "print" | "open" | "line" | "get" => format!("rread lines {}", quote_files(rest)),
        "rg" | "ag" | "ack" => search_command(program, rest)?,
        grep if grep.ends_with("grep") => search_command(program, rest)?,
        "sed" => line.sed_command(rest)?,
        "awk" | "gawk" | "mawk" | "nawk" => {
            let (script, files) = rest.split_first()?;
            scripts_of_other_tools::awk(script)?.command(&quote_files(files), files.len() > 1)
        }
        // rread has neither an order of its own nor columns.
        "tac" | "rev" | "sort" | "uniq" | "cut" | "tr" | "column" | "fold" | "fmt" | "paste" | "jq"
        | "strings" => piped(program, rest),
        _ => return None,
    })
}

fn quote_files(files: &[impl AsRef<str>]) -> String {
    if files.is_empty() {
        return missing_file().to_owned();
    }
    files.iter().map(|file| shown(file.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A number as xxd and od write them: decimal, or hexadecimal after 0x; `None` for an octal one, which begins with 0.
fn number(text: &str) -> Option<u64> {
    if text.len() > 1 && text.starts_with('0') && is_number(text) {
        return None;
    }
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
}

/// `dd if=FILE bs=N skip=N count=N`, if it writes to standard output.
fn copy_command(rest: &[String]) -> Option<String> {
    let (mut file, mut size, mut skip, mut count) = (missing_file(), 512, 0, None);
    for word in rest {
        match word.split_once('=')? {
            ("if", name) => file = name,
            ("bs" | "ibs", value) => size = bytes(value)?,
            ("skip", value) => skip = value.parse::<u64>().ok()?,
            ("count", value) => count = Some(value.parse::<u64>().ok()?),
            ("status" | "obs", _) => {}
            _ => return None,
        }
    }
    let start = skip.checked_mul(size)?;
    let range = match count {
        Some(0) => return None,
        Some(count) => format!("{start}:+{}", count.checked_mul(size)?),
        None => format!("{start}:"),
    };
    Some(format!("rread bytes {} {range} --raw", shown(file)))
}

/// A size of dd, such as `4k` or `1M`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" | "c" => 1,
        "b" => 512,
        "k" | "K" | "KiB" => 1 << 10,
        "M" | "MiB" => 1 << 20,
        "G" | "GiB" => 1 << 30,
        "kB" | "KB" => 1000,
        "MB" => 1_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

impl<'a> ToolWords<'a> {
    fn of(program: &str, rest: &'a [String]) -> Self {
        let mut line = ToolWords { files: Vec::new(), options: Vec::new() };
        let valued = valued_options(program);
        let mut words = rest.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                line.files.push(word);
            } else if valued.contains(&word) {
                line.options.push((word, words.next()));
            } else if let Some((name, value)) = word.split_once('=') {
                line.options.push((name, Some(value)));
            } else if let (Some(letters), Some(value)) = (word.get(..2), word.get(2..))
                && valued.contains(&letters)
                && value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | ':'))
            {
                line.options.push((letters, Some(value)));
            } else {
                line.options.push((word, None));
            }
        }
        line
    }

    fn follows(&self) -> bool {
        self.options.iter().any(|(name, _)| matches!(*name, "-f" | "-F" | "--follow"))
    }

    /// The options of `tail -f` that `rread follow` has too.
    fn follow_options(&self) -> Option<String> {
        let is_count = |text: &str| is_number(text.strip_prefix(['+', '-']).unwrap_or(text));
        let mut options = String::new();
        if let Some(bytes) = self.value(&["-c", "--bytes"]) {
            options += &format!(" -c {}", Some(bytes).filter(|bytes| is_count(bytes))?);
        }
        if let Some(lines) = self.value(&["-n", "--lines"]).or(self.old_count()) {
            options +=
                &format!(" -n {}", Some(lines).filter(|lines| is_count(lines))?.trim_start_matches('-'));
        }
        if let Some(pid) = self.value(&["--pid"]) {
            options += &format!(" --pid {}", Some(pid).filter(|pid| is_number(pid))?);
        }
        Some(options)
    }

    /// The 20 of `tail -20`.
    fn old_count(&self) -> Option<&'a str> {
        let mut counts = self.options.iter().filter_map(|(name, _)| name.strip_prefix('-'));
        counts.find(|count| is_number(count))
    }

    fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.options.iter().find(|(name, _)| names.contains(name)).and_then(|(_, value)| *value)
    }

    /// The command for as many lines or bytes as the options say; `None` if `range` is not one.
    fn count_command(&self, range: impl Fn(&str) -> Option<String>) -> Option<String> {
        let files = quote_files(&self.files);
        if let Some(count) = self.value(&["-c", "--bytes"]) {
            let range = range(count).filter(|range| parse_list(range, Unit::Bytes).is_ok())?;
            return Some(format!("rread bytes {files} {range}"));
        }
        let count = self.value(&["-n", "--lines"]).or(self.old_count()).unwrap_or("10");
        let range = range(count).filter(|range| parse_list(range, Unit::Lines).is_ok())?;
        Some(format!("rread lines {files} {range}"))
    }

    fn tail_command(&self) -> Option<String> {
        // `tail +5` of old scripts.
        if let [start, files @ ..] = &self.files[..]
            && let Some(line) = start.strip_prefix('+').filter(|line| is_number(line))
        {
            return Some(format!("rread lines {} {line}:", quote_files(files)));
        }
        let of_bytes = self.value(&["-c", "--bytes"]).is_some();
        self.count_command(|count| match count.strip_prefix('+') {
            // tail counts bytes from 1, rread from 0; for both, +0 is +1.
            Some(first) if of_bytes => Some(format!("{}:", first.parse::<u64>().ok()?.saturating_sub(1))),
            Some(first) => Some(format!("{}:", first.parse::<u64>().ok()?.max(1))),
            None => Some(format!("-{}:", count.trim_start_matches('-'))),
        })
    }

    fn bat_command(&self) -> Option<String> {
        let files = quote_files(&self.files);
        let ranges = self.options.iter().filter(|(name, _)| matches!(*name, "-r" | "--line-range"));
        let ranges: Vec<String> = ranges.map(|(_, range)| range_of_bat((*range)?)).collect::<Option<_>>()?;
        let is_numbered = self.options.iter().any(|(name, _)| *name == "-n");
        let form = if is_numbered { " --number -f text" } else { " --raw" };
        Some(match &ranges[..] {
            [] => format!("rread lines {files}{form}"),
            ranges => format!("rread lines {files} {}{form}", ranges.join(",")),
        })
    }

    fn pager_command(&self) -> String {
        let (places, files): (Vec<&str>, Vec<&str>) =
            self.files.iter().partition(|word| word.starts_with('+'));
        let files = quote_files(&files);
        match places.first() {
            Some(place) if cfg!(feature = "view") => format!("rread view {files} {}", shown(place)),
            _ => format!("rread page {files}"),
        }
    }

    fn dump_command(&self) -> Option<String> {
        // A number that is not understood, such as one from the end, must not become another one.
        let option = |names: &[&str], default: u64| self.value(names).map_or(Some(default), number);
        let (start, count) = (option(&["-s", "-j"], 0)?, option(&["-l", "-N", "-n"], 256)?);
        let range = if start == 0 { format!("0:{count}") } else { format!("{start}:+{count}") };
        Some(format!("rread bytes {} {range} --encode hexdump", quote_files(&self.files)))
    }

    fn sed_command(&self, rest: &[String]) -> Option<String> {
        let (mut quiet, mut extended, mut script, mut files) = (false, false, None, Vec::new());
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-n" | "--quiet" | "--silent" => quiet = true,
                "-E" | "-r" | "--regexp-extended" => extended = true,
                "-nE" | "-nr" | "-En" | "-rn" => (quiet, extended) = (true, true),
                "-e" if script.is_none() => script = words.next(),
                "-ne" if script.is_none() => (quiet, script) = (true, words.next()),
                option if option.starts_with('-') && option != "-" => return None,
                _ if script.is_none() => script = Some(word),
                _ => files.push(word),
            }
        }
        Some(
            scripts_of_other_tools::sed(script?, quiet, extended)?
                .command(&quote_files(&files), files.len() > 1),
        )
    }
}

/// A range of bat in our words: its `5:+3` is from line 5 to line 8.
fn range_of_bat(range: &str) -> Option<String> {
    let ours = match range.split_once(":+") {
        Some((start, more)) => {
            let start: u64 = start.parse().ok()?;
            format!("{start}:{}", start.checked_add(more.parse().ok()?)?)
        }
        None => range.to_owned(),
    };
    parse_list(&ours, Unit::Lines).is_ok().then_some(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_has_a_command_of_ours() {
        for (typed, expected) in [
            ("tail -n 5 app.log", "rread lines app.log -5:"),
            ("tail -5 app.log", "rread lines app.log -5:"),
            ("tail -n5 a.log b.log", "rread lines a.log b.log -5:"),
            ("tail -n +5 app.log", "rread lines app.log 5:"),
            ("tail -f app.log", "rread follow app.log"),
            ("tail -n 5 -F a.log b.log", "rread follow a.log b.log -n 5"),
            ("tail -c 1K app.log", "rread bytes app.log -1K:"),
            ("head app.log", "rread lines app.log :10"),
            ("head -n -5 app.log", "rread lines app.log :-5"),
            ("head --lines=7 app.log", "rread lines app.log :7"),
            ("wc -l app.log", "rread stat --count app.log"),
            ("cat app.log", "rread lines app.log --raw"),
            ("cat -n a b", "rread lines a b --number -f text"),
            ("less app.log", "rread page app.log"),
            ("tail -c +5 app.log", "rread bytes app.log 4:"),
            ("tail --bytes=+1 app.log", "rread bytes app.log 0:"),
            ("tail +5 app.log", "rread lines app.log 5:"),
            ("head -c 20 app.log", "rread bytes app.log :20"),
            ("bat -r 5:9 app.log", "rread lines app.log 5:9 --raw"),
            ("bat --line-range=5:+3 -p app.log", "rread lines app.log 5:8 --raw"),
            ("xxd -s 16 -l 0x20 app.log", "rread bytes app.log 16:+32 --encode hexdump"),
            ("od -N 8 app.log", "rread bytes app.log 0:8 --encode hexdump"),
            ("dd if=app.log bs=1k skip=2 count=1", "rread bytes app.log 2048:+1024 --raw"),
            ("sed 1,5d app.log", "rread lines app.log 6:"),
            ("awk NR==5 app.log", "rread lines app.log 5"),
            ("tac app.log", "tac app.log | rread lines -"),
            ("tail -n +1 -f app.log", "rread follow app.log -n +1"),
            ("tail -f -c 30 --pid=7 app.log", "rread follow app.log -c 30 --pid 7"),
            ("tail -20 -f app.log", "rread follow app.log -n 20"),
            ("sed -n 2p a b", "cat a b | rread lines - 2"),
            ("awk NR==2 a b", "cat a b | rread lines - 2"),
            ("sed -n $= a b", "cat a b | rread stat --count -"),
            ("sed -n /x/p a b", "rread search x a b"),
            ("grep -P (?<=a)b app.log", "grep -P '(?<=a)b' app.log | rread lines -"),
            (r"grep \(a\)\1 app.log", r"grep '\(a\)\1' app.log | rread lines -"),
            ("grep -F (?<=a)b app.log", "rread search -F '(?<=a)b' app.log"),
            ("fgrep a.b app.log", "rread search -F a.b app.log"),
            (r"grep a\|b app.log", "rread search 'a|b' app.log"),
            ("egrep a|b app.log", "rread search 'a|b' app.log"),
            ("grep -q x app.log", "rread search -q x app.log"),
            ("grep -L x app.log", "rread search --files-without-match x app.log"),
            ("rg -L x logs", "rread search -L x logs"),
            ("grep -r --include=*.rs --exclude-dir=out x", "rread search -g '*.rs' -g '!out' x ."),
            ("grep -ho x app.log", "rread search -I -o x app.log"),
            ("rg -U -r y x logs", "rread search -U -r y x logs"),
            ("grep -3 x app.log", "rread search -C 3 x app.log"),
            ("rg -g *.log x", "rread search -g '*.log' x ."),
            ("rg -M 80 x app.log", "rread search -M 80 x app.log"),
            ("grep -f pat app.log", "rread search -f pat app.log"),
            ("sed -n 10,20p app.log", "rread lines app.log 10:20"),
            ("grep ERROR app.log", "rread search ERROR app.log"),
            ("rg -i -C 2 e.r a b", "rread search -i -C 2 e.r a b"),
            ("grep -niE ERROR app.log", "rread search -i ERROR app.log"),
            ("grep -rn ERROR logs", "rread search ERROR logs"),
            ("rg ERROR", "rread search ERROR ."),
            ("grep -e x app.log", "rread search -e x app.log"),
        ] {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            assert_eq!(ours(&words[0], &words[1..]).as_deref(), Some(expected), "{typed}");
        }
        let cut = ["-d", "  ", "app.log"].map(str::to_owned);
        assert_eq!(ours("cut", &cut).as_deref(), Some("cut -d '  ' app.log | rread lines -"));
        for nothing in [
            "xxd -s -4 app.log",
            "od -j 010 app.log",
            r"sed -n /\(a\)\1/p app.log",
            "tail -f -n x app.log",
            "frob",
            "sed s/a/b/ app.log",
            "awk {print} app.log",
            "head -n x app.log",
            "dd of=x if=app.log",
        ] {
            let words: Vec<String> = nothing.split(' ').map(str::to_owned).collect();
            assert_eq!(ours(&words[0], &words[1..]), None, "{nothing}");
        }
    }
}
