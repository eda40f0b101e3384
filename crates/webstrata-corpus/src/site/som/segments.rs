//! The segments of a page by a site's tree: the page's tree is matched against the pruned one. The page need not be one of those that the tree
//! was learned from.
//!
//! A leaf of the page belongs to the class of the node with its label. Where the page has a part that no page had, the largest new part
//! is one segment without a class. If the page were added, it would also be joined into one, because its nodes would be on only one page.

use super::page_tree::PageTree;
use super::prune::{Class, Pruned, SomOptions};
use super::tree::Som;
use std::collections::BTreeMap;
use std::ops::Deref;

/// A pruned tree, ready to be matched against pages.
///
/// ```
/// use webstrata::Page;
/// use webstrata_corpus::site::som::{PageTree, Som, SomOptions};
/// let page = |n: u32| format!("<div id=menu><a href=/>Home</a></div><h1>Page {n}</h1><p>Text {n}.</p>");
/// let tree = |html: &str| PageTree::new(&Page::parse(html.as_bytes()));
/// let mut som = Som::default();
/// (0..10).for_each(|n| assert!(som.add(n, &tree(&page(n)))));
/// let classes = som.pruned(&SomOptions::default());
/// let unseen = tree(&format!("{}<table><tr><td>New</table>", page(11)));
/// let segments = classes.segments(&unseen);
/// assert_eq!(segments.len(), 4);
/// assert_eq!(segments[0].class, Some(0));
/// assert_eq!(segments[3].class, None);
/// ```
#[derive(Clone, Debug)]
pub struct PrunedSom<S> {
    som: S,
    pruned: Pruned,
    classes: Vec<Class>,
    class_of: Vec<Option<u32>>,
}

/// A segment of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SomSegment {
    /// Its class, an index into [`PrunedSom::classes`]; `None` for text in a place that no page of the site had.
    pub class: Option<usize>,
    /// Its leaves, indices into the page's tree.
    pub leaves: Vec<usize>,
}

impl Som {
    /// Prunes the tree.
    #[must_use]
    pub fn pruned(&self, options: &SomOptions) -> PrunedSom<&Som> {
        PrunedSom::new(self, options)
    }
}

/// The counterpart of a page's node in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// This node.
    Known(u32),
    /// Inside a new part, which starts at this node of the page.
    New(u32),
}

impl<S: Deref<Target = Som>> PrunedSom<S> {
    /// Prunes a tree, borrowed or shared.
    #[must_use]
    pub fn new(som: S, options: &SomOptions) -> Self {
        let pruned = Pruned::new(&som, options);
        let (classes, class_of) = som.classes_of(&pruned);
        PrunedSom { som, pruned, classes, class_of }
    }

    /// The classes.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Pages of the site.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.som.pages()
    }

    /// The segments of a page, in the order of their first leaves. Every leaf with text is in exactly one segment.
    #[must_use]
    pub fn segments(&self, page: &PageTree) -> Vec<SomSegment> {
        let mut places: Vec<Place> = Vec::with_capacity(page.nodes.len());
        let mut numbers: BTreeMap<Place, usize> = BTreeMap::new();
        let mut segments: Vec<SomSegment> = Vec::new();
        for (at, node) in page.nodes.iter().enumerate() {
            let place = self.place(page, at, (at > 0).then(|| places[node.parent as usize]));
            places.push(place);
            if node.text.is_none() {
                continue;
            }
            let (part, class) = match place {
                Place::Known(known) => {
                    (Place::Known(self.pruned.target[known as usize]), self.class_of[known as usize].map(|class| class as usize))
                }
                Place::New(_) => (place, None),
            };
            let number = *numbers.entry(part).or_insert_with(|| {
                segments.push(SomSegment { class, leaves: Vec::new() });
                segments.len() - 1
            });
            segments[number].leaves.push(at);
        }
        segments
    }

    fn place(&self, page: &PageTree, at: usize, parent: Option<Place>) -> Place {
        let above = match parent {
            Some(Place::New(start)) => return Place::New(start),
            Some(Place::Known(above)) => {
                let joined = self.pruned.target[above as usize];
                // Everything below a leaf of the pruned tree belongs to it.
                if joined != above || (self.pruned.text[above as usize] && !self.pruned.inner[above as usize]) {
                    return Place::Known(above);
                }
                Some(above)
            }
            None => None,
        };
        let node = &page.nodes[at];
        match self.som.find(above, &page.labels[node.label as usize], node.number) {
            Some(place) if self.pruned.contains_text[self.pruned.target[place as usize] as usize] => Place::Known(place),
            // No page of the site has text there.
            _ => Place::New(at as u32),
        }
    }

    /// Share of the other pages of a class (of a sample of them) with the text of these leaves.
    #[must_use]
    pub fn likeness(&self, class: usize, page: &PageTree, leaves: &[usize]) -> f32 {
        let print = |&leaf: &usize| page.nodes.get(leaf).and_then(|node| node.text.as_ref()).map_or(0, |text| text.print);
        let sum = leaves.iter().map(print).fold(0u64, u64::wrapping_add);
        self.classes.get(class).map_or(0.0, |class| class.sample.likeness(sum))
    }
}
