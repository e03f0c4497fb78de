//! The filter against a naive model of one line at a time, with edges of buffers everywhere.

use std::io::Cursor as Memory;

use proptest::prelude::*;

use super::*;

fn strip_in(chunks: &[&[u8]]) -> (Vec<u8>, bool) {
    let mut filter = Filter::new(Memory::new(Vec::new()), u64::MAX);
    chunks.iter().for_each(|chunk| filter.feed(chunk).unwrap());
    let (file, size, unterminated) = filter.finish().unwrap();
    let mut text = file.into_inner();
    assert!(size <= text.len() as u64);
    text.truncate(usize::try_from(size).unwrap());
    (text, unterminated)
}

#[track_caller]
fn check(stored: &str, shown: &str) {
    assert_eq!(
        strip_in(&[stored.as_bytes()]).0.escape_ascii().to_string(),
        shown.as_bytes().escape_ascii().to_string()
    );
}

/// As [`Filter`], with whole lines in memory: first without sequences, then each piece between cursor movements.
fn model(stored: &[u8]) -> Vec<u8> {
    stored.split_inclusive(|byte| *byte == b'\n').flat_map(model_line).collect()
}

fn model_line(line: &[u8]) -> Vec<u8> {
    let is_ended = line.ends_with(b"\n");
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (mut text, mut at, mut back, mut home) = (Vec::new(), 0, 0, None);
    while at < line.len() {
        let rest = &line[at..];
        let length = sequence_length(rest);
        match rest[0] {
            ESCAPE => match &rest[..length] {
                b"\x1B[G" | b"\x1B[0G" | b"\x1B[1G" if home.is_none() => (home, back) = (Some(false), 0),
                b"\x1B[2K" | b"\x1B[2J" => (text, home, back) = (Vec::new(), None, 0),
                b"\x1B[K" | b"\x1B[0K" | b"\x1B[J" | b"\x1B[0J" => {
                    if home.is_some() {
                        text.clear();
                    }
                    (0..back).for_each(|_| pop(&mut text));
                    (home, back) = (None, 0);
                }
                _ => {}
            },
            b'\r' => (home, back) = (Some(true), 0),
            BACKSPACE if home.is_some() => {}
            BACKSPACE => back += 1,
            byte => {
                if home.take().is_some() {
                    text.clear();
                }
                (0..std::mem::take(&mut back)).for_each(|_| pop(&mut text));
                text.push(byte);
            }
        }
        at += length;
    }
    if is_ended && home == Some(true) {
        text.push(b'\r');
    }
    text.extend(is_ended.then_some(b'\n'));
    text
}

fn pop(text: &mut Vec<u8>) {
    let last = text.utf8_chunks().last().map_or(0, |chunk| match chunk.invalid() {
        [] => chunk.valid().chars().last().map_or(0, char::len_utf8),
        _ => 1,
    });
    text.truncate(text.len() - last);
}

/// The length of the escape sequence at the start of `rest`, or 1.
fn sequence_length(rest: &[u8]) -> usize {
    let span = |from: usize, bytes: std::ops::RangeInclusive<u8>| {
        from + rest[from..].iter().take_while(|byte| bytes.contains(byte)).count()
    };
    let with_last = |at: usize, bytes: std::ops::RangeInclusive<u8>| {
        at + usize::from(rest.get(at).is_some_and(|byte| bytes.contains(byte)))
    };
    match rest {
        [ESCAPE, b'[', ..] => with_last(span(2, b' '..=b'?'), b'@'..=b'~'),
        [ESCAPE, introducer @ (b']' | b'P' | b'X' | b'^' | b'_'), ..] => {
            let is_end = |byte: &u8| *byte == ESCAPE || *byte == BELL && *introducer == b']';
            match rest[2..].iter().position(is_end) {
                Some(end) if rest[2 + end] == BELL => 2 + end + 1,
                Some(end) => 2 + end,
                None => rest.len(),
            }
        }
        [ESCAPE, ..] => with_last(span(1, b' '..=b'/'), b'0'..=b'~'),
        _ => 1,
    }
}

