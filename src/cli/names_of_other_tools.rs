//! Names of other programs in place of a command: the command line of rread that does the same.

use super::options_of_grep::search_command;
use super::options_of_other_tools::missing_file;
use super::scripts_of_other_tools;
use super::typed::{piped, shown};
use super::words_of_other_tools::ToolWords;
use crate::args::file::is_number;
use rread_text::range::{Unit, parse_list};

/// The command line that does what `program` does with the words `rest`; `None` if there is none.
pub(super) fn ours(program: &str, rest: &[String]) -> Option<String> {
    let line = ToolWords::of(program, rest);
    if line.has_unknown {
        return None;
    }
    let files = quote_files(&line.files);
    Some(match program {
        "head" => line.count_command(|count| match count.strip_prefix('-') {
            Some(all_but) => Some(format!(":-{all_but}")),
            None => Some(format!(":{count}")),
        })?,
        "tail" if line.follows() => format!("rread follow {files}{}", line.follow_options()?),
        "tail" => line.tail_command()?,
        "cat" if line.has(&["-A", "-b", "-e", "-E", "-s", "-t", "-T", "-v"]) => piped(program, rest),
        "cat" | "zcat" | "gzcat" | "bzcat" | "xzcat" | "lzcat" | "lz4cat" | "zstdcat" | "nl" => {
            let is_numbered = program == "nl" || line.has(&["-n"]);
            format!("rread lines {files} {}", if is_numbered { "--number -f text" } else { "--raw" })
        }
        "bat" | "batcat" if line.has(&["-A", "--show-all"]) => return None,
        "bat" | "batcat" => line.bat_command()?,
        "wc" | "count" => format!("rread stat --count {files}"),
        "file" | "info" => format!("rread stat {files}"),
        "gunzip" | "gzip" | "bunzip2" | "bzip2" | "unxz" | "xz" | "unzstd" | "zstd" | "unlz4" | "lz4" => {
            let decompresses = program.contains("un") || line.has(&["-d", "--decompress", "--uncompress"]);
            let prints = line.has(&["-c", "--stdout", "--to-stdout"]);
            (decompresses && prints).then(|| format!("rread lines {files} --raw"))?
        }
        "less" | "more" | "most" | "pg" | "view" | "zless" | "zmore" | "bzless" | "xzless" | "lesspipe" => {
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
            // FNR begins again in each file.
            if files.len() > 1 && script.contains("FNR") {
                return None;
            }
            scripts_of_other_tools::awk(script)?.command(&quote_files(files), files.len() > 1)
        }
        // rread has neither an order of its own nor columns.
        "tac" | "rev" | "sort" | "uniq" | "cut" | "tr" | "column" | "fold" | "fmt" | "paste" | "jq"
        | "strings" => piped(program, rest),
        _ => return None,
    })
}

