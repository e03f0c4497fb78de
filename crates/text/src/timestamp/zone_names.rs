//! Abbreviations of zones beside a time.

/// The meaning of an abbreviation without knowing where the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds east of UTC.
    Offset(i32),
    /// Zones with different offsets use it today.
    Several,
}

/// Abbreviations with one meaning today, after their minutes east of UTC: those of the time zone database that one offset
/// has, those of RFC 2822, and those that Java writes for Bangkok, Singapore, Kuala Lumpur and São Paulo.
pub static ABBREVIATIONS: &[(i32, &str)] = &[
    (0, "UTC GMT UT WET"),
    (60, "WEST BST CET WAT MET"),
    (120, "CEST MEST EET SAST CAT"),
    (180, "EEST MSK EAT IDT"),
    (300, "PKT"),
    (420, "WIB ICT"),
    (480, "HKT AWST SGT MYT WITA"),
    (540, "JST KST WIT"),
    (570, "ACST"),
    (600, "AEST"),
    (630, "ACDT"),
    (660, "AEDT"),
    (720, "NZST"),
    (780, "NZDT"),
    (-150, "NDT"),
    (-180, "ADT BRT"),
    (-210, "NST"),
    (-240, "AST EDT"),
    (-300, "EST"),
    (-360, "MDT"),
    (-420, "MST PDT"),
    (-480, "PST AKDT"),
    (-540, "AKST HDT"),
    (-600, "HST"),
    (-660, "SST"),
];

/// China, Cuba and Chicago; India, Israel and Ireland.
const SEVERAL: [&str; 3] = ["CST", "CDT", "IST"];

/// The continents, oceans and countries of names such as `Europe/Berlin`.
const REGIONS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile \
    Etc Europe Indian Mexico Pacific US";

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
    let has_name = |names: &str| names.split(' ').any(|known| known.as_bytes() == name);
    if let Some((minutes, _)) = ABBREVIATIONS.iter().find(|(_, names)| has_name(names)) {
        return Some(Meaning::Offset(minutes * 60));
    }
    SEVERAL.iter().any(|known| known.as_bytes() == name).then_some(Meaning::Several)
}

/// The length of the name of a zone, such as `Europe/Berlin`, at the beginning of `text`.
pub(super) fn region(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-+".contains(byte);
    let length = text.iter().take_while(|byte| is_of_name(byte)).count();
    let slash = text[..length].iter().position(|byte| *byte == b'/')?;
    let is_known = REGIONS.split(' ').any(|region| region.as_bytes() == &text[..slash]);
    (is_known && slash + 1 < length).then_some(length)
}
