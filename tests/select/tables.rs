//! Tables for the tests, in every format.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use rread_sql::datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use rread_sql::datafusion::parquet::arrow::ArrowWriter;
use rread_sql::datafusion::parquet::file::properties::WriterProperties;
use rread_testkit::sandbox::Sandbox;

/// A row of the table: number, name, price, whether it is in stock.
pub type Row = (i64, Option<String>, Option<f64>, bool);

/// `count` rows in which no column is constant, some values are NULL, and some texts need quotes.
pub fn rows(count: i64) -> Vec<Row> {
    let name = |n: i64| match n % 7 {
        0 => None,
        1 => Some(format!("a \"quoted\" one, {n}")),
        2 => Some(format!("two\nlines {n}")),
        3 => Some(format!("größe 漢 {n}")),
        _ => Some(format!("item {n}")),
    };
    let price = |n: i64| (n % 5 != 0).then(|| (n * 7919 % 10_007) as f64 / 4.0);
    (0..count).map(|n| (n, name(n), price(n), n % 3 == 0)).collect()
}

pub fn csv(rows: &[Row], delimiter: char, newline: &str) -> String {
    let mut text = ["Id", "Name", "Price", "In stock"].join(&delimiter.to_string()) + newline;
    for (id, name, price, stock) in rows {
        let name = name.as_ref().map_or(String::new(), |name| format!("\"{}\"", name.replace('"', "\"\"")));
        let price = price.map_or(String::new(), |price| price.to_string());
        text += &[id.to_string(), name, price, stock.to_string()].join(&delimiter.to_string());
        text += newline;
    }
    text
}

/// An object per row; a NULL is left out or null.
pub fn objects(rows: &[Row]) -> Vec<String> {
    let object = |(id, name, price, stock): &Row| {
        let mut object = serde_json::json!({"Id": id, "Name": name, "In stock": stock});
        if let Some(price) = price {
            object["Price"] = serde_json::json!(price);
        }
        object.to_string()
    };
    rows.iter().map(object).collect()
}

/// An array per row, after one with the names.
pub fn arrays(rows: &[Row]) -> Vec<String> {
    let names = serde_json::json!(["Id", "Name", "Price", "In stock"]);
    std::iter::once(names)
        .chain(rows.iter().map(|row| serde_json::json!(row)))
        .map(|row| row.to_string())
        .collect()
}

/// A Parquet file with row groups of `group` rows.
pub fn parquet(path: &Path, rows: &[Row], group: usize) {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("Id", Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.0)))),
        ("Name", Arc::new(StringArray::from_iter(rows.iter().map(|row| row.1.clone())))),
        ("Price", Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.2)))),
        ("In stock", Arc::new(BooleanArray::from(rows.iter().map(|row| row.3).collect::<Vec<_>>()))),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    );
    let batch = batch.unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Writes the rows in a file of each kind; returns the names of the files.
pub fn all_kinds(sandbox: &Sandbox, rows: &[Row]) -> Vec<&'static str> {
    let text = csv(rows, ',', "\n");
    sandbox.file("comma.csv", &text);
    sandbox.file("crlf.csv", csv(rows, ',', "\r\n"));
    sandbox.file("open end.csv", text.trim_end());
    sandbox.file("tab.tsv", csv(rows, '\t', "\n"));
    sandbox.file("semicolon.txt", csv(rows, ';', "\n"));
    sandbox.file(
        "utf16.csv",
        [&[0xFF, 0xFE][..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()].concat(),
    );
    sandbox.file("marked.csv", format!("\u{FEFF}{text}"));
    sandbox.file("packed.csv.zst", zstd::encode_all(text.as_bytes(), 1).unwrap());
    let lines = objects(rows);
    sandbox.file("lines.jsonl", lines.join("\n") + "\n");
    sandbox.file("array.json", format!("[\n  {}\n]\n", lines.join(",\n  ")));
    let pretty: Vec<String> = lines
        .iter()
        .map(|line| {
            serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(line).unwrap()).unwrap()
        })
        .collect();
    sandbox.file("pretty.json", pretty.join("\n"));
    let arrays = arrays(rows);
    sandbox.file("arrays.ndjson", arrays.join("\n"));
    sandbox.file("arrays.json", format!("[{}]", arrays.join(",\n")));
    parquet(&sandbox.path("groups.parquet"), rows, 100);
    let mut packed = File::create(sandbox.path("packed.parquet.zst")).unwrap();
    packed
        .write_all(&zstd::encode_all(&std::fs::read(sandbox.path("groups.parquet")).unwrap()[..], 1).unwrap())
        .unwrap();
    vec![
        "comma.csv",
        "crlf.csv",
        "open end.csv",
        "tab.tsv",
        "semicolon.txt",
        "utf16.csv",
        "marked.csv",
        "packed.csv.zst",
        "lines.jsonl",
        "array.json",
        "pretty.json",
        "arrays.ndjson",
        "arrays.json",
        "groups.parquet",
        "packed.parquet.zst",
    ]
}
