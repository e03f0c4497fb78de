//! The tool `read`: parts of files as text, each after one line of facts.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{Text, answered, told};
use super::names::{Files, Meaning, Named, all, files, meaning, translated};
use super::table::{Answer, Arguments, Body, READ, ReadArguments};
use crate::args::choice::{ENCODINGS_OF_BYTES, named};
use crate::cmd::page::Paged;
use crate::roots::call::Call;
use rread_answer::{AnswerOptions, OutputOptions, Request, TimeReading, TimeWindow, answer, wording};
use rread_source::access::Plain;
use rread_text::hashline::WIDTH;
use rread_text::{
    Context, Error, HashStyle, HashlineForm, Kind, Place, Range, Result, Unit, inert, parse_list, parse_mixed,
};

/// The default size of an answer in bytes, its line of facts included.
pub(super) const BUDGET: u64 = 10_000;
/// The most bytes that a caller may ask for.
pub(super) const MOST: u64 = 1_000_000;
/// Room for a line of facts.
const FACTS: u64 = 400;
/// Room for the line about parts that are left out.
const LAST_LINE: usize = 100;
/// The most parts of an answer.
const PARTS: usize = 200;

pub(super) fn run(call: &Arc<Call>, mut arguments: Arguments) -> Result<Answer> {
    let repeated = READ.repeated(&arguments);
    let mut asked = ReadArguments::read(&arguments)?;
    let names = all(asked.path.as_ref(), &asked.paths)?;
    let ranges = asked.ranges()?;
    let mut files = Vec::with_capacity(names.len());
    let (mut errors, mut ended) = (Vec::new(), 0);
    for name in &names {
        match asked.files(call, name) {
            Ok(mut found) => {
                let has_own = found.files.iter().any(|file| !file.ranges.is_empty());
                if has_own && !asked.parts().is_empty() {
                    let message = format!("path '{name}' names lines, and so does another argument");
                    return Err(Error::usage(message).hint("leave out one of them"));
                }
                if !has_own {
                    found.files.iter_mut().for_each(|file| file.ranges.clone_from(&ranges));
                }
                errors.extend(found.error);
                ended += found.ended;
                files.extend(found.files);
            }
            // Other files are answered all the same.
            Err(error) if names.len() > 1 => errors.push(error),
            Err(error) => return Err(error),
        }
    }
    // Another range of a list may begin after each.
    asked.bounded |= files.iter().any(|file| file.ranges.len() > 1);
    let skip = usize::try_from(asked.skip.unwrap_or(0)).unwrap_or(usize::MAX);
    leave_out(skip, &mut files);
    let translate = |error| translated(error, &files, &READ);
    let again = Value::Object(arguments.clone()).to_string().len();
    let room = usize::try_from(asked.whole()?).unwrap_or(usize::MAX).saturating_sub(LAST_LINE + again);
    let mut out = Text {
        call,
        files: &files,
        asked: files.iter().flat_map(|file| vec![file.name.clone(); file.ranges.len()]).collect(),
        place: 0,
        repeated,
        room,
        parts: 0,
        failed: 0,
        failure: None,
        left_out: None,
        text: String::new(),
    };
    if !files.is_empty() {
        let content = asked.content(call, out.asked.len()).map_err(translate)?;
        let answered = answered(|output| asked.answer(&files, &content, &output));
        let (answer, error) = answered.map_err(translate)?;
        out.answer(answer, |place, is_begun| {
            arguments.insert("skip".to_owned(), json!(skip + place));
            if is_begun {
                // Beyond the most, the next answer is the error that names the limit.
                let bytes = asked.max_bytes.unwrap_or(BUDGET);
                arguments.insert("max_bytes".to_owned(), json!((4 * bytes).min(MOST.max(bytes + 1))));
            }
            inert(&Value::Object(arguments).to_string())
        });
        if let Some(error) = error.map(translate) {
            let hint = wording::hint(&error).map(|hint| format!("hint: {hint}\n"));
            let told =
                if out.failed == 0 { format!("error: {}\n", told(&error)) } else { hint.unwrap_or_default() };
            out.text += &told;
            // With its hint.
            out.failure = Some(error);
        }
    }
    for error in errors.into_iter().filter(|_| skip == 0).map(translate) {
        out.parts += 1;
        out.failed += 1;
        out.text += &format!("{}\n", told(&error));
        out.failure.get_or_insert(error);
    }
    if out.parts == 0 {
        return Err(Error::new(Kind::Binary, "no file in the archive is text"));
    }
    if ended > 0 {
        out.text += &format!("objects that changed last before since, and are not read: {ended}\n");
    }
    let is_error = out.failed == out.parts;
    Ok(Answer { body: Body::Text(out.text), failure: out.failure, is_error })
}

