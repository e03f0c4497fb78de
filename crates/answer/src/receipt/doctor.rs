//! The answers of `doctor`, `--version --json` and `index`: what rread is, and the files that it keeps.

use serde::Serialize;

use super::file::{FileDetails, NameInfo};

/// The answer of `doctor`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "doctor"))]
pub struct DoctorInfo {
    /// Whether there is no problem.
    pub healthy: bool,
    /// The problems, each with the command that solves it.
    pub problems: Vec<ProblemInfo>,
    #[serde(flatten)]
    pub build: BuildInfo,
    /// Where rread keeps files.
    pub directories: Vec<DirectoryInfo>,
    /// The server and the credentials that requests for each URL would use. None was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<UrlInfo>,
}

/// Facts of this build: the answer of `--version --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "build"))]
pub struct BuildInfo {
    /// The version of rread.
    pub version: &'static str,
    /// The commit that it was built from; left out if the build did not name one.
    pub commit: Option<&'static str>,
    /// The kind of system that it was built for.
    pub target: &'static str,
    /// The Cargo features that it was built with.
    pub features: Vec<&'static str>,
}

/// Something that is wrong.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "problem"))]
pub struct ProblemInfo {
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A directory in which rread keeps files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "directory"))]
pub struct DirectoryInfo {
    /// Which files these are: indexes, the hashes that verify --since compares, captures, and temporary ones.
    pub holds: &'static str,
    /// The path; what is not valid UTF-8 in it is U+FFFD.
    pub directory: Option<String>,
    /// writable: rread keeps files there. absent: rread makes it when it needs it. read_only: RREAD_INDEX is ro.
    /// off: RREAD_INDEX is off. unusable: see problems.
    pub state: &'static str,
    /// How many files or captures there are.
    pub files: Option<u64>,
    /// How many bytes they take.
    pub bytes: Option<u64>,
    /// How many bytes they may take: then the ones that were used longest ago go.
    pub limit: Option<u64>,
}

/// The server and the credentials that requests for a URL would use.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "planned_url"))]
pub struct UrlInfo {
    /// The URL, without secrets.
    pub url: String,
    /// The kind of store; left out if a problem says why.
    pub store: Option<&'static str>,
    /// The server.
    pub endpoint: Option<String>,
    /// The region, of s3.
    pub region: Option<String>,
    /// Where the credentials come from; left out without any.
    pub credentials: Option<String>,
    /// Why nothing can be sent.
    pub error: Option<String>,
}

/// The answer of `index build`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct IndexBuilt {
    #[serde(flatten)]
    pub name: NameInfo,
    /// The size of the file in bytes.
    pub total: Option<u64>,
    /// The number of lines of the file.
    pub total_lines: u64,
    /// How long it took.
    pub milliseconds: u64,
    #[serde(flatten)]
    pub details: FileDetails,
}

/// The answer of `index show`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct IndexShown {
    #[serde(flatten)]
    pub name: NameInfo,
    /// fresh: the file is unchanged. grown, renamed: rread trusts the index once the blocks that the next look-up
    /// compares agree. stale: the file was changed in another way, and the next scan rebuilds the index.
    pub state: &'static str,
    /// The size of the file in bytes now; of a compressed file that of its text, once known.
    pub total: Option<u64>,
    #[serde(flatten)]
    pub covered: CoveredInfo,
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
    #[serde(flatten)]
    pub details: FileDetails,
}

/// The answer of `index show` for a file without an index.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct IndexAbsent {
    #[serde(flatten)]
    pub name: NameInfo,
    /// There is no index.
    pub state: &'static str,
}

/// The answer of `index clear`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct IndexesCleared {
    /// How many indexes were removed.
    pub removed: u64,
    /// How many bytes they took.
    pub freed_bytes: u64,
}

/// The part of a file that an index covers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct CoveredInfo {
    /// Bytes from the start of the file that the index covers, in whole blocks of 64 KiB.
    pub covered: u64,
    /// The size of the file in bytes when rread indexed it, as it is stored.
    pub indexed_size: u64,
}

/// An index in the answer of `index list`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "listed_index"))]
pub struct ListedIndex {
    /// The path of the index; what is not valid UTF-8 in it is U+FFFD.
    pub index_file: String,
    /// Bytes that the index takes.
    pub index_bytes: u64,
    /// When the index was last used, in UTC (RFC 3339), precise to about an hour.
    pub used: String,
    /// Left out of a damaged index.
    #[serde(flatten)]
    pub covered: Option<CoveredInfo>,
}

/// The order of all answers about one index for people.
pub(super) const INDEX: &str = "NAME state index total total_lines bytes_scanned TRAFFIC milliseconds DECODING covered \
    indexed_size complete index_bytes index_file device inode";
