//! The envelope: what every answer says about itself, in typed structs. Their JSON has the names of their fields; their
//! YAML and XML have the keys of the order beside each. `schema.json` is made from them.

mod capture;
mod content;
mod doctor;
mod envelope;
mod file;
mod json;
#[cfg(test)]
mod keys_tests;
mod kinds;
mod query;
mod records;
#[cfg(test)]
mod schema_tests;
mod slice;
mod stat;
#[cfg(test)]
mod values_tests;
mod verification;

pub use capture::{
    Captured, DroppedCaptures, LastPage, LimitInfo, ListedCapture, OriginInfo, SavedCapture,
    notices as capture_notices,
};
pub use content::{
    ContentInfo, InvalidInfo, NextSearch, PageLines, PageOfDocument, SearchInfo, SearchedBytes,
    SheetOfWorkbook,
};
pub use doctor::{
    BuildInfo, CoveredInfo, DirectoryInfo, DoctorInfo, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared,
    ListedIndex, ProblemInfo, UrlInfo,
};
pub use envelope::{Envelope, Markup, error_facts, error_json, error_members, note_json};
pub use file::{
    Checked, Contradicted, Damaged, EncodingInfo, EndInfo, FileDetails, FileInfo, LeftOut, LeftOutOfSearch,
    NameInfo, SignMembers, Signs, TimeInfo, TrafficInfo, WholeFile, WholeFiles,
};
pub use json::{Members, Receipt, arrange, json, keys, yaml};
pub use kinds::PartData;
pub use query::{ColumnInfo, FilesListed, NextRows, QueryInfo};
pub use query::{FoundMatch, LineWindows, MatchedLines, RefusedSearch, SearchResult, ShownRange};
pub use records::{
    Batch, FollowEnd, FollowEvent, FollowedRange, MergedFileInfo, MergedInfo, MergedRun, NextMerge, RunRange,
};
pub use slice::{AskedPage, Returned, SliceResult};
pub use stat::{
    ByteInfo, ImageInfo, LineInfo, LongestLine, Newlines, ObjectInfo, PatternInfo, StatError, StatInfo,
    ThumbnailInfo,
};
pub use stat::{FilesFound, ListInfo, MemberInfo, MembersInfo, member_line};
pub use verification::{Mismatch, MismatchInfo, Moved, Status, Verification};
