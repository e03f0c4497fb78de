//! Answers of commands in memory, the parts that tools take from them, and answers as text: a line of facts, then content.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Value, json};

use super::names::{Named, name_of, translated};
use super::table::READ;
use crate::roots::call::Call;
use rread_answer::continuation::Next;
use rread_answer::format::{Part, Renderer, Renders, Tail};
use rread_answer::receipt::{Returned, SliceResult, arrange};
use rread_answer::{FileInfo, Format, Members, Out, OutputOptions, PartData, worded, wording};
use rread_source::lock;
use rread_text::{Error, Kind, Result, counted, inert, printable};

#[derive(Clone, Debug, Default)]
pub(super) struct Collected {
    pub(super) parts: Vec<CollectedPart>,
    /// The files, if the answer is a list of parts.
    pub(super) files: Vec<FileInfo>,
}

/// A part of an answer: its content, or why there is none.
#[derive(Clone, Debug)]
pub(super) struct CollectedPart {
    pub(super) data: PartData,
    pub(super) file: FileInfo,
    pub(super) content: String,
    pub(super) error: Option<Error>,
}

/// Runs `command` with options that collect its answer. Returns the answer, and the error that the answer
/// reports.
pub(super) fn answered(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(Collected, Option<Error>)> {
    let collector = Collector::default();
    let output = OutputOptions {
        format: Format::Json,
        renders: Some(Arc::new(collector.clone())),
        ..OutputOptions::default()
    };
    let outcome = command(output);
    match (outcome, collector.take()) {
        (Ok(()), Some(answer)) => Ok((answer, None)),
        // A part that failed is reported in its place.
        (Err(error), Some(answer)) => Ok((answer, Some(error))),
        (Err(error), None) => Err(error),
        (Ok(()), None) => Err(incomplete()),
    }
}

/// The answer of a command that is about one file and has one part.
pub(super) fn answered_once(
    command: impl FnOnce(OutputOptions) -> Result<()>,
) -> Result<(CollectedPart, Option<Error>)> {
    let (mut answer, error) = answered(command)?;
    Ok((answer.parts.pop().ok_or_else(incomplete)?, error))
}

pub(super) fn incomplete() -> Error {
    Error::new(Kind::Io, "the answer is incomplete")
}

/// Takes one complete answer; its clones share it.
#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Option<Collected>>>);

impl Collector {
    /// The answer, if a command has finished one.
    fn take(&self) -> Option<Collected> {
        lock(&self.0).take()
    }
}

impl Renders for Collector {
    fn renderer(&self) -> Box<dyn Renderer> {
        Box::new(Mcp { collector: self.clone(), answer: Collected::default() })
    }
}

struct Mcp {
    collector: Collector,
    answer: Collected,
}

impl Renderer for Mcp {
    fn part(&mut self, _: &mut Out, part: Part<'_, '_>) -> Result<()> {
        let error = part.envelope.error().cloned();
        let mut content = Vec::new();
        for section in part.sections.into_iter().filter(|_| error.is_none()) {
            section.body.write(&mut content)?;
        }
        let content =
            String::from_utf8(content).map_err(|_| Error::new(Kind::Io, "the content is not text"))?;
        let (data, file) = (PartData::of(part.envelope), part.file.clone());
        self.answer.parts.push(CollectedPart { data, file, content, error });
        Ok(())
    }

    fn finish(&mut self, _: &mut Out, tail: Tail<'_>) -> Result<()> {
        match (tail, self.answer.parts.last_mut()) {
            // Everything has been read only now.
            (Tail::Part(envelope, file), Some(part)) => {
                (part.data, part.file) = (PartData::of(envelope), file.clone());
            }
            (Tail::Files(files, _, _), _) => self.answer.files = files.to_vec(),
            _ => {}
        }
        // These are command lines, with paths of the server.
        let files = self.answer.parts.iter_mut().map(|part| &mut part.file).chain(&mut self.answer.files);
        files.filter_map(|file| file.details.signs.contradicted.as_mut()).for_each(|found| found.hint = None);
        let mut answer = lock(&self.collector.0);
        *answer = Some(std::mem::take(&mut self.answer));
        Ok(())
    }
}

/// The arguments of `read` that return the slice `next`, without those that stay the same.
pub(super) fn next_call(name: &str, next: &NextSlice) -> Option<Members> {
    let mut arguments = Members::new();
    arguments.insert("path".to_owned(), json!(name));
    match &*next.command {
        command @ ("lines" | "bytes") => {
            arguments.insert(command.to_owned(), json!(next.range));
            arguments.extend(next.bounded.then(|| ("bounded".to_owned(), json!(true))));
        }
        "page" => {
            arguments.insert("page".to_owned(), json!(next.range.parse::<u64>().ok()?));
            arguments.extend(next.page_size.map(|size| ("page_size".to_owned(), json!(size))));
        }
        _ => return None,
    }
    Some(arguments)
}

/// The slice that follows, from memory or from the JSON of another process.
#[derive(Deserialize)]
pub(super) struct NextSlice {
    command: String,
    range: String,
    page_size: Option<u64>,
    #[serde(default)]
    bounded: bool,
}

impl From<Next> for NextSlice {
    fn from(next: Next) -> Self {
        let (page_size, bounded) = (next.page_size(), next.is_bounded());
        NextSlice { command: next.command().to_owned(), range: next.argument(), page_size, bounded }
    }
}

/// An error and its hint.
pub(super) fn told(error: &Error) -> String {
    let hint = wording::hint(error).map_or(String::new(), |hint| format!(" (hint: {hint})"));
    wording::line(error) + &hint
}

/// The text of an answer.
pub(super) struct Text<'a> {
    pub(super) call: &'a Call,
    pub(super) files: &'a [Named],
    /// The names of the files of all parts, and how many have had their turn.
    pub(super) asked: Vec<String>,
    pub(super) place: usize,
    /// Arguments that the following call repeats.
    pub(super) repeated: Members,
    /// The most bytes of all parts together.
    pub(super) room: usize,
    pub(super) parts: usize,
    pub(super) failed: usize,
    /// The first of the failures.
    pub(super) failure: Option<Error>,
    /// The first part for which there was no room, its place among those asked for, whether an earlier part has the same
    /// place, and how many there are.
    pub(super) left_out: Option<(String, usize, bool, u64)>,
    pub(super) text: String,
}

