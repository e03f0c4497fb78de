//! `rread doctor`: what this build has, where it keeps files, and what it would use for a URL.

mod build;
mod directories;
mod problems;
mod surroundings;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::args::OutputArgs;
use crate::args::environment::{SIZES, http_headers, policy, set_variables, size_from};
use crate::args::output::format_from_environment;
use problems::Problems;
use rread_answer::deliver::respond_facts;
use rread_answer::receipt::{DoctorInfo, UrlInfo, json};
use rread_answer::wording::worded;
use rread_source::access::{Access, HttpHeaders};
use rread_source::open::plan;
use rread_text::address::{self, Address};
use rread_text::error::{Error, Kind, Result, counted};
use rread_text::sentence::call;

/// Report what this build has, where it keeps files, and what it would use for a URL
///
/// The answer has the features of the build; the directories of indexes, hashes, captures and temporary files, with
/// their sizes, limits and damage; the variables that are set; what the terminal can do; and for each URL the server,
/// the region and where the credentials come from. rread sends no request and shows no secret. The exit code is 1 if
/// something is wrong: each problem has a hint.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  rread doctor                          this build, its directories and the terminal
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
            build: build::info(),
            directories,
            variables: set_variables(),
            terminal: surroundings::terminal(output.use_color(true)),
            programs: surroundings::programs(),
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
    Ok(json(&build::info())? + "\n")
}
