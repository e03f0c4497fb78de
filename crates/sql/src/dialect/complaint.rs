//! Converts errors of the engine to one sentence, with a position in the query and a hint.

use std::io;

use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token};

use super::foreign::{instead_of, unsupported};
use super::names::{difference, in_quotes, looks_like};
use super::tokens::{position, tokens};
use crate::text::{first_names, parse_schema};
use rread_text::timestamp::format_of;
use rread_text::{Error, Kind, Sentence, setting};

const TRY_CAST: &str = "TRY_CAST(column AS type) is NULL where a value does not fit";

/// The message of a query that needs more than the setting `memory`.
pub fn out_of_memory() -> Sentence {
    Sentence::from("the query needs more memory than ").then(setting("memory")).then(" allows")
}

/// Types in the words of the engine, and in ours. Others have the same name in small letters.
const TYPES: [(&str, &str); 7] = [
    ("FixedSizeBinary LargeBinary BinaryView", "binary"),
    ("FixedSizeList LargeList List", "list"),
    ("LargeUtf8 Utf8View Utf8", "utf8"),
    ("Decimal32 Decimal64 Decimal128 Decimal256 decimal128 decimal256", "decimal"),
    ("Date32", "date"),
    ("Int64Array", "int64"),
    ("Timestamp Boolean Float16 Float32 Float64 UInt8 UInt16 UInt32 UInt64 Int8 Int16 Int32 Int64", ""),
];

/// Prefixes of messages.
const NOISE: &str = "Internal error: |Error during planning: |Schema error: |This feature is not implemented: |\
    Execution error: |Arrow error: |Optimizer rule |type_coercion|caused by|External error: |SQL error: |\
    Compute error: |Cast error: |Parser error: |Invalid argument error: |Resources exhausted: |Parquet error: |\
    Parquet argument error: |External: |EOF: |[return_type] ";

/// Words of messages, and ours.
const REWORDED: [(&str, &str); 6] = [
    ("Cannot infer common argument type for comparison operation", "cannot compare"),
    ("There isn't a common type to coerce", "cannot compare"),
    ("Cannot coerce arithmetic expression", "cannot compute"),
    (" to valid types", ""),
    ("failed to match", "does not take these arguments"),
    ("Interval(MonthDayNano)", "interval"),
];

pub fn complaint(error: &DataFusionError, sql: &str, columns: &[(String, String)]) -> Error {
    if let Some(own) = own(error) {
        return own;
    }
    let span = error.diagnostic().and_then(|diagnostic| diagnostic.span);
    let at = span.map_or_else(String::new, |span| {
        format!("{}: ", position(Location::new(span.start.line, span.start.column)))
    });
    let root = error.iter().next().unwrap_or(error).find_root();
    let root = root.iter().next().unwrap_or(root);
    match root {
        DataFusionError::SchemaError(schema, _) => {
            let word = span.and_then(|span| word(sql, span.start.line, span.start.column));
            in_single_quotes(sql, names(schema, &at, word, columns))
        }
        // `run` adds the hint: it knows the limit.
        DataFusionError::ResourcesExhausted(_) => Error::new(Kind::Io, out_of_memory()),
        DataFusionError::IoError(cause) => Error::read("cannot read", cause),
        DataFusionError::ParquetError(cause) => damaged(&cause.to_string()),
        DataFusionError::ArrowError(cause, _) => match &**cause {
            ArrowError::ParquetError(text) => damaged(text),
            cause => running(cause, &at),
        },
        other => {
            let text = other.message().into_owned();
            if let Some(error) = unsupported(&text, &at) {
                return error;
            }
            let text_of_feature = matches!(other, DataFusionError::NotImplemented(_));
            let is_name = text_of_feature && !text.contains("not ") && !text.contains("upport");
            let end = if is_name { " is not supported" } else { "" };
            let sentence = format!("{at}{}{end}", plain(&text));
            Error { hint: advice(&text).map(Sentence::from), ..Error::usage(sentence) }
        }
    }
}

fn damaged(text: &str) -> Error {
    Error::new(Kind::InvalidText, format!("the file is damaged: {}", plain(text)))
}

fn own(error: &DataFusionError) -> Option<Error> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(own) = error.downcast_ref::<Error>() {
            return Some(own.clone());
        }
        if let Some(inner) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            next = Some(inner);
            continue;
        }
        next = match error.downcast_ref::<ArrowError>() {
            Some(ArrowError::IoError(_, cause)) => Some(cause),
            _ => error.source(),
        };
    }
    None
}

