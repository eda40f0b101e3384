//! The energy of a labelling, and its minimisation by alpha-expansions.
//!
//! Chakrabarti, Kumar, Punera: A Graph-Theoretic Approach to Webpage Segmentation, WWW 2008, sections 3 and 4.2; expansions are
//! from Boykov, Veksler, Zabih: Fast Approximate Energy Minimization via Graph Cuts, PAMI 2001. Leaves get labels. An inner node
//! has the label of all its children, or it is invisible:
//!
//! ```text
//! E = Σ D(leaf, label) + Σ D(visible inner node, label)
//!   + λ Σ V(p, q) over neighbouring leaves with different labels
//!   + λ Σ V(child, parent) over visible children of invisible parents
//! ```
//!
//! An invisible node costs nothing by itself, and neither does an invisible child of an invisible parent: the paper sets
//! V(α, α) = 0 for every label, the invisible one included.
//!
//! **Expansions with parents.** In an expansion towards α, each leaf keeps its label or takes α. The paper handles parents with
//! two additional nodes per parent and edges of one weight, and omits the proof. Ours are exact: "u is visible with α" may hold
//! only if it holds for all children, and "u is visible with the label it has" likewise; both are implications along the tree,
//! which a cut expresses by edges that are never cut. The rest of a parent's cost is linear in these two variables, because
//! V(child, parent) is paid for `visible(child) - visible(parent)`. So the cut graph is linear in the size of the tree, costs may have
//! any sign, and no clique has to be truncated. Every expansion is checked: a labelling is replaced only by one of lower energy.
//!
//! Costs are integers in fixed point, so energies are exact and equal on all platforms.

use super::max_flow::{Capacity, FlowGraph, GaveUp, NEVER};

/// Fixed-point units of a cost of 1.
pub(super) const UNIT: f32 = 65_536.0;

/// The largest single cost. With at most a million costs on a page, sums stay far below [`NEVER`].
pub(super) const COST_LIMIT: f32 = 1_000.0;

/// Maximum number of steps for all cuts of a page, about a quarter of a second; after that the best labelling so far is used. Without
/// a limit, very deep trees would take minutes.
const MAX_STEPS: usize = 20_000_000;

/// A cost in fixed point.
#[must_use]
pub fn fixed(cost: f32) -> u32 {
    if cost.is_finite() { (cost.clamp(0.0, COST_LIMIT) * UNIT).round() as u32 } else { (COST_LIMIT * UNIT) as u32 }
}

/// The minimisation problem: a tree of inner nodes with leaves, labels, and costs in fixed point (λ included).
///
/// ```
/// use webstrata::segment::graphcut::{Problem, fixed};
/// // Two leaves below one node. Each is close to a label of its own, and separating them is cheap.
/// let problem = Problem {
///     labels: 2,
///     inner_parents: vec![0],
///     inner_costs: [1.0, 1.0].map(fixed).to_vec(),
///     inner_edges: vec![0],
///     leaf_parents: vec![0, 0],
///     leaf_costs: [0.0, 1.0, 1.0, 0.0].map(fixed).to_vec(),
///     leaf_edges: [0.1, 0.1].map(fixed).to_vec(),
///     neighbours: vec![(0, 1, fixed(0.2))],
/// };
/// assert_eq!(problem.minimise(10).labels, [0, 1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Number of labels.
    pub labels: usize,
    /// Parent of each inner node; parents come before children, and the first node is its own parent.
    pub inner_parents: Vec<u32>,
    /// For each inner node: the cost of each label.
    pub inner_costs: Vec<u32>,
    /// For each inner node: the cost of being visible below an invisible parent.
    pub inner_edges: Vec<u32>,
    /// The inner node above each leaf.
    pub leaf_parents: Vec<u32>,
    /// For each leaf: the cost of each label.
    pub leaf_costs: Vec<u32>,
    /// For each leaf: the cost of an invisible parent.
    pub leaf_edges: Vec<u32>,
    /// Pairs of leaves, with the cost of separating them.
    pub neighbours: Vec<(u32, u32, u32)>,
}

/// A labelling of the leaves and its energy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelling {
    /// The label of each leaf.
    pub labels: Vec<u32>,
    /// Its energy in fixed point.
    pub energy: Capacity,
    /// Number of expansions that were tried.
    pub expansions: usize,
    /// Whether the search ended early, because the cuts took too many steps.
    pub gave_up: bool,
}

