//! The records at the beginning of a table of delimited values.

use super::columns::Values;
use super::csv::CsvValues;
use super::records::{Records, Span};
use super::scalar_type::ScalarType;
use rread_text::layout::Csv;

pub(super) struct CsvSample<'a> {
    text: &'a str,
    csv: &'a Csv,
    pub width: usize,
    first: Vec<Span>,
    below: Vec<Span>,
    /// Records after the first.
    pub records: u64,
    pub misfits: u64,
    /// The offset of the first record that does not fit, and how many values it has.
    pub first_misfit: Option<(usize, usize)>,
}

impl<'a> CsvSample<'a> {
    /// How many values the first record has; 0 if there is none.
    pub fn width_of(text: &str, csv: &Csv) -> usize {
        Records::new(text.as_bytes(), csv).next(|_| false, &mut Vec::new()).map_or(0, |first| first.values)
    }

    /// `None` if `text` has no record.
    pub fn of(text: &'a str, csv: &'a Csv) -> Option<Self> {
        let mut records = Records::new(text.as_bytes(), csv);
        let (mut first, mut below) = (Vec::new(), Vec::new());
        let width = records.next(|_| true, &mut first)?.values;
        let (mut count, mut misfits, mut first_misfit) = (0, 0, None);
        let mut end = 0;
        while let Some(record) = records.next(|nth| nth < width, &mut below) {
            count += 1;
            if !record.fits(width, csv, |_| true, &mut below) {
                below.truncate(end);
                misfits += 1;
                first_misfit.get_or_insert((record.start, record.values));
            }
            end = below.len();
        }
        Some(CsvSample { text, csv, width, first, below, records: count, misfits, first_misfit })
    }

    /// The value of the first record as it is, whatever --null says.
    pub fn name(&self, nth: usize) -> Option<String> {
        let csv = &Csv { nulls: Vec::new(), ..self.csv.clone() };
        CsvValues { csv, ..self.values(&self.first, nth) }.at(0)
    }

    /// The value of the first record as a row.
    pub fn first(&self, nth: usize) -> Option<String> {
        self.values(&self.first, nth).at(0)
    }

    /// The values of a column after the first record.
    pub fn below(&self, nth: usize) -> CsvValues<'_> {
        self.values(&self.below, nth)
    }

    /// The type of the values of a column after the first record.
    pub fn type_below(&self, nth: usize) -> ScalarType {
        let mut combined = ScalarType::Null;
        self.below(nth).each(|value| {
            if combined != ScalarType::Text {
                combined = combined.and(value.map_or(ScalarType::Null, ScalarType::of));
            }
        });
        combined
    }

    fn values<'s>(&'s self, spans: &'s [Span], nth: usize) -> CsvValues<'s> {
        CsvValues { text: self.text, spans, stride: self.width, nth, csv: self.csv }
    }
}
