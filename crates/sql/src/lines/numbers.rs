//! Finds the numbers of the lines that the conditions of a query leave, so that the scan reads no others.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};

use super::columns::NUMBER;

/// Numbers of lines, from `first` (from 1) to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub first: u64,
    pub last: u64,
}

impl Numbers {
    pub const ALL: Numbers = Numbers { first: 1, last: u64::MAX };

    /// The numbers for which all `filters` may hold.
    pub fn of_all(filters: &[Expr]) -> Self {
        filters.iter().filter_map(Numbers::of).fold(Numbers::ALL, Numbers::and)
    }

    /// The numbers for which `filter` may hold; `None` if it bounds none.
    pub fn of(filter: &Expr) -> Option<Self> {
        match filter {
            Expr::Alias(alias) => Numbers::of(&alias.expr),
            Expr::Between(Between { expr, negated: false, low, high }) if is_number(expr) => Some(
                Numbers::compared(Operator::GtEq, whole(low)?)
                    .and(Numbers::compared(Operator::LtEq, whole(high)?)),
            ),
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
                let both = [Numbers::of(left), Numbers::of(right)];
                both.into_iter().flatten().reduce(Numbers::and)
            }
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
                let (op, number) = match (is_number(left), is_number(right)) {
                    (true, _) => (*op, whole(right)?),
                    (_, true) => (op.swap()?, whole(left)?),
                    _ => return None,
                };
                let bounds = [Operator::Eq, Operator::Lt, Operator::LtEq, Operator::Gt, Operator::GtEq];
                bounds.contains(&op).then(|| Numbers::compared(op, number))
            }
            _ => None,
        }
    }

    fn compared(op: Operator, number: i64) -> Self {
        let at = |number: i64| u64::try_from(number).unwrap_or(0);
        let from = |first: i64| Numbers { first: at(first).max(1), last: u64::MAX };
        let to = |last: i64| Numbers { first: 1, last: at(last) };
        match op {
            Operator::Gt => from(number.saturating_add(1)),
            Operator::GtEq => from(number),
            Operator::Lt => to(number.saturating_sub(1)),
            Operator::LtEq => to(number),
            _ => from(number).and(to(number)),
        }
    }

    fn and(self, other: Numbers) -> Self {
        Numbers { first: self.first.max(other.first), last: self.last.min(other.last) }
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Column(column) if column.name == NUMBER)
}

fn whole(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(number), _) => *number,
        Expr::Literal(ScalarValue::Int32(number), _) => number.map(i64::from),
        Expr::Literal(ScalarValue::UInt64(number), _) => number.and_then(|number| i64::try_from(number).ok()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use datafusion::logical_expr::{col, lit};

    use super::*;

    #[test]
    fn every_line_for_which_the_filters_hold_is_within_the_numbers() {
        type Holds = fn(i64) -> bool;
        let line = || col(NUMBER);
        let cases: Vec<(Expr, Holds)> = vec![
            (line().gt(lit(3i64)), |n| n > 3),
            (line().gt_eq(lit(3i64)), |n| n >= 3),
            (line().lt(lit(3i64)), |n| n < 3),
            (line().lt_eq(lit(3i64)), |n| n <= 3),
            (line().eq(lit(3i64)), |n| n == 3),
            (line().lt(lit(-3i64)), |n| n < -3),
            (line().gt(lit(i64::MAX)), |_| false),
            (lit(3i64).lt(line()), |n| n > 3),
            (line().between(lit(2i64), lit(4i64)), |n| (2..=4).contains(&n)),
            (line().not_between(lit(2i64), lit(4i64)), |n| !(2..=4).contains(&n)),
            (line().gt(lit(2i64)).and(col("line").eq(lit("x"))), |n| n > 2),
            (line().gt(lit(2i64)).or(line().lt(lit(2i64))), |n| n != 2),
            (line().not_eq(lit(3i64)), |n| n != 3),
            (line().gt_eq(lit(4i64)).and(line().lt(lit(4i64))), |_| false),
        ];
        for (filter, holds) in &cases {
            let Numbers { first, last } = Numbers::of_all(std::slice::from_ref(filter));
            for n in (1..10).filter(|n| holds(*n)) {
                assert!((first..=last).contains(&n.cast_unsigned()), "{filter} leaves out {n}");
            }
        }
        let both = [line().gt(lit(5i64)), line().lt_eq(lit(8i64))];
        assert_eq!(Numbers::of_all(&both), Numbers { first: 6, last: 8 });
        assert_eq!(Numbers::of_all(&[]), Numbers::ALL);
    }
}
