//! The scripts of sed and awk that select lines: the command of rread that selects the same lines.

use super::options_of_grep::{from_basic, is_pattern};
use super::typed::shown;
use rread_text::range::{Unit, parse_list};

/// The lines that a script selects.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Selected {
    /// Ranges of lines.
    Lines(String),
    /// The lines that match a pattern, or with `true` those that do not.
    Search(String, bool),
    /// The number of lines.
    Count,
}

impl Selected {
    /// The command line for `names`, the quoted names of files. sed and awk number the lines of several as one text.
    pub(super) fn command(&self, names: &str, is_several: bool) -> String {
        let (before, files) = match self {
            Selected::Lines(_) | Selected::Count if is_several => (format!("cat {names} | "), "-".to_owned()),
            _ => (String::new(), names.to_owned()),
        };
        let command = match self {
            Selected::Lines(ranges) => format!("rread lines {files} {ranges}"),
            Selected::Search(pattern, inverted) => {
                let (option, dashes) = (if *inverted { "-v " } else { "" }, pattern.starts_with('-'));
                format!("rread search {option}{}{} {files}", if dashes { "-e " } else { "" }, shown(pattern))
            }
            Selected::Count => format!("rread stat --count {files}"),
        };
        before + &command
    }
}

/// The search for the pattern of a script; `None` if rread does not take it, as with back-references.
fn search(pattern: String, inverted: bool) -> Option<Selected> {
    let is_one = !pattern.contains('/') && !pattern.is_empty() && is_pattern(&pattern);
    is_one.then_some(Selected::Search(pattern, inverted))
}

/// The script of sed; `quiet` is its option `-n`, and `extended` is `-E`. `None` if rread does not select the same lines.
pub(super) fn sed(script: &str, quiet: bool, extended: bool) -> Option<Selected> {
    let script = script.trim().trim_end_matches(';').trim_end();
    if script.contains([';', '\n']) {
        return sed_statements(script, quiet);
    }
    let script = &script.strip_suffix("{p}").map_or(script.to_owned(), |address| format!("{address}p"));
    let (address, command) = script.split_at(script.char_indices().last()?.0);
    let (address, negated) = match address.trim_end().strip_suffix('!') {
        Some(address) => (address.trim_end(), true),
        None => (address.trim_end(), false),
    };
    let keeps = match (command, quiet) {
        ("p", true) => !negated,
        ("d", false) => negated,
        ("q", false) if !negated => return one_place(address).and_then(|line| lines(format!(":{line}"))),
        ("=", true) if address == "$" && !negated => return Some(Selected::Count),
        _ => return None,
    };
    if let Some(pattern) = address.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        let pattern = if extended { pattern.to_owned() } else { from_basic(pattern) };
        return search(pattern, !keeps);
    }
    let (first, last) = addresses(address)?;
    lines(if keeps { span(&first, &last) } else { complement(&first, &last)? })
}

/// A script of several statements, if they print lines in the order of the file.
fn sed_statements(script: &str, quiet: bool) -> Option<Selected> {
    let compact: String = script.chars().filter(|c| !matches!(c, ' ' | '\t')).collect();
    let is_line = |line: &&str| line.parse::<u64>().is_ok_and(|line| line > 0);
    if !quiet {
        // Both print one line and stop.
        let line = compact.strip_suffix("q;d").or_else(|| compact.strip_suffix("!d;q"));
        return line.filter(is_line).and_then(|line| lines(line.to_owned()));
    }
    let compact = match compact.strip_suffix("{p;q}") {
        Some(line) => format!("{line}p;{line}q"),
        None => compact.replace("{p}", "p"),
    };
    let mut statements: Vec<&str> = compact.split([';', '\n']).collect();
    // `10,20p;20q` stops early; what it prints is the same.
    let quit = statements.pop_if(|last| last.ends_with('q')).map(|last| last.trim_end_matches('q'));
    let (mut ranges, mut end) = (Vec::new(), 0);
    for statement in statements {
        let address = statement.strip_suffix('p')?;
        let (first, last) = addresses(address)?;
        let start = first.parse::<u64>().ok().filter(|start| *start > end)?;
        end = if last.is_empty() { u64::MAX } else { last.parse().ok().filter(|last| *last >= start)? };
        ranges.push(span(&first, &last));
    }
    let stops_there = quit.is_none_or(|line| line.parse() == Ok(end));
    stops_there.then(|| lines(ranges.join(",")))?
}

