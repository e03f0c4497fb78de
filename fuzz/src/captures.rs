//! The capture store with anything in its directories: what is listed is whole, nothing outside is touched, and a new
//! capture always finds its place.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rread_reader::capture::{Ansi, Handle, Record, Session};
use rread_text::error::Kind;

use crate::input::Input;
use crate::program::Folder;

/// Names that mean something in the directory of a session, and some that nearly do.
const NAMES: [&str; 18] = [
    "1",
    "2",
    "3",
    "9",
    "last",
    "0",
    "-1",
    "01",
    "+4",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    ".new-abc",
    ".old-1-2",
    "record.json",
    "ü",
];

/// A file elsewhere that belongs to this user too.
const VICTIM: &[u8] = b"not yours\n";

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let lab = Folder::new();
    let victim = lab.file("victim", VICTIM);
    let root = lab.path("state");
    let session = Session::new(root.clone(), input.one_in(3).then(|| OsStr::new("a/../b")));
    fs::create_dir_all(&session.dir).unwrap();
    for _ in 0..input.below(7) {
        let place = session.dir.join(input.pick(&NAMES));
        // Through a link, this would itself write elsewhere.
        if place.symlink_metadata().is_err() {
            entry(&mut input, &place, &victim);
        }
    }
    records(&input.words(60));
    if let Some(handle) = Handle::parse(&input.words(12)) {
        assert_eq!(Handle::parse(&handle.to_string()), Some(handle.clone()));
        let _ = session.find(&handle, Ansi::Strip);
    }
    listed(&session);
    keep(&session, &mut input);
    assert_eq!(fs::read(&victim).unwrap(), VICTIM);
}

/// Puts something at `place`: a capture that is whole or nearly, a file, a link.
fn entry(input: &mut Input, place: &Path, victim: &Path) {
    match input.below(8) {
        0 => drop(fs::write(place, input.bytes(80))),
        1 => drop(symlink(victim, place)),
        2 => drop(symlink(victim.parent().unwrap(), place)),
        kind => {
            if fs::create_dir(place).is_err() {
                return;
            }
            let kept = input.below(40);
            let record = if input.one_in(4) { input.bytes(120).to_vec() } else { record(input, kept) };
            drop(fs::write(place.join("record.json"), record));
            let length = if input.one_in(5) { input.below(40) } else { kept };
            if input.one_in(3) {
                drop(fs::write(place.join("shown"), vec![b'x'; input.below(10)]));
            }
            let output = place.join("output");
            match kind {
                3 => drop(symlink(victim, output)),
                4 => drop(fs::create_dir(output)),
                _ => drop(fs::write(output, vec![b'x'; length])),
            }
            if input.one_in(6) {
                drop(fs::set_permissions(place, PermissionsExt::from_mode(0o777)));
            }
        }
    }
}

/// A record with a member or two that cannot be.
fn record(input: &mut Input, kept: usize) -> Vec<u8> {
    const ODD: [&str; 8] = ["null", "-1", "1e99", "18446744073709551616", "\"\\u0000\"", "[]", "{}", "true"];
    let members = [
        "produced",
        "kept",
        "newlines",
        "unterminated",
        "taken",
        "name",
        "command",
        "signal",
        "page_size",
        "shown",
    ];
    let odd = input.below(2 * members.len());
    let value = |member: &str, input: &mut Input| match member {
        "kept" => kept.to_string(),
        "unterminated" => "false".to_owned(),
        "name" => input.pick(&["\"build\"", "\"1\"", "\"../x\"", "\"\\u001b[2J\"", "null"]).to_owned(),
        "command" => input.pick(&["[\"sh\", \"-c\", \"'\\n'\"]", "[1]", "[]", "null"]).to_owned(),
        "shown" => format!("{{\"bytes\": {}, \"unterminated\": true}}", input.below(10)),
        "signal" => input.pick(&["9", "2147483648", "null"]).to_owned(),
        _ => input.edgy().to_string(),
    };
    let members: Vec<String> = members
        .into_iter()
        .enumerate()
        .map(|(at, member)| {
            let value = if at == odd { input.pick(&ODD).to_owned() } else { value(member, input) };
            format!("\"{member}\": {value}")
        })
        .collect();
    format!("{{{}}}", members.join(", ")).into_bytes()
}

/// A record that is one is the same after being written.
fn records(text: &str) {
    let Ok(record) = serde_json::from_str::<Record>(text) else { return };
    assert_eq!(serde_json::from_str::<Record>(&record.to_json()).unwrap(), record);
}

/// Every capture that is listed can be found, or its bytes are told not to be there.
fn listed(session: &Session) {
    let captures = session.captures().unwrap_or_default();
    assert!(captures.is_sorted_by(|a, b| a.number < b.number));
    for capture in &captures {
        let again = serde_json::from_str::<Record>(&capture.record.to_json()).ok();
        assert_eq!(again.as_ref(), Some(&capture.record), "{}", capture.handle());
        let _ = (capture.record.command_line(), capture.record.time(), capture.record.lines(Ansi::Strip));
        assert!(capture.path.starts_with(&session.dir));
        for ansi in [Ansi::Strip, Ansi::Keep] {
            match session.find(&capture.handle(), ansi) {
                Ok(found) => {
                    assert_eq!(found.record, capture.record);
                    let there = found.text(ansi).symlink_metadata().unwrap();
                    assert!(
                        there.is_file() && there.len() == found.record.size(ansi),
                        "{}",
                        capture.handle()
                    );
                }
                Err(error) => assert_eq!(error.kind.exit_code(), 3, "{}: {error}", capture.handle()),
            }
        }
    }
}

/// A new capture gets a number that was not there, and is there whole, whatever goes.
fn keep(session: &Session, input: &mut Input) {
    let before = session.captures().unwrap_or_default();
    let mut unfinished = match session.begin() {
        Ok(unfinished) => unfinished,
        Err(error) => return assert_eq!(error.kind, Kind::Write, "{error}"),
    };
    unfinished.output.write_all(b"kept\n").unwrap();
    let record = Record { produced: 5, kept: 5, newlines: 1, ..Record::default() };
    let capture = match session.publish(unfinished, record) {
        Ok(capture) => capture,
        Err(error) => return assert_eq!(error.kind, Kind::Write, "{error}"),
    };
    assert!(before.iter().all(|other| other.number != capture.number), "{} given twice", capture.handle());
    let _ = session.evict(input.edgy(), &capture);
    assert_eq!(fs::read(session.find(&capture.handle(), Ansi::Keep).unwrap().path).unwrap(), b"kept\n");
    let all = session.captures().unwrap();
    assert!(all.iter().any(|other| other.number == capture.number));
    let _ = session.drop(all);
    assert!(session.find(&capture.handle(), Ansi::Keep).is_err());
}
