//! A note on a terminal about ranges that are easily mistaken for others.

use std::io::{self, IsTerminal};

use super::files::FileRanges;
use rread_text::range::{Form, Place, Range, Unit};

pub(super) fn note(files: &[FileRanges]) {
    let Some(first) = files.first() else { return };
    if let Some(note) = neighbours(&first.ranges).filter(|_| io::stderr().is_terminal()) {
        rread_source::stdio::warn(&first.path, &note);
    }
}

fn neighbours(ranges: &[Range]) -> Option<String> {
    let forms: Vec<Form> = ranges.iter().take(3).map(|range| range.form).collect();
    // Byte ranges have neither single offsets nor included ends, so they cause no confusion.
    if ranges.iter().take(3).any(|range| range.unit == Unit::Bytes) {
        return None;
    }
    match forms[..] {
        [Form::One(Place::Back(n))] if n > 1 => {
            Some(format!("-{n} is one line; -{n}: is the last {n} lines"))
        }
        [Form::One(Place::Front(a)), Form::One(Place::Front(b))] if a < b => {
            Some(format!("{a},{b} is two lines; {a}:{b} is the lines from {a} to {b}"))
        }
        [Form::Between(Some(start), Some(Place::Back(n)))] => {
            let left = if n == 1 { "the last line".to_owned() } else { format!("the last {n} lines") };
            Some(format!("{start}:-{n} leaves out {left}; {start}: goes to the end"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::range::{parse_list, parse_mixed};

    #[test]
    fn only_what_is_easily_mistaken_is_noted() {
        let note = |text: &str| neighbours(&parse_list(text, Unit::Lines).unwrap());
        assert_eq!(note("-20").unwrap(), "-20 is one line; -20: is the last 20 lines");
        assert_eq!(note("10,20").unwrap(), "10,20 is two lines; 10:20 is the lines from 10 to 20");
        assert_eq!(note("1:-1").unwrap(), "1:-1 leaves out the last line; 1: goes to the end");
        for plain in ["-1", "-20:", "10:20", "20,10", "1,2,3", "5", ":", "10:+3", "1:-1,5", ":-20"] {
            assert_eq!(note(plain), None, "{plain}");
        }
        assert_eq!(neighbours(&parse_mixed("b1:-1").unwrap()), None, "bytes end before their end");
    }
}