/// Whether `name` is that of a program some of whose command lines have one of ours.
pub(super) fn is_program(name: &str) -> bool {
    ["", "1q", "/x/", "-dc"].into_iter().any(|word| {
        let words: Vec<String> = Some(word.to_owned()).into_iter().filter(|word| !word.is_empty()).collect();
        ours(name, &words).is_some()
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

/// A count of head and tail, such as `+2k`, as a number with its sign.
fn without_unit(count: &str) -> Option<String> {
    let digits = count.trim_start_matches(['+', '-']);
    Some(format!("{}{}", &count[..count.len() - digits.len()], bytes(digits)?))
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

impl ToolWords<'_> {
    fn follows(&self) -> bool {
        self.has(&["-f", "-F", "--follow"])
    }

    /// The options of `tail -f` that `rread follow` has too.
    fn follow_options(&self) -> Option<String> {
        let is_count = |text: &str| is_number(text.strip_prefix(['+', '-']).unwrap_or(text));
        let mut options = String::new();
        if let Some(bytes) = self.value(&["-c", "--bytes"]) {
            options += &format!(" -c {}", Some(bytes).filter(|bytes| is_count(bytes))?);
        }
        if let Some(lines) = self.value(&["-n", "--lines"]) {
            options +=
                &format!(" -n {}", Some(lines).filter(|lines| is_count(lines))?.trim_start_matches('-'));
        }
        if let Some(pid) = self.value(&["--pid"]) {
            options += &format!(" --pid {}", Some(pid).filter(|pid| is_number(pid))?);
        }
        Some(options)
    }

    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(name))
    }

    fn value(&self, names: &[&str]) -> Option<&str> {
        self.options.iter().find(|(name, _)| names.contains(name)).and_then(|(_, value)| *value)
    }

    /// The command for as many lines or bytes as the options say; `None` if `range` is not one.
    fn count_command(&self, range: impl Fn(&str) -> Option<String>) -> Option<String> {
        let files = quote_files(&self.files);
        if let Some(count) = self.value(&["-c", "--bytes"]) {
            let is_range = |range: &String| parse_list(range, Unit::Bytes).is_ok();
            let as_typed = range(count).filter(is_range);
            let range = as_typed.or_else(|| range(&without_unit(count)?).filter(is_range))?;
            return Some(format!("rread bytes {files} {range}"));
        }
        let count = without_unit(self.value(&["-n", "--lines"]).unwrap_or("10"))?;
        let range = range(&count).filter(|range| parse_list(range, Unit::Lines).is_ok())?;
        Some(format!("rread lines {files} {range}"))
    }

    fn tail_command(&self) -> Option<String> {
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
        let is_numbered = self.has(&["-n", "--number"]);
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
        let pattern = self.value(&["-p", "--pattern"]);
        match (places.first(), pattern) {
            (Some(place), _) if cfg!(feature = "view") => format!("rread view {files} {}", shown(place)),
            (None, Some(pattern)) if cfg!(feature = "view") => {
                let dash = if pattern.starts_with('-') { "--pattern=" } else { "-p " };
                format!("rread view {files} {dash}{}", shown(pattern))
            }
            _ => format!("rread page {files}"),
        }
    }

    fn dump_command(&self) -> Option<String> {
        if let Some(back) = self.value(&["-s"]).and_then(|start| start.strip_prefix('-')) {
            let back = number(back).filter(|back| *back > 0)?;
            let count = self.value(&["-l", "-n"]).map_or(Some(back), number)?.min(back);
            let end = if count == back { String::new() } else { format!("+{count}") };
            let range = format!("-{back}:{end}");
            return Some(format!("rread bytes {} {range} --encode hexdump", quote_files(&self.files)));
        }
        // A number that is not understood, such as one from the end, must not become another one.
        let option = |names: &[&str], default: u64| self.value(names).map_or(Some(default), number);
        let start = option(&["-s", "-j", "--skip", "--skip-bytes"], 0)?;
        let count = option(&["-l", "-N", "-n", "--length", "--read-bytes"], 256)?;
        let range = if start == 0 { format!("0:{count}") } else { format!("{start}:+{count}") };
        Some(format!("rread bytes {} {range} --encode hexdump", quote_files(&self.files)))
    }

    fn sed_command(&self, rest: &[String]) -> Option<String> {
        let (mut quiet, mut extended, mut scripts, mut files) = (false, false, Vec::new(), Vec::new());
        let mut has_option = false;
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quiet" | "--silent" => quiet = true,
                "--regexp-extended" => extended = true,
                "--unbuffered" => {}
                "--expression" => {
                    scripts.push(words.next()?.as_str());
                    has_option = true;
                }
                option if option.starts_with("--") => {
                    scripts.push(option.strip_prefix("--expression=")?);
                    has_option = true;
                }
                options if options.starts_with('-') && options != "-" => {
                    let (letters, script) = options[1..].split_once('e').unwrap_or((&options[1..], ""));
                    for letter in letters.chars() {
                        match letter {
                            'n' => quiet = true,
                            'E' | 'r' => extended = true,
                            'u' => {}
                            _ => return None,
                        }
                    }
                    if letters.len() + 1 < options.len() {
                        scripts.push(if script.is_empty() { words.next()? } else { script });
                        has_option = true;
                    }
                }
                word => files.push(word),
            }
        }
        if !has_option {
            scripts.push(if files.is_empty() { return None } else { files.remove(0) });
        }
        let script = scripts.join("\n");
        let selected = scripts_of_other_tools::sed(&script, quiet, extended)?;
        Some(selected.command(&quote_files(&files), files.len() > 1))
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
            ("tail -qn5 app.log", "rread lines app.log -5:"),
            ("tail -fn 5 app.log", "rread follow app.log -n 5"),
            ("tail -vFn5 app.log", "rread follow app.log -n 5"),
            ("tail -5c app.log", "rread bytes app.log -5:"),
            ("tail -5qf app.log", "rread follow app.log -n 5"),
            ("tail +5c app.log", "rread bytes app.log 4:"),
            ("tail +5lf app.log", "rread follow app.log -n +5"),
            ("tail -n 2k app.log", "rread lines app.log -2048:"),
            ("head -qn 2 app.log", "rread lines app.log :2"),
            ("head -7c app.log", "rread bytes app.log :7"),
            ("head -1k app.log", "rread bytes app.log :1k"),
            ("tail -c 5b app.log", "rread bytes app.log -2560:"),
            ("tail --lines=+2k app.log", "rread lines app.log 2048:"),
            ("less -p x app.log", "rread view app.log -p x"),
            ("less -j 5 -x4 app.log", "rread page app.log"),
            ("xxd -g 1 -c 8 app.log", "rread bytes app.log 0:256 --encode hexdump"),
            ("xxd -s -32 app.log", "rread bytes app.log -32: --encode hexdump"),
            ("xxd -s -32 -l 8 app.log", "rread bytes app.log -32:+8 --encode hexdump"),
            ("od -c app.log", "rread bytes app.log 0:256 --encode hexdump"),
            ("od -tx1 -An -v app.log", "rread bytes app.log 0:256 --encode hexdump"),
            ("gzip -dc app.log.gz", "rread lines app.log.gz --raw"),
            ("gunzip -c app.log.gz", "rread lines app.log.gz --raw"),
            ("cat -A app.log", "cat -A app.log | rread lines -"),
            ("sed -ne5p app.log", "rread lines app.log 5"),
            ("sed -u -n --expression=5p app.log", "rread lines app.log 5"),
            ("sed -n -e 5p -e 7,9p app.log", "rread lines app.log 5,7:9"),
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
        for (name, expected) in [("xxd", true), ("sed", true), ("awk", true), ("gzip", true), ("frob", false)]
        {
            assert_eq!(is_program(name), expected, "{name}");
        }
        let cut = ["-d", "  ", "app.log"].map(str::to_owned);
        assert_eq!(ours("cut", &cut).as_deref(), Some("cut -d '  ' app.log | rread lines -"));
        for nothing in [
            "xxd -s -0 app.log",
            "xxd -r app.log",
            "tail -z app.log",
            "head -X app.log",
            "gzip -c app.log",
            "sed -s -n 5p a b",
            "awk FNR==5 a b",
            "sed -n 5p;3p app.log",
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
