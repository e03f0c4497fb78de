//! `rread doctor`: what this build has, where it keeps files, and what it would use for a URL.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::args::OutputArgs;
use crate::args::content::format_from_environment;
use crate::args::environment::{SIZES, http_headers, kept_hashes, policy, session, size_from, state_limit};
use rread_answer::deliver::respond_facts;
use rread_answer::receipt::{BuildInfo, DirectoryInfo, DoctorInfo, ProblemInfo, UrlInfo, json};
use rread_answer::worded;
use rread_answer::wording::{hint, line};
use rread_reader::store::{Store, may_create_in};
use rread_reader::{Policy, kept_hashes};
use rread_source::access::{Access, HttpHeaders};
use rread_source::open::plan;
use rread_text::{Address, Error, Kind, Result, address, call, counted};

/// Report what this build has, where it keeps files, and what it would use for a URL
///
/// The answer has the features of the build; the directories of indexes, hashes, captures and temporary files, with
/// their sizes and limits; and for each URL the server,
/// the region and where the credentials come from. rread sends no request and shows no secret. The exit code is 1 if
/// something is wrong: each problem has a hint.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread doctor                          this build and its directories
  rread doctor s3://logs/app.log        also which credentials rread would use
  rread doctor --json                   for a program or a bug report")]
pub(crate) struct DoctorArgs {
    /// URLs whose server, region and source of credentials are reported
    #[arg(value_name = "URL", value_parser = crate::args::input::file())]
    urls: Vec<PathBuf>,
    /// Report what requests without credentials would use
    #[arg(long, help_heading = "Input")]
    anonymous: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl DoctorArgs {
    pub(crate) fn run(self) -> Result<()> {
        let output = self.output.options()?;
        let mut problems = Problems::default();
        for name in SIZES {
            problems.note(size_from(name).map_err(|error| error.hint(format!("unset {name}"))));
        }
        problems.note(policy());
        problems.note(format_from_environment());
        let directories = directories(&mut problems);
        let urls =
            self.urls.iter().map(|url| self.planned(url, &mut problems)).collect::<Result<Vec<_>>>()?;
        let found = problems.0;
        let error = found.first().map(|first| {
            let count = counted(found.len() as u64, "problem");
            let error = Error::new(Kind::Mismatch, format!("found {count}: {}", first.problem));
            first.hint.iter().fold(error, |error, hint| error.hint(hint.as_str()))
        });
        let info =
            DoctorInfo { healthy: found.is_empty(), problems: found, build: build_info(), directories, urls };
        respond_facts(&output, None, [info])?;
        error.map_or(Ok(()), Err)
    }

    /// The plan of requests for `url`.
    fn planned(&self, url: &Path, problems: &mut Problems) -> Result<UrlInfo> {
        let Some(address) = Address::of(url) else {
            let shown = without_password(&url.to_string_lossy());
            return Err(Error::usage("is not a URL such as s3://BUCKET/KEY or https://HOST/PATH")
                .hint(call("stat").file(&*shown))
                .at(Path::new(&shown)));
        };
        let http_headers = HttpHeaders::new(http_headers());
        let access = Access { anonymous: self.anonymous, http_headers, ..Access::default() };
        let shown = address::display(url).into_owned();
        Ok(match plan(&address, &access) {
            Ok(plan) => UrlInfo {
                url: shown,
                store: Some(plan.store),
                endpoint: Some(plan.endpoint),
                region: plan.region,
                credentials: plan.credentials,
                ..UrlInfo::default()
            },
            Err(error) => {
                let error = error.at(url);
                problems.add(&error);
                UrlInfo { url: shown, error: Some(worded(&error.message)), ..UrlInfo::default() }
            }
        })
    }
}

/// `url` with `***` in place of the user and the password in front of the host.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.find('/').unwrap_or(rest.len());
    match rest[..host].rfind('@') {
        Some(at) => format!("{scheme}://***{}", &rest[at..]),
        None => url.to_owned(),
    }
}

/// The answer of `--version --json`.
pub(crate) fn version_json() -> Result<String> {
    Ok(json(&build_info())? + "\n")
}

macro_rules! features {
    ($($name:tt)*) => { [$(($name, cfg!(feature = $name))),*] };
}

/// The Cargo features that a build may have, and whether this one has them.
const FEATURES: [(&str, bool); 9] =
    features!["cloud" "cluster" "documents" "highlight" "mcp" "sql" "sqlite" "thumbnails" "view"];

