//! Conditions of a query by which the scan passes over rows: texts that a row must have. The engine filters again.

use datafusion::logical_expr::expr::{InList, Like};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

use super::parsed::{TEXT, TIME};

/// More texts of one condition are not worth while.
const MAX_LITERALS: usize = 32;

/// The texts that rows must have for all `filters` to hold.
pub(super) fn of_all(filters: &[Expr]) -> Literals {
    Literals { groups: filters.iter().filter_map(literals).flatten().collect() }
}

/// Groups of texts of which each row must have one of each group for `filter` to be true; `None` if it shows none.
pub(super) fn literals(filter: &Expr) -> Option<Vec<Vec<String>>> {
    let found = match filter {
        Expr::Alias(alias) => literals(&alias.expr)?,
        Expr::Like(like) => of_like(like)?,
        Expr::ScalarFunction(call) => {
            let (name, arguments) = (call.func.name(), &call.args[..]);
            match (name, arguments) {
                ("contains" | "starts_with" | "ends_with", [column, wanted]) if is_text(column) => {
                    one(text(wanted)?)
                }
                ("regexp_like", [column, pattern]) if is_text(column) => of_regex(&text(pattern)?)?,
                _ => return None,
            }
        }
        Expr::BinaryExpr(binary) => of_binary(binary)?,
        Expr::InList(InList { expr, list, negated: false })
            if is_text(expr) && list.len() <= MAX_LITERALS =>
        {
            vec![list.iter().map(text).collect::<Option<Vec<String>>>()?]
        }
        _ => return None,
    };
    let is_of_one_line = |one: &String| !one.is_empty() && !one.contains(['\n', '\r', '\u{FFFD}']);
    let found: Vec<Vec<String>> =
        found.into_iter().filter(|group| !group.is_empty() && group.iter().all(is_of_one_line)).collect();
    (!found.is_empty()).then_some(found)
}

fn one(text: String) -> Vec<Vec<String>> {
    vec![vec![text]]
}

fn of_binary(BinaryExpr { left, op, right }: &BinaryExpr) -> Option<Vec<Vec<String>>> {
    match op {
        Operator::And => {
            let both = [literals(left), literals(right)];
            Some(both.into_iter().flatten().flatten().collect())
        }
        Operator::Or => {
            let shortest = |groups: Vec<Vec<String>>| {
                groups.into_iter().max_by_key(|group| group.iter().map(String::len).min())
            };
            let (mut one, other) = (shortest(literals(left)?)?, shortest(literals(right)?)?);
            one.extend(other);
            (one.len() <= MAX_LITERALS).then(|| vec![one])
        }
        Operator::Eq if is_text(left) => Some(one(text(right)?)),
        Operator::Eq if is_text(right) => Some(one(text(left)?)),
        Operator::RegexMatch if is_text(left) => of_regex(&text(right)?),
        Operator::LikeMatch if is_text(left) => Some(one(longest_part(&text(right)?, None))),
        _ => None,
    }
}

fn of_like(like: &Like) -> Option<Vec<Vec<String>>> {
    let is_plain = !like.negated && !like.case_insensitive && is_text(&like.expr);
    is_plain.then_some(one(longest_part(&text(&like.pattern)?, like.escape_char)))
}

/// The longest text of a pattern of LIKE without a sign. What an escape is before may be a sign or not, so it is left out.
fn longest_part(pattern: &str, escape: Option<char>) -> String {
    let (mut longest, mut here) = (String::new(), String::new());
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        let is_escape = c == '\\' || Some(c) == escape;
        if !is_escape && !matches!(c, '%' | '_') {
            here.push(c);
            continue;
        }
        if is_escape {
            characters.next();
        }
        if here.len() > longest.len() {
            longest = std::mem::take(&mut here);
        }
        here.clear();
    }
    if here.len() > longest.len() { here } else { longest }
}

/// Texts that every match of a regular expression has.
fn of_regex(pattern: &str) -> Option<Vec<Vec<String>>> {
    use regex_syntax::hir::{Hir, HirKind};

    /// The texts of which every match of `hir` has one; `None` if that is not known.
    fn needed(hir: &Hir) -> Option<Vec<String>> {
        let found = match hir.kind() {
            HirKind::Literal(literal) => vec![String::from_utf8(literal.0.to_vec()).ok()?],
            HirKind::Capture(capture) => needed(&capture.sub)?,
            HirKind::Repetition(repetition) if repetition.min > 0 => needed(&repetition.sub)?,
            HirKind::Concat(parts) => {
                let all = parts.iter().filter_map(needed);
                all.max_by_key(|texts| texts.iter().map(String::len).min())?
            }
            HirKind::Alternation(parts) => {
                parts.iter().map(needed).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect()
            }
            _ => return None,
        };
        (found.len() <= MAX_LITERALS && found.iter().all(|text| !text.is_empty())).then_some(found)
    }
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    Some(vec![needed(&hir)?])
}

/// Whether `expr` is the text of the row.
fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Column(column) => column.name == TEXT,
        Expr::Cast(cast) => cast.field.data_type().is_string() && is_text(&cast.expr),
        _ => false,
    }
}

fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
        Expr::Cast(cast) if cast.field.data_type().is_string() => text(&cast.expr),
        _ => None,
    }
}

/// Whether a filter compares the time of records with something.
pub(crate) fn bounds_time(filter: &Expr) -> bool {
    let is_column = |expr: &Expr| matches!(expr, Expr::Column(column) if column.name == TIME);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            bounds_time(left) || bounds_time(right)
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
            let compares = [Operator::Eq, Operator::Lt, Operator::LtEq, Operator::Gt, Operator::GtEq];
            compares.contains(op) && (is_column(left) || is_column(right))
        }
        Expr::Between(between) => is_column(&between.expr),
        _ => false,
    }
}

/// Finds the first place of a text.
pub(super) type Find = dyn Fn(&[u8]) -> Option<usize>;

/// In each group, one of the texts must be in a row. No text has an end of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    pub groups: Vec<Vec<String>>,
}

impl Literals {
    /// Finds one of the texts of the rarest group in the bytes of a file whose encoding keeps UTF-8.
    pub fn finder(&self) -> Option<Box<Find>> {
        let shortest = |group: &&Vec<String>| group.iter().map(String::len).min().unwrap_or(0);
        let group = self.groups.iter().max_by_key(shortest)?;
        if let [one] = &group[..] {
            let finder = memchr::memmem::Finder::new(one.as_bytes()).into_owned();
            return Some(Box::new(move |bytes| finder.find(bytes)));
        }
        let words: Vec<String> = group.iter().map(|one| regex::escape(one)).collect();
        let finder = regex::bytes::Regex::new(&words.join("|")).ok()?;
        Some(Box::new(move |bytes| finder.find(bytes).map(|found| found.start())))
    }

    /// Whether `text` has one of each group.
    pub fn are_in(&self, text: &str) -> bool {
        self.groups.iter().all(|group| {
            group.iter().any(|one| memchr::memmem::find(text.as_bytes(), one.as_bytes()).is_some())
        })
    }
}