fn stored() -> impl Strategy<Value = Vec<u8>> {
    let fragments: Vec<&[u8]> = vec![
        b"a",
        b"word ",
        "é".as_bytes(),
        "日".as_bytes(),
        "😀".as_bytes(),
        b"\xE2",
        b"\x9B",
        b"\xFF",
        b" ",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\r",
        b"\x08",
        b"\x08\x08",
        b"\x1B",
        b"\x1B[",
        b"\x1B[1;31m",
        b"\x1B[K",
        b"\x1B[2K",
        b"\x1B[1G",
        b"\x1B[J",
        b"\x1B]0;title\x07",
        b"\x1B]8;;x\x1B\\",
        b"\x1BPq",
        b"\x1B_",
        b"\x1B(B",
        b"\x1BM",
        b"\x07",
        b"\x00",
        b"0",
        b"G",
        b"K",
        b"m",
        b"\\",
        b"0123456789abcdefghijklmnopqrstuvwxyz",
    ];
    proptest::collection::vec(proptest::sample::select(fragments), 0..60).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_cuts_give_what_whole_lines_give(stored in stored(), size in 1_usize..20) {
        let chunks: Vec<&[u8]> = stored.chunks(size).collect();
        let (shown, unterminated) = strip_in(&chunks);
        prop_assert_eq!(shown.escape_ascii().to_string(), model(&stored).escape_ascii().to_string());
        prop_assert_eq!(unterminated, shown.last().is_some_and(|last| *last != b'\n'));
        let newlines = |text: &[u8]| memchr_iter(b'\n', text).count();
        prop_assert_eq!(newlines(&shown), newlines(&stored));
        prop_assert!(shown.len() <= stored.len() && !shown.contains(&ESCAPE) && !shown.contains(&BACKSPACE));
        let mut traces = Traces::default();
        chunks.iter().for_each(|chunk| traces.look(chunk));
        prop_assert!(traces.has_removed() || shown == stored, "changes come from bytes that were looked for");
        prop_assert_eq!(strip_in(&[&shown]).0, shown, "the shown text stays as it is");
    }
}

#[test]
fn what_programs_write() {
    // ls, grep, tput sgr0, a link, a title.
    check("\x1B[0m\x1B[01;34mdir\x1B[0m\n", "dir\n");
    check("\x1B[01;31m\x1B[Kmatch\x1B[m\x1B[K in a line\n", "match in a line\n");
    check("bold\x1B(B\x1B[m\n", "bold\n");
    check("\x1B]8;;http://a/\x1B\\text\x1B]8;;\x1B\\\n", "text\n");
    check("\x1B]0;title\x07$ \n", "$ \n");
    // Progress: git, cargo, a spinner, padding, a pty.
    check("Counting:  50%\rCounting: 100%, done.\n", "Counting: 100%, done.\n");
    check("   Building [==> ] 1/9\r\x1B[K   Compiling x\n", "   Compiling x\n");
    check("progress 50%\r              \rdone\n", "done\n");
    check("progress 50%\r\x1B[K\n", "\n");
    check("progress 50%\r\x1B[K\r\n", "\r\n");
    check("\x1B[2K\x1B[1Gstep 1\x1B[2K\x1B[1Gstep 2\n", "step 2\n");
    check("|\x08/\x08-\x08done\n", "done\n");
    check("10%\x08\x08\x0820%\x08\x08\x08\n", "20%\n");
    check("last 1\rlast 2\r", "last 2");
    // Ends of lines.
    check("a\r\nb\r\r\nc", "a\r\nb\r\nc");
    check("\r\n\rx\n", "\r\nx\n");
    // man.
    check("N\x08NA\x08AM\x08ME\x08E _\x08f_\x08i_\x08l_\x08e _\x08é\n", "NAME file é\n");
    // Unfinished sequences end with the line.
    check("\x1B]0;no end\nnext \x1B[3\nlast \x1B", "\nnext \nlast ");
}

#[test]
fn other_bytes_stay() {
    let all: Vec<u8> = (0..=255).filter(|byte| ![ESCAPE, b'\r', BACKSPACE].contains(byte)).collect();
    assert_eq!(strip_in(&[&all]).0, all);
    check("caf\u{e9} \u{9b}31m \u{1f600}\n", "caf\u{e9} \u{9b}31m \u{1f600}\n");
}

#[test]
fn a_progress_bar_takes_the_room_of_one_segment() {
    let mut filter = Filter::new(Memory::new(Vec::new()), 40);
    for step in 0..10_000 {
        filter.feed(format!("step {step}, and longer than what is held\r").as_bytes()).unwrap();
        assert!(filter.lines.held.capacity() < 100);
    }
    let (file, size, unterminated) = filter.finish().unwrap();
    assert_eq!((file.into_inner().len() as u64, unterminated), (size, true));
    let mut filter = Filter::new(Memory::new(Vec::new()), 40);
    assert!(filter.feed(&[b'x'; 41]).is_err(), "there is no room");
}
