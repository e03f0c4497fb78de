//! Pages follow the rule as applied to the whole text, and joined they are the file.

use std::path::Path;

use rread_reader::paging::{Page, Pager};
use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_testkit::naive::{Whole, tuning};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources;
use rread_testkit::text::{self, BLOCKS};
use rread_text::encoding::Choice;
use rread_text::error::Kind;
use rread_text::range::Place;

/// Where page `p` ends, computed from the whole text.
fn naive_edge(whole: &Whole, p: u64, size: u64) -> u64 {
    let nominal = p * size;
    if nominal == 0 || nominal >= whole.size() {
        return nominal.min(whole.size());
    }
    let starts = whole.bounds.iter().rev().copied();
    let mut within =
        starts.filter(|start| nominal - size < *start && *start <= nominal && *start < whole.size());
    // A trailing newline does not start another line.
    within.next().unwrap_or_else(|| whole.align(nominal, nominal + 1, Align::Expand).0)
}

fn all(pager: Pager<'_>) -> Vec<Page> {
    let mut pages = vec![pager.page(Place::Front(1)).unwrap()];
    while let Some(next) = pager.after(pages[pages.len() - 1]).unwrap() {
        pages.push(next);
    }
    pages
}

#[test]
fn pages_follow_the_rule_and_joined_they_are_the_file() {
    for seed in 0..cases(6000, 2000) {
        let mut rng = Rng::new(seed);
        let tuning = tuning(&mut rng);
        let bytes = text::any(&mut rng, tuning.block);
        let (name, source) = sources::any(&mut rng, &bytes);
        // Around the size of the text and of blocks too.
        let size = match rng.below(4) {
            0 => 4 + rng.below(9),
            1 => 4 + rng.below(2 * BLOCKS[2]),
            2 => (bytes.len() + rng.below(3)).saturating_sub(1).max(4),
            _ => (bytes.len() / 2 + rng.below(3)).saturating_sub(1).max(4),
        } as u64;
        let case = format!(
            "seed {seed}, pages of {size}, {tuning:?}, {name}, {:?}",
            bytes.escape_ascii().to_string()
        );
        let reader = Reader::new(source, tuning).unwrap();
        let whole = Whole::new(&bytes);
        let pager = Pager::new(&reader, size);
        let pages = all(pager);
        let count = whole.size().div_ceil(size).max(1);
        assert_eq!(pages.len() as u64, count, "{case}");
        assert_eq!(pager.pages(), Some(count), "{case}");
        let mut at = 0;
        for (page, number) in pages.iter().zip(1..) {
            let expected = (naive_edge(&whole, number - 1, size), naive_edge(&whole, number, size));
            assert_eq!((page.start, page.end), expected, "page {number}, {case}");
            assert_eq!((page.number, page.start, page.is_last), (number, at, number == count), "{case}");
            assert!(page.end > page.start || bytes.is_empty(), "page {number} is empty, {case}");
            assert!(page.end - page.start < 2 * size, "page {number}, {case}");
            let starts_line = |at: u64| at == 0 || bytes[usize::try_from(at).unwrap() - 1] == b'\n';
            assert_eq!(page.continued, !starts_line(page.start), "page {number}, {case}");
            let cut = !page.is_last && !starts_line(page.end);
            assert_eq!(page.cuts_line, cut, "page {number}, {case}");
            at = page.end;
        }
        assert_eq!(at, whole.size(), "{case}");
        // Any page alone, from either end.
        let number = 1 + rng.below(pages.len()) as u64;
        let page = pages[usize::try_from(number).unwrap() - 1];
        assert_eq!(pager.page(Place::Front(number)).unwrap(), page, "{case}");
        assert_eq!(pager.page(Place::Back(count + 1 - number)).unwrap(), page, "{case}");
    }
}