impl Text<'_> {
    /// `next` makes the call that goes on at a place, of which some parts came or none.
    pub(super) fn answer(&mut self, answer: Collected, next: impl FnOnce(usize, bool) -> String) {
        let is_one_of_many = answer.parts.len() > 1;
        for part in answer.parts {
            let file = answer.files.iter().find(|file| file.name.path == part.file.name.path);
            self.part(part, file, is_one_of_many);
        }
        if let Some((first, place, is_begun, count)) = self.left_out.take() {
            let (parts, next) = (counted(count, "more part"), next(place, is_begun));
            self.text += &format!("{parts} from {first} on: no room | next: {next}\n");
        }
    }

    /// `whole` is the file of several parts, with what is known after the last of them.
    fn part(&mut self, part: CollectedPart, whole: Option<&FileInfo>, is_one_of_many: bool) {
        let CollectedPart { data, file, content, error } = part;
        let name = name_of(self.files, &file.name.path).unwrap_or(&file.name.path).to_owned();
        self.parts += 1;
        // A binary member has no part, and a window of a log that is out of order has several.
        let passed = self.asked[self.place..].iter().position(|asked| *asked == name);
        let is_begun = passed.is_none() && self.place > 0 && self.asked[self.place - 1] == name;
        let turn = self.place + passed.unwrap_or(0) - usize::from(is_begun);
        self.place = self.asked.len().min(turn + 1);
        if let Some(error) = error {
            self.failed += 1;
            let (kind, error) = (error.kind.name(), translated(error, self.files, &READ));
            self.text += &format!("{} | {kind}: {}\n", printable(&name), worded(&error.message));
            self.failure.get_or_insert(error);
            return;
        }
        let PartData::Slice(slice @ SliceResult { outcome: Ok(returned), .. }) = &data else { return };
        let eof = slice.is_at_end(file.size);
        let mut line = vec![printable(&name)];
        line.extend(place(slice, returned, whole.unwrap_or(&file), whole.is_some()));
        if let Some((.., count)) = &mut self.left_out {
            *count += 1;
            return;
        }
        if is_one_of_many {
            line.push(format!("{} follow", counted(content.len() as u64, "byte")));
        }
        line.extend(signs(returned, whole.unwrap_or(&file)));
        line.extend(others(slice, returned, &file, whole.is_some()));
        let path = self.files.iter().find(|file| file.name == name).map(|file| file.path.as_path());
        let links = self.call.links(path.unwrap_or(Path::new("")));
        line.extend(links.map(|links| format!("hard link, one of {links} names")));
        let next = returned.next.filter(|_| !eof);
        match next.and_then(|next| next_call(&name, &next.into())) {
            Some(mut next) => {
                next.extend(self.repeated.clone());
                line.push(format!("next: {}", inert(&Value::Object(next).to_string())));
            }
            None if eof => line.push("end of file".to_owned()),
            None => {}
        }
        let facts = line.join(" | ");
        if self.parts > 1 && self.text.len() + facts.len() + content.len() > self.room {
            self.left_out = Some((line[..line.len().min(2)].join(" | "), turn, is_begun, 1));
            return;
        }
        self.text += &facts;
        self.text.push('\n');
        self.text += &content;
        if is_one_of_many && !content.is_empty() && !content.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// The part of the file that this is.
fn place(slice: &SliceResult, returned: &Returned, file: &FileInfo, is_segment: bool) -> Vec<String> {
    let of = |total: Option<u64>| total.map_or(String::new(), |total| format!(" of {total}"));
    let page = match &slice.page {
        Some(page) => Some((page.page.number, page.pages)),
        None => returned.page_of_document.page.filter(|_| !is_segment).map(|page| (page, None)),
    };
    // Nothing was delivered if the range ends before it starts.
    let lines = returned.first_line.zip(returned.last_line()).filter(|(start, end)| start <= end);
    let mut words = Vec::new();
    words.extend(page.map(|(page, pages)| format!("page {page}{}", of(pages))));
    words.extend(lines.map(|(start, end)| format!("lines {start}-{end}{}", of(file.total_lines))));
    words.push(format!("bytes {}-{}{}", returned.start, returned.end, of(file.size)));
    words
}

/// The facts that a reader of the content needs, in words.
fn signs(returned: &Returned, file: &FileInfo) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(returned.cut_by().map(|budget| format!("cut by {budget}")));
    let clipped = Some(returned.stats.clipped_lines).filter(|lines| *lines > 0);
    words.extend(clipped.map(|lines| format!("{} clipped", counted(lines, "line"))));
    words.extend(file.details.decoding.compression.map(|format| format!("decompressed {format}")));
    words.extend(file.details.decoding.plain.then(|| "plain, as a terminal shows it".to_owned()));
    let known = &file.details.encoding;
    let encoding = known.encoding.as_deref().filter(|name| *name != "utf-8");
    let guessed = if known.encoding_source == Some("guess") { ", a guess" } else { "" };
    words.extend(encoding.map(|encoding| format!("encoding {encoding}{guessed}")));
    let invalid = Some(returned.stats.invalid.count).filter(|count| *count > 0);
    words.extend(invalid.map(|count| format!("{} replaced", counted(count, "invalid sequence"))));
    words.extend(known.encoding_guess.as_ref().map(|guess| format!("try encoding {guess}")));
    words
}

/// The other facts, as names and values. What is said of the whole file is left out of one part of several.
fn others(slice: &SliceResult, returned: &Returned, file: &FileInfo, is_segment: bool) -> Vec<String> {
    const KEYS: &str = "SHEET on_pages header_lines decoded picture_pages damaged notices guess_contradicted \
        trailing_garbage change";
    let is_document = !is_segment && slice.page.is_none();
    let mut words = if is_document { json!(returned.page_of_document) } else { json!({}) };
    words["header_lines"] = json!(Some(returned.header_lines).filter(|lines| *lines > 0));
    if is_segment {
        (words["decoded"], words["picture_pages"]) = (Value::Null, Value::Null);
    }
    let known = arrange(KEYS, &file.details.with(returned.checked), &words).unwrap_or_default();
    known.into_iter().map(|(name, value)| format!("{name} {value}")).collect()
}