/// Leaves out the first `skip` parts, which earlier calls returned.
fn leave_out(mut skip: usize, files: &mut Vec<Named>) {
    files.retain_mut(|file| {
        let gone = skip.min(file.ranges.len());
        skip -= gone;
        file.ranges.drain(..gone);
        !file.ranges.is_empty()
    });
}

/// `name` as files, or as files and their ranges.
pub(super) fn files_and_ranges(
    call: &Arc<Call>,
    name: &str,
    takes_archives: bool,
    salvage: bool,
) -> Result<Files> {
    let found = files(call, name, takes_archives, salvage);
    match (meaning(call, name), &found) {
        (Ok(Meaning::Place(place)), _) if !place.exists() => {}
        (Ok(Meaning::Members(_)), Err(error)) if error.kind == Kind::NotFound => {}
        _ => return found,
    }
    for (at, _) in name.match_indices(':') {
        let (file, ranges) = (&name[..at], &name[at + 1..]);
        let ranges = if ranges.starts_with('b') { ranges } else { ranges.trim_end_matches(':') };
        let number = |text: &str| text.parse::<u64>().ok().filter(|_| !text.starts_with('+'));
        // The place of a compiler, unless it can be lines: these begin with the line that it names, too.
        let ranges = match ranges.split_once(':') {
            Some((line, column)) if number(column).is_some_and(|column| Some(column) <= number(line)) => line,
            _ => ranges,
        };
        let is_there = match meaning(call, file) {
            Ok(Meaning::Place(place)) => place.exists(),
            Ok(Meaning::Elsewhere(_) | Meaning::Members(_)) => true,
            Err(_) => false,
        };
        if let (true, Ok(ranges)) = (is_there, parse_mixed(ranges)) {
            let mut found = files(call, file, takes_archives, salvage)?;
            found.files.iter_mut().for_each(|file| file.ranges.clone_from(&ranges));
            return Ok(found);
        }
    }
    found
}

impl ReadArguments {
    /// The files that `name` means, and their ranges if it has some.
    fn files(&self, call: &Arc<Call>, name: &str) -> Result<Files> {
        let takes_archives = !self.text && self.encode.is_none();
        let found = files_and_ranges(call, name, takes_archives, self.salvage)?;
        let found = found.within(self.window()?, call);
        match found.files.len() {
            count if count <= PARTS => Ok(found),
            count => Err(Error::usage(format!("has {count} files; a call may ask for {PARTS}"))
                .hint("a pattern means some of them: s3://BUCKET/DIRECTORY/*.log, tar:ARCHIVE/*.log")
                .at(Path::new(name))),
        }
    }

