//! Ranges as other tools write them, translated to our grammar.

use super::scripts_of_other_tools::{Selected, sed};
use rread_text::range::{Place, Unit, parse_list, parse_mixed, parse_place};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Lines,
    Bytes,
    Mixed,
    Page,
}

impl Grammar {
    pub(super) fn of(command: &str) -> Option<Self> {
        match command {
            "lines" => Some(Grammar::Lines),
            "bytes" => Some(Grammar::Bytes),
            "ranges" => Some(Grammar::Mixed),
            "page" => Some(Grammar::Page),
            _ => None,
        }
    }

    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            Grammar::Lines => parse_list(text, Unit::Lines).is_ok(),
            Grammar::Bytes => parse_list(text, Unit::Bytes).is_ok(),
            Grammar::Mixed => parse_mixed(text).is_ok(),
            Grammar::Page => parse_place(text, Unit::Bytes).is_ok_and(|place| place != Place::Front(0)),
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Grammar::Lines | Grammar::Mixed => ":20",
            Grammar::Bytes => "0:4096",
            Grammar::Page => "1",
        }
    }

    pub(super) fn find_reading(self, text: &str) -> Option<String> {
        let text = text.trim();
        if self.takes(text) {
            return Some(text.to_owned());
        }
        if self == Grammar::Page || !text.contains(|c: char| c.is_ascii_digit() || c == '$') {
            return None;
        }
        readings(text, self).into_iter().find(|reading| self.takes(reading))
    }
}

/// Ranges that `text`, which is not one, may mean, the most likely first.
fn readings(text: &str, grammar: Grammar) -> Vec<String> {
    let mut found = Vec::new();
    // A list with a comma too many: 10:20,  5,,7
    let items: Vec<&str> = text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    if items.len() > 1 || text.contains(':') {
        found.push(items.join(","));
    }
    // sed: 10,12p  10,+5p  10,+5  10,$  $p
    let script = text.strip_suffix('p').unwrap_or(text);
    if script != text || script.contains('$') || script.contains(",+") {
        found.extend(match script.split_once(',') {
            Some((start, "$")) => Some(format!("{start}:")),
            Some((start, more)) if more.starts_with('+') => {
                let count = more[1..].parse::<u64>().ok();
                count.map(|count| format!("{start}:+{}", count.saturating_add(1)))
            }
            Some((start, end)) => Some(format!("{start}:{end}")),
            None => Some(script.replace('$', "-1")),
        });
    }
    // sed: 5q  5!d
    if let Some(Selected::Lines(lines)) = sed(text, false, false).filter(|_| text.ends_with(['q', 'd'])) {
        found.push(lines);
    }
    // Rust, Perl, and characters that look like a dash.
    for sign in ["..=", "...", "..", "–", "—", "~", ";", " - ", " "] {
        if let Some((start, end)) = text.split_once(sign) {
            found.push(format!("{}:{}", start.trim(), end.trim()));
        }
    }
    // 1,000:+1
    found.extend(without_thousands(text));
    // Links to GitHub: #L10-L20
    if text.trim_start_matches('#').starts_with('L') {
        found.push(text.replace(['#', 'L'], "").replace('-', ":"));
    }
    if let Some((start, end)) = text.split_once("--") {
        found.push(format!("{start}:-{end}"));
    }
    // `tail -n +5`, or a superfluous sign.
    if let Some(rest) = text.strip_prefix('+') {
        found.extend([format!("{rest}:"), rest.to_owned()]);
    }
    if let Some(count) = text.strip_prefix(":+") {
        let first = u64::from(grammar != Grammar::Bytes);
        found.push(format!("{first}:+{count}"));
    }
    // awk: NR==5
    if let Some(line) = text.strip_prefix("NR==") {
        found.push(line.to_owned());
    }
    // Lines and pages are numbered from 1.
    if text == "0" || text.starts_with("0:") || text.starts_with("0,") {
        found.push(format!("1{}", text[1..].replace(',', ":")));
    }
    // sed and cut without one end: `5,` `,5`
    if let Some((start, end)) = text.split_once(',').filter(|(start, end)| start.is_empty() || end.is_empty())
    {
        found.push(format!("{start}:{end}"));
    }
    // `cut -c 10-`
    if let Some(start) = text.strip_suffix('-') {
        found.push(format!("{start}:"));
    }
    // The wrong way round; a place from the end has nothing before its `-`.
    if let Some((end, start)) = text.split_once([':', '-']).filter(|(end, _)| !end.is_empty()) {
        found.push(format!("{start}:{end}"));
    }
    found
}

/// `text` without its commas, if all of them separate thousands.
fn without_thousands(text: &str) -> Option<String> {
    let is_grouped = |number: &str| {
        let mut groups = number.split(',');
        let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
        first && groups.all(|group| group.len() == 3)
    };
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || c == ',')).filter(|n| !n.is_empty());
    (text.contains(',') && numbers.all(is_grouped)).then(|| text.replace(',', ""))
}

/// `10:20` for `10 20`, and `100:+20` for `100 20`.
pub(super) fn span(start: &str, end: &str) -> String {
    match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(a), Ok(b)) if a > b => format!("{start}:+{end}"),
        _ => format!("{start}:{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_habit_has_its_range() {
        for (typed, meant) in [
            ("10..20", "10:20"),
            ("10..=20", "10:20"),
            ("10,12p", "10:12"),
            ("5q", ":5"),
            ("5!d", "5"),
            ("1,5d", "6:"),
            ("10p", "10"),
            ("10,+5p", "10:+6"),
            ("10,+5", "10:+6"),
            ("10:20,", "10:20"),
            ("5,7:9,", "5,7:9"),
            ("5,,7", "5,7"),
            ("10,$p", "10:"),
            ("$", "-1"),
            ("1,000:+1", "1000:+1"),
            ("1,000", "1000"),
            ("1,000:2,000", "1000:2000"),
            ("#L10-L20", "10:20"),
            ("10–20", "10:20"),
            ("5--7", "5:-7"),
            ("+5", "5:"),
            (":+5", "1:+5"),
            ("10-", "10:"),
            ("10,", "10:"),
            (",10", ":10"),
            ("NR==10", "10"),
            ("20:10", "10:20"),
            ("10 20", "10:20"),
            ("0", "1"),
            ("0:5", "1:5"),
            ("0,5", "1:5"),
            ("10,20", "10,20"),
            ("-20:", "-20:"),
        ] {
            assert_eq!(Grammar::Lines.find_reading(typed).as_deref(), Some(meant), "{typed}");
        }
        for nothing in ["abc", "4K", "", "app.log", "1__0"] {
            assert_eq!(Grammar::Lines.find_reading(nothing), None, "{nothing}");
        }
        assert_eq!(Grammar::Bytes.find_reading("0..4096").as_deref(), Some("0:4096"));
        assert_eq!(Grammar::Bytes.find_reading("-5"), None, "the error names its two readings");
    }
}
