//! Simulators: random authors and readers, with the probabilities of a law.

mod surfer;
mod writer;

pub use surfer::{Behaviour, Graph, Step, Surfer, Walk};
pub use writer::{SimulatedBlock, WriterModel};
