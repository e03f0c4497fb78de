//! The kinds of receipts: those that are complete in themselves, and those whose facts a program takes as they are.

use std::any::Any;

use super::capture::{DroppedCaptures, ListedCapture, SavedCapture};
use super::doctor::{
    BuildInfo, DoctorInfo, INDEX, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared, ListedIndex,
};
use super::envelope::{Envelope, Plain};
use super::file::LeftOutOfSearch;
use super::query::{FilesListed, MatchedLines, QueryInfo};
use super::records::{MergedInfo, MergedRun};
use super::slice::SliceResult;
use super::stat::{
    BYTE, ByteInfo, FilesFound, ImageInfo, LINE, LineInfo, ListInfo, MemberInfo, MembersInfo, STAT,
    STAT_BRIEF, StatError, StatInfo,
};
use super::verification::Verification;

macro_rules! plain {
    ($($name:ty: $element:literal, $order:expr, $brief:expr;)*) => {$(
        impl Plain for $name {
            const ELEMENT: &'static str = $element;
            const ORDER: &'static str = $order;
            const BRIEF: &'static str = $brief;
        }
    )*};
}

plain! {
    BuildInfo: "doctor", "", "";
    ByteInfo: "file_position", BYTE, "";
    DoctorInfo: "doctor", "", "";
    DroppedCaptures: "capture", "", "";
    FilesFound: "files_found", "", "files matched_lines left_out decoded";
    FilesListed: "select_files", "", "listed next_offset";
    IndexAbsent: "index", INDEX, "";
    IndexBuilt: "index", INDEX, "";
    IndexShown: "index", INDEX, "";
    IndexesCleared: "index", "", "";
    LineInfo: "file_position", LINE, "";
    LeftOutOfSearch: "left_out", "", "left_out";
    ListInfo: "list", "", "";
    ListedCapture: "capture", "", "";
    ListedIndex: "index", "", "";
    MatchedLines: "matched_lines", "", "windows";
    MemberInfo: "member", "", "name name_base64 size target encrypted";
    MembersInfo: "archive", "", "listed next_offset";
    MergedRun: "run", "", "";
    SavedCapture: "capture", "", "";
    StatError: "file_stat", "", "error_kind";
    StatInfo: "file_stat", STAT, STAT_BRIEF;
}

/// The facts of one part of an answer.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum PartData {
    Slice(SliceResult),
    Verified(Verification),
    Stat(Box<StatInfo>),
    Image(ImageInfo),
    Query(Box<QueryInfo>),
    Merged(Box<MergedInfo>),
    Other,
}

impl PartData {
    pub fn of(envelope: &dyn Envelope) -> Self {
        fn copy<T: Clone + 'static>(envelope: &dyn Any) -> Option<T> {
            envelope.downcast_ref::<T>().cloned()
        }
        copy(envelope)
            .map(PartData::Slice)
            .or_else(|| copy(envelope).map(PartData::Verified))
            .or_else(|| copy(envelope).map(PartData::Image))
            .or_else(|| copy(envelope).map(|info| PartData::Stat(Box::new(info))))
            .or_else(|| copy(envelope).map(|info| PartData::Query(Box::new(info))))
            .or_else(|| copy(envelope).map(|info| PartData::Merged(Box::new(info))))
            .unwrap_or(PartData::Other)
    }
}
