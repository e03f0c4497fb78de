//! The order in which lines are read: that in which the page draws them, unless a line stands below later ones.

use super::line::Line;

/// With more lines, a page keeps its order: the time is the square of their number.
const MOST_LINES: usize = 4000;

pub(super) fn in_reading_order(lines: Vec<Line>) -> Vec<Line> {
    if lines.len() > MOST_LINES {
        lines
    } else if is_disordered(&lines) {
        by_rows(lines)
    } else {
        downwards(lines)
    }
}

/// Whether a page is drawn in another order than it is read, as by programs that draw all of one font first.
fn is_disordered(lines: &[Line]) -> bool {
    let back = lines.windows(2).filter(|pair| pair[0].jumps_back_to(&pair[1])).count();
    back > 3 && back * 5 > lines.len()
}

/// The lines from top to bottom, with those of one row joined from left to right.
fn by_rows(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.turn.cmp(&b.turn).then(a.y.total_cmp(&b.y)));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row) if row[0].is_level_with(line.turn, line.y, line.size) => row.push(line),
            _ => rows.push(vec![line]),
        }
    }
    let join = |mut row: Vec<Line>| {
        row.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut parts = row.into_iter();
        let first = parts.next();
        parts.fold(first, |joined: Option<Line>, part| {
            let mut joined = joined?;
            joined.join(&part);
            Some(joined)
        })
    };
    rows.into_iter().filter_map(join).collect()
}

/// The lines as they are, but each after all that stand above it. Columns, which stand beside each other, stay whole.
///
/// The first rule of Thomas M. Breuel, High Performance Document Layout Analysis (2003). His second rule finds columns,
/// which the document itself knows better.
fn downwards(lines: Vec<Line>) -> Vec<Line> {
    // How many lines each still waits for.
    let mut waits: Vec<usize> =
        lines.iter().map(|line| lines.iter().filter(|other| other.is_above(line)).count()).collect();
    let mut left: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let (mut ordered, mut next) = (Vec::with_capacity(left.len()), 0);
    while let Some(index) = ready(&left, &waits, next) {
        let Some(line) = left[index].take() else { break };
        next = index + 1;
        for (waits, other) in waits.iter_mut().zip(&left) {
            *waits -= usize::from(other.as_ref().is_some_and(|other| line.is_above(other)));
        }
        ordered.push(line);
    }
    ordered
}

/// The line `next` if it waits for none, or else the first one that does.
fn ready(left: &[Option<Line>], waits: &[usize], next: usize) -> Option<usize> {
    let is_ready = |index: &usize| waits.get(*index) == Some(&0) && left[*index].is_some();
    Some(next).filter(is_ready).or_else(|| (0..left.len()).find(is_ready))
}
