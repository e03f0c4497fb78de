//! Text where a query needs numbers, dates or times: which column it is, and what reads its values.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::names::in_quotes;
use super::tokens::tokens;
use rread_text::sentence::{Sentence, setting};

/// The functions that take numbers, and texts never.
const NUMERIC: [&str; 12] = [
    "sum",
    "avg",
    "mean",
    "stddev",
    "stddev_pop",
    "var",
    "var_pop",
    "median",
    "abs",
    "round",
    "ceil",
    "floor",
];

/// A column of text that a query uses as if it were numbers, and the function that does.
pub struct TextColumn {
    pub name: String,
    pub function: Option<String>,
}

/// The first column of text that is an argument of a function of numbers, the operand of a cast, or named at all.
pub fn text_column(sql: &str, columns: &[(String, String)]) -> Option<TextColumn> {
    let tokens: Vec<Token> = tokens(sql).ok()?.into_iter().map(|token| token.token).collect();
    let text = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => columns
            .iter()
            .find(|(name, of)| of == "utf8" && name.eq_ignore_ascii_case(&word.value))
            .map(|(name, _)| name.clone()),
        _ => None,
    };
    let is_cast = |at: usize| {
        let before = at.checked_sub(2).and_then(|before| tokens.get(before));
        tokens.get(at + 1) == Some(&Token::DoubleColon)
            || matches!(before, Some(Token::Word(word)) if word.value.to_ascii_uppercase().ends_with("CAST"))
    };
    let function =
        |at: usize| match (at.checked_sub(2).map(|before| &tokens[before]), tokens.get(at.wrapping_sub(1))) {
            (Some(Token::Word(word)), Some(Token::LParen)) => {
                let name = word.value.to_ascii_lowercase();
                NUMERIC.contains(&name.as_str()).then_some(name)
            }
            _ => None,
        };
    let all = || (0..tokens.len()).filter_map(|at| Some((at, text(at)?)));
    let of_function = all().find_map(|(at, name)| Some(TextColumn { name, function: Some(function(at)?) }));
    let other = |(_, name)| TextColumn { name, function: None };
    of_function.or_else(|| all().find(|(at, _)| is_cast(*at)).map(other)).or_else(|| all().next().map(other))
}

/// The expression that reads `value` of the column of text `name` as a number, a date or a time.
pub fn remedy(name: &str, value: &str, is_csv: bool) -> Sentence {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let column = if name.bytes().all(is_plain) { name.to_owned() } else { in_quotes(name) };
    let value = value.trim();
    if let Some((form, order)) = date_form(value) {
        let call = if form.contains("%H") { "to_timestamp" } else { "to_date" };
        let call = format!("{call}({column}, '{form}')");
        return match order.filter(|_| is_csv) {
            Some(order) => {
                Sentence::from(format!("{call}, or ")).then(setting("date-order")).then(format!(" {order}"))
            }
            None => call.into(),
        };
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.trim_start_matches(['-', '+']);
    let parts: Vec<&str> = number.split(',').collect();
    let option = |option: &'static str, word: &str, instead: String| match is_csv {
        true => setting(option).then(format!(" {word}, or {instead}")),
        false => instead.into(),
    };
    match &parts[..] {
        [first, rest @ ..]
            if !rest.is_empty()
                && digits(first)
                && first.len() < 4
                && rest.iter().all(|part| {
                    part.split('.').next().is_some_and(|group| group.len() == 3 && digits(group))
                }) =>
        {
            option("thousands", "','", format!("replace({column}, ',', '')::double"))
        }
        [whole, decimals] if digits(&whole.replace('.', "")) && digits(decimals) => {
            option("decimal", "','", format!("replace({column}, ',', '.')::double"))
        }
        _ => {
            let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
            let marks: Vec<char> = value.chars().filter(|c| !is_of_number(*c)).collect();
            match &marks[..] {
                [mark] if value.len() > mark.len_utf8() && !mark.is_alphabetic() => format!(
                    "replace({column}, '{}', '')::double",
                    if *mark == '\'' { "''".into() } else { mark.to_string() }
                )
                .into(),
                _ if is_csv && !value.bytes().any(|byte| byte.is_ascii_digit()) && value.len() < 10 => {
                    setting("null").then(format!(" {}", rread_text::quote::quoted_word(value)))
                }
                _ => format!("TRY_CAST({column} AS DOUBLE) is NULL where a value is not a number").into(),
            }
        }
    }
}

/// The form of a date that does not begin with the year, and the order of its day and month.
fn date_form(value: &str) -> Option<(String, Option<&'static str>)> {
    let (date, time) = value.split_once([' ', 'T']).map_or((value, None), |(date, time)| (date, Some(time)));
    let mark = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '/' | '.' | '-'))?;
    let parts: Vec<u32> = date.split(mark).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let &[one, other, last] = &parts[..] else { return None };
    let (form, order) = match (one, other, last) {
        (1000.., 1..=12, 1..=31) => (["%Y", "%m", "%d"], None),
        (1..=31, 1..=12, 1000..) => (["%d", "%m", "%Y"], Some("dmy")),
        (1..=12, 1..=31, 1000..) => (["%m", "%d", "%Y"], Some("mdy")),
        _ => return None,
    };
    let form = form.join(&mark.to_string());
    let form = match time.map(|time| time.matches(':').count()) {
        None => form,
        Some(1) => form + " %H:%M",
        Some(_) => form + " %H:%M:%S",
    };
    Some((form, order))
}
