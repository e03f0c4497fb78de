//! Maps the client's file names to paths, and words sentences for clients: settings are arguments, calls are calls of tools,
//! files have the client's names.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::table::{CAPTURE, IMAGE, READ, SEARCH, STAT, Tool, VERIFY};
use crate::cmd::select::SelectArgs;
use crate::roots::Place;
use crate::roots::call::Call;
use rread_answer::answers::no_member;
use rread_answer::{TimeWindow, wording};
use rread_reader::Handle;
use rread_source::access::{Access, OpensMember};
use rread_source::archive::asks_for_several;
use rread_source::member_address::ArchiveKind;
use rread_source::members::{self, Members};
use rread_source::named_files::{NamedFile, objects_of, open_in_turn};
use rread_source::open::member_after_colon;
use rread_text::sentence::{self, Argument, Part};
use rread_text::{Address, Error, Kind, Range, Result, Sentence, address, inert, quoted_word};

/// The most files that a call may name.
const MOST: usize = 200;

/// The most members of an archive that a call looks at.
const MOST_MEMBERS: usize = 100_000;

/// A file that a client named.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Its bytes, if it is in an archive.
    pub(super) member: Option<Arc<dyn OpensMember>>,
    /// That archive.
    pub(super) archive: Option<ArchiveName>,
    /// Whether a walk over an archive, a directory or a store found it.
    pub(super) is_walked: bool,
    /// The last change of an object.
    pub(super) modified: Option<SystemTime>,
    /// The parts of it that are meant.
    pub(super) ranges: Vec<Range>,
}

impl Named {
    pub(super) fn file(name: impl Into<String>, path: PathBuf) -> Self {
        let (name, ranges) = (name.into(), Vec::new());
        Named { name, path, member: None, archive: None, is_walked: false, modified: None, ranges }
    }

    /// An archive itself.
    fn archive(name: &str, archive: ArchiveName) -> Self {
        Named { archive: Some(archive.clone()), ..Named::file(name, archive.path) }
    }
}

/// Files that one name means.
#[derive(Default)]
pub(super) struct Files {
    pub(super) files: Vec<Named>,
    /// Why the archive of the files was not read to its end.
    pub(super) error: Option<Error>,
    /// Objects that are left out: those with hidden names, and those that changed last before the window.
    pub(super) hidden: u64,
    pub(super) ended: u64,
}

/// The file that a name refers to.
pub(super) enum Meaning<'c> {
    /// In a root.
    Place(Place<'c>),
    /// In an archive in a root.
    Members(MemberName),
    /// A capture or a URL.
    Elsewhere(PathBuf),
}

/// A name in an archive.
pub(super) struct MemberName {
    kind: ArchiveKind,
    archive: ArchiveName,
    pub(super) member: Vec<u8>,
}

impl MemberName {
    /// The archive is the longest part of `name` that is a file in a root. Absolute names of members begin with a second `/`.
    fn of(call: &Arc<Call>, name: &str) -> Option<Self> {
        let kinds = [ArchiveKind::Tar, ArchiveKind::Zip];
        let (kind, rest) =
            kinds.into_iter().find_map(|kind| Some((kind, name.strip_prefix(kind.prefix())?)))?;
        let ends = rest.match_indices('/').map(|(at, _)| at).chain([rest.len()]);
        ends.rev().find_map(|end| {
            let (shown, member) = rest.split_at(end);
            if shown.is_empty() || shown.ends_with('/') {
                return None;
            }
            let place = call.permissions.roots.place(shown).ok()?;
            let is_file = place.exists() && !place.is_dir();
            is_file.then(|| MemberName {
                kind,
                archive: ArchiveName { path: place.path(), shown: shown.to_owned() },
                member: member.strip_prefix('/').unwrap_or_default().as_bytes().to_owned(),
            })
        })
    }

    /// The one member of this name, which the client calls `name`.
    fn one(&self, name: &str, access: &Access) -> Result<Named> {
        let MemberName { kind, archive, member } = self;
        let found = members::open_member(*kind, &archive.path, member, access)?;
        let path =
            [kind.prefix().as_bytes(), archive.path.as_os_str().as_encoded_bytes(), b"/", member].concat();
        let path = PathBuf::from(String::from_utf8_lossy(&path).into_owned());
        Ok(Named { member: Some(found), archive: Some(archive.clone()), ..Named::file(name, path) })
    }
}

