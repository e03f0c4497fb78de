//! Lists of a page: the numbers of items, and what stands beside them, which `html2text` would lose.

use html2text::{Comment, Handle};

use super::nodes::{Make, Node, attribute, name, rename, set, source, strip_tags, take_children};
use crate::decode::numerals::NumberFormat;

/// Elements around items, beside those of authors, whose names have a hyphen.
const WRAPPERS: [&str; 4] = ["div", "form", "section", "span"];
/// Wrappers inside of each other up to this depth are looked into.
const MAX_WRAPPERS: usize = 8;

/// The ways to write numbers, by the values of the attribute `type`.
const FORMATS: [&str; 5] = ["1", "a", "A", "i", "I"];
/// How far the number of an item is from that of a list in the next format. Numbers in a page have 32 bits.
const STEP: i64 = 1 << 40;

/// The text of a number as `html2text` knows it, which has one sort of numbers.
pub(super) fn format_number(number: i64) -> String {
    let Some((index, value)) = split_number(number) else { return number.to_string() };
    u64::try_from(value)
        .map_or(value.to_string(), |value| NumberFormat::from_name(FORMATS[index]).show(value))
}

/// The index of the format of a number for `html2text`, and the number itself.
fn split_number(number: i64) -> Option<(usize, i64)> {
    let index = number.checked_add(STEP / 2)?.div_euclid(STEP);
    let found = usize::try_from(index).ok().filter(|index| *index < FORMATS.len())?;
    Some((found, number - index * STEP))
}

/// The list `node`, or what takes its place: several lists, as numbers jump in it, with what stands before the first item.
pub(super) fn replace_list(node: &Handle, make: &Make<'_>) -> Option<Handle> {
    let is_numbered = name(node) == "ol";
    let (mut before, items) = group_items(node, if is_numbered { &["li"] } else { &["dt", "dd"] });
    let lists = if is_numbered { split_at_jumps(node, items) } else { vec![(1, items)] };
    let start = attribute(node, "start").and_then(|start| start.parse().ok()).unwrap_or(1);
    if before.is_empty()
        && let [(first, _)] = lists[..]
        && (first == start || !is_numbered)
    {
        *node.children.borrow_mut() = lists.into_iter().flat_map(|(_, items)| items).collect();
        return None;
    }
    let model = make.element(name(node), "start", "")?;
    for (start, items) in lists {
        let list = rename(&model, name(node), items)?;
        set(&list, "start", &start.to_string());
        before.push(list);
    }
    rename(node, "span", before)
}

/// The nodes before the first item of a list, and its items, each with the nodes after it.
fn group_items(list: &Handle, items: &[&str]) -> (Vec<Handle>, Vec<Handle>) {
    let mut children = Vec::new();
    take_children(list).into_iter().for_each(|child| unwrap(child, items, 0, &mut children));
    let (mut before, mut kept, mut strays): (Vec<_>, Vec<Handle>, Vec<_>) = (vec![], vec![], vec![]);
    let settle = |strays: &mut Vec<Handle>, before: &mut Vec<Handle>, last: Option<&Handle>| {
        let strays = std::mem::take(strays);
        if strays.iter().all(is_blank) {
            return;
        }
        match last {
            Some(item) => item.children.borrow_mut().extend(rename(list, "div", strays)),
            None => before.extend(rename(list, "div", strays)),
        }
    };
    for child in children {
        if items.contains(&name(&child)) {
            settle(&mut strays, &mut before, kept.last());
            kept.push(child);
        } else {
            strays.push(child);
        }
    }
    settle(&mut strays, &mut before, kept.last());
    (before, kept)
}

fn is_blank(node: &Handle) -> bool {
    let is_text = || name(node).is_empty() && strip_tags(&source(node)).trim().is_empty();
    matches!(node.data, Comment { .. }) || is_text()
}

/// Adds `child` to `children`, or the items in it.
fn unwrap(child: Handle, items: &[&str], depth: usize, children: &mut Vec<Handle>) {
    if has_items(&child, items, depth) {
        take_children(&child).into_iter().for_each(|inner| unwrap(inner, items, depth + 1, children));
    } else {
        children.push(child);
    }
}

/// Whether `node` is around items of the list that it is in.
fn has_items(node: &Node, items: &[&str], depth: usize) -> bool {
    let is_wrapper = WRAPPERS.contains(&name(node)) || name(node).contains('-');
    let is_item = |inner: &Handle| items.contains(&name(inner)) || has_items(inner, items, depth + 1);
    is_wrapper && depth < MAX_WRAPPERS && node.children.borrow().iter().any(is_item)
}

/// The items of the list `node` in lists with the number of their first, in which no number jumps.
fn split_at_jumps(node: &Node, items: Vec<Handle>) -> Vec<(i64, Vec<Handle>)> {
    let is_reversed = attribute(node, "reversed").is_some();
    let start = attribute(node, "start").unwrap_or_default();
    // This function made the list.
    let made = start.parse().ok().and_then(split_number).filter(|(index, _)| *index > 0);
    let of_type = attribute(node, "type").and_then(|of| FORMATS.iter().position(|format| *format == of));
    let format = of_type.or(made.map(|(index, _)| index)).unwrap_or(0);
    let format = i64::try_from(format).unwrap_or(0) * STEP;
    let first = if is_reversed { i64::try_from(items.len()).unwrap_or(1) } else { 1 };
    let mut next = made.map(|(_, value)| value).or(integer(&start)).unwrap_or(first);
    let (mut lists, mut expected) = (Vec::<(i64, Vec<Handle>)>::new(), None);
    for item in items {
        let number = attribute(&item, "value").and_then(|value| integer(&value)).unwrap_or(next);
        match lists.last_mut().filter(|_| expected == Some(number)) {
            Some((_, list)) => list.push(item),
            None => lists.push((number + format, vec![item])),
        }
        expected = Some(number + 1);
        next = if is_reversed { number - 1 } else { number + 1 };
    }
    lists
}

/// The number at the start of `text`, as HTML reads one.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_ascii_start();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse::<i32>().ok().map(|number| sign * i64::from(number))
}