/// The program of awk, if it prints whole lines by their number or by a pattern.
pub(super) fn awk(program: &str) -> Option<Selected> {
    let program = program.trim();
    let compact: String = program.split_whitespace().collect();
    if compact == "END{printNR}" {
        return Some(Selected::Count);
    }
    let action = program.rsplit_once('{').filter(|_| program.ends_with('}'));
    let (condition, action) = action.map_or((program, ""), |(condition, action)| (condition.trim(), action));
    let action: String = action.split_whitespace().collect();
    let stops = match action.as_str() {
        "" | "print}" | "print$0}" => false,
        "print;exit}" | "print$0;exit}" => true,
        _ => return None,
    };
    let condition = condition.replace("FNR", "NR");
    let compared = condition.strip_prefix("$0").map(str::trim_start);
    let condition = match compared.map(|rest| (rest.strip_prefix('~'), rest.strip_prefix("!~"))) {
        None => condition,
        Some((Some(pattern), _)) => pattern.trim().to_owned(),
        Some((_, Some(pattern))) => format!("!{}", pattern.trim()),
        Some((None, None)) => return None,
    };
    let condition = condition.as_str();
    if stops {
        let line = condition.split_whitespace().collect::<String>();
        let line = line.strip_prefix("NR==")?;
        return digits(line).filter(|count| *count == line.len()).and_then(|_| lines(line.to_owned()));
    }
    let (pattern, inverted) =
        condition.strip_prefix('!').map_or((condition, false), |rest| (rest.trim(), true));
    if let Some(pattern) = pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        return search(pattern.to_owned(), inverted);
    }
    let compact: String = condition.split_whitespace().collect();
    if let Some(line) = compact.strip_prefix("NR!=") {
        return line
            .parse::<u64>()
            .ok()
            .filter(|line| *line > 0)
            .and_then(|_| lines(complement(line, line)?));
    }
    if compact.contains("||") {
        let numbers = compact.split("||").map(|part| part.strip_prefix("NR==")?.parse::<u64>().ok());
        let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        let ascends = numbers.is_sorted_by(|one, two| one < two);
        let list = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        return ascends.then(|| lines(list))?;
    }
    let parts: Vec<&str> = compact.split("&&").flat_map(|part| part.split(',')).collect();
    let (mut first, mut last) = (None, None);
    for part in &parts {
        let (sign, number) = part.strip_prefix("NR")?.split_at(part.len() - 2 - digits(part)?);
        let number: u64 = number.parse().ok()?;
        match sign {
            "==" if first.is_none() => (first, last) = (Some(number), last.or(Some(number))),
            "==" if compact.contains(',') => last = Some(number),
            ">=" => first = Some(number),
            ">" => first = number.checked_add(1),
            "<=" => last = Some(number),
            "<" => last = number.checked_sub(1),
            _ => return None,
        }
    }
    if first.is_none() && last.is_none() {
        return None;
    }
    let text = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    lines(span(&text(first), &text(last)))
}

/// The number of digits at the end of `text`; `None` without one.
fn digits(text: &str) -> Option<usize> {
    let count = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    (count > 0).then_some(count)
}

fn lines(ranges: String) -> Option<Selected> {
    parse_list(&ranges, Unit::Lines).is_ok().then_some(Selected::Lines(ranges))
}

/// The first and the last line of an address of sed, in our words; the last is empty for the end of the file.
fn addresses(address: &str) -> Option<(String, String)> {
    let Some((first, last)) = address.split_once(',') else {
        let place = one_place(address)?;
        return Some((place.clone(), place));
    };
    let first = one_place(first)?;
    if let Some(more) = last.trim().strip_prefix('+') {
        let end = first.parse::<u64>().ok()?.checked_add(more.parse().ok()?)?;
        return Some((first, end.to_string()));
    }
    let last = one_place(last)?;
    // sed prints the first line even if the last one comes before it.
    if let (Ok(start), Ok(end)) = (first.parse::<u64>(), last.parse::<u64>())
        && end < start
    {
        return Some((first.clone(), first));
    }
    Some((first, if last == "-1" { String::new() } else { last }))
}

/// A line number of sed in our words.
fn one_place(address: &str) -> Option<String> {
    match address.trim() {
        "$" => Some("-1".to_owned()),
        number => number.parse::<u64>().ok().filter(|line| *line > 0).map(|line| line.to_string()),
    }
}

fn span(first: &str, last: &str) -> String {
    if first == last { first.to_owned() } else { format!("{first}:{last}") }
}

