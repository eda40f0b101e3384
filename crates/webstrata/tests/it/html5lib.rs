//! html5lib's tokenizer tests (`$WEBSTRATA_DATA/html5lib-tokenizer/*.test`), except those that do not apply.
//!
//! Not applicable: inputs with lone surrogates (a Rust string has none) and the file `xmlViolation`
//! (a different output mode). There are no known failures.

use crate::support::data;
use crate::support::tokens::{Switching, Token, ours, ours_inside, push_text};
use serde_json::Value;
use std::collections::BTreeMap;
use webstrata::html::token::TokenizerState;

/// Tests that may fail, as `(description, initial state, reason)`. None do.
const KNOWN_FAILURES: [(&str, &str, &str); 0] = [];

/// Minimum number of tests; with fewer, the files were not read.
const MIN_TESTS: usize = 7000;

/// An escape (`\u` and four digits) replaced by the character; None for a lone surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let digits = rest.get(at + 2..at + 6)?;
        out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = &rest[at + 6..];
    }
    out.push_str(rest);
    Some(out)
}

/// The expected tokens; None if they contain a lone surrogate.
fn expected(output: &Value, text: impl Fn(&str) -> Option<String>) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    for token in output.as_array()? {
        let field = |i: usize| text(token[i].as_str().unwrap_or_default());
        let optional = |i: usize| token[i].as_str().map(&text).map_or(Some(None), |t| t.map(Some));
        match token[0].as_str()? {
            "Character" => push_text(&mut tokens, &field(1)?),
            "Comment" => tokens.push(Token::Comment(field(1)?)),
            "EndTag" => tokens.push(Token::End(field(1)?)),
            "StartTag" => {
                let mut attributes = BTreeMap::new();
                for (name, value) in token[2].as_object()? {
                    attributes.insert(text(name)?, text(value.as_str()?)?);
                }
                tokens.push(Token::Start { name: field(1)?, attributes, self_closing: token[3] == true });
            }
            "DOCTYPE" => tokens.push(Token::Doctype {
                name: optional(1)?,
                public: optional(2)?,
                system: optional(3)?,
                force_quirks: token[4] == false,
            }),
            other => panic!("unknown token {other}"),
        }
    }
    Some(tokens)
}

fn run(input: &str, state: &str, last_start_tag: &str) -> Vec<Token> {
    let model = match state {
        "Data state" => return ours(input, Switching::Off),
        // CDATA sections exist in foreign content only; the section is read by hand, what follows it is data.
        "CDATA section state" => {
            let (inside, rest) = input.split_once("]]>").unwrap_or((input, ""));
            let mut tokens = Vec::new();
            push_text(&mut tokens, &inside.replace("\r\n", "\n").replace('\r', "\n"));
            for token in ours(rest, Switching::Off) {
                match token {
                    Token::Text(text) => push_text(&mut tokens, &text),
                    other => tokens.push(other),
                }
            }
            return tokens;
        }
        "RCDATA state" => TokenizerState::Rcdata,
        "RAWTEXT state" => TokenizerState::Rawtext,
        "Script data state" => TokenizerState::Script,
        "PLAINTEXT state" => TokenizerState::Plaintext,
        other => panic!("unknown state {other}"),
    };
    ours_inside(input, model, last_start_tag)
}

#[test]
fn html5lib_tokenizer_tests() {
    let Some(folder) = data::folder("html5lib-tokenizer") else { return };
    let (mut passed, mut surrogates, mut failures) = (0, 0, Vec::new());
    for file in data::files(&folder, "test") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let tests: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let Some(tests) = tests["tests"].as_array() else {
            println!("{name}: does not apply");
            continue;
        };
        let before = passed;
        for test in tests {
            let escaped = test["doubleEscaped"] == true;
            let text = |text: &str| if escaped { unescape(text) } else { Some(text.to_owned()) };
            let states: Vec<&str> = test["initialStates"]
                .as_array()
                .map_or(vec!["Data state"], |states| states.iter().filter_map(Value::as_str).collect());
            let (Some(input), Some(want)) = (text(test["input"].as_str().unwrap()), expected(&test["output"], text)) else {
                surrogates += states.len();
                continue;
            };
            let description = test["description"].as_str().unwrap_or_default();
            for state in states {
                let got = run(&input, state, test["lastStartTag"].as_str().unwrap_or_default());
                if got == want || KNOWN_FAILURES.iter().any(|known| (known.0, known.1) == (description, state)) {
                    passed += 1;
                } else {
                    failures.push(format!("{name}, {state}: {description}\n  input {input:?}\n  want  {want:?}\n  got   {got:?}"));
                }
            }
        }
        println!("{name}: {} passed", passed - before);
    }
    println!(
        "html5lib tokenizer tests: {passed} passed, {} failed, {surrogates} with lone surrogates do not apply",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(passed > MIN_TESTS, "only {passed} tests were found");
}
