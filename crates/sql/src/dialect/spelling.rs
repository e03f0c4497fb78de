//! The second walk through a query: spells each name as its definition does, and writes out `USING` and `*`.

use std::ops::ControlFlow;

use datafusion::arrow::datatypes::DECIMAL128_MAX_PRECISION;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, Distinct, ExactNumberInfo, ExcludeSelectItem, Expr,
    Function, Ident, JoinConstraint, JoinOperator, NamedWindowDefinition, NamedWindowExpr, ObjectName,
    ObjectNamePart, OrderBy, OrderByKind, Query, Select, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, Subscript, TableAlias, TableFactor, TableWithJoins, UnaryOperator, Value, ValueWithSpan,
    VisitMut, VisitorMut, WildcardAdditionalOptions, WindowSpec, WindowType,
};

use super::membership::{self, among};
use super::names::{
    ColumnsOf, Definitions, Names, factors, find_first, flow, name_of, ordinal, position, quote, quoted,
};
use super::tokens::{IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM, error_at};
use rread_text::{Error, Result};

const ON: &str = "SELECT ... FROM t a JOIN t b ON a.id = b.id";

/// A column that `USING` makes one of two. The engine would take its value from a side that an outer join leaves empty: here it
/// is that of the left one, and joins that leave that empty are refused.
#[derive(Clone, Debug)]
struct Shared {
    left: Ident,
    right: Ident,
    value: Expr,
}

impl Shared {
    fn is(&self, name: &Ident) -> bool {
        find_first(std::iter::once(&self.left.value), name).is_some()
    }
}

/// The tables of one SELECT.
#[derive(Debug, Default)]
struct Frame {
    /// The columns of the only table.
    columns: Option<Vec<String>>,
    shared: Vec<Shared>,
    /// The names that the list of SELECT gives, for ORDER BY.
    labels: Vec<Ident>,
}

impl Frame {
    /// The item of the list that `by` of ORDER BY means, if it has the name of a column of USING.
    fn label(&self, by: &Expr) -> Option<Expr> {
        let Expr::Identifier(name) = by else { return None };
        self.shared.iter().find(|shared| shared.is(name))?;
        let is_named = |label: &&Ident| find_first(std::iter::once(&label.value), name).is_some();
        self.labels.iter().find(is_named).cloned().map(Expr::Identifier)
    }
}

pub(super) struct Speller<'a> {
    names: Names,
    /// Columns of tables that `*` leaves out.
    hidden: &'a [String],
    frames: Vec<Frame>,
    /// The frame of the SELECT that ended last, for its ORDER BY.
    last: Frame,
    orders: Vec<Option<OrderBy>>,
    is_order: bool,
}

/// Quotes every name of `query` in the spelling of its definition, so that the rules of the engine never apply.
pub(super) fn spell(
    query: &mut Query,
    tables: &[String],
    columns: ColumnsOf<'_>,
    hidden: &[String],
) -> Result<()> {
    let mut definitions = Definitions::new(tables, columns);
    if let ControlFlow::Break(error) = query.visit(&mut definitions) {
        return Err(error);
    }
    let names = definitions.names;
    let (frames, last, orders) = (Vec::new(), Frame::default(), Vec::new());
    let mut speller = Speller { names, hidden, frames, last, orders, is_order: false };
    match query.visit(&mut speller) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(error),
    }
}

