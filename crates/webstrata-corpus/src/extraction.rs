//! How the content of pages is extracted, for all commands: options, site rules, a trained model.

use crate::model_file::{self, ModelFileError};
use crate::site::method::{SiteError, SiteFolder, SiteMethod};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use webstrata::content::Content;
use webstrata::label::{Labeller, Preset, TrainedModel};
use webstrata::select::SiteRules;
use webstrata::{ExtractOptions, Page};
use xxhash_rust::xxh3::xxh3_64;

/// How the content of pages is extracted.
///
/// ```
/// use webstrata::{ExtractOptions, Page, label::Preset, select::SiteRules};
/// use webstrata_corpus::Extraction;
/// let rules = SiteRules::parse("[site.'example.org']\nexclude = ['.ad']")?;
/// let extraction = Extraction::new(ExtractOptions::from(Preset::KeepEverything)).with_site_rules(rules);
/// let page = Page::parse(b"<p>Rain.<p class=ad>Boots!");
/// assert_eq!(extraction.content(&page, Some("https://example.org/a"), false).text(), "Rain.");
/// assert_eq!(extraction.content(&page, None, false).text(), "Rain.\nBoots!");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    options: ExtractOptions,
    sites: Option<SiteRules>,
    fixed: Fixed,
    model: Option<Arc<Model>>,
    site: Option<Arc<SiteChoice>>,
}

/// A method that needs other pages of a site, and what it learned from them.
#[derive(Debug)]
struct SiteChoice {
    method: SiteMethod,
    folder: SiteFolder,
}

/// Settings that site rules do not override, because the caller chose them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The preset.
    pub preset: bool,
    /// Whether precision or recall matters more.
    pub mode: bool,
    /// Whether comments are kept.
    pub comments: bool,
    /// Whether data tables are kept.
    pub tables: bool,
}

/// A model that replaces the preset.
#[derive(Debug)]
struct Model {
    /// Its name in records.
    name: String,
    labeller: TrainedModel,
    /// XXH3 of the file.
    hash: u64,
}

impl From<ExtractOptions> for Extraction {
    fn from(options: ExtractOptions) -> Self {
        Extraction::new(options)
    }
}

impl Extraction {
    /// Uses the same options for all pages.
    #[must_use]
    pub fn new(options: ExtractOptions) -> Self {
        Extraction { options, ..Extraction::default() }
    }

    /// Adds site rules. Their selectors are added to those of the options; their other settings replace those of the options.
    #[must_use]
    pub fn with_site_rules(mut self, sites: SiteRules) -> Self {
        self.sites = Some(sites);
        self
    }

    /// Keeps these settings, regardless of site rules.
    #[must_use]
    pub fn with_fixed(mut self, fixed: Fixed) -> Self {
        self.fixed = fixed;
        self
    }

    /// Labels pages with the model in a file instead of the preset.
    ///
    /// # Errors
    /// If the file cannot be read, is not a model, or needs more than single pages.
    pub fn with_model_file(mut self, path: &Path) -> Result<Self, ModelFileError> {
        let (bytes, labeller) = model_file::read_with_bytes(path)?;
        let name = format!("model:{}", path.file_name().unwrap_or_default().to_string_lossy());
        self.model = Some(Arc::new(Model { name, labeller, hash: xxh3_64(&bytes) }));
        Ok(self)
    }

    /// Labels pages by a method that needs other pages instead of the preset.
    #[must_use]
    pub fn with_site_method(mut self, method: SiteMethod, folder: SiteFolder) -> Self {
        self.site = Some(Arc::new(SiteChoice { method, folder }));
        self
    }

    /// Checks that a page that came from `url` can be labelled. If the method needs other pages, those of its site must be known.
    ///
    /// # Errors
    /// If its site is not known.
    pub fn check(&self, url: Option<&str>) -> Result<(), SiteError> {
        self.site_labeller(url).map(drop)
    }

