//! Predecessor lists as a sequence of 16-bit words, which the solver reads from beginning to end in each iteration.
//!
//! For each page in order: the number of its *near* predecessors, the number of its *far* predecessors, the near predecessors,
//! the far predecessors. A predecessor is near if its number differs from the page's only in the lower 16 bits, and then only
//! those are stored; a far one takes two words, the lower first. The pages of a host are adjacent, so nearly all predecessors are
//! near. A number of far predecessors that does not fit into a word is stored as 65,535, followed by the number in two words.
//! Predecessors ascend within their kind, and a page is never its own predecessor.
//!
//! Numbers are stored as they are: gaps between predecessors would take half the space, but adding them up takes longer than the
//! memory needs to deliver the difference (`docs/rank.md` has the measurement).

/// Predecessors in the same window of this many pages as their target are near.
pub(crate) const WINDOW: u32 = 1 << 16;
/// Marks that the number of far predecessors follows.
const MANY: u16 = u16::MAX;

/// Appends a page. `predecessors` ascend, without the page itself.
pub(crate) fn put(words: &mut Vec<u16>, page: u32, predecessors: &[u32]) {
    let window = page & !(WINDOW - 1);
    let is_near = |source: u32| source & !(WINDOW - 1) == window;
    let near = predecessors.iter().filter(|&&source| is_near(source)).count();
    let far = predecessors.len() - near;
    words.reserve(predecessors.len() + far + 4);
    // At most the window without the page itself, so it fits.
    words.push(near as u16);
    if far < usize::from(MANY) {
        words.push(far as u16);
    } else {
        words.push(MANY);
        push_long(words, far as u32);
    }
    words.extend(predecessors.iter().filter(|&&source| is_near(source)).map(|&source| source as u16));
    for &source in predecessors.iter().filter(|&&source| !is_near(source)) {
        push_long(words, source);
    }
}

fn push_long(words: &mut Vec<u16>, number: u32) {
    words.push(number as u16);
    words.push((number >> 16) as u16);
}

/// The number stored in two words.
#[inline(always)]
pub(crate) fn long(words: &[u16]) -> u32 {
    match *words {
        [low, high, ..] => u32::from(low) | u32::from(high) << 16,
        _ => 0,
    }
}

/// The predecessors of one page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InLinks<'s> {
    /// Lower halves of the near predecessors.
    pub(crate) near: &'s [u16],
    /// The far predecessors, two words each.
    pub(crate) far: &'s [u16],
}

impl<'s> InLinks<'s> {
    /// Number of predecessors.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.near.len() + self.far.len() / 2
    }

    /// The predecessors of `page`: the near ones, then the far ones.
    pub(crate) fn predecessors(self, page: u32) -> impl Iterator<Item = u32> + use<'s> {
        let window = page & !(WINDOW - 1);
        self.near.iter().map(move |&low| window | u32::from(low)).chain(self.far.chunks_exact(2).map(long))
    }
}

/// Reads the next list. At the end, or if the words are truncated, it is empty.
#[inline(always)]
pub(crate) fn take<'s>(words: &mut &'s [u16]) -> InLinks<'s> {
    next(words).unwrap_or(InLinks { near: &[], far: &[] })
}

/// Reads the next list; `None` if it is truncated.
#[inline(always)]
pub(crate) fn next<'s>(words: &mut &'s [u16]) -> Option<InLinks<'s>> {
    let (&[near, far], mut rest) = words.split_first_chunk()?;
    let far = if far == MANY {
        let (many, after) = rest.split_at_checked(2)?;
        rest = after;
        long(many) as usize
    } else {
        usize::from(far)
    };
    let (near, rest) = rest.split_at_checked(usize::from(near))?;
    let (far, rest) = rest.split_at_checked(far * 2)?;
    *words = rest;
    Some(InLinks { near, far })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_read_as_written(lists in prop::collection::vec(prop::collection::btree_set(prop_oneof![0..300u32, 65_000..66_000u32, any::<u32>()], 0..40), 1..20)) {
            let mut words = Vec::new();
            let page = |at: usize| 65_530 + at as u32;
            let lists: Vec<Vec<u32>> = lists.into_iter().enumerate()
                .map(|(at, list)| list.into_iter().filter(|&source| source != page(at)).collect()).collect();
            for (at, list) in lists.iter().enumerate() {
                put(&mut words, page(at), list);
            }
            let mut rest = words.as_slice();
            for (at, list) in lists.iter().enumerate() {
                let mut found: Vec<u32> = take(&mut rest).predecessors(page(at)).collect();
                found.sort_unstable();
                prop_assert_eq!(&found, list);
            }
            prop_assert!(rest.is_empty());
            // Truncated words end early and do not panic.
            let mut cut = &words[..words.len() - 1];
            let taken = std::iter::from_fn(|| next(&mut cut)).count();
            prop_assert!(taken < lists.len());
        }
    }

    #[test]
    fn many_far_predecessors_have_a_longer_count() {
        for far in [65_534u32, 65_535, 70_000] {
            let predecessors: Vec<u32> = (0..far).map(|at| WINDOW * 2 + at).collect();
            let mut words = Vec::new();
            put(&mut words, 7, &predecessors);
            let links = take(&mut words.as_slice());
            assert_eq!((links.len(), links.predecessors(7).last()), (far as usize, predecessors.last().copied()));
        }
    }
}