impl Speller<'_> {
    /// The column that `name` means or counts to; `None` if only the engine can know.
    fn column(&self, name: &Ident) -> Result<Option<Expr>> {
        let is_alias = self.is_order && self.names.aliases.find(name)?.is_some();
        let frame = self.frames.last().filter(|_| !is_alias);
        if let Some(shared) = frame.and_then(|frame| frame.shared.iter().find(|shared| shared.is(name))) {
            return Ok(Some(shared.value.clone()));
        }
        if let Some(column) = self.names.column(name, self.is_order)? {
            return Ok(Some(Expr::Identifier(column)));
        }
        match frame.and_then(|frame| frame.columns.as_ref()) {
            Some(columns) => Ok(position(name, columns)?.map(|of| Expr::Identifier(quoted(&of, name)))),
            None if ordinal(name).is_some() => {
                let sentence = format!("`{}` counts the columns of a single table in FROM", name.value);
                Err(error_at(name.span.start, &sentence).hint("t._1 after FROM t, or the name of the column"))
            }
            None => Ok(None),
        }
    }

    fn path(&self, path: &[Ident]) -> Result<Option<Vec<Ident>>> {
        self.names.path(path, self.is_order)
    }

    fn expr(&self, expr: &mut Expr) -> Result<()> {
        match expr {
            Expr::Identifier(name) => {
                if let Some(new) = self.column(name)? {
                    *expr = new;
                }
            }
            Expr::CompoundIdentifier(path) => {
                if let Some(new) = self.path(path)? {
                    *expr = match <[Ident; 1]>::try_from(new) {
                        Ok([name]) => Expr::Identifier(name),
                        Err(path) => Expr::CompoundIdentifier(path),
                    };
                }
            }
            Expr::CompoundFieldAccess { root, access_chain } => fields(root, access_chain, self)?,
            _ => {}
        }
        translate(expr)
    }

    fn select(&mut self, select: &mut Select) -> Result<()> {
        for condition in [&mut select.selection, &mut select.having].into_iter().flatten() {
            membership::settle(condition, true)?;
        }
        for NamedWindowDefinition(_, window) in &select.named_window {
            if let NamedWindowExpr::WindowSpec(WindowSpec { window_name: Some(name), .. }) = window {
                return Err(based(name));
            }
        }
        let tables = select.from.iter().flat_map(factors).count();
        let mut shared = Vec::new();
        for (item, nth) in select.from.iter_mut().zip(1..) {
            shared.extend(self.joins(item, tables, &format!("{nth}"))?);
        }
        for item in std::mem::take(&mut select.projection) {
            let item = match item {
                SelectItem::Wildcard(options) => {
                    select.projection.extend(self.star(options, &select.from, &shared)?);
                    continue;
                }
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(name),
                    mut options,
                ) => {
                    self.spell_options(&mut options)?;
                    let relation = match name.0.as_slice() {
                        [ObjectNamePart::Identifier(name)] => self.names.relation(name)?,
                        _ => None,
                    };
                    match relation {
                        Some(relation) => self.star_of(&relation.value, options, &[]),
                        None => SelectItem::QualifiedWildcard(
                            SelectItemQualifiedWildcardKind::ObjectName(name),
                            options,
                        ),
                    }
                }
                // A shared column keeps its name.
                SelectItem::UnnamedExpr(Expr::Identifier(name)) => {
                    match shared.iter().find(|shared| shared.is(&name)) {
                        Some(Shared { left, .. }) => {
                            SelectItem::ExprWithAlias { expr: Expr::Identifier(name), alias: left.clone() }
                        }
                        None => SelectItem::UnnamedExpr(Expr::Identifier(name)),
                    }
                }
                SelectItem::UnnamedExpr(mut expr) => {
                    let alias = quote(&expr.to_string());
                    match membership::valued(&mut expr)? {
                        true => SelectItem::ExprWithAlias { expr, alias },
                        false => SelectItem::UnnamedExpr(expr),
                    }
                }
                SelectItem::ExprWithAlias { mut expr, alias } => {
                    membership::valued(&mut expr)?;
                    SelectItem::ExprWithAlias { expr, alias }
                }
                item => item,
            };
            select.projection.push(item);
        }
        let all: Vec<&TableFactor> = select.from.iter().flat_map(factors).collect();
        let only = if let [only] = all[..] { name_of(only) } else { None };
        let columns = only.and_then(|name| self.names.columns_of(name)).map(<[String]>::to_vec);
        self.frames.push(Frame { columns, shared, ..Frame::default() });
        Ok(())
    }

    /// Settles the conditions of the joins of an item of FROM, and names its subqueries, so that a condition can mean a
    /// column of one. Returns the columns of USING.
    fn joins(&self, item: &mut TableWithJoins, tables: usize, place: &str) -> Result<Vec<Shared>> {
        let mut shared = Vec::new();
        self.factor(&mut item.relation, tables, place)?;
        for (join, nth) in item.joins.iter_mut().zip(1..) {
            self.factor(&mut join.relation, tables, &format!("{place}.{nth}"))?;
            // Only an inner join keeps no row for which its condition is unknown.
            let is_inner = matches!(join.join_operator, JoinOperator::Join(_) | JoinOperator::Inner(_));
            let has_left = !leaves_left_empty(&join.join_operator);
            match constraint(&mut join.join_operator) {
                None => return Err(Error::usage("this kind of join is not supported").hint(ON)),
                Some(JoinConstraint::None) => {}
                Some(JoinConstraint::On(condition)) => membership::settle(condition, is_inner)?,
                Some(JoinConstraint::Natural) => {
                    return Err(Error::usage("NATURAL is not supported")
                        .hint("SELECT ... FROM t a JOIN t b USING (id)"));
                }
                Some(constraint @ JoinConstraint::Using(_)) => {
                    let (Some(left), Some(right), 2) =
                        (name_of(&item.relation), name_of(&join.relation), tables)
                    else {
                        return Err(Error::usage("USING is supported for one join of two tables").hint(ON));
                    };
                    if !has_left {
                        let message = "USING is not supported in RIGHT and FULL joins";
                        return Err(
                            Error::usage(message).hint("... ON a.id = b.id, and coalesce(a.id, b.id)")
                        );
                    }
                    let JoinConstraint::Using(names) = &*constraint else { continue };
                    for name in names {
                        shared.push(self.shared(name, left, right)?);
                    }
                    *constraint =
                        equality(&shared, left, right).map_or(JoinConstraint::None, JoinConstraint::On);
                }
            }
        }
        Ok(shared)
    }

    fn factor(&self, factor: &mut TableFactor, tables: usize, place: &str) -> Result<()> {
        match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => {
                // The columns of USING would be those of the outer join, too.
                self.joins(table_with_joins, tables.max(3), place).map(drop)
            }
            TableFactor::Derived { alias: alias @ None, .. } if tables > 1 => {
                let name = quote(&format!("subquery {place}"));
                *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn shared(&self, name: &ObjectName, left: &str, right: &str) -> Result<Shared> {
        let [ObjectNamePart::Identifier(wanted)] = name.0.as_slice() else {
            return Err(
                Error::usage(format!("USING takes names of columns, and `{name}` is longer")).hint(ON)
            );
        };
        let missing = || {
            let sentence = format!("`{}` is not a column of both sides of the join", wanted.value);
            error_at(wanted.span.start, &sentence).hint(ON)
        };
        let column = |of: &str| -> Result<Ident> {
            let has = |name: &Ident| self.names.columns_of(of).is_none_or(|all| all.contains(&name.value));
            match self.names.path(&[quote(of), wanted.clone()], false)?.as_deref() {
                Some([_, column]) if has(column) => Ok(column.clone()),
                // The engine alone knows the columns of a subquery.
                None => Ok(self.names.column(wanted, false)?.unwrap_or_else(|| wanted.clone())),
                _ => Err(missing()),
            }
        };
        let (value, right) = (column(left)?, column(right)?);
        Ok(Shared { value: of_table(left, &value), left: value, right })
    }

    /// `*`, without the columns that are hidden, and with each shared one once.
    fn star(
        &self,
        mut options: WildcardAdditionalOptions,
        from: &[TableWithJoins],
        shared: &[Shared],
    ) -> Result<Vec<SelectItem>> {
        self.spell_options(&mut options)?;
        let all = visible(from);
        let names: Option<Vec<&str>> = all.iter().map(|factor| name_of(factor)).collect();
        let is_plain = options == WildcardAdditionalOptions::default();
        let has_hidden = || names.iter().flatten().any(|name| self.hidden_of(name).next().is_some());
        match &names {
            Some(names) if is_plain && (!shared.is_empty() || names.len() > 1 && has_hidden()) => {
                let alias = |shared: &Shared| SelectItem::ExprWithAlias {
                    expr: shared.value.clone(),
                    alias: shared.left.clone(),
                };
                let stars = names.iter().zip(0..).map(|(name, nth)| {
                    let once =
                        shared.iter().map(|shared| if nth == 0 { &shared.left } else { &shared.right });
                    let once: Vec<&str> = once.map(|name| name.value.as_str()).collect();
                    self.star_of(name, options.clone(), &once)
                });
                Ok(shared.iter().map(alias).chain(stars).collect())
            }
            _ if !shared.is_empty() => {
                Err(Error::usage("EXCLUDE, REPLACE and others after * are not supported beside USING")
                    .hint(ON))
            }
            _ => {
                for name in self.hidden {
                    let columns =
                        |factor: &&TableFactor| name_of(factor).and_then(|of| self.names.columns_of(of));
                    let mut owners =
                        all.iter().map(columns).filter(|all| all.is_none_or(|all| all.contains(name)));
                    // The engine does not say which of two tables a column of EXCLUDE is from.
                    if let (Some(Some(_)), None) = (owners.next(), owners.next()) {
                        leave_out(&mut options, name);
                    }
                }
                Ok(vec![SelectItem::Wildcard(options)])
            }
        }
    }

    fn star_of(
        &self,
        relation: &str,
        mut options: WildcardAdditionalOptions,
        without: &[&str],
    ) -> SelectItem {
        let hidden = self.hidden_of(relation).map(String::as_str);
        without.iter().copied().chain(hidden).for_each(|name| leave_out(&mut options, name));
        let name = ObjectName::from(quote(relation));
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
    }

    fn hidden_of(&self, relation: &str) -> impl Iterator<Item = &String> {
        let columns = self.names.columns_of(relation).unwrap_or_default();
        self.hidden.iter().filter(|name| columns.contains(name))
    }

    fn spell_options(&self, options: &mut WildcardAdditionalOptions) -> Result<()> {
        let mut all: Vec<&mut Ident> = Vec::new();
        let excluded = match &mut options.opt_exclude {
            Some(ExcludeSelectItem::Single(name)) => std::slice::from_mut(name),
            Some(ExcludeSelectItem::Multiple(names)) => names.as_mut_slice(),
            None => &mut [],
        };
        for name in excluded {
            if let [ObjectNamePart::Identifier(name)] = name.0.as_mut_slice() {
                all.push(name);
            }
        }
        if let Some(except) = &mut options.opt_except {
            all.push(&mut except.first_element);
            all.extend(&mut except.additional_elements);
        }
        let replaced = options.opt_replace.iter_mut().flat_map(|replace| &mut replace.items);
        all.extend(replaced.map(|item| &mut item.column_name));
        for name in all {
            match self.names.column(name, false)? {
                Some(column) => *name = column,
                // The engine would ignore a REPLACE of it.
                None if name.value.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                    let sentence = format!("there is no column `{}`", name.value);
                    return Err(error_at(name.span.start, &sentence).hint("DESCRIBE t lists the columns"));
                }
                None => {}
            }
        }
        Ok(())
    }
}

