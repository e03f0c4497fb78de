//! The answers of `index`: what was built, what an index covers, the list, and what was removed.

use serde::Serialize;

use super::envelope::Plain;
use super::file::{FileDetails, NameInfo};
use super::keys::{INDEX, Key, LISTED_INDEX};

/// An answer of `index` about one file, or about the removed indexes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "index_action"))]
#[serde(untagged)]
pub(crate) enum IndexInfo {
    /// The answer of `index build`.
    Built {
        #[serde(flatten)]
        name: NameInfo,
        /// The size of the file in bytes.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        /// The number of lines of the file.
        total_lines: u64,
        /// How long it took.
        milliseconds: u64,
        #[serde(flatten)]
        details: FileDetails,
    },
    /// The answer of `index show`.
    Shown {
        #[serde(flatten)]
        name: NameInfo,
        /// fresh: the file is unchanged. grown, renamed: rread trusts the index once the blocks that the next look-up
        /// compares agree. stale: the file was changed in another way, and the next scan rebuilds the index.
        #[cfg_attr(test, schemars(extend("enum" = ["fresh", "grown", "renamed", "stale"])))]
        state: &'static str,
        /// The size of the file in bytes now; of a compressed file that of its text, once known.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        #[serde(flatten)]
        covered: CoveredInfo,
        /// Whether the index reaches the end of the file as it is now, and so has its number of lines.
        complete: bool,
        /// Bytes that the index takes.
        index_bytes: u64,
        /// The path of the index; what is not valid UTF-8 in it is U+FFFD.
        index_file: String,
        /// The device of the file, in hexadecimal; of an object, a hash of its URL.
        device: String,
        /// The number of the file on that device, in hexadecimal; of an object, a hash of its tag.
        inode: String,
        #[serde(flatten)]
        details: FileDetails,
    },
    /// The answer of `index show` for a file without an index.
    Absent {
        #[serde(flatten)]
        name: NameInfo,
        /// There is no index.
        #[cfg_attr(test, schemars(extend("const" = "absent")))]
        state: &'static str,
    },
    /// The answer of `index clear`.
    Cleared {
        /// How many indexes were removed.
        removed: u64,
        /// How many bytes they took.
        freed_bytes: u64,
    },
}

/// The part of a file that an index covers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CoveredInfo {
    /// Bytes from the start of the file that the index covers, in whole blocks of 64 KiB.
    pub(crate) covered: u64,
    /// The size of the file in bytes when rread indexed it, as it is stored.
    pub(crate) indexed_size: u64,
}

/// An index in the answer of `index list`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "listed_index"))]
pub(crate) struct ListedIndex {
    /// The path of the index; what is not valid UTF-8 in it is U+FFFD.
    pub(crate) index_file: String,
    /// Bytes that the index takes.
    pub(crate) index_bytes: u64,
    /// When the index was last used, in UTC (RFC 3339), precise to about an hour.
    pub(crate) used: String,
    // Left out of a damaged index.
    #[serde(flatten)]
    pub(crate) covered: Option<CoveredInfo>,
}

impl Plain for IndexInfo {
    const ELEMENT: &'static str = "index";
    const KEYS: &'static [Key] = INDEX;
}

impl Plain for ListedIndex {
    const ELEMENT: &'static str = "index";
    const KEYS: &'static [Key] = LISTED_INDEX;
}
