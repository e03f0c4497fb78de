//! Numbers that may be times, as nothing else is near them.

use super::formats::Evidence;
use super::position::{FormatKind, TimePosition};

/// Numbers are times only where no line has a date, and of one kind.
pub(super) fn keep_dates_or_one_number(found: &mut Vec<(usize, TimePosition)>, kinds: &[FormatKind]) {
    let is_bare = |shape: &(usize, TimePosition)| is_bare_number(shape, kinds);
    match found.first().copied() {
        Some(first) if found.iter().all(is_bare) => {
            let name = kinds[first.0].name();
            found.retain(|(kind, _)| kinds[*kind].name() == name);
        }
        _ if matches!(kinds, [FormatKind::Custom(_)]) => {}
        _ => found.retain(|shape| !is_bare(shape)),
    }
}

/// Whether it is a number without a name.
pub(super) fn is_bare_number((kind, position): &(usize, TimePosition), kinds: &[FormatKind]) -> bool {
    match (kinds[*kind].evidence(), position) {
        (Evidence::Marked | Evidence::Distinct, _) | (_, TimePosition::Member(_)) => false,
        (Evidence::Fraction, TimePosition::Offset { offset, .. }) => *offset > 1,
        _ => true,
    }
}
