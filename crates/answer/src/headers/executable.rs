//! Machine code and byte code beside ELF: PE, Mach-O, Java, WebAssembly.

use super::ends::{FileEnds, name_of};
use super::types::FormatDetails;

/// `Machine` of the COFF header (PE format, "Machine types").
const PE_MACHINES: &[(u32, &str)] = &[
    (0x14C, "x86"),
    (0x1C0, "arm"),
    (0x1C4, "arm"),
    (0x200, "ia64"),
    (0x5032, "riscv32"),
    (0x5064, "riscv64"),
    (0x6264, "loongarch64"),
    (0x8664, "x86-64"),
    (0xA641, "arm64ec"),
    (0xAA64, "aarch64"),
    (0xEBC, "efi-bytecode"),
];

/// `cputype` of Mach-O (mach/machine.h).
const MACH_MACHINES: &[(u32, &str)] = &[
    (7, "x86"),
    (0x0100_0007, "x86-64"),
    (12, "arm"),
    (0x0100_000C, "aarch64"),
    (0x0200_000C, "aarch64-32"),
    (18, "powerpc"),
    (0x0100_0012, "powerpc64"),
];

const DLL: u16 = 0x2000;
const EXECUTABLE: u16 = 2;

/// The oldest major version of a class file; a Mach-O file of several processors has fewer of them.
const OLDEST_JAVA: u16 = 45;

pub(super) fn pe(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let fields = ends.fields(false);
    let start = u64::from(fields.u32(0x3C)?);
    if ends.array(start)? != *b"PE\0\0" {
        return None;
    }
    let (flags, optional) = (fields.u16(start + 22)?, fields.u16(start + 24));
    let bits = match optional {
        Some(0x10B) => Some(32),
        Some(0x20B) => Some(64),
        _ => None,
    };
    let kind = match flags {
        flags if flags & DLL != 0 => Some("DLL"),
        flags if flags & EXECUTABLE != 0 => Some("executable"),
        _ => None,
    };
    Some(FormatDetails {
        format: Some("PE"),
        bits,
        byte_order: Some("little"),
        machine: Some(name_of(PE_MACHINES, u32::from(fields.u16(start + 4)?))),
        kind,
        ..FormatDetails::default()
    })
}

pub(super) fn mach_o(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let is_big_endian = ends.head.first() == Some(&0xFE);
    let fields = ends.fields(is_big_endian);
    let is_64 = fields.u32(0)? == 0xFEED_FACF;
    let kind = match fields.u32(12)? {
        1 => Some("relocatable"),
        2 => Some("executable"),
        4 => Some("core dump"),
        6 => Some("shared object"),
        7 => Some("dynamic linker"),
        8 => Some("bundle"),
        10 => Some("debug symbols"),
        11 => Some("kernel extension"),
        _ => None,
    };
    Some(FormatDetails {
        format: Some("Mach-O"),
        bits: Some(if is_64 { 64 } else { 32 }),
        byte_order: Some(if is_big_endian { "big" } else { "little" }),
        machine: Some(name_of(MACH_MACHINES, fields.u32(4)?)),
        kind,
        ..FormatDetails::default()
    })
}

/// Class files and Mach-O files of several processors begin with the same number.
pub(super) fn java_or_fat(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let fields = ends.fields(true);
    let major = fields.u16(6)?;
    if major >= OLDEST_JAVA {
        return Some(FormatDetails {
            format: Some("Java class"),
            version: Some(match major {
                // Java 1.0.2 to 1.4 had other numbers.
                ..49 => format!("1.{}", major - 44),
                _ => (major - 44).to_string(),
            }),
            ..FormatDetails::default()
        });
    }
    let count = fields.u32(4).filter(|count| *count > 0)?;
    let machine = |index| fields.u32(8 + 20 * u64::from(index)).map(|number| name_of(MACH_MACHINES, number));
    Some(FormatDetails {
        format: Some("Mach-O"),
        machine: Some((0..count).map(machine).collect::<Option<Vec<_>>>()?.join(", ")),
        ..FormatDetails::default()
    })
}

pub(super) fn wasm(ends: &FileEnds<'_>) -> Option<FormatDetails> {
    let [version, layer] = [4, 6].map(|at| ends.fields(false).u16(at));
    let kind = match layer? {
        0 => Some("module"),
        1 => Some("component"),
        _ => None,
    };
    Some(FormatDetails {
        format: Some("WebAssembly"),
        version: Some(version?.to_string()),
        kind,
        ..FormatDetails::default()
    })
}
