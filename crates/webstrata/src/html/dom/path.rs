//! DOM paths such as `/html/body/div[2]/p[1]`, which are valid XPath.

use super::{Dom, Node};
use crate::html::tag::Tag;

/// Maximum number of steps in a path; the path of a deeper node starts with `…`.
///
/// Without a cap, the paths of a page that nests a thousand elements are a thousand times as long as the page.
const MAX_STEPS: usize = 64;

/// The position of every element among its siblings of the same name, from which paths are built.
///
/// Built in one pass over the page; a path then costs its length. ([`Node::path`] counts the siblings
/// on each call.)
///
/// ```
/// use webstrata::html::{Dom, Paths};
/// let dom = Dom::parse("<p>one<p>two");
/// let paths = Paths::new(&dom);
/// let second = dom.nodes().filter(|n| n.name() == "p").last().unwrap();
/// assert_eq!(paths.path(second), "/html/body/p[2]");
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    /// For each node: its position among siblings of the same name (0 for text), and whether it is the only one.
    steps: Vec<(u32, bool)>,
}

impl Paths {
    /// Counts the siblings of a page.
    #[must_use]
    pub fn new(dom: &Dom<'_>) -> Self {
        let records = dom.records();
        let mut steps = vec![(0, true); records.len()];
        // For each tag: the last parent that had such a child, and that child.
        let mut latest: Vec<(u32, u32)> = Vec::new();
        for (parent, record) in (0u32..).zip(records) {
            let mut id = parent + 1;
            while id < record.end
                && let Some(child) = records.get(id as usize)
            {
                if child.tag != Tag::TEXT {
                    let tag = child.tag.index();
                    if latest.len() <= tag {
                        latest.resize(tag + 1, (u32::MAX, 0));
                    }
                    let (of_parent, before) = std::mem::replace(&mut latest[tag], (parent, id));
                    steps[id as usize].0 = 1;
                    if of_parent == parent {
                        let ordinal = steps[before as usize].0 + 1;
                        steps[before as usize].1 = false;
                        steps[id as usize] = (ordinal, false);
                    }
                }
                id = child.end.max(id + 1);
            }
        }
        Paths { steps }
    }

    /// The path of a node; for text, that of its parent.
    #[must_use]
    pub fn path(&self, node: Node<'_>) -> String {
        write_path(node, |element| self.steps.get(element.id().index()).copied().unwrap_or((1, true)))
    }
}

impl Node<'_> {
    /// The path of the node; for text, that of its parent. For many nodes of one page use [`Paths`].
    #[must_use]
    pub fn path(self) -> String {
        write_path(self, |element| {
            let Some(parent) = element.parent() else { return (1, true) };
            let alike = |n: &Node<'_>| n.tag() == element.tag();
            let before = parent.children().take_while(|n| *n != element).filter(alike).count();
            let all = parent.children().filter(alike).count();
            (before as u32 + 1, all == 1)
        })
    }
}

fn write_path(node: Node<'_>, step: impl Fn(Node<'_>) -> (u32, bool)) -> String {
    let mut elements: Vec<Node<'_>> = Vec::new();
    let start = if node.is_element() { Some(node) } else { node.parent() };
    let mut ancestors = std::iter::successors(start, |n| n.parent());
    elements.extend(ancestors.by_ref().take(MAX_STEPS));
    let mut path = String::new();
    if ancestors.next().is_some() {
        path.push('…');
    }
    for element in elements.into_iter().rev() {
        path.push('/');
        path.push_str(&element.name().to_ascii_lowercase());
        if let (ordinal, false) = step(element) {
            path.push_str(&format!("[{ordinal}]"));
        }
    }
    path
}
