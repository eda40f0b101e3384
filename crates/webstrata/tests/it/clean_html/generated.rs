//! Pages generated from the pieces of attacks.

use super::{all, attacks, check};
use proptest::prelude::*;
use webstrata::label::Preset;

fn piece() -> impl Strategy<Value = String> {
    let attacks = attacks::all();
    let names = prop::sample::select(attacks::NAMES);
    let values = prop::sample::select(attacks::VALUES);
    let attributes = prop::sample::select(attacks::ATTRIBUTES);
    prop_oneof![
        3 => names.clone().prop_map(|name| format!("<{name}>")),
        3 => names.clone().prop_map(|name| format!("</{name}>")),
        3 => (names, attributes, values, prop::sample::select(&["\"", "'", "", "`", "\" \"", "'\""][..]))
            .prop_map(|(name, attribute, value, quote)| format!("<{name} {attribute}={quote}{value}{quote}>")),
        2 => prop::sample::select(attacks::BETWEEN_TAGS).prop_map(str::to_owned),
        1 => prop::sample::select(attacks),
        2 => "\\PC{0,12}",
        1 => "[<>&;\"'=/!a-z#x0-9 -]{0,16}",
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_of_pieces_are_clean(pieces in prop::collection::vec(piece(), 0..24), noscript in any::<bool>()) {
        let html = format!("<p>before {} <p>end", pieces.concat());
        let result = check(html.as_bytes(), Preset::KeepEverything, &all(), noscript);
        prop_assert!(result.is_ok(), "{html}\n--- {}", result.unwrap_err());
    }
}
