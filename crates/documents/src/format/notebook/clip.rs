//! Long outputs lose their middle.

/// Lines and bytes of an output that are shown whole, and of a longer one those of its start and end.
const WHOLE: Part = Part { lines: 60, bytes: 4000 };
const START: Part = Part { lines: 40, bytes: 2500 };
const END: Part = Part { lines: 15, bytes: 1000 };

struct Part {
    lines: usize,
    bytes: usize,
}

/// `text`, or its start and its end and a line that says how much is between them.
pub(super) fn clip(text: &str) -> String {
    if text.len() <= WHOLE.bytes && text.lines().count() <= WHOLE.lines {
        return text.to_owned();
    }
    let start = start(text);
    let end = start + end(&text[start..]);
    let (head, middle, tail) = (&text[..start], &text[start..end], &text[end..]);
    let lines = match middle.lines().count() {
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    };
    let newline = |part: &str| if part.is_empty() || part.ends_with('\n') { "" } else { "\n" };
    format!("{head}{}[... {lines}, {} left out]\n{tail}", newline(head), size(middle.len()))
}

/// Where the shown start ends: after a line, or inside one that is too long.
fn start(text: &str) -> usize {
    let lines = text.match_indices('\n').map(|(at, _)| at + 1).take(START.lines);
    let whole = lines.take_while(|end| *end <= START.bytes).last();
    whole.unwrap_or_else(|| text.floor_char_boundary(START.bytes))
}

fn end(text: &str) -> usize {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let least = text.len().saturating_sub(END.bytes);
    let lines = body.rmatch_indices('\n').map(|(at, _)| at + 1).take(END.lines);
    let whole = lines.take_while(|start| *start >= least).last();
    whole.unwrap_or_else(|| text.ceil_char_boundary(least))
}

/// `bytes` in the largest unit that leaves a whole number.
pub(super) fn size(bytes: usize) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{bytes} bytes"),
        1000..999_500 => format!("{} kB", (bytes + 500) / 1000),
        _ => format!("{} MB", (bytes + 500_000) / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_and_what_is_left_out_are_the_whole() {
        let numbered = |count: usize| (1..=count).map(|n| format!("line {n}\n")).collect::<String>();
        let long = "ü".repeat(5000);
        for text in [numbered(61), numbered(1000), numbered(100_000), long.clone(), format!("a\n{long}\nb")] {
            let clipped = clip(&text);
            let (head, rest) = clipped.split_once("[... ").unwrap();
            let (note, tail) = rest.split_once(" left out]\n").unwrap();
            let head = if text.starts_with(head) { head } else { head.trim_end() };
            assert!(text.starts_with(head) && text.ends_with(tail), "{clipped}");
            assert!(clipped.len() < WHOLE.bytes, "{}", clipped.len());
            let left = text.len() - head.len() - tail.len();
            assert!(note.ends_with(&size(left)), "{note} {left}");
            assert_eq!(clip(&clipped), clipped);
        }
        assert_eq!(clip(&numbered(60)), numbered(60));
        assert!(clip(&numbered(61)).contains("line 40\n[... 6 lines, 48 bytes left out]\nline 47\n"));
    }

    #[test]
    fn sizes_are_round() {
        assert_eq!(
            [0, 1, 999, 1000, 1499, 999_499, 999_500].map(size).join(" "),
            "0 bytes 1 byte 999 bytes 1 kB 1 kB 999 kB 1 MB"
        );
    }
}
