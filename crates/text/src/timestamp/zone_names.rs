//! Abbreviations of zones beside a time.

/// The meaning of an abbreviation without knowing where the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds east of UTC.
    Offset(i32),
    /// Zones with different offsets use it today.
    Several,
}

/// Abbreviations with one meaning, after their minutes east of UTC: those of the time zone database that one offset has
/// and those of RFC 2822, which are read in any case; then those that Java, lnav and s4 know, which are rare and words of messages
/// in small letters. Words of programs are none: `GET` of Georgia, `LINT`, `BOT`, `SBT`.
pub static ABBREVIATIONS: &[(i32, &str, &str)] = &[
    (0, "UTC GMT UT WET", "EGST"),
    (60, "WEST BST CET WAT MET MEZ", "DFT"),
    (120, "CEST MEST MESZ EET SAST CAT", "HAEC"),
    (180, "EEST MSK EAT IDT", "TRT SYOT"),
    (210, "", "IRST"),
    (240, "", "AZT SAMT MSD"),
    (270, "", "AFT IRDT"),
    (300, "PKT", "AQTT HMT MAWT MVT ORAT TJT TMT UZT YEKT ALMT QYZT"),
    (330, "", "SLST"),
    (345, "", "NPT"),
    (360, "", "BTT KGT OMST VOST PKST YEKST BIOT"),
    (390, "", "MMT CCT"),
    (420, "WIB ICT", "DAVT HOVT KRAT NOVT OMSST"),
    (480, "HKT AWST SGT MYT WITA", "CHOT IRKT PHT PHST ULAT BNT KRAST HKST HOVST"),
    (525, "", "ACWST CWST"),
    (540, "JST KST WIT", "TLT YAKT IRKST PWT ULAST CHOST"),
    (570, "ACST", ""),
    (600, "AEST", "CHST CHUT DDUT PGT VLAT YAKST"),
    (630, "ACDT", "LHST"),
    (660, "AEDT", "LHDT KOST NCT SAKT SRET VUT VLAST"),
    (720, "NZST", "ANAT FJT MHT MAGT PETT TVT WAKT WFT NRT"),
    (765, "", "CHAST"),
    (780, "NZDT", "PHOT FJST"),
    (825, "", "CHADT"),
    (-60, "", "AZOT EGT"),
    (-120, "", "BRST UYST PMDT WGST"),
    (-150, "NDT", ""),
    (-180, "ADT BRT", "ART CLST FKST GFT PMST PYST ROTT UYT WGT"),
    (-210, "NST", ""),
    (-240, "AST EDT", "CLT FKT GYT PYT VET"),
    (-300, "EST", "COT PET EASST"),
    (-360, "MDT", "GALT"),
    (-420, "MST PDT", ""),
    (-480, "PST AKDT", ""),
    (-540, "AKST HDT", "GAMT HADT"),
    (-600, "HST", "CKT TAHT"),
    (-660, "SST", ""),
];

/// Frequent abbreviations that are words of messages in small letters.
const WORDS: &str = "cat eat met wat wet wit";

/// China, Cuba and Chicago; India, Israel and Ireland.
const SEVERAL: &str = "CST CDT IST";

/// The continents, oceans and countries of names such as `Europe/Berlin`.
const REGIONS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile \
    Etc Europe Indian Mexico Pacific US";

/// The meaning of an abbreviation; `None` if it is another word.
pub(super) fn meaning(name: &[u8]) -> Option<Meaning> {
    // Most words after a time are levels, and end with other letters.
    if !(2..=5).contains(&name.len())
        || !matches!(name.last()?.to_ascii_lowercase(), b't' | b'c' | b'd' | b'k' | b'z' | b'b' | b'a')
    {
        return None;
    }
    if name.iter().any(u8::is_ascii_lowercase) && has(WORDS, name) {
        return None;
    }
    let is_meant = |(_, any, rare): &&(i32, &str, &str)| {
        has(any, name) || rare.split(' ').any(|known| known.as_bytes() == name)
    };
    let one = ABBREVIATIONS.iter().find(is_meant).map(|(minutes, ..)| Meaning::Offset(minutes * 60));
    one.or_else(|| has(SEVERAL, name).then_some(Meaning::Several))
}

/// Whether it may stand in brackets, where names of threads and levels are too.
pub(super) fn is_frequent(name: &[u8]) -> bool {
    meaning(name).is_some() && (has(SEVERAL, name) || ABBREVIATIONS.iter().any(|(_, any, _)| has(any, name)))
}

fn has(names: &str, name: &[u8]) -> bool {
    names.split(' ').any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The length of the name of a zone, such as `Europe/Berlin`, at the beginning of `text`.
pub(super) fn region(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-+".contains(byte);
    let length = text.iter().take_while(|byte| is_of_name(byte)).count();
    let slash = text[..length].iter().position(|byte| *byte == b'/')?;
    let is_known = REGIONS.split(' ').any(|region| region.as_bytes() == &text[..slash]);
    (is_known && slash + 1 < length).then_some(length)
}