/// The label shared by all leaves below an inner node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Common {
    None,
    Label(u32),
    Several,
}

impl Common {
    fn with(self, other: Common) -> Common {
        match (self, other) {
            (Common::None, any) | (any, Common::None) => any,
            (Common::Label(a), Common::Label(b)) if a == b => self,
            _ => Common::Several,
        }
    }
}

impl Problem {
    fn leaf_cost(&self, leaf: usize, label: u32) -> Capacity {
        Capacity::from(self.leaf_costs[leaf * self.labels + label as usize])
    }

    fn inner_cost(&self, node: usize, label: u32) -> Capacity {
        Capacity::from(self.inner_costs[node * self.labels + label as usize])
    }

    /// For each inner node: the label of all its leaves.
    fn common(&self, labels: &[u32]) -> Vec<Common> {
        let mut common = vec![Common::None; self.inner_parents.len()];
        for (&parent, &label) in self.leaf_parents.iter().zip(labels) {
            common[parent as usize] = common[parent as usize].with(Common::Label(label));
        }
        for node in (1..common.len()).rev() {
            let parent = self.inner_parents[node] as usize;
            common[parent] = common[parent].with(common[node]);
        }
        common
    }

    /// The lowest energy for these leaf labels: inner nodes are visible where that costs less and is allowed.
    #[must_use]
    pub fn energy(&self, labels: &[u32]) -> Capacity {
        let common = self.common(labels);
        // Energy of the subtree of each inner node if it is visible, and if it is not.
        let mut visible: Vec<Option<Capacity>> = (0..common.len())
            .map(|node| match common[node] {
                Common::Label(label) => Some(self.inner_cost(node, label)),
                Common::None | Common::Several => None,
            })
            .collect();
        let mut invisible: Vec<Capacity> = vec![0; common.len()];
        for (&parent, &edge) in self.leaf_parents.iter().zip(&self.leaf_edges) {
            invisible[parent as usize] += Capacity::from(edge);
        }
        for node in (1..common.len()).rev() {
            let parent = self.inner_parents[node] as usize;
            let parted = visible[node].map(|energy| energy + Capacity::from(self.inner_edges[node]));
            invisible[parent] += parted.map_or(invisible[node], |parted| parted.min(invisible[node]));
            visible[parent] = visible[parent].zip(visible[node]).map(|(above, below)| above + below);
        }
        let tree = invisible.first().map_or(0, |&invisible| visible[0].map_or(invisible, |visible| visible.min(invisible)));
        let leaves: Capacity = (0..labels.len()).map(|leaf| self.leaf_cost(leaf, labels[leaf])).sum();
        let parted = |&&(p, q, _): &&(u32, u32, u32)| labels[p as usize] != labels[q as usize];
        tree + leaves + self.neighbours.iter().filter(parted).map(|(_, _, cost)| Capacity::from(*cost)).sum::<Capacity>()
    }

    /// Minimises the energy by expansions, until no label lowers it or every label has been tried `cycles` times.
    ///
    /// The result is within a factor of two of the optimum for the leaf terms (Boykov et al. 2001).
    #[must_use]
    pub fn minimise(&self, cycles: usize) -> Labelling {
        let leaves = self.leaf_parents.len();
        let mut best = Labelling { labels: vec![0; leaves], ..Labelling::default() };
        if self.labels == 0 || leaves == 0 {
            return best;
        }
        best.energy = self.energy(&best.labels);
        let mut graph = FlowGraph::default();
        // The label that last lowered the energy: when its turn comes again, nothing has changed since.
        let mut last = None;
        let mut steps = MAX_STEPS;
        for _ in 0..cycles {
            let before = best.energy;
            for label in self.by_promise(&best.labels) {
                if last == Some(label) {
                    continue;
                }
                best.expansions += 1;
                let Ok((labels, left)) = self.expand(&best.labels, label, &mut graph, steps) else {
                    best.gave_up = true;
                    return best;
                };
                steps = left;
                let energy = self.energy(&labels);
                if energy < best.energy {
                    (best.labels, best.energy, last) = (labels, energy, Some(label));
                }
            }
            if best.energy == before {
                break;
            }
        }
        best
    }

