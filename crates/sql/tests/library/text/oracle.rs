//! The oracle: a parser of delimited values that examines one character at a time.

use rread_text::layout::Csv;

use super::Row;

/// A record and its line number.
#[derive(Debug)]
pub struct Record {
    pub line: u64,
    pub values: Row,
    /// The last value is empty and has no quotes.
    pub ends_empty: bool,
}

impl Record {
    /// The values of a row of `width` columns; where records end with a delimiter, an empty value after the last column is not one.
    pub fn row(&self, width: usize, csv: &Csv) -> Option<Row> {
        let extra = usize::from(csv.trailing && self.ends_empty);
        let mut values = self.values[..self.values.len() - extra].to_vec();
        if csv.pad && self.values.len() < width {
            values.resize(width, None);
        }
        (values.len() == width).then_some(values)
    }
}

/// All records of `text`, or the line of an open quote.
pub fn records(text: &str, csv: &Csv) -> Result<Vec<Record>, u64> {
    let mut reader = Reader { text: text.chars().collect(), at: 0, line: 1, csv };
    let mut records = Vec::new();
    while reader.at < reader.text.len() {
        let rest: String = reader.text[reader.at..].iter().collect();
        let line = rest.split('\n').next().unwrap();
        let comment = csv.comment.is_some_and(|comment| line.starts_with(char::from(comment)));
        if comment || line.chars().all(|c| c == '\r') {
            reader.at += line.chars().count() + 1;
            reader.line += 1;
            continue;
        }
        let line = reader.line;
        let mut values = Vec::new();
        let ends_empty = loop {
            let (value, is_empty, last) = reader.value()?;
            values.push(value);
            if last {
                break is_empty;
            }
        };
        records.push(Record { line, values, ends_empty });
    }
    Ok(records)
}

struct Reader<'a> {
    text: Vec<char>,
    at: usize,
    line: u64,
    csv: &'a Csv,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    /// The next value, whether it is empty without quotes, and whether it ends the record.
    fn value(&mut self) -> Result<(Option<String>, bool, bool), u64> {
        let quote = self.csv.quote.map(char::from);
        let escape = self.csv.escape.or(self.csv.quote).map(char::from);
        let mut value = String::new();
        let quoted = quote.is_some() && self.peek(0) == quote;
        if quoted {
            let opened = self.line;
            self.at += 1;
            loop {
                let Some(here) = self.peek(0) else { return Err(opened) };
                let next = self.peek(1);
                if let Some(next) = next.filter(|next| Some(*next) == quote || Some(*next) == escape)
                    && Some(here) == escape
                {
                    value.push(next);
                    self.at += 2;
                    continue;
                }
                self.at += 1;
                if Some(here) == quote {
                    break;
                }
                if here == '\n' {
                    self.line += 1;
                }
                value.push(here);
            }
        }
        let mut plain = String::new();
        while let Some(here) = self.peek(0) {
            if here == '\n' || here == char::from(self.csv.delimiter) {
                break;
            }
            plain.push(here);
            self.at += 1;
        }
        let last = self.peek(0).is_none_or(|here| here == '\n');
        while last && plain.ends_with('\r') {
            plain.pop();
        }
        self.at += 1;
        if last {
            self.line += 1;
        }
        value.push_str(&plain);
        let null = !quoted && (value.is_empty() || self.csv.nulls.contains(&value));
        let is_empty = !quoted && value.is_empty();
        Ok(((!null).then_some(value), is_empty, last))
    }
}
