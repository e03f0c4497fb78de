//! Text where a query needs numbers, dates or times: which column it is, and what reads its values.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::names::in_quotes;
use super::tokens::tokens;
use rread_text::timestamp::format_of;
use rread_text::{Sentence, setting};

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
        [mark] if has_digits && !mark.is_alphabetic() => {
            format!("replace({column}, '{}', '')::double", mark.to_string().replace('\'', "''")).into()
        }
        _ if has_digits => format!("regexp_replace({column}, '[^0-9.-]', '', 'g')::double").into(),
        _ if is_csv && has_numbers => {
            setting("null").then(format!(" {}", rread_text::sentence::quoted_word(value)))
        }
        _ if has_numbers => {
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
