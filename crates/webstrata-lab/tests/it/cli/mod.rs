//! The program: arguments, exit codes, standard output and standard error.

mod eval;
mod figures;
mod markdown;
mod reference;
mod train;
mod train_strata;
mod transcript;
