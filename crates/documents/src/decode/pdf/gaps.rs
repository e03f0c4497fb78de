//! Gaps between the glyphs of a line, and how wide those are that separate words.

/// A gap that separates words, in heights of the font. Kerning is smaller.
const BLANK: f64 = 0.1;

/// A gap that separates words if the document also has a blank there.
const MARKED_BLANK: f64 = 0.05;

/// The least gap that separates words in a line of tight ones, and how much more it is than those inside of words.
const TIGHTEST: f64 = 0.06;
const JUMP: f64 = 0.04;

/// Gaps between words that are not tight.
const WIDE: f64 = 0.18;

/// Less than this is between the letters of a heading that are spaced, and so many gaps show it.
const SPACED: f64 = 0.22;
const MIN_SPACED_GAPS: usize = 5;

/// A line with fewer gaps may be one word.
const MIN_GAPS: usize = 8;

/// A gap between two glyphs of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The offset in the text.
    pub(super) at: usize,
    /// The width in heights of the font.
    pub(super) width: f64,
    /// The document has a blank there, too.
    pub(super) has_blank: bool,
}

impl Gap {
    /// Whether the gap separates words, if one of `least` does.
    pub(super) fn separates(&self, least: f64) -> bool {
        self.width > if self.has_blank { MARKED_BLANK } else { least }
    }
}

/// The least of the `gaps` of a line that separates words: headlines and condensed type have words that are closer to each
/// other than most, but farther than their letters.
pub(super) fn min_word_gap(gaps: &[Gap]) -> f64 {
    // A document that has blanks has them between all words.
    if gaps.len() < MIN_GAPS || gaps.iter().any(|gap| gap.has_blank) {
        return BLANK;
    }
    let mut widths: Vec<f64> = gaps.iter().map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths[widths.len() / 2];
    let wide = &widths[widths.partition_point(|width| *width <= BLANK)..];
    match wide.get(wide.len() / 2) {
        Some(between) if *between > WIDE => BLANK,
        Some(between) => f64::midpoint(usual, *between).clamp(TIGHTEST, BLANK),
        None => tight(&widths, usual),
    }
}

/// As [`min_word_gap`], of a line whose letters are all spaced by the same, as in some headings; `None` if they are not.
pub(super) fn blank_between_spaced(gaps: &[Gap]) -> Option<f64> {
    let mut widths: Vec<f64> = gaps.iter().filter(|gap| !gap.has_blank).map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths.get(widths.len() / 2).copied().filter(|usual| (BLANK..SPACED).contains(usual))?;
    let equal = widths.iter().filter(|width| (*width - usual).abs() < JUMP).count();
    (equal >= MIN_SPACED_GAPS && equal * 5 >= widths.len() * 4).then_some(1.5 * usual)
}

/// As [`min_word_gap`], of a line without any usual gap between words. One gap may be kerning; several are words.
fn tight(widths: &[f64], usual: f64) -> f64 {
    let jump = |pair: &[f64]| pair[1] - pair[0];
    let upper = &widths[widths.len() / 2..];
    let widest =
        (1..upper.len()).max_by(|a, b| jump(&upper[a - 1..=*a]).total_cmp(&jump(&upper[b - 1..=*b])));
    let Some(at) = widest.filter(|at| upper.len() - at > 1) else { return BLANK };
    let (inside, between) = (upper[at - 1], upper[at]);
    let is_clear = between - inside > JUMP && inside - usual < JUMP / 2.0 && between > TIGHTEST;
    if is_clear { f64::midpoint(inside, between) } else { BLANK }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps in hundredths of the height of the font.
    fn least(widths: &[i32], has_blank: bool) -> f64 {
        let gap = |width: &i32| Gap { at: 0, width: f64::from(*width) / 100.0, has_blank };
        min_word_gap(&widths.iter().map(gap).collect::<Vec<_>>())
    }

    #[test]
    fn words_may_be_closer_in_some_lines() {
        for (widths, separates, does_not) in [
            // Words that are far apart, and kerning.
            (&[0, 2, -8, 9, 0, 0, 25, 0, 0, 30][..], 11, 9),
            // The letters of a headline are tight, and its words are.
            (&[-5, -4, -5, -5, 7, -5, -5, -4, -5, 8], 7, -4),
            (&[0, 0, 1, 0, 9, 0, 0, 1, 0, 13, 0, 12], 9, 1),
            // One word with some kerning.
            (&[0, 1, 3, 0, 5, 0, 2, 4, 1, 0], 11, 5),
            // Few gaps say nothing.
            (&[0, 0, 9, 0], 11, 9),
            (&[], 11, 9),
        ] {
            let least = least(widths, false);
            assert!(
                f64::from(separates) / 100.0 > least && f64::from(does_not) / 100.0 <= least,
                "{widths:?} {least}"
            );
        }
    }

    #[test]
    fn the_letters_of_a_heading_may_be_spaced() {
        let gaps = |widths: &[i32]| -> Vec<Gap> {
            let gap = |width: &i32| Gap { at: 0, width: f64::from(*width) / 100.0, has_blank: *width == 60 };
            widths.iter().map(gap).collect()
        };
        for (widths, separates, does_not) in
            [(&[20, 20, 21, 20, 19, 20, 60, 20, 20][..], 31, 21), (&[15, 15, 15, 15, 15, 40, 15, 15], 40, 15)]
        {
            let least = blank_between_spaced(&gaps(widths)).unwrap();
            assert!(f64::from(separates) / 100.0 > least && f64::from(does_not) / 100.0 <= least, "{least}");
        }
        // Words, few letters, letters that stand alone, a row with different gaps.
        for widths in [
            &[0, 0, 0, 25, 0, 0, 25, 0, 0][..],
            &[20, 20, 20, 20],
            &[33, 33, 33, 33, 33, 33],
            &[12, 18, 24, 12, 18, 24, 12],
        ] {
            assert_eq!(blank_between_spaced(&gaps(widths)), None, "{widths:?}");
        }
    }

    #[test]
    fn a_document_with_blanks_needs_less() {
        let gap = Gap { at: 0, width: 0.06, has_blank: true };
        assert!(gap.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
        assert!(!Gap { has_blank: false, ..gap }.separates(least(&[0, 0, 0, 0, 0, 0, 0, 0, 6], true)));
    }
}
