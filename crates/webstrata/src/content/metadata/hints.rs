//! Hints from class names, addresses and first words.

/// Whether it is a word that introduces a name.
pub(super) fn introduces_name(word: &str) -> bool {
    let word = word.trim_end_matches(':');
    ["by", "written", "posted", "started", "author", "authors", "article", "words", "story", "contributors"]
        .iter()
        .any(|by| word.eq_ignore_ascii_case(by))
}

/// Whether it contains a four-digit year since 1990.
pub(super) fn has_year(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|w| (w.starts_with(b"20") || w.starts_with(b"199")) && w[2..].iter().all(u8::is_ascii_digit))
}

/// Whether it starts with a word that introduces a date.
pub(super) fn introduces_date(text: &str) -> bool {
    let text = text.to_lowercase();
    ["published", "posted", "date", "written", "updated", "last updated", "created"].iter().any(|verb| text.starts_with(verb))
}

/// Whether it is the address of an author's page.
pub(super) fn is_author_address(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or("").trim_end_matches('/');
    let named = |part: &str| matches!(part, "author" | "authors" | "contributor" | "contributors" | "writers" | "team-members");
    // A name has to follow.
    path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').skip(1).any(named))
}

/// Whether it is the address of a well-known licence.
pub(super) fn is_license_address(href: &str) -> bool {
    href.contains("creativecommons.org/licenses/") || href.contains("creativecommons.org/publicdomain/")
}

/// The first four letters of everything that [`Hints`] looks for. Most names have none of them and need no further pass.
const STARTS: [[u8; 4]; 35] = [
    *b"auth", *b"byli", *b"writ", *b"user", *b"nick", *b"publ", *b"post", *b"pubd", *b"entr", *b"upda", *b"modi", *b"date",
    *b"time", *b"comm", *b"rela", *b"foot", *b"reco", *b"popu", *b"tren", *b"news", *b"brea", *b"side", *b"widg", *b"navi",
    *b"navb", *b"nav-", *b"nav_", *b"menu", *b"nav ", *b"head", *b"titl", *b"p-na", *b"dt-p", *b"test", *b"revi",
];

/// The first letters of [`STARTS`] in both cases.
const FIRST: [bool; 256] = {
    let mut seen = [false; 256];
    let mut at = 0;
    while at < STARTS.len() {
        seen[STARTS[at][0] as usize] = true;
        seen[STARTS[at][0].to_ascii_uppercase() as usize] = true;
        at += 1;
    }
    seen
};

/// Whether a value contains any of [`STARTS`], ignoring case. White space and the end of the value count as a space.
fn has_start(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.iter().enumerate().any(|(at, first)| {
        FIRST[usize::from(*first)] && {
            let byte_at = |k: usize| bytes.get(at + k).map_or(b' ', |b| b.to_ascii_lowercase().max(b' '));
            let word = u32::from_be_bytes([byte_at(0), byte_at(1), byte_at(2), byte_at(3)]);
            STARTS.iter().any(|start| u32::from_be_bytes(*start) == word)
        }
    })
}

/// What the classes and ids of an element hint at.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Rank as an author's name, if it looks like one.
    pub(super) author: Option<u8>,
    pub(super) date: bool,
    pub(super) published: bool,
    pub(super) modified: bool,
    /// The title of the article.
    pub(super) title: bool,
    /// Outside the content: comments, related pages, navigation.
    pub(super) aside: bool,
}

/// Parts of class names next to `author` that rule out the name itself.
const NOT_NAMES: [&str; 26] = [
    "avatar", "image", "img", "photo", "picture", "bio", "about", "desc", "social", "share", "follow", "role", "job", "date",
    "time", "archive", "count", "icon", "posts", "prefix", "label", "comment", "authori", "search", "tooltip", "position",
];

impl Hints {
    /// Reads the value of a class, id or similar attribute.
    pub(super) fn read(&mut self, value: &str) {
        if !has_start(value) {
            return;
        }
        for token in value.split_ascii_whitespace().take(24) {
            self.token(&token.to_ascii_lowercase());
        }
    }

    fn token(&mut self, token: &str) {
        if token.len() > 80 {
            return;
        }
        let has = |part: &str| token.contains(part);
        let names_author = has("author") || has("byline") || has("written-by") || has("writer");
        let dated = token.ends_with("date-author") || token.ends_with("date-and-author") || token.ends_with("author-date");
        if names_author && (dated || !NOT_NAMES.iter().any(|part| has(part))) {
            let rank = if has("name") {
                51
            } else if token.ends_with("author") || token.ends_with("byline") {
                52
            } else {
                55
            };
            self.author = Some(self.author.map_or(rank, |r| r.min(rank)));
        } else if has("username") || has("user-name") || has("nickname") {
            self.author.get_or_insert(59);
        }
        self.title |= matches!(token, "p-name" | "headline")
            || ["entry-title", "post-title", "article-title", "story-title", "article-headline", "story-headline", "article_title"]
                .iter()
                .any(|end| token.ends_with(end));
        let published = has("publish") || has("posted") || has("pubdate") || has("entry-date") || has("post-date");
        self.modified |= has("update") || has("modified");
        self.published |= published;
        self.date |= published || token == "date" || token.ends_with("date") || has("date-") || has("timestamp") || token == "time";
        self.aside |=
            ["comment", "related", "footer", "recommend", "popular", "trending", "newsletter", "breadcrumb", "testimonial"]
                .iter()
                .any(|part| has(part))
                || matches!(
                    token,
                    "reviews"
                        | "customer-reviews"
                        | "product-reviews"
                        | "sidebar"
                        | "widget"
                        | "widget-area"
                        | "sidebar-right"
                        | "sidebar-left"
                        | "right-sidebar"
                        | "left-sidebar"
                )
                || token.split(['-', '_']).any(|part| matches!(part, "nav" | "menu" | "navbar" | "navigation"));
    }
}
