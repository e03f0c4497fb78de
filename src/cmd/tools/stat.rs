//! The tool `stat`: the facts about files.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{answered_once, incomplete};
use super::names::{Named, all, archive, files, hint_for, name_of, translated};
use super::read::{BUDGET, as_shown};
use super::table::{Answer, Arguments, Body, READ, STAT, StatArguments};
use crate::cmd::stat::StatRequest;
use crate::roots::call::Call;
use rread_answer::hints::{encoding_hint, unreadable};
use rread_answer::receipt::{StatInfo, member_line};
use rread_answer::wording;
use rread_answer::{Members, NameInfo, OutputOptions, PartData, Receipt, TimeReading, TimesOfFiles, worded};
use rread_source::members::Members as ArchiveMembers;
use rread_text::{Error, Result};

/// The most files of which a pattern shows the facts.
const MOST: usize = 50;
/// The most bytes of a list of members.
const LIST: u64 = 6000;
/// Room for the facts about a file.
const FACTS: u64 = 400;

pub(super) fn run(call: &Arc<Call>, arguments: Arguments) -> Result<Answer> {
    let asked = StatArguments::read(&arguments)?;
    let names = all(asked.path.as_ref(), &asked.paths)?;
    let mut subjects = Vec::with_capacity(names.len());
    for name in &names {
        match subjects_of(call, name) {
            Err(error) if names.len() == 1 => return Err(error),
            Err(error) => subjects.push(Subject::Refused(name.clone(), error)),
            Ok(found) => subjects.extend(found),
        }
    }
    let is_one = subjects.len() == 1;
    let (mut entries, mut next, mut failure) = (Vec::new(), None, None);
    // The next call repeats the names.
    let names: u64 = subjects.iter().map(|subject| subject.name().len() as u64 + 3).sum();
    let mut left = BUDGET - FACTS - if is_one { 0 } else { names.min(BUDGET / 4 * 3) };
    for (at, subject) in subjects.iter().enumerate() {
        if at > 0 && left < FACTS {
            next = Some(for_the_rest(arguments, &subjects[at..]));
            break;
        }
        let mut entry = match subject.entry(call, &asked, left) {
            Err(error) if is_one => return Err(error),
            Err(error) => {
                let entry = refused(subject.name(), &error);
                failure.get_or_insert(error);
                entry
            }
            Ok(entry) => entry,
        };
        keep_within(&mut entry, left);
        left = left.saturating_sub(entry.to_string().len() as u64);
        entries.push(entry);
    }
    let mut answer = json!({"files": entries});
    if let Some(next) = next {
        answer["next"] = Value::Object(next);
    }
    Ok(Answer::new(Body::Structured(answer), failure))
}

/// The arguments of the call for the facts about `rest`.
fn for_the_rest(mut arguments: Arguments, rest: &[Subject]) -> Arguments {
    arguments.remove("path");
    let names: Vec<&str> = rest.iter().map(Subject::name).collect();
    arguments.insert("paths".to_owned(), json!(names));
    arguments
}

/// Leaves out the last kinds of lines if the entry has more than `room` bytes.
fn keep_within(entry: &mut Value, room: u64) {
    let bytes = entry.to_string().len() as u64;
    let Some(Value::Array(kinds)) = entry.get_mut("patterns").filter(|_| bytes > room) else { return };
    let mut bytes = bytes;
    let mut more = 0;
    while bytes > room && kinds.len() > 1 {
        bytes -= kinds.pop().map_or(0, |kind| kind.to_string().len() as u64 + 1);
        more += 1;
    }
    entry["more_patterns"] = json!(more);
}

/// The entry of a file that cannot be read.
pub(super) fn refused(name: &str, error: &Error) -> Value {
    let mut entry = json!({"path": name, "error": worded(&error.message), "error_kind": error.kind.name()});
    if let Some(hint) = wording::hint(error) {
        entry["hint"] = json!(hint);
    }
    entry
}

/// A file or an archive whose facts are asked for, or why it has none.
enum Subject {
    One(Named),
    Archive(Named, ArchiveMembers),
    Refused(String, Error),
}

/// The files that `name` means. A pattern means every member that matches, and an archive itself.
fn subjects_of(call: &Arc<Call>, name: &str) -> Result<Vec<Subject>> {
    if let Some((archive, members)) = archive(call, name)? {
        return Ok(vec![Subject::Archive(archive, members)]);
    }
    let found = files(call, name, false, false)?.within(None, call);
    if found.files.len() > MOST {
        let message = format!("matches {} files; a call may ask for {MOST}", found.files.len());
        return Err(Error::usage(message).at(Path::new(name)));
    }
    let error = found.error.map(|error| Subject::Refused(name.to_owned(), error));
    Ok(found.files.into_iter().map(Subject::One).chain(error).collect())
}

