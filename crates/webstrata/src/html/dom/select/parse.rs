//! Selector parsing: text to steps, or to an error that says where and why.

use super::{Combinator, List, SelectorError, Step, Test};
use crate::html::Tag;
use cssparser::{BasicParseErrorKind, ParseErrorKind, Token};
use selectors::attr::ParsedAttrSelectorOperation;
use selectors::parser::{self, Component, ParseRelative, SelectorParseErrorKind as Kind};

/// Maximum nesting depth of brackets in a selector.
const MAX_NESTING: u8 = 32;

/// Compiles a list of selectors.
pub(super) fn compile(css: &str) -> Result<List, ParseErrorKind<Kind>> {
    compile_list(parse(css)?.slice()).ok_or(ParseErrorKind::Custom(Kind::ExpectedNamespace))
}

pub(super) fn parse(css: &str) -> Result<parser::SelectorList<Grammar>, ParseErrorKind<Kind>> {
    let mut input = cssparser::Parser::new(css);
    input.set_nested_block_limit(MAX_NESTING);
    parser::SelectorList::parse(&Grammar, &mut input, ParseRelative::No).map_err(|error| error.kind)
}

fn compile_list(list: &[parser::Selector<Grammar>]) -> Option<List> {
    list.iter().map(compile_one).collect()
}

/// A selector as steps from left to right; `None` if it has a namespace or belongs to a shadow tree.
fn compile_one(selector: &parser::Selector<Grammar>) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut step = Step { combinator: None, tests: Vec::new() };
    for component in selector.iter_raw_parse_order_from(0) {
        step.tests.push(match component {
            Component::Combinator(combinator) => {
                let combinator = match combinator {
                    parser::Combinator::Child => Combinator::Child,
                    parser::Combinator::Descendant => Combinator::Descendant,
                    parser::Combinator::NextSibling => Combinator::NextSibling,
                    parser::Combinator::LaterSibling => Combinator::LaterSibling,
                    _ => return None,
                };
                steps.push(std::mem::replace(&mut step, Step { combinator: Some(combinator), tests: Vec::new() }));
                continue;
            }
            Component::ExplicitUniversalType | Component::ExplicitAnyNamespace | Component::RelativeSelectorAnchor => continue,
            Component::LocalName(name) => match Tag::from_name(&name.lower_name.0) {
                Tag::OTHER => Test::Custom(name.lower_name.0.clone()),
                tag => Test::Known(tag),
            },
            Component::ID(id) => Test::Id(id.0.clone()),
            Component::Class(class) => Test::Class(class.0.clone()),
            Component::AttributeInNoNamespaceExists { local_name, .. } => Test::Attribute(local_name.0.clone(), None),
            Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
                Test::Attribute(local_name.0.clone(), Some((*operator, *case_sensitivity, value.0.clone())))
            }
            Component::AttributeOther(other) => {
                let operation = match &other.operation {
                    ParsedAttrSelectorOperation::Exists => None,
                    ParsedAttrSelectorOperation::WithValue { operator, case_sensitivity, value } => {
                        Some((*operator, *case_sensitivity, value.0.clone()))
                    }
                };
                Test::Attribute(other.local_name.0.clone(), operation)
            }
            Component::Root => Test::Root,
            Component::Scope => Test::Scope,
            Component::Empty => Test::Empty,
            Component::Nth(nth) => Test::Nth(*nth, None),
            Component::NthOf(nth) => Test::Nth(*nth.nth_data(), Some(compile_list(nth.selectors())?)),
            Component::Is(list) | Component::Where(list) => Test::Any(compile_list(list.slice())?),
            Component::Negation(list) => Test::Not(compile_list(list.slice())?),
            Component::Has(list) => {
                // The first step is the element itself.
                let below = |relative: &parser::RelativeSelector<Grammar>| {
                    Some(compile_one(&relative.selector)?.into_iter().skip(1).collect())
                };
                Test::Has(list.iter().map(below).collect::<Option<List>>()?)
            }
            _ => return None,
        });
    }
    steps.push(step);
    // Cheap tests first, to leave fewer elements for the others.
    steps.iter_mut().for_each(|step| step.tests.sort_by_key(Test::cost));
    Some(steps)
}

impl Test {
    fn cost(&self) -> u8 {
        match self {
            Test::Known(_) | Test::Custom(_) | Test::Root | Test::Scope | Test::Empty => 0,
            Test::Id(_) | Test::Class(_) | Test::Attribute(..) => 1,
            Test::Nth(..) | Test::Any(_) | Test::Not(_) | Test::Has(_) => 2,
        }
    }
}

/// The types that the `selectors` crate needs to represent a selector.
#[derive(Clone, Debug)]
pub(super) struct Grammar;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(pub(super) String);

impl From<&str> for Word {
    fn from(word: &str) -> Self {
        Word(word.to_owned())
    }
}

impl cssparser::ToCss for Word {
    fn to_css<W: std::fmt::Write>(&self, dest: &mut W) -> std::fmt::Result {
        cssparser::serialize_identifier(&self.0, dest)
    }
}

impl precomputed_hash::PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        0 // Only the crate's own matching uses it.
    }
}

/// The empty type: there are no pseudo-classes or pseudo-elements beyond those of the `selectors` crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Nothing {}

impl cssparser::ToCss for Nothing {
    fn to_css<W: std::fmt::Write>(&self, _: &mut W) -> std::fmt::Result {
        match *self {}
    }
}

