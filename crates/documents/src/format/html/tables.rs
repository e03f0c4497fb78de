//! Tables of a page: `html2text` knows neither their captions nor their last rows.

use html2text::Handle;

use super::nodes::{name, renamed, taken};

/// Puts the rows of a table, which are its `children`, in the order of browsers: the first head, the bodies, the first foot.
pub(super) fn arrange(children: &mut [Handle]) {
    let at = |children: &[Handle], part: &str| children.iter().position(|child| name(child) == part);
    if let Some(head) = at(children, "thead") {
        children[..=head].rotate_right(1);
    }
    if let Some(foot) = at(children, "tfoot") {
        children[foot..].rotate_left(1);
    }
    for child in children.iter_mut().filter(|child| name(child) == "tfoot") {
        if let Some(body) = renamed(child, "tbody", taken(child)) {
            *child = body;
        }
    }
}

/// The `table` after a line of its caption, if it has one.
pub(super) fn with_caption(table: &Handle) -> Option<Handle> {
    let is_caption = |child: &Handle| name(child) == "caption";
    let (captions, others): (Vec<_>, Vec<_>) = taken(table).into_iter().partition(is_caption);
    *table.children.borrow_mut() = others;
    if captions.is_empty() {
        return None;
    }
    let lines = captions.iter().filter_map(|caption| renamed(caption, "div", taken(caption)));
    renamed(table, "div", lines.chain([table.clone()]).collect())
}