impl Subject {
    fn name(&self) -> &str {
        match self {
            Subject::One(file) | Subject::Archive(file, _) => &file.name,
            Subject::Refused(name, _) => name,
        }
    }

    fn entry(&self, call: &Arc<Call>, asked: &StatArguments, room: u64) -> Result<Value> {
        match self {
            Subject::One(file) => one(call, file.clone(), asked),
            Subject::Refused(_, error) => Err(error.clone()),
            Subject::Archive(archive, members) => {
                let mut entry = one(call, archive.clone(), asked)?;
                if let Value::Object(entry) = &mut entry {
                    entry.shift_remove("hint");
                    list_members(entry, members, room)?;
                }
                Ok(entry)
            }
        }
    }
}

/// Adds the lines of the first `members`, up to about `room` bytes, and how many others there are.
fn list_members(entry: &mut Members, members: &ArchiveMembers, room: u64) -> Result<()> {
    let (mut lines, mut length, mut more) = (Vec::new(), 0, 0u64);
    let most = room.min(LIST);
    let walked = members.archive.each(&members.pattern, &mut |member| {
        let line = member_line(&member.entry.listed);
        let line = line.trim_start();
        length += line.len() as u64 + 4;
        if length <= most {
            lines.push(json!(line))
        } else {
            more += 1
        }
        Ok(true)
    })?;
    entry.insert("members".to_owned(), Value::Array(lines));
    entry.extend((more > 0).then(|| ("more_members".to_owned(), json!(more))));
    entry.extend(walked.error.map(|error| ("error".to_owned(), json!(worded(&error.message)))));
    Ok(())
}

fn one(call: &Arc<Call>, file: Named, asked: &StatArguments) -> Result<Value> {
    let mut options = call.read_options()?;
    // Kinds of lines are those of the text that a terminal shows.
    options.source.access.plain = as_shown(false, asked.rarest.or(asked.patterns).is_none());
    let files = [file.clone()];
    let times = TimesOfFiles { window: None, reading: TimeReading::default() };
    let request = StatRequest {
        files: vec![file.path.clone()],
        count: asked.count,
        patterns: asked.rarest.or(asked.patterns),
        is_rarest: asked.rarest.is_some(),
        brief: false,
        times,
        options,
        member: file.member.clone(),
        output: OutputOptions::default(),
    };
    let stat = |output| StatRequest { output, ..request }.run();
    let (part, error) = answered_once(stat).map_err(|error| translated(error, &files, &STAT))?;
    let PartData::Stat(mut info) = part.data else { return Err(incomplete()) };
    if info.hint.is_some() || info.details.encoding.encoding_hint.is_some() {
        reword(&mut info, call, &file)?;
    }
    let links = name_for_client(&mut info.name, call, &files);
    info.details = info.details.for_tools();
    let mut entry = info.known()?;
    entry.extend(links.map(|links| ("hard_links".to_owned(), json!(links))));
    entry.extend(
        error.map(|error| ("error".to_owned(), json!(worded(&translated(error, &files, &STAT).message)))),
    );
    Ok(Value::Object(entry))
}

/// Puts calls of tools in the place of commands.
fn reword(info: &mut StatInfo, call: &Arc<Call>, file: &Named) -> Result<()> {
    let options = call.read_options()?;
    let (reader, files) = (options.open_member(&file.path, file.member.as_ref())?, [file.clone()]);
    let encoding = &mut info.details.encoding;
    let guess = encoding.encoding_guess.as_ref().map(|guess| encoding_hint(&file.path, &reader, guess));
    let command = unreadable(&file.path, &reader, false)?.hint;
    for (said, hint, tool) in [(&mut info.hint, command, &STAT), (&mut encoding.encoding_hint, guess, &READ)]
    {
        if said.is_some() {
            *said = hint.and_then(|hint| hint_for(&hint, &files, tool));
        }
    }
    Ok(())
}

/// Gives `name` the client's name of its file, and returns the number of its hard links.
pub(super) fn name_for_client(name: &mut NameInfo, call: &Call, files: &[Named]) -> Option<u64> {
    let client = name_of(files, &name.path)?.to_owned();
    let links = files.iter().find(|file| file.name == client).and_then(|file| call.links(&file.path));
    name.path = client;
    links
}
