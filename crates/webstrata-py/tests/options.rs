//! The options in Rust and in Python are the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_option_has_a_default_a_type_and_a_meaning() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let rust = read("src/options.rs");
    let fields = rust.split_once("struct Keywords {").and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
    let fields: BTreeSet<&str> = fields.lines().filter_map(|line| line.trim().split_once(": ").map(|(name, _)| name)).collect();
    let python = read("python/webstrata/_options.py");
    let keys = python.split_once("DEFAULTS: Options = {").and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
    let keys: BTreeSet<&str> =
        keys.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once('"').map(|(name, _)| name)).collect();
    assert_eq!(fields, keys);
    let (documentation, types) = python.split_once("class Options(").unwrap();
    for name in keys {
        assert!(types.contains(&format!("    {name}: ")), "{name} has no type");
        assert!(documentation.contains(name), "{name} is not documented");
    }
}
