//! Groups of features that an ablation hides.

/// Groups of columns that can be hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// None.
    #[default]
    Nothing,
    /// Classes and ids.
    Names,
    /// Tags.
    Tags,
    /// Published rules.
    Rules,
    /// Repetition.
    Repeats,
    /// Neighbouring blocks.
    Neighbours,
    /// Position of long text.
    Places,
    /// The page type.
    PageTypes,
    /// Titles and headings.
    Headings,
}

impl Hidden {
    /// All groups.
    pub const ALL: [Hidden; 8] = [
        Hidden::Names,
        Hidden::Tags,
        Hidden::Rules,
        Hidden::Repeats,
        Hidden::Neighbours,
        Hidden::Places,
        Hidden::PageTypes,
        Hidden::Headings,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Hidden::Nothing => "nothing",
            Hidden::Names => "names",
            Hidden::Tags => "tags",
            Hidden::Rules => "rules",
            Hidden::Repeats => "repeats",
            Hidden::Neighbours => "neighbours",
            Hidden::Places => "places",
            Hidden::PageTypes => "page types",
            Hidden::Headings => "headings",
        }
    }

    /// Whether the group contains this column.
    pub(super) fn hides(self, column: &str) -> bool {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| column.starts_with(prefix));
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| column.ends_with(suffix));
        match self {
            Hidden::Nothing => false,
            Hidden::Names => starts(&["name weight"]) || column == "inside comments",
            Hidden::Tags => {
                const INSIDE: [&str; 20] = [
                    "article", "main", "nav", "header", "footer", "aside", "form", "ul", "ol", "table", "section", "figure", "dl",
                    "details", "li", "blockquote", "pre", "td", "button", "p",
                ];
                let inside = column.strip_prefix("inside ").is_some_and(|tag| INSIDE.contains(&tag));
                starts(&["tag of ", "same-tag siblings"]) || column == "inline element" || inside
            }
            Hidden::Rules => starts(&["content by "]) || column.contains("kept"),
            Hidden::Repeats => {
                starts(&["similar siblings", "same-tag siblings", "identical blocks", "repeated unit"])
                    || ends(&["repeated unit", "repeated units", " group", " path"])
                    || column.contains("group units")
            }
            Hidden::Neighbours => ends(&["previous block", "next block", " 3 blocks", " 8 blocks", " 20 blocks"]),
            Hidden::Places => {
                starts(&["Readability", "inside top-scored"])
                    || ["top level", "core container"].iter().any(|part| column.contains(part))
                    || (column.contains("main container") && !starts(&["tag of "]))
            }
            Hidden::PageTypes => ends(&["page probability"]),
            Hidden::Headings => {
                ends(&["in title", "title words", "headline", " heading"]) || starts(&["h1 count", "heading level"])
            }
        }
    }
}