impl VisitorMut for Speller<'_> {
    type Break = Error;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Error> {
        // Its names are resolved after those of the rest.
        self.orders.push(query.order_by.take());
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<Error> {
        let Some(mut order) = self.orders.pop().flatten() else { return ControlFlow::Continue(()) };
        let frame = std::mem::take(&mut self.last);
        self.frames.push(if matches!(*query.body, SetExpr::Select(_)) { frame } else { Frame::default() });
        let is_order = std::mem::replace(&mut self.is_order, self.orders.is_empty());
        let mut labels = Vec::new();
        if let (OrderByKind::Expressions(all), Some(frame)) = (&order.kind, self.frames.last()) {
            for by in all {
                labels.push(frame.label(&by.expr));
            }
        }
        order.visit(self)?;
        if let OrderByKind::Expressions(all) = &mut order.kind {
            for (by, label) in all.iter_mut().zip(labels) {
                by.expr = label.unwrap_or_else(|| by.expr.clone());
            }
        }
        self.is_order = is_order;
        self.frames.pop();
        query.order_by = Some(order);
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Error> {
        flow(self.select(select))
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<Error> {
        self.last = self.frames.pop().unwrap_or_default();
        // The engine compares ORDER BY with the expressions of DISTINCT ON, not with the list.
        if !self.last.shared.is_empty() && !matches!(select.distinct, Some(Distinct::On(_))) {
            let aliases = select.projection.iter().filter_map(|item| match item {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias.clone()),
                _ => None,
            });
            self.last.labels = aliases.collect();
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Error> {
        flow(self.expr(expr))
    }
}

/// Spells the names in `root.a.b[0].c`: a column, then fields.
fn fields(root: &mut Expr, chain: &mut Vec<AccessExpr>, speller: &Speller<'_>) -> Result<()> {
    if let Expr::Identifier(first) = root {
        let names = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
            _ => None,
        });
        let path: Vec<Ident> = std::iter::once(first.clone()).chain(names).collect();
        if let Some(new) = speller.path(&path)? {
            let mut new = new.into_iter();
            if let Some(name) = new.next() {
                *first = name;
            }
            let steps: Vec<AccessExpr> = new.map(|name| AccessExpr::Dot(Expr::Identifier(name))).collect();
            chain.splice(..path.len() - 1, steps);
        }
    }
    // After an item, the engine takes fields only as text in brackets.
    let mut after_item = !matches!(root, Expr::Identifier(_));
    for access in chain {
        match access {
            AccessExpr::Dot(Expr::Identifier(name)) if after_item => {
                *access = AccessExpr::Subscript(Subscript::Index { index: text(name.value.clone()) });
            }
            AccessExpr::Dot(Expr::Identifier(name)) => *name = quoted(&name.value, name),
            _ => after_item = true,
        }
    }
    Ok(())
}

/// Whether the left side of a join may be without a row, or is not there at all.
fn leaves_left_empty(operator: &JoinOperator) -> bool {
    use JoinOperator as Join;
    matches!(
        operator,
        Join::Right(_) | Join::RightOuter(_) | Join::RightSemi(_) | Join::RightAnti(_) | Join::FullOuter(_)
    )
}

/// The constraint of a join; `None` if the engine has no such join.
fn constraint(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
    use JoinOperator as Join;
    match operator {
        Join::Join(constraint)
        | Join::Inner(constraint)
        | Join::Left(constraint)
        | Join::LeftOuter(constraint)
        | Join::Right(constraint)
        | Join::RightOuter(constraint)
        | Join::FullOuter(constraint)
        | Join::CrossJoin(constraint)
        | Join::Semi(constraint)
        | Join::LeftSemi(constraint)
        | Join::RightSemi(constraint)
        | Join::Anti(constraint)
        | Join::LeftAnti(constraint)
        | Join::RightAnti(constraint)
        | Join::StraightJoin(constraint) => Some(constraint),
        _ => None,
    }
}

/// The tables whose columns `*` shows: a semi join shows those of one side.
fn visible(from: &[TableWithJoins]) -> Vec<&TableFactor> {
    use JoinOperator as Join;
    fn of(factor: &TableFactor) -> Vec<&TableFactor> {
        match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => {
                visible(std::slice::from_ref(table_with_joins))
            }
            factor => vec![factor],
        }
    }
    let mut all = Vec::new();
    for item in from {
        let mut shown = of(&item.relation);
        for join in &item.joins {
            match join.join_operator {
                Join::Semi(_) | Join::LeftSemi(_) | Join::Anti(_) | Join::LeftAnti(_) => {}
                Join::RightSemi(_) | Join::RightAnti(_) => shown = of(&join.relation),
                _ => shown.extend(of(&join.relation)),
            }
        }
        all.extend(shown);
    }
    all
}

