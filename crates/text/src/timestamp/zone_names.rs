//! Abbreviations of zones beside a time.

/// The meaning of an abbreviation without knowing where the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds east of UTC.
    Offset(i32),
    /// Zones with different offsets use it today.
    Several,
}

/// Abbreviations with one meaning today, in minutes east of UTC: those of the time zone database that one offset has, those
/// of RFC 2822, and those that Java writes for Bangkok, Singapore, Kuala Lumpur and São Paulo.
pub static ABBREVIATIONS: &[(&str, i32)] = &[
    ("UTC", 0),
    ("GMT", 0),
    ("UT", 0),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("WAT", 60),
    ("MET", 60),
    ("CEST", 120),
    ("MEST", 120),
    ("EET", 120),
    ("SAST", 120),
    ("CAT", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("EAT", 180),
    ("IDT", 180),
    ("PKT", 300),
    ("WIB", 420),
    ("ICT", 420),
    ("HKT", 480),
    ("AWST", 480),
    ("SGT", 480),
    ("MYT", 480),
    ("WITA", 480),
    ("JST", 540),
    ("KST", 540),
    ("WIT", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("ACDT", 630),
    ("AEDT", 660),
    ("NZST", 720),
    ("NZDT", 780),
    ("NDT", -150),
    ("ADT", -180),
    ("BRT", -180),
    ("NST", -210),
    ("AST", -240),
    ("EDT", -240),
    ("EST", -300),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
    ("AKDT", -480),
    ("AKST", -540),
    ("HDT", -540),
    ("HST", -600),
    ("SST", -660),
];

/// China, Cuba and Chicago; India, Israel and Ireland.
const SEVERAL: [&str; 3] = ["CST", "CDT", "IST"];

/// The continents, oceans and countries of names such as `Europe/Berlin`.
const REGIONS: [&str; 16] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Brazil",
    "Canada",
    "Chile",
    "Etc",
    "Europe",
    "Indian",
    "Mexico",
    "Pacific",
    "US",
];

/// Whether it is UTC or GMT, which some programs write in small letters.
pub(super) fn is_utc(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"UTC") || name.eq_ignore_ascii_case(b"GMT")
}

/// The meaning of an abbreviation; `None` if it is another word.
pub(super) fn meaning(name: &[u8]) -> Option<Meaning> {
    if !(2..=4).contains(&name.len()) {
        return None;
    }
    match name {
        _ if is_utc(name) => return Some(Meaning::Offset(0)),
        // Levels stand after most times.
        b"INFO" | b"WARN" => return None,
        _ => {}
    }
    if let Some((_, minutes)) = ABBREVIATIONS.iter().find(|(known, _)| known.as_bytes() == name) {
        return Some(Meaning::Offset(minutes * 60));
    }
    SEVERAL.iter().any(|known| known.as_bytes() == name).then_some(Meaning::Several)
}

/// The length of the name of a zone, such as `Europe/Berlin`, at the beginning of `text`.
pub(super) fn region(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-+".contains(byte);
    let length = text.iter().take_while(|byte| is_of_name(byte)).count();
    let slash = text[..length].iter().position(|byte| *byte == b'/')?;
    let is_known = REGIONS.iter().any(|region| region.as_bytes() == &text[..slash]);
    (is_known && slash + 1 < length).then_some(length)
}
