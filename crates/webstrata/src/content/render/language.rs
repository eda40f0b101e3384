//! The programming language of a listing, from the attributes and class names that highlighters and site generators write.

use crate::html::{Dom, Node, Tag};

/// Maximum number of enclosing elements searched for the language of a listing.
const AROUND: usize = 4;

/// Attributes whose value is the name of a language.
const ATTRIBUTES: [&str; 6] =
    ["data-language", "data-lang", "data-enlighter-language", "data-code-language", "data-tagsearch-lang", "lang"];

/// Prefixes of class names before the name of a language.
const PREFIXES: [&str; 14] = [
    "language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "mw-highlight-lang-", "brush:", "lang:", "src-",
    "sh_", "syntax-", "code-lang-", "type-", "hl-",
];

/// Classes of elements whose language is another class: `hljs rust`, `sourceCode python`.
const MARKERS: [&str; 15] = [
    "hljs", "highlight", "sourceCode", "src", "prettyprint", "chroma", "codehilite", "code", "prism-code", "shiki",
    "syntaxhighlighter", "syntax", "geshi", "highlighter-rouge", "notranslate",
];

/// Language names that pages use as class names.
const KNOWN: &[&str] = &[
    "abap", "abnf", "actionscript", "ada", "agda", "apache", "apacheconf", "apl", "applescript", "arduino", "armasm", "as3",
    "asciidoc", "asm", "aspnet", "autohotkey", "autoit", "avrasm", "awk", "bash", "bat", "batch", "bibtex", "bnf", "brainfuck",
    "c", "c++", "clojure", "cmake", "cobol", "coffee", "coffeescript", "coldfusion", "common-lisp", "console", "cpp", "crystal",
    "cs", "csh", "csharp", "cshtml", "css", "csv", "cuda", "cypher", "cython", "d", "dart", "delphi", "diff", "django", "docker",
    "dockerfile", "dos", "dot", "dotenv", "ebnf", "elisp", "elixir", "elm", "emacs-lisp", "erb", "erlang", "excel", "fish",
    "forth", "fortran", "fsharp", "gams", "gcode", "gherkin", "glsl", "gnuplot", "go", "golang", "gradle", "graphql", "groovy",
    "haml", "handlebars", "haskell", "haxe", "hcl", "hlsl", "html", "htmlbars", "http", "idl", "idris", "inform7", "ini", "io",
    "ipython", "ipython3", "irb", "java", "javafx", "javascript", "jinja", "jinja2", "js", "jscript", "json", "json5", "jsonc",
    "jsp", "jsx", "julia", "kotlin", "latex", "lean", "less", "liquid", "lisp", "livescript", "llvm", "lua", "makefile",
    "markdown", "markup", "mathematica", "matlab", "maxima", "md", "mermaid", "mips", "mma", "moonscript", "mysql", "nasm",
    "nginx", "nim", "nix", "node", "nsis", "objc", "objective-c", "objectivec", "ocaml", "octave", "openscad", "pascal", "patch",
    "perl", "pgsql", "php", "plantuml", "plpgsql", "plsql", "postgresql", "powershell", "prisma", "processing", "prolog",
    "properties", "proto", "protobuf", "ps1", "pseudocode", "pug", "puppet", "purescript", "py", "py3", "pycon", "pytb", "python",
    "python2", "python3", "qml", "r", "racket", "raku", "rb", "reason", "regex", "rest", "rex", "rexx", "ros", "rs", "rst", "ruby",
    "rust", "sas", "sass", "scala", "scheme", "scss", "sed", "sh", "shell", "shell-session", "smalltalk", "sml", "solidity",
    "sparql", "splunk", "sql", "stan", "stata", "svelte", "swift", "systemverilog", "tcl", "tcsh", "terraform", "tex", "textile",
    "thrift", "toml", "ts", "tsql", "tsx", "turtle", "twig", "typescript", "typst", "vala", "vb", "vbnet", "vbscript", "verilog",
    "vhdl", "vim", "viml", "vue", "wasm", "wast", "webidl", "wgsl", "x86asm", "xhtml", "xml", "xpath", "xquery", "yaml", "yml",
    "zig", "zsh",
];

/// The language of the listing `id`, or an empty string.
pub(super) fn of_listing(dom: &Dom<'_>, id: u32) -> String {
    let node = Node::new(dom, id);
    // From the inside out: `code` in `pre`, then `pre`, then the elements around it.
    let inside = node.descendants().take(24).filter(|n| matches!(n.tag(), Tag::CODE | Tag::PRE));
    // The language of a table of lines is that of its code cell, which is its last.
    let cell = (node.tag() == Tag::TABLE).then(|| node.descendants().rfind(|n| n.tag() == Tag::PRE)).flatten();
    let code = cell.into_iter().flat_map(|pre| pre.descendants().take(4).filter(|n| n.tag() == Tag::CODE).chain([pre]));
    let around = node.ancestors().take(AROUND).take_while(|n| is_around_listing(*n, node));
    code.chain(inside).chain([node]).chain(around).find_map(of_element).unwrap_or_default()
}

/// Whether an element contains little besides the listing.
fn is_around_listing(node: Node<'_>, listing: Node<'_>) -> bool {
    let size = |n: Node<'_>| n.dom().record(n.number()).end - n.number();
    !matches!(node.tag(), Tag::BODY | Tag::HTML | Tag::ARTICLE | Tag::MAIN) && size(node) <= size(listing).saturating_add(80)
}