impl parser::PseudoElement for Nothing {}

impl parser::NonTSPseudoClass for Nothing {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl parser::SelectorImpl for Grammar {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = Word;
    type BorrowedLocalName = Word;
    type NonTSPseudoClass = Nothing;
    type PseudoElement = Nothing;
}

impl parser::Parser<'_> for Grammar {
    type Impl = Grammar;
    type Error = Kind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    // A selector that silently matches nothing because of a typo inside `:is()` helps nobody.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

/// CSS pseudo-classes that depend on the user, scripts or the network.
const STATES: [&str; 38] = [
    "active", "any-link", "autofill", "blank", "checked", "closed", "default", "defined", "disabled", "enabled", "focus",
    "focus-visible", "focus-within", "fullscreen", "hover", "in-range", "indeterminate", "invalid", "link", "local-link", "modal",
    "muted", "open", "optional", "out-of-range", "paused", "placeholder-shown", "playing", "popover-open", "read-only",
    "read-write", "required", "target", "target-within", "user-invalid", "user-valid", "valid", "visited",
];

/// Locates a parse error and explains the remedy.
pub(super) fn explain(css: &str, kind: &ParseErrorKind<Kind>) -> SelectorError {
    let at = locate(css);
    // The parser reports an invalid pseudo-class at its name, but it starts at the colon before the name.
    let start = css.get(..at).map_or(0, |before| before.trim_end_matches(':').len());
    let (selector, pseudo) = (css.to_owned(), css.get(start..).unwrap_or_default());
    let name: String =
        pseudo.trim_start_matches(':').chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    let column = |at: usize| css.get(..at).map_or(1, |before| before.chars().count() + 1);
    let nested = matches!(kind, ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks));
    if pseudo.starts_with(':') && !name.is_empty() && !nested {
        let (column, lower) = (column(start), name.to_ascii_lowercase());
        return if pseudo.starts_with("::") || parser::is_css2_pseudo_element(&name) {
            SelectorError::PseudoElement { selector, column, name }
        } else if STATES.contains(&lower.as_str()) {
            SelectorError::State { selector, column, name }
        } else {
            SelectorError::PseudoClass { selector, column, name }
        };
    }
    // Either the selector is incomplete here, or the next token cannot start one.
    let missing = css.get(at..).is_none_or(|rest| rest.is_empty() || rest.starts_with([',', ')', '>', '+', '~']));
    let (what, remedy) = match kind {
        ParseErrorKind::Custom(Kind::EmptySelector) if missing => ("a selector is missing", "write one, or `*` for any element"),
        ParseErrorKind::Custom(Kind::DanglingCombinator) if missing => {
            ("nothing follows the combinator", "name the element or drop the combinator")
        }
        ParseErrorKind::Custom(Kind::ClassNeedsIdent) => ("no class name follows the dot", "write `.name`"),
        ParseErrorKind::Custom(Kind::PseudoElementExpectedIdent) => {
            ("no name follows the colon", "write `:name`, or `\\:` for a colon in a name")
        }
        ParseErrorKind::Custom(Kind::ExpectedNamespace | Kind::ExplicitNamespaceUnexpectedToken) => {
            ("namespaces are not supported", "leave out the prefix, or write `\\:` for a colon in a name")
        }
        ParseErrorKind::Custom(
            Kind::NoQualifiedNameInAttributeSelector
            | Kind::InvalidQualNameInAttr
            | Kind::ExpectedBarInAttr
            | Kind::UnexpectedTokenInAttributeSelector
            | Kind::BadValueInAttr,
        ) => ("this is not an attribute selector", "write `[name]` or `[name=\"value\"]` with `=`, `~=`, `|=`, `^=`, `$=` or `*=`"),
        _ if nested => ("brackets are nested more than 32 deep", "nest them less"),
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => ("something is missing here", "complete the selector"),
        _ => (
            "this is not allowed here",
            "quote a value; in a name, escape the character with `\\` and a digit at its start as `\\31 `",
        ),
    };
    SelectorError::Syntax { selector, column: column(at), what, remedy }
}

/// Byte offset of the first token with which no selector can continue. (The parser does not report it.)
fn locate(css: &str) -> usize {
    /// One of these completes any prefix of a selector that ends with a token.
    const ENDINGS: [&str; 5] = ["", "*", "x", "root", "1"];
    let mut ends = Vec::new();
    token_starts(&mut cssparser::Parser::new(css), &mut ends);
    let is_prefix = |end: &usize| {
        css.get(..*end).is_some_and(|start| ENDINGS.iter().any(|ending| compile(&format!("{start}{ending}")).is_ok()))
    };
    let failing = ends.partition_point(is_prefix);
    ends.get(failing.saturating_sub(1)).copied().unwrap_or(css.len())
}

/// Offsets where tokens start, including those inside brackets, and where brackets and the text end.
fn token_starts(input: &mut cssparser::Parser<'_>, starts: &mut Vec<usize>) {
    loop {
        starts.push(input.position().byte_index());
        match input.next_including_whitespace_and_comments() {
            Ok(Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock) => {
                // Brackets nested too deep are skipped.
                let _: Result<(), cssparser::ParseError<()>> = input.parse_nested_block(|inner| {
                    token_starts(inner, starts);
                    Ok(())
                });
            }
            Ok(_) => {}
            Err(_) => return,
        }
    }
}
