//! Limits on site evidence. Text that recurs on the pages of a site is part of its template, but not always boilerplate:
//!
//! - **Labels.** The rows of a specification, profile or price list have the same labels on all pages, but values of their own.
//!   A label stays with its value: site evidence applies to the innermost element with several blocks as a whole.
//! - **Records.** Pages other than articles fill in a form: products, places, people. The recurring text is the form, and the page
//!   makes no sense without it. Blocks that are probable by the page's own evidence stay; the site decides the doubtful ones.
//! - **Copies.** An article that is on a site twice recurs as a whole. So an article must have unique text besides what is removed.
//!
//! In any case, site evidence leaves at least a tenth of the words that an article keeps without it, and a quarter on other pages.

use super::answers::Shape;

/// Minimum probability of a strong block: more likely content than not.
const STRONG: f32 = 0.5;

/// Words in strong blocks unique to an article that it must have before the site may remove other strong blocks.
const OWN_WORDS: f32 = 30.0;

/// Shift below which a block belongs to the page rather than to the site.
const OWN_SHIFT: f32 = 1.0;

/// An element with more than this share of the page's words is not a row of labels and values, but the text or the page.
const LARGEST_ROW: f32 = 0.5;

/// Minimum share that must remain of the words a page keeps without site evidence: an article may be a few lines among many teasers, ...
const MIN_KEPT_SHARE: f32 = 0.1;
/// ... other pages consist of items and records.
const MIN_KEPT_SHARE_OTHERS: f32 = 0.25;

/// Limits the shifts of blocks' logits, one per block, given the page's own probabilities.
pub(super) fn limit(shifts: &mut [f32], own: &[f32], shape: &Shape<'_>, is_article: bool) {
    let count = shifts.len().min(own.len()).min(shape.words.len());
    let Some(shifts) = shifts.get_mut(..count) else { return };
    let strong_words = (0..count).filter(|&at| own[at] >= STRONG && shifts[at] < OWN_SHIFT).map(|at| shape.words[at]);
    let gives_up_strong = is_article && strong_words.sum::<f32>() >= OWN_WORDS;
    let means = row_means(shifts, shape);
    for at in 0..count {
        // Evidence for content, which is negative, has no limits.
        if shifts[at] > 0.0 {
            let strong = own[at] >= STRONG && !gives_up_strong;
            shifts[at] = if strong { 0.0 } else { shifts[at].min(means[at].max(0.0)) };
        }
    }
}

/// For each block: the mean shift over the words of the innermost element with several blocks, unless that is most of the page.
fn row_means(shifts: &[f32], shape: &Shape<'_>) -> Vec<f32> {
    let mut sums = Vec::with_capacity(shifts.len() + 1);
    let (mut words, mut shifted) = (0f64, 0f64);
    sums.push((words, shifted));
    for (shift, count) in shifts.iter().zip(shape.words) {
        // Symbols and prices without words also count.
        let count = f64::from(count.max(1.0));
        words += count;
        shifted += count * f64::from(*shift);
        sums.push((words, shifted));
    }
    let mut means = shifts.to_vec();
    // Elements are in document order, so the last one opened and not yet closed is the innermost.
    let mut elements = shape.elements.iter().map(|&(start, end)| (start as usize, (end as usize).min(shifts.len())));
    let mut next = elements.next();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, mean) in means.iter_mut().enumerate() {
        while let Some((start, end)) = next.filter(|&(start, _)| start <= at) {
            if end >= start + 2 {
                open.push((start, end));
            }
            next = elements.next();
        }
        while open.last().is_some_and(|&(_, end)| end <= at) {
            open.pop();
        }
        if let Some(&(start, end)) = open.last() {
            let (inside, sum) = (sums[end].0 - sums[start].0, sums[end].1 - sums[start].1);
            if inside <= f64::from(LARGEST_ROW) * words {
                *mean = (sum / inside) as f32;
            }
        }
    }
    means
}

/// Whether enough remains of the words that a page keeps without site evidence.
pub(super) fn leaves_enough(words: &[f32], alone: &[bool], with_site: &[bool], is_article: bool) -> bool {
    let share = if is_article { MIN_KEPT_SHARE } else { MIN_KEPT_SHARE_OTHERS };
    let kept = |verdicts: &[bool]| verdicts.iter().zip(words).filter(|(kept, _)| **kept).map(|(_, words)| words).sum::<f32>();
    kept(with_site) >= share * kept(alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape<'s>(words: &'s [f32], elements: &'s [(u32, u32)]) -> Shape<'s> {
        Shape { words, link_density: &[], heading: &[], by_rules: &[], in_main_group: &[], path: &[], paths: 0, elements }
    }

    #[test]
    fn labels_go_with_their_values() {
        // A text, then two rows of a label and a value, then a notice.
        let words = [40.0, 2.0, 2.0, 2.0, 6.0, 20.0];
        let elements = [(0, 6), (0, 1), (1, 5), (1, 3), (3, 5)];
        let mut shifts = [0.0, 6.0, 0.0, 6.0, 0.0, 6.0];
        limit(&mut shifts, &[0.9, 0.4, 0.6, 0.4, 0.6, 0.4], &shape(&words, &elements), true);
        assert_eq!(shifts, [0.0, 3.0, 0.0, 1.5, 0.0, 6.0]);
    }

    #[test]
    fn strong_blocks_of_records_and_of_copies_stay() {
        let words = [40.0, 20.0, 20.0];
        let of = |own: [f32; 3], shifts: [f32; 3], is_article| {
            let mut shifts = shifts;
            limit(&mut shifts, &own, &shape(&words, &[(0, 3)]), is_article);
            shifts
        };
        assert_eq!(of([0.9, 0.8, 0.3], [0.0, 5.0, 5.0], true), [0.0, 5.0, 5.0]);
        assert_eq!(of([0.9, 0.8, 0.3], [0.0, 5.0, 5.0], false), [0.0, 0.0, 5.0]);
        // No text of its own: the article is on the site twice.
        assert_eq!(of([0.9, 0.8, 0.3], [5.0, 5.0, 5.0], true), [0.0, 0.0, 5.0]);
        // Evidence for content counts.
        assert_eq!(of([0.9, 0.8, 0.3], [0.0, -2.0, -3.0], false), [0.0, -2.0, -3.0]);
    }

    #[test]
    fn missing_shifts_and_elements_beyond_the_end_do_no_harm() {
        let mut few = [5.0];
        limit(&mut few, &[0.3, 0.9], &shape(&[3.0, 50.0], &[(0, 9), (7, 9)]), true);
        assert_eq!(few, [5.0]);
        let mut many = [5.0; 4];
        limit(&mut many, &[0.3], &shape(&[3.0], &[]), true);
        assert_eq!(many, [5.0; 4]);
        limit(&mut [], &[], &shape(&[], &[]), false);
        assert!(leaves_enough(&[], &[], &[], true));
    }

    #[test]
    fn a_tenth_of_an_article_and_a_quarter_of_other_pages_stay() {
        let leaves = |left: f32, is_article| leaves_enough(&[100.0 - left, left], &[true, true], &[false, true], is_article);
        assert_eq!([9.0, 11.0, 24.0].map(|left| leaves(left, true)), [false, true, true]);
        assert_eq!([9.0, 24.0, 26.0].map(|left| leaves(left, false)), [false, false, true]);
    }
}