/// The language that an element names. `Some("")` if it declares that there is none.
fn of_element(node: Node<'_>) -> Option<String> {
    let code = matches!(node.tag(), Tag::PRE | Tag::CODE);
    let attribute = ATTRIBUTES.iter().find_map(|name| {
        let value = node.attribute(name)?.trim().to_ascii_lowercase();
        // `lang` is a natural language, except on code.
        let is_language = match *name {
            "lang" => code && is_known(&value),
            _ => is_language_name(&value) && (code || is_known(&value)),
        };
        is_language.then_some(value)
    });
    let parameters = || node.attribute("data-syntaxhighlighter-params").and_then(|value| of_classes(&value, false));
    let class = || node.attribute("class").and_then(|class| of_classes(&class, code));
    attribute.or_else(parameters).or_else(class).map(|name| canonical(&name).to_owned())
}

/// The language among class names. Names without a prefix count if another class is a marker, or if `bare` is set.
fn of_classes(class: &str, bare: bool) -> Option<String> {
    let names = || class.split(|c: char| c.is_ascii_whitespace() || c == ';').filter(|name| !name.is_empty());
    let marked = bare || names().any(|name| MARKERS.contains(&name));
    let mut all = names().peekable();
    while let Some(name) = all.next() {
        // `brush: js`
        if matches!(name, "brush:" | "lang:") {
            return all.peek().map(|name| name.to_ascii_lowercase()).filter(|name| is_language_name(name));
        }
        let found = PREFIXES.iter().find_map(|prefix| name.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix)));
        if let Some(found) = found {
            let name = name[found.len()..].to_ascii_lowercase();
            // On other elements `lang-en` is a natural language.
            let certain =
                marked && !matches!(&*found.to_ascii_lowercase(), "highlight-" | "src-" | "sh_" | "syntax-" | "type-" | "hl-");
            if is_language_name(&name) && (certain || is_known(canonical(&name)) || is_none(&name)) {
                return Some(name);
            }
        }
    }
    names().filter(|_| marked).map(str::to_ascii_lowercase).find(|name| is_known(name))
}

fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok()
}

/// Whether a name means that the text is in no language.
fn is_none(name: &str) -> bool {
    matches!(
        name,
        "none"
            | "text"
            | "txt"
            | "plain"
            | "plaintext"
            | "plain-text"
            | "default"
            | "nohighlight"
            | "no-highlight"
            | "raw"
            | "auto"
            | "undefined"
            | "unknown"
            | "null"
            | "generic"
    )
}

/// The usual name of a language.
fn canonical(name: &str) -> &str {
    match name {
        name if is_none(name) => "",
        "python2" | "python3" | "py3" | "ipython" | "ipython2" | "ipython3" => "python",
        "jscript" => "javascript",
        "golang" => "go",
        "html-basic" | "htmlbars" => "html",
        "html-erb" => "erb",
        "emacs-lisp" => "elisp",
        // A template in another language: `html+django`.
        other => match other.split_once('+') {
            Some((outer, inner)) if !inner.trim_start_matches('+').is_empty() => outer,
            _ => other,
        },
    }
}

/// Whether `name` can be the name of a language.
fn is_language_name(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'#' | b'.' | b'_');
    !name.is_empty() && name.len() <= 24 && name.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_sorted() {
        assert!(KNOWN.is_sorted());
        assert!(KNOWN.iter().all(|name| is_language_name(name) && !is_none(name)));
    }

    #[test]
    fn languages_of_classes() {
        for (class, bare, want) in [
            ("language-rust", true, Some("rust")),
            ("hljs rust", false, Some("rust")),
            ("rust hljs", false, Some("rust")),
            ("highlight-python3 notranslate", false, Some("python3")),
            ("highlight-default notranslate", false, Some("default")),
            ("language-ruby highlighter-rouge", false, Some("ruby")),
            ("highlight highlight-source-c++", false, Some("c++")),
            ("highlight highlight-text-html-basic", false, Some("html-basic")),
            ("highlight python", false, Some("python")),
            ("rust rust-example-rendered", true, Some("rust")),
            ("brush: js; gutter: false", false, Some("js")),
            ("brush:php", false, Some("php")),
            ("lang:php decode:true", false, Some("php")),
            ("prism-code language-jsx", false, Some("jsx")),
            ("sourceCode haskell", false, Some("haskell")),
            ("src src-python", false, Some("python")),
            ("src src-attribute", false, None),
            ("blob-wrapper data type-rust", false, Some("rust")),
            ("highlight-html+django notranslate", false, Some("html+django")),
            ("lang-en", false, None),
            ("mw-highlight mw-highlight-lang-python", false, Some("python")),
            ("prettyprint lang-c", false, Some("c")),
            ("syntaxhighlighter nogutter  jscript", false, Some("jscript")),
            ("go", false, None),
            ("highlight-box", false, None),
            ("highlight", true, None),
        ] {
            assert_eq!(of_classes(class, bare).as_deref(), want, "{class}");
        }
        let names = ["python3", "default", "jscript", "c", "c++", "html+django"];
        assert_eq!(names.map(canonical), ["python", "", "javascript", "c", "c++", "html"]);
    }
}
