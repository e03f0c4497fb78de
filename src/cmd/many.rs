//! One answer about several files, with one budget for all of them.

use std::path::Path;

use super::question::Question;
use super::response::Response;
use crate::body::Budget;
use crate::error::{Error, Kind, Result};
use crate::range::Range;
use crate::report::{Answer, Part};
use crate::source::standard::is_one_stream;

/// A question about one file, which may be one of several.
pub(super) trait Ask {
    /// What all kinds of questions have in common.
    fn question(&self) -> &Question<'_>;

    /// Answers as a part of `response`, within `left`; returns what is left of the budget then.
    ///
    /// # Errors
    /// What keeps the whole answer from being complete; what keeps only this file's is reported in its place.
    fn join<'r>(&'r self, response: &mut Response<'r>, left: Budget) -> Result<Budget>;

    /// Answers on standard output, about this file alone.
    ///
    /// # Errors
    /// Whatever kept the answer from being complete.
    fn alone(&self) -> Result<()> {
        let question = self.question();
        let mut response = Response::new(question.output, false)?;
        self.join(&mut response, question.budget()?)?;
        response.finish()
    }
}

/// Answers `asked` on standard output, each in its turn, also after one that cannot be answered.
///
/// # Errors
/// `usage` for what makes no sense about several files; the first of the failures, after all have been answered;
/// at once where going on would give a wrong answer.
pub(super) fn answer<A: Ask>(asked: &[A]) -> Result<()> {
    let about = |question: &Question<'_>, error: Error| match error.path {
        // Failed writes are about standard output, not about the file.
        None if !matches!(error.kind, Kind::Write | Kind::BrokenPipe) => error.at(&question.path),
        _ => error,
    };
    if let [one] = asked {
        return one.alone().map_err(|error| about(one.question(), error));
    }
    let Some(first) = asked.first().map(Ask::question) else { return Ok(()) };
    check(asked)?;
    let mut response = Response::new(first.output, true)?;
    let mut left = first.budget()?;
    for one in asked {
        left = one.join(&mut response, left).map_err(|error| about(one.question(), error))?;
    }
    response.finish()
}

/// Refuses what makes no sense about several files.
fn check<A: Ask>(asked: &[A]) -> Result<()> {
    check_streams(asked.iter().map(|one| one.question().path.as_path()))?;
    if asked.iter().any(|one| one.question().content.expect.is_some()) {
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
pub(super) fn check_streams<'p>(paths: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
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
pub(super) fn refuse<'r>(
    response: &mut Response<'r>,
    question: &'r Question<'_>,
    error: Error,
    refused: impl IntoIterator<Item = Part>,
) -> Result<()> {
    if !response.of_files || matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) {
        return Err(error);
    }
    let error = if error.path.is_some() { error } else { error.at(&question.path) };
    response.begin(Answer::unopened(&question.path, question.content.metadata_only))?;
    refused.into_iter().try_for_each(|part| response.refused(Part { outcome: Err(error.clone()), ..part }))
}

impl Ask for Question<'_> {
    fn question(&self) -> &Question<'_> {
        self
    }

    fn alone(&self) -> Result<()> {
        self.answer()
    }

    fn join<'r>(&'r self, response: &mut Response<'r>, left: Budget) -> Result<Budget> {
        let opened = self.open(response).and_then(|(reader, shape)| {
            let plan = self.plan(&reader, &shape, response.format, left)?;
            Ok((reader, shape, plan))
        });
        let (reader, shape, plan) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let outcome = || Err(error.clone());
                let part = |asked: &Range| Part { asked: *asked, page: None, outcome: outcome() };
                return refuse(response, self, error.clone(), self.ranges.iter().map(part)).map(|()| left);
            }
        };
        response.begin(Answer { several: true, ..self.envelope(&reader, response.format, &plan) })?;
        for planned in plan.parts {
            response.part(&reader, &shape, planned)?;
        }
        response.end(&reader)?;
        Ok(plan.left)
    }
}
