//! Several files merged by time: one answer whose content has the records of all of them.

pub mod content;
pub mod files;

use std::path::Path;

use crate::content::Budget;
use crate::format::{Format, Frame, List, Section};
use crate::options::{check_receipt, too_small};
use crate::receipt::MergedInfo;
use rread_source::stdin::warn;
use rread_source::version::Version;
use rread_text::{Error, Kind, Result, setting};

use crate::answers::members_of;
use crate::deliver::{Response, Shape, respond};
use crate::notes;
use crate::request::Request;
use content::Merged;
use files::{Again, Merging, Mix, Set, Target, Walked, prepare};

const SEGMENTS: List = List { member: "segments", element: "merged" };

/// Answers `requests`, one for each file, with all their records in the order of time.
pub fn merge(requests: Vec<Request<'_>>, merging: &Merging<'_>) -> Result<()> {
    let Some(first) = requests.first() else { return Ok(()) };
    let (content, output) = (first.content, first.output);
    crate::answers::check_streams(requests.iter().map(|request| request.path.as_path()))?;
    let is_alone = requests.len() == 1 && merging.is_plain_alone;
    respond(output, Shape::of(content, true), |response| {
        let format = response.format;
        if content.metadata_only {
            check_receipt("--metadata-only", format)?;
        }
        let names = merging.names && !is_alone && !matches!(format, Format::Raw | Format::Json);
        let budget = has_room(content.budget()?, names)?;
        let (requests, refused) = files::expand(requests, members_of, Request::of_found_member);
        let requests: Vec<&Request<'_>> = requests.iter().collect();
        let place = (format, response.out.is_terminal());
        let set = prepare(&requests, refused, merging, place, (names, names || content.number))?;
        check_version(&set, content.expect.as_ref())?;
        deliver(&Merged { set: &set, merging, budget, names, is_alone }, response)
    })
}

/// Writes the content and the receipt of `mix`, and reports then what went wrong.
pub(crate) fn deliver(mix: &dyn Mix, response: &mut Response) -> Result<()> {
    let frame = Frame { has_content: true, is_brief: response.is_brief, ..Frame::default() };
    let walked = match response.format {
        Format::Json => {
            response.start(Frame { list: Some(SEGMENTS), of_files: true, ..frame })?;
            let walked = mix.walk(&mut Target::Segments(response))?;
            response.summary(Box::new(mix.info(&walked)))?;
            walked
        }
        Format::Frontmatter | Format::Xml => {
            let walked = mix.walk(&mut Target::Nowhere)?;
            response.start(frame)?;
            let mut body = Again { mix, expected: Some(walked.stats.content_bytes), walked: None };
            let sections = response.content(&mut body);
            response.part(Box::new(mix.info(&walked)), sections)?;
            walked
        }
        Format::Raw | Format::Text => {
            response.start(frame)?;
            let mut body = Again { mix, expected: None, walked: None };
            response.part(Box::new(MergedInfo::default()), vec![Section::content(&mut body)])?;
            let walked = body.walked.take().unwrap_or_default();
            response.out.flush()?;
            note(&walked, mix.info(&walked));
            walked
        }
    };
    mix.error(&walked).into_iter().for_each(|error| response.remember(error));
    mix.failures().into_iter().chain(walked.failures).for_each(|error| response.fail(error));
    Ok(())
}

/// Says on standard error what formats without a receipt cannot say.
fn note(walked: &Walked, info: MergedInfo) {
    for file in &info.files {
        file.notices.iter().for_each(|notice| warn(Path::new(&file.path), notes::of_notice(notice)));
    }
    if let Some(cut) = walked.stats.cut {
        let next = info.next.map_or(String::new(), |next| format!("; next: {}", next.line));
        rread_source::stdin::note(&format!("cut by --{}{next}", cut.setting()));
    } else if walked.stats.clipped_lines > 0 {
        let lines = walked.stats.clipped_lines;
        rread_source::stdin::note(&format!("cut by --max-columns ({lines} clipped)"));
    }
}

/// A budget needs room for what stands before a line, and for a character.
fn has_room(budget: Budget, names: bool) -> Result<Budget> {
    let least = if names { 64 } else { 8 };
    match budget.bytes {
        Some(bytes) if bytes < least => {
            let what = "the name of a file, a line number and one character";
            Err(too_small(setting("max-bytes"), "max-bytes", bytes, least, what))
        }
        _ => Ok(budget),
    }
}

fn check_version(set: &Set<'_>, expected: Option<&Version>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    let Some(now) = set.version() else {
        return Err(Error::usage("these files have no version to expect").hint("leave out --expect"));
    };
    if expected.to_string() == now {
        return Ok(());
    }
    let error = format!("the files are not in the expected state: the version of all of them is {now} now");
    Err(Error::new(Kind::Changed, error).hint("read them again without --expect"))
}
