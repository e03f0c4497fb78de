//! Sparse members of tar archives: the old format of GNU, and the three formats in extended headers.

use super::entry::{Data, MOST_PIECES, Piece, damage_error, read, sum};
use super::pax::{Pax, decimal};
use super::tar_header::{BLOCK, HEADER, Header, number};
use crate::Source;
use rread_text::error::Result;

/// The size, the pieces and the offset of the data of a member in the old format: four pieces in the header, and 21 in
/// each block after it.
pub(super) fn of_gnu(source: &dyn Source, header: &Header, mut data: u64) -> Result<(u64, Data, u64)> {
    let size = number(&header[483..495]).ok_or_else(invalid)?;
    let mut spans = Vec::new();
    add(&mut spans, &header[386..482])?;
    let mut has_more = header[482] != 0;
    while has_more {
        let mut block = [0; HEADER];
        if read(source, &mut block, data)? < block.len() {
            return Err(invalid());
        }
        add(&mut spans, &block[..504])?;
        has_more = block[504] != 0;
        data = sum(data, BLOCK)?;
    }
    Ok((size, pieces(&spans, data)?, data))
}

fn add(spans: &mut Vec<(u64, u64)>, fields: &[u8]) -> Result<()> {
    for field in fields.chunks_exact(24).take_while(|field| field[0] != 0) {
        let span = number(&field[..12]).zip(number(&field[12..])).ok_or_else(invalid)?;
        spans.push(span);
    }
    if spans.len() > MOST_PIECES { Err(invalid()) } else { Ok(()) }
}

/// The name, the size and the pieces of a member with attributes of a sparse file.
pub(super) fn of_pax(
    source: &dyn Source,
    pax: &Pax,
    name: Vec<u8>,
    data: u64,
    stored: u64,
) -> Result<(Vec<u8>, u64, Data)> {
    let name = pax.sparse_name.clone().unwrap_or(name);
    let size = pax.sparse_size.ok_or_else(invalid)?;
    let (numbers, data) = match &pax.sparse_map {
        Some(numbers) if !pax.has_map_in_data => (numbers.clone(), data),
        _ => map_in_data(source, data, stored)?,
    };
    let spans: Vec<(u64, u64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    if numbers.len() % 2 != 0 || spans.len() > MOST_PIECES {
        return Err(invalid());
    }
    Ok((name, size, pieces(&spans, data)?))
}

/// The numbers of lines before the data, of which the first is their count, and the offset of the data.
fn map_in_data(source: &dyn Source, data: u64, stored: u64) -> Result<(Vec<u64>, u64)> {
    let (mut numbers, mut count, mut line) = (Vec::new(), None, Vec::new());
    let mut at = data;
    while at < sum(data, stored)? {
        let mut block = [0; HEADER];
        if read(source, &mut block, at)? < block.len() {
            return Err(invalid());
        }
        at = sum(at, BLOCK)?;
        for byte in block {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            let number = decimal(&line).ok_or_else(invalid)?;
            line.clear();
            match count {
                None => {
                    count = Some(
                        usize::try_from(number).ok().filter(|n| *n <= MOST_PIECES).ok_or_else(invalid)? * 2,
                    )
                }
                Some(_) => numbers.push(number),
            }
            if count == Some(numbers.len()) {
                return Ok((numbers, at));
            }
        }
        if line.len() > 20 {
            return Err(invalid());
        }
    }
    Err(invalid())
}

fn pieces(spans: &[(u64, u64)], mut start: u64) -> Result<Data> {
    let mut pieces = Vec::with_capacity(spans.len());
    for (offset, length) in spans.iter().filter(|(_, length)| *length > 0) {
        pieces.push(Piece { offset: *offset, start, length: *length });
        start = sum(start, *length)?;
    }
    Ok(Data::Sparse(pieces))
}

fn invalid() -> rread_text::error::Error {
    damage_error("the map of a sparse file is invalid")
}
