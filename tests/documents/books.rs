//! One workbook written in every format: records of [MS-XLS] in a compound file, records of [MS-XLSB], and XML.

use super::archive::{archive, ods, xlsx_of};

/// A sheet and its cells, by row and column from 0, in order.
pub struct Sheet<'a> {
    pub name: &'a str,
    pub is_hidden: bool,
    pub cells: &'a [(u16, u16, Cell<'a>)],
}

#[derive(Clone, Copy)]
pub enum Cell<'a> {
    Text(&'a str),
    Number(f64),
    /// The days since the end of 1899, in a cell with a format of dates.
    Day(f64),
    Bool(bool),
    /// `#N/A`.
    Missing,
    /// The text that a formula has computed.
    Computed(&'a str),
}

/// Styles: 0 is plain, 1 a date (the built-in format 14).
const FORMATS: [u16; 2] = [0, 14];
/// The code of `#N/A`.
const MISSING: u8 = 0x2A;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Texts that cells share, and the place of each.
fn shared<'a>(sheets: &[Sheet<'a>]) -> Vec<&'a str> {
    let cells = sheets.iter().flat_map(|sheet| sheet.cells);
    cells.filter_map(|(.., cell)| if let Cell::Text(text) = cell { Some(*text) } else { None }).collect()
}

/// A record of a `.xls` file: type, length, content.
fn biff(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = u16::try_from(content.len()).unwrap();
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), &content].concat()
}

/// The start of a part of the stream: 5 is the globals, 16 a sheet.
fn begin(kind: u16) -> Vec<u8> {
    biff(0x0809, &[&0x0600_u16.to_le_bytes(), &kind.to_le_bytes(), &[0; 12]])
}

