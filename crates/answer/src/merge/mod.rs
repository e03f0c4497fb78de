//! Several files merged by time: one answer whose content has the records of all of them.

pub mod content;
pub mod files;
pub mod next;
pub mod options;
pub mod prepare;
pub mod receipt;

use crate::content::{Budget, CutBy};
use crate::format::{Format, Frame, List, Section};
use crate::options::check_receipt;
use crate::receipt::MergedInfo;
use rread_source::stdio::warn;
use rread_source::version::Version;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

use crate::deliver::Response;
use crate::request::Request;
use content::{Again, Merged, Target};
use files::Set;
use options::Merging;
use prepare::prepare;
use receipt::info;

const SEGMENTS: List = List { member: "segments", element: "merged" };

/// Answers `requests`, one for each file, with all their records in the order of time.
pub fn merge(requests: Vec<Request<'_>>, merging: &Merging<'_>) -> Result<()> {
    let Some(first) = requests.first() else { return Ok(()) };
    let (content, output) = (first.content, first.output);
    crate::answers::check_streams(requests.iter().map(|request| request.path.as_path()))?;
    let mut response = Response::new(output, true, content.metadata_only)?.briefly(content.brief);
    if content.metadata_only {
        check_receipt("--metadata-only", response.format)?;
    }
    let is_alone = requests.len() == 1 && merging.is_plain_alone;
    let format = response.format;
    let names = merging.names && !is_alone && !matches!(format, Format::Raw | Format::Json);
    let budget = has_room(content.budget()?, names)?;
    let (requests, refused) = files::expand(requests);
    let requests: Vec<&Request<'_>> = requests.iter().collect();
    let counts = names || content.number;
    let set = prepare(&requests, refused, merging, (format, response.out.is_terminal()), (names, counts))?;
    if let (1, [only]) = (requests.len(), &set.failures()[..]) {
        return Err(only.clone());
    }
    check_version(&set, content.expect.as_ref())?;
    let merged = Merged { set: &set, budget, names, is_alone };
    let answered = match format {
        Format::Json => {
            let frame = Frame { list: Some(SEGMENTS), has_content: true, of_files: true, ..Frame::default() };
            response.start(Frame { is_brief: content.brief, ..frame })?;
            let walked = merged.walk(&mut Target::Segments(&mut response))?;
            let info = info(&set, &walked, merging);
            response.summary(Box::new(info))?;
            walked
        }
        Format::Frontmatter | Format::Xml => {
            let walked = merged.walk(&mut Target::Nowhere)?;
            response.start(Frame { has_content: true, is_brief: content.brief, ..Frame::default() })?;
            let info = info(&set, &walked, merging);
            let mut body = Again { merged: &merged, expected: Some(&walked), walked: None };
            let sections = response.content(&mut body);
            response.part(Box::new(info), sections)?;
            walked
        }
        Format::Raw | Format::Text => {
            response.start(Frame { has_content: true, ..Frame::default() })?;
            let mut body = Again { merged: &merged, expected: None, walked: None };
            response.part(Box::new(MergedInfo::default()), vec![Section::content(&mut body)])?;
            body.walked.take().unwrap_or_default()
        }
    };
    let info = info(&set, &answered, merging);
    finish(response, &set, answered, info)
}

/// Reports what went wrong, after everything has been written.
pub fn finish(
    mut response: Response<'_>,
    set: &Set<'_>,
    walked: content::Walked,
    info: MergedInfo,
) -> Result<()> {
    if !response.format.has_receipt() {
        response.out.flush()?;
        note(set, &walked, info);
    }
    set.failures().into_iter().chain(walked.failures).for_each(|error| response.fail(error));
    response.finish()
}

/// Says on standard error what formats without a receipt cannot say.
fn note(set: &Set<'_>, walked: &content::Walked, info: MergedInfo) {
    for (file, path) in info.files.iter().zip(set.paths()) {
        file.notices.iter().for_each(|notice| warn(path, words_of(notice)));
    }
    if let Some(cut) = walked.stats.cut {
        let next = info.next.map_or(String::new(), |next| format!("; next: {}", next.line));
        rread_source::stdio::note(&format!("cut by --{}{next}", cut.setting()));
    } else if walked.stats.clipped_lines > 0 {
        let lines = walked.stats.clipped_lines;
        rread_source::stdio::note(&format!("cut by --max-columns ({lines} clipped)"));
    }
}

/// What a notice about a file says.
pub fn words_of(notice: &str) -> &'static str {
    match notice {
        "unordered" => {
            "times are out of order by more than --slack, so records may be missing; --scan looks at every record"
        }
        "ambiguous_time" => {
            "a clock showed an end of the window twice, or never; 2026-10-25T02:30:00+01:00 says which time is meant"
        }
        _ => "changed while it was read (appended)",
    }
}

/// A budget needs room for what stands before a line, and for a character.
fn has_room(budget: Budget, names: bool) -> Result<Budget> {
    let least = if names { 64 } else { 8 };
    match budget.bytes {
        Some(bytes) if bytes < least => {
            let what = "too small for the name of a file, a line number and one character";
            Err(Error::usage(setting(CutBy::Bytes.setting()).then(format!(" is {bytes}, {what}")))
                .hint(setting("max-bytes").then(format!(" {least} is the least"))))
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