    /// The arguments that say which part of each file is meant.
    fn parts(&self) -> Vec<&'static str> {
        let given = [
            (self.lines.0.is_some() || self.bytes.0.is_some(), "lines or bytes"),
            (self.page.is_some(), "page"),
            (self.since.is_some() || self.until.is_some(), "since or until"),
        ];
        given.iter().filter(|(is_given, _)| *is_given).map(|(_, name)| *name).collect()
    }

    fn ranges(&self) -> Result<Vec<Range>> {
        let given = self.parts();
        if given.len() > 1 {
            return Err(Error::usage(format!("{} do not go together", given.join(" and ")))
                .hint("leave out one of them"));
        }
        if let (true, None) = (self.page_size.is_some(), self.page) {
            return Err(Error::usage("page_size needs page").hint(r#"{"page": 1}"#));
        }
        self.window()?;
        let mut ranges =
            self.lines.0.as_deref().map_or(Ok(Vec::new()), |text| parse_list(text, Unit::Lines))?;
        ranges.extend(self.bytes.0.as_deref().map_or(Ok(Vec::new()), |text| parse_list(text, Unit::Bytes))?);
        if ranges.is_empty() {
            ranges.push(Range::whole(Unit::Lines));
        }
        Ok(ranges)
    }

    fn window(&self) -> Result<Option<TimeWindow>> {
        window(&self.since, &self.until, &self.time_format, &self.tz)
    }

    /// The size of the answer in bytes.
    fn whole(&self) -> Result<u64> {
        Ok(budget(self.max_bytes)?.unwrap_or(BUDGET))
    }

    fn content(&self, call: &Arc<Call>, parts: usize) -> Result<AnswerOptions> {
        if parts > PARTS {
            return Err(Error::usage(format!("asks for {parts} parts; a call may ask for {PARTS}"))
                .hint("ask for the others in another call"));
        }
        let encode = self.encode.as_deref().and_then(|name| named(ENCODINGS_OF_BYTES, name));
        if encode.is_some() && (self.number || self.hash || self.max_columns.is_some()) {
            return Err(Error::usage("encode does not go together with number, hash or max_columns"));
        }
        let (whole, facts) = (self.whole()?, FACTS.saturating_mul(parts as u64));
        let mut content = AnswerOptions {
            text: self.text,
            encode,
            number: self.number || self.hash,
            max_bytes: Some(whole.saturating_sub(facts).max(whole / 2).max(whole.min(FACTS / 2))),
            max_lines: self.max_lines,
            max_columns: self.max_columns,
            ..call.content()?
        };
        content.read.encoding = self.encoding.clone();
        content.read.source.access.salvage = self.salvage;
        content.read.source.access.plain = as_shown(self.plain, self.hash || encode.is_some());
        Ok(content)
    }

    fn answer(&self, files: &[Named], content: &AnswerOptions, output: &OutputOptions) -> Result<()> {
        let form = HashlineForm { style: HashStyle::default(), width: WIDTH };
        let time = self.window()?;
        let context = self.context.unwrap_or(0);
        let request = |file: &Named| Request {
            ranges: file.ranges.clone(),
            member: file.member.clone(),
            is_walked: file.is_walked && file.member.is_some(),
            several: files.len() > 1,
            bounded: self.bounded,
            context: Context { before: context, after: context },
            header: self.header.unwrap_or(0),
            hash: self.hash.then_some(form),
            time: time.as_ref(),
            ..Request::new(file.path.clone(), content, output)
        };
        let requests = files.iter().map(request);
        let Some(page) = self.page else { return answer(&requests.collect::<Vec<_>>()) };
        let at = match u64::try_from(page) {
            Ok(number) => Place::Front(number),
            Err(_) => Place::Back(page.unsigned_abs()),
        };
        let paged = requests.map(|request| Paged::of(request, at, self.page_size));
        answer(&paged.collect::<Result<Vec<_>>>()?)
    }
}

/// The window of time of a caller, if there is one.
pub(super) fn window(
    since: &Option<String>,
    until: &Option<String>,
    time_format: &Option<String>,
    tz: &Option<String>,
) -> Result<Option<TimeWindow>> {
    if since.is_none() && until.is_none() {
        return match time_format.is_some() || tz.is_some() {
            true => Err(Error::usage("time_format and tz need since or until")),
            false => Ok(None),
        };
    }
    let (time_format, tz) = (time_format.clone(), tz.iter().cloned().collect());
    let reading = TimeReading { time_format, tz, ..TimeReading::default() };
    Ok(Some(TimeWindow { since: since.clone(), until: until.clone(), reading }))
}

/// Text that a terminal acts on is read as it shows it, but where the bytes count that are stored.
pub(super) fn as_shown(always: bool, needs_bytes: bool) -> Plain {
    match (always, needs_bytes) {
        (true, _) => Plain::Always,
        (_, true) => Plain::Never,
        _ => Plain::IfItActs,
    }
}

/// The budget of a caller, within what the server allows.
pub(super) fn budget(asked: Option<u64>) -> Result<Option<u64>> {
    match asked {
        Some(bytes) if bytes > MOST => {
            Err(Error::usage(format!("max_bytes is {bytes}; it may be at most {MOST}"))
                .hint("read the rest with next"))
        }
        asked => Ok(asked),
    }
}
