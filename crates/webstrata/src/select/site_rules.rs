//! Files of per-host extraction rules, in TOML. They are interpreted from the parser's spans, so that every error names its line
//! and column.

use super::areas::Override;
use super::{ExtractOptions, Mode, Rules};
use crate::html::{Selector, address};
use crate::label::Preset;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The rules for one host pattern.
///
/// ```
/// use webstrata::{ExtractOptions, select::SiteRules};
/// let rules = SiteRules::parse("[site.'example.org']\nexclude = ['.ad']\ncomments = false")?;
/// let site = rules.for_host("example.org").unwrap();
/// assert_eq!((site.pattern(), site.line()), ("example.org", 1));
/// let options = site.apply(ExtractOptions::default());
/// assert!(!options.comments && options.tables && options.rules.len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteRule {
    pattern: String,
    line: usize,
    preset: Option<Preset>,
    mode: Option<Mode>,
    comments: Option<bool>,
    tables: Option<bool>,
    rules: Rules,
}

impl SiteRule {
    /// The host pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The line of the file on which the rule starts, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns `options` with the settings of this rule; its selectors are appended to those of `options`.
    #[must_use]
    pub fn apply(&self, mut options: ExtractOptions) -> ExtractOptions {
        options.preset = self.preset.unwrap_or(options.preset);
        options.mode = self.mode.unwrap_or(options.mode);
        options.comments = self.comments.unwrap_or(options.comments);
        options.tables = self.tables.unwrap_or(options.tables);
        options.rules.extend(&self.rules);
        options
    }
}

/// An error in a rule file.
///
/// ```
/// use webstrata::select::SiteRules;
/// let error = SiteRules::parse("[site.'example.org']\nexlude = ['.ad']").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 1));
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 1: unknown key 'exlude'; known keys: only include exclude preset mode comments tables"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct SiteRulesError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The error, and the remedy.
    pub what: String,
}

/// A file of per-site rules.
///
/// A pattern is a host (`example.org`, which includes `www.example.org`), all hosts below one (`*.example.org`), or every
/// host (`*`). Only the most specific pattern applies. The keys of a site are lists of CSS selectors `only`, `include` and
/// `exclude` (see [`Rules`]), and `preset`, `mode`, `comments` and `tables`.
///
/// ```
/// use webstrata::select::SiteRules;
/// let rules = SiteRules::parse(
///     "[site.'*']\ntables = false\n[site.'*.example.org']\nonly = ['article']\n[site.'example.org']\npreset = 'canola'",
/// );
/// let rules = rules?;
/// let pattern = |host: &str| rules.for_host(host).unwrap().pattern().to_owned();
/// assert_eq!(pattern("www.Example.org"), "example.org");
/// assert_eq!(pattern("blog.example.org"), "*.example.org");
/// assert_eq!(pattern("example.net"), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteRules {
    /// Sorted by pattern.
    sites: Vec<SiteRule>,
}

const KEYS: &str = "only include exclude preset mode comments tables";

impl SiteRules {
    /// Parses a rule file.
    ///
    /// # Errors
    /// Returns the first error, with line and column.
    pub fn parse(text: &str) -> Result<SiteRules, SiteRulesError> {
        let place = Locator(text);
        let file = DeTable::parse(text)
            .map_err(|error| place.error(error.span().map_or(0, |span| span.start), error.message().replace('\n', "; ")))?;
        let mut sites = Vec::new();
        for (key, value) in file.get_ref() {
            if key.get_ref() != "site" {
                return Err(
                    place.error(key.span().start, format!("unknown key '{}'; rules belong below [site.\"HOST\"]", key.get_ref()))
                );
            }
            for (pattern, site) in place.table(value)? {
                sites.push(place.site(pattern, site)?);
            }
        }
        sites.sort_by(|a, b| a.pattern.cmp(&b.pattern));
        if let Some(pair) = sites.windows(2).find(|pair| pair[0].pattern == pair[1].pattern) {
            let (line, other) = (pair[0].line.max(pair[1].line), pair[0].line.min(pair[1].line));
            let what = format!("host {} already has rules on line {other}", pair[0].pattern);
            return Err(SiteRulesError { line, column: 1, what });
        }
        Ok(SiteRules { sites })
    }