fn names(schema: &SchemaError, at: &str, word: Option<&str>, columns: &[(String, String)]) -> Error {
    match schema {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let mut there: Vec<&str> = if valid_fields.is_empty() {
                columns.iter().map(|(name, _)| name.as_str()).collect()
            } else {
                valid_fields.iter().map(datafusion::common::Column::name).collect()
            };
            // The engine lower-cases the name; take the user's spelling from the query.
            let wanted = word.filter(|word| word.eq_ignore_ascii_case(&field.name)).unwrap_or(&field.name);
            let error = Error::usage(format!("{at}there is no column `{wanted}`"));
            // The column exists but is not visible in this scope.
            let hidden = |name: &&str| {
                *name == wanted || (valid_fields.is_empty() && name.eq_ignore_ascii_case(wanted))
            };
            if there.iter().any(hidden) {
                return error.hint(
                    "a query needs its own FROM t, and a subquery in FROM cannot see the tables beside it",
                );
            }
            if let Some(name) = there.iter().find(|name| !name.is_ascii() && looks_like(name, wanted)) {
                return error.hint(difference(name));
            }
            if let [(only, _)] = columns
                && let Some(divider) = divider(&only.to_lowercase(), &wanted.to_lowercase())
            {
                return error.hint(setting("delimiter").then(format!(" {divider} divides the values")));
            }
            match nearest(wanted, &there) {
                _ if let Some(path) = member(wanted, columns) => error.hint(format!("did you mean {path}?")),
                Some(name) => error.hint(format!("did you mean `{name}`?")),
                None if there.is_empty() => error,
                None => {
                    there.retain(|name| !name.contains("outer_ref"));
                    error.hint(format!("the columns are {}", first_names(&there)))
                }
            }
        }
        SchemaError::AmbiguousReference { field } => {
            let name = &field.name;
            Error::usage(format!("{at}`{name}` can be a column of either table")).hint(format!(
                "FROM t a JOIN t b ON a.id = b.id, and a.{name}; of one table, column AS other"
            ))
        }
        SchemaError::DuplicateQualifiedField { name, .. }
        | SchemaError::DuplicateUnqualifiedField { name } => {
            Error::usage(format!("{at}two columns are called `{name}`")).hint(format!("{name} AS other"))
        }
    }
}

/// What stands between the names of columns, as one may write it, if a header that is one name holds the name `wanted`.
fn divider(header: &str, wanted: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if !header.split(|c| !is_word(c)).any(|name| name == wanted) {
        return None;
    }
    let mark = header.trim_start().trim_start_matches(is_word);
    let mark = &mark[..mark.find(is_word)?];
    let is_blank = mark.trim().is_empty();
    Some(if is_blank { "blanks".to_owned() } else { format!("'{mark}'") })
}

/// Says that a text has single quotes, if the name that is missing has double quotes.
fn in_single_quotes(sql: &str, error: Error) -> Error {
    let message = error.message.plain();
    let wanted = message.split_once("there is no column `").and_then(|(_, rest)| rest.split('`').next());
    let Some(wanted) = wanted.filter(|wanted| sql.contains(&format!("\"{wanted}\""))) else { return error };
    let text = format!("'{}' in single quotes is a text", wanted.replace('\'', "''"));
    let hint = error.hint.clone().map_or_else(|| text.clone().into(), |hint| hint.then(format!("; {text}")));
    error.hint(hint)
}

/// The path of the member `wanted` of a column of objects.
fn member(wanted: &str, columns: &[(String, String)]) -> Option<String> {
    fn below(wanted: &str, data_type: &DataType) -> Option<String> {
        let DataType::Struct(fields) = data_type else { return None };
        fields.iter().find_map(|field| {
            let path = field.name().eq_ignore_ascii_case(wanted).then(String::new);
            let path = path.or_else(|| below(wanted, field.data_type()))?;
            Some(format!(".{}{path}", name_in_path(field.name())))
        })
    }
    columns.iter().filter(|(_, of)| of.starts_with("struct(")).find_map(|(name, of)| {
        let (_, data_type) = parse_schema(&format!("x:{of}")).ok()?.pop()?;
        Some(format!("t.{}{}", name_in_path(name), below(wanted, &data_type)?))
    })
}

fn name_in_path(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if is_plain { name.to_owned() } else { in_quotes(name) }
}

