//! How a surfer arrives at pages: by jumps, and over which links.

use super::super::{Graph, GraphError, Stratum, adjacency};
use super::weights::{LinkCursor, OWN_STRATUM};
use std::path::Path;

/// Shares of a surfer's arrivals at pages. Jumps and links that stay or leave add up to 1, and so do jumps and strata.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arrivals {
    /// By jumps: random ones, and those from pages where there is no link to follow.
    pub jump: f64,
    /// Over links that stay on their host.
    pub inside: f64,
    /// Over links that leave their host.
    pub outside: f64,
    /// Over links by stratum, in the order of [`Stratum::ALL`].
    pub strata: [f64; 8],
}

/// Sums the rank that links carry. `own` is what a self-link returns to its page; `link` is called in the order of the adjacency
/// lists, with the target, the source, whether the link stays on its host (1) or not (0), and its stratum.
pub(super) fn count(
    graph: &Graph,
    own: impl Fn(usize) -> f64,
    mut link: impl FnMut(usize, usize, (usize, usize)) -> f64,
) -> Arrivals {
    let mut sides = [0.0; 2];
    let mut strata = [0.0; 8];
    let mut cursor = LinkCursor::new(graph, 0, 0);
    let (mut rest, _) = graph.adjacency_from(0);
    for page in 0..graph.num_pages() {
        cursor.page(page);
        for source in adjacency::take(&mut rest).predecessors(page as u32) {
            let source = source as usize;
            let (side, stratum) = cursor.next(source);
            let much = link(page, source, (side, stratum));
            sides[side] += much;
            strata[stratum] += much;
        }
        let back = own(page);
        sides[1] += back;
        strata[OWN_STRATUM] += back;
    }
    let [outside, inside] = sides;
    Arrivals { jump: (1.0 - inside - outside).max(0.0), inside, outside, strata }
}

/// Writes arrivals as CSV, `arrival,share`: jumps, hosts if they are known, and strata if they are.
///
/// # Errors
/// If the file cannot be written.
pub fn write_arrivals(path: &Path, graph: &Graph, arrivals: &Arrivals) -> Result<(), GraphError> {
    let mut rows = vec![("jump", arrivals.jump)];
    if graph.has_hosts() {
        rows.extend([("inside", arrivals.inside), ("outside", arrivals.outside)]);
    }
    if graph.has_strata() {
        rows.extend(Stratum::ALL.iter().map(|stratum| stratum.name()).zip(arrivals.strata));
    }
    let lines = rows.iter().map(|(name, share)| format!("{name},{share}\n"));
    let text: String = std::iter::once("arrival,share\n".to_owned()).chain(lines).collect();
    crate::io::write_atomically(path, text.as_bytes())?;
    Ok(())
}
