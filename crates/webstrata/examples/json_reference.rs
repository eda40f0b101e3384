//! Developer tool, not a tutorial. Writes the JSON reference: `cargo run -p webstrata --features json --example json_reference > docs/json.md`
#![allow(clippy::print_stdout, unreachable_pub, reason = "the result of a program; a module shared with a test")]

#[path = "../tests/it/record/reference.rs"]
mod reference;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", reference::reference()?);
    Ok(())
}
