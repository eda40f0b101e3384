//! PageRank: `r(t) = (1-a) v(t) + a * sum over s->t of r(s) / out(s)`, for any preference vector v, one or many at a time.
//!
//! Pages pull from their predecessors, so every value has one writer and threads need no locks. Within an iteration a page reads
//! the newest values of its own block of hosts and of blocks swept earlier ([`Solver::GaussSeidel`]); nearly all links stay
//! within their block, so this takes about half the iterations of reading only the previous iteration ([`Solver::Jacobi`]). Both
//! share the same code. Blocks and their order do not depend on the number of threads, so ranks are bit-identical.
//!
//! `solve.rs` has the equations, the stopping rule and the error bound; `sweep.rs` the inner loop; `weights.rs` how a page divides
//! its rank among its links, evenly or by strata; `blocks.rs` the units of parallel work, and `iteration.rs` runs over them.
//! `parts/` is for engines that keep the parts of a graph in different processes.
//! `surfer.rs` and `states.rs` are for a surfer who chooses a kind of link before the link, and remembers it.

mod arrivals;
pub(super) mod blocks;
pub(super) mod iteration;
mod options;
mod output;
mod parquet;
pub mod parts;
pub(super) mod preference;
pub(super) mod solve;
mod states;
mod surfer;
#[cfg(test)]
mod surfer_tests;
pub(super) mod sweep;
#[cfg(test)]
mod tests;
pub(super) mod weights;

pub use arrivals::{Arrivals, write_arrivals};
pub use options::{DAMPING, LinkWeights, SelfLinks, SolveOptions, Solver};
pub use output::{RankFormat, read_start, write, write_lines, write_residuals};
pub use parquet::write_page_table;
pub use preference::Preference;
pub use solve::{Iteration, Ranks, solve, solve_many, solve_with_progress};
pub use surfer::{Choice, MissingLinkRule, Surfer};