fn running(cause: &ArrowError, at: &str) -> Error {
    let is_long = |word: &str| word.trim_start_matches('-').len() > 19;
    let error = Error::usage(format!("{at}{}", failed(cause)));
    match cause {
        ArrowError::CastError(_) | ArrowError::ParseError(_) => error.hint(TRY_CAST),
        // Longer numbers are decimals.
        ArrowError::ArithmeticOverflow(text)
            if text.contains("decimal") || text.starts_with("Overflow") && text.split(' ').any(is_long) => error.hint(
            "CAST(column AS DOUBLE) holds larger numbers, and decimals with fewer digits after the point too",
        ),
        ArrowError::ArithmeticOverflow(_) => {
            error.hint("CAST(column AS DOUBLE) and CAST(column AS DECIMAL(38, 0)) hold larger numbers")
        }
        ArrowError::DivideByZero => error.hint("x / NULLIF(y, 0) is NULL where y is 0"),
        _ => error,
    }
}

fn failed(cause: &ArrowError) -> String {
    match cause {
        ArrowError::DivideByZero => "division by zero".to_owned(),
        ArrowError::ArithmeticOverflow(text) => match text.strip_prefix("Overflow happened on: ") {
            Some(operation) => format!("{operation} does not fit in the type of these numbers"),
            None => plain(text),
        },
        // The rest describes how the engine stores dates and intervals.
        ArrowError::ComputeError(text) if text.starts_with("Date arithmetic overflow") => {
            "the date is out of range; years go from about -262000 to 262000".to_owned()
        }
        other => plain(&other.to_string()),
    }
}

fn advice(text: &str) -> Option<String> {
    if let Some((_, name)) = text.split_once("Did you mean '") {
        return function(text, name.split('\'').next().unwrap_or_default());
    }
    ["Cannot cast", "parsing", "Could not parse", "failed to match", "oerce", "Cannot infer common"]
        .iter()
        .any(|words| text.contains(words))
        .then(|| TRY_CAST.to_owned())
}

/// `text` is the engine's message, and `offered` the name that it suggests.
fn function(text: &str, offered: &str) -> Option<String> {
    let wanted = text.split_once("Invalid function '")?.1.split('\'').next()?.to_lowercase();
    if let Some(instead) = instead_of(&wanted) {
        return Some(instead.to_owned());
    }
    let distance = strsim::damerau_levenshtein(&wanted, &offered.to_lowercase());
    (distance <= 2 && 2 * distance < wanted.chars().count()).then(|| format!("did you mean `{offered}`?"))
}

/// A call whose arguments fit no signature; the engine lists all signatures.
fn coerced(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("satisfy a call to '")?;
    let (name, rest) = rest.split_once('\'')?;
    let (_, rest) = rest.split_once("coercion from ")?;
    let (types, _) = rest.split_once(" to the signature ")?;
    Some(in_our_types(&format!("the function {name} does not take arguments of type {types}")))
}

fn plain(text: &str) -> String {
    if let Some(sentence) = coerced(text) {
        return sentence;
    }
    let text = text.split_once("user-defined coercion failed with: ").map_or(text, |(_, own)| own);
    let text = text.split(" No function matches the given name").next().unwrap_or(text);
    let mut rest = text.trim_start();
    while let Some(shorter) = NOISE.split('|').find_map(|noise| rest.strip_prefix(noise)) {
        rest = shorter.trim_start();
    }
    let line = rest.lines().next().unwrap_or_default().trim();
    let line = line.strip_suffix(" You might need to add explicit type casts.").unwrap_or(line);
    let line = line.split(" any signature, errors: ").next().unwrap_or(line);
    // The rest is the engine's representation of the query.
    let line =
        line.split_once(" { ").map_or(line, |(begin, _)| begin.rsplit_once(' ').map_or("", |(text, _)| text));
    let line = line.trim_end_matches(['.', ':', ' ']);
    let line = REWORDED.iter().fold(line.to_owned(), |line, (theirs, ours)| line.replace(theirs, ours));
    if line.is_empty() { "the engine failed without a message".to_owned() } else { in_our_types(&line) }
}

