//! The stratified random surfer (thesis, figure 5.2): first decides whether to stay on the site, leave it or jump, then takes a link.
//!
//! With the thesis' `α`, `β` and `γ`: in state I (browsing inside) the surfer stays inside with probability `α·β` and leaves with
//! `α·(1 - β)`; in state E (outside) the surfer leaves again with `α·γ` and returns to links inside with `α·(1 - γ)`; otherwise the
//! surfer jumps. The thesis prints `(1 - α)·(1 - β)` and `(1 - α)·(1 - γ)` for jumps, but then rows do not sum to 1; with the remaining
//! probability, `1 - α`, they do.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use webstrata_corpus::io::Random;

/// The surfer's probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surfer {
    /// Probability of following a link, `α`.
    pub browse: f64,
    /// Probability of staying inside after a link inside, `β`.
    pub stay: f64,
    /// Probability of taking another link outside after one, `γ`.
    pub roam: f64,
}

impl Default for Surfer {
    /// PageRank's surfer, who does not distinguish the two kinds of links.
    fn default() -> Self {
        Surfer { browse: 0.85, stay: 0.5, roam: 0.5 }
    }
}

/// The surfer's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// A jump to any page.
    Jump,
    /// A link within the site.
    Inside,
    /// A link to another site.
    Outside,
}

/// Pages and their links, within the site and out of it.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
    links: Vec<[Vec<u32>; 2]>,
}

impl Graph {
    /// Adds a link; pages are added as they appear.
    pub fn link(&mut self, source: &str, target: &str, same_host: bool) {
        let (source, target) = (self.number(source), self.number(target));
        self.links[source as usize][usize::from(!same_host)].push(target);
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.links.push([Vec::new(), Vec::new()]);
        number
    }

    /// Number of pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// A step of a walk: a page and how the surfer got there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The surfer's move.
    pub behaviour: Behaviour,
    /// The page.
    pub page: &'a str,
}

/// An endless walk.
#[derive(Debug)]
pub struct Walk<'a> {
    surfer: Surfer,
    graph: &'a Graph,
    random: Random,
    state: Behaviour,
    page: u32,
}

impl Surfer {
    /// The surfer's next move, given the last one and whether the page has links inside and outside. If there is no link of the chosen
    /// kind, the surfer takes one of the other kind, and jumps if there is none of either.
    fn next(&self, state: Behaviour, has: [bool; 2], random: &mut Random) -> Behaviour {
        if random.unit() >= self.browse || has == [false, false] {
            return Behaviour::Jump;
        }
        // After a jump, each kind is as likely as staying in it.
        let inside = match state {
            Behaviour::Inside => self.stay,
            Behaviour::Outside => 1.0 - self.roam,
            Behaviour::Jump => self.stay / (self.stay + self.roam).max(f64::MIN_POSITIVE),
        };
        match (random.unit() < inside, has) {
            (true, [true, _]) | (false, [true, false]) => Behaviour::Inside,
            _ => Behaviour::Outside,
        }
    }

    /// A walk over a graph, determined by its number. It has no steps if there are no pages.
    #[must_use]
    pub fn walk<'a>(&self, graph: &'a Graph, number: u64) -> Walk<'a> {
        let random = Random::for_name("stratified random surfer", number);
        Walk { surfer: *self, graph, random, state: Behaviour::Jump, page: u32::MAX }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.graph.is_empty() {
            return None;
        }
        let links = self.graph.links.get(self.page as usize);
        self.state = match links {
            None => Behaviour::Jump,
            Some(links) => self.surfer.next(self.state, [0, 1].map(|kind| !links[kind].is_empty()), &mut self.random),
        };
        self.page = match (self.state, links) {
            (Behaviour::Inside, Some(links)) => links[0][self.random.below(links[0].len())],
            (Behaviour::Outside, Some(links)) => links[1][self.random.below(links[1].len())],
            _ => self.random.below(self.graph.len()) as u32,
        };
        Some(Step { behaviour: self.state, page: &self.graph.names[self.page as usize] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_chosen_first() {
        // One link inside, nine outside: a surfer who stays with .9 stays in 90% of the steps from inside, not in 50%.
        let mut graph = Graph::default();
        for page in 0..10 {
            graph.link(&format!("a/{page}"), &format!("a/{}", (page + 1) % 10), true);
            for other in 0..9 {
                graph.link(&format!("a/{page}"), &format!("a/{}", (page + other) % 10), false);
            }
        }
        let surfer = Surfer { browse: 1.0, stay: 0.9, roam: 0.1 };
        let steps: Vec<Behaviour> = surfer.walk(&graph, 1).take(40_000).map(|step| step.behaviour).collect();
        let inside = steps.windows(2).filter(|pair| pair[0] == Behaviour::Inside).collect::<Vec<_>>();
        let stayed = inside.iter().filter(|pair| pair[1] == Behaviour::Inside).count() as f64 / inside.len() as f64;
        assert!((stayed - 0.9).abs() < 0.01, "{stayed}");
        assert_eq!(steps[0], Behaviour::Jump);
        assert!(!steps[1..].contains(&Behaviour::Jump));
    }

    #[test]
    fn walks_repeat_and_dead_ends_jump() {
        let mut graph = Graph::default();
        graph.link("a", "b", true);
        let surfer = Surfer { browse: 1.0, stay: 1.0, roam: 0.0 };
        let walk = |number| surfer.walk(&graph, number).take(50).map(|step| (step.behaviour, step.page)).collect::<Vec<_>>();
        assert_eq!(walk(3), walk(3));
        // Page b has no links: the next step is a jump.
        assert!(walk(3).windows(2).all(|pair| pair[0].1 != "b" || pair[1].0 == Behaviour::Jump));
        assert_eq!(surfer.walk(&Graph::default(), 0).next(), None);
    }
}
