//! The envelope: what every answer says about itself, and the home of its serialization.

mod brief;
mod captured;
mod facts;
mod json;
mod verification;

use std::path::Path;

use crate::content::{ContentStats, CutBy, Encode};
use crate::encoding::{Encoding, Origin};
use crate::error::Error;
use crate::index::Outcome;
use crate::next::Next;
use crate::paging::Page;
use crate::range::{Place, Range};
use crate::source::Change;
use crate::source::object::Traffic;

pub use brief::facts;
pub(crate) use brief::{compression_facts, damage_facts, notice_facts, traffic_facts};
pub(crate) use captured::{Captured, LastPage, record_facts};
pub use facts::{Fact, Facts};
pub use json::metadata;
pub(crate) use json::{error_json, error_members, file_metadata, files_metadata};
pub use verification::Mismatch;
pub(crate) use verification::{Status, Verification, verification};

/// What holds for the whole answer.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The file as it was named.
    pub path: &'a Path,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// Its number of lines, if known.
    pub total_lines: Option<u64>,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// Whether it starts with a byte order mark.
    pub bom: bool,
    /// Its encoding, where that is not UTF-8.
    pub encoding: Option<String>,
    /// How that was found.
    pub encoding_source: Option<Origin>,
    /// Which it most likely is, where it is not known.
    pub encoding_guess: Option<String>,
    /// What to type to read it in the encoding that was guessed.
    pub encoding_hint: Option<String>,
    /// The encoding whose characters are not cut.
    pub aligned_to: Encoding,
    /// How the content is encoded, where it is.
    pub encode: Option<Encode>,
    /// Whether there are parts, rather than one.
    pub several: bool,
    /// Whether the content is left out.
    pub metadata_only: bool,
    /// What became of the line index.
    pub index: Outcome,
    /// Bytes read to find the slices.
    pub bytes_scanned: u64,
    /// What has happened to the file meanwhile.
    pub change: Option<Change>,
    /// Whether the file may have changed meanwhile without a sign.
    pub unverified: bool,
    /// What was asked of a server, once nothing more will be.
    pub traffic: Option<Traffic>,
    /// How the file is compressed, if it is.
    pub compression: Option<Compression>,
    /// Where its readable text ends, if damage was met.
    pub damaged: Option<Damaged>,
}

/// Where the readable text of a damaged compressed file ends, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The bytes of text before the damage.
    pub offset: u64,
    /// What is wrong, in a sentence.
    pub reason: String,
}

/// What is known of the checksums of a slice; the worst comes last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    /// They are right, or the format has none.
    #[default]
    Right,
    /// They were not read.
    Unread,
    /// One is wrong, or damage ended the slice.
    Damaged,
}

/// How a file is compressed whose text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compression {
    /// The format.
    pub format: &'static str,
    /// The size of the compressed file in bytes, if known.
    pub size: Option<u64>,
    /// Whether bytes follow behind the compressed data that belong to none of it.
    pub trailing_garbage: bool,
    /// Whether damage was met.
    pub is_damaged: bool,
    /// Whether the text is to end where the damage is.
    pub is_salvaged: bool,
    /// What is known of the checksums of what was read.
    pub checked: Checked,
}

impl<'a> Answer<'a> {
    /// What holds for one of several files that could not be opened: nothing but its name.
    pub(crate) fn unopened(path: &'a Path, metadata_only: bool) -> Self {
        Answer {
            path,
            size: None,
            total_lines: None,
            version: None,
            bom: false,
            encoding: None,
            encoding_source: None,
            encoding_guess: None,
            encoding_hint: None,
            aligned_to: Encoding::Utf8,
            encode: None,
            several: true,
            metadata_only,
            index: Outcome::None,
            bytes_scanned: 0,
            change: None,
            unverified: false,
            traffic: None,
            compression: None,
            damaged: None,
        }
    }

    /// What the reader should know of the whole answer, in words.
    fn notices(&self) -> Vec<&'static str> {
        notices(self.change, self.compression, self.unverified)
    }

    /// The same answer, for a part of which this is known.
    pub fn with(&self, checked: Checked) -> Self {
        let compression = self.compression.map(|compression| Compression { checked, ..compression });
        Answer { compression, ..self.clone() }
    }

    /// The damage, if it is in the text that was asked for, or is to be its end.
    fn damage(&self) -> Option<&Damaged> {
        let is_met =
            |compression: Compression| compression.is_salvaged || compression.checked == Checked::Damaged;
        self.damaged.as_ref().filter(|_| self.compression.is_some_and(is_met))
    }
}

