//! The sheets of a workbook, and which of them is read as a table.

/// One sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "decoders", derive(serde::Serialize, serde::Deserialize))]
pub enum Sheet {
    /// The first visible one with values.
    First,
    /// A name, or else a number from 1.
    Named(String),
    /// A number from 0.
    Nth(usize),
}

/// A workbook of which one sheet is read.
#[derive(Clone, Debug, Default)]
pub struct Workbook {
    /// All sheets, in the order of the workbook.
    pub sheets: Vec<SheetInfo>,
    /// The index of the one that is read.
    pub chosen: usize,
    /// The lines of titles above the names of its columns.
    pub lines_above: u64,
    /// The columns of its values.
    pub columns: Vec<ColumnKinds>,
}

/// A sheet, as its workbook describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "decoders", derive(serde::Serialize, serde::Deserialize))]
pub struct SheetInfo {
    /// The name.
    pub name: String,
    /// Whether the workbook hides it.
    pub is_hidden: bool,
    /// Whether a cell has a value.
    pub has_values: bool,
}

/// The kinds of the values of a column: of the first row below the titles, which may be names, and of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "decoders", derive(serde::Serialize, serde::Deserialize))]
pub struct ColumnKinds {
    /// The kinds of the first row below the titles, as in [`kind`].
    pub first: u8,
    /// The kinds of all other rows, as in [`kind`].
    pub rest: u8,
}

/// Kinds of values; the kinds of several values are one number.
pub mod kind {
    /// A whole number of less than 64 bits.
    pub const WHOLE: u8 = 1;
    /// Any other number.
    pub const NUMBER: u8 = 2;
    /// True or false.
    pub const BOOLEAN: u8 = 4;
    /// Such as `2024-02-29`.
    pub const DATE: u8 = 8;
    /// Such as `2024-02-29T12:00:00`.
    pub const TIMESTAMP: u8 = 16;
    /// Such as `12:00:00`.
    pub const TIME: u8 = 32;
    /// Anything else.
    pub const TEXT: u8 = 64;
}

impl Sheet {
    /// The index of the sheet among `sheets`. A name counts before a number, and its case only if several match.
    pub fn among(&self, sheets: &[SheetInfo]) -> Option<usize> {
        let find = |is_it: &dyn Fn(&SheetInfo) -> bool| sheets.iter().position(is_it);
        let index = match self {
            Sheet::First => find(&|sheet| !sheet.is_hidden && sheet.has_values)
                .or_else(|| find(&|sheet| sheet.has_values))
                .unwrap_or(0),
            Sheet::Nth(index) => *index,
            Sheet::Named(wanted) => {
                let lower = wanted.to_lowercase();
                let number = || wanted.parse::<usize>().ok()?.checked_sub(1);
                find(&|sheet| sheet.name == *wanted)
                    .or_else(|| find(&|sheet| sheet.name.to_lowercase() == lower))
                    .or_else(number)?
            }
        };
        (index < sheets.len()).then_some(index)
    }
}

impl Workbook {
    /// The sheet that is read.
    pub fn sheet(&self) -> Option<&SheetInfo> {
        self.sheets.get(self.chosen)
    }

    /// The names of the other visible sheets with values.
    pub fn others(&self) -> Vec<&str> {
        let sheets = self.sheets.iter().enumerate();
        let others =
            sheets.filter(|(index, sheet)| *index != self.chosen && !sheet.is_hidden && sheet.has_values);
        others.map(|(_, sheet)| sheet.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_chosen_by_name_or_number() {
        let sheet =
            |name: &str, is_hidden, has_values| SheetInfo { name: name.to_owned(), is_hidden, has_values };
        let sheets = [
            sheet("Empty", false, false),
            sheet("Hidden", true, true),
            sheet("2024", false, true),
            sheet("DATA", false, true),
            sheet("data", false, true),
        ];
        let named = |name: &str| Sheet::Named(name.to_owned()).among(&sheets);
        assert_eq!(Sheet::First.among(&sheets), Some(2));
        assert_eq!(Sheet::First.among(&sheets[..2]), Some(1));
        assert_eq!(Sheet::First.among(&sheets[..1]), Some(0));
        assert_eq!(Sheet::First.among(&[]), None);
        assert_eq!([named("2024"), named("1"), named("5")], [Some(2), Some(0), Some(4)]);
        assert_eq!([named("data"), named("DATA"), named("Data")], [Some(4), Some(3), Some(3)]);
        assert_eq!([named("0"), named("6"), named("other"), named("")], [None; 4]);
        assert_eq!(Sheet::Nth(5).among(&sheets), None);
    }
}
