//! The two trees that the thesis prints, as classifiers over columns, from the tables of the labellers.

use super::tree::{Node, Split, Tree, TreeBuilder};
use crate::block::Neighbour;
use crate::label::tree::{Branch, DENSITOMETRIC, NUM_WORDS, Operand};

/// Algorithm 4.2, over the columns `density+link`.
///
/// ```
/// use webstrata::label::trained::published::densitometric;
/// assert_eq!(densitometric().leaves(), 8);
/// assert_eq!(densitometric().predict(&[0.0, 12.0, 12.0, 0.0, 0.0, 0.0]), 1);
/// ```
#[must_use]
pub fn densitometric() -> Tree {
    from_table(&DENSITOMETRIC)
}

/// Algorithm 4.3, over the columns `words+link`.
///
/// ```
/// use webstrata::label::trained::published::num_words;
/// assert_eq!(num_words().leaves(), 8);
/// assert_eq!(num_words().predict(&[0.0, 17.0, 0.0, 0.0, 0.0, 0.0]), 1);
/// ```
#[must_use]
pub fn num_words() -> Tree {
    from_table(&NUM_WORDS)
}

/// The columns are the density or words of the previous, current and next block, then their link densities.
fn column(operand: Operand, of: Neighbour) -> usize {
    let block = match of {
        Neighbour::Previous => 0,
        Neighbour::Current => 1,
        Neighbour::Next => 2,
    };
    match operand {
        Operand::TextDensity | Operand::Words => block,
        Operand::LinkDensity => block + 3,
    }
}

fn from_table(table: &crate::label::tree::Tree) -> Tree {
    let mut tree = TreeBuilder::default();
    let mut open = vec![(Branch::Node(0), None)];
    while let Some((branch, parent)) = open.pop() {
        let (answer, test) = match branch {
            Branch::Leaf(_, content) => (usize::from(content), None),
            Branch::Node(number) => (0, table.nodes.get(usize::from(number))),
        };
        let split =
            test.map(|test| Split { column: column(test.operand, test.of), threshold: test.threshold as f32, low: 0, high: 0 });
        let at = tree.push(Node { weights: vec![0.0; 2], answer, split }, parent);
        if let Some(test) = test {
            open.push((test.high, Some((at, false))));
            open.push((test.low, Some((at, true))));
        }
    }
    tree.finish()
}
