//! `rread doctor`: what this build has, where it keeps files, and what it would use for a URL.

mod directories;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::args::OutputArgs;
use crate::args::environment::{SIZES, http_headers, policy, set_variables, size_from};
use crate::args::output::format_from_environment;
use rread_answer::deliver::respond_facts;
use rread_answer::receipt::{BuildInfo, DoctorInfo, ProblemInfo, UrlInfo, json};
use rread_answer::wording::{hint, line, worded};
use rread_source::access::{Access, HttpHeaders};
use rread_source::open::plan;
use rread_text::address::{self, Address};
use rread_text::error::{Error, Kind, Result, counted};
use rread_text::quote::quoted;
use rread_text::sentence::call;

/// Report what this build has, where it keeps files, and what it would use for a URL
///
/// The answer has the features of the build; the directories of indexes, hashes, captures and temporary files, with
/// their sizes, limits and damage; the variables that are set; and for each URL the server,
/// the region and where the credentials come from. rread sends no request and shows no secret. The exit code is 1 if
/// something is wrong: each problem has a hint.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread doctor                          this build and its directories
  rread doctor s3://logs/app.log        also which credentials rread would use
  rread doctor --json                   for a program or a bug report")]
pub(crate) struct DoctorArgs {
    /// URLs whose server, region and source of credentials are reported
    #[arg(value_name = "URL", value_parser = crate::args::file::file())]
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
        let directories = directories::all(&mut problems);
        let urls =
            self.urls.iter().map(|url| self.planned(url, &mut problems)).collect::<Result<Vec<_>>>()?;
        let found = problems.into_all();
        let error = found.first().map(|first| {
            let count = counted(found.len() as u64, "problem");
            let error = Error::new(Kind::Mismatch, format!("found {count}: {}", first.problem));
            first.hint.iter().fold(error, |error, hint| error.hint(hint.as_str()))
        });
        let info = DoctorInfo {
            healthy: found.is_empty(),
            problems: found,
            build: build_info(),
            directories,
            variables: set_variables(),
            urls,
        };
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
                error: None,
            },
            Err(error) => {
                let error = error.at(url);
                problems.add(&error);
                unplanned(shown, &error)
            }
        })
    }
}

/// A URL for which there is no plan.
fn unplanned(url: String, error: &Error) -> UrlInfo {
    let error = Some(worded(&error.message));
    UrlInfo { url, store: None, endpoint: None, region: None, credentials: None, error }
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

/// The Cargo features that a build may have, and whether this one has them.
const FEATURES: [(&str, bool); 9] = [
    ("cloud", cfg!(feature = "cloud")),
    ("cluster", cfg!(feature = "cluster")),
    ("documents", cfg!(feature = "documents")),
    ("highlight", cfg!(feature = "highlight")),
    ("mcp", cfg!(feature = "mcp")),
    ("sql", cfg!(feature = "sql")),
    ("sqlite", cfg!(feature = "sqlite")),
    ("thumbnails", cfg!(feature = "thumbnails")),
    ("view", cfg!(feature = "view")),
];

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
        let manifest = include_str!("../../../Cargo.toml");
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

    fn into_all(self) -> Vec<ProblemInfo> {
        self.0
    }
}

/// The command that removes `paths`.
fn removal(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| quoted(path).to_string()).collect();
    format!("rm {}", paths.join(" "))
}
