//! The anchors that an earlier run showed: those of a version of the file, in ranges of lines.

use std::path::Path;

use super::check::merge;
use crate::args::content::version;
use rread_answer::options::ReadOptions;
use rread_answer::shown_hashes;
use rread_source::version::Version;
use rread_text::error::{Error, Result};
use rread_text::hashline::Anchor;
use rread_text::range::{Point, Range, Unit, parse_list};
use rread_text::sentence::call;

/// When the lines were read.
#[derive(Clone, Debug)]
pub(crate) enum Since {
    /// In the last read with hashes.
    Last,
    /// When the file was in this state.
    Version(Version),
}

impl Since {
    /// Parses the value of `--since`.
    pub(super) fn parse(text: &str) -> std::result::Result<Since, String> {
        if text == "last" { Ok(Since::Last) } else { version(text).map(Since::Version) }
    }
}

/// The anchors of a version in `words`, lists of ranges; all of them if there are none.
pub(super) fn anchors(
    options: &ReadOptions,
    file: &Path,
    words: &[String],
    since: &Since,
) -> Result<Vec<Anchor>> {
    let ranges = words.iter().map(|word| lines(word)).collect::<Result<Vec<_>>>()?.concat();
    let known = shown_hashes::versions(options, file);
    let version = match since {
        Since::Last => known.first().cloned().unwrap_or_default(),
        Since::Version(version) => version.to_string(),
    };
    let all = shown_hashes::of(options, file, &version);
    if all.is_empty() {
        let none = match &known[..] {
            [] => "no hash of a line is kept".to_owned(),
            known => format!("no hash of version {version} is kept, but of {}", known.join(", ")),
        };
        if !shown_hashes::are_kept(options) {
            let why =
                "; none is kept where RREAD_INDEX is off or ro, or without a directory for line indexes";
            return Err(Error::usage(none + why).hint("export RREAD_INDEX=auto"));
        }
        return Err(Error::usage(none).hint(call("lines").file(file).word("1:20").on("hash")));
    }
    let shown = merge(all.iter().map(|anchor| (anchor.line, anchor.line)));
    if let Some(missing) = ranges.iter().find_map(|range| missing(*range, &shown)) {
        let list: Vec<String> = shown.iter().map(|&(start, end)| range_text(start, end)).collect();
        let list = list.join(",");
        let message = format!("{} not shown with --hash in version {version}", was(missing));
        return Err(Error::usage(message).hint(call("verify").file(file).word(list).with("since", version)));
    }
    let is_asked = |anchor: &Anchor| ranges.iter().any(|(start, end)| (*start..=*end).contains(&anchor.line));
    Ok(all.into_iter().filter(|anchor| ranges.is_empty() || is_asked(anchor)).collect())
}

/// The first and the last line of each range.
fn lines(word: &str) -> Result<Vec<(u64, u64)>> {
    let ends = |range: Range| match (range.start(), range.end()) {
        (Point::Front(before), Point::Front(end)) => Ok((before.saturating_add(1), end)),
        (Point::Front(before), Point::Back(0)) => Ok((before.saturating_add(1), u64::MAX)),
        _ => Err(Error::usage(format!("'{range}' counts from the end, which may have moved since"))
            .hint("give the numbers that the lines had, such as 110:120")),
    };
    parse_list(word, Unit::Lines)?.into_iter().map(|range| ends(range.check()?)).collect()
}

/// The first lines of a range that are not in `shown`. An open range is what was shown of it.
fn missing((start, end): (u64, u64), shown: &[(u64, u64)]) -> Option<(u64, u64)> {
    let inside = |line: u64| shown.iter().find(|(first, last)| (*first..=*last).contains(&line));
    if end == u64::MAX {
        return shown.iter().all(|(_, last)| *last < start).then_some((start, end));
    }
    let from = inside(start).map_or(start, |(_, last)| last.saturating_add(1));
    let to = shown.iter().map(|(first, _)| first - 1).find(|before| *before >= from).unwrap_or(end);
    (from <= end).then_some((from, to.min(end)))
}

fn range_text(start: u64, end: u64) -> String {
    match end {
        end if end == start => start.to_string(),
        u64::MAX => format!("{start}:"),
        end => format!("{start}:{end}"),
    }
}

fn was((start, end): (u64, u64)) -> String {
    let text = range_text(start, end);
    if start == end { format!("line {text} was") } else { format!("lines {text} were") }
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn missing_lines_are_those_that_a_walk_finds() {
        let shown = [(3, 5), (8, 8), (10, 14)];
        let is_shown = |line: u64| shown.iter().any(|(first, last)| (*first..=*last).contains(&line));
        for start in 1..18 {
            for end in start..18 {
                let first = (start..=end).find(|line| !is_shown(*line));
                let walked = first.map(|first| {
                    let last = (first..=end).take_while(|line| !is_shown(*line)).last();
                    (first, last.unwrap_or(first))
                });
                assert_eq!(missing((start, end), &shown), walked, "{start}:{end}");
            }
        }
        assert_eq!(missing((14, u64::MAX), &shown), None);
        assert_eq!(missing((15, u64::MAX), &shown), Some((15, u64::MAX)));
    }
}
