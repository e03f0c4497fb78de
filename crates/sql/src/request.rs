//! A query and its options.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use datafusion::error::Result as EngineResult;
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use serde::{Deserialize, Serialize};

use super::plans::RowOrder;
use super::text::Given;
use rread_reader::{Reader, TimeOptions};
use rread_source::access::Watch;
use rread_text::{Csv, Error, Input, Result, Sentence, setting};

/// A query, and the options that say how its tables are read.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct QueryRequest {
    pub sql: String,
    pub input: Option<Input>,
    pub csv: Csv,
    /// The user gave the delimiter; otherwise rread recognises it.
    pub is_delimited: bool,
    /// The user gave the quote.
    pub is_quoted: bool,
    /// The user gave the decimal point.
    pub has_decimal: bool,
    /// Whether the first record holds the names; without a word of the user, rread decides.
    pub header: Option<bool>,
    /// Types of columns, as `name:type,…`.
    pub types: Option<String>,
    pub skip_bad: bool,
    /// In bytes, for sorting, grouping and joining.
    pub memory: usize,
    pub timeout: Option<Duration>,
    pub repeatable: bool,
    /// Find the columns of the result, and no rows.
    pub heads_only: bool,
    /// Whether the table has hidden columns, such as `_line`: of several tables, only t has.
    pub has_hidden: bool,
    /// Whether there are other tables than t: then an option may be for one of them.
    pub has_others: bool,
    /// The form of the records of a log, whose values are columns.
    pub parse: Option<String>,
    /// Of a log.
    pub time: TimeRequest,
    /// Other processes that may do a part of the work.
    #[serde(skip)]
    pub cluster: Option<Arc<dyn Cluster>>,
    /// Says whether the answer is still wanted.
    #[serde(skip)]
    pub watch: Option<Arc<dyn Watch>>,
}

/// The work of all workers for a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkDone {
    /// How many had a part of it; 0 if the query ran here.
    pub workers: u64,
    pub tasks: u64,
    /// Their requests to servers, and the bytes of the responses.
    pub requests: u64,
    pub bytes_fetched: u64,
}

/// Other processes that can do a part of a query.
#[async_trait]
pub trait Cluster: fmt::Debug + Send + Sync {
    /// The plan of a query that `alone` would answer here; `None` if it is not worth sending, or cannot be sent.
    async fn plan(
        &self,
        session: &SessionState,
        logical: &LogicalPlan,
        order: RowOrder,
        alone: &Arc<dyn ExecutionPlan>,
    ) -> EngineResult<Option<Arc<dyn SentQuery>>>;

    /// Whether a process was lost during a query.
    fn has_lost(&self) -> bool;

    /// The processes that are left and answer.
    fn left(&self) -> Result<Arc<dyn Cluster>>;
}

/// A plan of which other processes do a part.
#[async_trait]
pub trait SentQuery: Send + Sync {
    fn plan(&self) -> Arc<dyn ExecutionPlan>;

    fn context(&self) -> Arc<TaskContext>;

    /// The workers and their tasks, before they count.
    fn begun(&self) -> WorkDone;

    /// Ends the rows; the workers then say what they read until now.
    fn stop(&self);

    /// Adds what the workers counted to the tables, once all rows are there.
    async fn finish(&self) -> Result<WorkDone>;
}

impl QueryRequest {
    /// The layout of a CSV, as far as the user said it.
    pub(crate) fn given(&self) -> Given {
        Given {
            delimiter: self.is_delimited,
            quote: self.is_quoted,
            escape: self.csv.escape.is_some(),
            decimal: self.has_decimal || !self.csv.forms.has_usual_numbers(),
        }
    }

    /// The options that the user gave for the layout of a CSV.
    pub(crate) fn csv_options(&self) -> impl Iterator<Item = &'static str> {
        let (csv, usual) = (&self.csv, Csv::default());
        let options = [
            ("delimiter", self.is_delimited),
            ("quote", csv.quote != usual.quote),
            ("escape", csv.escape.is_some()),
            ("comment", csv.comment.is_some()),
            ("skip-lines", csv.skip_lines > 0),
            ("pad", csv.pad),
            ("decimal", self.has_decimal),
            ("thousands", csv.forms.thousands.is_some()),
            ("date-order", csv.forms.dates.is_some()),
        ];
        options.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// The error of an option that the user gave for another table.
pub(crate) fn refused_option(option: &'static str, why: String) -> Error {
    let hint = Sentence::from("leave ").then(setting(option)).then(" out");
    Error::usage(setting(option).then(why)).hint(hint)
}

/// How the times of a log are read, and the window that is asked for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct TimeRequest {
    #[serde(skip)]
    pub options: OptionsOf,
    /// The user gave one of these options.
    pub is_given: bool,
    pub since: Option<String>,
    pub until: Option<String>,
}

/// How the times of each file are read: files can have zones of their own.
#[derive(Clone)]
pub struct OptionsOf(pub Arc<dyn Fn(&Path) -> TimeOptions + Send + Sync>);

impl OptionsOf {
    /// The options for the file that `reader` reads.
    pub(crate) fn of(&self, reader: &Reader) -> TimeOptions {
        (self.0)(reader.path().unwrap_or(Path::new("-")))
    }
}

impl Default for OptionsOf {
    fn default() -> Self {
        OptionsOf(Arc::new(|_| TimeOptions::default()))
    }
}

rread_text::opaque!(OptionsOf);

impl TimeRequest {
    pub(crate) fn has_window(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }
}