/// The meaning of `name`. A file in a root wins over any other reading.
pub(super) fn meaning<'c>(call: &'c Arc<Call>, name: &str) -> Result<Meaning<'c>> {
    let permissions = &call.permissions;
    let path = Path::new(name);
    let refused = |message: String| Err(Error::usage(message).at(path));
    let place = permissions.roots.place(name).map_err(|error| error.at(path))?;
    if place.exists() {
        return Ok(Meaning::Place(place));
    }
    if Handle::parse(name).is_some() {
        if permissions.capture {
            return Ok(Meaning::Elsewhere(path.to_owned()));
        }
        return refused(format!("is a capture, and {}", permissions.without("--allow-capture")));
    }
    if Address::of(path).is_some() {
        if permissions.remote {
            return Ok(Meaning::Elsewhere(call.url(name)?));
        }
        return refused(format!("is a URL, and {}", permissions.without("--allow-remote")));
    }
    if name == "-" {
        let why = if permissions.is_server { ", which carries the protocol" } else { "" };
        return refused(format!("is standard input{why}; name a file"));
    }
    if name.starts_with("sqlite:") {
        if permissions.roots.everywhere.is_some() {
            return Ok(Meaning::Elsewhere(path.to_owned()));
        }
        let why = "which is not opened below roots: SQLite follows paths by itself";
        return refused(format!("is in an SQLite database, {why}"));
    }
    Ok(MemberName::of(call, name).map_or(Meaning::Place(place), Meaning::Members))
}

/// The file `name`; a directory is found to be one when it is opened.
pub(super) fn named(call: &Arc<Call>, name: &str) -> Result<Named> {
    match meaning(call, name)? {
        Meaning::Place(place) => Ok(Named::file(name, place.path())),
        Meaning::Elsewhere(path) => Ok(Named::file(name, path)),
        Meaning::Members(_) => {
            Err(Error::usage("is in an archive; this tool takes files").at(Path::new(name)))
        }
    }
}

/// The files that `name` means: one, the members of an archive, or those that match a pattern.
/// `takes_archives`: the name of an archive means its members, with `salvage` up to damage.
pub(super) fn files(call: &Arc<Call>, name: &str, takes_archives: bool, salvage: bool) -> Result<Files> {
    let about = |error: Error| error.at(Path::new(name));
    let access = Access { salvage, ..call.source().access };
    let (members, archive) = match meaning(call, name)? {
        Meaning::Elsewhere(path) => return Ok(Files::elsewhere(call, name, path)),
        Meaning::Place(place) => {
            let path = place.path();
            let archive = ArchiveName { path: path.clone(), shown: name.to_owned() };
            let members = match takes_archives {
                true => members::of_file(&path, &access).map_err(|error| about(archive.in_error(error)))?,
                false => None,
            };
            let Some(members) = members else { return Ok(Files::one(Named::file(name, path))) };
            (members, archive)
        }
        Meaning::Members(in_archive) => {
            let in_error = |error| about(in_archive.archive.in_error(error));
            let MemberName { kind, archive, member } = &in_archive;
            let is_pattern = asks_for_several(member);
            let several = is_pattern.then(|| members::of_address(*kind, &archive.path, member, &access));
            match several.transpose().map_err(in_error)?.flatten() {
                Some(members) => (members, in_archive.archive),
                None => return in_archive.one(name, &access).map(Files::one).map_err(in_error),
            }
        }
    };
    Files::of(members, &archive).map_err(about)
}

/// The archive that `name` means as a whole, with all its members.
pub(super) fn archive(call: &Arc<Call>, name: &str) -> Result<Option<(Named, Members)>> {
    let about = |error: Error| error.at(Path::new(name));
    let access = call.source().access;
    Ok(match meaning(call, name)? {
        Meaning::Place(place) => {
            let archive = ArchiveName { path: place.path(), shown: name.to_owned() };
            let members = members::of_file(&archive.path, &access);
            let members = members.map_err(|error| about(archive.in_error(error)))?;
            members.map(|members| (Named::archive(name, archive), members))
        }
        Meaning::Members(MemberName { kind, archive, member, .. }) if member.is_empty() => {
            let members = members::of_directory(kind, &archive.path, b"", &access);
            let members = members.map_err(|error| about(archive.in_error(error)))?;
            Some((Named::archive(name, archive), members))
        }
        // A member may be an archive.
        Meaning::Members(in_archive) if !asks_for_several(&in_archive.member) => {
            let in_error = |error| about(in_archive.archive.in_error(error));
            let one = in_archive.one(name, &access).map_err(in_error)?;
            let members = members::inside(&one.path, one.member.as_ref(), &access).map_err(in_error)?;
            members.map(|members| (one, members))
        }
        _ => None,
    })
}