    /// The labels, ordered by how much they can lower the costs of leaves.
    fn by_promise(&self, labels: &[u32]) -> Vec<u32> {
        let mut gains = vec![0 as Capacity; self.labels];
        for (leaf, &label) in labels.iter().enumerate() {
            let now = self.leaf_cost(leaf, label);
            let costs = &self.leaf_costs[leaf * self.labels..(leaf + 1) * self.labels];
            gains.iter_mut().zip(costs).for_each(|(gain, &cost)| *gain += (now - Capacity::from(cost)).max(0));
        }
        let mut order: Vec<u32> = (0..self.labels as u32).collect();
        order.sort_by_key(|&label| std::cmp::Reverse(gains[label as usize]));
        order
    }

    /// The best labelling in which each leaf keeps its label or takes `alpha`, and how many of the steps are left.
    ///
    /// # Errors
    /// The cut takes more than `steps` steps.
    pub fn expand(&self, labels: &[u32], alpha: u32, graph: &mut FlowGraph, steps: usize) -> Result<(Vec<u32>, usize), GaveUp> {
        graph.clear();
        // A leaf on the sink's side takes α.
        for (leaf, &label) in labels.iter().enumerate() {
            let node = graph.add_node();
            if label == alpha {
                graph.add_terminals(node, 0, NEVER);
            } else {
                graph.add_terminals(node, self.leaf_cost(leaf, alpha), self.leaf_cost(leaf, label));
            }
        }
        for &(p, q, cost) in &self.neighbours {
            let cost = Capacity::from(cost);
            if labels[p as usize] == labels[q as usize] {
                graph.add_edge(p, q, cost, cost);
            } else {
                // Paid unless both take α.
                graph.add_terminals(p, 0, cost);
                graph.add_edge(q, p, cost, 0);
            }
        }
        self.add_parents(labels, alpha, graph);
        graph.solve(steps)?;
        let moved = labels.iter().zip(0..).map(|(&label, leaf)| if graph.is_on_source_side(leaf) { label } else { alpha });
        Ok((moved.collect(), graph.steps_left()))
    }

    /// Adds two nodes for each inner node. If the first is on the sink's side, the inner node is visible with α; if the second is on the source's
    /// side, it is visible with its current label.
    fn add_parents(&self, labels: &[u32], alpha: u32, graph: &mut FlowGraph) {
        let common = self.common(labels);
        // Cost of being visible, except for that of the label: the edge above is paid, those below are not.
        let mut visible: Vec<Capacity> = self.inner_edges.iter().map(|edge| Capacity::from(*edge)).collect();
        if let Some(root) = visible.first_mut() {
            *root = 0;
        }
        for (&parent, &edge) in self.leaf_parents.iter().zip(&self.leaf_edges) {
            visible[parent as usize] -= Capacity::from(edge);
        }
        for node in 1..common.len() {
            visible[self.inner_parents[node] as usize] -= Capacity::from(self.inner_edges[node]);
        }
        let taking: Vec<u32> = common.iter().map(|_| graph.add_node()).collect();
        let keeping: Vec<Option<u32>> = common
            .iter()
            .map(|common| matches!(common, Common::Label(label) if *label != alpha).then(|| graph.add_node()))
            .collect();
        for (node, common) in common.iter().enumerate() {
            let cost = self.inner_cost(node, alpha) + visible[node];
            graph.add_terminals(taking[node], cost.max(0), (-cost).max(0));
            if let (Some(keeping), Common::Label(label)) = (keeping[node], *common) {
                let cost = self.inner_cost(node, label) + visible[node];
                graph.add_terminals(keeping, (-cost).max(0), cost.max(0));
            }
            if node > 0 {
                let parent = self.inner_parents[node] as usize;
                graph.add_edge(taking[node], taking[parent], NEVER, 0);
                if let (Some(above), Some(below)) = (keeping[parent], keeping[node]) {
                    graph.add_edge(above, below, NEVER, 0);
                }
            }
        }
        for (&parent, leaf) in self.leaf_parents.iter().zip(0..) {
            graph.add_edge(leaf, taking[parent as usize], NEVER, 0);
            if let Some(keeping) = keeping[parent as usize] {
                graph.add_edge(keeping, leaf, NEVER, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests;
