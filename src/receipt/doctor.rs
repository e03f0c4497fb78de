//! The answers of `doctor` and of `--version --json`.

use std::collections::BTreeMap;

use super::envelope::plain;
use crate::rows::rows;

rows! {
    /// The answer of `doctor`.
    pub(crate) struct DoctorInfo: "doctor" {
        /// Whether there is no problem.
        pub(crate) healthy: bool,
        /// The problems, each with the command that solves it.
        pub(crate) problems: Vec<ProblemInfo>,
        flat pub(crate) build: BuildInfo,
        /// Where rread keeps files.
        pub(crate) directories: Vec<DirectoryInfo>,
        /// The variables that are set, of those that rread reads, without values that may be secrets.
        pub(crate) variables: BTreeMap<&'static str, String>,
        /// The abilities of the terminal.
        pub(crate) terminal: TerminalInfo,
        /// Other programs that rread starts, and where they are.
        pub(crate) programs: BTreeMap<&'static str, String>,
        /// The server and the credentials that requests for each URL would use. None was sent.
        pub(crate) urls?: Vec<UrlInfo>,
    }

    /// Facts of this build: the answer of `--version --json`.
    pub(crate) struct BuildInfo: "build" {
        /// The version of rread.
        pub(crate) version: &'static str,
        /// The commit that it was built from; left out if the build did not name one.
        pub(crate) commit?: Option<&'static str>,
        /// The kind of system that it was built for.
        pub(crate) target: &'static str,
        /// The Cargo features that it was built with.
        pub(crate) features: Vec<&'static str>,
    }

    /// Something that is wrong.
    pub(crate) struct ProblemInfo: "problem" {
        /// What is wrong.
        pub(crate) problem: String,
        /// What to do about it.
        pub(crate) hint?: Option<String>,
    }

    /// A directory in which rread keeps files.
    pub(crate) struct DirectoryInfo: "directory" {
        /// Which files these are: indexes, the hashes that verify --since compares, captures, and temporary ones.
        pub(crate) holds: &'static str = ["indexes", "hashes", "captures", "temporary_files"],
        /// The path; what is not valid UTF-8 in it is U+FFFD.
        pub(crate) directory?: Option<String>,
        /// writable: rread keeps files there. absent: rread makes it when it needs it. read_only: RREAD_INDEX is ro.
        /// off: RREAD_INDEX is off. unusable: see problems.
        pub(crate) state: &'static str = ["writable", "absent", "read_only", "off", "unusable"],
        /// How many files or captures there are.
        pub(crate) files?: Option<u64>,
        /// How many bytes they take.
        pub(crate) bytes?: Option<u64>,
        /// How many bytes they may take: then the ones that were used longest ago go.
        pub(crate) limit?: Option<u64>,
        /// How many of the files are damaged, or of another version of rread. rread does not use those.
        pub(crate) damaged?: Option<u64>,
    }

    /// The abilities of the terminal.
    pub(crate) struct TerminalInfo: "terminal" {
        /// Whether standard input is a terminal.
        pub(crate) stdin: bool,
        /// Whether standard output is a terminal.
        pub(crate) stdout: bool,
        /// Whether standard error is a terminal.
        pub(crate) stderr: bool,
        /// The width in characters, if standard output is a terminal.
        pub(crate) columns?: Option<u16>,
        /// The height in lines, if standard output is a terminal.
        pub(crate) rows?: Option<u16>,
        /// The colours that --color auto uses on a terminal: none, the ansi colours of the terminal, or exact ones.
        pub(crate) colors: &'static str = ["none", "ansi", "exact"],
        /// Whether the locale is one of UTF-8.
        pub(crate) utf8: bool,
    }

    /// The server and the credentials that requests for a URL would use.
    pub(crate) struct UrlInfo: "planned_url" {
        /// The URL, without secrets.
        pub(crate) url: String,
        /// The kind of store; left out if a problem says why.
        pub(crate) store?: Option<&'static str> = ["s3", "gcs", "azure", "http"],
        /// The server.
        pub(crate) endpoint?: Option<String>,
        /// The region, of s3.
        pub(crate) region?: Option<String>,
        /// Where the credentials come from; left out without any.
        pub(crate) credentials?: Option<String>,
        /// Why nothing can be sent.
        pub(crate) error?: Option<String>,
    }
}

plain! { "doctor" DoctorInfo, BuildInfo }
