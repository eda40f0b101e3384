//! Names of programming languages.

/// Languages with their aliases.
const NAMES: &[(&str, &[&str])] = &[
    ("bash", &["sh", "shell", "console", "zsh", "shell-session", "sh-session", "shellsession"]),
    ("cpp", &["c++", "cc", "hpp"]),
    ("csharp", &["cs", "c#"]),
    ("diff", &["patch"]),
    ("dockerfile", &["docker"]),
    ("erlang", &["erl"]),
    ("go", &["golang"]),
    ("haskell", &["hs"]),
    ("html", &["html+django", "htmldjango", "xhtml"]),
    ("ini", &["cfg"]),
    ("javascript", &["js", "mjs", "cjs", "jsx", "node"]),
    ("json", &["json5", "jsonc"]),
    ("makefile", &["make"]),
    ("markdown", &["md"]),
    ("matlab", &["octave"]),
    ("perl", &["pl"]),
    ("powershell", &["ps1"]),
    ("python", &["python3", "py", "py3", "pycon", "ipython3", "ipython"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("sql", &["postgresql", "mysql", "sqlite"]),
    ("tex", &["latex"]),
    ("typescript", &["ts", "tsx"]),
    ("yaml", &["yml"]),
];

/// The canonical name of a language, in lower case.
pub(super) fn canonical(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let found = NAMES.iter().find(|(_, others)| others.contains(&name.as_str()));
    found.map_or(name, |(usual, _)| (*usual).to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn other_names_become_the_usual_one() {
        assert_eq!(["py", "C++", " Rust ", "brainfuck"].map(super::canonical), ["python", "cpp", "rust", "brainfuck"]);
    }
}