/// `text` with the names of types that receipts and --schema use.
fn in_our_types(text: &str) -> String {
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
    let ours = |piece: &str| {
        let word = piece.trim_end_matches(is_end);
        let found = TYPES.iter().find(|(theirs, _)| theirs.split(' ').any(|theirs| theirs == word));
        match found {
            Some((_, "")) => piece.to_lowercase(),
            Some((_, ours)) => format!("{ours}{}", &piece[word.len()..]),
            None => piece.to_owned(),
        }
    };
    text.split_inclusive(is_end).map(ours).collect()
}

fn nearest<'n>(wanted: &str, names: &[&'n str]) -> Option<&'n str> {
    let lower = wanted.to_lowercase();
    let best = names.iter().map(|name| (strsim::damerau_levenshtein(&name.to_lowercase(), &lower), *name));
    let (distance, name) = best.min()?;
    (distance <= 1.max(wanted.chars().count() / 3)).then_some(name)
}

/// Line and column count from 1. Returns the part after the last dot.
fn word(sql: &str, line: u64, column: u64) -> Option<&str> {
    let line = sql.split('\n').nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
    let start = line.char_indices().nth(usize::try_from(column.checked_sub(1)?).ok()?)?.0;
    let rest = line.get(start..)?;
    let end =
        rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$')).unwrap_or(rest.len());
    rest.get(..end)?.rsplit('.').next()
}

/// The functions that take numbers, and texts never.
const NUMERIC: &str = "sum avg mean stddev stddev_pop var var_pop median abs round ceil floor";

/// A column that a query uses as another type than it has.
#[derive(Debug)]
pub struct UsedColumn {
    pub name: String,
    pub of: String,
    /// The function of numbers that it is an argument of.
    pub function: Option<String>,
}

/// The column of text that is an argument of a function of numbers, the operand of a cast, or named at all; otherwise the first
/// column of another type.
pub fn used_column(sql: &str, columns: &[(String, String)]) -> Option<UsedColumn> {
    let tokens: Vec<Token> = tokens(sql).ok()?.into_iter().map(|token| token.token).collect();
    let word = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(Token::Word(word)) => word.value.as_str(),
        _ => "",
    };
    let used = |at: usize| {
        let (name, of) = columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(word(Some(at))))?;
        // `t.a` begins two words before.
        let start = if at > 1 && tokens[at - 1] == Token::Period { at - 2 } else { at };
        let is_first = start > 0 && tokens[start - 1] == Token::LParen;
        let before = word(start.checked_sub(2).filter(|_| is_first)).to_ascii_lowercase();
        let is_cast = tokens.get(at + 1) == Some(&Token::DoubleColon) || before.ends_with("cast");
        let function = NUMERIC.split(' ').any(|name| name == before).then_some(before);
        let is_sign = |at: Option<usize>| {
            let token = at.and_then(|at| tokens.get(at)).map(Token::to_string).unwrap_or_default();
            ["=", "<>", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "LIKE"].contains(&&*token)
        };
        let is_operand = is_sign(Some(at + 1)) || is_sign(start.checked_sub(1));
        let rank = (of == "utf8", function.is_some(), is_cast || is_first || is_operand);
        Some((rank, UsedColumn { name: name.clone(), of: of.clone(), function }))
    };
    // Of equals, the first.
    let all = (0..tokens.len()).rev().filter_map(used);
    all.max_by_key(|(rank, _)| *rank).map(|(_, column)| column)
}

/// What reads a column that is no text, where a query uses it as something else.
pub fn other_remedy(name: &str, of: &str) -> String {
    let column = spelt(name);
    match of {
        "boolean" => format!("{column}::int, or count(*) FILTER (WHERE {column})"),
        of if of.starts_with("date") || of.starts_with("timestamp") => {
            format!("{column} + INTERVAL '1 day', date_part('year', {column}), or {column}::text")
        }
        _ => format!("{column}::text, or the condition {column} <> 0"),
    }
}

fn spelt(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if name.bytes().all(is_plain) { name.to_owned() } else { in_quotes(name) }
}

