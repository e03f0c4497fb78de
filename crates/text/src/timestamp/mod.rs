//! Times in logs: their formats, their position in a line, and the words of `--since` and `--until`.
//!
//! [`detect`] finds the format and the position from the first lines. [`Detected::time_of`] then reads the time of any
//! single line, in any order. The module opens no file except those of the time zone database.

mod clock;
mod context;
mod cursor;
mod detect;
mod formats;
mod order;
mod pattern;
mod position;
mod strptime;
mod survey;
mod words;

pub use clock::ABBREVIATIONS;
pub use context::{RecordTime, TimeContext, in_zone, resolve_year, zone};
pub use detect::{Detected, detect, detect_as, detect_in, detect_sparse, time_length};
pub use formats::{FORMATS, Format};
pub use order::{Unread, why_unread};
pub use position::time_members;
pub use position::{Custom, HEAD, TimePosition, may_have_time};
pub use strptime::format_of;
pub use survey::{Rule, UnreadLine};
pub use words::{Words, is_relative, is_time_of_day};

pub use jiff::Timestamp;
