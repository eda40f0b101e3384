//! Compares expansions with all moves on all small trees, and energies with their definition.

use super::*;
use crate::block::outline::splitmix64;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = splitmix64(self.0);
        self.0 % limit
    }
    fn costs(&mut self, number: usize, limit: u64) -> Vec<u32> {
        (0..number).map(|_| self.below(limit) as u32).collect()
    }
}

/// All shapes of trees with `leaves` leaves in which every inner node has at least two children, as parents of inner nodes and of
/// leaves.
fn trees(leaves: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
    /// A leaf if it has no children.
    #[derive(Clone, Debug)]
    struct Tree(Vec<Tree>);
    fn of_size(leaves: usize) -> Vec<Tree> {
        if leaves == 1 { vec![Tree(Vec::new())] } else { several(leaves).into_iter().map(Tree).collect() }
    }
    /// All sequences of two or more trees.
    fn several(leaves: usize) -> Vec<Vec<Tree>> {
        let mut all = Vec::new();
        for first in 1..leaves {
            let mut rests = several(leaves - first);
            rests.extend(of_size(leaves - first).into_iter().map(|tree| vec![tree]));
            for tree in of_size(first) {
                all.extend(rests.iter().map(|rest| [vec![tree.clone()], rest.clone()].concat()));
            }
        }
        all
    }
    fn write(tree: &Tree, parent: u32, inner: &mut Vec<u32>, leaf: &mut Vec<u32>) {
        if tree.0.is_empty() {
            leaf.push(parent);
            return;
        }
        let own = inner.len() as u32;
        inner.push(if own == 0 { 0 } else { parent });
        tree.0.iter().for_each(|child| write(child, own, inner, leaf));
    }
    let shapes = of_size(leaves);
    let written = shapes.iter().map(|tree| {
        let (mut inner, mut leaf) = (Vec::new(), Vec::new());
        write(tree, 0, &mut inner, &mut leaf);
        (inner, leaf)
    });
    written.collect()
}

fn problem((inner, leaf): &(Vec<u32>, Vec<u32>), labels: usize, random: &mut Random) -> Problem {
    let leaves = leaf.len() as u32;
    let mut neighbours: Vec<(u32, u32, u32)> = (1..leaves).map(|q| (q - 1, q, random.below(60) as u32)).collect();
    neighbours.push((0, leaves - 1, random.below(60) as u32));
    Problem {
        labels,
        inner_parents: inner.clone(),
        inner_costs: random.costs(inner.len() * labels, 100),
        inner_edges: random.costs(inner.len(), 60),
        leaf_parents: leaf.clone(),
        leaf_costs: random.costs(leaf.len() * labels, 100),
        leaf_edges: random.costs(leaf.len(), 60),
        neighbours,
    }
}

/// The energy straight from the formula: all choices of visible nodes.
fn energy_by_definition(problem: &Problem, labels: &[u32]) -> Capacity {
    let inner = problem.inner_parents.len();
    let common = problem.common(labels);
    let fixed_costs: Capacity = (0..labels.len()).map(|leaf| problem.leaf_cost(leaf, labels[leaf])).sum::<Capacity>()
        + problem
            .neighbours
            .iter()
            .filter(|(p, q, _)| labels[*p as usize] != labels[*q as usize])
            .map(|n| Capacity::from(n.2))
            .sum::<Capacity>();
    let mut best = Capacity::MAX;
    for set in 0..1u32 << inner {
        let visible = |node: usize| set >> node & 1 == 1;
        let mut energy = fixed_costs;
        let mut allowed = true;
        for (node, &common) in common.iter().enumerate() {
            match (visible(node), common) {
                (true, Common::Label(label)) => energy += problem.inner_cost(node, label),
                (true, _) => allowed = false,
                (false, _) => {}
            }
            let parent = problem.inner_parents[node] as usize;
            if node > 0 && visible(parent) && !visible(node) {
                allowed = false;
            }
            if node > 0 && visible(node) && !visible(parent) {
                energy += Capacity::from(problem.inner_edges[node]);
            }
        }
        for (leaf, &parent) in problem.leaf_parents.iter().enumerate() {
            energy += if visible(parent as usize) { 0 } else { Capacity::from(problem.leaf_edges[leaf]) };
        }
        if allowed {
            best = best.min(energy);
        }
    }
    best
}

#[test]
fn the_number_of_trees_matches_schröder() {
    // Schröder's second problem (1870): bracketings of n letters.
    assert_eq!((1..=8).map(|leaves| trees(leaves).len()).collect::<Vec<_>>(), [1, 1, 3, 11, 45, 197, 903, 4279]);
}

#[test]
fn an_expansion_is_the_best_of_all_moves_on_every_small_tree() {
    let mut graph = FlowGraph::default();
    let mut random = Random(7);
    for leaves in 2..=8 {
        for tree in trees(leaves) {
            let problem = problem(&tree, 3, &mut random);
            let labels: Vec<u32> = (0..leaves).map(|_| random.below(3) as u32).collect();
            let alpha = random.below(3) as u32;
            let (moved, _) = problem.expand(&labels, alpha, &mut graph, usize::MAX).unwrap();
            let best = (0..1u32 << leaves)
                .map(|set| {
                    let choice: Vec<u32> =
                        labels.iter().enumerate().map(|(leaf, &label)| if set >> leaf & 1 == 1 { alpha } else { label }).collect();
                    problem.energy(&choice)
                })
                .min();
            assert_eq!(Some(problem.energy(&moved)), best, "{tree:?}");
        }
    }
}

#[test]
fn energies_follow_the_definition() {
    let mut random = Random(11);
    for leaves in 2..=6 {
        for tree in trees(leaves) {
            let problem = problem(&tree, 2, &mut random);
            for _ in 0..4 {
                let labels: Vec<u32> = (0..leaves).map(|_| random.below(2) as u32).collect();
                assert_eq!(problem.energy(&labels), energy_by_definition(&problem, &labels), "{tree:?} {labels:?}");
            }
        }
    }
}

#[test]
fn expansions_never_raise_the_energy_and_end_near_the_optimum() {
    let mut random = Random(3);
    let (mut found, mut all) = (0, 0);
    for tree in trees(6) {
        let problem = problem(&tree, 3, &mut random);
        let result = problem.minimise(10);
        assert!(result.energy <= problem.energy(&[0; 6]));
        assert_eq!(result.energy, problem.energy(&result.labels));
        let best = (0..729u32).map(|code| problem.energy(&(0..6).map(|leaf| code / 3u32.pow(leaf) % 3).collect::<Vec<_>>())).min();
        assert!(Some(result.energy) <= best.map(|best| 2 * best), "{tree:?}");
        found += usize::from(Some(result.energy) == best);
        all += 1;
    }
    assert!(found * 10 >= all * 8, "{found} of {all}");
}