impl Files {
    fn one(file: Named) -> Self {
        Files { files: vec![file], ..Files::default() }
    }

    /// The file at the URL `path`, or the objects that it means.
    fn elsewhere(call: &Arc<Call>, name: &str, path: PathBuf) -> Self {
        let Some(found) = objects_of(&path, &mut call.source().access, false) else {
            return Files::one(Named::file(name, path));
        };
        let object = |NamedFile { path, modified, .. }: NamedFile| Named {
            is_walked: true,
            modified,
            ..Named::file(path.to_string_lossy(), path.clone())
        };
        let files = found.files.into_iter().map(object).collect();
        Files { files, hidden: found.hidden, ..Files::default() }
    }

    /// Takes the objects out that cannot have records in the `window`, and has the others opened in turn.
    pub(super) fn within(mut self, window: Option<TimeWindow>, call: &Arc<Call>) -> Self {
        self.ended = window.map_or(0, |window| window.take_ended(&mut self.files, |file| file.modified));
        open_in_turn(self.files.iter().map(|file| &*file.path), &call.source().access);
        self
    }

    /// The members of the archive `named`.
    fn of(members: Members, named: &ArchiveName) -> Result<Self> {
        let Members { archive, pattern } = &members;
        let mut files = Vec::new();
        let walked = archive.each(pattern, &mut |member| {
            let path = member.path();
            let name = named.of(&path).unwrap_or_else(|| String::from_utf8_lossy(member.name()).into_owned());
            let (member, archive) = (Some(Arc::new(member) as Arc<dyn OpensMember>), Some(named.clone()));
            files.push(Named { member, archive, is_walked: true, ..Named::file(name, path) });
            Ok(files.len() < MOST_MEMBERS)
        })?;
        let is_none = walked.members == 0;
        let error = walked.error.or_else(|| is_none.then(|| no_member(&members, 0)));
        let error = error.map(|error| named.in_error(error));
        match error {
            Some(error) if files.is_empty() => Err(error),
            error => Ok(Files { files, error, ..Files::default() }),
        }
    }
}

/// The files below the directory `name` of an archive, if it is the name of one.
pub(super) fn below(call: &Arc<Call>, name: &str) -> Result<Option<Files>> {
    let Meaning::Members(MemberName { kind, archive, member }) = meaning(call, name)? else {
        return Ok(None);
    };
    let members = members::of_directory(kind, &archive.path, &member, &call.source().access);
    Files::of(members.map_err(|error| archive.in_error(error))?, &archive).map(Some)
}

/// The names of the arguments `path` and `paths` together.
pub(super) fn all(path: Option<&String>, paths: &[String]) -> Result<Vec<String>> {
    let names = few(path.into_iter().chain(paths).cloned().collect())?;
    if names.is_empty() {
        return Err(Error::usage("no file was given").hint(r#"{"path": "app.log"}"#));
    }
    Ok(names)
}

/// `names` without empty ones, unless there are too many for a call.
pub(super) fn few(mut names: Vec<String>) -> Result<Vec<String>> {
    names.retain(|name| !name.is_empty());
    if names.len() <= MOST {
        return Ok(names);
    }
    Err(Error::usage(format!("{} files are given; a call may name {MOST}", names.len()))
        .hint("name the others in another call"))
}

/// The name for the client of what is called `shown` inside.
pub(super) fn name_of<'n>(files: &'n [Named], shown: &str) -> Option<&'n str> {
    files.iter().find(|file| address::display(&file.path) == shown).map(|file| file.name.as_str())
}

/// The two names of an archive.
#[derive(Clone, Debug)]
pub(super) struct ArchiveName {
    /// The server's.
    pub(super) path: PathBuf,
    /// The client's.
    pub(super) shown: String,
}

