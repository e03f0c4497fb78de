//! The envelope: what every answer says about itself, in typed structs. Their JSON has the names of their fields; their
//! YAML and XML have the keys of the list beside each. `src/schema.json` is made from them.

mod capture;
mod capture_actions;
mod content;
mod doctor;
mod envelope;
mod error;
mod facts;
mod file;
mod follow;
mod image;
mod index;
pub(crate) mod member_line;
mod members;
mod merged;
mod page_of_document;
mod position;
#[cfg(any(test, feature = "sql"))]
mod query;
#[cfg(test)]
mod schema;
mod search;
mod search_in_file;
mod slice;
mod slice_receipt;
mod stat;
mod time;
mod verification;

#[cfg(feature = "mcp")]
pub(crate) use capture::CapturedMembers;
pub(crate) use capture::{Captured, LastPage, OriginInfo, notices as capture_notices};
pub(crate) use capture_actions::{DroppedCaptures, LimitInfo, ListedCapture, SavedCapture};
pub(crate) use content::{ContentInfo, InvalidInfo};
pub(crate) use doctor::{BuildInfo, DirectoryInfo, DoctorInfo, ProblemInfo, TerminalInfo, UrlInfo};
pub(crate) use envelope::{Envelope, Markup};
pub(crate) use error::{error_facts, error_json, error_members};
pub(crate) use facts::{Facts, Receipt};
pub use facts::{json, yaml};
#[cfg(feature = "sql")]
pub(crate) use file::TrafficInfo;
pub(crate) use file::{
    Checked, Damaged, EncodingInfo, FileDetails, FileInfo, NameInfo, Signs, WholeFile, WholeFiles,
};
pub(crate) use follow::{Batch, FollowEnd, FollowEvent, FollowedRange};
pub(crate) use image::{ImageInfo, ThumbnailInfo};
pub(crate) use index::{CoveredInfo, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared, ListedIndex};
pub(crate) use members::{FilesFound, ListInfo, MemberInfo, MembersInfo};
pub(crate) use merged::{MergedFileInfo, MergedInfo, MergedRun, NextMerge, RunRange};
pub(crate) use page_of_document::{PageLines, PageOfDocument, SheetOfWorkbook};
pub(crate) use position::{ByteInfo, EndInfo, LineInfo};
#[cfg(feature = "sql")]
pub(crate) use query::{ColumnInfo, FilesListed, NextRows, QueryInfo};
pub(crate) use search::{FoundMatch, LineWindows, MatchedLines, MatchedRange, RefusedSearch, SearchResult};
pub(crate) use search_in_file::{NextSearch, SearchInfo, SearchedBytes};
pub(crate) use slice::{AskedPage, Returned, SliceResult};
pub(crate) use stat::{LongestLine, Newlines, ObjectInfo, PatternInfo, StatError, StatInfo};
pub(crate) use time::TimeInfo;
pub(crate) use verification::{Mismatch, Pairs, Status, Verification};
#[cfg(feature = "mcp")]
pub(crate) use verification::{Moved, line_of};