fn cell_of_xls((row, column, cell): &(u16, u16, Cell<'_>), strings: &[&str]) -> Vec<u8> {
    let place = |style: u16| [row.to_le_bytes(), column.to_le_bytes(), style.to_le_bytes()].concat();
    match cell {
        Cell::Text(text) => {
            let index = u32::try_from(strings.iter().position(|of| of == text).unwrap()).unwrap();
            biff(0x00FD, &[&place(0), &index.to_le_bytes()])
        }
        Cell::Number(number) => biff(0x0203, &[&place(0), &number.to_le_bytes()]),
        Cell::Day(day) => biff(0x0203, &[&place(1), &day.to_le_bytes()]),
        Cell::Bool(value) => biff(0x0205, &[&place(0), &[u8::from(*value), 0]]),
        Cell::Missing => biff(0x0205, &[&place(0), &[MISSING, 1]]),
        Cell::Computed(text) => {
            // The value says that a text follows; the formula is the empty string.
            let formula = [0x17, 0, 0];
            let count = u16::try_from(length(text)).unwrap();
            let value = [0, 0, 0, 0, 0, 0, 0xFF, 0xFF];
            let formula = biff(0x0006, &[&place(0), &value, &[0; 6], &3_u16.to_le_bytes(), &formula]);
            [formula, biff(0x0207, &[&count.to_le_bytes(), &[1], &utf16(text)])].concat()
        }
    }
}

pub fn xls(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let strings = shared(sheets);
    let bodies: Vec<Vec<u8>> = sheets
        .iter()
        .map(|sheet| {
            let cells = sheet.cells.iter().map(|cell| cell_of_xls(cell, &strings));
            [begin(16), cells.collect::<Vec<_>>().concat(), biff(0x000A, &[])].concat()
        })
        .collect();
    let globals = |starts: &[usize]| {
        let mut stream = [begin(5), biff(0x0042, &[&1200_u16.to_le_bytes()])].concat();
        for format in FORMATS {
            stream.extend(biff(0x00E0, &[&[0; 2], &format.to_le_bytes(), &[0; 16]]));
        }
        for (sheet, start) in sheets.iter().zip(starts) {
            let start = u32::try_from(*start).unwrap().to_le_bytes();
            let (count, name) = (u8::try_from(length(sheet.name)).unwrap(), utf16(sheet.name));
            stream.extend(biff(0x0085, &[&start, &[u8::from(sheet.is_hidden), 0, count, 1], &name]));
        }
        let count = u32::try_from(strings.len()).unwrap().to_le_bytes();
        let texts: Vec<u8> = strings
            .iter()
            .flat_map(|text| {
                [&u16::try_from(length(text)).unwrap().to_le_bytes()[..], &[1], &utf16(text)].concat()
            })
            .collect();
        [stream, biff(0x00FC, &[&count, &count, &texts]), biff(0x000A, &[])].concat()
    };
    // The globals say where the sheets start, which depends on the length of the globals.
    let mut start = globals(&vec![0; sheets.len()]).len();
    let mut starts = Vec::new();
    for body in &bodies {
        starts.push(start);
        start += body.len();
    }
    compound("Workbook", &[globals(&starts), bodies.concat()].concat())
}

/// A compound file (MS-CFB, version 3) with the one stream `name`.
fn compound(name: &str, content: &[u8]) -> Vec<u8> {
    const SECTOR: usize = 512;
    const END: u32 = 0xFFFF_FFFE;
    const FREE: u32 = 0xFFFF_FFFF;
    // A shorter stream belongs into sectors of another size.
    let mut stream = content.to_vec();
    stream.resize(stream.len().max(4096).next_multiple_of(SECTOR), 0);
    let sectors = u32::try_from(stream.len() / SECTOR).unwrap();
    assert!(sectors + 2 <= 128, "one sector of the allocation table must be enough");
    // Sector 0 is the allocation table, sector 1 the directory, and the stream follows.
    let mut table = vec![0xFFFF_FFFD, END];
    table.extend((3..sectors + 2).chain([END]));
    table.resize(SECTOR / 4, FREE);
    let mut header = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    header.extend([0; 16]);
    for number in [0x3E_u16, 3, 0xFFFE, 9, 6, 0, 0, 0] {
        header.extend(number.to_le_bytes());
    }
    for number in [0, 1, 1, 0, 4096, END, 0, END, 0, 0] {
        header.extend(number.to_le_bytes());
    }
    header.resize(SECTOR, 0xFF);
    let entry = |name: &str, kind: u8, child: u32, start: u32, size: u32| {
        let mut entry = utf16(name);
        let length = u16::try_from(entry.len() + 2).unwrap();
        entry.resize(64, 0);
        entry.extend(length.to_le_bytes());
        entry.extend([kind, 1]);
        for link in [FREE, FREE, child] {
            entry.extend(link.to_le_bytes());
        }
        entry.extend([0; 36]);
        entry.extend(start.to_le_bytes());
        entry.extend(u64::from(size).to_le_bytes());
        entry
    };
    let size = u32::try_from(stream.len()).unwrap();
    let mut directory = [entry("Root Entry", 5, 1, END, 0), entry(name, 2, FREE, 2, size)].concat();
    directory.resize(SECTOR, 0);
    let table: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
    [header, table, directory, stream].concat()
}

/// A record of a `.xlsb` file: type and length in groups of seven bits.
fn record(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut bytes = match u8::try_from(kind).ok().filter(|kind| *kind < 0x80) {
        Some(kind) => vec![kind],
        None => vec![kind.to_le_bytes()[0] | 0x80, u8::try_from(kind >> 7).unwrap()],
    };
    let mut rest = content.len();
    while rest > 0x7F {
        bytes.push(u8::try_from(rest & 0x7F).unwrap() | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest).unwrap());
    [bytes, content].concat()
}

fn wide(text: &str) -> Vec<u8> {
    [&u32::try_from(length(text)).unwrap().to_le_bytes()[..], &utf16(text)].concat()
}

fn cell_of_xlsb((_, column, cell): &(u16, u16, Cell<'_>), strings: &[&str]) -> Vec<u8> {
    let place = |style: u32| [u32::from(*column).to_le_bytes(), style.to_le_bytes()].concat();
    match cell {
        Cell::Text(text) => {
            let index = u32::try_from(strings.iter().position(|of| of == text).unwrap()).unwrap();
            record(0x07, &[&place(0), &index.to_le_bytes()])
        }
        // A whole number has 30 bits, and two that say what it is.
        Cell::Number(number) if number.fract() == 0.0 && number.abs() < 1e6 => {
            #[allow(clippy::cast_possible_truncation)]
            let whole = (*number as i32) << 2 | 2;
            record(0x02, &[&place(0), &whole.to_le_bytes()])
        }
        Cell::Number(number) => record(0x05, &[&place(0), &number.to_le_bytes()]),
        Cell::Day(day) => record(0x05, &[&place(1), &day.to_le_bytes()]),
        Cell::Bool(value) => record(0x04, &[&place(0), &[u8::from(*value)]]),
        Cell::Missing => record(0x03, &[&place(0), &[MISSING]]),
        Cell::Computed(text) => record(0x08, &[&place(0), &wide(text), &[0; 10]]),
    }
}

pub fn xlsb(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let strings = shared(sheets);
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let count = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let (mut book, mut relations, mut parts) = (record(0x83, &[]), String::new(), Vec::new());
    book.extend(record(0x8F, &[]));
    for (number, sheet) in (1_u32..).zip(sheets) {
        let state = u32::from(sheet.is_hidden).to_le_bytes();
        let (id, name) = (wide(&format!("r{number}")), wide(sheet.name));
        book.extend(record(0x9C, &[&state, &number.to_le_bytes(), &id, &name]));
        relations += &format!(
            "<Relationship Id=\"r{number}\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet{number}.bin\"/>"
        );
        let mut part = [record(0x81, &[]), record(0x94, &[&[0; 16]]), record(0x91, &[])].concat();
        let mut row = None;
        for cell in sheet.cells {
            if row != Some(cell.0) {
                row = Some(cell.0);
                part.extend(record(0x00, &[&u32::from(cell.0).to_le_bytes(), &[0; 13]]));
            }
            part.extend(cell_of_xlsb(cell, &strings));
        }
        part.extend([record(0x92, &[]), record(0x82, &[])].concat());
        parts.push((format!("xl/worksheets/sheet{number}.bin"), part));
    }
    book.extend([record(0x90, &[]), record(0x84, &[])].concat());
    let relations = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{relations}</Relationships>"
    );
    let mut styles = [record(0x0116, &[]), record(0x0269, &[&count(FORMATS.len())])].concat();
    for format in FORMATS {
        styles.extend(record(0x2F, &[&[0; 2], &format.to_le_bytes(), &[0; 12]]));
    }
    styles.extend([record(0x026A, &[]), record(0x0117, &[])].concat());
    let mut texts = record(0x9F, &[&count(strings.len()), &count(strings.len())]);
    texts.extend(strings.iter().flat_map(|text| record(0x13, &[&[0], &wide(text)])));
    texts.extend(record(0xA0, &[]));
    let mut members = vec![
        ("[Content_Types].xml", &b"<Types/>"[..]),
        ("xl/workbook.bin", &book),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/styles.bin", &styles),
        ("xl/sharedStrings.bin", &texts),
    ];
    members.extend(parts.iter().map(|(name, part)| (name.as_str(), part.as_slice())));
    archive(&members)
}

/// The letters of a column.
fn letters(column: u16) -> String {
    let last = char::from(b'A' + u8::try_from(column % 26).unwrap());
    if column < 26 { last.to_string() } else { format!("{}{last}", letters(column / 26 - 1)) }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

pub fn xlsx(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let rows = |sheet: &Sheet<'_>| -> String {
        let cell = |(row, column, cell): &(u16, u16, Cell<'_>)| {
            let place = format!("{}{}", letters(*column), row + 1);
            match cell {
                Cell::Text(text) => {
                    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{}</t></is></c>", escaped(text))
                }
                Cell::Number(number) => format!("<c r=\"{place}\"><v>{number}</v></c>"),
                Cell::Day(day) => format!("<c r=\"{place}\" s=\"1\"><v>{day}</v></c>"),
                Cell::Bool(value) => format!("<c r=\"{place}\" t=\"b\"><v>{}</v></c>", u8::from(*value)),
                Cell::Missing => format!("<c r=\"{place}\" t=\"e\"><v>#N/A</v></c>"),
                Cell::Computed(text) => {
                    format!("<c r=\"{place}\" t=\"str\"><f>A1</f><v>{}</v></c>", escaped(text))
                }
            }
        };
        let row = |cells: &[(u16, u16, Cell<'_>)]| {
            let number = cells[0].0 + 1;
            format!("<row r=\"{number}\">{}</row>", cells.iter().map(cell).collect::<String>())
        };
        sheet.cells.chunk_by(|one, other| one.0 == other.0).map(row).collect()
    };
    let sheets: Vec<(String, &str, String)> = sheets
        .iter()
        .map(|sheet| (escaped(sheet.name), if sheet.is_hidden { "hidden" } else { "visible" }, rows(sheet)))
        .collect();
    xlsx_of(&sheets.iter().map(|(name, state, rows)| (&**name, *state, &**rows)).collect::<Vec<_>>())
}

/// A workbook in OpenDocument; dates have no time, and no sheet is hidden.
pub fn opendocument(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let cell = |cell: &Cell<'_>| match cell {
        Cell::Text(text) | Cell::Computed(text) => format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{}</text:p></table:table-cell>",
            escaped(text)
        ),
        Cell::Number(number) => {
            format!("<table:table-cell office:value-type=\"float\" office:value=\"{number}\"/>")
        }
        Cell::Day(day) => {
            // 25569 days after the end of 1899 is the first of 1970.
            #[allow(clippy::cast_possible_truncation)]
            let seconds = (*day as i64 - 25_569) * 86_400;
            let day = jiff::Timestamp::from_second(seconds).unwrap().strftime("%Y-%m-%d").to_string();
            format!("<table:table-cell office:value-type=\"date\" office:date-value=\"{day}\"/>")
        }
        Cell::Bool(value) => {
            format!("<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"{value}\"/>")
        }
        Cell::Missing => "<table:table-cell/>".to_owned(),
    };
    let table = |sheet: &Sheet<'_>| {
        let (mut rows, mut next) = (String::new(), 0);
        for cells in sheet.cells.chunk_by(|one, other| one.0 == other.0) {
            rows += &"<table:table-row><table:table-cell/></table:table-row>"
                .repeat(usize::from(cells[0].0 - next));
            let (mut row, mut column) = (String::new(), 0);
            for (_, at, value) in cells {
                row += &"<table:table-cell/>".repeat(usize::from(at - column));
                row += &cell(value);
                column = at + 1;
            }
            rows += &format!("<table:table-row>{row}</table:table-row>");
            next = cells[0].0 + 1;
        }
        format!("<table:table table:name=\"{}\">{rows}</table:table>", escaped(sheet.name))
    };
    ods(&sheets.iter().map(table).collect::<String>())
}