impl ArchiveName {
    /// The client's name of `path`, if that is the archive or an address in it.
    pub(super) fn of(&self, path: &Path) -> Option<String> {
        if path == self.path {
            return Some(self.shown.clone());
        }
        let (text, archive) = (path.to_string_lossy(), self.path.to_string_lossy());
        [ArchiveKind::Tar, ArchiveKind::Zip].into_iter().find_map(|kind| {
            let member = text.strip_prefix(kind.prefix())?.strip_prefix(&*archive)?;
            let is_whole = member.is_empty() || member.starts_with('/');
            is_whole.then(|| format!("{}{}{member}", kind.prefix(), self.shown))
        })
    }

    /// `error` with the client's names.
    pub(super) fn in_error(&self, error: Error) -> Error {
        let named = |path: PathBuf| self.of(&path).map_or(path, PathBuf::from);
        let hint = error.hint.clone().map(|hint| hint.map_paths(named));
        Error { message: error.message.clone().map_paths(named), hint, ..error }
    }
}

/// `error` of a call of `tool`, in the words of the client.
pub(super) fn translated(error: Error, files: &[Named], tool: &Tool) -> Error {
    let file = error.path.as_ref().and_then(|path| file_at(path, files));
    let hint = match file.filter(|_| error.kind == Kind::IsDirectory) {
        Some(file) => {
            let list = json!({"pattern": "", "path": file.name, "files_only": true});
            Some(format!("search {} lists its files", inert(&list.to_string())))
        }
        None => error.hint.as_ref().and_then(|hint| hint_for(hint, files, tool)),
    };
    let hint = hint.or_else(|| in_other_words(file.filter(|_| error.kind == Kind::NotFound)?));
    let path = file.map(|file| PathBuf::from(&file.name)).or_else(|| error.path.clone());
    // What another tool can do, such as `text` of `read`, is true all the same.
    let word = |part: &Part| {
        let named = words(part, files, tool).or_else(|| words(part, files, &READ));
        named.unwrap_or_else(|| wording::worded(&part.clone().into()))
    };
    let message: String = error.message.parts().iter().map(word).collect();
    Error { path, hint: hint.map(Sentence::from), message: message.into(), ..error }
}

/// The arguments for a name that no file has: several names in one text, or a member after the colon of an archive.
fn in_other_words(file: &Named) -> Option<String> {
    let root = file.path.to_str()?.strip_suffix(&*file.name)?;
    if let Some(member) = member_after_colon(&file.path) {
        return Some(json!({"path": member.to_str()?.replacen(root, "", 1)}).to_string());
    }
    let names: Vec<&str> = file.name.split([',', '\n']).map(str::trim).collect();
    let are_files = names.len() > 1 && names.iter().all(|name| Path::new(&format!("{root}{name}")).is_file());
    are_files.then(|| json!({"paths": names}).to_string())
}

/// `None` if the hint needs an argument that the tool does not have, or a command for which there is no tool, and has no part
/// before or after `, or` that does without.
pub(super) fn hint_for(hint: &Sentence, files: &[Named], tool: &Tool) -> Option<String> {
    let parts = hint.parts();
    let all: Option<String> = parts.iter().map(|part| words(part, files, tool)).collect();
    all.or_else(|| match (parts.first()?, parts.last()?) {
        (Part::Text(text), _) => text.strip_suffix(", or ").map(str::to_owned),
        (_, Part::Text(text)) => Some(text.split_once(", or ")?.1.to_owned()),
        _ => None,
    })
}

fn words(part: &Part, files: &[Named], tool: &Tool) -> Option<String> {
    match part {
        Part::Text(text) => Some(with_names(text, files)),
        Part::Shell(_) => None,
        Part::Path(path) => {
            let name = name(path, files);
            Some(if quoted_word(&name) == name { name } else { inert(&json!(name).to_string()) })
        }
        Part::Setting(setting) => argument(setting, tool),
        Part::Call(call) => tool_call(call, files, tool),
    }
}

/// The text with the client's names of files.
fn with_names(text: &str, files: &[Named]) -> String {
    let absolute = files.iter().filter(|file| file.path.is_absolute());
    absolute.fold(text.to_owned(), |text, file| text.replace(&*file.path.to_string_lossy(), &file.name))
}

/// The file of exactly this path: `zip:a.zip//x` and `zip:a.zip/x` would be equal as paths.
fn file_at<'n>(path: &Path, files: &'n [Named]) -> Option<&'n Named> {
    files.iter().find(|file| file.path.as_os_str() == path.as_os_str())
}