/// The lines that are not from `first` to `last`.
fn complement(first: &str, last: &str) -> Option<String> {
    if first == "-1" {
        // A negative end is not included.
        return Some(":-1".to_owned());
    }
    let start = first.parse::<u64>().ok()?;
    let before = (start > 1).then(|| format!(":{}", start - 1));
    let after = match last {
        "" => None,
        last => Some(format!("{}:", last.parse::<u64>().ok()?.checked_add(1)?)),
    };
    let both: Vec<String> = before.into_iter().chain(after).collect();
    (!both.is_empty()).then(|| both.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(selected: Option<Selected>) -> String {
        selected
            .map_or("nothing".to_owned(), |selected| selected.command("f", false).replacen("rread ", "", 1))
    }

    #[test]
    fn scripts_of_sed_that_select_lines_have_a_command() {
        for (quiet, script, expected) in [
            (true, "10,20p", "lines f 10:20"),
            (true, "10,20p;20q", "lines f 10:20"),
            (true, "10,20p; 21q", "nothing"),
            (true, "5p;10p", "lines f 5,10"),
            (true, "5p\n7,9p;12,$p", "lines f 5,7:9,12:"),
            (true, "5p;5p", "nothing"),
            (true, "7p;5p", "nothing"),
            (true, "5p;3,9p", "nothing"),
            (true, "5,3p;4p", "nothing"),
            (true, "$p;5p", "nothing"),
            (true, "5p;$p", "nothing"),
            (true, "5p;/x/p", "nothing"),
            (true, "5{p;q}", "lines f 5"),
            (true, "5,7{p;q}", "nothing"),
            (true, "5,7{p}", "lines f 5:7"),
            (true, "/x/{p}", "search x f"),
            (true, "/x/{p;q}", "nothing"),
            (false, "5{p;q}", "nothing"),
            (false, "10q;d", "lines f 10"),
            (false, "10!d;q", "lines f 10"),
            (false, "1d;$d", "nothing"),
            (false, "q;d", "nothing"),
            (true, ";", "nothing"),
            (true, "7p", "lines f 7"),
            (true, "10,+5p", "lines f 10:15"),
            (true, "10,$p", "lines f 10:"),
            (true, "$p", "lines f -1"),
            (true, "20,10p", "lines f 20"),
            (true, "5!p", "lines f :4,6:"),
            (true, "$=", "stat --count f"),
            (true, "/x/p", "search x f"),
            (true, "/x/!p", "search -v x f"),
            (true, "/-x/p", "search -e -x f"),
            (true, r"/a\|b(c)/p", r"search 'a|b\(c\)' f"),
            (true, "/a/,/b/p", "nothing"),
            (true, "p", "nothing"),
            (false, "10,20p", "nothing"),
            (false, "5q", "lines f :5"),
            (false, "1,5d", "lines f 6:"),
            (false, "5d", "lines f :4,6:"),
            (false, "$d", "lines f :-1"),
            (false, "5!d", "lines f 5"),
            (false, "3,7!d", "lines f 3:7"),
            (false, "1,$d", "nothing"),
            (false, "/x/d", "search -v x f"),
            (false, "/x/!d", "search x f"),
            (false, "s/a/b/", "nothing"),
            (false, "é", "nothing"),
            (false, "", "nothing"),
        ] {
            assert_eq!(shows(sed(script, quiet, false)), expected, "{script}");
        }
        assert_eq!(shows(sed("/a|b/p", true, true)), "search 'a|b' f");
    }

    #[test]
    fn programs_of_awk_that_select_lines_have_a_command() {
        for (program, expected) in [
            ("NR==5", "lines f 5"),
            ("NR == 5 {print}", "lines f 5"),
            ("NR>=5 && NR<=10", "lines f 5:10"),
            ("NR==5,NR==10", "lines f 5:10"),
            ("NR>5", "lines f 6:"),
            ("NR<5", "lines f :4"),
            ("NR<=5{print $0}", "lines f :5"),
            ("/x/", "search x f"),
            ("!/x y/ {print}", "search -v 'x y' f"),
            ("END {print NR}", "stat --count f"),
            ("NR==5{print;exit}", "lines f 5"),
            ("NR == 5 { print $0; exit }", "lines f 5"),
            ("NR>5{print;exit}", "nothing"),
            ("NR==5 || NR==7", "lines f 5,7"),
            ("NR==7||NR==5", "nothing"),
            ("NR==5||/x/", "nothing"),
            ("FNR==5", "lines f 5"),
            ("NR!=5", "lines f :4,6:"),
            ("NR!=0", "nothing"),
            ("$0 ~ /x/", "search x f"),
            ("$0 !~ /x/", "search -v x f"),
            ("$1 ~ /x/", "nothing"),
            ("$0", "nothing"),
            ("$0 /x/", "nothing"),
            ("/a{2}/", "search 'a{2}' f"),
            ("NR==5{print $2}", "nothing"),
            ("NR<1", "nothing"),
            ("NR%2==0", "nothing"),
            ("{print $1}", "nothing"),
            ("/a/,/b/", "nothing"),
            ("NR", "nothing"),
            ("", "nothing"),
        ] {
            assert_eq!(shows(awk(program)), expected, "{program}");
        }
    }
}
