//! Lines, character edges and content of UTF-8 text, however it is read; the judge slices the whole text in memory.

use rread_answer::content::{self, ContentOptions, Segment, Sink};
use rread_reader::reader::Reader;
use rread_reader::reader::encoding::Align;

use crate::input::Input;
use rread_testkit::ask::{Request, check};
use rread_testkit::naive::tuning;
use rread_testkit::naive::{self, Whole};
use rread_testkit::sources;

/// Content as it comes, every piece of it text.
pub struct Kept(pub Vec<u8>);

impl Sink for Kept {
    fn write(&mut self, content: &[u8]) -> rread_text::error::Result<()> {
        assert!(std::str::from_utf8(content).is_ok(), "a piece that is no text: {content:02x?}");
        self.0.extend(content);
        Ok(())
    }
}

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut rng = input.rng();
    let tuning = tuning(&mut rng);
    let bytes = input.rest();
    let whole = Whole::new(bytes);
    let (name, source) = sources::any(&mut rng, bytes);
    let case = format!("{name}, {tuning:?}, {:?}", bytes.escape_ascii().to_string());
    let reader = Reader::new(source, tuning).unwrap();
    for _ in 0..3 {
        check(&reader, &whole, &Request::any(&mut rng, &whole), &case);
    }
    for _ in 0..3 {
        let (a, b) = (rng.below(bytes.len() + 1) as u64, rng.below(bytes.len() + 1) as u64);
        let (start, end) = (a.min(b), a.max(b));
        for align in [Align::Expand, Align::Shrink, Align::None] {
            let got = reader.align(start, end, align).unwrap();
            assert_eq!(got, whole.align(start, end, align), "{start}:{end} {align:?} of {case}");
        }
        content(&reader, &whole, start, end, &case);
    }
    assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "{case}");
    assert_eq!(reader.size().unwrap(), whole.size(), "{case}");
}

/// What is invalid becomes one U+FFFD for each maximal subpart, as the standard library has it too.
fn content(reader: &Reader, whole: &Whole, start: u64, end: u64, case: &str) {
    let mut kept = Kept(Vec::new());
    let segment = Segment { start, end, line: 1 };
    let stats = content::deliver(reader, &[segment], &ContentOptions::default(), None, &mut kept).unwrap();
    let slice = &whole.bytes[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
    assert_eq!(String::from_utf8_lossy(slice).as_bytes(), kept.0, "{start}:{end} of {case}");
    assert_eq!(stats.content_bytes, kept.0.len() as u64, "{start}:{end} of {case}");
    assert_eq!(stats.invalid, naive::invalid(slice, start), "{start}:{end} of {case}");
}
