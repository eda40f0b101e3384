//! PageRank: `r(t) = (1-a) jump(t) + a * sum over s->t of r(s) / out(s)`, by any jump vector, one or many at a time.
//!
//! Pages collect from their sources, so every value has one writer, and no thread waits for another. Within a round a page sees the
//! newest values of its own block of hosts ([`Order::GaussSeidel`]) and of the blocks that were swept before; nearly all
//! links stay within their block, so this takes about half the rounds of seeing the last round's only ([`Order::Jacobi`]). Both are
//! the same code. Blocks and their order do not depend on the number of threads, so ranks do not, to the bit.
//!
//! `solve.rs` has the equations, the end of the rounds and the bound on the error; `sweep.rs` the inner loop; `flow.rs` how a page
//! shares its rank among its links, evenly or by strata; `blocks.rs` what a thread sweeps at a time.

pub(super) mod blocks;
mod columns;
pub(super) mod flow;
pub(super) mod jump;
mod options;
mod output;
pub(super) mod solve;
pub(super) mod sweep;
#[cfg(test)]
mod tests;

pub use columns::write_page_table;
pub use jump::Jump;
pub use options::{DAMPING, Order, SelfLinks, SolveOptions, Surfer};
pub use output::{RankFormat, read_start, write, write_lines, write_residuals};
pub use solve::{Ranks, Round, solve, solve_many, solve_watched};
