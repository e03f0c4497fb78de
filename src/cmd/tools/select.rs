//! The tool `select`: an SQL query on the table in a file, or in several.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{answered_once, incomplete};
use super::names::{all, named, translated};
use super::read::{BUDGET, budget};
use super::table::{Answer, Arguments, Body, SELECT, SelectArguments};
use crate::cmd::select::SelectArgs;
use crate::roots::call::Call;
use rread_answer::receipt::{QueryInfo, SignMembers};
use rread_answer::{PartData, Receipt, worded};
use rread_text::layout::DateOrder;
use rread_text::{Error, Result, inert};

/// Room for the line of facts without the query.
const FACTS: u64 = 500;

pub(super) fn run(call: &Arc<Call>, mut arguments: Arguments) -> Result<Answer> {
    let asked = SelectArguments::read(&arguments)?;
    let names = all(asked.path.as_ref(), &asked.paths)?;
    let Some(sql) = asked.sql.clone() else {
        return Err(Error::usage("no query was given").hint(r#"{"path": "t.csv", "sql": "SELECT * FROM t"}"#));
    };
    // Some models fence code.
    let sql = sql.trim().trim_start_matches("```sql").trim_matches('`').to_owned();
    let files = names.iter().map(|name| named(call, name)).collect::<Result<Vec<_>>>()?;
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    // The line of facts needs some of an answer's size, and its next repeats the query. A budget of the caller is for rows.
    let facts = FACTS.saturating_add(sql.len() as u64);
    let max_bytes = budget(asked.max_bytes)?.unwrap_or(BUDGET.saturating_sub(facts).max(BUDGET / 2));
    let mut words: Vec<OsString> = vec![format!("--max-bytes={max_bytes}").into()];
    words.extend(asked.offset.map(|offset| format!("--offset={offset}").into()));
    words.extend(asked.sheet.as_ref().map(|sheet| format!("--sheet={sheet}").into()));
    let options = asked.options.0.join(" ");
    words.extend(option_words(&options)?);
    let query = |output| SelectArgs::of_tool(words, &paths, &sql, call.source(), output)?.run();
    let (part, error) = answered_once(query).map_err(|error| translated(error, &files, &SELECT))?;
    let PartData::Query(info) = part.data else { return Err(incomplete()) };
    let rows = info.rows_returned.unwrap_or(0);
    let mut facts = vec![names.join(", "), format!("{rows} row{}", if rows == 1 { "" } else { "s" })];
    facts.extend(shown(&info, part.file.details.signs.into())?);
    facts.extend(error.clone().map(|error| worded(&translated(error, &files, &SELECT).message)));
    if let Some(offset) = info.next.map(|next| next.offset) {
        arguments.insert("offset".to_owned(), json!(offset));
        facts.push(format!("next: {}", inert(&Value::Object(arguments).to_string())));
    }
    let text = format!("{}\n{}", facts.join(" | "), part.content);
    Ok(Answer::new(Body::Text(text), error))
}

/// The words of options as they are typed, such as `--null NA`: of those that only say how files are read.
fn option_words(options: &str) -> Result<Vec<OsString>> {
    let options = format!(" {options}");
    let mut parts = options.split(" --").map(str::trim);
    let is_bare = parts.next().is_some_and(|before| !before.is_empty());
    let word = |option: &str| {
        let (name, value) = match option.split_once(['=', ' ']) {
            Some((name, value)) => (name, Some(value.trim())),
            None => (option, None),
        };
        let bare = |value: &str| {
            let inner = ['\'', '"'].iter().find_map(|mark| value.strip_prefix(*mark)?.strip_suffix(*mark));
            format!("--{name}={}", inner.unwrap_or(value))
        };
        SelectArgs::reads_with(name).then(|| value.map_or_else(|| format!("--{name}"), bare).into())
    };
    (!is_bare).then(|| parts.map(word).collect()).flatten().ok_or_else(|| {
        let message =
            format!("options is '{}', which is more than options that read a table", options.trim());
        Error::usage(message).hint("--input log, --delimiter ';', --null NA, --schema 'a:utf8'")
    })
}

/// The facts of a query that its rows do not show, as names and values.
fn shown(info: &QueryInfo, signs: SignMembers) -> Result<Vec<String>> {
    let shown = json!({
        "sheet": info.sheet,
        "other_sheets": Some(&info.other_sheets[..]).filter(|sheets| !sheets.is_empty()),
        "notices": Some(signs.notices).filter(|notices| !notices.is_empty()),
        // Lines above the table are left out, and dates whose order nothing shows are text.
        "dialect": info.dialect.as_ref().filter(|words| {
            words.contains("table after line") || words.ends_with(DateOrder::Unclear.name())
        }),
        "guess_contradicted": signs.guess_contradicted,
        "skipped_rows": info.skipped_rows,
        "first_skipped": info.first_skipped,
        "unknown_members": info.unknown_members,
        "first_unknown": info.first_unknown,
    });
    Ok(shown.known()?.into_iter().map(|(key, value)| format!("{key} {value}")).collect())
}
