//! Maximum flow and minimum cut by two search trees.
//!
//! Boykov, Kolmogorov: An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision, PAMI 2004.
//! One tree grows from the source, one from the sink; where they touch, there is a path to augment, and nodes that lose their
//! parent in the process look for another one. Distances to the terminals are kept with time stamps, so that new parents are close
//! to a terminal.
//!
//! It is implemented here because the available crates have only general algorithms (`petgraph` has Ford–Fulkerson and Dinic on its own
//! graph types), and because the cut graphs of one page are solved hundreds of times: buffers are reused, capacities are
//! integers, so that results are exact, and the work is bounded ([`FlowGraph::solve`] gives up after a number of steps). Tests
//! compare it with petgraph's Ford–Fulkerson and with all cuts of small graphs.

use std::collections::VecDeque;

/// A capacity in fixed point. Sums of all capacities of a page must fit; a limit on single costs ensures that.
pub type Capacity = i64;

/// Capacity of an edge that is never cut.
pub(super) const NEVER: Capacity = 1 << 50;

const NONE: u32 = u32::MAX;
/// Parent of a node that is attached to its terminal.
const TERMINAL: u32 = u32::MAX - 1;
/// Parent of a node that has lost it.
const ORPHAN: u32 = u32::MAX - 2;

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    next: u32,
    /// Residual capacity; the reverse edge is at the index with the last bit flipped.
    residual: Capacity,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tree {
    #[default]
    Free,
    Source,
    Sink,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    /// The edge to its parent, or one of the marks above.
    parent: u32,
    tree: Tree,
    active: bool,
    /// Residual capacity from the source if positive, to the sink if negative.
    terminal: Capacity,
    /// Time at which `distance` was computed.
    stamp: u32,
    distance: u32,
}

/// The flow was not found within the allowed number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// A graph with a source and a sink.
///
/// ```
/// use webstrata::segment::graphcut::FlowGraph;
/// let mut graph = FlowGraph::default();
/// let (a, b) = (graph.add_node(), graph.add_node());
/// graph.add_terminals(a, 5, 0);
/// graph.add_terminals(b, 0, 4);
/// graph.add_edge(a, b, 3, 0);
/// assert_eq!(graph.solve(1_000), Ok(3));
/// assert!(graph.is_on_source_side(a) && !graph.is_on_source_side(b));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FlowGraph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    flow: Capacity,
    active: VecDeque<u32>,
    orphans: VecDeque<u32>,
    time: u32,
    steps: usize,
}

