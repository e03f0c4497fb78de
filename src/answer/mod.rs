//! One answer about several files, with one budget for all of them.

pub(crate) mod budget_limit;
pub(crate) mod damage;
pub(crate) mod deliver;
pub(crate) mod facts;
pub(crate) mod plan;
pub(crate) mod request;

use std::path::Path;

use crate::content::Budget;
use crate::envelope::{Answer, Part};
use crate::error::{Error, Kind, Result};
use crate::range::Range;
use crate::source::standard::is_one_stream;
use deliver::Response;
use request::Request;

/// A request about one file, which may be one of several.
pub(crate) trait Ask {
    /// What all kinds of requests have in common.
    fn request(&self) -> &Request<'_>;

    /// Answers as a part of `response`, within `left`; returns what is left of the budget then.
    fn join<'r>(&'r self, response: &mut Response<'r>, left: Budget) -> Result<Budget>;

    /// Answers on standard output, about this file alone.
    fn alone(&self) -> Result<()> {
        let request = self.request();
        let mut response = Response::new(request.output, false)?;
        self.join(&mut response, request.budget()?)?;
        response.finish()
    }
}

/// Answers `asked` on standard output, each in its turn, also after one that cannot be answered.
///
/// # Errors
/// `usage` for what makes no sense about several files; the first of the failures, after all have been answered;
/// at once where going on would give a wrong answer.
pub(crate) fn answer<A: Ask>(asked: &[A]) -> Result<()> {
    if let [one] = asked {
        return one.alone().map_err(|error| error.about(&one.request().path));
    }
    let Some(first) = asked.first().map(Ask::request) else { return Ok(()) };
    check(asked)?;
    let mut response = Response::new(first.output, true)?;
    let mut left = first.budget()?;
    for one in asked {
        left = one.join(&mut response, left).map_err(|error| error.about(&one.request().path))?;
    }
    response.finish()
}

/// Refuses what makes no sense about several files.
fn check<A: Ask>(asked: &[A]) -> Result<()> {
    check_streams(asked.iter().map(|one| one.request().path.as_path()))?;
    if asked.iter().any(|one| one.request().content.expect.is_some()) {
        let count = asked.len();
        return Err(Error::usage(format!("--expect is the version of one file, and {count} are named"))
            .hint("ask for each file by itself"));
    }
    Ok(())
}

/// Refuses a stream that is named twice: it can be read once.
///
/// # Errors
/// `usage`, with both of its names.
pub(crate) fn check_streams<'p>(paths: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
    if paths.clone().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(Error::usage("standard input is named twice, and can be read once")
            .hint("give all its ranges after one -"));
    }
    // There may be thousands of files: only streams are compared with one another.
    let streams: Vec<&Path> = paths.filter(|path| is_one_stream(path, path)).collect();
    for (n, path) in streams.iter().enumerate() {
        if let Some(other) = streams[..n].iter().find(|other| is_one_stream(other, path)) {
            let (a, b) = (other.display(), path.display());
            return Err(Error::usage(format!("{a} and {b} are one stream, which can be read once"))
                .hint("give all its ranges after one of them"));
        }
    }
    Ok(())
}

/// Reports `refused` in the place of the file that `asked` is about; the error itself where the answer has no such
/// places, or the command is wrong for every file.
pub(crate) fn refuse<'r>(
    response: &mut Response<'r>,
    request: &'r Request<'_>,
    error: Error,
    refused: impl IntoIterator<Item = Part>,
) -> Result<()> {
    if !response.of_files || matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) {
        return Err(error);
    }
    let error = error.about(&request.path);
    response.begin(Answer::unopened(&request.path, request.content.metadata_only))?;
    refused.into_iter().try_for_each(|part| response.refused(Part { outcome: Err(error.clone()), ..part }))
}

impl Ask for Request<'_> {
    fn request(&self) -> &Request<'_> {
        self
    }

    fn alone(&self) -> Result<()> {
        self.answer()
    }

    fn join<'r>(&'r self, response: &mut Response<'r>, left: Budget) -> Result<Budget> {
        let opened = self.open(response).and_then(|(reader, options)| {
            let plan = self.plan(&reader, &options, response.format, left)?;
            Ok((reader, options, plan))
        });
        let (reader, options, plan) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let outcome = || Err(error.clone());
                let part = |asked: &Range| Part { asked: *asked, page: None, outcome: outcome() };
                return refuse(response, self, error.clone(), self.ranges.iter().map(part)).map(|()| left);
            }
        };
        response.begin(Answer { several: true, ..self.envelope(&reader, response.format, &plan) })?;
        for planned in plan.parts {
            response.part(&reader, &options, planned)?;
        }
        response.end(&reader)?;
        Ok(plan.left)
    }
}