    /// The rule for a host, if there is one.
    #[must_use]
    pub fn for_host(&self, host: &str) -> Option<&SiteRule> {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let bare = host.strip_prefix("www.").unwrap_or(&host);
        let above = host.match_indices('.').filter_map(|(at, _)| self.get(&format!("*{}", &host[at..])));
        self.get(&host).or_else(|| self.get(bare)).or_else(|| above.into_iter().next()).or_else(|| self.get("*"))
    }

    /// The rule for the host of an address, if there is one. An address without a host gets the rule for every host.
    ///
    /// ```
    /// let rules = webstrata::select::SiteRules::parse("[site.'example.org']\ntables = false")?;
    /// assert!(rules.for_url("https://me@www.example.org:8080/a?b").is_some());
    /// assert!(rules.for_url("https://example.net/example.org").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_url(&self, url: &str) -> Option<&SiteRule> {
        self.for_host(address::host(url).unwrap_or_default())
    }

    fn get(&self, pattern: &str) -> Option<&SiteRule> {
        self.sites.binary_search_by(|site| site.pattern.as_str().cmp(pattern)).ok().map(|at| &self.sites[at])
    }

    /// All rules, sorted by pattern.
    pub fn iter(&self) -> std::slice::Iter<'_, SiteRule> {
        self.sites.iter()
    }
}

impl<'r> IntoIterator for &'r SiteRules {
    type Item = &'r SiteRule;
    type IntoIter = std::slice::Iter<'r, SiteRule>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The text of the file, to turn byte offsets into lines and columns.
#[derive(Clone, Copy)]
struct Locator<'t>(&'t str);

impl Locator<'_> {
    fn error(self, at: usize, what: String) -> SiteRulesError {
        let before = self.0.get(..at).unwrap_or(self.0);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        SiteRulesError { line, column, what }
    }

    fn wrong<T>(self, value: &Spanned<DeValue<'_>>, wanted: &str) -> Result<T, SiteRulesError> {
        Err(self.error(value.span().start, format!("expected {wanted}, found {}", value.get_ref().type_str())))
    }

    fn table<'v, 'i>(self, value: &'v Spanned<DeValue<'i>>) -> Result<&'v DeTable<'i>, SiteRulesError> {
        value.get_ref().as_table().map_or_else(|| self.wrong(value, "a table"), Ok)
    }

    fn text<'v>(self, value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, SiteRulesError> {
        value.get_ref().as_str().map_or_else(|| self.wrong(value, "a string"), Ok)
    }

    fn boolean(self, value: &Spanned<DeValue<'_>>) -> Result<bool, SiteRulesError> {
        value.get_ref().as_bool().map_or_else(|| self.wrong(value, "true or false"), Ok)
    }

    /// A selector, or a list of them.
    fn selectors(self, value: &Spanned<DeValue<'_>>) -> Result<Vec<Selector>, SiteRulesError> {
        let one = |value: &Spanned<DeValue<'_>>| {
            let css = self.text(value)?;
            Selector::parse(css).map_err(|error| self.error(value.span().start, error.to_string()))
        };
        match value.get_ref().as_array() {
            Some(list) => list.iter().map(one).collect(),
            None if value.get_ref().is_str() => Ok(vec![one(value)?]),
            None => self.wrong(value, "a list of selectors"),
        }
    }

    fn named<T: std::str::FromStr<Err: ToString>>(self, value: &Spanned<DeValue<'_>>) -> Result<T, SiteRulesError> {
        self.text(value)?.parse().map_err(|error: T::Err| self.error(value.span().start, error.to_string()))
    }

    fn site(self, pattern: &Spanned<std::borrow::Cow<'_, str>>, site: &Spanned<DeValue<'_>>) -> Result<SiteRule, SiteRulesError> {
        let at = pattern.span().start;
        let host = pattern.get_ref().to_ascii_lowercase();
        if !is_pattern(&host) {
            let what =
                format!("'{host}' is not a host; write example.org, *.example.org for all hosts below it, or * for every host");
            return Err(self.error(at, what));
        }
        let line = self.error(at, String::new()).line;
        let mut rule =
            SiteRule { pattern: host, line, preset: None, mode: None, comments: None, tables: None, rules: Rules::default() };
        for (key, value) in self.table(site)? {
            match key.get_ref().as_ref() {
                "only" => rule.rules.set(Override::Only, self.selectors(value)?),
                "include" => rule.rules.set(Override::Include, self.selectors(value)?),
                "exclude" => rule.rules.set(Override::Exclude, self.selectors(value)?),
                "preset" => rule.preset = Some(self.named(value)?),
                "mode" => rule.mode = Some(self.named(value)?),
                "comments" => rule.comments = Some(self.boolean(value)?),
                "tables" => rule.tables = Some(self.boolean(value)?),
                other => return Err(self.error(key.span().start, format!("unknown key '{other}'; known keys: {KEYS}"))),
            }
        }
        Ok(rule)
    }
}

