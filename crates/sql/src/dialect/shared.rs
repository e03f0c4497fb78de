//! The columns that `USING` and `NATURAL` make one of two.
//!
//! The engine would take such a column from one of the tables, which has no value where an outer join found no partner. So the
//! join gets a condition, and each use of the column the table that has the value, or both (SQL:2016, part 2, 7.10).

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, SelectItem, Value,
    WildcardAdditionalOptions,
};

use super::literals::call;
use super::names::{Output, Outputs, Relation, Scope, find_first, left_out, quoted};
use super::position::error_at;
use rread_text::error::{Error, Result};

/// The sides of a join whose rows are all kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Left,
    Right,
    Both,
    /// Rows of one side alone are the result.
    OnlyLeft,
    OnlyRight,
}

const HINT: &str = "SELECT ... FROM t a JOIN t b ON a.id = b.id";

/// The columns of a relation without those that `*` leaves out.
pub(super) fn outputs(relation: &Relation, hidden: &[String]) -> Outputs {
    let value = |column: &str| {
        let column = quoted(column, &Ident::new(""));
        match &relation.name {
            Some(table) => Expr::CompoundIdentifier(vec![quoted(table, &Ident::new("")), column]),
            None => Expr::Identifier(column),
        }
    };
    let shown = relation.columns.iter().flatten().filter(|name| !relation.is_table || !hidden.contains(name));
    let shown = shown.map(|name| Output { name: name.clone(), value: value(name) }).collect();
    relation.columns.as_ref().map(|_| shown)
}