impl FlowGraph {
    /// Removes all nodes and edges and keeps the buffers.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.active.clear();
        self.orphans.clear();
        (self.flow, self.time, self.steps) = (0, 0, 0);
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of edges, each with its two directions.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.edges.len() / 2
    }

    /// Adds a node and returns its number.
    pub fn add_node(&mut self) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { first: NONE, parent: NONE, tree: Tree::Free, active: false, terminal: 0, stamp: 0, distance: 0 });
        index
    }

    /// Adds capacity from the source to a node and from the node to the sink. The capacity common to both is saturated at once.
    pub fn add_terminals(&mut self, node: u32, from_source: Capacity, to_sink: Capacity) {
        let place = &mut self.nodes[node as usize].terminal;
        let (mut source, mut sink) = (from_source.max(0), to_sink.max(0));
        if *place > 0 {
            source += *place;
        } else {
            sink -= *place;
        }
        self.flow += source.min(sink);
        *place = source - sink;
    }

    /// Adds an edge with its capacities in both directions.
    pub fn add_edge(&mut self, from: u32, to: u32, forward: Capacity, backward: Capacity) {
        let index = self.edges.len() as u32;
        self.edges.push(Edge { to, next: self.nodes[from as usize].first, residual: forward });
        self.nodes[from as usize].first = index;
        self.edges.push(Edge { to: from, next: self.nodes[to as usize].first, residual: backward });
        self.nodes[to as usize].first = index + 1;
    }

    /// The maximum flow, which is the cost of the minimum cut.
    ///
    /// # Errors
    /// The flow takes more than `steps` steps (edges examined).
    pub fn solve(&mut self, steps: usize) -> Result<Capacity, GaveUp> {
        self.steps = steps;
        for index in 0..self.nodes.len() as u32 {
            let node = &mut self.nodes[index as usize];
            if node.terminal != 0 {
                node.tree = if node.terminal > 0 { Tree::Source } else { Tree::Sink };
                node.parent = TERMINAL;
                node.distance = 1;
                self.activate(index);
            }
        }
        while let Some(&node) = self.active.front() {
            if self.nodes[node as usize].parent == NONE {
                self.deactivate();
                continue;
            }
            match self.grow(node)? {
                None => self.deactivate(),
                Some(bridge) => {
                    self.time += 1;
                    self.augment(bridge)?;
                    while let Some(orphan) = self.orphans.pop_front() {
                        self.adopt(orphan)?;
                    }
                }
            }
        }
        Ok(self.flow)
    }

    /// Steps left over by the last solution.
    #[must_use]
    pub fn steps_left(&self) -> usize {
        self.steps
    }

    /// Whether a node is on the source's side of the minimum cut. Nodes that could be on either side are not.
    #[must_use]
    pub fn is_on_source_side(&self, node: u32) -> bool {
        self.nodes[node as usize].tree == Tree::Source
    }

    fn step(&mut self) -> Result<(), GaveUp> {
        self.steps = self.steps.checked_sub(1).ok_or(GaveUp)?;
        Ok(())
    }

    fn activate(&mut self, node: u32) {
        if !self.nodes[node as usize].active {
            self.nodes[node as usize].active = true;
            self.active.push_back(node);
        }
    }

    fn deactivate(&mut self) {
        if let Some(node) = self.active.pop_front() {
            self.nodes[node as usize].active = false;
        }
    }

    /// Whether flow can pass along an edge away from the source (in the source's tree) or towards the sink (in the sink's tree).
    fn open(&self, edge: u32, tree: Tree) -> bool {
        let edge = if tree == Tree::Source { edge } else { edge ^ 1 };
        self.edges[edge as usize].residual > 0
    }

    /// Grows a tree around a node. Returns an edge from the source's tree to the sink's, if one is found.
    fn grow(&mut self, from: u32) -> Result<Option<u32>, GaveUp> {
        let Node { tree, stamp, distance, .. } = self.nodes[from as usize];
        let mut edge = self.nodes[from as usize].first;
        while edge != NONE {
            self.step()?;
            if self.open(edge, tree) {
                let to = self.edges[edge as usize].to;
                let target = &mut self.nodes[to as usize];
                if target.tree == Tree::Free {
                    (target.tree, target.parent, target.stamp, target.distance) = (tree, edge ^ 1, stamp, distance + 1);
                    self.activate(to);
                } else if target.tree != tree {
                    return Ok(Some(if tree == Tree::Source { edge } else { edge ^ 1 }));
                } else if target.stamp <= stamp && target.distance > distance && target.parent != TERMINAL {
                    // The same tree, but closer to its terminal this way.
                    (target.parent, target.stamp, target.distance) = (edge ^ 1, stamp, distance + 1);
                }
            }
            edge = self.edges[edge as usize].next;
        }
        Ok(None)
    }

    /// Sends as much flow as possible along the path over `bridge`.
    fn augment(&mut self, bridge: u32) -> Result<(), GaveUp> {
        let mut amount = self.edges[bridge as usize].residual;
        let ends = [(self.edges[(bridge ^ 1) as usize].to, true), (self.edges[bridge as usize].to, false)];
        for (mut node, with_source) in ends {
            loop {
                self.step()?;
                let parent = self.nodes[node as usize].parent;
                if parent == TERMINAL {
                    amount = amount.min(self.nodes[node as usize].terminal.abs());
                    break;
                }
                // `parent` is the edge from the node to its parent; flow in the source's tree goes the other way.
                let along = if with_source { parent ^ 1 } else { parent };
                amount = amount.min(self.edges[along as usize].residual);
                node = self.edges[parent as usize].to;
            }
        }
        self.edges[bridge as usize].residual -= amount;
        self.edges[(bridge ^ 1) as usize].residual += amount;
        for (mut node, with_source) in ends {
            loop {
                let parent = self.nodes[node as usize].parent;
                if parent == TERMINAL {
                    let place = &mut self.nodes[node as usize].terminal;
                    *place += if with_source { -amount } else { amount };
                    if *place == 0 {
                        self.orphan(node);
                    }
                    break;
                }
                let along = if with_source { parent ^ 1 } else { parent };
                self.edges[along as usize].residual -= amount;
                self.edges[(along ^ 1) as usize].residual += amount;
                let next = self.edges[parent as usize].to;
                if self.edges[along as usize].residual == 0 {
                    self.orphan(node);
                }
                node = next;
            }
        }
        self.flow += amount;
        Ok(())
    }

    fn orphan(&mut self, node: u32) {
        self.nodes[node as usize].parent = ORPHAN;
        self.orphans.push_back(node);
    }

    /// Finds another parent for a node, or frees it.
    fn adopt(&mut self, orphan: u32) -> Result<(), GaveUp> {
        let tree = self.nodes[orphan as usize].tree;
        let (mut best, mut nearest) = (NONE, u32::MAX);
        let mut edge = self.nodes[orphan as usize].first;
        while edge != NONE {
            self.step()?;
            // From the candidate to the orphan in the source's tree, the other way in the sink's.
            if self.open(edge ^ 1, tree) {
                let candidate = self.edges[edge as usize].to;
                if self.nodes[candidate as usize].tree == tree
                    && let Some(distance) = self.distance(candidate)?
                    && distance < nearest
                {
                    (best, nearest) = (edge, distance);
                }
            }
            edge = self.edges[edge as usize].next;
        }
        if best != NONE {
            let node = &mut self.nodes[orphan as usize];
            (node.parent, node.stamp, node.distance) = (best, self.time, nearest + 1);
            return Ok(());
        }
        let mut edge = self.nodes[orphan as usize].first;
        while edge != NONE {
            self.step()?;
            let Edge { to, next, .. } = self.edges[edge as usize];
            let neighbour = self.nodes[to as usize];
            if neighbour.tree == tree {
                if self.open(edge ^ 1, tree) {
                    self.activate(to);
                }
                if neighbour.parent < ORPHAN && self.edges[neighbour.parent as usize].to == orphan {
                    self.orphan(to);
                }
            }
            edge = next;
        }
        let node = &mut self.nodes[orphan as usize];
        (node.tree, node.parent) = (Tree::Free, NONE);
        Ok(())
    }

    /// Distance from a node to the terminal of its tree; `None` if its path ends at an orphan. Stamps the path with the current time.
    fn distance(&mut self, from: u32) -> Result<Option<u32>, GaveUp> {
        let (mut node, mut length) = (from, 0);
        let known = loop {
            self.step()?;
            let Node { parent, stamp, distance, .. } = self.nodes[node as usize];
            if parent == ORPHAN || parent == NONE {
                return Ok(None);
            }
            if stamp == self.time {
                break length + distance;
            }
            length += 1;
            if parent == TERMINAL {
                let node = &mut self.nodes[node as usize];
                (node.stamp, node.distance) = (self.time, 1);
                break length;
            }
            node = self.edges[parent as usize].to;
        };
        let (mut node, mut distance) = (from, known);
        while self.nodes[node as usize].stamp != self.time {
            let place = &mut self.nodes[node as usize];
            (place.stamp, place.distance) = (self.time, distance);
            distance -= 1;
            node = self.edges[place.parent as usize].to;
        }
        Ok(Some(known))
    }
}

#[cfg(test)]
mod tests;
