//! What class names, addresses and first words hint at.

/// Is it a word that stands before a name?
pub(super) fn is_by(word: &str) -> bool {
    let word = word.trim_end_matches(':');
    ["by", "written", "posted", "started", "author", "authors", "article", "words", "story", "contributors"]
        .iter()
        .any(|by| word.eq_ignore_ascii_case(by))
}

/// Is there a number of four digits that is a year of the Web?
pub(super) fn has_year(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|w| (w.starts_with(b"20") || w.starts_with(b"199")) && w[2..].iter().all(u8::is_ascii_digit))
}

/// Does it say what the date is?
pub(super) fn starts_with_verb(text: &str) -> bool {
    let text = text.to_lowercase();
    ["published", "posted", "date", "written", "updated", "last updated", "created"].iter().any(|verb| text.starts_with(verb))
}

/// Is it the address of an author's page?
pub(super) fn is_author_address(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or("").trim_end_matches('/');
    let named = |part: &str| matches!(part, "author" | "authors" | "contributor" | "contributors" | "writers" | "team-members");
    // A name has to follow.
    path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').skip(1).any(named))
}

/// Is it the address of a home page: a host and no more, or the root of this one?
pub(super) fn is_home_address(href: &str) -> bool {
    let href = href.trim();
    let path = match href.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => rest.split_once('/').map_or("", |(_, path)| path),
        _ => match href.strip_prefix('/') {
            Some(path) => path,
            None => return false,
        },
    };
    matches!(path, "" | "index.html" | "index.htm" | "index.php")
}

/// Is it the address of a well-known licence?
pub(super) fn is_license_address(href: &str) -> bool {
    href.contains("creativecommons.org/licenses/") || href.contains("creativecommons.org/publicdomain/")
}

/// The first four letters of all that is looked for in [`Hints`]: most names have none of them, and are read once.
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

/// Does one of [`STARTS`] stand anywhere in a value, in any case? White space and the value's end count as a space.
fn has_start(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.iter().enumerate().any(|(at, first)| {
        FIRST[usize::from(*first)] && {
            let at_hand = |k: usize| bytes.get(at + k).map_or(b' ', |b| b.to_ascii_lowercase().max(b' '));
            let word = u32::from_be_bytes([at_hand(0), at_hand(1), at_hand(2), at_hand(3)]);
            STARTS.iter().any(|start| u32::from_be_bytes(*start) == word)
        }
    })
}

/// What classes and identifiers of an element hint at.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Rank of an author's name, if it looks like one.
    pub(super) author: Option<u8>,
    pub(super) date: bool,
    pub(super) published: bool,
    pub(super) modified: bool,
    /// The title of what is written here.
    pub(super) title: bool,
    /// Beside the content: comments, related pages, navigation.
    pub(super) aside: bool,
}

/// Parts of class names beside `author` that say: not the name itself.
const NOT_NAMES: [&str; 26] = [
    "avatar", "image", "img", "photo", "picture", "bio", "about", "desc", "social", "share", "follow", "role", "job", "date",
    "time", "archive", "count", "icon", "posts", "prefix", "label", "comment", "authori", "search", "tooltip", "position",
];

impl Hints {
    /// Reads the value of a class, an identifier or the like.
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
        let authored = has("author") || has("byline") || has("written-by") || has("writer");
        let dated = token.ends_with("date-author") || token.ends_with("date-and-author") || token.ends_with("author-date");
        if authored && (dated || !NOT_NAMES.iter().any(|part| has(part))) {
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
