//! Abbreviations of zones beside a time.

/// The meaning of an abbreviation without knowing where the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds east of UTC.
    Offset(i32),
    /// Zones with different offsets use it today.
    Several,
}

/// Abbreviations with one meaning, after their minutes east of UTC: those of the time zone database that one offset has,
/// those of RFC 2822, and those that Java, lnav and s4 know. `GET` of Georgia is a method of HTTP.
pub static ABBREVIATIONS: &[(i32, &str)] = &[
    (0, "UTC GMT UT WET EGST"),
    (60, "WEST BST CET WAT MET MEZ DFT"),
    (120, "CEST MEST MESZ EET SAST CAT HAEC"),
    (180, "EEST MSK EAT IDT TRT SYOT FET"),
    (210, "IRST"),
    (240, "AZT MUT RET SAMT SCT MSD"),
    (270, "AFT IRDT"),
    (300, "PKT AQTT HMT MAWT MVT ORAT TFT TJT TMT UZT YEKT ALMT QYZT"),
    (330, "SLST"),
    (345, "NPT"),
    (360, "BTT IOT KGT OMST VOST PKST YEKST BIOT"),
    (390, "MMT CCT"),
    (420, "WIB ICT CXT DAVT HOVT KRAT NOVT OMSST"),
    (480, "HKT AWST SGT MYT WITA CHOT IRKT PHT PHST ULAT BNT KRAST HKST HOVST"),
    (525, "ACWST CWST"),
    (540, "JST KST WIT TLT YAKT IRKST PWT ULAST CHOST JDT"),
    (570, "ACST"),
    (600, "AEST CHST CHUT DDUT PGT VLAT YAKST"),
    (630, "ACDT LHST"),
    (660, "AEDT LHDT KOST NCT NFT PONT SAKT SBT SRET VUT VLAST"),
    (720, "NZST ANAT FJT GILT MHT MAGT PETT TVT WAKT WFT NRT"),
    (765, "CHAST"),
    (780, "NZDT PHOT TKT TOT FJST"),
    (825, "CHADT"),
    (840, "LINT"),
    (-60, "AZOT CVT EGT"),
    (-120, "FNT BRST UYST PMDT WGST"),
    (-150, "NDT"),
    (-180, "ADT BRT ART CLST FKST GFT PMST PYST ROTT SRT UYT WGT"),
    (-210, "NST"),
    (-240, "AST EDT BOT CLT FKT GYT PYT VET COST"),
    (-300, "EST COT PET EASST"),
    (-360, "MDT EAST GALT"),
    (-420, "MST PDT"),
    (-480, "PST AKDT CIST"),
    (-540, "AKST HDT GAMT HADT"),
    (-570, "MART MIT"),
    (-600, "HST CKT TAHT HAST"),
    (-660, "SST NUT"),
    (-720, "BIT"),
];

/// Abbreviations that are words of messages in small letters.
const WORDS: &str =
    "act art bit bot cast cat cost east eat gilt mart met mit nut pet pont tot vet wat wet wit";

/// China, Cuba and Chicago; India, Israel and Ireland.
const SEVERAL: &str = "CST CDT IST";

/// The continents, oceans and countries of names such as `Europe/Berlin`.
const REGIONS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile \
    Etc Europe Indian Mexico Pacific US";

/// The meaning of an abbreviation in any case; `None` if it is another word.
pub(super) fn meaning(name: &[u8]) -> Option<Meaning> {
    // Most words after a time are levels, and end with other letters.
    if !(2..=5).contains(&name.len())
        || !matches!(name.last()?.to_ascii_lowercase(), b't' | b'c' | b'd' | b'k' | b'z' | b'b' | b'a')
    {
        return None;
    }
    let has_name = |names: &str| names.split(' ').any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    if name.iter().any(u8::is_ascii_lowercase) && has_name(WORDS) {
        return None;
    }
    if let Some((minutes, _)) = ABBREVIATIONS.iter().find(|(_, names)| has_name(names)) {
        return Some(Meaning::Offset(minutes * 60));
    }
    has_name(SEVERAL).then_some(Meaning::Several)
}

/// The length of the name of a zone, such as `Europe/Berlin`, at the beginning of `text`.
pub(super) fn region(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-+".contains(byte);
    let length = text.iter().take_while(|byte| is_of_name(byte)).count();
    let slash = text[..length].iter().position(|byte| *byte == b'/')?;
    let is_known = REGIONS.split(' ').any(|region| region.as_bytes() == &text[..slash]);
    (is_known && slash + 1 < length).then_some(length)
}
