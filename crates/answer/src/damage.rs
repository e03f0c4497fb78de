//! Answers about damaged compressed files: they return the decodable text, and never report it as whole.

use std::path::Path;

use crate::receipt::{Checked, Returned, SliceResult};
use rread_reader::{PAGE_SIZE, Reader};
use rread_source::compressed::damage::Damage;
use rread_text::range::Point;
use rread_text::{Error, Kind, Range, Result, Unit, call, counted};

/// A file whose parts are read in any order may show damage nearer to the start each time.
const ATTEMPTS: usize = 4;

/// Repeats an `attempt` that met damage, with the text ending there.
pub fn up_to_damage<T>(reader: &Reader, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 0..ATTEMPTS {
        let known = reader.is_cut_short().then(|| reader.damage()).flatten();
        match attempt() {
            Err(error) if error.kind == Kind::Io => {
                let met = reader.damage().map(|damage| damage.text);
                if met.is_none() || met == known.map(|damage| damage.text) {
                    return Err(error);
                }
                reader.end_at_damage();
            }
            result => return result,
        }
    }
    attempt()
}

/// Whether the text ends at damage, and `--salvage` did not accept that.
pub fn hides_the_end(reader: &Reader) -> bool {
    reader.is_cut_short() && !reader.is_salvaged()
}

/// The error for a request that needs the end of the text, if damage hides it; `found` is its result.
pub fn refusal_of<T>(reader: &Reader, path: &Path, asked: Range, found: &Result<T>) -> Option<Error> {
    let damage = reader.damage().filter(|_| hides_the_end(reader))?;
    let command = asked.unit.command();
    if from_the_end(asked.start()) || from_the_end(asked.end()) {
        let again = call(command).file(path).word(asked).on("salvage").again();
        return Some(reader.damage_error(&damage).hint(again).at(path));
    }
    match found {
        Err(error) if error.kind == Kind::OutOfRange => {
            let again = call(command).file(path).word(last_part(asked.unit)).on("salvage").again();
            Some(beyond(&damage, path, &asked.start_name()).hint(again))
        }
        _ => None,
    }
}

/// The error for `place`, such as `line 7`, which comes after the readable text.
pub fn beyond(damage: &Damage, path: &Path, place: &str) -> Error {
    let before = counted(damage.text, "byte");
    Error::new(Kind::Io, format!("{place} cannot be read: {damage}; {before} of text come before the damage"))
        .at(path)
}

pub fn known_lines(reader: &Reader) -> Option<u64> {
    if reader.has_true_end() { reader.known_lines() } else { None }
}

/// The end of a file, as a range to type.
pub fn last_part(unit: Unit) -> &'static str {
    if unit == Unit::Lines { "-20:" } else { "-4096:" }
}

fn from_the_end(point: Point) -> bool {
    matches!(point, Point::Back(n) if n > 0)
}

/// The state of the checksums from `start` to `end`; `reaches` means that damage cut off a part of the request.
pub fn check(reader: &Reader, start: u64, end: u64, reaches: bool) -> Checked {
    let is_proven = reader.checksums_match(start..end);
    match reader.damage() {
        Some(damage) if reaches || !is_proven && end > damage.unsound && start < damage.text => {
            Checked::Damaged
        }
        _ if is_proven && !reader.source().info().has_unread_checksum => Checked::Right,
        _ => Checked::Unread,
    }
}

pub fn hide_next(reader: &Reader, returned: &mut Returned) {
    let ends = reader.damage().is_some_and(|damage| returned.end >= damage.text);
    if ends && !reader.is_salvaged() {
        returned.next = None;
    }
}

/// The error that follows a slice that is damaged or incomplete.
pub fn failure(reader: &Reader, path: &Path, slice: &SliceResult) -> Option<Error> {
    let returned = slice.outcome.as_ref().ok()?;
    let damage = reader.damage().filter(|_| returned.checked == Checked::Damaged && !reader.is_salvaged())?;
    let mut again = match &slice.page {
        Some(page) => call("page").file(path).word(page.asked),
        None => call(slice.asked.unit.command()).file(path).word(slice.asked),
    };
    if let Some(page) = slice.page.filter(|page| page.size != PAGE_SIZE) {
        again = again.with("page-size", page.size);
    }
    Some(reader.damage_error(&damage).hint(again.on("salvage").again()).at(path))
}