/// The client's name of a file.
fn name(path: &Path, files: &[Named]) -> String {
    let known = file_at(path, files).map(|file| file.name.clone());
    // Another member, or the archive.
    let in_archive = || files.iter().find_map(|file| file.archive.as_ref()?.of(path));
    known.or_else(in_archive).unwrap_or_else(|| address::display(path).into_owned())
}

/// The argument of `tool` that is the setting.
fn argument(setting: &str, tool: &Tool) -> Option<String> {
    let name = match setting {
        "E" => "encoding".to_owned(),
        "fixed-strings" => "fixed".to_owned(),
        "word-regexp" => "word".to_owned(),
        "invert-match" => "invert".to_owned(),
        name => name.replace('-', "_"),
    };
    let has = |name: &str| tool.names().any(|known| known == name);
    let is_option = || has("options") && SelectArgs::reads_with(setting);
    if has(&name) { Some(name) } else { is_option().then(|| format!("options --{setting}")) }
}

/// The call of a tool; without a file, only what to set in that which was `called`.
fn tool_call(call: &sentence::Call, files: &[Named], called: &Tool) -> Option<String> {
    let (tool, place) = match &*call.command {
        own @ ("lines" | "bytes" | "page") => (&READ, Some(own)),
        "search" => (&SEARCH, Some("pattern")),
        "stat" => (&STAT, None),
        "verify" => (&VERIFY, Some("lines")),
        "image" => (&IMAGE, None),
        "capture" => (&CAPTURE, None),
        _ => return None,
    };
    let (mut arguments, mut settings, mut command) = (Map::new(), Map::new(), None::<Vec<&str>>);
    for one in &call.arguments {
        match (one, &mut command) {
            (Argument::Path(path), _) => {
                arguments.insert("path".to_owned(), json!(name(path, files)));
            }
            (Argument::Word(word), Some(command)) => command.push(word),
            (Argument::Word(word), None) if call.command == "capture" && word == "--" => {
                command = Some(Vec::new())
            }
            (Argument::Word(word), None) => {
                let is_second = arguments.insert(place?.to_owned(), json!(word)).is_some();
                if is_second {
                    return None;
                }
            }
            // The tool lists the members of every archive.
            (Argument::Setting(name, None), _) if name == "list" && call.command == "stat" => {}
            (Argument::Setting(setting, value), _) => {
                let value = value.as_ref().map_or(Value::Bool(true), |value| json!(value));
                settings.insert(argument(setting, tool)?, value);
            }
        }
    }
    arguments.extend(command.map(|command| ("command".to_owned(), json!(command))));
    if arguments.is_empty() {
        let names: Vec<&str> = settings.keys().map(String::as_str).collect();
        let takes = names.iter().all(|name| called.names().any(|known| known == *name));
        return takes.then(|| if names.is_empty() { tool.name.to_owned() } else { names.join(" and ") });
    }
    arguments.extend(settings);
    Some(format!("{} {}", tool.name, inert(&Value::Object(arguments).to_string())))
}

#[cfg(test)]
mod tests {
    use super::super::table::FOLLOW;
    use super::*;
    use rread_text::sentence::{call, did_you_mean, file, setting, shell};

    #[test]
    fn paths_of_the_archive_get_the_name_of_the_client() {
        let name = ArchiveName { path: "/root/a.tar".into(), shown: "./a.tar".to_owned() };
        for (path, expected) in [
            ("/root/a.tar", Some("./a.tar")),
            ("tar:/root/a.tar", Some("tar:./a.tar")),
            ("zip:/root/a.tar/x/y", Some("zip:./a.tar/x/y")),
            ("tar:/root/a.tar//x", Some("tar:./a.tar//x")),
            ("tar:/root/a.tar.gz/x", None),
            ("/root/a.tar/x", None),
            ("x", None),
        ] {
            assert_eq!(name.of(Path::new(path)).as_deref(), expected, "{path}");
        }
    }

    const ROOT: &str = "/root";

    fn hint_of(tool: &Tool, hint: impl Into<Sentence>) -> Option<String> {
        let file = |name: &str| Named::file(name, Path::new(ROOT).join(name));
        hint_for(&hint.into(), &[file("app.log"), file("it's.log")], tool)
    }

