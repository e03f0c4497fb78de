//! One answer about several files, with one budget for all of them.

use std::path::Path;

use super::question::Question;
use super::response::Response;
use crate::body::Budget;
use crate::error::{Error, Kind, Result};
use crate::report::{Answer, Part};
use crate::source::standard::is_one_stream;

/// Answers `questions` on standard output, each in its turn, also after one that cannot be answered.
///
/// # Errors
/// `usage` for what makes no sense about several files; the first of the failures, after all have been answered;
/// at once where going on would give a wrong answer.
pub(super) fn answer(questions: &[Question<'_>]) -> Result<()> {
    let Some(first) = questions.first() else { return Ok(()) };
    check(questions)?;
    let mut response = Response::new(first.output, true)?;
    let mut left = first.budget()?;
    for question in questions {
        let joined = question.join(&mut response, left);
        left = joined.map_err(|error| match error.path {
            None if !matches!(error.kind, Kind::Write | Kind::BrokenPipe) => error.at(&question.path),
            _ => error,
        })?;
    }
    response.finish()
}

fn check(questions: &[Question<'_>]) -> Result<()> {
    if questions.iter().filter(|question| question.path == Path::new("-")).count() > 1 {
        return Err(Error::usage("standard input is named twice, and can be read once")
            .hint("give all its ranges behind one -"));
    }
    // There may be thousands of files: only streams are compared with one another.
    let is_stream = |question: &&Question<'_>| is_one_stream(&question.path, &question.path);
    let streams: Vec<&Question<'_>> = questions.iter().filter(is_stream).collect();
    for (n, question) in streams.iter().enumerate() {
        if let Some(other) = streams[..n].iter().find(|other| is_one_stream(&other.path, &question.path)) {
            let (a, b) = (other.path.display(), question.path.display());
            return Err(Error::usage(format!("{a} and {b} are one stream, which can be read once"))
                .hint("give all its ranges behind one of them"));
        }
    }
    if questions.len() > 1 && questions.iter().any(|question| question.content.expect.is_some()) {
        return Err(Error::usage(format!(
            "--expect is the version of one file, and {} are named",
            questions.len()
        ))
        .hint("ask for each file by itself"));
    }
    Ok(())
}

impl<'a> Question<'a> {
    /// Answers as a part of `response`, within `left`; returns what is left of the budget then.
    fn join<'r>(&'r self, response: &mut Response<'r>, left: Budget) -> Result<Budget> {
        let opened = self.open(response).and_then(|(reader, shape)| {
            let plan = self.plan(&reader, &shape, response.format, left)?;
            Ok((reader, shape, plan))
        });
        let (reader, shape, plan) = match opened {
            Ok(opened) => opened,
            // What is wrong with the command is wrong for every file.
            Err(error) if matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) => {
                return Err(error);
            }
            Err(error) => return self.refuse(response, &error).map(|()| left),
        };
        response.begin(Answer { several: true, ..self.envelope(&reader, response.format, &plan) })?;
        for planned in plan.parts {
            response.part(&reader, &shape, planned)?;
        }
        response.end(&reader)?;
        Ok(plan.left)
    }

    /// Says for each range why there is nothing to deliver.
    fn refuse<'r>(&'r self, response: &mut Response<'r>, error: &Error) -> Result<()> {
        let error = if error.path.is_some() { error.clone() } else { error.clone().at(&self.path) };
        response.begin(Answer::unopened(&self.path, self.content.metadata_only))?;
        self.ranges.iter().try_for_each(|asked| {
            response.refused(Part { asked: *asked, page: None, outcome: Err(error.clone()) })
        })
    }
}
