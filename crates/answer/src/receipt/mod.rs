//! The envelope: what every answer says about itself, in typed structs. Their JSON has the names of their fields; their
//! YAML and XML have the keys of the list beside each. `schema.json` is made from them.

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
pub mod member_line;
mod members;
mod merged;
mod page_of_document;
mod position;
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

pub use capture::CapturedMembers;
pub use capture::{Captured, LastPage, OriginInfo, notices as capture_notices};
pub use capture_actions::{DroppedCaptures, LimitInfo, ListedCapture, SavedCapture};
pub use content::{ContentInfo, InvalidInfo};
pub use doctor::{BuildInfo, DirectoryInfo, DoctorInfo, ProblemInfo, TerminalInfo, UrlInfo};
pub use envelope::{Envelope, Markup};
pub use error::{error_facts, error_json, error_members};
pub use facts::{Facts, Receipt};
pub use facts::{json, yaml};
pub use file::TrafficInfo;
pub use file::{
    Checked, Damaged, EncodingInfo, FileDetails, FileInfo, NameInfo, Signs, WholeFile, WholeFiles,
};
pub use follow::{Batch, FollowEnd, FollowEvent, FollowedRange};
pub use image::{ImageInfo, ThumbnailInfo};
pub use index::{CoveredInfo, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared, ListedIndex};
pub use members::{FilesFound, ListInfo, MemberInfo, MembersInfo};
pub use merged::{MergedFileInfo, MergedInfo, MergedRun, NextMerge, RunRange};
pub use page_of_document::{PageLines, PageOfDocument, SheetOfWorkbook};
pub use position::{ByteInfo, EndInfo, LineInfo};
pub use query::{ColumnInfo, FilesListed, NextRows, QueryInfo};
pub use search::{FoundMatch, LineWindows, MatchedLines, MatchedRange, RefusedSearch, SearchResult};
pub use search_in_file::{NextSearch, SearchInfo, SearchedBytes};
pub use slice::{AskedPage, Returned, SliceResult};
pub use stat::{LongestLine, Newlines, ObjectInfo, PatternInfo, StatError, StatInfo};
pub use time::TimeInfo;
pub use verification::{Mismatch, Pairs, Status, Verification};
pub use verification::{Moved, line_of};