fn of_table(table: &str, column: &Ident) -> Expr {
    Expr::CompoundIdentifier(vec![quote(table), column.clone()])
}

fn equality(shared: &[Shared], left: &str, right: &str) -> Option<Expr> {
    let binary = |left, op, right| Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) };
    let equal = |shared: &Shared| {
        binary(of_table(left, &shared.left), BinaryOperator::Eq, of_table(right, &shared.right))
    };
    shared.iter().map(equal).reduce(|before, next| binary(before, BinaryOperator::And, next))
}

/// Adds a column to those that `*` leaves out.
fn leave_out(options: &mut WildcardAdditionalOptions, column: &str) {
    let mut all = match options.opt_exclude.take() {
        Some(ExcludeSelectItem::Single(name)) => vec![name],
        Some(ExcludeSelectItem::Multiple(names)) => names,
        None => Vec::new(),
    };
    let column = ObjectName::from(quote(column));
    if !all.contains(&column) {
        all.push(column);
    }
    options.opt_exclude = Some(ExcludeSelectItem::Multiple(all));
}

/// Translates `expr`, whose names are spelt.
pub(super) fn translate(expr: &mut Expr) -> Result<()> {
    let is_all = matches!(expr, Expr::AllOp { .. });
    match expr {
        Expr::CompoundFieldAccess { access_chain, .. } if access_chain.iter().any(is_item_0) => {
            let message = "lists are counted from 1, so [0] is not an item";
            return Err(Error::usage(message).hint("list[1]"));
        }
        Expr::Function(Function { over: Some(WindowType::WindowSpec(window)), .. })
            if let Some(name) = &window.window_name =>
        {
            return Err(based(name));
        }
        Expr::Cast { data_type, .. } => wider(data_type),
        Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } => {
            backslash(pattern, escape_char);
        }
        Expr::BinaryOp { op: BinaryOperator::BitwiseXor, .. } => {
            let message = "^ is a power in some databases, and an exclusive or in others";
            return Err(Error::usage(message)
                .hint("power(a, b), and for an exclusive or (a | b) - (a & b), or a <> b of conditions"));
        }
        Expr::BinaryOp { op: op @ (BinaryOperator::Arrow | BinaryOperator::LongArrow), .. } => {
            return Err(Error::usage(format!("the operator {op} is not supported"))
                .hint("x.member, if x is a column of objects; unnest(list) makes rows of a list"));
        }
        // The engine would take the pattern for a regular expression.
        Expr::SimilarTo { .. } => {
            return Err(Error::usage("SIMILAR TO is not supported")
                .hint("s ~ '^(a|b)$', with a regular expression, or LIKE"));
        }
        Expr::BinaryOp { left, op: BinaryOperator::Custom(op), right } => {
            let (left, right) = (Box::new(std::mem::replace(&mut **left, null())), right.clone());
            match op.as_str() {
                IS_DISTINCT_FROM => *expr = Expr::IsDistinctFrom(left, right),
                IS_NOT_DISTINCT_FROM => *expr = Expr::IsNotDistinctFrom(left, right),
                _ => {}
            }
        }
        Expr::AnyOp { left, compare_op, right, .. } | Expr::AllOp { left, compare_op, right } => {
            if let Some(new) = among(left, compare_op, right, is_all)? {
                *expr = new;
            }
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr: number } => {
            large(number, i64::MIN.unsigned_abs());
        }
        Expr::Value(_) => large(expr, u64::MAX),
        _ => {}
    }
    Ok(())
}

