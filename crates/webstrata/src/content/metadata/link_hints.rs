//! Hints from the addresses of links.

/// The path of an address, without trailing slashes.
pub(super) fn path(href: &str) -> &str {
    href[..memchr::memchr2(b'?', b'#', href.as_bytes()).unwrap_or(href.len())].trim_end_matches('/')
}

/// Whether a path leads to an author's page.
pub(super) fn is_author_path(path: &str) -> bool {
    let named = |part: &str| matches!(part, "author" | "authors" | "contributor" | "contributors" | "writers" | "team-members");
    // A name must follow, so the folder is between two slashes.
    let mut slashes = memchr::memchr_iter(b'/', path.as_bytes());
    let Some(mut before) = slashes.next() else { return false };
    slashes.any(|slash| {
        let part = &path[before + 1..slash];
        before = slash;
        named(part)
    })
}

/// Whether a path leads to the list of pages with a tag.
pub(super) fn is_tag_path(path: &str) -> bool {
    let named = |part: &str| {
        matches!(
            part,
            "tag"
                | "tags"
                | "topic"
                | "topics"
                | "thema"
                | "themen"
                | "themenseiten"
                | "schlagwort"
                | "stichwort"
                | "keyword"
                | "keywords"
        )
    };
    // The folders around the last part, at most two.
    let mut slashes = memchr::memrchr_iter(b'/', path.as_bytes());
    let Some(mut end) = slashes.next() else { return false };
    for _ in 0..2 {
        let slash = slashes.next();
        if named(&path[slash.map_or(0, |slash| slash + 1)..end]) {
            return true;
        }
        let Some(slash) = slash else { return false };
        end = slash;
    }
    false
}

/// Whether an address is that of a well-known licence.
pub(super) fn is_license_address(href: &str) -> bool {
    const HOST: &str = "creativecommons.org/";
    // The letter `v` is rare in addresses; building a searcher for the host would take longer than most searches.
    let mut hosts = memchr::memchr_iter(b'v', href.as_bytes()).filter_map(|at| href.get(at.checked_sub(6)?..)?.strip_prefix(HOST));
    hosts.any(|path| path.starts_with("licenses/") || path.starts_with("publicdomain/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_have_folders() {
        let is_author = |href: &str| is_author_path(path(href));
        assert!(is_author("/author/jo-ash/") && is_author("https://example.org/en/contributors/jo?x#y"));
        assert!(!is_author("/author/") && !is_author("author/jo") && !is_author("") && !is_author("/a/b?x=/author/jo"));
    }

    #[test]
    fn tags_have_folders() {
        let is_tag = |href: &str| is_tag_path(path(href));
        assert!(is_tag("/tag/rain/") && is_tag("tag/rain") && is_tag("https://example.org/topics/weather/rain#top"));
        assert!(!is_tag("/tag/") && !is_tag("/tags/a/b/c") && !is_tag("") && !is_tag("/a?x=/tag/rain"));
    }

    #[test]
    fn licences_have_addresses() {
        assert!(is_license_address("https://creativecommons.org/licenses/by/4.0/"));
        assert!(is_license_address("/go?to=creativecommons.org/x&or=creativecommons.org/publicdomain/zero"));
        assert!(!is_license_address("https://creativecommons.org/about") && !is_license_address(""));
    }
}