/// Whether a text is a host, all hosts below one, or `*`.
fn is_pattern(text: &str) -> bool {
    let host = text.strip_prefix("*.").unwrap_or(text);
    text == "*"
        || (!host.is_empty() && host.split('.').all(|label| !label.is_empty() && !label.contains(['*', '/', ':', '@', ' '])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: &str, line: usize, column: usize, part: &str) {
        let error = SiteRules::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.what.contains(part), "{error}");
    }

    #[test]
    fn errors_give_line_and_column() {
        fails("[site.'a.org'\n", 1, 14, "");
        fails("\n[sites.'a.org']\n", 2, 2, "unknown key 'sites'");
        fails("site = 3", 1, 8, "expected a table, found integer");
        fails("[site]\n'http://a.org' = {}", 2, 1, "is not a host");
        fails("[site.'a.org']\nexclude = ['.x',\n  'a:hover']", 3, 3, ":hover");
        fails("[site.'a.org']\nexclude = [1]", 2, 12, "a string");
        fails("[site.'a.org']\ntables = 'no'", 2, 10, "true or false");
        fails("[site.'a.org']\npreset = 'artikel'", 2, 10, "unknown preset 'artikel'");
        fails("[site.'a.org']\nmode = 'both'", 2, 8, "unknown mode 'both'");
        fails("[site.'a.org']\ntables = true\n\n[site.'A.org']\ntables = true", 4, 1, "already has rules on line 1");
    }

    #[test]
    fn the_most_specific_pattern_applies() {
        let rules = SiteRules::parse("[site]\n'*.b.c' = {}\n'*.c' = {}\n'www.d.c' = {}\n'd.c' = {}").unwrap();
        let found = |host: &str| rules.for_host(host).map(SiteRule::pattern);
        assert_eq!(found("a.b.c"), Some("*.b.c"));
        assert_eq!(found("b.c"), Some("*.c"));
        assert_eq!(found("www.d.c."), Some("www.d.c"));
        assert_eq!(found("c"), None);
        assert_eq!(rules.iter().count(), 4);
    }

    #[test]
    fn selectors_may_be_a_list_or_a_string() {
        let rules = SiteRules::parse("[site.'*']\nonly = 'main'\ninclude = ['.a', '.b']\nmode = 'recall'").unwrap();
        let options = rules.for_host("x").unwrap().apply(ExtractOptions::default());
        assert_eq!((options.rules.len(), options.mode), (3, Mode::Recall));
    }
}