fn build_info() -> BuildInfo {
    BuildInfo {
        version: env!("CARGO_PKG_VERSION"),
        commit: option_env!("RREAD_COMMIT").filter(|commit| !commit.is_empty()),
        target: env!("RREAD_TARGET"),
        features: FEATURES.iter().filter(|(_, is_built)| *is_built).map(|(name, _)| *name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_the_full_program_is_known() {
        let manifest = include_str!("../../Cargo.toml");
        let full = manifest.lines().find_map(|line| line.strip_prefix("full = [")).unwrap();
        let full: Vec<&str> =
            full.trim_end_matches(']').split(", ").map(|name| name.trim_matches('"')).collect();
        let known = FEATURES.map(|(name, _)| name);
        assert_eq!(known.as_slice(), full);
    }
}

/// Problems, each with the command that solves it, in the order in which they were found.
#[derive(Default)]
struct Problems(Vec<ProblemInfo>);

impl Problems {
    fn add(&mut self, error: &Error) {
        let problem = ProblemInfo { problem: line(error), hint: hint(error) };
        // Several parts of rread may meet the same problem.
        if self.0.iter().all(|other| other.problem != problem.problem) {
            self.0.push(problem);
        }
    }

    /// The value, or `None` and a problem.
    fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(&error)).ok()
    }
}

/// The directories. What is wrong with a variable is a problem already.
fn directories(problems: &mut Problems) -> Vec<DirectoryInfo> {
    let indexes = match policy() {
        Ok(Some(policy)) => indexes(&policy, problems),
        Ok(None) if env::var("RREAD_INDEX").as_deref() == Ok("off") => {
            vec![absent("indexes", "off"), absent("hashes", "off")]
        }
        Ok(None) => {
            let error = Error::usage("there is no directory for indexes: this user has no home directory");
            problems.add(&error.hint("export RREAD_CACHE_DIR=DIR"));
            vec![absent("indexes", "unusable"), absent("hashes", "unusable")]
        }
        Err(_) => vec![absent("indexes", "unusable"), absent("hashes", "unusable")],
    };
    indexes.into_iter().chain([captures(problems), temporary(problems)]).collect()
}

fn absent(holds: &'static str, state: &'static str) -> DirectoryInfo {
    DirectoryInfo { holds, directory: None, state, files: None, bytes: None, limit: None }
}

fn shown(dir: &Path) -> Option<String> {
    Some(dir.to_string_lossy().into_owned())
}

/// The indexes, and the hashes beside them.
fn indexes(policy: &Policy, problems: &mut Problems) -> Vec<DirectoryInfo> {
    let mut indexes = store("indexes", &policy.store, policy.write, problems);
    indexes.limit = Some(policy.limit);
    let kept = kept_hashes().ok().flatten().map(|(kept, write)| {
        // They are below the indexes, and have the same problem.
        if indexes.state == "unusable" {
            return DirectoryInfo { directory: shown(&kept.store.dir), ..absent("hashes", "unusable") };
        }
        let hashes = store("hashes", &kept.store, write, problems);
        DirectoryInfo { limit: Some(kept_hashes::MAX_BYTES), ..hashes }
    });
    [Some(indexes), kept].into_iter().flatten().collect()
}

fn store(holds: &'static str, store: &Store, is_written: bool, problems: &mut Problems) -> DirectoryInfo {
    let entries = store.entries();
    let files: Vec<u64> = entries.iter().flatten().map(|entry| entry.size).collect();
    let usable = entries.and_then(|_| store.is_usable());
    let state = state(usable, &store.dir, "RREAD_CACHE_DIR", is_written, problems);
    let bytes = files.iter().fold(0u64, |sum, size| sum.saturating_add(*size));
    let (files, bytes) = (Some(files.len() as u64), Some(bytes));
    DirectoryInfo { holds, directory: shown(&store.dir), state, files, bytes, limit: None }
}

/// The state of a directory that exists, or does not, or cannot be used.
fn state(
    usable: io::Result<bool>,
    dir: &Path,
    variable: &str,
    is_written: bool,
    problems: &mut Problems,
) -> &'static str {
    match usable {
        Ok(_) if !is_written => "read_only",
        Ok(true) => "writable",
        Ok(false) => "absent",
        Err(_) if !is_written => "read_only",
        Err(cause) => {
            let error = Error::writing("cannot be written", &cause).at(dir);
            problems.add(&error.hint(format!("export {variable}=DIR, a directory that is yours alone")));
            "unusable"
        }
    }
}

fn captures(problems: &mut Problems) -> DirectoryInfo {
    let Some(session) = problems.note(session()) else { return absent("captures", "unusable") };
    let root = &session.root;
    let state = state(session.is_usable(), root, "RREAD_STATE_DIR", true, problems);
    let kept = session.kept().ok();
    DirectoryInfo {
        directory: shown(root),
        files: kept.map(|(files, _)| files),
        bytes: kept.map(|(_, bytes)| bytes),
        limit: state_limit().ok(),
        ..absent("captures", state)
    }
}

fn temporary(problems: &mut Problems) -> DirectoryInfo {
    let dir = env::temp_dir();
    let usable = may_create_in(&dir).map(|()| true);
    let state = state(usable, &dir, "TMPDIR", true, problems);
    DirectoryInfo { directory: shown(&dir), ..absent("temporary_files", state) }
}
