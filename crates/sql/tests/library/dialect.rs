//! The SQL dialect: names, tables, types, and the functions and queries of S3 Select's documentation.

mod foreign;
mod functions;
mod names;
mod queries;
mod refusals;

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use rread_sql::dialect::{complaint, register, statement};
use rread_text::error::Error;

/// Names of columns, and rows as text.
pub type Answer = (Vec<String>, Vec<Vec<String>>);

/// The names of the table in most tests.
pub const TABLES: [&str; 3] = ["t", "s3object", "people"];

pub fn column<A: datafusion::arrow::array::Array + 'static>(name: &str, array: A) -> (String, ArrayRef) {
    (name.to_owned(), Arc::new(array))
}

/// Three people, with numbers as numbers and as text, timestamps and lists of objects.
pub fn people() -> RecordBatch {
    let projects = StructArray::from(vec![
        (
            Arc::new(Field::new("project_name", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec!["project1", "project2", "project3"])) as ArrayRef,
        ),
        (
            Arc::new(Field::new("Size", DataType::Int64, true)),
            Arc::new(Int64Array::from(vec![10, 20, 30])) as ArrayRef,
        ),
    ]);
    let item = Arc::new(Field::new("item", projects.data_type().clone(), true));
    let projects =
        ListArray::new(item, OffsetBuffer::from_lengths([2, 1, 0]), Arc::new(projects) as ArrayRef, None);
    let address = StructArray::from(vec![(
        Arc::new(Field::new("city", DataType::Utf8, true)),
        Arc::new(StringArray::from(vec![Some("Oslo"), None, Some("Rome")])) as ArrayRef,
    )]);
    RecordBatch::try_from_iter_with_nullable(
        [
            column("Name", StringArray::from(vec!["Susan Smith", "Ann", "Zoë"])),
            column("age", Int64Array::from(vec![Some(41), Some(9), None])),
            column("text", StringArray::from(vec!["41", "9", "100"])),
            column("price", Float64Array::from(vec![1.5, 2.5, 4.0])),
            column("date", Date32Array::from(vec![0, 14_610, 17_167])),
            column("at", TimestampMicrosecondArray::from(vec![0, 1_483_326_245_006_000, -1])),
            column("year", Int64Array::from(vec![2010, 2011, 2012])),
            column("projects", projects),
            column("address", address),
            column("odd name", StringArray::from(vec!["a_b", "a%b", "axb"])),
        ]
        .into_iter()
        .map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

pub fn run(sql: &str) -> Result<Answer, Error> {
    run_on(people(), sql)
}

/// Runs `sql` on `batch` through the whole dialect.
pub fn run_on(batch: RecordBatch, sql: &str) -> Result<Answer, Error> {
    let schema = batch.schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let typed: Vec<(String, String)> =
        schema.fields().iter().map(|field| (field.name().clone(), field.data_type().to_string())).collect();
    let tables: Vec<String> = TABLES.iter().map(|&name| name.to_owned()).collect();
    let statement = statement(sql, &tables, &|_| Ok(names.clone()), &[])?;
    let config =
        SessionConfig::new().set_bool("datafusion.sql_parser.collect_spans", true).with_target_partitions(1);
    let context = SessionContext::new_with_config(config);
    register(&context);
    let table = Arc::new(MemTable::try_new(schema, vec![vec![batch]]).unwrap());
    for name in TABLES {
        let name = datafusion::common::TableReference::bare(name);
        context.register_table(name, Arc::clone(&table) as _).unwrap();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let plan = context.state().statement_to_plan(statement).await?;
        let frame = context.execute_logical_plan(plan).await?;
        let names: Vec<String> = frame.schema().fields().iter().map(|field| field.name().clone()).collect();
        Ok((names, frame.collect().await?))
    });
    let (names, batches) =
        answer.map_err(|error: datafusion::error::DataFusionError| complaint(&error, sql, &typed))?;
    let options = FormatOptions::default().with_null("NULL");
    let mut rows = Vec::new();
    for batch in &batches {
        let columns: Vec<ArrayFormatter<'_>> =
            batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
        for row in 0..batch.num_rows() {
            rows.push(columns.iter().map(|column| column.value(row).to_string()).collect());
        }
    }
    Ok((names, rows))
}
pub fn value(expression: &str) -> String {
    match run(&format!("SELECT {expression} FROM s3object LIMIT 1")) {
        Ok((_, rows)) => rows[0][0].clone(),
        Err(error) => format!("error: {error}"),
    }
}

/// The rows of `sql`, with bars between values.
pub fn rows(sql: &str) -> Vec<String> {
    match run(sql) {
        Ok((_, rows)) => rows.iter().map(|row| row.join("|")).collect(),
        Err(error) => {
            vec![format!("error: {error} hint: {}", error.hint.clone().unwrap_or_default().plain())]
        }
    }
}
pub fn names(sql: &str) -> Vec<String> {
    match run(sql) {
        Ok((names, _)) => names,
        Err(error) => vec![format!("error: {error}")],
    }
}
pub fn refused(sql: &str) -> (String, String) {
    match run(sql) {
        Ok(answer) => panic!("{sql} was not refused but gave {answer:?}"),
        Err(error) => (error.message.plain(), error.hint.unwrap_or_default().plain()),
    }
}