/// The constraint of a join; `None` if the engine has no such join.
pub(super) fn constraint(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
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

fn kept(operator: &JoinOperator) -> Kept {
    use JoinOperator as Join;
    match operator {
        Join::Right(_) | Join::RightOuter(_) => Kept::Right,
        Join::FullOuter(_) => Kept::Both,
        Join::Semi(_) | Join::LeftSemi(_) | Join::Anti(_) | Join::LeftAnti(_) => Kept::OnlyLeft,
        Join::RightSemi(_) | Join::RightAnti(_) => Kept::OnlyRight,
        _ => Kept::Left,
    }
}

/// The columns of a join, whose `USING` or `NATURAL` becomes a condition.
pub(super) fn join(
    operator: &mut JoinOperator,
    left: Outputs,
    right: Outputs,
    scope: &mut Scope<'_>,
) -> Result<Outputs> {
    let kept = kept(operator);
    let Some(constraint) = constraint(operator) else { return Ok(None) };
    let names = match constraint {
        JoinConstraint::Using(names) => Some(std::mem::take(names)),
        JoinConstraint::Natural => None,
        JoinConstraint::On(_) | JoinConstraint::None => return Ok(both(left, right, kept)),
    };
    let (Some(mut left), Some(mut right)) = (left, right) else {
        return Err(Error::usage("USING and NATURAL need tables with known columns").hint(HINT));
    };
    let names = match names {
        Some(names) => names.iter().map(asked).collect::<Result<Vec<_>>>()?,
        None => {
            left.iter().filter(|one| right.iter().any(|other| other.name == one.name)).map(exact).collect()
        }
    };
    let mut condition: Option<Expr> = None;
    let mut shared = Vec::new();
    for name in &names {
        let (one, other) = (take(&mut left, name)?, take(&mut right, name)?);
        let equal = binary(one.value.clone(), BinaryOperator::Eq, other.value.clone());
        condition = Some(match condition {
            Some(before) => binary(before, BinaryOperator::And, equal),
            None => equal,
        });
        let value = match kept {
            Kept::Left | Kept::OnlyLeft => one.value,
            Kept::Right | Kept::OnlyRight => other.value,
            Kept::Both => call("coalesce", vec![one.value, other.value]),
        };
        scope.shared.retain(|before| before.name != one.name);
        scope.shared.push(Output { name: one.name.clone(), value: value.clone() });
        shared.push(Output { name: one.name, value });
    }
    *constraint = JoinConstraint::On(condition.unwrap_or_else(|| Expr::value(Value::Boolean(true))));
    Ok(both(Some([shared, left].concat()), Some(right), kept))
}

fn both(left: Outputs, right: Outputs, kept: Kept) -> Outputs {
    match kept {
        Kept::OnlyLeft => left,
        Kept::OnlyRight => right,
        _ => {
            let mut all = left?;
            all.extend(right?);
            Some(all)
        }
    }
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

fn asked(name: &ObjectName) -> Result<Ident> {
    match name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => Ok(name.clone()),
        _ => Err(Error::usage(format!("USING takes names of columns, and `{name}` is longer")).hint(HINT)),
    }
}

fn exact(output: &Output) -> Ident {
    quoted(&output.name, &Ident::new(""))
}

/// Takes the one column of that name out of a side of the join.
fn take(side: &mut Vec<Output>, wanted: &Ident) -> Result<Output> {
    let names: Vec<String> = side.iter().map(|output| output.name.clone()).collect();
    let wrong = |what: &str| {
        let sentence = format!("`{}` {what}", wanted.value);
        error_at(wanted.span.start, &sentence).hint(HINT)
    };
    let found =
        find_first(&names, wanted).ok_or_else(|| wrong("is not a column of both sides of the join"))?;
    let mut places = names.iter().enumerate().filter(|(_, name)| **name == found).map(|(at, _)| at);
    match (places.next(), places.next()) {
        (Some(at), None) => Ok(side.remove(at)),
        _ => Err(wrong("is a column of several tables on one side of the join")),
    }
}

/// Writes out each `*` over a join that shares columns.
pub(super) fn write_out_stars(items: &mut Vec<SelectItem>, scope: &Scope<'_>) -> Result<()> {
    if scope.shared.is_empty() {
        return Ok(());
    }
    for item in std::mem::take(items) {
        let SelectItem::Wildcard(mut options) = item else {
            items.push(item);
            continue;
        };
        let Some(outputs) = &scope.outputs else {
            return Err(Error::usage("* beside USING or NATURAL needs tables with known columns").hint(HINT));
        };
        items.extend(written_out(outputs, &mut options)?);
    }
    Ok(())
}

fn written_out(outputs: &[Output], options: &mut WildcardAdditionalOptions) -> Result<Vec<SelectItem>> {
    if options.opt_ilike.is_some() || options.opt_rename.is_some() {
        return Err(Error::usage("ILIKE and RENAME after * are not supported beside USING or NATURAL"));
    }
    let names: Vec<String> = outputs.iter().map(|output| output.name.clone()).collect();
    let gone: Vec<String> =
        left_out(options).into_iter().filter_map(|name| find_first(&names, name)).collect();
    let mut items = Vec::new();
    for Output { name, value } in outputs.iter().filter(|output| !gone.contains(&output.name)) {
        let mut others = options.opt_replace.iter().flat_map(|replace| &replace.items);
        let replaced = others.find(|item| find_first(&names, &item.column_name).as_ref() == Some(name));
        let alias = quoted(name, &Ident::new(""));
        items.push(match (replaced, value) {
            (Some(item), _) => SelectItem::ExprWithAlias { expr: item.expr.clone(), alias },
            (None, Expr::Function(_)) => SelectItem::ExprWithAlias { expr: value.clone(), alias },
            (None, _) => SelectItem::UnnamedExpr(value.clone()),
        });
    }
    Ok(items)
}

impl Scope<'_> {
    fn shares_any(&self) -> bool {
        !self.shared.is_empty() || self.outer.is_some_and(Scope::shares_any)
    }

    /// The value of a shared column, and its name.
    pub(super) fn shared(&self, wanted: &Ident) -> Result<Option<(String, Expr)>> {
        if !self.shares_any() || self.aliases_first && find_first(&self.aliases, wanted).is_some() {
            return Ok(None);
        }
        let names: Vec<String> = self.shared.iter().map(|output| output.name.clone()).collect();
        if let Some(name) = find_first(&names, wanted) {
            if self.outputs.iter().flatten().filter(|output| output.name == name).count() > 1 {
                let sentence = format!("`{name}` can be a column of several tables");
                return Err(error_at(wanted.span.start, &sentence).hint(HINT));
            }
            let value = self.shared.iter().find(|output| output.name == name);
            return Ok(value.map(|output| (name, output.value.clone())));
        }
        let Some(outer) = self.outer.filter(|_| !self.knows(wanted)) else { return Ok(None) };
        let found = outer.shared(wanted)?;
        outer.is_used_inside.set(outer.is_used_inside.get() || found.is_some());
        Ok(found)
    }
}
