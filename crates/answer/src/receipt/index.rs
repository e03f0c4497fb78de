//! The answers of `index`: what was built, what an index covers, the list, and what was removed.

use super::envelope::plain;
use super::facts::{Key, keys};
use super::file::{DecodingInfo, FileDetails, NameInfo, TrafficInfo};
use crate::rows::rows;

rows! {
    /// The answer of `index build`.
    pub struct IndexBuilt {
        flat pub name: NameInfo,
        /// The size of the file in bytes.
        pub total?: Option<u64>,
        /// The number of lines of the file.
        pub total_lines: u64,
        /// How long it took.
        pub milliseconds: u64,
        flat pub details: FileDetails,
    }

    /// The answer of `index show`.
    pub struct IndexShown {
        flat pub name: NameInfo,
        /// fresh: the file is unchanged. grown, renamed: rread trusts the index once the blocks that the next look-up
        /// compares agree. stale: the file was changed in another way, and the next scan rebuilds the index.
        pub state: &'static str = ["fresh", "grown", "renamed", "stale"],
        /// The size of the file in bytes now; of a compressed file that of its text, once known.
        pub total?: Option<u64>,
        flat pub covered: CoveredInfo,
        /// Whether the index reaches the end of the file as it is now, and so has its number of lines.
        pub complete: bool,
        /// Bytes that the index takes.
        pub index_bytes: u64,
        /// The path of the index; what is not valid UTF-8 in it is U+FFFD.
        pub index_file: String,
        /// The device of the file, in hexadecimal; of an object, a hash of its URL.
        pub device: String,
        /// The number of the file on that device, in hexadecimal; of an object, a hash of its tag.
        pub inode: String,
        flat pub details: FileDetails,
    }

    /// The answer of `index show` for a file without an index.
    pub struct IndexAbsent {
        flat pub name: NameInfo,
        /// There is no index.
        pub state: &'static str = "absent",
    }

    /// The answer of `index clear`.
    pub struct IndexesCleared {
        /// How many indexes were removed.
        pub removed: u64,
        /// How many bytes they took.
        pub freed_bytes: u64,
    }

    /// The part of a file that an index covers.
    pub struct CoveredInfo {
        /// Bytes from the start of the file that the index covers, in whole blocks of 64 KiB.
        pub covered: u64,
        /// The size of the file in bytes when rread indexed it, as it is stored.
        pub indexed_size: u64,
    }

    /// An index in the answer of `index list`.
    pub struct ListedIndex: "listed_index" {
        /// The path of the index; what is not valid UTF-8 in it is U+FFFD.
        pub index_file: String,
        /// Bytes that the index takes.
        pub index_bytes: u64,
        /// When the index was last used, in UTC (RFC 3339), precise to about an hour.
        pub used: String,
        /// Left out of a damaged index.
        flat pub covered: Option<CoveredInfo>,
    }
}

/// The keys of every answer about one index.
const INDEX: &[Key] = keys![
    ..NameInfo [state index total total_lines bytes_scanned] ..TrafficInfo [milliseconds]
    ..DecodingInfo ..CoveredInfo [complete index_bytes index_file device inode]
];

plain! { "index" IndexBuilt INDEX, IndexShown INDEX, IndexAbsent INDEX, IndexesCleared, ListedIndex }
