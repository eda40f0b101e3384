//! Addresses: relative to absolute (RFC 3986, 5.2), and those that lead nowhere told from the rest.

/// Longer addresses are data, not places.
const LONGEST: usize = 2048;

/// Schemes that name no place.
const NOWHERE: [&str; 4] = ["javascript", "data", "vbscript", "blob"];

/// The address of a link, resolved against `base` where there is one; none if it leads nowhere.
pub(super) fn target(base: Option<&str>, href: &str) -> Option<String> {
    // White space at the ends, and line ends anywhere, do not count (as in browsers).
    let href: String = href.trim_matches(|c: char| c <= ' ').chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    if href.is_empty() || href == "#" || href.len() > LONGEST {
        return None;
    }
    if let Some(scheme) = scheme(&href) {
        return (!NOWHERE.iter().any(|s| scheme.eq_ignore_ascii_case(s))).then_some(href);
    }
    match base {
        Some(base) => Some(resolve(base, &href)),
        None => Some(href),
    }
}

/// The scheme of an absolute address.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let legal = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    (legal && scheme.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(scheme)
}

/// The page's own base, as `<base href>` gives it, or that of the options.
pub(super) fn base(given: Option<&str>, element: Option<&str>) -> Option<String> {
    let given = given.filter(|g| scheme(g).is_some() && g.len() <= LONGEST);
    let own = element.and_then(|href| target(given, href)).filter(|href| scheme(href).is_some());
    own.or_else(|| given.map(str::to_owned))
}

/// A relative reference against an absolute address.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let Some(scheme) = scheme(base) else { return reference.to_owned() };
    let rest = &base[scheme.len() + 1..];
    let base_end = rest.find('#').unwrap_or(rest.len());
    let rest = &rest[..base_end];
    if reference.starts_with('#') {
        return format!("{scheme}:{rest}{reference}");
    }
    let (authority, path_query) = match rest.strip_prefix("//") {
        Some(inner) => inner.split_at(inner.find(['/', '?']).unwrap_or(inner.len())),
        None => ("", rest),
    };
    let slashes = if rest.starts_with("//") { "//" } else { "" };
    if reference.starts_with("//") {
        return format!("{scheme}:{reference}");
    }
    let path = path_query.split('?').next().unwrap_or("");
    if reference.starts_with('?') {
        return format!("{scheme}:{slashes}{authority}{path}{reference}");
    }
    let (relative, tail) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    let merged = if relative.starts_with('/') {
        relative.to_owned()
    } else {
        let folder = path.rfind('/').map_or("/", |slash| &path[..=slash]);
        format!("{folder}{relative}")
    };
    format!("{scheme}:{slashes}{authority}{}{tail}", without_dots(&merged))
}

/// A path without its `.` and `..` segments.
fn without_dots(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." && out.len() > 1 {
                    out.pop();
                }
                if last {
                    out.push("");
                }
            }
            _ => out.push(segment),
        }
    }
    out.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of RFC 3986, 5.4.
    #[test]
    fn relative_addresses() {
        let base = "http://a/b/c/d;p?q";
        for (reference, want) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            (";x", "http://a/b/c/;x"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g/../h", "http://a/b/c/h"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ] {
            assert_eq!(target(Some(base), reference).as_deref(), Some(want), "{reference}");
        }
    }

    #[test]
    fn addresses_that_lead_nowhere() {
        for href in ["", " ", "#", "javascript:void(0)", " JavaScript:x", "java\nscript:x", "data:text/html,x"] {
            assert_eq!(target(Some("http://a/"), href), None, "{href:?}");
        }
        assert_eq!(target(None, "mailto:a@b.example").as_deref(), Some("mailto:a@b.example"));
        assert_eq!(base(Some("http://a/b"), Some("/c/")).as_deref(), Some("http://a/c/"));
        assert_eq!(base(None, Some("/c/")), None);
    }
}
