//! Simulators: authors and readers who decide by chance, with the probabilities of a law.

mod surfer;
mod writer;

pub use surfer::{Behaviour, Graph, Step, Surfer, Walk};
pub use writer::{SimulatedBlock, WriterModel};