#[test]
fn missing_pages_are_refused_with_the_number_of_pages() {
    for (bytes, size, pages) in [("", 4, 1), ("abcd", 4, 1), ("abcde", 4, 2), ("a\nb\nc\n", 4000, 1)] {
        let reader = Reader::new(sources::plain(bytes.as_bytes()), Tuning::default()).unwrap();
        let pager = Pager::new(&reader, size);
        for place in
            [Place::Front(pages + 1), Place::Front(u64::MAX), Place::Back(pages + 1), Place::Back(u64::MAX)]
        {
            let error = pager.page(place).unwrap_err();
            assert_eq!(error.kind, Kind::OutOfRange, "{place} of {bytes:?}");
            let there = if pages == 1 { "(1 page)".to_owned() } else { format!("({pages} pages)") };
            assert!(error.message.plain().contains(&there), "{error}");
        }
        for place in [Place::Front(0), Place::Back(0)] {
            assert_eq!(pager.page(place).unwrap_err().kind, Kind::InvalidRange);
        }
    }
}

#[test]
fn pages_of_wide_text_are_cut_between_characters() {
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let pieces = ["a", "\n", "é", "漢", "😀", "\u{A0D}", "\u{D0A}", "long words ", "\r\n"];
        let text: String = (0..rng.below(60)).map(|_| rng.pick(&pieces)).collect();
        let label = rng.pick(&["utf-16le", "utf-16be", "utf-32le", "gb18030", "shift_jis", "euc-kr"]);
        let bytes: Vec<u8> = match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            other => encoding_rs::Encoding::for_label(other.as_bytes()).unwrap().encode(&text).0.into_owned(),
        };
        let tuning = Tuning { block: rng.pick(&[8, 16, 64]), ..tuning(&mut rng) };
        let mut reader = Reader::new(sources::plain(&bytes), tuning).unwrap();
        let choice: Choice = label.parse().unwrap();
        if reader.read_as(choice, Path::new("f")).is_err() {
            // Too short to be detected.
            continue;
        }
        let size = 4 + rng.below(30) as u64;
        let pages = all(Pager::new(&reader, size));
        let decode = |bytes: &[u8]| match label {
            "utf-32le" => {
                let units = bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()));
                units.map(|unit| char::from_u32(unit).unwrap()).collect::<String>()
            }
            other => {
                let encoding = encoding_rs::Encoding::for_label(other.as_bytes()).unwrap();
                encoding.decode_without_bom_handling(bytes).0.into_owned()
            }
        };
        let slice =
            |page: &Page| &bytes[usize::try_from(page.start).unwrap()..usize::try_from(page.end).unwrap()];
        let joined: String = pages.iter().map(|page| decode(slice(page))).collect();
        assert_eq!(joined, decode(&bytes), "seed {seed}, {label}, pages of {size}");
        assert!(pages.iter().all(|page| page.end > page.start || bytes.is_empty()), "seed {seed}, {label}");
    }
}

#[test]
fn every_page_costs_the_same() {
    let bytes = "0123456789abcde\n".repeat(100_000).into_bytes();
    let reader = Reader::new(sources::plain(&bytes), Tuning { small: 0, ..Tuning::default() }).unwrap();
    let pager = Pager::new(&reader, 4000);
    let before = reader.bytes_read().load(std::sync::atomic::Ordering::Relaxed);
    pager.page(Place::Front(300)).unwrap();
    let read = reader.bytes_read().load(std::sync::atomic::Ordering::Relaxed) - before;
    assert!(read < 10_000, "{read} bytes for a page of 4000");
}

/// In a stateful encoding no earlier edge is better than another, and a page must not be empty.
#[test]
fn a_line_of_a_stateful_encoding_is_cut_at_the_size_and_not_continued() {
    let line = format!("\x1b$B{}\x1b(B\n", "$\"".repeat(40));
    let mut reader = Reader::new(sources::plain(line.as_bytes()), Tuning::default()).unwrap();
    reader.read_as("iso-2022-jp".parse().unwrap(), Path::new("f")).unwrap();
    let pager = Pager::new(&reader, 16);
    let first = Page { number: 1, start: 0, end: 16, continued: false, cuts_line: true, is_last: false };
    assert_eq!(pager.page(Place::Front(1)).unwrap(), first);
    assert_eq!(pager.page(Place::Front(2)).unwrap_err().kind, Kind::Usage);
    assert_eq!(pager.after(first).unwrap_err().kind, Kind::Usage);
}
