//! ELF (System V ABI, chapters 4 and 5): class, machine, type, interpreter, and whether it has symbols.

use super::ends::{Fields, FileEnds, before_nul, name_of};
use super::types::FormatDetails;

/// `e_machine`, with the names of Linux.
const MACHINES: &[(u32, &str)] = &[
    (2, "sparc"),
    (3, "x86"),
    (4, "m68k"),
    (8, "mips"),
    (15, "parisc"),
    (18, "sparc32plus"),
    (20, "powerpc"),
    (21, "powerpc64"),
    (22, "s390"),
    (40, "arm"),
    (42, "sh"),
    (43, "sparc64"),
    (50, "ia64"),
    (62, "x86-64"),
    (83, "avr"),
    (93, "arc"),
    (94, "xtensa"),
    (105, "msp430"),
    (183, "aarch64"),
    (189, "microblaze"),
    (190, "cuda"),
    (224, "amdgpu"),
    (243, "riscv"),
    (247, "bpf"),
    (252, "csky"),
    (258, "loongarch"),
    (0x9026, "alpha"),
];

const INTERPRETER: u32 = 3;
const SYMBOL_TABLE: u32 = 2;

/// The most headers of segments and sections to look at.
const MOST_HEADERS: u64 = 256;

/// Where fields are, by class.
struct ElfLayout {
    is_64: bool,
    segments: u64,
    sections: u64,
    counts: u64,
}

const LAYOUT_32: ElfLayout = ElfLayout { is_64: false, segments: 28, sections: 32, counts: 42 };
const LAYOUT_64: ElfLayout = ElfLayout { is_64: true, segments: 32, sections: 40, counts: 54 };

impl ElfLayout {
    fn word(&self, fields: &Fields<'_>, offset: u64) -> Option<u64> {
        if self.is_64 { fields.u64(offset) } else { fields.u32(offset).map(u64::from) }
    }
}

pub(super) fn details(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let [class, data, version] = ends.array(4)?;
    let (layout, bits) = match class {
        1 => (LAYOUT_32, 32),
        2 => (LAYOUT_64, 64),
        _ => return None,
    };
    let byte_order = match data {
        1 => "little",
        2 => "big",
        _ => return None,
    };
    let fields = ends.fields(data == 2);
    let kind = match fields.u16(16)? {
        1 => Some("relocatable"),
        2 => Some("executable"),
        3 => Some("shared object"),
        4 => Some("core dump"),
        _ => None,
    };
    Some(FormatDetails {
        format: Some("ELF"),
        bits: Some(bits),
        byte_order: Some(byte_order),
        machine: Some(name_of(MACHINES, u32::from(fields.u16(18)?))),
        kind,
        interpreter: interpreter(&fields, &layout),
        stripped: if version == 1 && kind != Some("core dump") {
            is_stripped(&fields, &layout)
        } else {
            None
        },
        ..FormatDetails::default()
    })
}

fn interpreter(fields: &Fields<'_>, layout: &ElfLayout) -> Option<String> {
    let (start, size) = (layout.word(fields, layout.segments)?, fields.u16(layout.counts)?);
    let count = u64::from(fields.u16(layout.counts + 2)?).min(MOST_HEADERS);
    let headers = (0..count).map(|index| start.saturating_add(index * u64::from(size)));
    let found =
        headers.take_while(|at| fields.u32(*at).is_some()).find(|at| fields.u32(*at) == Some(INTERPRETER))?;
    let (offset, length) = if layout.is_64 { (8, 32) } else { (4, 16) };
    let text_at = layout.word(fields, found.checked_add(offset)?)?;
    let length = layout.word(fields, found.checked_add(length)?)?;
    let text = fields.ends.bytes(text_at, usize::try_from(length).ok()?)?;
    let text = before_nul(text).filter(|text| !text.is_empty() && text.len() < 4096)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// `None` if the section headers are not among the known bytes.
fn is_stripped(fields: &Fields<'_>, layout: &ElfLayout) -> Option<bool> {
    let start = layout.word(fields, layout.sections)?;
    let (size, count) = (fields.u16(layout.counts + 4)?, fields.u16(layout.counts + 6)?);
    if start == 0 {
        return Some(true);
    }
    // 0 sections at an offset means more than 65,279.
    if count == 0 || u64::from(count) > MOST_HEADERS || size < 8 {
        return None;
    }
    let kind = |index: u16| {
        let at = start.checked_add(u64::from(index) * u64::from(size))?;
        fields.u32(at.checked_add(4)?)
    };
    let mut has_symbols = false;
    for index in 0..count {
        has_symbols |= kind(index)? == SYMBOL_TABLE;
    }
    Some(!has_symbols)
}
