//! The answers of `doctor` and of `--version --json`.

use std::collections::BTreeMap;

use super::envelope::plain;
use crate::rows::rows;

rows! {
    /// The answer of `doctor`.
    pub struct DoctorInfo: "doctor" {
        /// Whether there is no problem.
        pub healthy: bool,
        /// The problems, each with the command that solves it.
        pub problems: Vec<ProblemInfo>,
        flat pub build: BuildInfo,
        /// Where rread keeps files.
        pub directories: Vec<DirectoryInfo>,
        /// The variables that are set, of those that rread reads, without values that may be secrets.
        pub variables: BTreeMap<&'static str, String>,
        /// The abilities of the terminal.
        pub terminal: TerminalInfo,
        /// Other programs that rread starts, and where they are.
        pub programs: BTreeMap<&'static str, String>,
        /// The server and the credentials that requests for each URL would use. None was sent.
        pub urls?: Vec<UrlInfo>,
    }

    /// Facts of this build: the answer of `--version --json`.
    pub struct BuildInfo: "build" {
        /// The version of rread.
        pub version: &'static str,
        /// The commit that it was built from; left out if the build did not name one.
        pub commit?: Option<&'static str>,
        /// The kind of system that it was built for.
        pub target: &'static str,
        /// The Cargo features that it was built with.
        pub features: Vec<&'static str>,
    }

    /// Something that is wrong.
    pub struct ProblemInfo: "problem" {
        /// What is wrong.
        pub problem: String,
        /// What to do about it.
        pub hint?: Option<String>,
    }

    /// A directory in which rread keeps files.
    pub struct DirectoryInfo: "directory" {
        /// Which files these are: indexes, the hashes that verify --since compares, captures, and temporary ones.
        pub holds: &'static str = ["indexes", "hashes", "captures", "temporary_files"],
        /// The path; what is not valid UTF-8 in it is U+FFFD.
        pub directory?: Option<String>,
        /// writable: rread keeps files there. absent: rread makes it when it needs it. read_only: RREAD_INDEX is ro.
        /// off: RREAD_INDEX is off. unusable: see problems.
        pub state: &'static str = ["writable", "absent", "read_only", "off", "unusable"],
        /// How many files or captures there are.
        pub files?: Option<u64>,
        /// How many bytes they take.
        pub bytes?: Option<u64>,
        /// How many bytes they may take: then the ones that were used longest ago go.
        pub limit?: Option<u64>,
        /// How many of the files are damaged, or of another version of rread. rread does not use those.
        pub damaged?: Option<u64>,
    }

    /// The abilities of the terminal.
    pub struct TerminalInfo: "terminal" {
        /// Whether standard input is a terminal.
        pub stdin: bool,
        /// Whether standard output is a terminal.
        pub stdout: bool,
        /// Whether standard error is a terminal.
        pub stderr: bool,
        /// The width in characters, if standard output is a terminal.
        pub columns?: Option<u16>,
        /// The height in lines, if standard output is a terminal.
        pub rows?: Option<u16>,
        /// The colours that --color auto uses on a terminal: none, the ansi colours of the terminal, or exact ones.
        pub colors: &'static str = ["none", "ansi", "exact"],
        /// Whether the locale is one of UTF-8.
        pub utf8: bool,
    }

    /// The server and the credentials that requests for a URL would use.
    pub struct UrlInfo: "planned_url" {
        /// The URL, without secrets.
        pub url: String,
        /// The kind of store; left out if a problem says why.
        pub store?: Option<&'static str> = ["s3", "gcs", "azure", "http"],
        /// The server.
        pub endpoint?: Option<String>,
        /// The region, of s3.
        pub region?: Option<String>,
        /// Where the credentials come from; left out without any.
        pub credentials?: Option<String>,
        /// Why nothing can be sent.
        pub error?: Option<String>,
    }
}

plain! { "doctor" DoctorInfo, BuildInfo }
