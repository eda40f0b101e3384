//! Disjoint sets: union–find over page numbers, four bytes each.

/// Which pages are in the same set.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    /// Every page in a set of its own.
    pub(crate) fn new(pages: u32) -> Self {
        Sets { parents: (0..pages).collect() }
    }

    /// Joins the sets of two pages; the smaller root stays, so that roots do not depend on the order of joins.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The smallest page of the set, with path halving.
    fn root(&mut self, mut page: u32) -> u32 {
        loop {
            let parent = self.parents[page as usize];
            if parent == page {
                return page;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[page as usize] = grandparent;
            page = grandparent;
        }
    }

    /// The root of every page.
    pub(crate) fn into_roots(mut self) -> Vec<u32> {
        for page in 0..self.parents.len() {
            // Parents are smaller, so they have their roots already.
            self.parents[page] = self.parents[self.parents[page] as usize];
        }
        self.parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Colours every page with the smallest it can reach, until nothing changes.
    fn naive(pages: u32, joins: &[(u32, u32)]) -> Vec<u32> {
        let mut colours: Vec<u32> = (0..pages).collect();
        loop {
            let before = colours.clone();
            for &(a, b) in joins {
                let least = colours[a as usize].min(colours[b as usize]);
                colours[a as usize] = least;
                colours[b as usize] = least;
            }
            if colours == before {
                return colours;
            }
        }
    }

    proptest! {
        #[test]
        fn sets_are_connected_components(joins in prop::collection::vec((0u32..60, 0u32..60), 0..80)) {
            let mut sets = Sets::new(60);
            for &(a, b) in &joins {
                sets.join(a, b);
            }
            prop_assert_eq!(sets.into_roots(), naive(60, &joins));
        }
    }
}
