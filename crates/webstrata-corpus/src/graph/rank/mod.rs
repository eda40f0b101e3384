//! PageRank: `r(t) = (1-a) jump(t) + a * sum over s->t of r(s) / out(s)`, by any jump vector, one or many at a time.
//!
//! Pages collect from their predecessors, so every value has one writer, and no thread waits for another. Within a round a page sees the
//! newest values of its own block of hosts ([`Solver::GaussSeidel`]) and of the blocks that were swept before; nearly all
//! links stay within their block, so this takes about half the rounds of seeing the last round's only ([`Solver::Jacobi`]). Both are
//! the same code. Blocks and their order do not depend on the number of threads, so ranks do not, to the bit.
//!
//! `solve.rs` has the equations, the end of the rounds and the bound on the error; `sweep.rs` the inner loop; `flow.rs` how a page
//! shares its rank among its links, evenly or by strata; `blocks.rs` what a thread sweeps at a time.

pub(super) mod blocks;
mod options;
mod output;
mod parquet;
pub(super) mod preference;
pub(super) mod solve;
pub(super) mod sweep;
#[cfg(test)]
mod tests;
pub(super) mod weights;

pub use options::{DAMPING, LinkWeights, SelfLinks, SolveOptions, Solver};
pub use output::{RankFormat, read_start, write, write_lines, write_residuals};
pub use parquet::write_page_table;
pub use preference::Preference;
pub use solve::{Iteration, Ranks, solve, solve_many, solve_with_progress};