    #[test]
    fn calls_of_tools_are_made_of_commands() {
        let lines = |name: &str| call("lines").file(Path::new(ROOT).join(name));
        let app = || Path::new(ROOT).join("app.log");
        let calls: [(Sentence, &str); 13] = [
            (lines("app.log").word("-20:").into(), r#"read {"path":"app.log","lines":"-20:"}"#),
            (
                call("bytes").file(app()).word("0:256").with("encode", "hexdump").into(),
                r#"read {"path":"app.log","bytes":"0:256","encode":"hexdump"}"#,
            ),
            (
                lines("it's.log").word("1:20").on("text").into(),
                r#"read {"path":"it's.log","lines":"1:20","text":true}"#,
            ),
            (call("page").file(app()).word(-1).into(), r#"read {"path":"app.log","page":"-1"}"#),
            (call("image").file(app()).into(), r#"image {"path":"app.log"}"#),
            (
                call("search").with("context", 2).word("a b").file(app()).with("in", "-1000:").into(),
                r#"search {"pattern":"a b","path":"app.log","context":"2","in":"-1000:"}"#,
            ),
            (
                Sentence::from("give the format of its times: ")
                    .then(lines("app.log").with("since", "06:00").with("time-format", "%H:%M")),
                r#"give the format of its times: read {"path":"app.log","since":"06:00","time_format":"%H:%M"}"#,
            ),
            // Both of two calls, and a call after a question.
            (
                Sentence::from(lines("app.log").with("E", "gbk"))
                    .then(", or ")
                    .then(lines("app.log").with("encoding", "big5")),
                r#"read {"path":"app.log","encoding":"gbk"}, or read {"path":"app.log","encoding":"big5"}"#,
            ),
            (
                did_you_mean(app()).then(" ").then(call("stat").file(app()).on("count")),
                r#"did you mean app.log? stat {"path":"app.log","count":true}"#,
            ),
            (
                call("capture").word("--").word("sh").word("-c").word("a b").into(),
                r#"capture {"command":["sh","-c","a b"]}"#,
            ),
            (
                Sentence::from("a larger ").then(setting("page-size")).then(", or ").then(call("lines")),
                "a larger page_size, or read",
            ),
            (
                call("search").on("word-regexp").on("invert-match").word("a").file(app()).on("text").into(),
                r#"search {"pattern":"a","path":"app.log","word":true,"invert":true,"text":true}"#,
            ),
            (call("stat").file(app()).on("list").into(), r#"stat {"path":"app.log"}"#),
        ];
        for (hint, call) in calls {
            assert_eq!(hint_of(&READ, hint.clone()).as_deref(), Some(call), "{hint:?}");
        }
    }

    #[test]
    fn a_hint_that_the_called_tool_cannot_follow_is_left_out() {
        assert_eq!(hint_of(&READ, setting("salvage").then(" helps")).as_deref(), Some("salvage helps"));
        let fixed = || Sentence::from(call("search").on("fixed-strings")).then(" takes it as plain text");
        assert_eq!(hint_of(&SEARCH, fixed()).as_deref(), Some("fixed takes it as plain text"));
        let either = Sentence::from("to_date(d), or ").then(setting("date-order")).then(" dmy");
        assert_eq!(hint_of(&READ, either).as_deref(), Some("to_date(d)"));
        let either = setting("decimal").then(" ',', or replace(a, ',', '.')");
        assert_eq!(hint_of(&READ, either).as_deref(), Some("replace(a, ',', '.')"));
        for (tool, hint) in [
            (&SEARCH, setting("salvage").then(" helps")),
            (&FOLLOW, fixed()),
            (&STAT, setting("max-bytes").then(" 64 is the least")),
            (&READ, setting("slack").then(" 1h, or leave out ").then(setting("since"))),
            (&READ, call("search").word("a").file("app.log").on("salvage").into()),
            (&READ, call("where").file("app.log").into()),
            (&CAPTURE, call("capture").word("list").into()),
            (&READ, call("lines").file("app.log").word(1).word(2).into()),
            (&READ, shell("pdftotext ").then(file("it's.log")).then(shell(" -")).piped_to_lines("1:20")),
        ] {
            assert_eq!(hint_of(tool, hint.clone()), None, "{hint:?}");
        }
    }
}
