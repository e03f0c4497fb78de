//! Names of other programs in place of a command: the command line of rread that does the same.

use super::options_of_other_tools::missing_file;
use super::ranges_of_other_tools::Grammar;
use super::typed::shown;
use crate::args::file::is_number;
use rread_text::range::{Unit, parse_list};

/// Options of these programs whose value is the next word.
const VALUED: [&str; 12] = ["-n", "-c", "-A", "-B", "-C", "-m", "-e", "-f", "-s", "--lines", "--bytes", "-g"];

struct ToolWords<'a> {
    files: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a str>)>,
}

pub(super) fn ours(program: &str, rest: &[String]) -> Option<String> {
    let line = ToolWords::of(program, rest);
    let files = quote_files(&line.files);
    Some(match program {
        "head" => line.count_command(|count| match count.strip_prefix('-') {
            Some(all_but) => format!(":-{all_but}"),
            None => format!(":{count}"),
        }),
        "tail" if line.follows() => format!("rread follow {files}{}", line.last_lines()),
        "tail" => line.count_command(|count| match count.strip_prefix('+') {
            Some(first) => format!("{first}:"),
            None => format!("-{}:", count.trim_start_matches('-')),
        }),
        "cat" | "zcat" | "bzcat" | "xzcat" | "zstdcat" | "bat" | "nl" => {
            let is_numbered = program == "nl" || line.options.iter().any(|(name, _)| *name == "-n");
            format!("rread lines {files} {}", if is_numbered { "--number -f text" } else { "--raw" })
        }
        "wc" | "count" => format!("rread stat --count {files}"),
        "file" | "info" => format!("rread stat {files}"),
        "less" | "more" | "most" | "view" => format!("rread page {files}"),
        "xxd" | "hexdump" | "hd" | "od" => format!("rread bytes {files} 0:256 --encode hexdump"),
        "read" | "show" | "print" | "open" | "line" | "get" => format!("rread lines {}", quote_files(rest)),
        "grep" | "egrep" | "zgrep" | "rg" | "ag" | "ack" | "find" => search_command(program, rest),
        "sed" => line.script_command()?,
        _ => return None,
    })
}

fn quote_files(files: &[impl AsRef<str>]) -> String {
    if files.is_empty() {
        return missing_file().to_owned();
    }
    files.iter().map(|file| shown(file.as_ref())).collect::<Vec<_>>().join(" ")
}

/// The same search: most options are alike, and the others are left out.
fn search_command(program: &str, rest: &[String]) -> String {
    const VALUED: &str = "ABCme";
    const FLAGS: &str = "FiSwxvcl";
    let (mut options, mut words, mut is_recursive, mut has_pattern) = (Vec::new(), Vec::new(), false, false);
    let mut later = rest.iter();
    while let Some(word) = later.next() {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            words.push(shown(word));
            continue;
        };
        is_recursive |= !letters.starts_with('-') && letters.contains(['r', 'R']);
        let kept: String = letters.chars().filter(|letter| FLAGS.contains(*letter)).collect();
        if letters.starts_with(|letter| VALUED.contains(letter)) {
            has_pattern |= letters.starts_with('e');
            let value = if letters.len() == 1 {
                later.next().map(|value| format!(" {}", shown(value)))
            } else {
                None
            };
            options.push(format!("{word}{}", value.unwrap_or_default()));
        } else if !kept.is_empty() && !letters.starts_with('-') {
            options.push(format!("-{kept}"));
        }
    }
    if words.is_empty() && !has_pattern {
        return "rread search PATTERN FILE".to_owned();
    }
    if words.len() + usize::from(has_pattern) == 1 && (is_recursive || program == "rg") {
        words.push(".".to_owned());
    }
    ["rread search".to_owned()].into_iter().chain(options).chain(words).collect::<Vec<_>>().join(" ")
}

impl<'a> ToolWords<'a> {
    fn of(program: &str, rest: &'a [String]) -> Self {
        let mut line = ToolWords { files: Vec::new(), options: Vec::new() };
        let mut words = rest.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            // `tail -f` and `cat -n` have no value.
            let is_flag = word == "-f" || matches!(program, "cat" | "bat" | "sed");
            if !word.starts_with('-') || word == "-" {
                line.files.push(word);
            } else if VALUED.contains(&word) && !is_flag {
                line.options.push((word, words.next()));
            } else if let Some((name, value)) = word.split_once('=') {
                line.options.push((name, Some(value)));
            } else if let (Some(letters @ ("-n" | "-c")), Some(value)) = (word.get(..2), word.get(2..))
                && !value.is_empty()
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

    /// The lines before what is appended, if they are not the default.
    fn last_lines(&self) -> String {
        let count = self.value(["-n", "--lines"]).filter(|count| is_number(count));
        count.map_or(String::new(), |count| format!(" -n {count}"))
    }

    fn value(&self, names: [&str; 2]) -> Option<&'a str> {
        self.options.iter().find(|(name, _)| names.contains(name)).and_then(|(_, value)| *value)
    }

    fn count_command(&self, range: impl Fn(&str) -> String) -> String {
        let files = quote_files(&self.files);
        if let Some(count) = self.value(["-c", "--bytes"]) {
            return format!("rread bytes {files} {}", range(count));
        }
        let mut old = self.options.iter().filter_map(|(name, _)| name.strip_prefix('-'));
        let old = old.find(|count| is_number(count));
        let count = self.value(["-n", "--lines"]).or(old).unwrap_or("10");
        let wanted = range(count);
        let wanted = if parse_list(&wanted, Unit::Lines).is_ok() { wanted } else { range("10") };
        format!("rread lines {files} {wanted}")
    }

    fn script_command(&self) -> Option<String> {
        let (script, files) = self.files.split_first()?;
        let range = Grammar::Lines.find_reading(script.trim_end_matches(['q', 'd']))?;
        Some(format!("rread lines {} {range}", quote_files(files)))
    }
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
            ("head -n x app.log", "rread lines app.log :10"),
            ("wc -l app.log", "rread stat --count app.log"),
            ("cat app.log", "rread lines app.log --raw"),
            ("cat -n a b", "rread lines a b --number -f text"),
            ("less app.log", "rread page app.log"),
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
        assert_eq!(ours("frob", &[]), None);
    }
}