    /// The labeller of the page's site, if the method needs other pages.
    ///
    /// # Errors
    /// If its site is not known.
    pub fn site_labeller(&self, url: Option<&str>) -> Result<Option<Arc<dyn Labeller>>, SiteError> {
        let Some(site) = &self.site else { return Ok(None) };
        let labeller = site.folder.labeller(site.method, url)?;
        Ok(Some(Arc::new(labeller)))
    }

    /// The options for a page that came from `url`. Without an address, the page's canonical one selects the rules.
    #[must_use]
    pub fn for_page(&self, page: &Page<'_>, url: Option<&str>) -> Cow<'_, ExtractOptions> {
        let Some(sites) = &self.sites else { return Cow::Borrowed(&self.options) };
        let own = || page.metadata().canonical.map(|canonical| Cow::Owned(canonical.value));
        let url = url.map(Cow::Borrowed).or_else(own).unwrap_or_default();
        let Some(site) = sites.for_url(&url) else { return Cow::Borrowed(&self.options) };
        let mut options = site.apply(self.options.clone());
        if self.fixed.preset {
            options.preset = self.options.preset;
        }
        if self.fixed.mode {
            options.mode = self.options.mode;
        }
        if self.fixed.comments {
            options.comments = self.options.comments;
        }
        if self.fixed.tables {
            options.tables = self.options.tables;
        }
        Cow::Owned(options)
    }

    /// The content of a page that came from `url`; `explain` records the reasons.
    #[must_use]
    pub fn content<'p>(&'p self, page: &'p Page<'_>, url: Option<&str>, explain: bool) -> Content<'p> {
        let mut options = self.for_page(page, url);
        if options.explain != explain {
            options.to_mut().explain = explain;
        }
        self.content_with(page, url, &options)
    }

    /// Like [`Extraction::content`], with these options. If nothing is known about its site (see [`Extraction::check`]), the whole page is content.
    #[must_use]
    pub fn content_with<'p>(&'p self, page: &'p Page<'_>, url: Option<&str>, options: &ExtractOptions) -> Content<'p> {
        if self.site.is_some() {
            let nothing_known = || Arc::new(Preset::KeepEverything) as Arc<dyn Labeller>;
            let labeller = self.site_labeller(url).ok().flatten().unwrap_or_else(nothing_known);
            return page.extract_by_shared(labeller, options);
        }
        match self.model() {
            Some(model) => page.extract_by(model, options),
            None => page.extract_with(options),
        }
    }

    /// The model that replaces the preset.
    #[must_use]
    pub fn model(&self) -> Option<&TrainedModel> {
        self.model.as_deref().map(|model| &model.labeller)
    }

    /// The name of the method that replaces the preset: `model:FILE`, or that of the method that needs other pages.
    #[must_use]
    pub fn method_name(&self) -> Option<&str> {
        let site = self.site.as_deref().map(|site| site.method.name());
        site.or_else(|| self.model.as_deref().map(|model| model.name.as_str()))
    }

    /// The settings that determine the content, keyed by command-line option. Defaults are left out, except for the preset.
    ///
    /// ```
    /// use webstrata::ExtractOptions;
    /// use webstrata_corpus::Extraction;
    /// let settings = Extraction::new(ExtractOptions::default().comments(false)).settings();
    /// assert_eq!(settings.into_iter().collect::<Vec<_>>(), [("comments".into(), "false".into()), ("preset".into(), "strata".into())]);
    /// ```
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let (options, default) = (&self.options, ExtractOptions::from(self.options.preset));
        let mut settings = BTreeMap::new();
        let mut set = |name: &str, value: String, is_default: bool| {
            if !is_default {
                settings.insert(name.to_owned(), value);
            }
        };
        set("preset", options.preset.to_string(), false);
        set("verdicts-only", (!options.refine).to_string(), options.refine == default.refine);
        let features = options.features;
        set("features", features.features.to_string(), features.features == default.features.features);
        set("desired", features.desired.to_string(), features.desired == default.features.desired);
        set("k", features.clusters.to_string(), features.clusters == default.features.clusters);
        set("partition", "paper".to_owned(), features.partition == default.features.partition);
        set("mode", options.mode.to_string(), options.mode == default.mode);
        set("comments", options.comments.to_string(), options.comments == default.comments);
        set("tables", options.tables.to_string(), options.tables == default.tables);
        set("title", options.title.to_string(), options.title == default.title);
        set("duplicates", options.duplicates.to_string(), options.duplicates == default.duplicates);
        set("keep-roles", options.keep_roles.to_string(), options.keep_roles == default.keep_roles);
        set("drop-roles", options.drop_roles.to_string(), options.drop_roles == default.drop_roles);
        set("rules", options.rules.to_string(), options.rules.is_empty());
        if let Some(model) = &self.model {
            set("model", format!("{:016x}", model.hash), false);
        }
        if let Some(site) = &self.site {
            set("preset", site.method.to_string(), false);
            set("site", site.folder.fingerprint(), false);
        }
        if let Some(sites) = &self.sites {
            // The rules are in a fixed order, and their debug output is complete.
            let text = format!("{sites:?} {:?}", self.fixed);
            set("site-rules", format!("{:016x}", xxh3_64(text.as_bytes())), false);
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webstrata::select::{Mode, Rules};

    fn rules(text: &str) -> SiteRules {
        SiteRules::parse(text).unwrap()
    }

    #[test]
    fn fixed_settings_win_over_rules_for_sites() {
        let sites = rules("[site.'example.org']\npreset = 'canola'\nmode = 'recall'\ncomments = true\ntables = true");
        let options = ExtractOptions::default().mode(Mode::Precision).comments(false).tables(false);
        let page = Page::parse(b"<link rel=canonical href=https://example.org/a><p>Rain");
        let of = |fixed: Fixed, url: Option<&str>| {
            let extraction = Extraction::new(options.clone()).with_site_rules(sites.clone()).with_fixed(fixed);
            let found = extraction.for_page(&page, url).into_owned();
            (found.preset, found.mode, found.comments, found.tables)
        };
        let theirs = (Preset::Canola, Mode::Recall, true, true);
        let ours = (Preset::Strata, Mode::Precision, false, false);
        assert_eq!(of(Fixed::default(), Some("https://www.example.org/")), theirs);
        assert_eq!(of(Fixed::default(), None), theirs, "by the canonical address");
        assert_eq!(of(Fixed::default(), Some("https://example.net/")), ours);
        let all = Fixed { preset: true, mode: true, comments: true, tables: true };
        assert_eq!(of(all, Some("https://example.org/")), ours);
    }

    #[test]
    fn everything_that_changes_the_content_is_a_setting() {
        let changed = [
            ExtractOptions::from(Preset::Canola),
            ExtractOptions::default().mode(Mode::Recall),
            ExtractOptions::default().comments(false),
            ExtractOptions::default().tables(false),
            ExtractOptions::default().title(false),
            ExtractOptions::default().duplicates(true),
            ExtractOptions::default().keep_roles([webstrata::label::Role::Caption]),
            ExtractOptions::default().drop_roles([webstrata::label::Role::Caption]),
            ExtractOptions::default().rules(Rules::parse(&[".a"], &[], &[]).unwrap()),
            ExtractOptions::default().rules(Rules::parse(&[], &[".a"], &[]).unwrap()),
            ExtractOptions::default().rules(Rules::parse(&[], &[], &[".a"]).unwrap()),
        ];
        let mut settings: Vec<_> = changed.into_iter().map(|options| Extraction::new(options).settings()).collect();
        settings.push(Extraction::default().settings());
        settings.push(Extraction::default().with_site_rules(rules("[site.'a.org']\ntables = false")).settings());
        settings.push(Extraction::default().with_site_rules(rules("[site.'b.org']\ntables = false")).settings());
        let count = settings.len();
        settings.sort();
        settings.dedup();
        assert_eq!(settings.len(), count);
    }
}