/// The expression that reads `value` of the column of text `name` as a number, a date or a time; `has_numbers` if other values
/// are numbers.
pub fn remedy(name: &str, value: &str, is_csv: bool, has_numbers: bool) -> Sentence {
    let (column, value) = (spelt(name), value.trim());
    if let Some((form, orders)) = date_form(value) {
        let call = if form.contains("%H") || form.contains("%I") { "to_timestamp" } else { "to_date" };
        let call = format!("{call}({column}, '{form}')");
        return match orders.is_empty() || !is_csv {
            true => call.into(),
            false => Sentence::from(format!("{call}, or "))
                .then(setting("date-order"))
                .then(format!(" {}", orders.join(" or "))),
        };
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.trim_start_matches(['-', '+']);
    let of_groups = |mark: char, groups: &str| {
        let mut groups = groups.split(mark);
        let is_first = groups.next().is_some_and(|first| digits(first) && first.len() < 4);
        is_first && groups.clone().count() > 0 && groups.all(|group| group.len() == 3 && digits(group))
    };
    let option = |option: &'static str, instead: String| match is_csv {
        true => setting(option).then(format!(" ',', or {instead}")),
        false => instead.into(),
    };
    let has_digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let (whole, decimals) = number.split_once(',').unwrap_or((number, ""));
    let other: Vec<char> = value.chars().filter(|c| !(c.is_ascii_digit() || "+-.".contains(*c))).collect();
    // A comma, `/`, brackets and `G` say what the digits mean; a currency and a word do not. In other values, they are kept, so
    // that the cast refuses them.
    let is_sign = |c: &char| c.is_whitespace() || "$€£¥%'_".contains(*c);
    let is_scaled =
        value.as_bytes().windows(2).any(|two| two[0].is_ascii_digit() && two[1].is_ascii_alphabetic());
    let is_number = !is_scaled && other.iter().all(|c| is_sign(c) || c.is_alphabetic());
    match &other[..] {
        [] if of_groups('.', number) && is_csv => {
            let both = setting("decimal").then(" , ").then(setting("thousands")).then(" . reads it as ");
            both.then(format!("{}, and {column}::double as {number}", number.replace('.', "")))
        }
        _ if of_groups(',', number.split('.').next().unwrap_or_default()) => {
            option("thousands", format!("replace({column}, ',', '')::double"))
        }
        [','] if digits(&whole.replace('.', "")) && digits(decimals) && whole.contains('.') => {
            option("decimal", format!("replace(replace({column}, '.', ''), ',', '.')::double"))
        }
        [','] if digits(whole) && digits(decimals) => {
            option("decimal", format!("replace({column}, ',', '.')::double"))
        }
        [mark] if has_digits && is_sign(mark) => {
            format!("replace({column}, '{}', '')::double", mark.to_string().replace('\'', "''")).into()
        }
        _ if has_digits && is_number => {
            format!("regexp_replace({column}, '[^0-9.,:()/−-]', '', 'g')::double").into()
        }
        _ if is_csv && has_numbers && !has_digits => {
            setting("null").then(format!(" {}", rread_text::sentence::quoted_word(value)))
        }
        _ if has_numbers || has_digits => {
            format!("TRY_CAST({column} AS DOUBLE) is NULL where a value is not a number").into()
        }
        _ => format!("count({column}) counts texts, and || joins them").into(),
    }
}

/// The form of a date or a time, and the orders of day and month that it may have if it ends with the year.
fn date_form(value: &str) -> Option<(String, Vec<&'static str>)> {
    let form = |value: &str| {
        let both = [value.to_owned(), format!("{value} 00:00:00")];
        let is_date = |form: &String| form.contains("%d") && (form.contains("%Y") || form.contains("%y"));
        let form = both.iter().find_map(|text| format_of(text.as_bytes()).filter(is_date))?;
        Some(form.strip_suffix(" %H:%M:%S").filter(|_| !value.contains(':')).unwrap_or(&form).to_owned())
    };
    let mark = value.chars().find(|c| !c.is_ascii_digit())?;
    let swapped = |text: &str| {
        let (one, rest) = text.split_once(mark)?;
        let (other, rest) = rest.split_once(mark)?;
        Some(format!("{other}{mark}{one}{mark}{rest}"))
    };
    let (begin, end) = (format!("%d{mark}%m{mark}"), "%Y");
    let is_of = |form: &String| form.starts_with(&begin);
    let month_first = swapped(value).and_then(|value| form(&value)).filter(is_of);
    let month_first = month_first.and_then(|form| Some(("mdy", swapped(&form)?)));
    let found: Vec<_> = form(value).map(|form| ("dmy", form)).into_iter().chain(month_first).collect();
    let first = found.first()?.1.clone();
    // A year of two digits has no type, and neither has the name of a month.
    let orders = found.iter().filter(|(order, form)| form.contains(end) && (*order == "mdy" || is_of(form)));
    Some((first, orders.map(|(order, _)| *order).collect()))
}