/// What the reader should know of a file, in words.
pub fn notices(
    change: Option<Change>,
    compression: Option<Compression>,
    unverified: bool,
) -> Vec<&'static str> {
    let garbage = compression.is_some_and(|compression| compression.trailing_garbage);
    // Of damage in the way of what was asked for, an error tells more.
    let damaged =
        compression.is_some_and(|it| it.is_damaged && (it.is_salvaged || it.checked < Checked::Damaged));
    let unread =
        compression.is_some_and(|it| it.checked == Checked::Unread && !(it.is_damaged && it.is_salvaged));
    let notices = [
        (change.is_some(), "changed"),
        (garbage, "trailing_garbage"),
        (unverified, "unverified"),
        (unread, "checksum_unread"),
        (damaged, "damaged"),
    ];
    notices.into_iter().filter_map(|(holds, notice)| holds.then_some(notice)).collect()
}

/// One range and what became of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// What was asked.
    pub asked: Range,
    /// The page that this is, if pages were asked for.
    pub page: Option<PageFacts>,
    /// What was delivered, or why nothing was.
    pub outcome: Result<Delivered, Error>,
}

impl Part {
    /// Whether anything is missing from the content: of what was asked for, or of the line that a page ends in.
    pub(crate) fn is_truncated(&self) -> bool {
        let cut = self.outcome.as_ref().is_ok_and(|delivered| delivered.cut_by().is_some());
        cut || self.page.is_some_and(|page| page.page.cuts_line)
    }

    /// What was asked, as a command and its argument.
    fn request(&self) -> String {
        match &self.page {
            Some(page) => format!("page {}", page.asked),
            None => format!("{} {}", self.asked.unit.command(), self.asked),
        }
    }
}

/// A page among the others of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageFacts {
    /// The page.
    pub page: Page,
    /// The number that was asked for, which may count from the end.
    pub asked: Place,
    /// How many there are, if that is known.
    pub pages: Option<u64>,
    /// Their nominal size in bytes.
    pub size: u64,
}

/// Which budget left something out of what `stats` tells of.
fn cut_by(stats: &ContentStats) -> Option<&'static str> {
    match stats.cut {
        Some(CutBy::Bytes) => Some("max_bytes"),
        Some(CutBy::Lines) => Some("max_lines"),
        None if stats.clipped_lines > 0 => Some("max_columns"),
        None => None,
    }
}

/// What was delivered of one range.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line, if known.
    pub first_line: Option<u64>,
    /// Lines in the slice, a begun one included, if known.
    pub lines: Option<u64>,
    /// How far the start was moved to a character edge, and the end.
    pub moved: (i64, i64),
    /// Whether this is what the words of the range say.
    pub exact: bool,
    /// Lines of the file's start that go before the slice.
    pub header_lines: u64,
    /// What the content amounts to.
    pub stats: ContentStats,
    /// The slice that follows.
    pub next: Option<Next>,
    /// Whether more was asked for than comes before damage.
    pub reaches_damage: bool,
    /// What is known of its checksums.
    pub checked: Checked,
}

impl Delivered {
    /// Which budget left out something that was asked for, in the words of receipts.
    pub fn cut_by(&self) -> Option<&'static str> {
        cut_by(&self.stats)
    }

    /// What cut the content and how to go on, in a sentence; `None` when nothing did.
    pub(crate) fn cut_note(&self) -> Option<String> {
        let cut_by = self.cut_by()?.replace('_', "-");
        let next = self.next.map_or(String::new(), |next| format!("; next: {next}"));
        let clipped = match self.stats.clipped_lines {
            0 => String::new(),
            n => format!(" ({n} clipped)"),
        };
        Some(format!("cut by --{cut_by}{clipped}{next}"))
    }

    fn last_line(&self) -> Option<u64> {
        Some((self.first_line? + self.lines?).saturating_sub(1))
    }
}

impl Answer<'_> {
    /// Why an end of a byte range was moved.
    fn alignment(&self) -> String {
        let name = self.aligned_to.name();
        match self.aligned_to {
            encoding if encoding.has_state() => format!("{name} line boundary alignment"),
            Encoding::Utf8 => "UTF-8 character boundary alignment".to_owned(),
            _ => format!("{name} character boundary alignment"),
        }
    }
}