/// The engine would ignore the window that another one adds to.
fn based(name: &Ident) -> Error {
    let message = format!("a window that adds to the window `{}` is not supported", name.value);
    error_at(name.span.start, &message).hint("OVER (PARTITION BY a ORDER BY b), with all parts of it")
}

fn is_item_0(access: &AccessExpr) -> bool {
    let AccessExpr::Subscript(Subscript::Index { index: Expr::Value(value) }) = access else { return false };
    matches!(&value.value, Value::Number(digits, _) if digits.parse() == Ok(0u64))
}

/// The engine supports only backslash as escape.
fn backslash(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) {
    let Some(Value::SingleQuotedString(sign)) = escape.as_ref().map(|escape| &escape.value) else { return };
    let (Ok(sign), Some(old)) = (sign.parse::<char>(), written(pattern)) else { return };
    if sign == '\\' {
        return;
    }
    let mut new = String::with_capacity(old.len() + 1);
    let mut rest = old.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c == sign => {
                new.push('\\');
                new.extend(rest.next());
            }
            '\\' => new.push_str("\\\\"),
            c => new.push(c),
        }
    }
    *pattern = text(new);
    *escape = None;
}

/// Converts a whole number above `most` to a decimal: the engine would use a float, which loses digits.
fn large(expr: &mut Expr, most: u64) {
    let Expr::Value(value) = &*expr else { return };
    let Value::Number(digits, _) = &value.value else { return };
    let digits = digits.trim_start_matches('0');
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits.is_empty() || digits.parse().is_ok_and(|number: u64| number <= most);
    if !is_whole || fits || digits.len() > usize::from(DECIMAL128_MAX_PRECISION) {
        return;
    }
    *expr = Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(text(digits.to_owned())),
        data_type: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(DECIMAL128_MAX_PRECISION.into(), 0)),
        array: false,
        format: None,
    };
}

/// Integers and floats have 64 bits, so that neither overflows nor loses digits that the other type would hold.
fn wider(data_type: &mut DataType) {
    match data_type {
        DataType::Int(None) | DataType::Integer(None) => *data_type = DataType::BigInt(None),
        DataType::Float(ExactNumberInfo::None) => *data_type = DataType::Double(ExactNumberInfo::None),
        _ => {}
    }
}

/// The text of a literal.
fn written(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) => Some(text),
        _ => None,
    }
}

pub(super) fn text(text: String) -> Expr {
    Expr::value(Value::SingleQuotedString(text))
}

pub(super) fn null() -> Expr {
    Expr::value(Value::Null)
}
